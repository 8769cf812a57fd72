//! Keys with a Zipf popularity law.

use super::{RandomNew, StimulusError};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Zipf};

/// Endless draws from `distinct` keys, the key of rank r (from 1) with probability proportional to `r^-exponent`.
///
/// Ranks become keys of 64 bits through the bijection of [`RandomNew`], so popular keys are no neighbours.
#[derive(Debug, Clone)]
pub struct ZipfKeys {
    ranks: Zipf<f64>,
    keys: RandomNew,
    random: ChaCha8Rng,
}

impl ZipfKeys {
    /// Draws with `exponent` from 0 (all alike) to 10, among 1 to 2^40 keys.
    ///
    /// # Errors
    /// [`StimulusError::Parameter`] outside these ranges.
    pub fn new(exponent: f64, distinct: u64, seed: u64) -> Result<Self, StimulusError> {
        if !(0.0..=10.0).contains(&exponent) {
            let value = exponent.to_string();
            return Err(StimulusError::Parameter {
                what: "the exponent of the Zipf law",
                value,
                rule: "from 0 to 10",
            });
        }
        let refuse = || StimulusError::Parameter {
            what: "the number of distinct keys of the Zipf law",
            value: distinct.to_string(),
            rule: "from 1 to 2^40",
        };
        if !(1..=1 << 40).contains(&distinct) {
            return Err(refuse());
        }
        let ranks = Zipf::new(distinct as f64, exponent).map_err(|_| refuse())?;
        Ok(Self {
            ranks,
            keys: RandomNew::new(64, seed)?,
            random: ChaCha8Rng::seed_from_u64(!seed),
        })
    }

    /// The key of a rank, from 1.
    pub fn key_of_rank(&self, rank: u64) -> u64 {
        self.keys.at(rank)
    }
}

impl Iterator for ZipfKeys {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let rank = self.ranks.sample(&mut self.random);
        Some(self.keys.at(rank as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn ranks_come_with_their_probability() {
        let draws = 200_000;
        for (exponent, distinct) in [(0.0, 50_u64), (0.8, 1000), (1.0, 1000), (1.5, 20)] {
            let source = ZipfKeys::new(exponent, distinct, 3).expect("good parameters");
            let mut counts: HashMap<u64, u32> = HashMap::new();
            source
                .clone()
                .take(draws)
                .for_each(|key| *counts.entry(key).or_default() += 1);
            let total: f64 = (1..=distinct)
                .map(|rank| (rank as f64).powf(-exponent))
                .sum();
            for rank in [1, 2, 5, distinct] {
                let p = (rank as f64).powf(-exponent) / total;
                let got = f64::from(counts.get(&source.key_of_rank(rank)).copied().unwrap_or(0));
                let (mean, deviation) = (draws as f64 * p, (draws as f64 * p * (1.0 - p)).sqrt());
                // 16 claims at 99% together: 3.6 standard deviations each.
                assert!(
                    (got - mean).abs() < 3.6 * deviation + 1.0,
                    "S={exponent} rank {rank}: {got}, expected {mean}"
                );
            }
            assert!(counts.len() as u64 <= distinct);
        }
    }

    #[test]
    fn impossible_laws_are_refused() {
        for (exponent, distinct) in [
            (-0.1, 10),
            (f64::NAN, 10),
            (11.0, 10),
            (1.0, 0),
            (1.0, 1 << 41),
        ] {
            assert!(
                ZipfKeys::new(exponent, distinct, 1).is_err(),
                "{exponent} {distinct}"
            );
        }
    }
}
