//! Cuckoo and quotient filters with a generation beside each fingerprint.
//!
//! A cell has a fingerprint and a generation of d bits. One value says that the cell is empty, and one generation is being swept
//! away; `c = 2^d - 3` past generations and the present one are live. A key whose fingerprint is found takes the present generation.

use super::generation::mean;
use super::remembers::Remembers;
use super::structure::{Accesses, Peer, Size, Structure};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;

/// Share of the cells of a cuckoo filter of buckets of four that can be used.
pub const CUCKOO_LOAD: f64 = 0.95;
/// Cells that an insertion moves, on average, where generations take the load to 95 %; simulated, in a table of 16,384 cells.
pub const CUCKOO_MOVES: f64 = 2.5;
/// Share of the slots of a quotient filter that are used: above it clusters grow quickly.
pub const QUOTIENT_LOAD: f64 = 0.75;
/// Cells of a bucket.
const BUCKET: f64 = 4.0;
/// Word of a bank, in bits.
const WORD_BITS: f64 = 32.0;
/// Bits of a generation that are tried.
const GENERATION_BITS: std::ops::RangeInclusive<u32> = 2..=6;

/// A cuckoo filter with buckets of four cells.
///
/// Source: B. Fan, D. G. Andersen, M. Kaminsky, M. D. Mitzenmacher, "Cuckoo Filter: Practically Better Than Bloom", CoNEXT 2014.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cuckoo {
    cells: u64,
    fingerprint_bits: u32,
    generation_bits: u32,
    generation: u64,
}

impl Cuckoo {
    /// `cells` in all, `fingerprint_bits` (f), `generation_bits` (d), `generation` (g) keys.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless there are 8 cells or more, f is 2 to 62, d is 2 to 16, and `(c + 1) g` is 1 to 95 % of the
    /// cells.
    pub fn new(
        cells: u64,
        fingerprint_bits: u32,
        generation_bits: u32,
        generation: u64,
    ) -> Result<Self, TheoryError> {
        const NAME: &str = "cuckoo filter";
        TheoryError::check_range(NAME, "cells", cells, (8, 1 << 40))?;
        TheoryError::check_range(NAME, "fingerprint_bits", fingerprint_bits.into(), (2, 62))?;
        TheoryError::check_range(NAME, "generation_bits", generation_bits.into(), (2, 16))?;
        let most = (CUCKOO_LOAD * cells as f64) as u64 / (past(generation_bits) + 1);
        check_generation(NAME, generation, most)?;
        Ok(Self {
            cells,
            fingerprint_bits,
            generation_bits,
            generation,
        })
    }

    /// The filter that remembers longest within a memory and an average rate.
    pub(super) fn best(memory_bits: u64, rate: f64) -> Option<Self> {
        let all = GENERATION_BITS.flat_map(|d| (2..=40u32).map(move |f| (f, d)));
        all.filter_map(|(f, d)| {
            let cells = memory_bits / u64::from(f + d);
            let generation = (CUCKOO_LOAD * cells as f64) as u64 / (past(d) + 1);
            let filter = Self::new(cells, f, d, generation).ok()?;
            (filter.rate().value <= rate).then_some(filter)
        })
        .max_by_key(|filter| past(filter.generation_bits) * filter.generation)
    }

    /// The average rate over a generation. An approximation, within 3 % and the rate itself: both buckets have the mean number of
    /// cells in use, keys whose fingerprint was there already take no cell, and the two buckets of a key are taken to differ.
    pub fn rate(&self) -> Figure {
        let match_one = (-(-f64::from(self.fingerprint_bits)).exp2()).ln_1p();
        let past_keys = (past(self.generation_bits) * self.generation) as f64;
        let rate = mean(self.generation, |t| {
            let used = 2.0 * BUCKET * (past_keys + t) / self.cells as f64;
            -(used * match_one).exp_m1()
        });
        Figure::new(
            rate,
            "mean over t = 1..g of 1 - (1 - 2^-f)^(8 (c g + t)/cells)",
            Accuracy::approximation(0.03 + rate),
        )
    }

    /// What it does. An insertion reads two buckets and writes one, and [`CUCKOO_MOVES`] times, on average, a further one of each: a cell
    /// that makes room.
    pub fn peer(&self) -> Peer {
        let generations = past(self.generation_bits);
        let kept = (generations * self.generation) as f64;
        let sweep = self.cells as f64 / BUCKET / self.generation as f64;
        Peer {
            structure: Structure::Cuckoo,
            sizes: vec![
                Size::new("fingerprint bits", self.fingerprint_bits.into()),
                Size::new("generation bits", self.generation_bits.into()),
                Size::new("cells", self.cells),
                Size::new("generation keys", self.generation),
            ],
            memory_bits: (self.cells * u64::from(self.fingerprint_bits + self.generation_bits))
                as f64,
            fpr: self.rate(),
            remembers: Remembers::Generations {
                kept,
                gone: kept + self.generation as f64,
            },
            accesses: Accesses {
                reads: 2.0 + CUCKOO_MOVES + sweep,
                writes: 1.0 + CUCKOO_MOVES + sweep,
                banks: 1,
                busiest_bank: 3.0 + 2.0 * (CUCKOO_MOVES + sweep),
            },
        }
    }
}

/// A quotient filter: slots of a remainder, three bits and a generation.
///
/// Source: M. A. Bender et al., "Don't Thrash: How to Cache Your Hash on Flash", PVLDB 5(11), 2012.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quotient {
    slots: u64,
    remainder_bits: u32,
    generation_bits: u32,
    generation: u64,
}

impl Quotient {
    /// `slots`, `remainder_bits` (r), `generation_bits` (d), `generation` (g) keys.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless there are 4 slots or more, r is 1 to 62, d is 2 to 16, and `(c + 1) g` is 1 to 75 % of the
    /// slots.
    pub fn new(
        slots: u64,
        remainder_bits: u32,
        generation_bits: u32,
        generation: u64,
    ) -> Result<Self, TheoryError> {
        const NAME: &str = "quotient filter";
        TheoryError::check_range(NAME, "slots", slots, (4, 1 << 40))?;
        TheoryError::check_range(NAME, "remainder_bits", remainder_bits.into(), (1, 62))?;
        TheoryError::check_range(NAME, "generation_bits", generation_bits.into(), (2, 16))?;
        let most = (QUOTIENT_LOAD * slots as f64) as u64 / (past(generation_bits) + 1);
        check_generation(NAME, generation, most)?;
        Ok(Self {
            slots,
            remainder_bits,
            generation_bits,
            generation,
        })
    }

    /// The filter that remembers longest within a memory and an average rate.
    pub(super) fn best(memory_bits: u64, rate: f64) -> Option<Self> {
        let all = GENERATION_BITS.flat_map(|d| (1..=40u32).map(move |r| (r, d)));
        all.filter_map(|(r, d)| {
            let slots = memory_bits / u64::from(r + d + 3);
            let generation = (QUOTIENT_LOAD * slots as f64) as u64 / (past(d) + 1);
            let filter = Self::new(slots, r, d, generation).ok()?;
            (filter.rate().value <= rate).then_some(filter)
        })
        .max_by_key(|filter| past(filter.generation_bits) * filter.generation)
    }

    /// The average rate over a generation. Exact: a key is seen when one of the live keys has all its `log2(slots) + r` hash bits.
    pub fn rate(&self) -> Figure {
        let values = self.slots as f64 * f64::from(self.remainder_bits).exp2();
        let miss = (-1.0 / values).ln_1p();
        let past_keys = (past(self.generation_bits) * self.generation) as f64;
        let rate = mean(self.generation, |t| -((past_keys + t) * miss).exp_m1());
        Figure::new(
            rate,
            "mean over t = 1..g of 1 - (1 - 1/(slots 2^r))^(c g + t)",
            Accuracy::exact(1e-9),
        )
    }

    /// What it does. A cluster is read from its start and rewritten from the new slot on: `(1 + 1/(1 - load)^2)/2` slots on average
    /// (Knuth, linear probing, unsuccessful search).
    pub fn peer(&self) -> Peer {
        let generations = past(self.generation_bits);
        let kept = (generations * self.generation) as f64;
        let slot_bits = self.remainder_bits + self.generation_bits + 3;
        let load = ((generations + 1) * self.generation) as f64 / self.slots as f64;
        let scanned = 0.5 * (1.0 + (1.0 - load).powi(-2));
        let words = (scanned * f64::from(slot_bits) / WORD_BITS).max(1.0);
        let sweep = self.slots as f64 * f64::from(slot_bits) / WORD_BITS / self.generation as f64;
        Peer {
            structure: Structure::Quotient,
            sizes: vec![
                Size::new("remainder bits", self.remainder_bits.into()),
                Size::new("generation bits", self.generation_bits.into()),
                Size::new("slots", self.slots),
                Size::new("generation keys", self.generation),
            ],
            memory_bits: (self.slots * u64::from(slot_bits)) as f64,
            fpr: self.rate(),
            remembers: Remembers::Generations {
                kept,
                gone: kept + self.generation as f64,
            },
            accesses: Accesses {
                reads: words + sweep,
                writes: words + sweep,
                banks: 1,
                busiest_bank: 2.0 * (words + sweep),
            },
        }
    }
}

fn check_generation(name: &'static str, generation: u64, most: u64) -> Result<(), TheoryError> {
    if most == 0 {
        let expected = "few enough for a key each (nearest: 2)";
        return Err(TheoryError::domain(
            name,
            "generation_bits",
            expected,
            "more",
        ));
    }
    TheoryError::check_range(name, "generation", generation, (1, most))
}

/// c: past generations that are live.
fn past(generation_bits: u32) -> u64 {
    (1 << generation_bits) - 3
}
