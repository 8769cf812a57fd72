use crate::memory_check;
use bloomline_spec::{FilterSpec, RecyclingGeometry, SpecError};
use std::path::Path;

/// A recycling filter in the shared layout for tests, from the parts of a specification that matter there.
#[derive(Debug, Clone, Copy)]
pub struct SharedArraySample {
    /// 1 or 2.
    pub phases: u32,
    /// Probes an item.
    pub hashes: u32,
    /// Bits of a half.
    pub half_bits: u64,
    /// Positions of a half that are used; all if `None`.
    pub range: Option<u64>,
    /// The positions of an item differ from each other.
    pub distinct: bool,
    /// "bits-set" or "messages".
    pub on: &'static str,
    /// The tripping item opens the new cycle.
    pub retain: bool,
    /// "independent", "double", "extended-double-2" or "extended-double-3".
    pub hashing: &'static str,
    /// "h3-sbox", "h3", "siphash" or "siphash-2-4".
    pub family: &'static str,
    /// Key width.
    pub key_bits: u32,
    /// Threshold of one half.
    pub threshold: u64,
    /// Age limit, in milliseconds.
    pub max_age_ms: u64,
    /// "none", "count" or "empty".
    pub parity: &'static str,
}

impl SharedArraySample {
    /// Two phases, k = 4 colliding probes into halves of 512 bits, on bits set at half full, retaining, default hash of 104-bit
    /// keys.
    pub const BASE: SharedArraySample = SharedArraySample {
        phases: 2,
        hashes: 4,
        half_bits: 512,
        range: None,
        distinct: false,
        on: "bits-set",
        retain: true,
        hashing: "independent",
        family: "h3-sbox",
        key_bits: 104,
        threshold: 256,
        max_age_ms: 0,
        parity: "none",
    };

    /// The specification as TOML.
    pub fn toml(&self) -> String {
        let memory = self.half_bits * u64::from(self.phases);
        let range = self
            .range
            .map_or(String::new(), |range| format!("range = {range}\n"));
        format!(
            "name = \"shared_array\"\n[filter]\nkind = \"recycling\"\nlayout = \"shared\"\nmemory_bits = {memory}\nhashes = {}\nhashing = \"{}\"\n\
             distinct = {}\n{range}accept_two_hash_floor = true\n[filter.recycle]\nphases = {}\non = \"{}\"\nthreshold = {}\nretain = {}\n\
             max_age_ms = {}\n[key]\nbits = {}\n[hash]\nfamily = \"{}\"\nseed = 1\n[memory]\n{}\n",
            self.hashes,
            self.hashing,
            self.distinct,
            self.phases,
            self.on,
            self.threshold,
            self.retain,
            self.max_age_ms,
            self.key_bits,
            self.family,
            memory_check(self.parity),
        )
    }

    /// The geometry, if the sample is a legal specification.
    ///
    /// # Errors
    /// As [`FilterSpec::validate`].
    pub fn resolve(&self) -> Result<RecyclingGeometry, SpecError> {
        FilterSpec::from_toml(&self.toml(), Path::new("shared_array.toml"))?
            .validate()?
            .with_threshold(self.threshold)
    }

    /// The geometry.
    ///
    /// # Panics
    /// When the sample is no legal specification.
    pub fn geometry(&self) -> RecyclingGeometry {
        self.resolve()
            .unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }
}
