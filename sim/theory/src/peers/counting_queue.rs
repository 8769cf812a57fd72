//! The counting Bloom filter that deletes its oldest key.

use super::remembers::Remembers;
use super::structure::{Accesses, Peer, Size, Structure};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::fill_sum::partitioned_rate;
use crate::numeric::tail;
use crate::recycling::half::MAX_HASHES;

const NAME: &str = "counting Bloom filter with a queue";
/// Bits of a counter, as Fan et al. recommend.
const COUNTER_BITS: u64 = 4;

/// k banks of `cells` counters of four bits, and a queue of the positions of the last W keys. A key raises its counter of each bank,
/// and the oldest key lowers those that it raised. A key is seen when none of its counters is 0.
///
/// Source: L. Fan, P. Cao, J. Almeida, A. Z. Broder, "Summary Cache: A Scalable Wide-Area Web Cache Sharing Protocol", IEEE/ACM
/// Transactions on Networking 8(3), 2000, with a bank for each hash function. RBF VI names it as the way to delete single elements; a
/// stream has to keep what it will delete, which is the queue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountingQueue {
    cells: u64,
    hashes: u32,
    window: u64,
}

impl CountingQueue {
    /// `cells` (m) of a bank, `hashes` (k) banks, `window` (W) keys in the queue.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless there are 2 counters or more, `1 <= k <= 64` and `1 <= W < 2^40`.
    pub fn new(cells: u64, hashes: u32, window: u64) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "cells", cells, (2, 1 << 40))?;
        TheoryError::check_range(NAME, "hashes", hashes.into(), (1, MAX_HASHES.into()))?;
        TheoryError::check_range(NAME, "window", window, (1, (1 << 40) - 1))?;
        Ok(Self {
            cells,
            hashes,
            window,
        })
    }

    /// The longest window within a memory and a rate.
    pub(super) fn best(memory_bits: u64, rate: f64) -> Option<Self> {
        let of = |hashes: u32| {
            let k = u64::from(hashes);
            // the counters that W keys need at the rate: (1 - (1 - 1/m)^W)^k <= rate
            let fits = |window: u64| {
                let fill = rate.powf(1.0 / f64::from(hashes));
                let left = memory_bits.checked_sub(window.checked_mul(k)?)?;
                let mut cells = (-1.0 / ((-fill).ln_1p() / window as f64).exp_m1()).ceil();
                if partitioned_rate(cells, hashes, window as f64) > rate {
                    cells += 1.0; // rounding
                }
                let most = left / (COUNTER_BITS * k);
                let queue = Self::new((cells as u64).clamp(2, most.max(2)), hashes, window).ok()?;
                let serves =
                    queue.memory_bits() <= memory_bits as f64 && queue.rate().value <= rate;
                serves.then_some(queue)
            };
            let (mut low, mut high) = (0, memory_bits);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if fits(middle).is_some() {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            fits(low)
        };
        (1..=24).filter_map(of).max_by_key(|queue| queue.window)
    }

    /// Bits of the counters and of the queue: `4 k m + W k ceil(log2 m)`.
    pub fn memory_bits(&self) -> f64 {
        let index_bits = u64::BITS - (self.cells - 1).leading_zeros();
        let k = f64::from(self.hashes);
        k * ((COUNTER_BITS * self.cells) as f64 + self.window as f64 * f64::from(index_bits))
    }

    /// The rate of a key that is not in the window of W distinct keys: `(1 - (1 - 1/m)^W)^k`. Exact while no counter passes its
    /// greatest value; [`Self::passed`] tells how likely that is.
    pub fn rate(&self) -> Figure {
        Figure::new(
            partitioned_rate(self.cells as f64, self.hashes, self.window as f64),
            "(1 - (1 - 1/m)^W)^k, no counter above 15",
            Accuracy::exact(1e-12),
        )
    }

    /// Upper bound of the probability that some counter would be above 15 at a given time: `k m P(Binomial(W, 1/m) >= 16)`.
    pub fn passed(&self) -> Figure {
        let counters = f64::from(self.hashes) * self.cells as f64;
        let one = tail::binomial(self.window, self.cells, 1 << COUNTER_BITS);
        Figure::new(
            (counters * one.value()).min(1.0),
            "k m P(Binomial(W, 1/m) >= 16)",
            Accuracy::bound(),
        )
    }

    /// What it does. Of each bank an item reads a counter and raises it, and the oldest key lowers one.
    pub fn peer(&self) -> Peer {
        let k = f64::from(self.hashes);
        Peer {
            structure: Structure::CountingQueue,
            sizes: vec![
                Size::new("k", self.hashes.into()),
                Size::new("bank counters", self.cells),
                Size::new("window keys", self.window),
            ],
            memory_bits: self.memory_bits(),
            fpr: self.rate(),
            remembers: Remembers::Generations {
                kept: self.window as f64 - 1.0,
                gone: self.window as f64,
            },
            accesses: Accesses {
                reads: 2.0 * k + 1.0,
                writes: 2.0 * k + 1.0,
                banks: u64::from(self.hashes) + 1,
                busiest_bank: 4.0,
            },
        }
    }
}
