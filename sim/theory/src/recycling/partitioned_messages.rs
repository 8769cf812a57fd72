//! The partitioned layout, threshold on bit-setting messages.

use super::cycle::CycleLaw;
use super::partitioned_half::PartitionedHalf;
use super::positives_count::{self, Fill};
use super::restart::Restart;
use super::shared_messages::{check_messages, messages_law};
use super::SharedHalf;
use crate::error::TheoryError;
use crate::two_hash::PartitionedDoubleHashing;

/// Smallest range at which the approximation was tested.
const SMALLEST_RANGE: u64 = 32;

/// The non-retaining law of a partitioned half that recycles with its `messages`-th bit-setting message; for the
/// retaining filter apply [`CycleLaw::retaining`], which is exact here.
///
/// Source: derivation of this crate (see the source of `positives_count`): mean cycle `N + F`,
/// `F = sum_j P(X_(N+j) >= j+1)` with X_n the number of false positives among n arrivals. F is exact in the law of
/// X_n, which is approximated by Panjer's law with its exact mean and variance. Approximation; the relative error is
/// stated in the result, `(5 k/m' + 0.8 f)/m'` with f the frozen rate, and tested against exact chains and simulation. One hash is exact (its
/// chain is followed).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `2 <= messages < 2^40`, the range is at least 32 (for more than one hash), and the
/// threshold is met before the half is 98% full.
pub fn partitioned_messages_law(
    half: PartitionedHalf,
    messages: u64,
) -> Result<CycleLaw, TheoryError> {
    check(half, messages)?;
    if half.hashes() == 1 {
        return messages_law(
            SharedHalf::new(half.range(), 1, false)?,
            messages,
            Restart::Forget,
        );
    }
    positives_count::law(Fill::partitioned(half), messages)
}

/// The same from the law of independent hashes.
pub(crate) fn with_two_hashes(
    half: PartitionedHalf,
    messages: u64,
    scheme: &PartitionedDoubleHashing,
    independent: CycleLaw,
) -> Result<CycleLaw, TheoryError> {
    match half.hashes() {
        ..=2 => Ok(independent),
        _ => positives_count::law_with_two_hashes(half, messages, scheme, &independent),
    }
}

fn check(half: PartitionedHalf, messages: u64) -> Result<(), TheoryError> {
    check_messages(messages)?;
    if half.hashes() > 1 && half.range() < SMALLEST_RANGE {
        let expected = format!("at least {SMALLEST_RANGE} positions with more than one hash");
        return Err(TheoryError::domain(
            "messages law",
            "range",
            expected,
            half.range(),
        ));
    }
    Ok(())
}
