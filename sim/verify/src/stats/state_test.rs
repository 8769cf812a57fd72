//! Rate test conditioned on the filter's state.

use super::StatsError;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// Compares the false positives with the sum of their conditional probabilities.
///
/// Given the state in which it meets an absent key, a filter with ideal hashing says "seen" with a known probability p (the
/// product of the fills). `observed - sum p` is then a martingale with variance `sum p (1 - p)`, whatever the state does,
/// so `z = (observed - sum p) / sqrt(sum p (1 - p))` is asymptotically standard normal. It tests hashing and banks without any
/// formula for the state's distribution, and it does not wait for cycles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct StateTest {
    trials: u64,
    observed: u64,
    expected: f64,
    variance: f64,
    #[serde(default)]
    allowed: f64,
}

impl StateTest {
    /// No trials yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an absent key that is a false positive with `probability` in the present state, and whether it was one.
    ///
    /// # Errors
    /// When the probability is not from 0 to 1; nothing is added then.
    pub fn push(&mut self, probability: f64, hit: bool) -> Result<(), StatsError> {
        if !(0.0..=1.0).contains(&probability) {
            return Err(StatsError {
                what: "a conditional probability",
                value: probability,
                rule: "from 0 to 1",
            });
        }
        self.trials += 1;
        self.observed += u64::from(hit);
        self.expected += probability;
        self.variance += probability * (1.0 - probability);
        Ok(())
    }

    /// Widens the test by what the stated probabilities together may deviate from the true ones by.
    pub fn allow(&mut self, variance: f64) {
        self.variance += variance;
        self.allowed += variance;
    }

    /// Adds the trials of another filter: sums of martingales are one.
    pub fn add(&mut self, other: &StateTest) {
        self.trials += other.trials;
        self.observed += other.observed;
        self.expected += other.expected;
        self.variance += other.variance;
        self.allowed += other.allowed;
    }

    /// Absent keys so far.
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// False positives so far.
    pub fn observed(&self) -> u64 {
        self.observed
    }

    /// The sum of their probabilities.
    pub fn expected(&self) -> f64 {
        self.expected
    }

    /// Standard deviation that is allowed to their sum; 0 where each is exact.
    pub fn allowed(&self) -> f64 {
        self.allowed.sqrt()
    }

    /// Standard deviations between the two; 0 while nothing can vary and nothing differs, infinite where the impossible was
    /// observed.
    pub fn z(&self) -> f64 {
        let difference = self.observed as f64 - self.expected;
        if difference == 0.0 {
            0.0
        } else {
            difference / self.variance.sqrt()
        }
    }

    /// Probability of so large a difference, either way, under the null hypothesis.
    pub fn p_value(&self) -> f64 {
        2.0 * Normal::standard().sf(self.z().abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::clopper_pearson;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A state that depends on its own past: p grows with every miss and falls back at every hit. The hits come with
    /// `factor` times the stated probability.
    fn run(seed: u64, factor: f64) -> StateTest {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut test = StateTest::new();
        let mut p = 0.001;
        for _ in 0..20_000 {
            let hit = random.random_bool((factor * p).min(1.0));
            test.push(p, hit).expect("a probability");
            p = if hit { 0.001 } else { (p * 1.05).min(0.03) };
        }
        test
    }

    #[test]
    fn small_p_values_come_as_often_as_they_say() {
        let runs = 1000;
        for (limit, first_seed) in [(0.05, 0), (0.2, 50_000)] {
            let small = (first_seed..first_seed + runs)
                .filter(|&seed| run(seed, 1.0).p_value() < limit)
                .count() as u64;
            let bounds = clopper_pearson(small, runs, 1.0 - 0.01 / 2.0).expect("good");
            assert!(
                bounds.contains(limit),
                "{small} of {runs} below {limit}, seeds from {first_seed}"
            );
        }
    }

    #[test]
    fn a_tenth_more_false_positives_is_found() {
        let mut test = run(1, 1.1);
        for seed in 2..40 {
            test.add(&run(seed, 1.1));
        }
        assert!(test.z() > 4.0, "{}", test.z());
    }

    #[test]
    fn what_is_allowed_widens_the_test_and_is_told() {
        let mut test = run(1, 1.0);
        let (z, chance) = (test.z(), test.variance);
        assert_eq!(test.allowed(), 0.0);
        test.allow(3.0 * chance);
        assert!((test.z() - z / 2.0).abs() < 1e-12);
        let one = test;
        test.add(&one);
        assert!((test.allowed() - (6.0 * chance).sqrt()).abs() < 1e-9);
    }

    #[test]
    fn the_impossible_is_infinitely_unlikely() {
        let mut test = StateTest::new();
        assert_eq!((test.z(), test.p_value()), (0.0, 1.0));
        test.push(0.0, true).expect("a probability");
        assert_eq!((test.z(), test.p_value()), (f64::INFINITY, 0.0));
        assert!(test.push(1.5, true).is_err() && test.push(f64::NAN, false).is_err());
        assert_eq!(test.trials(), 1);
    }
}
