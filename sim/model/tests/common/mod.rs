//! Geometries for tests.

pub mod cell_harness;
pub mod harness;
pub mod plain_hash;

// what the tests of the emitted Verilog vary, too
#[allow(dead_code)]
#[path = "../../../../tests/src/cell_sample.rs"]
pub mod cell_sample;

use bloomline_spec::{FilterSpec, RecycleOn, RecyclingGeometry};
use std::path::Path;

/// What a test varies of a geometry.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub phases: u64,
    pub on: RecycleOn,
    pub retain: bool,
    pub hashes: u64,
    pub partition_bits: u64,
    pub threshold: u64,
    pub hashing: &'static str,
    pub family: &'static str,
    pub key_bits: u64,
    pub seed: u64,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape {
            phases: 2,
            on: RecycleOn::BitsSet,
            retain: true,
            hashes: 4,
            partition_bits: 128,
            threshold: 200,
            hashing: "double",
            family: "h3-sbox",
            key_bits: 104,
            seed: 1,
        }
    }
}

impl Shape {
    /// The same with the eight combinations of phases, recycling rule and retention.
    pub fn modes(self) -> impl Iterator<Item = Shape> {
        (0..8).map(move |index| Shape {
            phases: 1 + (index & 1),
            on: if index & 2 == 0 {
                RecycleOn::BitsSet
            } else {
                RecycleOn::Messages
            },
            retain: index & 4 == 0,
            ..self
        })
    }

    pub fn geometry(&self) -> RecyclingGeometry {
        let on = match self.on {
            RecycleOn::BitsSet => "bits-set",
            RecycleOn::Messages => "messages",
        };
        let text = format!(
            "name = \"tested\"\n[filter]\nkind = \"recycling\"\nmemory_bits = {}\nhashes = {}\nhashing = \"{}\"\n\
             accept_two_hash_floor = true\n[filter.recycle]\nphases = {}\non = \"{on}\"\nthreshold = {}\nretain = {}\n\
             [key]\nbits = {}\ntag_bits = 16\n[hash]\nfamily = \"{}\"\nseed = {}\n",
            self.partition_bits * self.hashes * self.phases,
            self.hashes,
            self.hashing,
            self.phases,
            self.threshold,
            self.retain,
            self.key_bits,
            self.family,
            self.seed,
        );
        FilterSpec::from_toml(&text, Path::new("tested.toml"))
            .and_then(|spec| spec.validate())
            .and_then(|sizing| sizing.with_threshold(self.threshold))
            .unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }
}
