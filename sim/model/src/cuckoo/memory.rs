use super::cell::Cell;
use super::tables::CellPlace;
use crate::flawed_words::Flaws;
use bloomline_spec::{ecc, CuckooGeometry};
use std::collections::HashMap;

/// A bit of a cell of a cuckoo table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CuckooBit {
    /// Table, from 0 to 3.
    pub table: u32,
    /// Row of the table.
    pub row: u32,
    /// Cell of the row.
    pub lane: u32,
    /// Bit of the cell; with an error-correcting code its check bits are above it.
    pub bit: u32,
}

/// Flipped bits of the cells of the tables, and what the code makes of them. What was written to a cell is kept by the tables.
///
/// The code is linear: what it says of a cell follows from the bits that were flipped since the cell was written.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    /// f and v.
    fingerprint_bits: u32,
    generation_bits: u32,
    /// The column of each bit of a cell; none without a code.
    columns: Vec<u32>,
    flip: Option<(CellPlace, u32)>,
    flipped: HashMap<CellPlace, Flipped>,
    /// Cells that are written in this clock, and whether that mends them.
    written: Vec<(CellPlace, bool)>,
    /// The row of every table that is wiped in this clock, and the one that is in the next.
    wiped: Option<u32>,
    to_wipe: Option<u32>,
    doubtful: bool,
    flaws: Flaws,
}

/// Flipped bits of a cell.
#[derive(Debug, Clone, Copy, Default)]
struct Flipped {
    bits: u64,
    read: bool,
}

/// A cell with flipped bits as it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Flawed {
    /// As the code has it: corrected, or as it was stored.
    pub cell: Cell,
    /// The code corrected it.
    pub corrected: bool,
    /// The code cannot.
    pub uncorrectable: bool,
    /// Bits that were flipped.
    pub flips: u32,
}

impl Flawed {
    /// Whether the code finds it as it was written.
    pub fn is_sound(&self) -> bool {
        !self.corrected && !self.uncorrectable
    }
}

impl Memory {
    pub fn new(geometry: &CuckooGeometry) -> Memory {
        Memory {
            fingerprint_bits: geometry.fingerprint_bits(),
            generation_bits: geometry.generation_bits(),
            columns: match geometry.ecc() {
                true => ecc::columns(geometry.cell_bits()),
                false => Vec::new(),
            },
            flip: None,
            flipped: HashMap::new(),
            written: Vec::new(),
            wiped: None,
            to_wipe: None,
            doubtful: false,
            flaws: Flaws::default(),
        }
    }

    /// What became of the bits that were flipped.
    pub fn flaws(&self) -> Flaws {
        Flaws {
            standing: self.flipped.len() as u64,
            ..self.flaws
        }
    }

    /// Whether a cell has had flipped bits that the code need not correct.
    pub fn is_doubtful(&self) -> bool {
        self.doubtful
    }

    /// A bit that flips as the present clock ends.
    pub fn flip(&mut self, place: CellPlace, bit: u32) {
        self.flip = Some((place, bit));
    }

    /// A cell is written as the present clock ends, to mend it or for another reason.
    pub fn write(&mut self, place: CellPlace, mends: bool) {
        self.written.push((place, mends));
    }

    /// The sequencer wipes a row of every table: it is written as the next clock ends.
    pub fn wipe(&mut self, row: u32) {
        self.to_wipe = Some(row);
    }

    /// A cell that holds `cell` is read; gives what is read where that is not as it was written.
    pub fn read(&mut self, place: CellPlace, cell: Cell) -> Option<Flawed> {
        let flipped = self.flipped.get_mut(&place)?;
        flipped.read = true;
        let bits = flipped.bits;
        let payload_bits = self.fingerprint_bits + self.generation_bits;
        let stored = self.word(cell) ^ (bits & (u64::MAX >> (64 - payload_bits)));
        let set = (0..)
            .zip(&self.columns)
            .filter(|(bit, _)| bits >> bit & 1 == 1);
        let syndrome = set.fold(0, |sum, (_, column)| sum ^ column);
        let named = self.columns.iter().position(|&column| column == syndrome);
        let corrected = named.filter(|_| syndrome != 0);
        let word = match corrected.filter(|&bit| (bit as u32) < payload_bits) {
            Some(bit) => stored ^ 1 << bit,
            None => stored,
        };
        Some(Flawed {
            cell: self.cell(word),
            corrected: corrected.is_some(),
            uncorrectable: syndrome != 0 && corrected.is_none(),
            flips: bits.count_ones(),
        })
    }

    /// In this clock an item or a mend met cells of so many flipped bits.
    pub fn meet(&mut self, flips: &[u32]) {
        let met = |with: fn(u32) -> bool| u64::from(flips.iter().copied().any(with));
        self.flaws.met += met(|flips| flips % 2 == 1);
        self.flaws.doubled += met(|flips| flips > 0 && flips % 2 == 0);
        self.flaws.many += met(|flips| flips > 2);
    }

    /// Ends a clock: a bit flips; then cells are written.
    pub fn clock(&mut self) {
        if let Some((place, bit)) = self.flip.take() {
            let flipped = self.flipped.entry(place).or_default();
            flipped.bits ^= 1 << bit;
            let wrong = flipped.bits.count_ones();
            if wrong == 0 {
                self.flipped.remove(&place);
            }
            self.doubtful |= wrong > u32::from(!self.columns.is_empty());
        }
        for (place, mends) in self.written.drain(..) {
            if let Some(flipped) = self.flipped.remove(&place) {
                self.flaws.overwritten += u64::from(!flipped.read);
                self.flaws.written_back += u64::from(mends);
            }
        }
        if let Some(row) = std::mem::replace(&mut self.wiped, self.to_wipe.take()) {
            self.flipped.retain(|place, _| place.row != row);
        }
    }

    /// A cell as it is stored.
    fn word(&self, cell: Cell) -> u64 {
        let (f, v) = (self.fingerprint_bits, self.generation_bits);
        let (r, generation) = (u64::from(cell.fingerprint), u64::from(cell.generation));
        if r >> f == 0 {
            return r << v | generation;
        }
        let low = r & ((1 << (f - v)) - 1);
        generation << f | low << v | ((1 << v) - 1)
    }

    /// What is stored so.
    fn cell(&self, word: u64) -> Cell {
        let (f, v) = (self.fingerprint_bits, self.generation_bits);
        let ones = (1 << v) - 1;
        if word & ones != ones {
            return Cell {
                fingerprint: (word >> v) as u32,
                generation: (word & ones) as u32,
            };
        }
        let low = word >> v & ((1 << (f - v)) - 1);
        Cell {
            fingerprint: (1 << f | low) as u32,
            generation: (word >> f) as u32,
        }
    }
}
