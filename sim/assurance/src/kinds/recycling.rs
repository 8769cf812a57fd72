use super::{Pipeline, Proved};
use bloomline_spec::{Erase, Layout, Parity, RecyclingGeometry, WORD_BITS};

/// A threshold that is legal in either layout.
const SMALLEST_THRESHOLD: u64 = 200;
/// Largest primes in banks of four words and of five.
const LARGEST_PRIMES: [u32; 2] = [127, 157];

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
        let timing = self.timing();
        vec![
            (true, "RECYCLES"),
            (self.parity() != Parity::None, "PARITY"),
            (self.phases() == 2, "TWO_PHASES"),
            (self.has_array_logic(), "HOST_WORDS"),
            (timing.row_stage > 1, "READS_LATE"),
            (timing.row_stage == 1, "READS_FIRST"),
            (
                self.has_verdict_queue() && timing.verdict_clocks == 1,
                "BYPASS",
            ),
        ]
    }

    /// Phases, condition, retention, layout and hashing stay, and whether banks are of a power of two of words and used in part.
    fn smallest(&self) -> String {
        let bank = match self.words_per_bank().is_power_of_two() {
            true => 4 * WORD_BITS,
            false => 5 * WORD_BITS,
        };
        let whole = self.words_per_bank() * u64::from(WORD_BITS);
        let range = match self.layout() == Layout::Partitioned && self.range() < whole {
            true => format!(
                "range = {}\n",
                LARGEST_PRIMES[usize::from(bank > 4 * WORD_BITS)]
            ),
            false => String::new(),
        };
        format!(
            "[filter]\nkind = \"recycling\"\nlayout = \"{}\"\nmemory_bits = {}\nhashes = 2\nhashing = \"{}\"\ndistinct = {}\naccept_two_hash_floor = true\n{range}\
             [filter.recycle]\nphases = {}\non = \"{}\"\nthreshold = {SMALLEST_THRESHOLD}\nretain = {}\n",
            self.layout(), 2 * bank * self.phases(), self.hashing(), self.distinct(), self.phases(), self.recycle_on(), self.retain()
        )
    }
}
