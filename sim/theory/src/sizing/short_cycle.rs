//! Mean cycle of few messages with two hash functions and a threshold on bits.
//!
//! Two messages share as many bits on the mean as with independent hashes, and a cycle of many messages, whose end depends on the mean alone, is as
//! long. A cycle of few messages is longer by one where the bits that they share leave room for it, which two hash functions make more likely or
//! less: they share all k bits with the probability `m'^-2`, and less often none.

use crate::error::TheoryError;
use crate::recycling::{partitioned_bits_set_law, CycleLaw, Method, PartitionedHalf};
use crate::two_hash::patterns::short_orders;

/// Share of a mean cycle below which a difference is stated as an error, not computed.
const LEAST: f64 = 1e-5;
/// Stated relative error of a difference that is computed.
const ERROR: f64 = 0.5;

/// What two hash functions add to a mean cycle, in messages, and its error.
///
/// Source: derivation of this project. First order in pairs of messages: C(n,2) times the sum over x of the difference in probability that a
/// pair shares x bits, times what the cycle grows by with x bits more. Tested by simulation. `forgetting` is the law of the filter
/// that forgets its tripping message, with independent hashes.
///
/// # Errors
/// Those of [`partitioned_bits_set_law`].
pub(super) fn longer(
    half: PartitionedHalf,
    threshold: u64,
    forgetting: &CycleLaw,
) -> Result<(f64, f64), TheoryError> {
    let (k, range) = (f64::from(half.hashes()), half.range() as f64);
    let messages = forgetting.mean_arrivals;
    let pairs = 0.5 * messages * (messages - 1.0);
    let unlike = 0.5 * (k - 2.0) * (k + 1.0) * pairs / (range * range);
    // how much a cycle shows that messages are whole: the shared bits have a variance of about n^2 k/2m', a message has k bits
    let whole = (-(std::f64::consts::PI * messages).powi(2) / (range * k)).exp();
    let most = unlike * whole;
    if most < LEAST * messages {
        return Ok((0.0, most));
    }
    let mut longer = 0.0;
    for (shared, (two, independent)) in (0..).zip(of_two_hashes(half).zip(of_independent(half))) {
        let unlike = pairs * (two - independent);
        if shared == 0 || unlike.abs() < 0.01 * LEAST * messages {
            continue;
        }
        // a half that is full with the bits more
        let Ok(law) = partitioned_bits_set_law(half, threshold + shared, Method::Auto) else {
            return Ok((0.0, most));
        };
        longer += unlike * (law.mean_arrivals - messages);
    }
    Ok((longer, ERROR * longer.abs()))
}

/// Probability that two messages share 0 bits, 1 and so on.
fn of_two_hashes(half: PartitionedHalf) -> impl Iterator<Item = f64> {
    let (k, range) = (half.hashes(), half.range());
    let mut pairs = vec![0.0; k as usize + 1];
    let mut other = range as f64;
    for (order, steps) in short_orders(range, k) {
        for first in 0..order {
            pairs[(k - first).div_ceil(order) as usize] += steps as f64;
        }
        other -= steps as f64;
    }
    pairs[1] += other * f64::from(k);
    let all = (range as f64).powi(2);
    pairs[0] = all - pairs[1..].iter().sum::<f64>();
    pairs.into_iter().map(move |pairs| pairs / all)
}

fn of_independent(half: PartitionedHalf) -> impl Iterator<Item = f64> {
    let (k, range) = (half.hashes(), half.range() as f64);
    let none = (1.0 - 1.0 / range).powi(k as i32);
    (0..=k).scan(none, move |next, shared| {
        let this = *next;
        *next *= f64::from(k - shared) / f64::from(shared + 1) / (range - 1.0);
        Some(this)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_shares_as_many_bits_as_counted() {
        for (hashes, range) in [(3u32, 7u64), (8, 12), (12, 16), (5, 5), (4, 3)] {
            let half = PartitionedHalf::new(range, hashes).expect("legal");
            let mut pairs = vec![0.0; hashes as usize + 1];
            for offset in 0..range {
                for step in 0..range {
                    let shared =
                        (0..u64::from(hashes)).filter(|i| (offset + i * step) % range == 0);
                    pairs[shared.count()] += 1.0 / (range * range) as f64;
                }
            }
            let mut mean = [0.0; 2];
            for (shared, (two, independent)) in
                of_two_hashes(half).zip(of_independent(half)).enumerate()
            {
                assert!((two - pairs[shared]).abs() < 1e-12, "{hashes} {range}");
                mean[0] += shared as f64 * two;
                mean[1] += shared as f64 * independent;
            }
            assert!((mean[0] - mean[1]).abs() < 1e-12, "{hashes} {range}");
        }
    }
}
