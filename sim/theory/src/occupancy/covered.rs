//! Probability that given urns are all occupied: the binomial moments of the occupancy, in positive terms.
//!
//! The published sums (OCC 8, 15, 19) alternate in sign and lose all digits once the result is small. Here the balls
//! are followed one at a time instead: with u of the given urns still empty and d balls of the present batch thrown, the
//! next ball hits one of the u with probability `u/(m-d)`. The probability a(u) that all u are occupied in the end
//! satisfies `a(u) <- [(m-d-u) a(u) + u a(u-1)]/(m-d)`, ball by ball from the last: OCC (12) seen from the empty urns.
//! Every term is positive, so N balls cost a relative error of about `4 N 2^-102` in double-doubles.
//!
//! Many batches of one size are taken by repeated squaring of the matrix of one batch, whose entries are positive too.

use super::batches::Batches;
use crate::error::TheoryError;
use crate::numeric::double_double::Dd;
use crate::numeric::wide::Wide;

/// Most given urns: the scaled entries stay within the range of doubles up to here.
pub(crate) const MAX_TARGETS: u64 = 800;
/// Most elementary steps of an evaluation, a few seconds.
const MAX_STEPS: u64 = 400_000_000;

/// `P(u given urns are all occupied)` for u = 0 .. targets, as `values[u] 2^(-shift u)`.
#[derive(Debug, Clone)]
pub(crate) struct Covered {
    values: Vec<Dd>,
    shift: i32,
}

/// How many batches are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Balls,
    Squaring,
}

impl Covered {
    /// Follows the batches.
    pub(crate) fn new(urns: u64, batches: &[Batches], targets: u64) -> Result<Self, TheoryError> {
        Self::check(urns, batches, targets)?;
        let steps = Self::steps(batches, targets);
        if steps > MAX_STEPS {
            return Err(TheoryError::TooLarge {
                formula: "occupancy of given urns",
                quantity: "elementary steps",
                got: steps,
                limit: MAX_STEPS,
                next_step: "use fewer hashes, or the bounds M and U",
            });
        }
        Ok(Self::by(urns, batches, targets, |batch| {
            cheaper(batch, targets).0
        }))
    }

    /// Elementary steps of [`Self::new`].
    pub(crate) fn steps(batches: &[Batches], targets: u64) -> u64 {
        let steps = batches.iter().map(|batch| cheaper(*batch, targets).1);
        steps.fold(0, u64::saturating_add)
    }

    fn check(urns: u64, batches: &[Batches], targets: u64) -> Result<(), TheoryError> {
        Batches::check(urns, batches)?;
        if targets > urns.min(MAX_TARGETS) {
            return Err(TheoryError::domain(
                "occupancy of given urns",
                "given urns",
                format!("at most {}", urns.min(MAX_TARGETS)),
                targets,
            ));
        }
        Ok(())
    }

    fn by(
        urns: u64,
        batches: &[Batches],
        targets: u64,
        method: impl Fn(Batches) -> Method,
    ) -> Self {
        let shift = scale(urns, batches);
        let mut values = vec![Dd::ZERO; targets as usize + 1];
        values[0] = Dd::ONE;
        for batch in batches {
            match method(*batch) {
                Method::Balls => {
                    for _ in 0..batch.count {
                        throw_batch(&mut values, urns, batch.size, shift);
                    }
                }
                Method::Squaring => {
                    let mut matrix = Triangle::batch(urns, batch.size, shift, targets as usize);
                    let mut count = batch.count;
                    while count > 0 {
                        if count & 1 == 1 {
                            matrix.apply(&mut values);
                        }
                        count >>= 1;
                        if count > 0 {
                            matrix = matrix.squared();
                        }
                    }
                }
            }
        }
        Self { values, shift }
    }

    /// The probability for `targets` given urns.
    pub(crate) fn probability(&self, targets: u64) -> Wide {
        Wide::new(
            self.values[targets as usize],
            -i64::from(self.shift) * targets as i64,
        )
    }

    /// The probability that `probes` balls thrown independently all fall into occupied urns: each number of distinct
    /// urns they meet, with the probability that those are all occupied.
    pub(crate) fn all_probes_met(&self, urns: u64, probes: u64) -> Wide {
        let m = urns as f64;
        let unit = Dd::ratio(1.0, m);
        // distinct[i] 2^(-shift (probes - i)): OCC (12), scaled like the values
        let power = 2f64.powi(self.shift);
        let mut distinct = vec![Dd::ZERO; probes as usize + 1];
        distinct[0] = Dd::ONE;
        for thrown in 1..=probes as usize {
            for i in (1..=thrown).rev() {
                let fresh = (m - (i as f64 - 1.0)).max(0.0);
                let again = distinct[i].times(i as f64).scaled(power);
                distinct[i] = (again + distinct[i - 1].times(fresh)) * unit;
            }
            distinct[0] = Dd::ZERO;
        }
        let mut total = Dd::ZERO;
        for (weight, value) in distinct.iter().zip(&self.values) {
            total = total + *weight * *value;
        }
        Wide::new(total, -i64::from(self.shift) * probes as i64)
    }
}

/// The method with fewer steps, and their number.
fn cheaper(batch: Batches, targets: u64) -> (Method, u64) {
    let balls = batch
        .count
        .saturating_mul(batch.size)
        .saturating_mul(targets);
    let rounds = u64::from(64 - batch.count.leading_zeros());
    let squares = targets * targets * targets / 6 + targets * targets / 2;
    let squaring = batch
        .size
        .saturating_mul(targets * targets / 2)
        .saturating_add(rounds * squares);
    if balls <= squaring {
        (Method::Balls, balls)
    } else {
        (Method::Squaring, squaring)
    }
}

/// Power of two nearest to the inverse of the expected fill: keeps the scaled values near 1.
fn scale(urns: u64, batches: &[Batches]) -> i32 {
    let m = urns as f64;
    let ln_empty: f64 = batches
        .iter()
        .map(|batch| batch.count as f64 * (-(batch.size as f64) / m).ln_1p())
        .sum();
    let fill = -ln_empty.exp_m1();
    if fill > 0.0 {
        (-fill.log2()).round() as i32
    } else {
        0
    }
}

/// One batch, from its last ball to its first.
fn throw_batch(values: &mut [Dd], urns: u64, size: u64, shift: i32) {
    let power = 2f64.powi(shift);
    for thrown in (0..size).rev() {
        let free = (urns - thrown) as f64;
        let unit = Dd::ratio(1.0, free);
        for u in (1..values.len()).rev() {
            let empty = u as f64;
            // below 0 only in states that cannot arise
            let stay = (free - empty).max(0.0);
            values[u] = (values[u].times(stay) + values[u - 1].times(empty * power)) * unit;
        }
    }
}

/// A lower triangular matrix of non-negative entries.
struct Triangle {
    size: usize,
    entries: Vec<Dd>,
}

impl Triangle {
    /// From u to v empty urns in one batch, scaled by `2^(shift (u-v))`.
    fn batch(urns: u64, balls: u64, shift: i32, targets: usize) -> Self {
        let size = targets + 1;
        let mut entries = vec![Dd::ZERO; size * (size + 1) / 2];
        for v in 0..size {
            let mut column = vec![Dd::ZERO; size];
            column[v] = Dd::ONE;
            throw_batch(&mut column, urns, balls, shift);
            for u in v..size {
                entries[u * (u + 1) / 2 + v] = column[u];
            }
        }
        Self { size, entries }
    }

    fn at(&self, u: usize, v: usize) -> Dd {
        self.entries[u * (u + 1) / 2 + v]
    }

    fn apply(&self, values: &mut [Dd]) {
        for u in (0..self.size).rev() {
            let mut total = Dd::ZERO;
            for (v, value) in values.iter().enumerate().take(u + 1) {
                total = total + self.at(u, v) * *value;
            }
            values[u] = total;
        }
    }

    fn squared(&self) -> Self {
        let mut entries = Vec::with_capacity(self.entries.len());
        for u in 0..self.size {
            for v in 0..=u {
                let mut total = Dd::ZERO;
                for w in v..=u {
                    total = total + self.at(u, w) * self.at(w, v);
                }
                entries.push(total);
            }
        }
        Self {
            size: self.size,
            entries,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squaring_equals_the_ball_by_ball_recursion() {
        for (urns, count, size, targets) in [
            (64, 4, 10, 10),
            (1024, 5, 142, 142),
            (100, 1, 50, 50),
            (4096, 700, 4, 6),
            (20, 3, 15, 12),
        ] {
            let batches = [Batches { count, size }];
            let balls = Covered::by(urns, &batches, targets, |_| Method::Balls);
            let squares = Covered::by(urns, &batches, targets, |_| Method::Squaring);
            for u in 0..=targets {
                let (a, b) = (balls.probability(u), squares.probability(u));
                assert_eq!(a.is_zero(), b.is_zero(), "{urns} {count} {size} {u}");
                if !a.is_zero() {
                    let ratio = a.over(b).dd() - Dd::ONE;
                    assert!(ratio.value().abs() < 1e-26, "{urns} {count} {size} {u}");
                }
            }
        }
    }

    #[test]
    fn a_single_batch_covers_its_own_size_with_one_over_the_binomial() {
        let covered = Covered::new(100, &[Batches { count: 1, size: 50 }], 50).expect("legal");
        // C(100, 50)
        let value = covered.probability(50).value();
        assert!((value * 100_891_344_545_564_193_334_812_497_256.0 - 1.0).abs() < 1e-14);
    }

    #[test]
    fn many_balls_agree_with_a_contour_integral() {
        use crate::numeric::circle::Circle;
        use crate::numeric::complex::Complex;
        for (urns, balls, targets) in [
            (1u64 << 20, 1_000_000, 10),
            (5000, 40_000, 3),
            (1 << 16, 900, 2),
        ] {
            let batches = [Batches {
                count: balls,
                size: 1,
            }];
            let covered = Covered::new(urns, &batches, targets).expect("legal");
            let contour = Circle::depoissonise(balls as f64, |x| {
                let met = Complex::ZERO - x.scale(-1.0 / urns as f64).exp_m1();
                met.powu(targets as u32)
            });
            let error = covered.probability(targets).value() / contour - 1.0;
            assert!(error.abs() < 1e-12, "{urns} {balls} {targets}: {error:e}");
        }
    }
}
