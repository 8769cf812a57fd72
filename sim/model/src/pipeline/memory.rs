use super::epochs::Write;
use crate::corrected_words::CorrectedWords;
use crate::flawed_words::{FlawedWords, Flaws};
use crate::functional::Outcome;
use crate::hash::{Probes, MAX_PROBES};
use bloomline_spec::{Operation, RecycleOn, RecyclingGeometry, EPOCH_BITS, WORD_BITS};

/// Stage in which a slot stands when its view of the halves is taken.
const VIEW_STAGE: u32 = 2;
/// Stage in which its words are read.
const READ_STAGE: u32 = 4;
/// Stages in which memory with an error-correcting code is read, and in which what was corrected may be written back.
const EARLY_STAGE: u32 = 2;
const WRITE_BACK_STAGE: u32 = 6;
/// Stage in which it is known whether one of them is wrong.
pub(crate) const CHECK_STAGE: u32 = 8;
/// Clocks that anything here is looked back over: more than a slot takes from stage 2 to the write stage.
const BACK: usize = 64;

/// A bit of the filter's memory that a soft error flips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemoryBit {
    /// The half by its number, 0 or 1, whatever its role is.
    pub half: u32,
    /// The bank.
    pub bank: u32,
    /// Word of the bank's half.
    pub word: u32,
    /// Bit of the word: data from 0, then the epoch from 32, then parity or check bits from 36.
    pub bit: u32,
}

/// What the array of a partitioned recycling filter holds, word for word, with what slots in flight know of it.
///
/// The functional model knows what the filter ought to hold. This knows what memory does hold, so that a bit can be flipped: a slot reads its words in
/// stage 4, follows what slots ahead of it write and decide, and writes in the write stage. Rules: "Soft errors" in the gateware's pages.
#[derive(Debug, Clone)]
pub(crate) struct FilterMemory {
    phases: usize,
    banks: usize,
    words: usize,
    decision: u32,
    write: u32,
    front: u32,
    count_mask: u64,
    recycle_on: RecycleOn,
    retain: bool,
    stored: FlawedWords,
    /// In its place, where words bear an error-correcting code.
    corrected: Option<CorrectedWords>,
    /// By clock: the halves as slots saw them, what was decided, what was written, and what slots in stage 4 read.
    views: Box<[View]>,
    decided: Box<[Decided]>,
    written: Box<[Option<Written>]>,
    readings: Box<[Reading]>,
    bits_active: u64,
    bits_frozen: u64,
    messages: u64,
}

/// The halves in one clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct View {
    active: usize,
    epoch: u8,
    other_epoch: u8,
}

/// What the slot in the decision stage did.
#[derive(Debug, Clone, Copy)]
struct Decided {
    inserts: bool,
    tripped: bool,
    positions: Probes,
}

/// The words that the slot in the write stage wrote.
#[derive(Debug, Clone, Copy)]
struct Written {
    half: usize,
    epoch: u8,
    address: [u32; MAX_PROBES],
    data: [u32; MAX_PROBES],
}

/// What a slot read: words that do not bear the epoch are `None`.
#[derive(Debug, Clone, Copy)]
struct Reading {
    view: View,
    active: [Option<u32>; MAX_PROBES],
    frozen: [Option<u32>; MAX_PROBES],
    /// What is wrong with words from memory.
    met: Met,
    /// A word from memory had an odd number of flipped bits.
    odd: bool,
    /// A word from memory had an even number of them.
    even: bool,
    /// A word from memory had more than two.
    many: bool,
}

/// What a slot met in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Met {
    /// A word of wrong parity.
    pub wrong: bool,
    /// A word that was corrected.
    pub corrected: bool,
    /// A word that could not be.
    pub uncorrectable: bool,
}

impl Met {
    pub const NOTHING: Met = Met {
        wrong: false,
        corrected: false,
        uncorrectable: false,
    };
}

const NOTHING_READ: Reading = Reading {
    view: View {
        active: 0,
        epoch: 0,
        other_epoch: 0,
    },
    active: [None; MAX_PROBES],
    frozen: [None; MAX_PROBES],
    met: Met::NOTHING,
    odd: false,
    even: false,
    many: false,
};

impl FilterMemory {
    /// Memory as configured, of the partitioned layout.
    pub fn new(geometry: &RecyclingGeometry) -> FilterMemory {
        let timing = geometry.timing();
        let (phases, banks) = (geometry.phases() as usize, geometry.banks() as usize);
        let words = geometry.words_per_bank() as usize;
        FilterMemory {
            phases,
            banks,
            words,
            decision: timing.decision_stage,
            write: timing.write_stage,
            front: timing.front_clocks,
            count_mask: u64::MAX >> (64 - geometry.count_bits()),
            recycle_on: geometry.recycle_on(),
            retain: geometry.retain(),
            stored: FlawedWords::new(
                geometry.parity(),
                WORD_BITS + EPOCH_BITS,
                phases * banks * words,
            ),
            corrected: geometry
                .ecc()
                .then(|| CorrectedWords::new(WORD_BITS + EPOCH_BITS, phases * banks, words)),
            views: vec![View::default(); BACK].into(),
            decided: vec![Decided::NOTHING; BACK].into(),
            written: vec![None; BACK].into(),
            readings: vec![NOTHING_READ; BACK].into(),
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
            let memory = bit.half as usize * self.banks + bit.bank as usize;
            return corrected.flip(memory, bit.word, bit.bit);
        }
        let place = self.place_of(bit.half as usize, bit.bank as usize, bit.word);
        self.stored.flip(place, bit.bit);
    }

    /// Clocks from a slot's entry to a stage.
    pub fn to_stage(&self, stage: u32) -> u32 {
        self.front + stage
    }

    /// Clocks from a slot's entry to its reads.
    pub fn to_read(&self) -> u32 {
        self.to_stage(READ_STAGE)
    }

    /// Whether words bear an error-correcting code: then memory is read early ([`FilterMemory::sample`]).
    pub fn corrects(&self) -> bool {
        self.corrected.is_some()
    }

    /// Clocks from a slot's entry to the stage in which such a memory is read, and to the one in which a word may be written back.
    pub fn to_sample_and_write_back(&self) -> (u32, u32) {
        (self.to_stage(EARLY_STAGE), self.to_stage(WRITE_BACK_STAGE))
    }

    /// A slot that reads stands in the stage in which memory with an error-correcting code is read.
    pub fn sample(&mut self, now: u64, addresses: impl Iterator<Item = u32>) {
        let (banks, phases) = (self.banks, self.phases);
        let corrected = self.corrected.iter_mut();
        for (corrected, addresses) in corrected.zip([addresses]) {
            for (bank, address) in addresses.enumerate() {
                for half in 0..phases {
                    corrected.sample(now, half * banks + bank, address);
                }
            }
        }
    }

    /// A slot that reads stands in the stage in which what was corrected may be written back, and there is no reset.
    pub fn write_back(&mut self, now: u64) {
        self.put(now);
        if let Some(corrected) = &mut self.corrected {
            for memory in 0..self.phases * self.banks {
                corrected.write_back(now, memory);
            }
        }
    }

    /// What is written in clock `now` is on its way to memory with an error-correcting code.
    fn put(&mut self, now: u64) {
        if let (Some(corrected), Some(written)) = (&mut self.corrected, self.written[place(now)]) {
            for bank in 0..self.banks {
                let payload = u64::from(written.epoch) << WORD_BITS | u64::from(written.data[bank]);
                let memory = written.half * self.banks + bank;
                corrected.put(now, memory, written.address[bank], payload);
            }
        }
    }

    /// The halves as they stand in clock `now`, before its decision.
    pub fn look(&mut self, now: u64, active: usize, epoch: u8, other_epoch: u8) {
        self.views[place(now)] = View {
            active,
            epoch,
            other_epoch,
        };
        self.decided[place(now)] = Decided::NOTHING;
    }

    /// My bits in the active and in the frozen half, all of a slot that is decided in clock `now`, bank by bank.
    fn flags(&self, now: u64, positions: &[u32]) -> [(bool, bool); MAX_PROBES] {
        let read = &self.readings[ago(now, self.decision - READ_STAGE)];
        let mut flags = [(false, false); MAX_PROBES];
        for (bank, (flag, &position)) in flags.iter_mut().zip(positions).enumerate() {
            let set = |word: Option<u32>| word.unwrap_or(0) >> (position % WORD_BITS) & 1 == 1;
            let (mut active, mut frozen) = (set(read.active[bank]), set(read.frozen[bank]));
            for clocks in (1..=self.decision - VIEW_STAGE).rev() {
                let ahead = &self.decided[ago(now, clocks)];
                let mine = ahead.inserts && ahead.positions.positions()[bank] == position;
                if ahead.tripped {
                    frozen = self.phases == 2 && active;
                    active = mine && self.retain;
                } else {
                    active |= mine;
                }
            }
            *flag = (active, frozen);
        }
        flags
    }

    /// Whether every bit is set in the frozen half, for a slot that is decided in clock `now`.
    pub fn in_frozen(&self, now: u64, positions: &[u32]) -> bool {
        let flags = self.flags(now, positions);
        self.phases == 2 && flags[..positions.len()].iter().all(|flag| flag.1)
    }

    /// What becomes of an item that is decided in clock `now`; `looked` is what its look found in the frozen half, if that counts.
    pub fn judge(
        &mut self,
        now: u64,
        probes: Probes,
        looked: Option<bool>,
        operation: Operation,
        threshold: u64,
    ) -> Outcome {
        let positions = probes.positions();
        let flags = self.flags(now, positions);
        let clear_bits = flags[..positions.len()]
            .iter()
            .filter(|flag| !flag.0)
            .count() as u32;
        let mut outcome = Outcome {
            in_active: clear_bits == 0,
            in_frozen: looked.unwrap_or_else(|| self.in_frozen(now, positions)),
            ..Outcome::default()
        };
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
            self.recycle(now);
            if self.retain {
                self.bits_active = self.banks as u64;
                self.messages = 1;
            }
        } else {
            let more = |count: u64, by: u64| (count + by) & self.count_mask;
            self.bits_active = more(self.bits_active, clear_bits.into());
            self.messages = more(self.messages, u64::from(clear_bits > 0));
        }
        let decided = &mut self.decided[place(now)];
        decided.inserts = true;
        decided.positions = probes;
        outcome
    }

    /// The slot that is decided in clock `now` recycles.
    pub fn recycle(&mut self, now: u64) {
        self.decided[place(now)].tripped = true;
        if self.phases == 2 {
            self.bits_frozen = self.bits_active;
        }
        self.bits_active = 0;
        self.messages = 0;
    }

    /// A clock with reset: counts are empty, memory stays.
    pub fn reset(&mut self) {
        (self.bits_active, self.bits_frozen, self.messages) = (0, 0, 0);
    }

    /// The word that a fetch in stage 8 in clock `now` gives.
    pub fn fetched(&self, now: u64, frozen: bool, bank: u32) -> u32 {
        let read = self.checked(now);
        let words = match frozen {
            false => &read.active,
            true => &read.frozen,
        };
        match (bank as usize) < self.banks {
            true => words[bank as usize].unwrap_or(0),
            false => 0,
        }
    }

    fn checked(&self, now: u64) -> &Reading {
        &self.readings[ago(now, CHECK_STAGE - READ_STAGE)]
    }

    /// A slot that reads stands in stage 8 in clock `now`: what is wrong with the words that it met.
    pub fn check(&mut self, now: u64) -> Met {
        let read = *self.checked(now);
        match &mut self.corrected {
            Some(corrected) => corrected.meet(read.odd, read.even, read.many),
            None => self.stored.meet(read.odd, read.even),
        }
        read.met
    }

    /// A slot that read its words `clocks - to_read` clocks before `now` sets bits in one of them, which count now; how many are new.
    pub fn add(&mut self, now: u64, clocks: u32, bank: u32, bits: u32) -> u32 {
        let read = &self.readings[ago(now, clocks - self.to_read())];
        let new_bits = match (bank as usize) < self.banks {
            true => bits & !read.active[bank as usize].unwrap_or(0),
            false => 0,
        };
        let more = new_bits.count_ones();
        self.bits_active = (self.bits_active + u64::from(more)) & self.count_mask;
        self.messages = (self.messages + u64::from(more > 0)) & self.count_mask;
        more
    }

    /// The words of the slot that stands in the write stage in clock `now`, with whether each bore another epoch: `mask` gives the
    /// bits that are set in the word of a bank.
    pub fn write(
        &mut self,
        now: u64,
        by: Write,
        addresses: impl Iterator<Item = u32>,
        mask: impl Fn(usize) -> u32,
    ) -> Vec<(usize, Option<bool>)> {
        let in_flight = self.write - READ_STAGE;
        let read = self.readings[ago(now, in_flight)];
        let mut written = Written {
            half: by.half,
            epoch: by.epoch,
            address: [0; MAX_PROBES],
            data: [0; MAX_PROBES],
        };
        let mut words = Vec::with_capacity(self.banks);
        for (bank, address) in addresses.enumerate() {
            let ahead = (1..=in_flight).find_map(|clocks| {
                self.written[ago(now, clocks)].filter(|ahead| {
                    let same_half = (ahead.half, ahead.epoch) == (by.half, by.epoch);
                    same_half && ahead.address[bank] == address
                })
            });
            let stands = (read.view.active, read.view.epoch) == (by.half, by.epoch);
            let base = match ahead {
                Some(ahead) => Some(ahead.data[bank]),
                None => read.active[bank].filter(|_| stands),
            };
            written.address[bank] = address;
            written.data[bank] = base.unwrap_or(0) | mask(bank);
            words.push((address as usize, Some(base.is_none())));
        }
        self.written[place(now)] = Some(written);
        words
    }

    /// Ends clock `now`: the slot in stage 4, if it reads, reads the words at `addresses`; then a bit flips; then what was written
    /// stands in memory.
    pub fn end(&mut self, now: u64, addresses: Option<impl Iterator<Item = u32>>) {
        if let Some(addresses) = addresses {
            self.readings[place(now)] = self.read(now, addresses);
        }
        if self.corrected.is_some() {
            self.put(now);
        }
        if let Some(corrected) = &mut self.corrected {
            corrected.end(now);
            self.written[place(now + 1)] = None;
            return;
        }
        self.stored.end_reads();
        if let Some(written) = self.written[place(now)] {
            for bank in 0..self.banks {
                let word = self.place_of(written.half, bank, written.address[bank]);
                let payload = u64::from(written.epoch) << WORD_BITS | u64::from(written.data[bank]);
                self.stored.write(word, payload);
            }
        }
        self.written[place(now + 1)] = None;
    }

    fn read(&mut self, now: u64, addresses: impl Iterator<Item = u32>) -> Reading {
        let view = self.views[ago(now, READ_STAGE - VIEW_STAGE)];
        let mut read = Reading {
            view,
            ..NOTHING_READ
        };
        for (bank, address) in addresses.enumerate() {
            let meets = self.written[place(now)].filter(|ahead| ahead.address[bank] == address);
            match meets {
                Some(ahead) => read.active[bank] = Some(ahead.data[bank]),
                None => {
                    read.active[bank] =
                        self.meet(now, (view.active, bank, address), view.epoch, &mut read);
                }
            }
            if self.phases == 2 {
                let word = (1 - view.active, bank, address);
                read.frozen[bank] = self.meet(now, word, view.other_epoch, &mut read);
            }
        }
        read
    }

    /// The data of a stored word that counts under `epoch`.
    fn meet(
        &mut self,
        now: u64,
        (half, bank, address): (usize, usize, u32),
        epoch: u8,
        read: &mut Reading,
    ) -> Option<u32> {
        let word = match &self.corrected {
            Some(corrected) => corrected.read(now, half * self.banks + bank),
            None => self.stored.read(self.place_of(half, bank, address)),
        };
        read.met.wrong |= word.wrong;
        read.met.corrected |= word.corrected;
        read.met.uncorrectable |= word.uncorrectable;
        read.many |= word.many;
        read.odd |= word.odd;
        read.even |= word.even;
        let bears = word.payload >> WORD_BITS == u64::from(epoch);
        (bears && !word.empty).then_some(word.payload as u32)
    }

    fn place_of(&self, half: usize, bank: usize, word: u32) -> usize {
        (half * self.banks + bank) * self.words + word as usize
    }
}

impl Decided {
    const NOTHING: Decided = Decided {
        inserts: false,
        tripped: false,
        positions: Probes::NONE,
    };
}

/// Where what was in a clock is kept.
fn place(clock: u64) -> usize {
    clock as usize % BACK
}

/// Where what was `clocks` clocks before `now` is kept; before the first clock there is nothing.
fn ago(now: u64, clocks: u32) -> usize {
    place(now.wrapping_sub(clocks.into()))
}
