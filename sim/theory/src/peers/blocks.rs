//! A filter for every block of keys, and double buffering.

use super::generation::{mean, rough_mean};
use super::remembers::Remembers;
use super::solve::longest;
use super::structure::{Accesses, Peer, Size, Structure};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::fill_sum::{partitioned_rate, partitioned_rate_sum};
use crate::recycling::half::MAX_HASHES;

const NAME: &str = "filters of blocks";

/// The filters of c + 1 blocks of g keys, each of k partitions of `range` bits: all are queried, the youngest is written, and the
/// oldest is emptied when it is full.
///
/// Source: SBF 1, "a simple solution": `ceil(n/m + 1)` filters with m = g, n = c g. With c = 1 it is the two-phase filter of RBF
/// that recycles after g messages, false positives included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blocks {
    range: u64,
    hashes: u32,
    frozen: u32,
    generation: u64,
}

impl Blocks {
    /// Partitions of `range` bits, `hashes` (k) of them a filter, `frozen` (c) filters beside the one that is written,
    /// `generation` (g) keys a block.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `1 <= k <= 64`, `1 <= c <= 1024`, a partition has 2 bits or more and `g >= 1`.
    pub fn new(range: u64, hashes: u32, frozen: u32, generation: u64) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "hashes", hashes.into(), (1, MAX_HASHES.into()))?;
        TheoryError::check_range(NAME, "frozen", frozen.into(), (1, 1024))?;
        TheoryError::check_range(NAME, "range", range, (2, 1 << 40))?;
        TheoryError::check_range(NAME, "generation", generation, (1, 1 << 40))?;
        Ok(Self {
            range,
            hashes,
            frozen,
            generation,
        })
    }

    /// The filters that remember longest, of those with `frozen` (c) in a range and at most `banks`, within a memory and an average rate.
    pub(super) fn best(
        memory_bits: u64,
        rate: f64,
        frozen: std::ops::RangeInclusive<u32>,
        banks: u32,
    ) -> Option<Self> {
        let all = frozen.flat_map(|c| {
            (1..=24.min(banks / (c + 1))).filter_map(move |k| Self::within(memory_bits, rate, k, c))
        });
        all.max_by_key(|blocks| u64::from(blocks.frozen) * blocks.generation)
    }

    fn within(memory_bits: u64, rate: f64, hashes: u32, frozen: u32) -> Option<Self> {
        let range = memory_bits / (u64::from(hashes) * u64::from(frozen + 1));
        let blocks = Self::new(range, hashes, frozen, 1).ok()?;
        let with = |generation: u64| Self {
            generation,
            ..blocks
        };
        let keys = longest(
            rate,
            0.5 * range as f64,
            hashes.into(),
            |keys| {
                let active = rough_mean(keys, |t| partitioned_rate(range as f64, hashes, t));
                blocks.either(keys, active)
            },
            |keys| with(keys).mean_rate(),
        )?;
        Some(with(keys))
    }

    fn mean_rate(&self) -> f64 {
        let generation = self.generation as f64;
        let range = self.range as f64;
        let active = partitioned_rate_sum(range, self.hashes, generation + 1.0) / generation;
        self.either(generation, active)
    }

    /// A match in the youngest filter, on average at `active`, or in one of the others.
    fn either(&self, generation: f64, active: f64) -> f64 {
        let full = partitioned_rate(self.range as f64, self.hashes, generation);
        // 1 - (1 - full)^c (1 - active), without cancelling
        -(f64::from(self.frozen) * (-full).ln_1p() + (-active.min(1.0)).ln_1p()).exp_m1()
    }

    /// The average rate over a generation. Exact, for one set of hash functions for all filters too: their keys differ, and
    /// every set of positions is as likely to be hit.
    pub fn rate(&self) -> Figure {
        Figure::new(
            self.mean_rate(),
            "1 - (1 - F(g))^c (1 - mean of F(t) over t = 1..g), F(t) = (1 - (1 - 1/r)^t)^k (derivation of this project)",
            Accuracy::exact(1e-11),
        )
    }

    /// What it does.
    pub fn peer(&self) -> Peer {
        let (filters, k) = (u64::from(self.frozen) + 1, u64::from(self.hashes));
        let kept = (u64::from(self.frozen) * self.generation) as f64;
        Peer {
            structure: if self.frozen == 1 {
                Structure::TwoPhases
            } else {
                Structure::SimpleConstruction
            },
            sizes: vec![
                Size::new("k", k),
                Size::new("filters", filters),
                Size::new("partition bits", self.range),
                Size::new("generation keys", self.generation),
            ],
            memory_bits: (filters * k * self.range) as f64,
            fpr: self.rate(),
            remembers: Remembers::Generations {
                kept,
                gone: kept + self.generation as f64,
            },
            accesses: Accesses {
                reads: (filters * k) as f64,
                writes: k as f64,
                banks: filters * k,
                busiest_bank: 2.0,
            },
        }
    }
}

/// Two filters of k partitions of `range` bits: keys go to both, the older one is queried; when that has taken 2 g keys it is
/// emptied, and the other, which has g, is queried in its place.
///
/// Source: F. Chang, K. Li, W. Feng, "Approximate Caches for Packet Classification", INFOCOM 2004. After the first exchange the
/// queried filter is always at least half full, so that every key goes to both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoubleBuffering {
    range: u64,
    hashes: u32,
    generation: u64,
}

impl DoubleBuffering {
    /// Partitions of `range` bits, `hashes` (k) of them a filter, `generation` (g) keys between two exchanges.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `1 <= k <= 64`, a partition has 2 bits or more and `g >= 1`.
    pub fn new(range: u64, hashes: u32, generation: u64) -> Result<Self, TheoryError> {
        Blocks::new(range, hashes, 1, generation)?;
        Ok(Self {
            range,
            hashes,
            generation,
        })
    }

    /// The two filters that remember longest within a memory and an average rate.
    pub(super) fn best(memory_bits: u64, rate: f64) -> Option<Self> {
        let of = |hashes: u32| {
            let range = memory_bits / (2 * u64::from(hashes));
            let buffers = Self::new(range, hashes, 1).ok()?;
            let with = |generation: u64| Self {
                generation,
                ..buffers
            };
            let keys = longest(
                rate,
                0.3 * range as f64,
                hashes.into(),
                |keys| rough_mean(keys, |t| partitioned_rate(range as f64, hashes, keys + t)),
                |keys| with(keys).mean_rate(),
            )?;
            Some(with(keys))
        };
        (1..=24)
            .filter_map(of)
            .max_by_key(|buffers| buffers.generation)
    }

    fn mean_rate(&self) -> f64 {
        let g = self.generation as f64;
        mean(self.generation, |t| {
            partitioned_rate(self.range as f64, self.hashes, g + t)
        })
    }

    /// The average rate between two exchanges. Exact.
    pub fn rate(&self) -> Figure {
        Figure::new(
            self.mean_rate(),
            "mean of F(g + t) over t = 1..g, F(t) = (1 - (1 - 1/r)^t)^k (derivation of this project)",
            Accuracy::exact(1e-9),
        )
    }

    /// What it does.
    pub fn peer(&self) -> Peer {
        let (k, kept) = (u64::from(self.hashes), self.generation as f64);
        Peer {
            structure: Structure::DoubleBuffering,
            sizes: vec![
                Size::new("k", k),
                Size::new("filters", 2),
                Size::new("partition bits", self.range),
                Size::new("generation keys", self.generation),
            ],
            memory_bits: (2 * k * self.range) as f64,
            fpr: self.rate(),
            remembers: Remembers::Generations {
                kept,
                gone: 2.0 * kept,
            },
            // a bit is written by reading its word and writing it back
            accesses: Accesses {
                reads: (2 * k) as f64,
                writes: (2 * k) as f64,
                banks: 2 * k,
                busiest_bank: 2.0,
            },
        }
    }
}
