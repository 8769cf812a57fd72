use super::{modelled, FilterModel};
use crate::{CellFilter, CellPipelineModel};
use bloomline_spec::{CellGeometry, CellKind, CellOperation, Key};

modelled!(CellGeometry, CellPipelineModel, Cells);

/// A filter of cells, and which: a static filter says `seen` alone.
#[derive(Debug, Clone)]
struct Cells {
    kind: CellKind,
    filter: CellFilter,
}

impl Cells {
    fn new(geometry: &CellGeometry) -> Cells {
        Cells {
            kind: geometry.cell_kind(),
            filter: CellFilter::new(geometry),
        }
    }
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
