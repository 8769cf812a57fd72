use super::{Pipeline, Proved};
use bloomline_spec::SlidingGeometry;

impl Proved for SlidingGeometry {
    fn pipeline(&self) -> Pipeline {
        Pipeline::Windows
    }

    fn start_clocks(&self, settled: u32) -> u32 {
        settled + (1 << self.front_bits()) + 1
    }

    fn sizes(&self) -> Vec<(&'static str, u32)> {
        vec![
            ("FOLD", 0),
            ("FRONT_BITS", self.front_bits()),
            ("BACK_BITS", self.back_bits()),
            ("FINGERPRINT_BITS", self.fingerprint_bits()),
            ("GENERATION_BITS", self.generation_bits()),
            ("GENERATIONS", self.generations()),
            ("GENERATION_ITEMS", self.generation_items() as u32),
            ("INTERVAL", self.scan_interval()),
            ("BUCKET_CELLS", self.bucket_cells()),
            ("STORE_CELLS", self.store_cells()),
        ]
    }

    fn flags(&self) -> Vec<(bool, &'static str)> {
        Vec::new()
    }

    fn not_two_cells(&self) -> Option<String> {
        (self.bucket_cells() != 2 || self.store_cells() != 2).then(|| {
            format!(
                "it is written for buckets and a store of 2 cells each, the filter's have {} and {}",
                self.bucket_cells(),
                self.store_cells()
            )
        })
    }

    /// The hashing stays.
    fn smallest(&self) -> String {
        format!(
            "[filter]\nkind = \"sliding\"\nmemory_bits = 280\nhashes = 2\nhashing = \"{}\"\n[filter.sliding]\nwindow = 16\nslack = 16\n\
             target_fpr = 0.5\ngenerations = 1\ngeneration_bits = 3\nbucket_cells = 2\nstore_cells = 2\nback_buckets = 4\nfront_buckets = 16\naccept_overflow = true\n",
            self.hashing()
        )
    }
}
