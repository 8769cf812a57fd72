use super::{Pipeline, Proved};
use bloomline_spec::{Erase, Layout, Parity, RecyclingGeometry, VERDICT_CLOCKS};

/// A threshold that is legal in either layout.
const SMALLEST_THRESHOLD: u64 = 200;

impl Proved for RecyclingGeometry {
    fn pipeline(&self) -> Pipeline {
        match self.layout() {
            Layout::Partitioned if self.erase() == Erase::SpareHalf => Pipeline::Halves,
            Layout::Partitioned => Pipeline::Banks,
            Layout::Shared => Pipeline::Array,
        }
    }

    fn start_clocks(&self, settled: u32) -> u32 {
        settled * (self.phases() + 1) + 10
    }

    fn sizes(&self) -> Vec<(&'static str, u32)> {
        let timing = self.timing();
        vec![
            ("ARRAY_BITS", self.array_address_bits()),
            ("COUNT_BITS", self.count_bits()),
            ("FETCH", timing.fetch_stage),
            ("WRITE", timing.write_stage),
            ("DECISION", timing.decision_stage),
            ("PHASES", self.phases()),
            ("RETAIN", self.retain().into()),
            ("FOLD", 0),
            ("INTERVAL", timing.initiation_interval),
            ("HASHES", self.hashes()),
            ("ROWS", self.erase_rows() as u32),
            ("ROW_BITS", self.row_bits()),
            ("DISTINCT", self.distinct().into()),
            ("MEMORY_BITS", 36 + u32::from(self.parity() != Parity::None)),
        ]
    }

    fn flags(&self) -> Vec<(bool, &'static str)> {
        vec![
            (true, "RECYCLES"),
            (self.parity() != Parity::None, "PARITY"),
            (self.phases() == 2, "TWO_PHASES"),
            (self.array_access(), "HOST_WORDS"),
            (self.timing().verdict_clocks == VERDICT_CLOCKS, "QUEUED"),
            (self.timing().verdict_clocks < VERDICT_CLOCKS, "BYPASS"),
        ]
    }

    /// Phases, condition, retention, layout and hashing stay.
    fn smallest(&self) -> String {
        format!(
            "[filter]\nkind = \"recycling\"\nlayout = \"{}\"\nmemory_bits = {}\nhashes = 2\nhashing = \"{}\"\ndistinct = {}\naccept_two_hash_floor = true\n\
             [filter.recycle]\nphases = {}\non = \"{}\"\nthreshold = {SMALLEST_THRESHOLD}\nretain = {}\n",
            self.layout(), 256 * self.phases(), self.hashing(), self.distinct(), self.phases(), self.recycle_on(), self.retain()
        )
    }
}
