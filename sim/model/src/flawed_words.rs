use bloomline_spec::Parity;
use std::collections::HashMap;

/// What became of the bits that were flipped: known from the flips alone, not from any parity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flaws {
    /// Slots that read at least one word with an odd number of flipped bits.
    pub met: u64,
    /// Slots that read a word with an even number of them, at least two: what one parity bit cannot tell.
    pub doubled: u64,
    /// Slots that read a word with more than two flipped bits, where words bear an error-correcting code: it may be taken for another word.
    pub many: u64,
    /// Words with flipped bits that were corrected and written back.
    pub written_back: u64,
    /// Words that were written with flipped bits in them that nothing had read.
    pub overwritten: u64,
    /// Words with flipped bits that stand in memory.
    pub standing: u64,
}

/// Memory words whose bits may flip, each with the parity that was written with it.
///
/// What became of the flips is known from the flips alone, not from any parity.
#[derive(Debug, Clone)]
pub(crate) struct FlawedWords {
    parity: Parity,
    /// Bits below the parity.
    payload_bits: u32,
    words: Vec<u64>,
    flip: Option<(usize, u32)>,
    flipped: HashMap<usize, Flipped>,
    flaws: Flaws,
}

/// Flipped bits of a word.
#[derive(Debug, Clone, Copy, Default)]
struct Flipped {
    bits: u64,
    read: bool,
}

/// A word as it was read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ReadWord {
    /// What is below the parity.
    pub payload: u64,
    /// Its parity is checked, and wrong.
    pub wrong: bool,
    /// By the policy it counts as empty.
    pub empty: bool,
    /// An odd number of its bits were flipped.
    pub odd: bool,
    /// An even number of them were.
    pub even: bool,
    /// More than two were, where words bear an error-correcting code.
    pub many: bool,
    /// The code corrected it.
    pub corrected: bool,
    /// The code cannot.
    pub uncorrectable: bool,
}

impl FlawedWords {
    /// So many words as configured: zero.
    pub fn new(parity: Parity, payload_bits: u32, words: usize) -> FlawedWords {
        FlawedWords {
            parity,
            payload_bits,
            words: vec![0; words],
            flip: None,
            flipped: HashMap::new(),
            flaws: Flaws::default(),
        }
    }

    /// A word as it stands. What was read counts in [`FlawedWords::flaws`] only when it is met ([`FlawedWords::meet`]).
    pub fn read(&mut self, place: usize) -> ReadWord {
        let stored = self.words[place];
        let flips = self.flipped.get_mut(&place).map(|flipped| {
            flipped.read = true;
            flipped.bits.count_ones()
        });
        let wrong = self.parity != Parity::None && stored.count_ones() & 1 == 1;
        ReadWord {
            payload: stored & (u64::MAX >> (64 - self.payload_bits)),
            wrong,
            empty: wrong && self.parity == Parity::Empty,
            odd: flips.is_some_and(|flips| flips & 1 == 1),
            even: flips.is_some_and(|flips| flips & 1 == 0),
            ..ReadWord::default()
        }
    }

    /// A slot met words with an odd number of flipped bits, or with an even one.
    pub fn meet(&mut self, odd: bool, even: bool) {
        self.flaws.met += u64::from(odd);
        self.flaws.doubled += u64::from(even);
    }

    /// A word is written, with its parity.
    pub fn write(&mut self, place: usize, payload: u64) {
        let parity = u64::from(payload.count_ones() & 1 & self.parity.bits());
        self.words[place] = parity << self.payload_bits | payload;
        let flipped = self.flipped.remove(&place);
        self.flaws.overwritten += u64::from(flipped.is_some_and(|flipped| !flipped.read));
    }

    /// A bit that flips as the present clock ends.
    pub fn flip(&mut self, place: usize, bit: u32) {
        self.flip = Some((place, bit));
    }

    /// It flips: behind what is read in this clock, before what is written.
    pub fn end_reads(&mut self) {
        let Some((place, bit)) = self.flip.take() else {
            return;
        };
        self.words[place] ^= 1 << bit;
        let flipped = self.flipped.entry(place).or_default();
        flipped.bits ^= 1 << bit;
        if flipped.bits == 0 {
            self.flipped.remove(&place);
        }
    }

    /// What became of the bits that were flipped.
    pub fn flaws(&self) -> Flaws {
        Flaws {
            standing: self.flipped.len() as u64,
            ..self.flaws
        }
    }
}
