use super::{modelled, without_amounts};
use crate::{SlidingFilter, SlidingPipelineModel};
use bloomline_spec::{CellOperation, Key, Operation, SlidingGeometry};

modelled!(SlidingGeometry, SlidingPipelineModel, SlidingFilter);
without_amounts!(SlidingFilter, outcome => outcome.verdict.to_bits());
