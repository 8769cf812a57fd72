use bloomline_spec::{CuckooGeometry, FilterSpec, SpecError};
use std::path::Path;

/// A sliding-window filter on cuckoo tables for tests, from the parts of a specification that matter there.
#[derive(Debug, Clone, Copy)]
pub struct CuckooSample {
    /// n.
    pub window: u64,
    /// m.
    pub slack: u64,
    /// eps.
    pub target_fpr: f64,
    /// Further lines of `[filter.sliding]`.
    pub sizes: &'static str,
    /// Key width.
    pub key_bits: u32,
    /// "h3-sbox" or "h3".
    pub family: &'static str,
}

impl CuckooSample {
    /// The last 150 elements in 16 rows of 4 cells.
    pub const BASE: CuckooSample = CuckooSample {
        window: 150,
        slack: 150,
        target_fpr: 0.02,
        sizes: "",
        key_bits: 104,
        family: "h3-sbox",
    };

    /// The last 100 elements in as few cells as there can be: moves all the time, and elements lost where a run crowds its keys.
    pub const CROWDED: CuckooSample = CuckooSample {
        window: 100,
        slack: 100,
        target_fpr: 1e-4,
        sizes: "generations = 1\nrows = 16\nrow_cells = 3",
        ..CuckooSample::BASE
    };

    /// The same with the least stash: items wait in the queue before the tables all the time.
    pub const HELD: CuckooSample = CuckooSample {
        sizes: "generations = 1\nrows = 16\nrow_cells = 3\nstash_cells = 16",
        ..CuckooSample::CROWDED
    };

    /// The specification as TOML, with this memory.
    fn toml(&self, memory_bits: &str) -> String {
        format!(
            "name = \"window\"\n[filter]\nkind = \"sliding\"\nmemory_bits = {memory_bits}\nhashes = 1\nhashing = \"independent\"\n[filter.sliding]\n\
             table = \"cuckoo\"\nwindow = {}\nslack = {}\ntarget_fpr = {}\n{}\n[key]\nbits = {}\n[hash]\nfamily = \"{}\"\n",
            self.window, self.slack, self.target_fpr, self.sizes, self.key_bits, self.family
        )
    }

    /// The geometry, with the memory that its sizes take.
    ///
    /// # Panics
    /// When the sample is no legal specification.
    pub fn geometry(&self) -> CuckooGeometry {
        self.resolve("")
            .unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    /// The same with further sections, if that is a legal specification.
    ///
    /// # Errors
    /// As [`FilterSpec::cuckoo`].
    pub fn resolve(&self, sections: &str) -> Result<CuckooGeometry, SpecError> {
        let read = |memory_bits: u64| {
            let toml = self.toml(&memory_bits.to_string()) + sections;
            FilterSpec::from_toml(&toml, Path::new("sample.toml"))
        };
        read(read(1)?.cuckoo_memory_bits()?)?.cuckoo()
    }
}
