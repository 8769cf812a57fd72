use super::{FilterModel, Modelled};
use crate::{CuckooFilter, CuckooPipelineModel};
use bloomline_spec::{CellOperation, Common, CuckooGeometry, Key, Operation};

impl Modelled for CuckooGeometry {
    type Pipeline = CuckooPipelineModel;

    fn common(&self) -> &Common {
        self
    }

    fn pipeline(&self) -> CuckooPipelineModel {
        CuckooPipelineModel::new(self)
    }

    fn pipeline_with_memory(&self) -> CuckooPipelineModel {
        CuckooPipelineModel::with_memory(self)
    }

    fn functional(&self) -> Box<dyn FilterModel> {
        Box::new(CuckooFilter::new(self))
    }
}

impl FilterModel for CuckooFilter {
    fn item(&mut self, key: &Key, operation: CellOperation, _amount: u32) -> u64 {
        let operation = Operation::from_code(operation.code());
        self.apply(key, operation).verdict.to_bits().into()
    }

    fn clear(&mut self) {
        CuckooFilter::clear(self);
    }

    fn boxed(&self) -> Box<dyn FilterModel> {
        Box::new(self.clone())
    }
}
