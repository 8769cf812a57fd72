use crate::flawed_words::{Flaws, ReadWord};
use bloomline_spec::ecc;
use std::collections::HashMap;

/// Clocks from the one in which memory is read to the one in which the reading slot's word is due.
const READ_AHEAD: u64 = 2;
/// Clocks from there to the one in which a corrected word may be written back.
const TO_WRITE_BACK: u64 = 2;
/// Clocks that are remembered.
const BACK: usize = 8;

/// Memory words with an error-correcting code, and what is on its way to them and from them. Bits of them may flip.
///
/// Rules: "Error correction" in the gateware's page of soft errors. What became of the flips is known from the flips alone, not from the code.
#[derive(Debug, Clone)]
pub(crate) struct CorrectedWords {
    payload_bits: u32,
    /// Column of each bit of a code word.
    columns: Vec<u32>,
    memories: Vec<Memory>,
    flip: Option<(usize, u32, u32)>,
    flaws: Flaws,
}

/// One memory.
#[derive(Debug, Clone)]
struct Memory {
    words: Vec<u64>,
    /// By clock: what memory was read, and what was put on the way to it. It is stored as the clock behind ends.
    samples: [Option<Sample>; BACK],
    puts: [Option<Put>; BACK],
    flipped: HashMap<u32, Flipped>,
}

/// A code word as memory held it.
#[derive(Debug, Clone, Copy)]
struct Sample {
    address: u32,
    code_word: u64,
    flips: u32,
}

#[derive(Debug, Clone, Copy)]
struct Put {
    address: u32,
    payload: u64,
    written_back: bool,
}

/// Flipped bits of a word.
#[derive(Debug, Clone, Copy, Default)]
struct Flipped {
    bits: u64,
    read: bool,
}

/// What a code word says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decoded {
    Sound(u64),
    Corrected(u64),
    Uncorrectable(u64),
}

impl CorrectedWords {
    /// So many memories of so many words as configured: zero.
    pub fn new(payload_bits: u32, memories: usize, words_per_memory: usize) -> CorrectedWords {
        let memory = Memory {
            words: vec![0; words_per_memory],
            samples: [None; BACK],
            puts: [None; BACK],
            flipped: HashMap::new(),
        };
        CorrectedWords {
            payload_bits,
            columns: ecc::columns(payload_bits),
            memories: vec![memory; memories],
            flip: None,
            flaws: Flaws::default(),
        }
    }

    /// What became of the bits that were flipped.
    pub fn flaws(&self) -> Flaws {
        let standing: usize = self
            .memories
            .iter()
            .map(|memory| memory.flipped.len())
            .sum();
        Flaws {
            standing: standing as u64,
            ..self.flaws
        }
    }

    /// A slot met words with an odd number of flipped bits, with an even one, or with more than two.
    pub fn meet(&mut self, odd: bool, even: bool, many: bool) {
        self.flaws.met += u64::from(odd);
        self.flaws.doubled += u64::from(even);
        self.flaws.many += u64::from(many);
    }

    /// Memory is read for a slot whose word is due in [`READ_AHEAD`] clocks.
    pub fn sample(&mut self, now: u64, memory: usize, address: u32) {
        let memory = &mut self.memories[memory];
        let flips = memory.flipped.get_mut(&address).map_or(0, |flipped| {
            flipped.read = true;
            flipped.bits.count_ones()
        });
        memory.samples[place(now)] = Some(Sample {
            address,
            code_word: memory.words[address as usize],
            flips,
        });
    }

    /// The word of the slot whose word is due in clock `now`, with every write up to the clock before.
    pub fn read(&self, now: u64, memory: usize) -> ReadWord {
        let memory = &self.memories[memory];
        let Some(sample) = memory.samples[place(now - READ_AHEAD)] else {
            return ReadWord::default();
        };
        if let Some(put) = memory.ahead(now, sample.address) {
            return ReadWord {
                payload: put.payload,
                ..ReadWord::default()
            };
        }
        let word = ReadWord {
            odd: sample.flips & 1 == 1,
            even: sample.flips > 0 && sample.flips & 1 == 0,
            many: sample.flips > 2,
            ..ReadWord::default()
        };
        match self.decode(sample.code_word) {
            Decoded::Sound(payload) => ReadWord { payload, ..word },
            Decoded::Corrected(payload) => ReadWord {
                payload,
                corrected: true,
                ..word
            },
            Decoded::Uncorrectable(payload) => ReadWord {
                payload,
                uncorrectable: true,
                ..word
            },
        }
    }

    /// A word is written.
    pub fn put(&mut self, now: u64, memory: usize, address: u32, payload: u64) {
        self.memories[memory].puts[place(now)] = Some(Put {
            address,
            payload,
            written_back: false,
        });
    }

    /// A slot that reads stands [`TO_WRITE_BACK`] clocks behind the clock in which its word was due: what was corrected is written back, if nothing was
    /// written since and nothing is written now.
    pub fn write_back(&mut self, now: u64, memory: usize) {
        let due = now - TO_WRITE_BACK;
        let of = &self.memories[memory];
        let Some(sample) = of.samples[place(due - READ_AHEAD)] else {
            return;
        };
        let written = |put: Option<Put>| put.is_some_and(|put| !put.written_back);
        if of.ahead(due, sample.address).is_some()
            || (due..=now).any(|clock| written(of.puts[place(clock)]))
        {
            return;
        }
        if let Decoded::Corrected(payload) = self.decode(sample.code_word) {
            self.memories[memory].puts[place(now)] = Some(Put {
                address: sample.address,
                payload,
                written_back: true,
            });
        }
    }

    /// A bit that flips as the present clock ends.
    pub fn flip(&mut self, memory: usize, word: u32, bit: u32) {
        self.flip = Some((memory, word, bit));
    }

    /// Ends clock `now`: a bit flips; then what was put in the clock before is stored.
    pub fn end(&mut self, now: u64) {
        if let Some((memory, word, bit)) = self.flip.take() {
            let memory = &mut self.memories[memory];
            memory.words[word as usize] ^= 1 << bit;
            let flipped = memory.flipped.entry(word).or_default();
            flipped.bits ^= 1 << bit;
            if flipped.bits == 0 {
                memory.flipped.remove(&word);
            }
        }
        let puts: Vec<(usize, Put)> = (0..)
            .zip(&self.memories)
            .filter_map(|(at, memory)| Some((at, memory.puts[place(now.wrapping_sub(1))]?)))
            .collect();
        for (at, put) in puts {
            let code_word = self.encode(put.payload);
            let memory = &mut self.memories[at];
            memory.words[put.address as usize] = code_word;
            if let Some(flipped) = memory.flipped.remove(&put.address) {
                self.flaws.overwritten += u64::from(!flipped.read);
                self.flaws.written_back += u64::from(put.written_back);
            }
        }
        for memory in &mut self.memories {
            memory.puts[place(now + 1)] = None;
            memory.samples[place(now + 1)] = None;
        }
    }

    /// The code word of a payload: its check bits are the sum of the columns of the bits that are set in it.
    fn encode(&self, payload: u64) -> u64 {
        let check = (0..self.payload_bits)
            .filter(|bit| payload >> bit & 1 == 1)
            .fold(0, |check, bit| check ^ self.columns[bit as usize]);
        u64::from(check) << self.payload_bits | payload
    }

    fn decode(&self, code_word: u64) -> Decoded {
        let payload = |code_word: u64| code_word & (u64::MAX >> (64 - self.payload_bits));
        let sound = self.encode(payload(code_word));
        let syndrome = ((sound ^ code_word) >> self.payload_bits) as u32;
        if syndrome == 0 {
            return Decoded::Sound(payload(code_word));
        }
        match self.columns.iter().position(|&column| column == syndrome) {
            Some(bit) => Decoded::Corrected(payload(code_word ^ 1 << bit)),
            None => Decoded::Uncorrectable(payload(code_word)),
        }
    }
}

impl Memory {
    /// The newest write that memory did not show to a slot whose word of this address is due in clock `due`.
    fn ahead(&self, due: u64, address: u32) -> Option<Put> {
        (1..=READ_AHEAD + 1).find_map(|clocks| {
            let put = self.puts[place(due.wrapping_sub(clocks))];
            put.filter(|put| put.address == address)
        })
    }
}

/// Where what was in a clock is kept.
fn place(clock: u64) -> usize {
    clock as usize % BACK
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> CorrectedWords {
        CorrectedWords::new(36, 1, 4)
    }

    #[test]
    fn every_single_flip_is_corrected_and_every_double_flip_is_detected() {
        let words = words();
        for payload in [0, u64::MAX >> 28, 0x5_a5a5_5a5a, 0x9_0000_0001] {
            let code_word = words.encode(payload);
            assert_eq!(words.decode(code_word), Decoded::Sound(payload));
            for a in 0..43 {
                let one = code_word ^ 1 << a;
                assert_eq!(words.decode(one), Decoded::Corrected(payload));
                for b in 0..a {
                    let two = words.decode(one ^ 1 << b);
                    assert!(
                        matches!(two, Decoded::Uncorrectable(_)),
                        "{a}, {b}: {two:?}"
                    );
                }
            }
        }
    }
}
