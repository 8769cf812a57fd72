//! The partitioned layout, two phases, retaining: how often a key matches in both halves, exactly.
//!
//! The message x that trips a threshold opens the next cycle. At least one of its positions is clear in the half that it
//! freezes, and all of them are set in the half that it opens, so the two halves depend on each other through x, and the
//! product of their rates (RBF 26) is not the probability of a match in both.
//!
//! Let a key y share j of its positions with x; each does with probability 1/m', independently of everything else. Given
//! j, the halves are independent: the bit counts of the active half do not depend on where x fell, and those of the
//! frozen half do not depend on what came after x. So
//!
//! ```text
//! P(match in both) = sum_j C(k,j) m'^-j (1-1/m')^(k-j) A_(k-j) F_j
//! A_u = mean over the arrivals of a cycle of E[prod over u partitions of (b_i-1)/(m'-1)]
//! F_j = sum_n { E[prod f_i/m'; S_n <= sigma] - E[prod f_i/m'; S_n + new bits of x <= sigma] }
//! ```
//!
//! where in F_j the message x shares the position of y in j partitions and not in the others: with f bits in a partition
//! that is set at y's position, it sets a new one there with probability 0 and (m'-f)/(m'-1). The cycle starts with one
//! bit in every partition.

use super::cycle::CycleLaw;
use super::partitioned::{evaluation, Method};
use super::partitioned_half::PartitionedHalf;
use super::{partitioned_contour, partitioned_convolution};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::fill_sum::partitioned_rate_sum;

const FORMULA: &str =
    "match in either half, joined by the retained message (derivation of this project)";

/// The average rate of a two-phase filter that retains the tripping message, threshold on bits.
///
/// Source: derivation of this project, see the source of `partitioned_joined`. Exact, by either method: relative error below
/// 1e-9. Kinds of keys whose share is below 1e-12 of the rate are left out.
///
/// # Errors
/// Those of [`partitioned_bits_set_law`](super::partitioned_bits_set_law).
pub fn partitioned_retaining_rate(
    half: PartitionedHalf,
    sigma: u64,
    method: Method,
) -> Result<Figure, TheoryError> {
    retaining_law_and_rate(half, sigma, method).map(|(_, rate)| rate)
}

/// The law of a half that forgets, and the average rate of two phases that retain.
pub(crate) fn retaining_law_and_rate(
    half: PartitionedHalf,
    sigma: u64,
    method: Method,
) -> Result<(CycleLaw, Figure), TheoryError> {
    // at least the rate of the frozen half, about (sigma/(k m'))^k
    let most = kinds_that_count(half, 0.01 * half.largest_rate_at(sigma));
    let kinds = most as usize + 1;
    let (forgetting, parts) = match evaluation(half, sigma, method)? {
        Method::Convolution => (
            partitioned_convolution::law(half, sigma),
            partitioned_convolution::parts(half, sigma, kinds),
        ),
        Method::Auto | Method::Contour => partitioned_contour::law_and_parts(half, sigma, kinds),
    };
    let law = forgetting.retaining();
    let k = half.hashes();
    let both: f64 = (0..=most)
        .map(|j| {
            let active = if j == k {
                1.0
            } else {
                parts.active[j as usize] / law.mean_arrivals
            };
            sharing(half, j) * active * parts.frozen[j as usize]
        })
        .sum();
    let rate = law.active_rate + law.frozen_rate - both;
    Ok((
        forgetting,
        Figure::new(rate.min(1.0), FORMULA, law.accuracy),
    ))
}

/// The same for a threshold on bit-setting messages: x sets a bit in the half that it freezes.
///
/// Source: derivation of this project. `F_j = E[r (1 - prod over k-j partitions of (f_i-1)/(m'-1))/(1-r)]`, r the product of the fills.
/// One hash is exact, as its bit counts are certain. For more the counts are taken at their means, an error in the second
/// order of k/m'; `law` is the retaining law.
pub(crate) fn messages_retaining_rate_of(
    half: PartitionedHalf,
    messages: u64,
    law: &CycleLaw,
) -> Figure {
    let (m, k) = (half.range() as f64, half.hashes());
    let (active, frozen) = (law.active_rate, law.frozen_rate);
    if k == 1 {
        let frozen_bits = messages as f64 - 1.0;
        let shared = 1.0 - frozen_bits * m / ((m - 1.0) * law.mean_arrivals);
        let both = shared.max(0.0) * frozen_bits / m;
        let rate = (active + frozen - both).min(1.0);
        return Figure::new(rate, FORMULA, law.accuracy);
    }
    // the mean factor by which a key that shares no position, or one, matches less often in each half
    let fill = frozen.powf(1.0 / f64::from(k));
    let beside = ((fill * m - 1.0) / (m - 1.0)).max(0.0);
    let most = kinds_that_count(half, law.two_phase_rate());
    let sums = |hashes: u32, from: f64, to: f64| {
        partitioned_rate_sum(m, hashes, to) - partitioned_rate_sum(m, hashes, from)
    };
    let whole = sums(k, 1.0, law.mean_arrivals + 1.0);
    let both: f64 = (0..=most)
        .map(|j| {
            let others = k - j;
            let matched = match others {
                0 => 1.0,
                _ if whole <= 0.0 => 0.0,
                // the mean over a cycle of the mean counts, scaled to the rate as it is
                _ => active * sums(others, 0.0, law.mean_arrivals) / whole,
            };
            let freezes = frozen * (1.0 - beside.powi(others as i32)) / (1.0 - frozen);
            sharing(half, j) * matched * freezes
        })
        .sum();
    let order = f64::from(k) / m;
    let error = active * frozen * 4.0 * order * order / law.two_phase_rate();
    Figure::new(
        (active + frozen - both).min(1.0),
        FORMULA,
        law.accuracy.and(Accuracy::approximation(error)),
    )
}

/// Probability that a key shares just j positions with another.
fn sharing(half: PartitionedHalf, j: u32) -> f64 {
    let m = half.range() as f64;
    let k = half.hashes();
    let chosen: f64 = (0..j)
        .map(|i| f64::from(k - i) / f64::from(i + 1) / m)
        .product();
    chosen * (f64::from(k - j) * (-1.0 / m).ln_1p()).exp()
}

/// The most positions shared that count beside a rate.
fn kinds_that_count(half: PartitionedHalf, rate: f64) -> u32 {
    let order = f64::from(half.hashes()) / half.range() as f64;
    let mut left = order.exp();
    for j in 0..half.hashes() {
        left *= order / f64::from(j + 1);
        if left <= 1e-12 * rate {
            return j;
        }
    }
    half.hashes()
}
