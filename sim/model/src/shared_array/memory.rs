use super::array::ArrayWrite;
use crate::corrected_words::CorrectedWords;
use crate::flawed_words::{FlawedWords, Flaws};
use crate::functional::Outcome;
use crate::hash::Probes;
use crate::pipeline::memory::{MemoryBit, Met};
use bloomline_spec::{Operation, RecycleOn, RecyclingGeometry, EPOCH_BITS, WORD_BITS};

/// Clocks from a read to the one in which it is known whether its word is wrong: from stage i + 1 to stage i + 5.
const TO_CHECK: u32 = 4;
/// Clocks from a read to the one in which a refresh writes what it read: from stage 1 to stage 5.
const TO_REFRESH: u32 = 4;
/// Clocks that anything here is looked back over: more than from the first read of an item to its last write.
const BACK: usize = 64;

/// What the array of each half of a filter in the shared layout holds, word for word, with what the item in the array has read.
///
/// The functional model knows what the filter ought to hold. This knows what memory does hold, so that a bit can be flipped. Rules: "Soft errors" in the gateware's
/// pages.
#[derive(Debug, Clone)]
pub(crate) struct SharedArrayMemory {
    phases: usize,
    words: usize,
    decision: u32,
    write: u32,
    count_mask: u64,
    recycle_on: RecycleOn,
    retain: bool,
    stored: FlawedWords,
    /// In their place, with an error-correcting code: a memory for each half.
    corrected: Option<CorrectedWords>,
    /// By clock: what was read.
    readings: Box<[Reading]>,
    /// The word that is written in the present clock: half, address, payload.
    written: Option<(usize, u32, u64)>,
    /// The bits that a set in stage 5 adds to its word.
    adding: u32,
    bits_active: u64,
    bits_frozen: u64,
    messages: u64,
}

/// What was read in one clock: a word that does not bear the epoch of its half is `None`.
#[derive(Debug, Clone, Copy)]
struct Reading {
    active: Option<u32>,
    frozen: Option<u32>,
    /// Something was read, and no reset has emptied its slot.
    stands: bool,
    met: Met,
    odd: bool,
    even: bool,
    many: bool,
}

const NOTHING_READ: Reading = Reading {
    active: None,
    frozen: None,
    stands: false,
    met: Met::NOTHING,
    odd: false,
    even: false,
    many: false,
};

/// The words that are looked at in the present clock, if any are: by what reads, and with an error-correcting code by what stands two stages before that and two
/// stages behind it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places {
    pub reading: Option<u32>,
    pub sampling: Option<u32>,
    pub writing_back: Option<u32>,
}

/// The halves in the present clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Halves {
    pub active: usize,
    pub epoch: u8,
    pub other_epoch: u8,
}

impl SharedArrayMemory {
    /// Clocks from a read to the one in which a fetch has its word: from stage 1 to stage 4.
    pub const TO_FETCH: u32 = 3;

    /// Memory as configured.
    pub fn new(geometry: &RecyclingGeometry) -> SharedArrayMemory {
        let timing = geometry.timing();
        let phases = geometry.phases() as usize;
        let words = geometry.words_per_bank() as usize;
        SharedArrayMemory {
            phases,
            words,
            decision: timing.decision_stage,
            write: timing.write_stage,
            count_mask: u64::MAX >> (64 - geometry.count_bits()),
            recycle_on: geometry.recycle_on(),
            retain: geometry.retain(),
            stored: FlawedWords::new(geometry.parity(), WORD_BITS + EPOCH_BITS, phases * words),
            corrected: geometry
                .ecc()
                .then(|| CorrectedWords::new(WORD_BITS + EPOCH_BITS, phases, words)),
            readings: vec![NOTHING_READ; BACK].into(),
            written: None,
            adding: 0,
            bits_active: 0,
            bits_frozen: 0,
            messages: 0,
        }
    }

    /// Bits set in the active and in the frozen half and messages, as the gateware counts them.
    pub fn counts(&self) -> (u64, u64, u64) {
        (self.bits_active, self.bits_frozen, self.messages)
    }

    /// What became of the bits that were flipped.
    pub fn flaws(&self) -> Flaws {
        match &self.corrected {
            Some(corrected) => corrected.flaws(),
            None => self.stored.flaws(),
        }
    }

    /// A bit that flips as the present clock ends; what is written in this clock wins.
    pub fn flip(&mut self, bit: MemoryBit) {
        if let Some(corrected) = &mut self.corrected {
            return corrected.flip(bit.half as usize, bit.word, bit.bit);
        }
        let place = self.place_of(bit.half as usize, bit.word);
        self.stored.flip(place, bit.bit);
    }

    /// What becomes of an item that is decided in clock `now`.
    pub fn judge(
        &mut self,
        now: u64,
        probes: Probes,
        operation: Operation,
        threshold: u64,
    ) -> Outcome {
        let positions = probes.positions();
        let mut outcome = Outcome {
            in_active: true,
            in_frozen: self.phases == 2,
            ..Outcome::default()
        };
        let (mut clear_bits, mut different) = (0, 0);
        for (probe, &position) in positions.iter().enumerate() {
            let read = &self.readings[ago(now, self.decision - 1 - probe as u32)];
            let set = |word: Option<u32>| word.unwrap_or(0) >> (position % WORD_BITS) & 1 == 1;
            let first = !positions[..probe].contains(&position);
            outcome.in_active &= set(read.active);
            outcome.in_frozen &= set(read.frozen);
            clear_bits += u32::from(first && !set(read.active));
            different += u64::from(first);
        }
        if !operation.inserts() {
            return outcome;
        }
        outcome.new_bits = clear_bits;
        outcome.tripped = clear_bits > 0
            && match self.recycle_on {
                RecycleOn::BitsSet => self.bits_active + u64::from(clear_bits) > threshold,
                RecycleOn::Messages => self.messages + 1 >= threshold,
            };
        outcome.stored = !outcome.tripped || self.retain;
        if outcome.tripped {
            self.recycle();
            if self.retain {
                (self.bits_active, self.messages) = (different, 1);
            }
        } else {
            self.count(clear_bits.into());
        }
        outcome
    }

    /// The slot that is decided recycles.
    pub fn recycle(&mut self) {
        if self.phases == 2 {
            self.bits_frozen = self.bits_active;
        }
        (self.bits_active, self.messages) = (0, 0);
    }

    /// So many bits are set by one message.
    fn count(&mut self, bits: u64) {
        let more = |count: u64, by: u64| (count + by) & self.count_mask;
        self.messages = more(self.messages, u64::from(bits > 0));
        self.bits_active = more(self.bits_active, bits);
    }

    /// The word of a fetch that stands in stage 4 in clock `now`.
    pub fn fetched(&self, now: u64, frozen: bool) -> u32 {
        let read = &self.readings[ago(now, SharedArrayMemory::TO_FETCH)];
        let word = if frozen { read.frozen } else { read.active };
        word.unwrap_or(0)
    }

    /// A set that stands in stage 4 adds these bits to the word that it read.
    pub fn take_added(&mut self, bits: u32) {
        self.adding = bits;
    }

    /// The bits of a set count, `clocks` clocks after it read its word; how many are new.
    pub fn add(&mut self, now: u64, clocks: u32, bits: u32) -> u32 {
        let before = self.readings[ago(now, clocks)].active.unwrap_or(0);
        let more = (bits & !before).count_ones();
        self.count(more.into());
        more
    }

    /// A word is written in clock `now`; whether it bore another epoch, and no write of this item before gave it this one.
    pub fn write(&mut self, now: u64, write: &ArrayWrite) -> bool {
        let (data, first) = match write.probe {
            Some((probe, probes)) => {
                let positions = probes.positions();
                let same_word = |of: &&u32| **of / WORD_BITS == write.word;
                let mask = positions
                    .iter()
                    .filter(same_word)
                    .fold(0, |mask, position| mask | 1 << (position % WORD_BITS));
                let fresh = !positions[..probe as usize].iter().any(|of| same_word(&of));
                // from stage i + 1 to stage W + i
                let read = self.readings[ago(now, self.write - 1)].active;
                let kept = read.filter(|_| !write.by.recycled);
                (kept.unwrap_or(0) | mask, fresh && kept.is_none())
            }
            None => {
                let read = self.readings[ago(now, TO_REFRESH)].active;
                let added = if write.sets { self.adding } else { 0 };
                (read.unwrap_or(0) | added, read.is_none())
            }
        };
        let payload = u64::from(write.by.epoch) << WORD_BITS | u64::from(data);
        self.written = Some((write.by.half, write.word, payload));
        first
    }

    /// What a read that is checked in clock `now` met.
    pub fn check(&mut self, now: u64) -> Met {
        let read = self.readings[ago(now, TO_CHECK)];
        if !read.stands {
            return Met::NOTHING;
        }
        match &mut self.corrected {
            Some(corrected) => corrected.meet(read.odd, read.even, read.many),
            None => self.stored.meet(read.odd, read.even),
        }
        read.met
    }

    /// Ends clock `now`: a word is read, if one is; then a bit flips; then what was written stands in memory, with an error-correcting code a clock later.
    pub fn end(&mut self, now: u64, halves: Halves, places: Places) {
        self.readings[place(now)] = match places.reading {
            Some(address) => self.read(now, halves, address),
            None => NOTHING_READ,
        };
        if let Some(corrected) = &mut self.corrected {
            if let Some((half, word, payload)) = self.written.take() {
                corrected.put(now, half, word, payload);
            }
            for half in 0..self.phases {
                if let Some(address) = places.sampling {
                    corrected.sample(now, half, address);
                }
                if places.writing_back.is_some() {
                    corrected.write_back(now, half);
                }
            }
            return corrected.end(now);
        }
        self.stored.end_reads();
        if let Some((half, word, payload)) = self.written.take() {
            let place = self.place_of(half, word);
            self.stored.write(place, payload);
        }
    }

    fn read(&mut self, now: u64, halves: Halves, address: u32) -> Reading {
        let mut read = Reading {
            stands: true,
            ..NOTHING_READ
        };
        let (active, epoch) = (halves.active, halves.epoch);
        read.active = self.meet(now, active, epoch, address, &mut read);
        if self.phases == 2 {
            read.frozen = self.meet(now, 1 - active, halves.other_epoch, address, &mut read);
        }
        read
    }

    /// The data of a stored word that counts under `epoch`.
    fn meet(
        &mut self,
        now: u64,
        half: usize,
        epoch: u8,
        address: u32,
        read: &mut Reading,
    ) -> Option<u32> {
        let word = match &self.corrected {
            Some(corrected) => corrected.read(now, half),
            None => self.stored.read(self.place_of(half, address)),
        };
        read.met.wrong |= word.wrong;
        read.met.corrected |= word.corrected;
        read.met.uncorrectable |= word.uncorrectable;
        read.odd |= word.odd;
        read.even |= word.even;
        read.many |= word.many;
        let bears = word.payload >> WORD_BITS == u64::from(epoch);
        (bears && !word.empty).then_some(word.payload as u32)
    }

    /// At the end of a clock with reset: counts are empty, and what slots in flight have read is not checked; memory stays.
    pub fn reset(&mut self, now: u64) {
        for clocks in 0..TO_CHECK {
            self.readings[ago(now, clocks)].stands = false;
        }
        (self.bits_active, self.bits_frozen, self.messages) = (0, 0, 0);
    }

    fn place_of(&self, half: usize, word: u32) -> usize {
        half * self.words + word as usize
    }
}

/// Where what was in a clock is kept.
fn place(clock: u64) -> usize {
    clock as usize % BACK
}

/// Where what was `clocks` clocks before `now` is kept; before the first clock there is nothing.
fn ago(now: u64, clocks: u32) -> usize {
    place(now.wrapping_sub(clocks.into()))
}
