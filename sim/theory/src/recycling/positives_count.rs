//! Threshold on messages through the law of the number of false positives among n arrivals.
//!
//! Let X_n be the number of false positives among the first n new arrivals into an empty half that never recycles. The
//! half with a threshold of N bit-setting messages recycles with arrival T, the first n with `n - X_n = N`, so
//!
//! ```text
//! E[T] = N + F,    F = sum_{j >= 0} P(X_(N+j) >= j + 1)
//! ```
//!
//! is the mean cycle and F its mean number of false positives. This is exact. In the partitioned layout the first two
//! moments of X_n are known exactly as well: partitions are independent given n, so with `r = 1 - 1/m'`,
//!
//! ```text
//! E[X_n] = sum_{t<n} (1 - r^t)^k
//! P(arrivals s < t both false positives) = [1 - r^s - r^t + (1 - 2/m')^s r^(t-s)]^k
//! ```
//!
//! The one approximation is the shape of the law of X_n: the member of Panjer's family (binomial, Poisson, negative
//! binomial) with these two moments, and the normal law where the mean exceeds 400. F depends on the mean in first order,
//! on the variance in second order only, and hardly on the shape.

use statrs::function::erf::erfc;

use super::added_positives::Added;
use super::cycle::CycleLaw;
use super::half::SharedHalf;
use super::partitioned_half::PartitionedHalf;
use crate::accuracy::Accuracy;
use crate::error::TheoryError;
use crate::numeric::fill_sum::{log_tail, occupied_fraction, partitioned_rate_sum};
use crate::numeric::search::first_above;
use crate::numeric::sum::Sum;
use crate::two_hash::PartitionedDoubleHashing;

/// What the count of false positives needs to know of a layout.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fill {
    /// Positions over probes: a fill of `1 - (1-1/range)^n`. An integer when partitioned.
    range: f64,
    hashes: u32,
    /// Bits of a shared half, whose fill fluctuates as a whole; `None` when partitioned.
    shared_bits: Option<f64>,
    distinct: bool,
    /// What two hash functions add to the mean count.
    added: Option<Added>,
}

impl Fill {
    pub(crate) fn partitioned(half: PartitionedHalf) -> Self {
        Self {
            range: half.range() as f64,
            hashes: half.hashes(),
            shared_bits: None,
            distinct: false,
            added: None,
        }
    }

    /// A shared half with the range that gives the same mean fill.
    pub(crate) fn shared(half: SharedHalf) -> Self {
        let (bits, k) = (half.bits() as f64, f64::from(half.hashes()));
        let decay = if half.distinct() {
            (-k / bits).ln_1p()
        } else {
            k * (-1.0 / bits).ln_1p()
        };
        Self {
            range: -1.0 / decay.exp_m1(),
            hashes: half.hashes(),
            shared_bits: Some(bits),
            distinct: half.distinct(),
            added: None,
        }
    }

    /// `E[X_n]`; in a shared half up to terms of order `1/M^2`.
    pub(crate) fn mean(&self, arrivals: f64) -> f64 {
        let independent = partitioned_rate_sum(self.range, self.hashes, arrivals);
        let sum = independent + self.added.map_or(0.0, |added| added.sum_to(arrivals));
        match self.shared_bits {
            Some(bits) => sum + self.shared_corrections(bits, arrivals),
            None => sum,
        }
    }

    /// Mean share of the positions set after some messages.
    pub(crate) fn share(&self, messages: f64) -> f64 {
        occupied_fraction(self.range, messages)
    }

    /// The rate after some messages of a half with independent hashes; in a shared half up to terms of order `1/M^2`.
    pub(crate) fn rate(&self, messages: f64) -> f64 {
        let correction = self
            .shared_bits
            .map_or(0.0, |bits| self.shared_correction(bits, messages));
        occupied_fraction(self.range, messages).powi(self.hashes as i32) + correction
    }

    /// What the rate of a shared half adds to the k-th power of the mean fill: the variance of the fill and, for distinct
    /// probes, the draws without replacement; terms of order 1/M.
    fn shared_correction(&self, bits: f64, messages: f64) -> f64 {
        let k = f64::from(self.hashes);
        let fill = occupied_fraction(self.range, messages);
        if fill == 0.0 || self.hashes < 2 {
            return 0.0;
        }
        let (empty, load) = (1.0 - fill, messages / self.range);
        let variance = empty * (1.0 - empty * (1.0 + load)) / bits;
        let pairs = 0.5 * k * (k - 1.0);
        let power = fill.powi(self.hashes as i32 - 2);
        let undrawn = if self.distinct {
            fill * empty / bits
        } else {
            0.0
        };
        pairs * power * (variance - undrawn)
    }

    /// The sum of [`Self::shared_correction`] over the messages below so many: the integral of its powers of the fill, less half the last
    /// term.
    fn shared_corrections(&self, bits: f64, messages: f64) -> f64 {
        let fill = occupied_fraction(self.range, messages);
        if fill == 0.0 || self.hashes < 2 {
            return 0.0;
        }
        let k = f64::from(self.hashes);
        let decay = -(-1.0 / self.range).ln_1p();
        let power = fill.powi(self.hashes as i32);
        // integrals over the fill f of f^(k-2) times f, and times (1-f) ln(1/(1-f))
        let filled = if self.distinct { 0.0 } else { power / k };
        let loaded = {
            let weight = power / fill / (k - 1.0) - power / k;
            let tail = log_tail(decay * messages, fill, self.hashes);
            weight * decay * messages - (tail + power / k) / (k - 1.0) + tail / k
        };
        let integral = (filled - loaded / (decay * self.range)) / (decay * bits);
        0.5 * k * (k - 1.0) * integral - 0.5 * self.shared_correction(bits, messages)
    }

    /// `Var[X_n] / E[X_n]` less 1.
    fn excess_dispersion(&self, arrivals: f64, mean: f64) -> f64 {
        if mean <= 0.0 {
            return 0.0;
        }
        if arrivals <= DIRECT_ARRIVALS {
            let (below, part) = (arrivals.floor(), arrivals.fract());
            let share = if self.added.is_some() {
                mean / partitioned_rate_sum(self.range, self.hashes, arrivals)
            } else {
                1.0
            };
            let at = |n: f64| self.excess_variance(n as u64, share);
            return (at(below) * (1.0 - part) + at(below + 1.0) * part) / mean;
        }
        const PANELS: usize = 64;
        let k = self.hashes as i32;
        let decay = (-1.0 / self.range).ln_1p();
        let pair = (-1.0 / ((self.range - 1.0) * (self.range - 1.0)))
            .max(-1.0 + 1e-12)
            .ln_1p();
        let step = arrivals / PANELS as f64;
        let filled_at = |t: f64| (occupied_fraction(self.range, t), (decay * t).exp());
        let middles: [(f64, f64); PANELS] =
            std::array::from_fn(|i| filled_at((i as f64 + 0.5) * step));
        let mut total = 0.0;
        for (i, &(fill_s, clear_s)) in middles.iter().enumerate() {
            let s = (i as f64 + 0.5) * step;
            let together = clear_s * (pair * s).exp_m1();
            let covariance = |(fill_t, clear_t): (f64, f64)| {
                let both = fill_s * fill_t;
                let apart = clear_t * together;
                both.powi(k) * (f64::from(k) * (apart / both).max(-1.0 + 1e-12).ln_1p()).exp_m1()
            };
            // all t from s + 1 on: half of the diagonal panel, and every later panel
            total += 0.5 * step * step * covariance(filled_at(s + 0.25 * step));
            for &later in &middles[i + 1..] {
                total += step * step * covariance(later);
            }
            total -= 0.5 * step * fill_s.powi(2 * k); // the variance of one arrival: g - g^2
        }
        2.0 * total / mean
    }

    /// `Var[X_n] - E[X_n]` by the double sum over arrivals, for rates that are `share` times those of independent hashes
    /// (a false positive leaves the fill as it is, so its covariances grow with its own rate).
    fn excess_variance(&self, arrivals: u64, share: f64) -> f64 {
        let k = self.hashes as i32;
        let r = 1.0 - 1.0 / self.range;
        let apart = 1.0 - 2.0 / self.range;
        let mut total = Sum::default();
        let clear: Vec<f64> = (0..arrivals as i32).map(|t| r.powi(t)).collect();
        for (s, &clear_s) in clear.iter().enumerate() {
            let first = 1.0 - clear_s;
            total.add(-share * share * first.powi(2 * k)); // the variance of one arrival: g - g^2
            let neither = apart.powi(s as i32);
            for (later, &clear_t) in clear[s + 1..].iter().enumerate() {
                let second = 1.0 - clear_t;
                let both = first + second - 1.0 + neither * clear[later + 1];
                total.add(2.0 * share * (both.max(0.0).powi(k) - (first * second).powi(k)));
            }
        }
        total.value()
    }

    /// Variance of the rate of the half after `messages` messages.
    fn rate_variance(&self, messages: f64) -> f64 {
        let fill = occupied_fraction(self.range, messages);
        let (empty, load) = (1.0 - fill, messages / self.range);
        let variance = empty * (1.0 - empty * (1.0 + load)).max(0.0) / self.range;
        let k = f64::from(self.hashes);
        let spread = if fill > 0.0 {
            variance / (fill * fill)
        } else {
            0.0
        };
        fill.powi(2 * self.hashes as i32) * (k * spread.ln_1p()).exp_m1()
    }
}

/// Arrivals up to which the variance is summed term by term.
const DIRECT_ARRIVALS: f64 = 160.0;

/// Means above this use the normal law.
const NORMAL_MEAN: f64 = 400.0;

/// The law of a half that recycles with its `messages`-th bit-setting message, by the count of false positives.
///
/// Approximation; see the module for the derivation. The stated relative error is `(5 k/m' + 0.8 f)/m'` with f the
/// frozen rate, above every difference found against exact laws (k = 1 and shared halves, and k = 2 by the chain over
/// both counts) from m' = 32 on.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] when the half would be over 98% full before it recycles.
pub(crate) fn law(fill: Fill, messages: u64) -> Result<CycleLaw, TheoryError> {
    let n = messages as f64;
    let settled = settled_positives(&fill, n).ok_or_else(|| never_met(messages))?;
    let normal = settled > NORMAL_MEAN;
    let positives = mean_positives(&fill, n, settled, normal);
    let before = settled_positives(&fill, n - 1.0).unwrap_or(settled);
    let before = mean_positives(&fill, n - 1.0, before, normal);
    let (Some(positives), Some(before)) = (positives, before) else {
        return Err(never_met(messages));
    };
    let odds = positives - before; // E[q/(1-q)] before the tripping message
    let plain = odds / (1.0 + odds);
    // E[q] from the mean odds: q is concave in them
    let last = n - 1.0 + before;
    let frozen_rate = (plain - fill.rate_variance(last) / (1.0 - plain)).max(0.0);
    let mean_arrivals = n + positives;
    let stated = (5.0 * f64::from(fill.hashes) / fill.range + 0.8 * frozen_rate) / fill.range;
    Ok(CycleLaw {
        mean_arrivals,
        active_rate: positives / mean_arrivals,
        frozen_rate,
        accuracy: Accuracy::approximation(stated.max(1e-9)),
    })
}

/// The law with two hash functions: every mean of the count takes in their excess, so that the cycle is longer by all
/// the false positives it waits for, those of the longer wait included.
///
/// `independent` is the [`law`] of that half. Source: this project; KM for the scheme. Approximation: the variance over the mean of the count is that of independent hashes. The stated error
/// is that of independent hashes; add that of the excess.
///
/// # Errors
/// As [`law`].
pub(crate) fn law_with_two_hashes(
    half: PartitionedHalf,
    messages: u64,
    scheme: &PartitionedDoubleHashing,
    independent: &CycleLaw,
) -> Result<CycleLaw, TheoryError> {
    law(two_hash_fill(half, messages, scheme, independent), messages)
}

/// The count of [`law_with_two_hashes`].
pub(crate) fn two_hash_fill(
    half: PartitionedHalf,
    messages: u64,
    scheme: &PartitionedDoubleHashing,
    independent: &CycleLaw,
) -> Fill {
    let positives = independent.mean_false_positives();
    let apart = (positives + 2.0 * positives.sqrt()).ceil().max(1.0);
    Fill {
        added: Some(Added::new(scheme, messages as f64 - 1.0, apart)),
        ..Fill::partitioned(half)
    }
}

/// Most rounds of the fixed point with an excess; each shrinks the distance by the rate at the recycle.
const MOST_ROUNDS: usize = 200;

/// Arrivals over range at which a half counts as full: 98%.
const FULL_LOAD: f64 = 4.0;

/// The x with `x = E[X_(N+x)]`: F in first order. Bisection; `None` when the half is full before it recycles.
fn settled_positives(fill: &Fill, n: f64) -> Option<f64> {
    if fill.added.is_some() {
        // from the root without the excess, whose parabola holds near the recycle only
        let mut x = settled_positives(
            &Fill {
                added: None,
                ..*fill
            },
            n,
        )?;
        for _ in 0..MOST_ROUNDS {
            let next = fill.mean(n + x);
            let moved = (next - x).abs();
            x = next;
            if moved <= 1e-9 * x + 1e-12 {
                return Some(x);
            }
            if n + x > FULL_LOAD * fill.range {
                return None;
            }
        }
        return Some(x);
    }
    let behind = |x: f64| fill.mean(n + x) > x;
    let (mut low, mut high) = (0.0, (FULL_LOAD * fill.range - n).max(0.0));
    if behind(high) {
        return None;
    }
    while high - low > 1e-9 * high + 1e-9 {
        let middle = 0.5 * (low + high);
        *(if behind(middle) { &mut low } else { &mut high }) = middle;
    }
    Some(high)
}

/// `F = sum_{j >= 0} P(X_(N+j) >= j + 1)`; `None` where the sum does not end before the half is full.
fn mean_positives(fill: &Fill, n: f64, settled: f64, normal: bool) -> Option<f64> {
    let settled = n + settled;
    // Var/E of the count, linear in the arrivals around the recycle: its slope moves F in the same order as itself
    let reach = 0.05 * settled;
    let dispersion_at = |arrivals: f64| 1.0 + fill.excess_dispersion(arrivals, fill.mean(arrivals));
    let (low, high) = (
        dispersion_at(settled - reach),
        dispersion_at(settled + reach),
    );
    let (dispersion, slope) = (0.5 * (low + high), 0.5 * (high - low) / reach);
    let most = 2.0 * FULL_LOAD * fill.range - n;
    let ahead = |j: f64| {
        let mean = fill.mean(n + j);
        mean - 12.0 * (mean * dispersion.max(0.05)).sqrt() - 24.0 >= j + 1.0
    };
    // the first j whose probability is not 1, by bisection
    let (mut sure, mut unsure) = (0.0, 1.0);
    if ahead(0.0) {
        while ahead(unsure) {
            sure = unsure;
            unsure *= 2.0;
            if unsure > most {
                return None;
            }
        }
        while unsure - sure > 1.0 {
            let middle = (0.5 * (sure + unsure)).floor();
            *(if ahead(middle) {
                &mut sure
            } else {
                &mut unsure
            }) = middle;
        }
    } else {
        unsure = 0.0;
    }
    let mut total = Sum::default();
    total.add(unsure);
    if normal {
        // a smooth fall over many j: blocks of `step` terms by their middle, an error that falls off exponentially
        let deviation = (fill.mean(settled) * dispersion).sqrt();
        let step = (deviation / 8.0).floor().max(1.0);
        let mut j = unsure + 0.5 * (step - 1.0);
        loop {
            let mean = fill.mean(n + j);
            let dispersion = (dispersion + slope * (n + j - settled)).max(1e-3);
            let deviation = (mean * dispersion).sqrt();
            let term = step * 0.5 * erfc((j + 0.5 - mean) / (deviation * std::f64::consts::SQRT_2));
            total.add(term);
            if term < 1e-17 * total.value() || (term == 0.0 && j > mean) {
                return Some(total.value());
            }
            if j > most {
                return None;
            }
            j += step;
        }
    }
    let mut j = unsure;
    loop {
        let mean = fill.mean(n + j);
        let dispersion = (dispersion + slope * (n + j - settled)).max(1e-3);
        let term = at_least(mean, dispersion, j + 1.0);
        total.add(term);
        if !(term >= 1e-17 * total.value() && (term > 0.0 || j <= mean)) {
            return Some(total.value());
        }
        if j > most {
            return None;
        }
        j += 1.0;
    }
}

/// The greatest j with `P(X_(N+j-1) < j) <= chance`, at least 0: false positives that a cycle waits for but for that probability.
///
/// # Errors
/// As [`law`].
pub(crate) fn quantile(fill: &Fill, messages: u64, chance: f64) -> Result<u64, TheoryError> {
    let n = messages as f64;
    let settled = settled_positives(fill, n).ok_or_else(|| never_met(messages))?;
    // P(T <= N + j), with a law of its own for every j, as that of the mean cycle
    let mut ended = |j: u64| -> Result<f64, TheoryError> {
        let (arrivals, count) = (n + j as f64, j as f64 + 1.0);
        let mean = fill.mean(arrivals);
        let dispersion = (1.0 + fill.excess_dispersion(arrivals, mean)).max(1e-3);
        let more = if mean > NORMAL_MEAN {
            let deviation = (2.0 * mean * dispersion).sqrt();
            0.5 * erfc((count - 0.5 - mean) / deviation)
        } else {
            at_least(mean, dispersion, count)
        };
        Ok((1.0 - more).max(0.0))
    };
    if ended(0)? > chance {
        return Ok(0);
    }
    let guess = settled.round().max(1.0) as u64;
    Ok(first_above((1, 1 << 40), guess, chance, &mut ended)?.unwrap_or(1 << 40))
}

fn never_met(messages: u64) -> TheoryError {
    let expected = "a threshold that is met before the half is 98% full";
    TheoryError::domain("messages law", "messages", expected, messages)
}

/// `P(X >= count)` for Panjer's law with the given mean and variance over mean.
fn at_least(mean: f64, dispersion: f64, count: f64) -> f64 {
    if mean <= 0.0 {
        return 0.0;
    }
    let a = 1.0 - 1.0 / dispersion;
    let b = mean * (1.0 - a) - a;
    let none = if a.abs() < 1e-12 {
        -b
    } else {
        (a + b) / a * (-a).ln_1p()
    };
    let mut mass = none.exp();
    // small counts' complement loses digits: sum upwards from `count` instead
    let mut j = 0.0;
    while j < count {
        j += 1.0;
        mass *= a + b / j;
        if mass <= 0.0 {
            return 0.0;
        }
    }
    let mut total = mass;
    while mass > 1e-18 * total {
        j += 1.0;
        mass *= a + b / j;
        if mass <= 0.0 {
            break;
        }
        total += mass;
    }
    total.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recycling::{messages_law, Restart};

    /// The exact law of two partitions, by the chain over both bit counts.
    fn two_partitions(range: usize, messages: u64) -> (f64, f64, f64) {
        let m = range as f64;
        let mut mass = vec![vec![0.0; range + 1]; range + 1];
        mass[0][0] = 1.0;
        let (mut arrivals, mut positives, mut frozen) = (0.0, 0.0, 0.0);
        for _ in 0..messages {
            let mut next = vec![vec![0.0; range + 1]; range + 1];
            frozen = 0.0;
            for a in 0..range {
                for b in 0..range {
                    let (p, r) = (a as f64 / m, b as f64 / m);
                    let here = mass[a][b] / (1.0 - p * r);
                    arrivals += here;
                    positives += here * p * r;
                    frozen += mass[a][b] * p * r;
                    next[a + 1][b] += here * (1.0 - p) * r;
                    next[a][b + 1] += here * p * (1.0 - r);
                    next[a + 1][b + 1] += here * (1.0 - p) * (1.0 - r);
                }
            }
            mass = next;
        }
        (arrivals, positives / arrivals, frozen)
    }

    fn assert_within_stated(law: CycleLaw, exact: (f64, f64, f64), case: &str) {
        let stated = law.accuracy.relative_error;
        for (name, value, exact) in [
            ("cycle", law.mean_arrivals, exact.0),
            ("active", law.active_rate, exact.1),
            ("frozen", law.frozen_rate, exact.2),
        ] {
            let error = value / exact - 1.0;
            assert!(
                error.abs() <= stated,
                "{case} {name}: {value} for {exact}, {error:e} stated {stated:e}"
            );
        }
    }

    #[test]
    fn two_partitions_keep_the_stated_error_against_the_exact_chain() {
        for (range, messages) in [
            (32, 10),
            (32, 22),
            (64, 20),
            (64, 44),
            (128, 30),
            (128, 88),
            (256, 60),
            (256, 177),
        ] {
            let half = PartitionedHalf::new(range, 2).expect("legal half");
            let law = law(Fill::partitioned(half), messages).expect("legal threshold");
            assert_within_stated(
                law,
                two_partitions(range as usize, messages),
                &format!("{range} {messages}"),
            );
        }
    }

    #[test]
    fn shared_halves_keep_the_stated_error_against_the_exact_law() {
        for (bits, hashes, messages) in [
            (256, 1, 60),
            (256, 1, 177),
            (1024, 1, 710),
            (1000, 4, 173),
            (8192, 8, 710),
            (4096, 16, 100),
        ] {
            let half = SharedHalf::new(bits, hashes, false).expect("legal half");
            let exact = messages_law(half, messages, Restart::Forget).expect("legal threshold");
            let law = law(Fill::shared(half), messages).expect("legal threshold");
            let exact = (exact.mean_arrivals, exact.active_rate, exact.frozen_rate);
            assert_within_stated(law, exact, &format!("{bits} {hashes} {messages}"));
        }
    }
}
