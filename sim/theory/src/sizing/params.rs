//! The parameters of a recycling filter that its predictions depend on.

use serde::Serialize;

use crate::error::TheoryError;
use crate::recycling::PartitionedHalf;

/// Where the probes of a key come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hashing {
    /// One hash function per probe.
    Independent,
    /// Two hash functions: `h1 + i h2 (+ f(i)) mod m'`; double and extended double hashing have the same rates.
    Double,
}

/// What the threshold counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum On {
    /// Bits set in the active half (sigma); a message that would exceed it trips.
    BitsSet,
    /// Bit-setting messages (N); the N-th of a cycle trips.
    Messages,
}

/// A recycling filter in the partitioned layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RecyclingParams {
    /// Data bits of all halves together.
    pub memory_bits: u64,
    /// Halves: 1, or 2 (active and frozen).
    pub phases: u32,
    /// Probes of a message, one in each partition of a half (k).
    pub hashes: u32,
    /// Independent or double hashing.
    pub hashing: Hashing,
    /// What the threshold counts.
    pub on: On,
    /// The threshold of one half, in bits or messages.
    pub threshold: u64,
    /// Whether the tripping message opens the next cycle (`true`) or is forgotten.
    pub retain: bool,
}

impl RecyclingParams {
    /// The geometry of one half.
    pub(super) fn half(&self) -> Result<PartitionedHalf, TheoryError> {
        if !(1..=2).contains(&self.phases) {
            return Err(TheoryError::domain(
                "recycling filter",
                "phases",
                "1 or 2",
                self.phases,
            ));
        }
        let parts = u64::from(self.phases) * u64::from(self.hashes.max(1));
        if self.memory_bits == 0 || !self.memory_bits.is_multiple_of(parts) {
            return Err(TheoryError::Indivisible {
                memory_bits: self.memory_bits,
                phases: self.phases,
                parts: self.hashes,
                multiple: parts,
            });
        }
        PartitionedHalf::new(self.memory_bits / parts, self.hashes)
    }
}

impl On {
    /// The threshold at which a filter does what it does at `threshold`: a retained message is the first of its cycle, so that a
    /// threshold of one message is met with the second, as one of two is.
    pub(super) fn met_at(self, threshold: u64, retain: bool) -> u64 {
        match self {
            On::Messages if retain => threshold + u64::from(threshold == 1),
            On::Messages | On::BitsSet => threshold,
        }
    }
}
