//! Quantiles of the length of a cycle.
//!
//! A cycle of the filter that forgets its tripping message has T arrivals of new keys, the tripping one included. With S_n the bits set
//! by n arrivals in a half that never recycles, and X_n the false positives among them,
//!
//! ```text
//! P(T < n) = P(S_(n-1) > sigma)          threshold on bits
//! P(T < n) = P(X_(n-1) < n - N),  n > N  threshold of N bit-setting messages
//! ```
//!
//! A quantile at `chance` is the greatest n with `P(T < n) <= chance`: a cycle holds n or more new keys but for that probability. The
//! filter that retains its tripping message has cycles one arrival shorter (see [`CycleLaw::retaining`](super::CycleLaw::retaining)).

use super::half::SharedHalf;
use super::partitioned_contour;
use super::partitioned_half::PartitionedHalf;
use super::positives_count::{self, Fill};
use super::shared_messages::check_messages;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::search::first_above_near;
use statrs::distribution::{ContinuousCDF, Normal};

const NAME: &str = "quantile of a cycle's length";

pub(crate) fn check_chance(chance: f64) -> Result<(), TheoryError> {
    // the integrals are good to 1e-13
    match (1e-9..=1.0 - 1e-9).contains(&chance) {
        true => Ok(()),
        false => Err(TheoryError::domain(
            NAME,
            "chance",
            "1e-9 to 1 - 1e-9",
            chance,
        )),
    }
}

fn check_sigma(hashes: u32, bits: u64, sigma: u64) -> Result<(), TheoryError> {
    TheoryError::check_range(NAME, "sigma", sigma, (hashes.into(), bits - 1))
}

/// The greatest n with `P(T < n) <= chance` from `passed`, `P(S_n > sigma)`, and about the middle and the standard deviation of T.
fn from_passed(
    (middle, deviation): (f64, f64),
    chance: f64,
    mut passed: impl FnMut(u64) -> f64,
) -> Result<f64, TheoryError> {
    const MOST: u64 = 1 << 46;
    let mut value = |n: u64| Ok::<_, TheoryError>(passed(n).max(0.0));
    let guess = middle + Normal::standard().inverse_cdf(chance) * deviation;
    let close = (guess.max(1.0) as u64, 0.05 * deviation);
    let found = first_above_near((1, MOST), close, chance, &mut value)?;
    Ok(found.unwrap_or(MOST) as f64)
}

/// Arrivals that a cycle of a partitioned half reaches but for a probability of at most `chance`, with a threshold on bits and
/// independent hash functions; the tripping message is forgotten.
///
/// Source: derivation of this project, on the law of [`partitioned_bits_set_law`](super::partitioned_bits_set_law): the number of bits
/// is the sum of k independent occupancy counts. Exact: a whole number, unless the probability at it is within 1e-12 of `chance`.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < k m'` and the chance is 1e-9 to 1 - 1e-9.
pub fn partitioned_bits_set_quantile(
    half: PartitionedHalf,
    sigma: u64,
    chance: f64,
) -> Result<Figure, TheoryError> {
    check_chance(chance)?;
    check_sigma(half.hashes(), half.bits(), sigma)?;
    let guess = partitioned_contour::passing(half, sigma);
    let arrivals = from_passed(guess, chance, |n| {
        1.0 - partitioned_contour::below(half, n as f64, sigma)
    })?;
    Ok(Figure::new(
        arrivals,
        formula("greatest n with P(bits set by n - 1 messages > sigma) within it, partitioned occupancy", chance),
        Accuracy::exact(1e-12),
    ))
}

/// [`partitioned_bits_set_quantile`] of a half that all probes share.
///
/// Colliding probes: exact, the occupancy of the M bits by n k draws. Distinct probes: an approximation within one arrival, by the
/// occupancy of so many draws that the threshold is as many standard deviations from its mean.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < M` and the chance is 1e-9 to 1 - 1e-9.
pub fn shared_bits_set_quantile(
    half: SharedHalf,
    sigma: u64,
    chance: f64,
) -> Result<Figure, TheoryError> {
    check_chance(chance)?;
    let k = u64::from(half.hashes());
    check_sigma(half.hashes(), half.bits(), sigma)?;
    let draws = PartitionedHalf::new(half.bits(), 1)?;
    let (middle, deviation) = partitioned_contour::passing(draws, sigma);
    let guess = (middle / k as f64, deviation / k as f64);
    if !half.distinct() || k == 1 {
        let arrivals = from_passed(guess, chance, |n| {
            1.0 - partitioned_contour::below(draws, (n * k) as f64, sigma)
        })?;
        return Ok(Figure::new(
            arrivals,
            formula(
                "greatest n with P(bits set by (n - 1) k draws > sigma) within it, occupancy",
                chance,
            ),
            Accuracy::exact(1e-12),
        ));
    }
    let arrivals = from_passed(guess, chance, |n| passed_by_batches(half, draws, n, sigma))?;
    Ok(Figure::new(
        arrivals,
        formula(
            "greatest n with P(bits set by n - 1 messages > sigma) within it, by draws with that mean and variance",
            chance,
        ),
        within_one(arrivals),
    ))
}

/// Arrivals that a cycle reaches but for a probability of at most `chance`, with a threshold of `messages` bit-setting messages,
/// partitioned and with independent hash functions.
///
/// Approximation: the law of the count of false positives is that of the mean cycle
/// ([`partitioned_messages_law`](super::partitioned_messages_law)), Panjer's with the exact mean and variance; within one arrival. One
/// hash: exact, every bit-setting message sets one bit.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] as for the mean, and unless the chance is 1e-9 to 1 - 1e-9.
pub fn partitioned_messages_quantile(
    half: PartitionedHalf,
    messages: u64,
    chance: f64,
) -> Result<Figure, TheoryError> {
    match half.hashes() {
        1 => partitioned_bits_set_quantile(half, messages_by_bits(messages)?, chance),
        _ => by_count(Fill::partitioned(half), messages, chance),
    }
}

/// [`partitioned_messages_quantile`] of a half that all probes share.
///
/// # Errors
/// As [`partitioned_messages_quantile`], and for several probes below 2 k^2 bits.
pub fn shared_messages_quantile(
    half: SharedHalf,
    messages: u64,
    chance: f64,
) -> Result<Figure, TheoryError> {
    match half.hashes() {
        1 => shared_bits_set_quantile(half, messages_by_bits(messages)?, chance),
        k => {
            let least = 2 * u64::from(k).pow(2);
            TheoryError::check_range(NAME, "bits", half.bits(), (least, u64::MAX))?;
            by_count(Fill::shared(half), messages, chance)
        }
    }
}

/// The threshold on bits that is met with the N-th message which sets one: it would set more than N - 1.
fn messages_by_bits(messages: u64) -> Result<u64, TheoryError> {
    check_messages(messages)?;
    Ok(messages - 1)
}

/// The quantile by the count of false positives in any half.
pub(crate) fn by_count(fill: Fill, messages: u64, chance: f64) -> Result<Figure, TheoryError> {
    check_chance(chance)?;
    check_messages(messages)?;
    let waited = positives_count::quantile(&fill, messages, chance)?;
    let arrivals = (messages + waited) as f64;
    Ok(Figure::new(
        arrivals,
        formula(
            "N and the greatest j with P(false positives among N + j - 1 arrivals < j) within it",
            chance,
        ),
        within_one(arrivals),
    ))
}

fn formula(law: &str, chance: f64) -> String {
    format!("a cycle is shorter with a probability of at most {chance}: {law} (derivation of this project)")
}

/// One arrival of so many.
pub(crate) fn within_one(arrivals: f64) -> Accuracy {
    Accuracy::approximation(1.0 / arrivals.max(1.0))
}

/// Mean and standard deviation of the bits set by batches of `each` distinct probes.
fn set_moments(bits: u64, each: f64, batches: f64) -> (f64, f64) {
    let m = bits as f64;
    let clear = |given: f64| {
        // M (M-1) .. times the probability that as many given bits stay clear
        let kept = (0..given as u32).map(|i| (-each / (m - f64::from(i))).ln_1p());
        (kept.sum::<f64>() * batches).exp()
    };
    let one = clear(1.0);
    let pair = clear(2.0) - one * one;
    let variance = m * (one * (1.0 - one) + (m - 1.0) * pair);
    (m * (1.0 - one), variance.max(0.0).sqrt())
}

/// `P(bits set by n messages of k distinct probes > sigma)`: that of so many single draws that sigma lies as many standard deviations from
/// the mean, by the exact mean and variance of both. Their laws differ in the variance by a share of about k/M, and beyond it hardly.
fn passed_by_batches(half: SharedHalf, draws: PartitionedHalf, messages: u64, sigma: u64) -> f64 {
    let (m, k) = (half.bits() as f64, f64::from(half.hashes()));
    let passed = |balls: f64| 1.0 - partitioned_contour::below(draws, balls, sigma);
    let apart = |(mean, deviation): (f64, f64)| (sigma as f64 + 0.5 - mean) / deviation;
    let n = messages as f64;
    let (mean, deviation) = set_moments(half.bits(), k, n);
    // of as many bits in the mean
    let balls = n * (-k / m).ln_1p() / (-1.0 / m).ln_1p();
    if deviation <= 1e-6 || !balls.is_finite() {
        return f64::from(u8::from(mean > sigma as f64 + 0.5));
    }
    let wanted = apart((mean, deviation));
    let (mut low, mut high) = (0.25 * balls, 4.0 * balls);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match apart(set_moments(half.bits(), 1.0, middle)) > wanted {
            true => low = middle,
            false => high = middle,
        }
    }
    let (fewer, part) = (low.floor().max(1.0), low.fract());
    passed(fewer) * (1.0 - part) + passed(fewer + 1.0) * part
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `P(T < n)` is at most the chance at the quantile, and more at the next one.
    fn assert_quantile(figure: &Figure, chance: f64, shorter: impl Fn(u64) -> f64, case: &str) {
        let n = figure.value as u64;
        let slack = (figure.value * figure.accuracy.relative_error).round() as u64;
        assert!(
            shorter(n.saturating_sub(slack)) <= chance && shorter(n + 1 + slack) > chance,
            "{case}: {n} within {slack}, {} {}",
            shorter(n),
            shorter(n + 1)
        );
    }

    /// By arrivals: the bits set in one array by batches of probes, distinct or not.
    fn chain(bits: usize, hashes: usize, distinct: bool, arrivals: usize) -> Vec<Vec<f64>> {
        let mut mass = vec![0.0; bits + 1];
        mass[0] = 1.0;
        let mut laws = vec![mass.clone()];
        for _ in 0..arrivals {
            // by new bits of this message
            let mut new = vec![vec![0.0; hashes + 1]; bits + 1];
            for (set, mass) in mass.iter().enumerate() {
                new[set][0] = *mass;
            }
            for drawn in 0..hashes {
                let mut next = vec![vec![0.0; hashes + 1]; bits + 1];
                let removed = if distinct { drawn } else { 0 };
                for set in 0..=bits {
                    for n in 0..=drawn.min(set) {
                        let hit = (set as f64 - removed as f64) / (bits - removed) as f64;
                        next[set][n] += new[set][n] * hit;
                        if set < bits {
                            next[set + 1][n + 1] += new[set][n] * (1.0 - hit);
                        }
                    }
                }
                new = next;
            }
            mass = new.iter().map(|by_new| by_new.iter().sum()).collect();
            laws.push(mass.clone());
        }
        laws
    }

    #[test]
    fn quantiles_of_a_shared_half_are_those_of_the_chain() {
        for (bits, hashes, sigma) in [(64, 1, 40), (100, 3, 55), (200, 5, 110)] {
            for distinct in [false, true] {
                let laws = chain(bits, hashes, distinct, 3 * sigma / hashes + 20);
                let half = SharedHalf::new(bits as u64, hashes as u32, distinct).expect("legal");
                for chance in [1e-6, 0.01, 0.5, 0.99] {
                    let figure =
                        shared_bits_set_quantile(half, sigma as u64, chance).expect("legal");
                    let shorter = |n: u64| match n.checked_sub(1) {
                        None => 0.0,
                        Some(n) => laws[n as usize][sigma + 1..].iter().sum(),
                    };
                    let case = format!("{bits} {hashes} {distinct} {chance}");
                    assert_quantile(&figure, chance, shorter, &case);
                }
            }
        }
    }

    #[test]
    fn quantiles_of_a_partitioned_half_are_those_of_the_convolution() {
        for (range, hashes, sigma) in [(32_usize, 2, 30), (50, 3, 80), (16, 4, 40)] {
            let one = chain(range, 1, false, 200);
            let half = PartitionedHalf::new(range as u64, hashes).expect("legal");
            let passed = |n: usize| -> f64 {
                let mut total = vec![1.0];
                for _ in 0..hashes {
                    let mut next = vec![0.0; total.len() + range];
                    for (a, p) in total.iter().enumerate() {
                        for (b, q) in one[n].iter().enumerate() {
                            next[a + b] += p * q;
                        }
                    }
                    total = next;
                }
                total[sigma + 1..].iter().sum()
            };
            for chance in [1e-6, 0.01, 0.5, 0.99] {
                let figure =
                    partitioned_bits_set_quantile(half, sigma as u64, chance).expect("legal");
                let shorter = |n: u64| n.checked_sub(1).map_or(0.0, |n| passed(n as usize));
                assert_quantile(
                    &figure,
                    chance,
                    shorter,
                    &format!("{range} {hashes} {chance}"),
                );
            }
        }
    }

    #[test]
    fn quantiles_with_a_threshold_on_messages_are_those_of_the_chain() {
        // two partitions: bits of each, by arrivals; mass leaves with the N-th bit-setting message
        for (range, messages) in [(32_usize, 22), (64, 44), (128, 60)] {
            let m = range as f64;
            let mut mass = vec![vec![vec![0.0; messages]; range + 1]; range + 1];
            mass[0][0][0] = 1.0;
            let mut ended = vec![0.0];
            for _ in 0..6 * messages {
                let mut next = vec![vec![vec![0.0; messages]; range + 1]; range + 1];
                let mut now = *ended.last().expect("not empty");
                for a in 0..=range.min(messages) {
                    for b in 0..=range.min(messages) {
                        for set in 0..messages {
                            let here = mass[a][b][set];
                            if here == 0.0 {
                                continue;
                            }
                            let (p, q) = (a as f64 / m, b as f64 / m);
                            next[a][b][set] += here * p * q;
                            let steps = [
                                (1, 0, (1.0 - p) * q),
                                (0, 1, p * (1.0 - q)),
                                (1, 1, (1.0 - p) * (1.0 - q)),
                            ];
                            for (da, db, share) in steps {
                                match set + 1 == messages {
                                    true => now += here * share,
                                    false => next[a + da][b + db][set + 1] += here * share,
                                }
                            }
                        }
                    }
                }
                mass = next;
                ended.push(now);
            }
            let half = PartitionedHalf::new(range as u64, 2).expect("legal");
            for chance in [0.001, 0.01, 0.5, 0.99] {
                let figure =
                    partitioned_messages_quantile(half, messages as u64, chance).expect("legal");
                // P(T <= n) = ended[n]
                let shorter = |n: u64| n.checked_sub(1).map_or(0.0, |n| ended[n as usize]);
                assert_quantile(
                    &figure,
                    chance,
                    shorter,
                    &format!("{range} {messages} {chance}"),
                );
            }
        }
    }

    #[test]
    fn what_is_no_probability_or_threshold_is_refused() {
        let half = PartitionedHalf::new(100, 4).expect("legal");
        for chance in [0.0, 1.0, -1.0, f64::NAN] {
            assert!(partitioned_bits_set_quantile(half, 200, chance).is_err());
            assert!(partitioned_messages_quantile(half, 50, chance).is_err());
        }
        assert!(partitioned_bits_set_quantile(half, 3, 0.01).is_err());
        assert!(partitioned_bits_set_quantile(half, 400, 0.01).is_err());
        assert!(partitioned_messages_quantile(half, 1 << 50, 0.01).is_err());
        assert!(partitioned_messages_quantile(half, 100_000, 0.01).is_err());
    }
}
