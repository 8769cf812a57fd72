//! Requirements on a recycling filter: known and wanted quantities.

use super::candidate::Ranges;
use super::params::{Hashing, On};
use super::popularity::Reuse;

/// Largest memory that a search for one tries.
pub(super) const MOST_MEMORY_BITS: u64 = 1 << 38;

/// A bound on forgetting.
#[derive(Debug, Clone, PartialEq)]
pub struct FalseNegativeBudget {
    /// Largest share (0 to 1) of repeats that may get the verdict not-seen.
    pub rate: f64,
    /// How soon keys return.
    pub reuse: Reuse,
}

/// What is known and wanted of a filter; `None` is left to the search.
///
/// Sufficient: a target rate or a capacity with a memory; a target rate and a capacity (or a false-negative budget)
/// without; a threshold with a memory and a number of hashes.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirements {
    /// Data bits of all halves together.
    pub memory_bits: Option<u64>,
    /// Largest memory that is tried where none is given, at most 2^38 bits.
    pub most_memory_bits: u64,
    /// Probes of a message (k); 1 to 16 are tried.
    pub hashes: Option<u32>,
    /// Halves; both 1 and 2 are tried where a false-negative budget can tell them apart, else 1.
    pub phases: Option<u32>,
    /// The threshold, in what `on` counts.
    pub threshold: Option<u64>,
    /// Largest average false-positive rate.
    pub target_fpr: Option<f64>,
    /// Least mean number of new messages per cycle.
    pub capacity: Option<f64>,
    /// Largest false-negative rate.
    pub false_negatives: Option<FalseNegativeBudget>,
    /// Where probes come from.
    pub hashing: Hashing,
    /// What the threshold counts.
    pub on: On,
    /// Whether the tripping message opens the next cycle.
    pub retain: bool,
    /// Whether an excess of two hashes above 10% of the rate is taken.
    pub accept_two_hash_floor: bool,
    /// Which partitions may be built.
    pub ranges: Ranges,
}

impl Requirements {
    /// Nothing required: independent hashes, a threshold on bits, forgetting, any range.
    pub fn open() -> Self {
        Self {
            memory_bits: None,
            most_memory_bits: MOST_MEMORY_BITS,
            hashes: None,
            phases: None,
            threshold: None,
            target_fpr: None,
            capacity: None,
            false_negatives: None,
            hashing: Hashing::Independent,
            on: On::BitsSet,
            retain: false,
            accept_two_hash_floor: false,
            ranges: Ranges::Any,
        }
    }

    pub(super) fn reuse(&self) -> Option<&Reuse> {
        self.false_negatives.as_ref().map(|budget| &budget.reuse)
    }

    /// What is wanted, in words.
    pub(super) fn wanted(&self) -> String {
        let mut parts = Vec::new();
        if let Some(target) = self.target_fpr {
            parts.push(format!("reaches {target:e}"));
        }
        if let Some(capacity) = self.capacity {
            parts.push(format!(
                "with {} messages a cycle",
                grouped(capacity.ceil() as u64)
            ));
        }
        if let Some(budget) = &self.false_negatives {
            parts.push(format!("within {:e} false negatives", budget.rate));
        }
        if parts.is_empty() {
            parts.push("can be evaluated".to_owned());
        }
        parts.join(" ")
    }
}

/// A whole number with its thousands set apart.
pub(super) fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
