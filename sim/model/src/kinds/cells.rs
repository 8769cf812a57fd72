use super::{FilterModel, Modelled};
use crate::{CellFilter, CellPipelineModel};
use bloomline_spec::{CellGeometry, CellKind, CellOperation, Common, Key};

impl Modelled for CellGeometry {
    type Pipeline = CellPipelineModel;

    fn common(&self) -> &Common {
        self
    }

    fn pipeline(&self) -> CellPipelineModel {
        CellPipelineModel::new(self)
    }

    fn pipeline_with_memory(&self) -> CellPipelineModel {
        CellPipelineModel::with_memory(self)
    }

    fn functional(&self) -> Box<dyn FilterModel> {
        Box::new(Cells {
            kind: self.cell_kind(),
            filter: CellFilter::new(self),
        })
    }
}

/// A filter of cells, and which: a static filter says `seen` alone.
#[derive(Debug, Clone)]
struct Cells {
    kind: CellKind,
    filter: CellFilter,
}

impl FilterModel for Cells {
    fn item(&mut self, key: &Key, operation: CellOperation, amount: u32) -> u64 {
        let verdict = self.filter.apply(key, operation, amount).verdict;
        match self.kind {
            CellKind::Static => verdict.seen.into(),
            CellKind::Counting | CellKind::CountMin => verdict.to_bits(),
        }
    }

    fn clear(&mut self) {
        self.filter.clear();
    }

    fn boxed(&self) -> Box<dyn FilterModel> {
        Box::new(self.clone())
    }
}
