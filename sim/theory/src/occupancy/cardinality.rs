//! The inverse problem: how many items were thrown, from how many urns are occupied.

use super::batches::Batches;
use super::union::Union;
use crate::error::TheoryError;
use crate::numeric::complex::{cis_minus_linear, Complex};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::gamma::ln_gamma;
use std::f64::consts::{PI, TAU};

const NAME: &str = "cardinality from occupancy";
const MOST_ITEMS: u64 = 1 << 46;
const MOST_URNS: u64 = 1 << 40;
/// Points of the trapezoidal rule per standard deviation of the coefficients, and at least.
const POINTS_PER_DEVIATION: f64 = 20.0;
const LEAST_POINTS: f64 = 128.0;
/// Half width of the rule, in inverse standard deviations: `e^-72` is left out.
const REACH: f64 = 12.0;

/// How an item throws its balls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Throw {
    /// One ball into each group of urns: the partitioned layout.
    OneEach,
    /// So many balls into the one group, independent of each other: one array, k functions.
    Independent(u32),
    /// So many balls into different urns of the one group: one array, k distinct positions.
    Distinct(u32),
}

/// How many items there were.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cardinality {
    /// The most likely number of different items; `None` where every urn is occupied and any greater number is likelier still.
    pub items: Option<u64>,
    /// Least number that the observation does not contradict.
    pub low: u64,
    /// Greatest number that the observation does not contradict; `None` where none does.
    pub high: Option<u64>,
    /// Confidence of `low` to `high`, from 0 to 1.
    pub confidence: f64,
    /// Where the numbers come from.
    pub formula: &'static str,
}

/// The number of items that explains best how many urns are occupied: `occupied[i]` of the `urns` of group i.
///
/// With independent balls the number of occupied urns has the classical occupancy distribution
/// `P(X = b) = C(r, b) b! S(n, b) / r^n` (OCC 4), S a Stirling number of the second kind, and groups are independent of each
/// other. The estimate maximises the product of these over n: exact, no expansion, with S taken out of its generating
/// function `(e^x - 1)^b` by a contour integral. Near it lies the familiar `ln(1 - b/r) / ln(1 - 1/r)` of linear counting
/// (K.-Y. Whang, B. T. Vander-Zanden, H. M. Taylor, "A linear-time probabilistic counting algorithm for database
/// applications", ACM TODS 15, 1990). The interval holds the n whose likelihood ratio to the greatest is at least
/// `e^(-z^2/2)` (Wilks), z the normal quantile of the confidence: asymptotic in its coverage.
///
/// With two distinct balls or more, of the n that can occupy as many urns, the estimate is the one whose expected occupancy (OCC 42)
/// is nearest to what was seen, and the interval holds it and those whose expected occupancy is at most z exact standard deviations
/// (OCC 43) away.
///
/// Either interval misses the truth about as often as the confidence c says, on average over numbers of items, but not of each: with
/// 20 to 40 urns and c of 0.9 or more, computed exactly, in at most `4 (1 - c) + 0.04` of all fillings.
///
/// Assumes ideal hashing. Two functions in place of k tie the groups together by a covariance of the order of 1, against
/// variances of the order of r.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless there is a group (one, but for [`Throw::OneEach`]) of 1 to 2^40 urns, of which
/// at most as many as there are are occupied; either none or at least one in every group; 1 to 64 balls an item; and the confidence lies
/// between 0 and 1.
pub fn cardinality(
    urns: u64,
    occupied: &[u64],
    throw: Throw,
    confidence: f64,
) -> Result<Cardinality, TheoryError> {
    TheoryError::check_range(NAME, "urns", urns, (1, MOST_URNS))?;
    let balls = match throw {
        Throw::OneEach => 1,
        Throw::Independent(balls) | Throw::Distinct(balls) => u64::from(balls),
    };
    TheoryError::check_range(NAME, "balls of an item", balls, (1, urns.min(64)))?;
    let groups = occupied.len();
    if groups == 0 || (throw != Throw::OneEach && groups != 1) {
        return Err(TheoryError::domain(
            NAME,
            "groups",
            "one, or some of one ball each",
            groups,
        ));
    }
    let (least, most) = (
        occupied.iter().copied().min().unwrap_or(0),
        occupied.iter().copied().max().unwrap_or(0),
    );
    TheoryError::check_range(NAME, "occupied urns", most, (0, urns))?;
    TheoryError::check_fraction(NAME, "confidence", confidence)?;
    if least == 0 && most > 0 {
        let expected = "none in every group, or at least one in each";
        return Err(TheoryError::domain(
            NAME,
            "occupied urns",
            expected,
            format!("{occupied:?}"),
        ));
    }
    let z = Normal::standard().inverse_cdf(0.5 + 0.5 * confidence);
    let none = most == 0;
    match throw {
        _ if none => Ok(Cardinality {
            items: Some(0),
            low: 0,
            high: Some(0),
            confidence,
            formula: "all cells are empty: no key was inserted",
        }),
        Throw::Distinct(2..) => by_moments(urns, most, balls, z, confidence),
        Throw::OneEach | Throw::Independent(_) | Throw::Distinct(_) => {
            let likelihood = Likelihood {
                urns,
                occupied,
                balls,
            };
            Ok(likelihood.estimate(z, confidence))
        }
    }
}

/// The likelihood of n items.
struct Likelihood<'a> {
    urns: u64,
    /// Of each group, at least one.
    occupied: &'a [u64],
    /// Balls an item throws into each group.
    balls: u64,
}

impl Likelihood<'_> {
    fn estimate(&self, z: f64, confidence: f64) -> Cardinality {
        let most = self.occupied.iter().copied().max().unwrap_or(1);
        let first = most.div_ceil(self.balls);
        let all_full = self.occupied.iter().all(|&occupied| occupied == self.urns);
        let items = match all_full {
            true => None,
            // Rises to its greatest and falls from there on.
            false => Some(first_from(first, |n| self.growth(n) <= 0.0)),
        };
        let greatest = items.map_or(0.0, |n| self.log(n));
        let contradicts = |n: u64| self.log(n) < greatest - 0.5 * z * z;
        let low = first_from(first, |n| {
            items.is_some_and(|items| n >= items) || !contradicts(n)
        });
        let high = items.map(|items| first_from(items, |n| contradicts(n + 1)));
        Cardinality {
            items,
            low,
            high,
            confidence,
            formula: "greatest exact occupancy likelihood, prod C(r,b) b! S(n,b) / r^n (OCC 4); likelihood-ratio interval",
        }
    }

    /// ln P of n items, at least enough for every group.
    fn log(&self, n: u64) -> f64 {
        let (thrown, urns) = (n * self.balls, self.urns as f64);
        let factorial = ln_gamma(thrown as f64 + 1.0) - thrown as f64 * urns.ln();
        let of_group = |&b: &u64| {
            let free = (self.urns - b) as f64;
            let places = ln_gamma(urns + 1.0) - ln_gamma(free + 1.0) - ln_gamma(b as f64 + 1.0);
            // b! S(n, b) / n! is the coefficient of x^n in (e^x - 1)^b.
            places + factorial + Contour::new(thrown, b).log_coefficient()
        };
        self.occupied.iter().map(of_group).sum()
    }

    /// ln P(n + 1) - ln P(n), without the cancellation.
    fn growth(&self, n: u64) -> f64 {
        let first = n * self.balls;
        let of_group = |&b: &u64| -> f64 {
            (first..first + self.balls)
                .map(|thrown| {
                    let next = (thrown + 1) as f64 / self.urns as f64;
                    (next * Contour::new(thrown, b).ratio()).ln()
                })
                .sum()
        };
        self.occupied.iter().map(of_group).sum()
    }
}

/// The least n from `first` on of which `holds` is true; it is false before and true after.
fn first_from(first: u64, holds: impl Fn(u64) -> bool) -> u64 {
    if holds(first) {
        return first;
    }
    let (mut below, mut width) = (first, 1);
    while below + width < MOST_ITEMS && !holds(below + width) {
        below += width;
        width *= 2;
    }
    let mut above = (below + width).min(MOST_ITEMS);
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        match holds(middle) {
            true => above = middle,
            false => below = middle,
        }
    }
    above
}

/// Coefficients n and n + 1 of `(e^x - 1)^b`, n at least b, b at least 1, by the trapezoidal rule on the circle through the
/// saddle point.
struct Contour {
    n: f64,
    b: f64,
    radius: f64,
    /// Means over the circle that give the two coefficients.
    means: [f64; 2],
}

impl Contour {
    fn new(n: u64, b: u64) -> Contour {
        let excess = (n - b) as f64 / b as f64;
        let (n, b) = (n as f64, b as f64);
        // At n = b there is no saddle point, and any circle will do: one on which the next coefficients do not drown it.
        let radius = saddle(excess.max(0.5 / b));
        let deviation = (b * spread(radius)).sqrt();
        let points = 2.0 * (0.5 * (POINTS_PER_DEVIATION * deviation + LEAST_POINTS)).ceil();
        let step = TAU / points;
        // On the far side of the circle the integrand is at most e^(-deviation^2): left out where that is nothing.
        let last = match deviation * deviation > 0.5 * REACH * REACH {
            true => (0.5 * points).min((REACH / deviation / step).ceil()),
            false => 0.5 * points,
        };
        let share = -1.0 / (-radius).exp_m1();
        let mut means = [0.0; 2];
        let mut place = 0.0;
        while place <= last {
            let angle = place * step;
            let once = place == 0.0 || angle > PI - 0.25 * step;
            let turn = Complex::new(0.0, angle) + cis_minus_linear(angle);
            let grown = ln_1p(turn.scale(radius).exp_m1().scale(share)).scale(b);
            let value = (grown - Complex::new(0.0, n * angle)).exp();
            let weight = if once { 1.0 } else { 2.0 } / points;
            means[0] += weight * value.re;
            means[1] += weight * (value * Complex::cis(-angle)).re;
            place += 1.0;
        }
        Contour {
            n,
            b,
            radius,
            means,
        }
    }

    /// The logarithm of coefficient n.
    fn log_coefficient(&self) -> f64 {
        let peak = self.radius + (-(-self.radius).exp_m1()).ln();
        self.b * peak - self.n * self.radius.ln() + self.means[0].ln()
    }

    /// Coefficient n + 1 over coefficient n.
    fn ratio(&self) -> f64 {
        self.means[1] / self.means[0] / self.radius
    }
}

/// `ln(1 + x)`, also where that is near 0.
fn ln_1p(x: Complex) -> Complex {
    if x.re > -0.5 {
        return x.ln_1p();
    }
    let one_more = Complex::new(1.0 + x.re, x.im);
    Complex::new(
        one_more.re.hypot(one_more.im).ln(),
        one_more.im.atan2(one_more.re),
    )
}

/// The x above 0 with `x / (1 - e^-x) = 1 + excess`: Newton from above, on a convex function.
fn saddle(excess: f64) -> f64 {
    let mut x = 2.0 * excess;
    for _ in 0..100 {
        let free = -(-x).exp_m1();
        let value = (x - free) / free - excess;
        let next = x - value / slope(x);
        if next.is_nan() || next <= 0.0 || (x - next).abs() <= 1e-12 * x {
            break;
        }
        x = next;
    }
    x
}

/// The derivative of `x / (1 - e^-x)`.
fn slope(x: f64) -> f64 {
    if x < 1e-3 {
        return 0.5 + x / 6.0;
    }
    let free = -(-x).exp_m1();
    (1.0 - x * (-x).exp() / free) / free
}

/// Variance of the power of x, over b, with the weights of the coefficients of `(e^x - 1)^b` at x.
fn spread(x: f64) -> f64 {
    x * slope(x)
}

fn by_moments(
    urns: u64,
    occupied: u64,
    balls: u64,
    z: f64,
    confidence: f64,
) -> Result<Cardinality, TheoryError> {
    let most_balls = MOST_ITEMS / balls;
    let after = |n: u64| {
        let thrown = Batches {
            count: n.min(most_balls),
            size: balls,
        };
        Union::new(urns, &[thrown])
    };
    // Checked once; the number of batches is within the domain for all that follow.
    after(1)?;
    let mean = |n: u64| after(n).map_or(f64::NAN, |union| union.mean().value);
    let seen = occupied as f64;
    let distance = |n: u64| {
        let deviation = after(n).map_or(f64::NAN, |union| union.variance().value.sqrt());
        (mean(n) - seen, z * deviation)
    };
    let first = occupied.div_ceil(balls).max(1);
    let full = occupied == urns;
    let items = (!full).then(|| {
        let above = first_from(first, |n| mean(n) >= seen);
        let nearer_below = above > first && seen - mean(above - 1) < mean(above) - seen;
        above - u64::from(nearer_below)
    });
    let low = first_from(first, |n| {
        let (ahead, allowed) = distance(n);
        ahead >= -allowed
    });
    let high = items.map(|items| {
        first_from(items, |n| {
            let (ahead, allowed) = distance(n + 1);
            ahead > allowed
        })
    });
    Ok(Cardinality {
        items,
        low: items.map_or(low, |items| low.min(items)),
        high,
        confidence,
        formula: "n whose expected occupancy of distinct balls (OCC 42) is what was seen; interval by its exact variance (OCC 43)",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// ln of b! S(n, b) / n! for all n, b up to `most`, by the recurrence of the Stirling numbers.
    fn stirling(most: usize) -> Vec<Vec<f64>> {
        // surjections(n, b) / n!: c(n, b) = b (c(n-1, b) + c(n-1, b-1)) / n
        let mut table = vec![vec![0.0; most + 1]; most + 1];
        table[0][0] = 1.0;
        for n in 1..=most {
            for b in 1..=n {
                table[n][b] = b as f64 * (table[n - 1][b] + table[n - 1][b - 1]) / n as f64;
            }
        }
        table
    }

    #[test]
    fn coefficients_are_stirling_numbers() {
        let table = stirling(120);
        let coefficient = |n: usize, b: usize| table[n][b];
        for b in 1..=100_usize {
            for n in b..=119 {
                let contour = Contour::new(n as u64, b as u64);
                let (log, ratio) = (contour.log_coefficient(), contour.ratio());
                let (expected, next) = (coefficient(n, b), coefficient(n + 1, b));
                assert!((log - expected.ln()).abs() < 1e-11, "{n} {b}: {log}");
                assert!(
                    (ratio / (next / expected) - 1.0).abs() < 1e-11,
                    "{n} {b}: {ratio}"
                );
            }
        }
    }

    /// P(X = b) for up to `most` balls: rows n, columns b, by the chain of single balls.
    fn chain(urns: usize, most: usize) -> Vec<Vec<f64>> {
        let mut rows = vec![vec![0.0; urns + 1]; most + 1];
        rows[0][0] = 1.0;
        for n in 1..=most {
            for b in 1..=urns.min(n) {
                let again = rows[n - 1][b] * b as f64;
                let fresh = rows[n - 1][b - 1] * (urns - b + 1) as f64;
                rows[n][b] = (again + fresh) / urns as f64;
            }
        }
        rows
    }

    #[test]
    fn the_estimate_is_where_the_exact_likelihood_is_greatest() {
        let (urns, most) = (60_usize, 900_usize);
        let rows = chain(urns, most);
        for (one, other) in (1..56)
            .map(|b| (b, (b * 7) % 56 + 1))
            .chain([(55, 55), (1, 1), (1, 2)])
        {
            let observed = [one as u64, other as u64];
            let got = cardinality(urns as u64, &observed, Throw::OneEach, 0.95).expect("legal");
            let likelihood = |n: usize| rows[n][one] * rows[n][other];
            let best = (1..most).max_by(|&a, &b| likelihood(a).total_cmp(&likelihood(b)));
            let best = best.expect("there are some");
            let items = got.items.expect("not all full") as usize;
            let tie = (likelihood(items) / likelihood(best) - 1.0).abs() < 1e-12;
            assert!(
                items == best || tie,
                "{observed:?}: {items} instead of {best}"
            );
            let cut = likelihood(best) * (-0.5 * 1.959_963_984_540_054_f64.powi(2)).exp();
            let inside: Vec<usize> = (1..most).filter(|&n| likelihood(n) >= cut).collect();
            let interval = (inside[0] as u64, inside.last().map(|&n| n as u64));
            assert_eq!((got.low, got.high), interval, "{observed:?}");
        }
    }

    #[test]
    fn several_balls_an_item_into_one_array_are_a_likelihood_of_their_own() {
        let (urns, most) = (50_usize, 600_usize);
        let rows = chain(urns, most);
        let likelihood = |n: usize, b: usize| rows[3 * n][b];
        for b in 3..48_usize {
            let got =
                cardinality(urns as u64, &[b as u64], Throw::Independent(3), 0.9).expect("legal");
            let best = (1..most / 3).max_by(|&x, &y| likelihood(x, b).total_cmp(&likelihood(y, b)));
            assert_eq!(got.items, best.map(|n| n as u64), "{b}");
        }
    }

    #[test]
    fn one_distinct_ball_tells_what_one_independent_ball_does() {
        for b in 0..=20 {
            let of = |throw| cardinality(20, &[b], throw, 0.999).expect("legal");
            assert_eq!(of(Throw::Distinct(1)), of(Throw::Independent(1)), "{b}");
        }
    }

    #[test]
    fn a_large_array_agrees_with_linear_counting_to_a_few_items() {
        let urns = 1_u64 << 24;
        for fill in [0.001, 0.1, 0.5, 0.9, 0.999] {
            let occupied = (urns as f64 * fill) as u64;
            let linear = (1.0 - occupied as f64 / urns as f64).ln() / (-1.0 / urns as f64).ln_1p();
            let got = cardinality(urns, &[occupied; 4], Throw::OneEach, 0.99).expect("legal");
            let items = got.items.expect("not full") as f64;
            // The mode lies next to the solution of the mean; the deviation is thousands.
            assert!(
                (items - linear).abs() < 2.0 + 1e-6 * linear,
                "{fill}: {items} {linear}"
            );
            // Variance of linear counting, from four groups: r (e^t - t - 1) / 4, t = n/r.
            let load = linear / urns as f64;
            let deviation = (urns as f64 * (load.exp_m1() - load) / 4.0).sqrt();
            let expected = 2.0 * 2.575_829 * deviation;
            let width = (got.high.expect("not full") - got.low) as f64;
            let off = (width - expected).abs();
            assert!(off < 2.0 + 0.01 * expected, "{fill}: {width} {expected}");
        }
    }

    /// Misses of the interval in `trials` fillings of `groups` arrays.
    fn misses(urns: u64, items: u64, throw: Throw, groups: usize, trials: u32, seed: u64) -> u32 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut missed = 0;
        for _ in 0..trials {
            let mut arrays = vec![vec![false; urns as usize]; groups];
            for _ in 0..items {
                match throw {
                    Throw::OneEach => {
                        for array in &mut arrays {
                            array[random.random_range(0..urns as usize)] = true;
                        }
                    }
                    Throw::Independent(balls) => {
                        for _ in 0..balls {
                            arrays[0][random.random_range(0..urns as usize)] = true;
                        }
                    }
                    Throw::Distinct(balls) => {
                        let mut drawn = Vec::new();
                        while drawn.len() < balls as usize {
                            let place = random.random_range(0..urns as usize);
                            if !drawn.contains(&place) {
                                drawn.push(place);
                                arrays[0][place] = true;
                            }
                        }
                    }
                }
            }
            let occupied: Vec<u64> = arrays
                .iter()
                .map(|array| array.iter().filter(|&&set| set).count() as u64)
                .collect();
            let got = cardinality(urns, &occupied, throw, 0.95).expect("legal");
            let inside = got.low <= items && got.high.is_none_or(|high| items <= high);
            missed += u32::from(!inside);
        }
        missed
    }

    #[test]
    fn the_interval_holds_the_truth_as_often_as_it_says() {
        let cases = [
            (256, 300, Throw::OneEach, 4, 11),
            (1024, 150, Throw::OneEach, 2, 12),
            (512, 250, Throw::Independent(4), 1, 13),
            (512, 250, Throw::Distinct(4), 1, 14),
        ];
        const TRIALS: u32 = 1_000;
        // 50 misses expected of 1000 at 95%, deviation 6.9: +-3.02 deviations are 99% for the family of four.
        for (urns, items, throw, groups, seed) in cases {
            let missed = misses(urns, items, throw, groups, TRIALS, seed);
            assert!(
                (29..=71).contains(&missed),
                "{throw:?}, seed {seed}: {missed} of {TRIALS}"
            );
        }
    }

    #[test]
    fn an_empty_and_a_full_array_have_ends() {
        let none = cardinality(64, &[0, 0], Throw::OneEach, 0.9).expect("legal");
        assert_eq!((none.items, none.low, none.high), (Some(0), 0, Some(0)));
        let full = cardinality(64, &[64, 64], Throw::OneEach, 0.9).expect("legal");
        assert_eq!((full.items, full.high), (None, None));
        let rows = chain(64, 900);
        let cut = (-0.5 * 1.644_853_626_951_472_f64.powi(2)).exp();
        let low = (64..900).find(|&n| rows[n][64].powi(2) >= cut);
        assert_eq!(Some(full.low as usize), low);
        let distinct = cardinality(64, &[64], Throw::Distinct(4), 0.9).expect("legal");
        assert!(distinct.items.is_none() && distinct.high.is_none() && distinct.low >= 16);
        let one = cardinality(64, &[1, 1], Throw::OneEach, 0.9).expect("legal");
        assert_eq!((one.items, one.low), (Some(1), 1));
        let alone = cardinality(1, &[1], Throw::OneEach, 0.9).expect("legal");
        assert_eq!((alone.items, alone.low), (None, 1));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (urns, occupied, throw, confidence) in [
            (0, &[0_u64][..], Throw::OneEach, 0.9),
            (10, &[11], Throw::OneEach, 0.9),
            (10, &[], Throw::OneEach, 0.9),
            (10, &[1, 1], Throw::Independent(2), 0.9),
            (10, &[0, 1], Throw::OneEach, 0.9),
            (10, &[1], Throw::Distinct(11), 0.9),
            (10, &[1], Throw::Distinct(0), 0.9),
            (10, &[1], Throw::OneEach, 1.0),
            (10, &[1], Throw::OneEach, f64::NAN),
        ] {
            let got = cardinality(urns, occupied, throw, confidence);
            assert!(
                matches!(got, Err(TheoryError::OutOfDomain { .. })),
                "{urns} {occupied:?}"
            );
        }
    }
}
