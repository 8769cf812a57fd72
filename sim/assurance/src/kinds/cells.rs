use super::{Pipeline, Proved};
use bloomline_spec::{CellGeometry, CellKind, Erase, Layout};

impl Proved for CellGeometry {
    fn pipeline(&self) -> Pipeline {
        match (self.erase(), self.cell_kind()) {
            (Erase::InPlace, CellKind::Static) => Pipeline::Bits,
            (Erase::InPlace, CellKind::Counting | CellKind::CountMin) => Pipeline::Counters,
            (Erase::Epoch | Erase::SpareHalf, _) => Pipeline::Cells,
        }
    }

    fn start_clocks(&self, settled: u32) -> u32 {
        let settling = match self.erase() {
            Erase::InPlace => u32::try_from(self.erase_clocks()).unwrap_or(u32::MAX),
            Erase::Epoch | Erase::SpareHalf => settled,
        };
        settled.saturating_add(settling)
    }

    fn sizes(&self) -> Vec<(&'static str, u32)> {
        let timing = self.timing();
        vec![
            ("ARRAY_BITS", self.array_address_bits()),
            ("WORDS", self.words_per_bank() as u32),
            ("CELL_BITS", self.cell_bits()),
            ("AMOUNT_BITS", self.amount_bits()),
            ("CAN_REMOVE", self.removes().into()),
            ("DECISION", timing.decision_stage),
            ("FOLD", timing.fold_clocks),
            ("RAISE", timing.raise_clocks),
            ("HASHES", self.hashes()),
            ("ROWS", self.erase_clocks() as u32),
            ("ROW_BITS", self.row_bits()),
            ("LANES", self.lanes()),
            ("ACCESS_CLOCKS", timing.access_clocks),
        ]
    }

    fn flags(&self) -> Vec<(bool, &'static str)> {
        let takes_amounts = self.amount_bits() > 0 || self.conservative();
        vec![
            (self.cell_kind() != CellKind::Static, "COUNTERS"),
            (self.removes(), "REMOVES"),
            (self.timing().fold_clocks > 0, "FOLDED"),
            (self.conservative(), "CONSERVATIVE"),
            (takes_amounts, "AMOUNTS"),
            (self.has_array_logic(), "HOST_WORDS"),
            (self.has_array_logic() && self.lanes() > 1, "HOST_CELLS"),
        ]
    }

    fn not_full_words(&self) -> Option<String> {
        (32 % self.cell_bits() != 0).then(|| {
            format!(
                "it is written for cells that fill a word of 32 bits, the filter's have {}",
                self.cell_bits()
            )
        })
    }

    /// Kind, layout, hashing and update stay. Copies do not: the properties hold for any positions, wherever they come from.
    fn smallest(&self) -> String {
        let section = match self.cell_kind() {
            CellKind::Counting => "[filter.counting]\ncounter_bits = 2\nthreshold = 2\n",
            CellKind::CountMin => {
                "[filter.count-min]\ncounter_bits = 8\namount_bits = 2\nthreshold = 5\n"
            }
            CellKind::Static => "",
        };
        let banks = match self.layout() {
            Layout::Partitioned => 2,
            Layout::Shared => 1,
        };
        format!(
            "[filter]\nkind = \"{}\"\nlayout = \"{}\"\nmemory_bits = {}\nhashes = 2\nhashing = \"{}\"\ndistinct = {}\nconservative = {}\n\
             accept_two_hash_floor = true\nitems = 20\n{section}",
            self.kind(), self.layout(), 256 * banks, self.hashing(), self.distinct(), self.conservative()
        )
    }
}
