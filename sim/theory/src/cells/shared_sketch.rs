//! A Count-Min sketch whose d rows are one array: how far an estimate may lie above the truth.
//!
//! N is the sum of all amounts, m the number of counters, k the probes of an item, eps N the error asked for, x = eps m / k the
//! same over the mean error of one counter. A key's estimate is the least of its counters, so its error is the least of what
//! others added to them.
//!
//! **One counter.** The mean of what others add is kN/m, whatever the draws, so it is eps N or more with a probability of at
//! most 1/x (Markov).
//!
//! **k distinct draws.** An item's hits on the key's k counters are negatively associated, and with items that are independent so
//! are the counters' sums: `x^-k`. **k independent draws.** The same, unless two of the key's own probes coincide, which has a
//! probability of at most `k(k-1)/(2m)`.
//!
//! **Two hash functions**, double or extended, any m (a derivation of this project, in the way of KM Theorem 9.1). For probes
//! i > j, two positions P, Q of a key and a new item, `h1 + i h2 + f(i) = P` and `h1 + j h2 + f(j) = Q` are met by at most
//! `gcd(i-j, m)` of the m^2 items. With `G = sum over d = 1 .. k-1 of (k-d) gcd(d, m)`:
//!
//! * two of the key's own probes coincide with a probability of at most `G/m`;
//! * items that hit the key twice or more add at most `k(k+1) G N/m^2` to any of its counters in the mean (each pair of different
//!   positions counted once, each pair of equal ones twice), so they add `alpha eps N` with a probability of at most
//!   `k(k+1) G/(alpha eps m^2)` (Markov);
//! * the others hit one counter at most: these events exclude each other, so they are negatively associated, and all k
//!   counters have `(1-alpha) eps N` of them with a probability of at most `((1-alpha) x)^-k`.
//!
//! Their sum bounds the failure for every alpha; the least is taken. The last step supposes independent items.

use super::shared::{Draw, SharedArray, NAME};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::primes::gcd;

/// Halvings of an interval of alpha or of logarithms of x: more than a double has bits.
const STEPS: usize = 100;

impl SharedArray {
    /// A sketch: mean of what others with amounts of `total` (N) in all add to a counter, `kN/m`. An upper bound of the error of
    /// an estimate, which is the least of k counters. Exact for a counter, whatever the draws.
    pub fn counter_error(&self, total: u64) -> Figure {
        Figure::new(
            f64::from(self.hashes()) * total as f64 / self.range() as f64,
            "mean of what others add to a counter: kN/m",
            Accuracy::exact(1e-15),
        )
    }

    /// A sketch: upper bound of the probability that an estimate exceeds the true count by `excess` N or more.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless excess is above 0.
    pub fn failure_bound(&self, excess: f64) -> Result<Figure, TheoryError> {
        if excess.is_nan() || excess <= 0.0 {
            return Err(TheoryError::domain(NAME, "excess", "more than 0", excess));
        }
        let x = excess * self.range() as f64 / f64::from(self.hashes());
        Ok(Figure::new(
            self.sketch_bound(x).min(1.0),
            self.sketch_formula(),
            Accuracy::bound(),
        ))
    }

    /// A sketch: the least error, as a share of N, that is reached with a probability of at most `failure` by
    /// [`Self::failure_bound`].
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless failure lies between 0 and 1 and above what coinciding probes have.
    pub fn error_bound(&self, failure: f64) -> Result<Figure, TheoryError> {
        TheoryError::check_fraction(NAME, "failure", failure)?;
        let coincide = self.probes_coincide();
        if failure <= coincide {
            let expected = format!("more than {coincide:.2e}, the bound of coinciding probes");
            return Err(TheoryError::domain(NAME, "failure", expected, failure));
        }
        // from x = 1 on; Markov alone has met it at the upper end
        let (mut low, mut high) = (0.0, -(failure - coincide).ln());
        for _ in 0..STEPS {
            let middle = 0.5 * (low + high);
            if self.sketch_bound(middle.exp()) <= failure {
                high = middle;
            } else {
                low = middle;
            }
        }
        let excess = f64::from(self.hashes()) / self.range() as f64 * high.exp();
        let formula = format!("least eps at which {} meets it", self.sketch_formula());
        Ok(Figure::new(excess, formula, Accuracy::bound()))
    }

    fn sketch_formula(&self) -> &'static str {
        match self.draw() {
            Draw::Distinct => "distinct draws: (k/(eps m))^k",
            Draw::Independent => "independent draws: (k/(eps m))^k + k(k-1)/(2m)",
            Draw::TwoHash(_) => {
                "two hash functions: least over alpha of G/m + k(k+1) G/(alpha eps m^2) + (k/((1-alpha) eps m))^k, and G/m + k/(eps m), \
                 G = sum over d < k of (k-d) gcd(d, m) (derivation of this project)"
            }
        }
    }

    /// The bound at x, which may be above 1.
    fn sketch_bound(&self, x: f64) -> f64 {
        let k = f64::from(self.hashes());
        let least = match self.draw() {
            Draw::Distinct | Draw::Independent => x.powf(-k),
            Draw::TwoHash(_) => {
                let several = (k + 1.0) * self.meeting_pairs() / (x * self.range() as f64);
                least_of_split(several, x, k).min(1.0 / x)
            }
        };
        least + self.probes_coincide()
    }

    /// Upper bound of the probability that two of a key's own probes coincide.
    fn probes_coincide(&self) -> f64 {
        let (k, m) = (f64::from(self.hashes()), self.range() as f64);
        match self.draw() {
            Draw::Distinct => 0.0,
            Draw::Independent => 0.5 * k * (k - 1.0) / m,
            Draw::TwoHash(_) => self.meeting_pairs() / m,
        }
    }

    /// G: ways for two probes to lie on two given positions, at most.
    fn meeting_pairs(&self) -> f64 {
        let k = u64::from(self.hashes());
        let ways = (1..k).map(|d| (k - d) * gcd(d, self.range()));
        ways.sum::<u64>() as f64
    }
}

/// The least of `several / alpha + ((1-alpha) x)^-k`, a convex function of alpha, by ternary search.
fn least_of_split(several: f64, x: f64, k: f64) -> f64 {
    let at = |alpha: f64| several / alpha + ((1.0 - alpha) * x).powf(-k);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..STEPS {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(left) < at(right) {
            high = right;
        } else {
            low = left;
        }
    }
    at(0.5 * (low + high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::two_hash::Extension;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const DRAWS: [Draw; 5] = [
        Draw::Independent,
        Draw::Distinct,
        Draw::TwoHash(Extension::None),
        Draw::TwoHash(Extension::Square),
        Draw::TwoHash(Extension::Cube),
    ];

    fn sketch(range: u64, hashes: u32, draw: Draw) -> SharedArray {
        SharedArray::new(range, hashes, draw).expect("in the domain")
    }

    #[test]
    fn the_bound_of_a_sketch_is_met_at_its_own_error() {
        for draw in DRAWS {
            let sketch = sketch(4096, 4, draw);
            let error = sketch.error_bound(0.01).expect("a bound").value;
            let failure = sketch.failure_bound(error).expect("a bound").value;
            assert!((failure / 0.01 - 1.0).abs() < 1e-9, "{draw:?} {failure}");
            assert!(sketch.error_bound(1e-9).is_err() != (draw == Draw::Distinct));
        }
    }

    /// The positions of an item.
    fn positions(sketch: &SharedArray, rng: &mut ChaCha8Rng) -> Vec<u64> {
        let (m, k) = (sketch.range(), u64::from(sketch.hashes()));
        match sketch.draw() {
            Draw::Independent => (0..k).map(|_| rng.random_range(0..m)).collect(),
            Draw::Distinct => {
                let drawn = rand::seq::index::sample(rng, m as usize, k as usize);
                drawn.into_iter().map(|p| p as u64).collect()
            }
            Draw::TwoHash(extension) => {
                let (start, stride) = (rng.random_range(0..m), rng.random_range(0..m));
                let at = |i| (start + i * stride + extension.at(i)) % m;
                (0..k).map(at).collect()
            }
        }
    }

    /// Share of absent keys whose estimate is `least` or more, by the number of items of equal amount.
    fn measured(sketch: &SharedArray, items: u64, least: u64, rng: &mut ChaCha8Rng) -> f64 {
        const SKETCHES: u32 = 400;
        const KEYS: u32 = 500;
        let mut failures = 0u32;
        for _ in 0..SKETCHES {
            let mut counters = vec![0u64; sketch.range() as usize];
            for _ in 0..items {
                for position in positions(sketch, rng) {
                    counters[position as usize] += 1;
                }
            }
            for _ in 0..KEYS {
                let key = positions(sketch, rng);
                let estimate = key.iter().map(|p| counters[*p as usize]).min();
                failures += u32::from(estimate >= Some(least));
            }
        }
        f64::from(failures) / f64::from(SKETCHES * KEYS)
    }

    #[test]
    fn no_simulated_sketch_fails_more_often_than_its_bound_and_few_items_come_near_it() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for draw in DRAWS {
            let mut nearest = 0.0f64;
            for (range, hashes) in [(256, 3), (1021, 3), (1024, 4), (1020, 4), (4096, 6)] {
                let sketch = sketch(range, hashes, draw);
                // amounts in few items are the worst: many even each other out
                for (items, least) in [(range / 16, 1), (range / 8, 1), (range / 8, 2), (2, 1)] {
                    let bound = sketch.failure_bound(least as f64 / items as f64);
                    let bound = bound.expect("a bound").value;
                    let measured = measured(&sketch, items, least, &mut rng);
                    let deviation = (bound / 200_000.0).sqrt();
                    println!("{draw:?} m={range} k={hashes} {items} items, {least}: {measured:.2e}, bound {bound:.2e}");
                    assert!(measured <= bound + 4.0 * deviation, "{measured} {bound}");
                    nearest = nearest.max(measured / bound);
                }
            }
            assert!(nearest > 0.2, "{draw:?}: a bound of no use, {nearest}");
        }
    }
}
