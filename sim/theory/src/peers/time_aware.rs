//! The time-aware Bloom filter.

use super::generation::{mean, rough_mean};
use super::remembers::Remembers;
use super::solve::longest;
use super::structure::{Accesses, Peer, Size, Structure};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::fill_sum::partitioned_rate;
use crate::recycling::half::MAX_HASHES;

const NAME: &str = "time-aware Bloom filter";
/// Bits of a cell: whether it is set, and whether it was hit in the present window.
const CELL_BITS: u64 = 2;
/// Word of a bank, in bits.
const WORD_BITS: f64 = 32.0;

/// k banks of `cells` cells of two bits. A key sets its cell of each bank and marks it as hit; once every g keys the cells without a
/// mark are emptied, and all marks are taken off. A key is seen when all of its cells are set.
///
/// Source: J. Trindade, T. Vazão, "HRAN - A Scalable Routing Protocol for Multihop Wireless Networks Using Bloom Filters", WWIC 2011,
/// as RBF VI describes it: only bits that were not hit during a time window are removed. Here the window is a number of keys, and each
/// hash function has a bank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeAware {
    cells: u64,
    hashes: u32,
    generation: u64,
}

impl TimeAware {
    /// `cells` of a bank, `hashes` (k) banks, `generation` (g) keys of a window.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless there are 2 cells or more, `1 <= k <= 64` and `g >= 1`.
    pub fn new(cells: u64, hashes: u32, generation: u64) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "cells", cells, (2, 1 << 40))?;
        TheoryError::check_range(NAME, "hashes", hashes.into(), (1, MAX_HASHES.into()))?;
        TheoryError::check_range(NAME, "generation", generation, (1, 1 << 40))?;
        Ok(Self {
            cells,
            hashes,
            generation,
        })
    }

    /// The filter that remembers longest within a memory and an average rate.
    pub(super) fn best(memory_bits: u64, rate: f64) -> Option<Self> {
        let of = |hashes: u32| {
            let cells = memory_bits / (CELL_BITS * u64::from(hashes));
            let filter = Self::new(cells, hashes, 1).ok()?;
            let with = |generation: u64| Self {
                generation,
                ..filter
            };
            let rough = |keys: f64| rough_mean(keys, |t| filter.rate_at(keys, t));
            let guess = 0.4 * cells as f64;
            let keys = longest(rate, guess, hashes.into(), rough, |keys| {
                with(keys).mean_rate()
            })?;
            Some(with(keys))
        };
        (1..=24)
            .filter_map(of)
            .max_by_key(|filter| filter.generation)
    }

    fn rate_at(&self, generation: f64, t: f64) -> f64 {
        partitioned_rate(self.cells as f64, self.hashes, generation + t)
    }

    fn mean_rate(&self) -> f64 {
        let generation = self.generation as f64;
        mean(self.generation, |t| self.rate_at(generation, t))
    }

    /// The average rate over a window. Exact: a cell is set when one of the last g + t keys hit it.
    pub fn rate(&self) -> Figure {
        Figure::new(
            self.mean_rate(),
            "mean over t = 1..g of (1 - (1 - 1/m)^(g + t))^k (derivation of this project)",
            Accuracy::exact(1e-9),
        )
    }

    /// What it does.
    pub fn peer(&self) -> Peer {
        let (k, kept) = (f64::from(self.hashes), self.generation as f64);
        let sweep = (self.cells * CELL_BITS) as f64 / WORD_BITS / kept;
        Peer {
            structure: Structure::TimeAware,
            sizes: vec![
                Size::new("k", self.hashes.into()),
                Size::new("bank cells", self.cells),
                Size::new("generation keys", self.generation),
            ],
            memory_bits: k * (self.cells * CELL_BITS) as f64,
            fpr: self.rate(),
            remembers: Remembers::Generations {
                kept,
                gone: 2.0 * kept,
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
