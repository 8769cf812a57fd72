//! The time-decaying Bloom filter.

use super::generation::{mean, rough_mean};
use super::remembers::Remembers;
use super::solve::longest;
use super::structure::{Accesses, Peer, Size, Structure};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::fill_sum::partitioned_rate;
use crate::recycling::half::MAX_HASHES;

const NAME: &str = "time-decaying Bloom filter";
/// Word of a bank, in bits.
const WORD_BITS: f64 = 32.0;

/// k banks of `cells` cells of d bits. A key sets its cell of each bank to `2^d - 1`; once every g keys all cells that are not 0 are
/// decremented. A key is seen when none of its cells is 0.
///
/// Source: K. Cheng, L. Xiang, M. Iwaihara, H. Xu, M. M. Mohania, "Time-Decaying Bloom Filters for Data Streams with Skewed
/// Distributions", RIDE 2005, with linear decay, for membership alone. Cells that hold the generation of their last key (timing
/// Bloom filters) follow the same law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeDecaying {
    cells: u64,
    hashes: u32,
    cell_bits: u32,
    generation: u64,
}

impl TimeDecaying {
    /// `cells` of a bank, `hashes` (k) banks, `cell_bits` (d), `generation` (g) keys between two decrements.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless there are 2 cells or more, `1 <= k <= 64`, `1 <= d <= 16` and `g >= 1`.
    pub fn new(
        cells: u64,
        hashes: u32,
        cell_bits: u32,
        generation: u64,
    ) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "cells", cells, (2, 1 << 40))?;
        TheoryError::check_range(NAME, "hashes", hashes.into(), (1, MAX_HASHES.into()))?;
        TheoryError::check_range(NAME, "cell_bits", cell_bits.into(), (1, 16))?;
        TheoryError::check_range(NAME, "generation", generation, (1, 1 << 40))?;
        Ok(Self {
            cells,
            hashes,
            cell_bits,
            generation,
        })
    }

    /// The filter that remembers longest within a memory and an average rate. Cells of one bit keep nothing for sure.
    pub(super) fn best(memory_bits: u64, rate: f64) -> Option<Self> {
        let all = (2..=8u32).flat_map(|d| (1..=24u32).map(move |k| (k, d)));
        all.filter_map(|(k, d)| Self::within(memory_bits, rate, k, d))
            .max_by_key(Self::kept)
    }

    fn within(memory_bits: u64, rate: f64, hashes: u32, cell_bits: u32) -> Option<Self> {
        let cells = memory_bits / (u64::from(hashes) * u64::from(cell_bits));
        let filter = Self::new(cells, hashes, cell_bits, 1).ok()?;
        let with = |generation: u64| Self {
            generation,
            ..filter
        };
        let rough = |keys: f64| rough_mean(keys, |t| filter.rate_at(keys, t));
        let guess = 0.6 * cells as f64 / filter.past();
        let keys = longest(rate, guess, f64::from(hashes), rough, |keys| {
            with(keys).mean_rate()
        })?;
        Some(with(keys))
    }

    /// Whole generations that are remembered beside the present one.
    fn past(&self) -> f64 {
        f64::from((1u32 << self.cell_bits) - 2)
    }

    fn kept(&self) -> u64 {
        self.past() as u64 * self.generation
    }

    fn rate_at(&self, generation: f64, t: f64) -> f64 {
        partitioned_rate(self.cells as f64, self.hashes, self.past() * generation + t)
    }

    fn mean_rate(&self) -> f64 {
        let generation = self.generation as f64;
        mean(self.generation, |t| self.rate_at(generation, t))
    }

    /// The average rate over a generation. Exact: a cell is not 0 when one of the last `(2^d - 2) g + t` keys set it.
    pub fn rate(&self) -> Figure {
        Figure::new(
            self.mean_rate(),
            "mean over t = 1..g of (1 - (1 - 1/m)^((2^d - 2) g + t))^k (derivation of this project)",
            Accuracy::exact(1e-9),
        )
    }

    /// What it does.
    pub fn peer(&self) -> Peer {
        let (k, kept) = (f64::from(self.hashes), self.kept() as f64);
        let words = self.cells as f64 * f64::from(self.cell_bits) / WORD_BITS;
        let sweep = words / self.generation as f64;
        Peer {
            structure: Structure::TimeDecaying,
            sizes: vec![
                Size::new("k", self.hashes.into()),
                Size::new("cell bits", self.cell_bits.into()),
                Size::new("bank cells", self.cells),
                Size::new("generation keys", self.generation),
            ],
            memory_bits: k * self.cells as f64 * f64::from(self.cell_bits),
            fpr: self.rate(),
            remembers: Remembers::Generations {
                kept,
                gone: kept + self.generation as f64,
            },
            accesses: Accesses {
                reads: k * (1.0 + sweep),
                writes: k * (1.0 + sweep),
                banks: self.hashes.into(),
                busiest_bank: 2.0 * (1.0 + sweep),
            },
        }
    }
}
