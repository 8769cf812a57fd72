//! The age-partitioned Bloom filter (APBF).

use super::generation::{mean, mean_between, rough_mean};
use super::remembers::Remembers;
use super::solve::longest;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::fill_sum::occupied_fraction;
use crate::recycling::half::MAX_HASHES;
use serde::Serialize;
use std::cell::Cell;

const NAME: &str = "age-partitioned Bloom filter";
/// Slices whose fills are kept at a time.
const RING: usize = MAX_HASHES as usize + 1;

/// k + l slices of `slice_bits`. A key sets one bit in each of the k youngest slices; it is seen where k slices in a row match.
/// After g keys the oldest slice is emptied and becomes the youngest.
///
/// Source: A. Shtul, C. Baquero, P. S. Almeida, "Age-Partitioned Bloom Filters", 2020, with an independent hash function a slice.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AgePartitioned {
    pub(super) slice_bits: f64,
    pub(super) hashes: u32,
    pub(super) older: u32,
    pub(super) generation: u64,
}

impl AgePartitioned {
    /// Slices of `slice_bits`, `hashes` (k) that are written, `older` (l) that are only read, `generation` (g) keys between two
    /// shifts.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `1 <= k <= 64`, `1 <= l <= 1024`, a slice has 2 bits or more and `g >= 1`.
    pub fn new(
        slice_bits: u64,
        hashes: u32,
        older: u32,
        generation: u64,
    ) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "hashes", hashes.into(), (1, MAX_HASHES.into()))?;
        TheoryError::check_range(NAME, "older", older.into(), (1, 1024))?;
        TheoryError::check_range(NAME, "slice_bits", slice_bits, (2, 1 << 40))?;
        TheoryError::check_range(NAME, "generation", generation, (1, 1 << 40))?;
        Ok(Self {
            slice_bits: slice_bits as f64,
            hashes,
            older,
            generation,
        })
    }

    /// The filter that remembers longest, of those with at most `most_slices` within a memory and an average rate.
    pub(super) fn best(memory_bits: u64, rate: f64, most_slices: u32) -> Option<Self> {
        // k in a row by chance is rarer than one match each: k beyond log2(1/rate) + 8 is never better
        let most_hashes = (-rate.log2() + 8.0).clamp(2.0, 40.0) as u32;
        let filters = (1..=most_hashes).filter_map(|hashes| {
            // the reach rises and falls with l: first in steps of a fifth, then around the best
            let fill = Cell::new(None);
            let with = |older: u32| {
                let filter = Self::within_from(memory_bits, rate, hashes, older, fill.get())?;
                fill.set(Some(filter.generation as f64 / filter.slice_bits));
                Some(filter)
            };
            let most = most_slices.checked_sub(hashes).filter(|most| *most > 0)?;
            let steps = std::iter::successors(Some(1), |l| Some(l + (l / 5).max(1)));
            let coarse = steps.take_while(|l| *l < most).chain([most]);
            let best = coarse.filter_map(with).max_by_key(Self::kept)?;
            let around = best.older - best.older / 6..=(best.older + best.older / 5).min(most);
            around.filter_map(with).max_by_key(Self::kept)
        });
        filters.max_by_key(Self::kept)
    }

    /// The filter of k + l slices with the longest generation within a memory and an average rate; None when there is none.
    pub fn within(memory_bits: u64, rate: f64, hashes: u32, older: u32) -> Option<Self> {
        Self::within_from(memory_bits, rate, hashes, older, None)
    }

    /// The same, from a generation's keys over the bits of a slice that are about right, if they are known.
    fn within_from(
        memory_bits: u64,
        rate: f64,
        hashes: u32,
        older: u32,
        load: Option<f64>,
    ) -> Option<Self> {
        let slice_bits = memory_bits / u64::from(hashes + older);
        let filter = Self::new(slice_bits, hashes, older, 1).ok()?;
        let with = |generation: u64| Self {
            generation,
            ..filter
        };
        let rough = |keys: f64| {
            let slices = filter.slices(keys);
            rough_mean(keys, |t| slices.seen_at(t, None))
        };
        let k = f64::from(hashes);
        let guess = slice_bits as f64 * load.unwrap_or(0.6 / k);
        let keys = longest(rate, guess, k, rough, |keys| with(keys).mean_rate())?;
        Some(with(keys))
    }

    /// The greatest distance at which no key is missed: `l g`.
    fn kept(&self) -> u64 {
        u64::from(self.older) * self.generation
    }

    /// The law by which keys lose the first of their k slices, after l + 1 shifts.
    pub(super) fn generations(&self) -> Remembers {
        let kept = self.kept() as f64;
        Remembers::Generations {
            kept,
            gone: kept + self.generation as f64,
        }
    }

    /// The rate of a key that was never inserted, with `t` keys (1 to g) in the present generation: the probability that k
    /// slices in a row match. Exact: the slices have independent hash functions, and each matches with its mean fill.
    pub fn rate_after(&self, t: u64) -> f64 {
        self.slices(self.generation as f64).seen_at(t as f64, None)
    }

    /// The slices with so many keys a generation.
    fn slices(&self, generation: f64) -> Slices {
        // shares of clear bits: of a whole generation, and of all keys that a slice takes
        let decay = (-1.0 / self.slice_bits).ln_1p();
        Slices {
            hashes: self.hashes as usize,
            older: self.older as usize,
            decay,
            of_generation: (decay * generation).exp(),
            taken_all: occupied_fraction(self.slice_bits, f64::from(self.hashes) * generation),
        }
    }

    /// The probability that a key is not seen after `distance` other keys, over its place in its generation. Exact for whole
    /// distances. A key loses its slices one by one: after l + 1 shifts it is seen if the slice beside the k - 1 that it has left
    /// matches by chance.
    pub fn missed(&self, distance: f64) -> f64 {
        let g = self.generation as f64;
        let distance = distance.clamp(0.0, 1e15);
        let shifts = (distance / g).floor();
        let into = distance - shifts * g;
        // keys for which one more shift has come have 1 to `into` keys in the present generation, the others more
        let slices = self.slices(g);
        let unseen = |shifts: f64| {
            move |t: f64| {
                if shifts <= f64::from(self.older) {
                    0.0
                } else {
                    1.0 - slices.seen_at(t, Some(shifts as usize))
                }
            }
        };
        let later = mean_between(0.0, into, unseen(shifts + 1.0));
        let sooner = mean_between(into, g, unseen(shifts));
        ((into * later + (g - into) * sooner) / g).clamp(0.0, 1.0)
    }

    fn mean_rate(&self) -> f64 {
        let slices = self.slices(self.generation as f64);
        mean(self.generation, |t| slices.seen_at(t, None))
    }

    /// The average rate over a generation. Exact.
    pub fn rate(&self) -> Figure {
        Figure::new(
            self.mean_rate(),
            "mean over t = 1..g of P(k slices in a row match), slice i filled by min(i g + t, k g) keys (derivation of this project)",
            Accuracy::exact(1e-9),
        )
    }
}

/// The slices of a filter with a number of keys a generation, that need not be whole.
#[derive(Debug, Clone, Copy)]
struct Slices {
    hashes: usize,
    older: usize,
    /// `ln(1 - 1/m)`.
    decay: f64,
    /// Share of clear bits after the keys of one generation.
    of_generation: f64,
    /// Fill of a slice that has all its keys.
    taken_all: f64,
}

impl Slices {
    /// The probability that k slices in a row match with `t` keys in the present generation, of a new key, or of one that was
    /// inserted `shifts` shifts ago: its own slices match for sure.
    fn seen_at(&self, t: f64, shifts: Option<usize>) -> f64 {
        let k = self.hashes;
        let slices = k + self.older;
        let own = shifts.map_or(slices..slices, |shifts| shifts..shifts.saturating_add(k));
        let mut clear = (self.decay * t).exp();
        // unseen[i mod 65]: probability that none of the first i slices ends k matches in a row; the first such row ends with slice i
        // when k in a row match, the one before them does not, and no row ended before that one
        let mut fills = [0.0; RING];
        let mut unseen = [1.0; RING];
        let mut row = 1.0;
        let mut seen = 0.0;
        // places in the rings: of a slice, and of the one k before it
        let (mut here, mut behind) = (0, 0);
        let after = |place: usize| if place + 1 == RING { 0 } else { place + 1 };
        for slice in 0..slices {
            let fill = match slice {
                _ if own.contains(&slice) => 1.0,
                0 => -(self.decay * t).exp_m1(),
                slice if slice < k => 1.0 - clear,
                _ => self.taken_all,
            };
            clear *= self.of_generation;
            fills[here] = fill;
            if slice < k {
                row *= fill;
                seen = if slice + 1 == k { row } else { 0.0 };
            } else {
                let before = fills[behind];
                row = if before == fill {
                    row
                } else if before > 0.0 {
                    row * fill / before
                } else {
                    (slice + 1 - k..=slice).map(|i| fills[i % RING]).product()
                };
                seen += unseen[behind] * (1.0 - before) * row;
                behind = after(behind);
            }
            here = after(here);
            unseen[here] = 1.0 - seen;
        }
        seen
    }
}
