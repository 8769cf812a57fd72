use crate::kinds::{functional_model, FilterModel};
use bloomline_spec::{CellOperation, Design, Key};

/// Amount of an item that a frame sends.
const AMOUNT: u32 = 1;

/// The filter of a packet path, of any kind.
#[derive(Debug)]
pub struct PathFilter {
    design: Design,
    filter: Box<dyn FilterModel>,
}

impl PathFilter {
    /// The filter of a design, or of a geometry of any kind, empty.
    pub fn new(design: impl Into<Design>) -> PathFilter {
        let design = design.into();
        let filter = functional_model(&design);
        PathFilter { design, filter }
    }

    /// What it is the filter of.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Tests a key, and inserts it if `learn`; gives bit 0 of the verdict.
    pub fn verdict(&mut self, key: &Key, learn: bool) -> bool {
        let operation = match learn {
            true => CellOperation::TestAndInsert,
            false => CellOperation::Query,
        };
        self.filter.item(key, operation, AMOUNT) & 1 == 1
    }

    /// Empties the filter.
    pub fn clear(&mut self) {
        self.filter.clear();
    }

    /// The filter as after reset: empty, with what the specification says.
    pub fn reset(&mut self) {
        self.filter = functional_model(&self.design);
    }
}

impl Clone for PathFilter {
    fn clone(&self) -> PathFilter {
        PathFilter {
            design: self.design.clone(),
            filter: self.filter.boxed(),
        }
    }
}
