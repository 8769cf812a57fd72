//! Batches of distinct balls thrown into urns.

use crate::error::TheoryError;

/// Most balls any of these formulas accepts: keeps the accumulated rounding of double-doubles below `10^-15`.
pub(crate) const MAX_BALLS: u64 = 1 << 46;
/// Most urns: integers up to here are exact doubles with room to spare.
pub(crate) const MAX_URNS: u64 = 1 << 46;

/// `count` batches of `size` balls each; the balls of a batch go to distinct urns.
///
/// An item of a classic Bloom filter is a batch of k; a standard filter throws nk batches of 1. (OCC Lemma 16 speaks of k
/// batches of n balls; its formulas hold for n batches of k.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Batches {
    /// Number of batches.
    pub count: u64,
    /// Balls in a batch.
    pub size: u64,
}

impl Batches {
    /// The batches, checked against a number of urns.
    pub(super) fn check(urns: u64, batches: &[Self]) -> Result<(), TheoryError> {
        const NAME: &str = "occupancy";
        if urns == 0 || urns > MAX_URNS {
            return Err(TheoryError::domain(
                NAME,
                "urns",
                format!("1 to 2^46 (nearest: {})", urns.clamp(1, MAX_URNS)),
                urns,
            ));
        }
        let mut balls = 0u64;
        for batch in batches {
            if batch.size == 0 || batch.size > urns {
                return Err(TheoryError::domain(
                    NAME,
                    "batch size",
                    format!("1 to the {urns} urns, as the balls of a batch are distinct"),
                    batch.size,
                ));
            }
            balls = balls.saturating_add(batch.count.saturating_mul(batch.size));
        }
        if balls > MAX_BALLS {
            return Err(TheoryError::domain(
                NAME,
                "balls",
                "at most 2^46 in all batches",
                balls,
            ));
        }
        Ok(())
    }
}
