use super::{modelled, without_amounts};
use crate::{CuckooFilter, CuckooPipelineModel};
use bloomline_spec::{CellOperation, CuckooGeometry, Key, Operation};

modelled!(CuckooGeometry, CuckooPipelineModel, CuckooFilter);
without_amounts!(CuckooFilter, outcome => outcome.verdict.to_bits());
