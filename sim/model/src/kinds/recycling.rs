use super::{FilterModel, Modelled};
use crate::{PipelineModel, RecyclingFilter};
use bloomline_spec::{CellOperation, Common, Key, Operation, RecyclingGeometry};

impl Modelled for RecyclingGeometry {
    type Pipeline = PipelineModel;

    fn common(&self) -> &Common {
        self
    }

    fn pipeline(&self) -> PipelineModel {
        PipelineModel::new(self)
    }

    fn pipeline_with_memory(&self) -> PipelineModel {
        PipelineModel::with_memory(self)
    }

    fn functional(&self) -> Box<dyn FilterModel> {
        Box::new(RecyclingFilter::new(self))
    }
}

impl FilterModel for RecyclingFilter {
    fn item(&mut self, key: &Key, operation: CellOperation, _amount: u32) -> u64 {
        let operation = Operation::from_code(operation.code());
        self.apply(key, operation).flags().to_bits().into()
    }

    fn clear(&mut self) {
        RecyclingFilter::clear(self);
    }

    fn boxed(&self) -> Box<dyn FilterModel> {
        Box::new(self.clone())
    }
}
