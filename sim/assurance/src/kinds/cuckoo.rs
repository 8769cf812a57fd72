use super::{Pipeline, Proved};
use bloomline_spec::CuckooGeometry;

impl Proved for CuckooGeometry {
    fn pipeline(&self) -> Pipeline {
        Pipeline::Tables
    }

    fn start_clocks(&self, settled: u32) -> u32 {
        settled + (1 << self.row_bits()) + 1
    }

    fn sizes(&self) -> Vec<(&'static str, u32)> {
        let stages = self.hash_stages();
        let tag_bits = match self.has_verdict_queue() {
            true => 0,
            false => self.tag_bits(),
        };
        vec![
            ("FOLD", 0),
            ("ROW_BITS", self.row_bits()),
            ("ROW_CELLS", self.row_cells()),
            ("STASH_CELLS", self.stash_cells()),
            ("HASH_STAGES", stages),
            (
                "HOLD_BITS",
                stages.max(2).next_power_of_two().trailing_zeros(),
            ),
            // identity, element, with verdict, and the tag where no queue has it
            ("HELD_BITS", self.index_bits() + 2 + tag_bits),
            (
                "ENTRY_BITS",
                u32::BITS - (self.stash_cells() - 1).leading_zeros(),
            ),
            (
                "CELL_BITS",
                self.fingerprint_bits() + self.generation_bits(),
            ),
            ("FINGERPRINT_BITS", self.fingerprint_bits()),
            ("GENERATION_BITS", self.generation_bits()),
            ("GENERATIONS", self.generations()),
            ("GENERATION_ITEMS", self.generation_items() as u32),
        ]
    }

    fn flags(&self) -> Vec<(bool, &'static str)> {
        Vec::new()
    }

    fn not_small_tables(&self) -> Option<String> {
        (self.row_cells() != 3 || self.stash_cells() != 16).then(|| {
            format!(
                "it is written for rows of 3 cells and a stash of 16 entries, the filter's have {} and {}",
                self.row_cells(),
                self.stash_cells()
            )
        })
    }

    fn smallest(&self) -> String {
        "[filter]\nkind = \"sliding\"\nmemory_bits = 8448\nhashes = 1\nhashing = \"independent\"\n[filter.sliding]\ntable = \"cuckoo\"\nwindow = 164\n\
         slack = 164\ntarget_fpr = 0.5\ngenerations = 1\nrows = 64\nrow_cells = 3\nfingerprint_bits = 8\ngeneration_bits = 3\nstash_cells = 16\n"
            .to_owned()
    }
}
