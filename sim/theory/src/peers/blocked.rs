//! The blocked Bloom filter, in two phases.

use super::generation::{mean, rough_mean};
use super::remembers::Remembers;
use super::solve::longest;
use super::structure::{Accesses, Peer, Size, Structure};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::fill_sum::partitioned_rate;
use crate::recycling::half::MAX_HASHES;

const NAME: &str = "blocked Bloom filter";
/// Loads further than this many standard deviations from the mean are left out: their share is below 1e-20.
const DEVIATIONS: f64 = 10.0;

/// An active and a frozen half, each of `blocks` blocks of k sectors of `sector_bits`. A key has one block, and one bit in each of
/// its sectors. The active half is frozen after g keys.
///
/// Source: F. Putze, P. Sanders, J. Singler, "Cache-, Hash-, and Space-Efficient Bloom Filters", JEA 14, 2009, with one bit a
/// sector, in the two phases of RBF.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blocked {
    blocks: u64,
    hashes: u32,
    sector_bits: u64,
    generation: u64,
}

impl Blocked {
    /// `blocks` of a half, `hashes` (k) sectors a block, `sector_bits`, `generation` (g) keys between two recycles.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless there is a block, `1 <= k <= 64`, a sector has 2 to 4,096 bits and g is 1 to 2^40.
    pub fn new(
        blocks: u64,
        hashes: u32,
        sector_bits: u64,
        generation: u64,
    ) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "blocks", blocks, (1, 1 << 40))?;
        TheoryError::check_range(NAME, "hashes", hashes.into(), (1, MAX_HASHES.into()))?;
        TheoryError::check_range(NAME, "sector_bits", sector_bits, (2, 4096))?;
        TheoryError::check_range(NAME, "generation", generation, (1, 1 << 40))?;
        Ok(Self {
            blocks,
            hashes,
            sector_bits,
            generation,
        })
    }

    /// The filter of blocks of `block_bits` that remembers longest within a memory and an average rate.
    pub(super) fn best(memory_bits: u64, rate: f64, block_bits: u64) -> Option<Self> {
        let of = |hashes: u32| {
            let sector = block_bits / u64::from(hashes);
            let blocks = memory_bits / (2 * sector * u64::from(hashes));
            let filter = Self::new(blocks, hashes, sector, 1).ok()?;
            let with = |generation: u64| Self {
                generation,
                ..filter
            };
            let rough = |keys: f64| filter.either(keys, rough_mean(keys, |t| filter.half(t)));
            let guess = 0.4 * (blocks * sector) as f64;
            let keys = longest(rate, guess, f64::from(hashes), rough, |keys| {
                with(keys).mean_rate()
            })?;
            Some(with(keys))
        };
        (1..=16)
            .filter_map(of)
            .max_by_key(|filter| filter.generation)
    }

    /// The rate of a half with `keys` keys, any real number of them: the block of a new key has a binomial number of them.
    fn half(&self, keys: f64) -> f64 {
        if self.blocks == 1 {
            return partitioned_rate(self.sector_bits as f64, self.hashes, keys);
        }
        let share = 1.0 / self.blocks as f64;
        let load = keys * share;
        let width = DEVIATIONS * (load + 1.0).sqrt() + 2.0;
        let first = (load - width).max(0.0).floor();
        let last = (load + width).ceil().min(keys.floor());
        // from the likeliest load on, upwards and downwards, each probability from the one before, over the sum of all
        let likeliest = ((keys + 1.0) * share).floor().clamp(first, last);
        let odds = share / (1.0 - share);
        let decay = (-1.0 / self.sector_bits as f64).ln_1p();
        let match_at = |at: f64| (-(decay * at).exp_m1()).powi(self.hashes as i32);
        let (mut matching, mut all) = (match_at(likeliest), 1.0);
        let (mut at, mut weight) = (likeliest, 1.0);
        while at < last {
            weight *= (keys - at) / (at + 1.0) * odds;
            at += 1.0;
            matching += weight * match_at(at);
            all += weight;
        }
        (at, weight) = (likeliest, 1.0);
        while at > first {
            weight *= at / (keys - at + 1.0) / odds;
            at -= 1.0;
            matching += weight * match_at(at);
            all += weight;
        }
        matching / all
    }

    /// A match in the active half, on average at `active`, or in the frozen one of `generation` keys.
    fn either(&self, generation: f64, active: f64) -> f64 {
        let frozen = self.half(generation);
        active + frozen - active * frozen
    }

    fn mean_rate(&self) -> f64 {
        let active = mean(self.generation, |t| self.half(t));
        self.either(self.generation as f64, active)
    }

    /// The average rate between two recycles. Exact: the two halves hold different keys, and all positions are alike.
    pub fn rate(&self) -> Figure {
        Figure::new(
            self.mean_rate(),
            "F + A - A F, F = sum over i of P(i of g keys in the block) (1 - (1 - 1/s)^i)^k, A its mean over t = 1..g \
             (derivation of this project)",
            Accuracy::exact(1e-9),
        )
    }

    /// What it does.
    pub fn peer(&self) -> Peer {
        let kept = self.generation as f64;
        let block = u64::from(self.hashes) * self.sector_bits;
        Peer {
            structure: Structure::Blocked,
            sizes: vec![
                Size::new("k", self.hashes.into()),
                Size::new("block bits", block),
                Size::new("blocks of a half", self.blocks),
                Size::new("generation keys", self.generation),
            ],
            memory_bits: (2 * self.blocks * block) as f64,
            fpr: self.rate(),
            remembers: Remembers::Generations {
                kept,
                gone: 2.0 * kept,
            },
            accesses: Accesses {
                reads: 2.0,
                writes: 1.0,
                banks: 2,
                busiest_bank: 2.0,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_with_every_hundred_keys_of_millions() {
        let blocked = Blocked::new(1 << 17, 1, 512, 1).expect("legal");
        let rates: Vec<f64> = (0..200)
            .map(|i| blocked.half(2.5e8 + 1e2 * f64::from(i)))
            .collect();
        assert!(rates.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
