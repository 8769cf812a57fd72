use super::{FilterModel, Modelled};
use crate::{SlidingFilter, SlidingPipelineModel};
use bloomline_spec::{CellOperation, Common, Key, Operation, SlidingGeometry};

impl Modelled for SlidingGeometry {
    type Pipeline = SlidingPipelineModel;

    fn common(&self) -> &Common {
        self
    }

    fn pipeline(&self) -> SlidingPipelineModel {
        SlidingPipelineModel::new(self)
    }

    fn pipeline_with_memory(&self) -> SlidingPipelineModel {
        SlidingPipelineModel::with_memory(self)
    }

    fn functional(&self) -> Box<dyn FilterModel> {
        Box::new(SlidingFilter::new(self))
    }
}

impl FilterModel for SlidingFilter {
    fn item(&mut self, key: &Key, operation: CellOperation, _amount: u32) -> u64 {
        let operation = Operation::from_code(operation.code());
        self.apply(key, operation).verdict.to_bits().into()
    }

    fn clear(&mut self) {
        SlidingFilter::clear(self);
    }

    fn boxed(&self) -> Box<dyn FilterModel> {
        Box::new(self.clone())
    }
}
