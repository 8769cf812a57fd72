//! Estimator of a rate that is a ratio of sums over cycles.

use super::beta::student_quantile;
use super::error::open_unit;
use super::{Interval, StatsError};

/// The ratio `R = sum y / sum x` over cycles: x arrivals, y of them events.
///
/// Arrivals within a cycle are not independent, cycles nearly are. With `d_i = y_i - R x_i` the variance of R is, to first order
/// (linearisation), `(g0 + 2 g1) / (n mean(x)^2)`, where `g0 = mean d_i^2` and `g1 = mean d_i d_(i+1)` is the covariance of
/// neighbours, which share a half in a two-phase filter. Approximate: relative error O(1/n). Memory and time of a
/// step are constant.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RatioEstimator {
    cycles: u64,
    previous: Option<(f64, f64)>,
    sum: (f64, f64),
    /// Sums of y y, x y and x x, of a cycle with itself and with its neighbour (there x y + y x).
    own: [f64; 3],
    next: [f64; 3],
    independent: bool,
}

/// The variance is not taken below this part of `g0`, whatever the noise of `g1`.
const LEAST_PART: f64 = 0.1;

impl RatioEstimator {
    /// No cycles yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// No units yet, which will be independent of each other: runs of their own, no cycles of one filter. Their covariance is
    /// zero and not estimated.
    pub fn of_independent_units() -> Self {
        Self {
            independent: true,
            ..Self::default()
        }
    }

    /// The next cycle is the first of another run: the one before is no neighbour of it.
    pub fn begin_another(&mut self) {
        self.previous = None;
    }

    /// Adds the cycles of an independent run.
    pub fn add(&mut self, other: &RatioEstimator) {
        self.begin_another();
        self.cycles += other.cycles;
        self.sum = (self.sum.0 + other.sum.0, self.sum.1 + other.sum.1);
        for (sums, others) in [(&mut self.own, &other.own), (&mut self.next, &other.next)] {
            sums.iter_mut()
                .zip(others)
                .for_each(|(sum, other)| *sum += other);
        }
    }

    /// Adds a complete cycle of `arrivals`, `events` of which count.
    pub fn push(&mut self, events: u64, arrivals: u64) {
        self.push_weighted(events as f64, arrivals as f64);
    }

    /// Adds a cycle with a y and an x that need not be whole, such as events and their expected number.
    pub fn push_weighted(&mut self, y: f64, x: f64) {
        self.cycles += 1;
        self.sum = (self.sum.0 + y, self.sum.1 + x);
        let add = |sums: &mut [f64; 3], terms: [f64; 3]| {
            sums.iter_mut()
                .zip(terms)
                .for_each(|(sum, term)| *sum += term)
        };
        add(&mut self.own, [y * y, x * y, x * x]);
        if let Some((before_y, before_x)) = self.previous.replace((y, x)) {
            add(
                &mut self.next,
                [before_y * y, before_x * y + before_y * x, before_x * x],
            );
        }
    }

    /// Cycles so far.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        self.sum.0 as u64
    }

    /// Arrivals so far.
    pub fn arrivals(&self) -> u64 {
        self.sum.1 as u64
    }

    /// The ratio; `None` before the first arrival.
    pub fn ratio(&self) -> Option<f64> {
        (self.sum.1 > 0.0).then(|| self.sum.0 / self.sum.1)
    }

    /// Standard error of the ratio; `None` with fewer than two cycles.
    pub fn standard_error(&self) -> Option<f64> {
        let (own, next) = self.covariances()?;
        let n = self.cycles as f64;
        let mean_x = self.sum.1 / n;
        let variance = (own + 2.0 * next).max(LEAST_PART * own) * n / (n - 1.0);
        Some((variance / n).sqrt() / mean_x)
    }

    /// Two-sided interval, by Student's distribution with one degree of freedom less than there are cycles; not below 0.
    /// `None` with fewer than two cycles.
    ///
    /// # Errors
    /// When the confidence is not strictly between 0 and 1.
    pub fn interval(&self, confidence: f64) -> Result<Option<Interval>, StatsError> {
        open_unit("the confidence", confidence)?;
        let (Some(ratio), Some(error)) = (self.ratio(), self.standard_error()) else {
            return Ok(None);
        };
        let freedom = (self.cycles - 1) as f64;
        let half = student_quantile(freedom, 0.5 + confidence / 2.0) * error;
        Ok(Some(Interval {
            low: (ratio - half).max(0.0),
            high: ratio + half,
            confidence,
        }))
    }

    /// `g0` and `g1`.
    fn covariances(&self) -> Option<(f64, f64)> {
        if self.cycles < 2 {
            return None;
        }
        let (r, n) = (self.ratio()?, self.cycles as f64);
        let [own_yy, own_xy, own_xx] = self.own;
        let [next_yy, next_xy, next_xx] = self.next;
        // Differences of sums: rounding can leave a tiny negative number where nothing varies.
        let own = ((own_yy - 2.0 * r * own_xy + r * r * own_xx) / n).max(0.0);
        if self.independent {
            return Some((own, 0.0));
        }
        Some((own, (next_yy - r * next_xy + r * r * next_xx) / n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{clopper_pearson, judge, Evidence, Verdict};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rand_distr::{Binomial, Distribution};

    /// Cycles with a state s uniform on 0, 0.01 .. 1, of 50 + 100 s arrivals, each an event with probability
    /// `scale (1 + s + s of the cycle before)`: neighbours share a state, as they share a half in a two-phase filter.
    fn simulate(seed: u64, cycles: u64, scale: f64) -> RatioEstimator {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut estimator = RatioEstimator::new();
        let mut before = random.random_range(0..=100_u64);
        for _ in 0..cycles {
            let state = random.random_range(0..=100_u64);
            let p = scale * (1.0 + (state + before) as f64 / 100.0);
            let events = Binomial::new(50 + state, p)
                .expect("a probability")
                .sample(&mut random);
            estimator.push(events, 50 + state);
            before = state;
        }
        estimator
    }

    /// E[x p] / E[x] of [`simulate`]: E[s] = 0.5, E[s^2] = 0.335, E[x] = 100, E[x s] = 58.5.
    fn truth(scale: f64) -> f64 {
        scale * (100.0 + 58.5 + 50.0) / 100.0
    }

    #[test]
    fn intervals_cover_as_often_as_they_say() {
        let runs = 2000;
        // Four claims; each is right with probability 1 - 0.01 / 4.
        for (scale, confidence, first_seed) in [
            (0.2, 0.95, 0),
            (0.01, 0.95, 10_000),
            (0.2, 0.99, 20_000),
            (0.01, 0.99, 30_000),
        ] {
            let covered = (first_seed..first_seed + runs)
                .filter(|&seed| {
                    let interval = simulate(seed, 300, scale)
                        .interval(confidence)
                        .expect("good")
                        .expect("cycles");
                    interval.contains(truth(scale))
                })
                .count() as u64;
            let bounds = clopper_pearson(covered, runs, 1.0 - 0.01 / 4.0).expect("good");
            assert!(
                bounds.contains(confidence),
                "{covered} of {runs} at {confidence}, seeds from {first_seed}"
            );
        }
    }

    #[test]
    fn dependence_of_neighbours_is_seen_and_matters() {
        let correlation = |estimator: &RatioEstimator| {
            let (own, next) = estimator.covariances().expect("cycles");
            next / own
        };
        let correlation_of_waits = correlation(&simulate(1, 20_000, 0.2));
        assert!(
            (0.2..0.5).contains(&correlation_of_waits),
            "{correlation_of_waits}"
        );
        // Neighbours that always alternate would leave no variance at all; the least part stays.
        let mut alternating = RatioEstimator::new();
        (0..20_000).for_each(|i| alternating.push(if i % 2 == 0 { 10 } else { 30 }, 100));
        let of_alternating = correlation(&alternating);
        assert!((of_alternating + 1.0).abs() < 1e-3, "{of_alternating}");
        let naive = (100.0_f64 / 20_000.0).sqrt() / 100.0;
        assert!(
            (alternating.standard_error().expect("cycles") / naive - LEAST_PART.sqrt()).abs()
                < 1e-3
        );
    }

    #[test]
    fn a_prediction_wrong_by_a_tenth_is_rejected_with_enough_data() {
        for seed in 0..20 {
            let estimator = simulate(seed, 4000, 0.01);
            let interval = estimator.interval(0.99).expect("good").expect("cycles");
            let evidence = Evidence {
                cycles: estimator.cycles(),
                events: estimator.events(),
            };
            for wrong in [0.9, 1.1] {
                assert_eq!(
                    judge(&interval, wrong * truth(0.01), 0.0, evidence),
                    Verdict::Fail,
                    "seed {seed}, factor {wrong}"
                );
            }
        }
        let right = (0..20).filter(|&seed| {
            let estimator = simulate(seed, 4000, 0.01);
            let interval = estimator.interval(0.9999).expect("good").expect("cycles");
            let evidence = Evidence {
                cycles: estimator.cycles(),
                events: estimator.events(),
            };
            judge(&interval, truth(0.01), 0.0, evidence) == Verdict::Pass
        });
        assert_eq!(right.count(), 20);
    }

    #[test]
    fn running_sums_equal_the_definition() {
        let cycles = [(3_u64, 100_u64), (5, 140), (0, 80), (7, 130), (2, 90)];
        let mut estimator = RatioEstimator::new();
        cycles.iter().for_each(|&(y, x)| estimator.push(y, x));
        let r = 17.0 / 540.0;
        assert_eq!(estimator.ratio(), Some(r));
        let d: Vec<f64> = cycles
            .iter()
            .map(|&(y, x)| y as f64 - r * x as f64)
            .collect();
        let own = d.iter().map(|d| d * d).sum::<f64>() / 5.0;
        let next = d.windows(2).map(|d| d[0] * d[1]).sum::<f64>() / 5.0;
        let (got_own, got_next) = estimator.covariances().expect("cycles");
        assert!((got_own - own).abs() < 1e-12 && (got_next - next).abs() < 1e-12);
        let expected = ((own + 2.0 * next).max(0.1 * own) / 4.0).sqrt() / 108.0;
        assert!((estimator.standard_error().expect("cycles") - expected).abs() < 1e-15);
    }

    #[test]
    fn independent_runs_are_added_without_a_neighbour_across_them() {
        let cycles = [(3_u64, 100_u64), (5, 140), (0, 80), (7, 130), (2, 90)];
        let of = |cycles: &[(u64, u64)]| {
            let mut estimator = RatioEstimator::new();
            cycles.iter().for_each(|&(y, x)| estimator.push(y, x));
            estimator
        };
        let mut added = of(&cycles[..2]);
        added.add(&of(&cycles[2..]));
        let mut pushed = of(&cycles[..2]);
        pushed.begin_another();
        cycles[2..].iter().for_each(|&(y, x)| pushed.push(y, x));
        assert_eq!(added.interval(0.99), pushed.interval(0.99));
        assert_eq!((added.cycles(), added.ratio()), (5, Some(17.0 / 540.0)));
        let r = 17.0 / 540.0;
        let d: Vec<f64> = cycles
            .iter()
            .map(|&(y, x)| y as f64 - r * x as f64)
            .collect();
        let next = (d[0] * d[1] + d[2] * d[3] + d[3] * d[4]) / 5.0;
        let got = added.covariances().expect("cycles").1;
        assert!((got - next).abs() < 1e-12, "{got} {next}");
    }

    #[test]
    fn intervals_of_pooled_runs_cover_as_often_as_they_say() {
        let (runs, scale, confidence) = (1000, 0.2, 0.95);
        let covered = (0..runs)
            .filter(|run| {
                let mut pooled = RatioEstimator::new();
                (0..64).for_each(|lane| pooled.add(&simulate(60_000 + 64 * run + lane, 6, scale)));
                let interval = pooled.interval(confidence).expect("good").expect("cycles");
                interval.contains(truth(scale))
            })
            .count() as u64;
        let bounds = clopper_pearson(covered, runs, 0.99).expect("good");
        assert!(
            bounds.contains(confidence),
            "{covered} of {runs}, seeds from 60000"
        );
    }

    #[test]
    fn too_little_gives_no_interval() {
        let mut estimator = RatioEstimator::new();
        assert_eq!(estimator.ratio(), None);
        estimator.push(1, 10);
        assert_eq!(estimator.interval(0.99), Ok(None));
        estimator.push(0, 0);
        assert!(estimator.interval(0.99).expect("good").is_some());
        assert!(estimator.interval(1.0).is_err());
    }
}
