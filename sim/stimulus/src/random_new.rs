//! Pseudo-random keys that never repeat.

use super::StimulusError;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// All numbers of `bits` bits, each once, in an order drawn from a seed: a counter through a bijection.
///
/// The bijection is four rounds of an odd multiplication, an addition and a right shift folded in, each of which can be undone;
/// constants come from ChaCha8 with the seed. It is for test traffic, not a cipher.
#[derive(Debug, Clone)]
pub struct RandomNew {
    bits: u32,
    rounds: [(u64, u64); 4],
    next: Option<u64>,
}

impl RandomNew {
    /// Keys of `bits` bits (1 to 64) in the order of `seed`.
    ///
    /// # Errors
    /// [`StimulusError::Parameter`] for other widths.
    pub fn new(bits: u32, seed: u64) -> Result<Self, StimulusError> {
        if !(1..=64).contains(&bits) {
            let value = bits.to_string();
            return Err(StimulusError::Parameter {
                what: "the width of new keys in bits",
                value,
                rule: "from 1 to 64",
            });
        }
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let rounds = std::array::from_fn(|_| (random.random::<u64>() | 1, random.random()));
        Ok(Self {
            bits,
            rounds,
            next: Some(0),
        })
    }

    /// The key at place `index` of the order; only the low `bits` bits of `index` count.
    pub fn at(&self, index: u64) -> u64 {
        let mask = u64::MAX >> (64 - self.bits);
        let fold = self.bits.div_ceil(2);
        self.rounds
            .iter()
            .fold(index & mask, |x, (factor, addend)| {
                let x = x.wrapping_mul(*factor).wrapping_add(*addend) & mask;
                x ^ x >> fold
            })
    }
}

impl Iterator for RandomNew {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let index = self.next?;
        self.next = index
            .checked_add(1)
            .filter(|next| self.bits == 64 || next >> self.bits == 0);
        Some(self.at(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_key_of_a_width_comes_once() {
        for bits in [1, 2, 3, 7, 16] {
            let keys: Vec<u64> = RandomNew::new(bits, 5).expect("a width").collect();
            let distinct: HashSet<u64> = keys.iter().copied().collect();
            assert_eq!(
                (keys.len(), distinct.len()),
                (1 << bits, 1 << bits),
                "at {bits} bits"
            );
            assert!(keys.iter().all(|key| key >> bits == 0));
        }
    }

    #[test]
    fn seeds_give_different_orders_and_the_same_seed_the_same() {
        let start = |seed| {
            RandomNew::new(64, seed)
                .expect("a width")
                .take(1000)
                .collect::<Vec<_>>()
        };
        assert_eq!(start(1), start(1));
        let common: usize = start(1).iter().filter(|key| start(2).contains(key)).count();
        assert_eq!(common, 0);
    }

    #[test]
    fn successive_keys_flip_half_of_their_bits() {
        for bits in [32, 48, 64] {
            let keys: Vec<u64> = RandomNew::new(bits, 9)
                .expect("a width")
                .take(20_001)
                .collect();
            let flips: u32 = keys
                .windows(2)
                .map(|pair| (pair[0] ^ pair[1]).count_ones())
                .sum();
            let mean = f64::from(flips) / 20_000.0 / f64::from(bits);
            // Independent bits would give 0.5 with a deviation below 0.0007.
            assert!((mean - 0.5).abs() < 0.05, "{mean} at {bits} bits");
        }
    }

    #[test]
    fn impossible_widths_are_refused() {
        assert!(RandomNew::new(0, 1).is_err() && RandomNew::new(65, 1).is_err());
    }
}
