use super::{modelled, without_amounts};
use crate::{PipelineModel, RecyclingFilter};
use bloomline_spec::{CellOperation, Key, Operation, RecyclingGeometry};

modelled!(RecyclingGeometry, PipelineModel, RecyclingFilter);
without_amounts!(RecyclingFilter, outcome => outcome.flags().to_bits());
