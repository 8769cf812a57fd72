use crate::memory_check;
use bloomline_spec::{FilterSpec, SlidingGeometry, SpecError};
use std::path::Path;

/// A sliding-window filter for tests, from the parts of a specification that matter there.
#[derive(Debug, Clone, Copy)]
pub struct SlidingSample {
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
    /// "double" or "independent".
    pub hashing: &'static str,
    /// "h3-sbox" or "h3".
    pub family: &'static str,
    /// "none", "count", "empty", or "ecc" for an error-correcting code.
    pub parity: &'static str,
}

impl SlidingSample {
    /// The last 64 elements in two generations, well sized, default hash of 104-bit keys.
    pub const BASE: SlidingSample = SlidingSample {
        window: 64,
        slack: 32,
        target_fpr: 0.01,
        sizes: "generations = 2",
        key_bits: 104,
        hashing: "double",
        family: "h3-sbox",
        parity: "none",
    };

    /// The last 64 elements in tables too small for them: elements are stored and lost all the time.
    pub const CROWDED: SlidingSample = SlidingSample {
        target_fpr: 0.2,
        sizes: "generations = 2\nbucket_cells = 2\nstore_cells = 3\nback_buckets = 4\nfront_buckets = 16\naccept_overflow = true",
        ..SlidingSample::BASE
    };

    /// The specification as TOML, with this memory.
    fn toml(&self, memory_bits: &str) -> String {
        format!(
            "name = \"sliding\"\n[filter]\nkind = \"sliding\"\nmemory_bits = {memory_bits}\nhashes = 2\nhashing = \"{}\"\n[filter.sliding]\n\
             window = {}\nslack = {}\ntarget_fpr = {}\n{}\n[key]\nbits = {}\n[hash]\nfamily = \"{}\"\n[memory]\n{}\n",
            self.hashing, self.window, self.slack, self.target_fpr, self.sizes, self.key_bits, self.family, memory_check(self.parity)
        )
    }

    /// The geometry, with the memory that its sizes take.
    ///
    /// # Panics
    /// When the sample is no legal specification.
    pub fn geometry(&self) -> SlidingGeometry {
        self.geometry_with("")
    }

    /// The same with further sections.
    ///
    /// # Panics
    /// When they make it no legal specification.
    pub fn geometry_with(&self, sections: &str) -> SlidingGeometry {
        self.resolve(sections)
            .unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    /// The same, if the sample is a legal specification.
    ///
    /// # Errors
    /// As [`FilterSpec::sliding`].
    pub fn resolve(&self, sections: &str) -> Result<SlidingGeometry, SpecError> {
        let read = |memory_bits: &str| {
            let toml = self.toml(memory_bits) + sections;
            FilterSpec::from_toml(&toml, Path::new("sample.toml")).and_then(|spec| spec.sliding())
        };
        match read("0") {
            Err(SpecError::Rule {
                advice,
                key: "filter.memory_bits",
                ..
            }) => read(advice.trim_start_matches("nearest legal value ")),
            other => other,
        }
    }
}
