use crate::corrected_words::CorrectedWords;
use crate::flawed_words::{FlawedWords, Flaws};
use crate::hash::MAX_PROBES;
use crate::pipeline::{MemoryBit, Met};
use bloomline_spec::{CellGeometry, EPOCH_BITS, WORD_BITS};

/// Stage in which a slot reads its words.
pub(super) const READ_STAGE: u32 = 1;
/// Stage in which they are settled: what the slot makes of them is known from here on.
const SETTLE_STAGE: u32 = 2;
/// Stage in which a slot writes its words, and is heard of if one that it read was wrong.
pub(super) const WRITE_STAGE: u32 = 5;
/// Slots ahead whose words have not reached memory when a slot reads its own.
const AHEAD: u32 = 4;
/// Banks of two panes.
pub(super) const MAX_BANKS: usize = 2 * MAX_PROBES;
/// Clocks that anything here is looked back over.
const BACK: usize = 8;

/// What the banks of a filter of cells hold, word for word, with what slots in flight make of it.
///
/// The functional model knows what the cells ought to be. This knows what memory does hold, so that a bit can be flipped: a slot reads one word of every bank in
/// stage 1, takes over what one of the four slots ahead makes of the same word, and writes in stage 5. Rules: "Soft errors" in the gateware's pages.
#[derive(Debug, Clone)]
pub(super) struct CellMemory {
    /// Of all panes, one pane's after the other's.
    banks: usize,
    banks_of_pane: usize,
    words: usize,
    stored: FlawedWords,
    /// In its place, where words bear an error-correcting code.
    corrected: Option<CorrectedWords>,
    /// By the clock in which a slot stands in stage 1.
    readings: Box<[Reading]>,
    /// By the clock in which a slot stands in stage 2.
    settled: Box<[Option<Settled>]>,
}

/// Where a slot reads: a word of every bank, and the bank whose word it replaces unseen, if it stores.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    /// Address of the word in each bank.
    pub address: [u32; MAX_BANKS],
    /// The bank that a word is stored to.
    pub stored_to: Option<usize>,
}

/// What a slot met.
#[derive(Debug, Clone, Copy)]
struct Reading {
    address: [u32; MAX_BANKS],
    /// Data bits as they count.
    data: [u32; MAX_BANKS],
    /// The word is the first with this epoch in its place, as far as the slot can tell.
    first: [bool; MAX_BANKS],
    /// What is wrong with words from memory.
    wrong: Met,
    /// A word from memory had an odd number of flipped bits.
    met: bool,
    /// A word from memory had an even number of them.
    doubled: bool,
    /// A word from memory had more than two.
    many: bool,
}

const NOTHING_READ: Reading = Reading {
    address: [0; MAX_BANKS],
    data: [0; MAX_BANKS],
    first: [false; MAX_BANKS],
    wrong: Met::NOTHING,
    met: false,
    doubled: false,
    many: false,
};

/// The words that a slot leaves.
#[derive(Debug, Clone, Copy)]
struct Settled {
    epochs: [u8; 2],
    address: [u32; MAX_BANKS],
    data: [u32; MAX_BANKS],
    first: [bool; MAX_BANKS],
}

impl CellMemory {
    /// Memory as configured: all bits 0.
    pub fn new(geometry: &CellGeometry) -> CellMemory {
        let (banks, words) = (
            geometry.banks() as usize,
            geometry.words_per_bank() as usize,
        );
        CellMemory {
            banks,
            banks_of_pane: banks / geometry.panes() as usize,
            words,
            stored: FlawedWords::new(geometry.parity(), WORD_BITS + EPOCH_BITS, banks * words),
            corrected: geometry
                .ecc()
                .then(|| CorrectedWords::new(WORD_BITS + EPOCH_BITS, banks, words)),
            readings: vec![NOTHING_READ; BACK].into(),
            settled: vec![None; BACK].into(),
        }
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
            return corrected.flip(bit.bank as usize, bit.word, bit.bit);
        }
        let place = place_of(self.words, bit.bank as usize, bit.word);
        self.stored.flip(place, bit.bit);
    }

    /// The words that the slot in stage 2 in clock `now` meets: for each bank the place in the array, and the data bits.
    pub fn met(&self, now: u64) -> impl Iterator<Item = (u64, u32)> + use<> {
        let reading = self.readings[ago(now, SETTLE_STAGE - READ_STAGE)];
        let words = self.words;
        (0..self.banks).map(move |bank| {
            let place = place_of(words, bank, reading.address[bank]);
            (place as u64, reading.data[bank])
        })
    }

    /// What the slot in stage 2 in clock `now` leaves under the panes' epochs: `word` gives the word at a place of the array. A slot that reads nothing
    /// leaves nothing.
    pub fn settle(&mut self, now: u64, reads: bool, epochs: [u8; 2], word: impl Fn(u64) -> u32) {
        let reading = self.readings[ago(now, SETTLE_STAGE - READ_STAGE)];
        self.settled[ago(now, 0)] = reads.then(|| {
            let mut data = [0; MAX_BANKS];
            for (bank, data) in data.iter_mut().enumerate().take(self.banks) {
                *data = word(place_of(self.words, bank, reading.address[bank]) as u64);
            }
            Settled {
                epochs,
                address: reading.address,
                data,
                first: reading.first,
            }
        });
    }

    /// The words of the slot in stage 5 in clock `now`, bank by bank of a pane, with whether each is the first with its epoch there.
    pub fn written(
        &self,
        now: u64,
        pane: usize,
    ) -> impl Iterator<Item = (usize, Option<bool>)> + use<> {
        let banks = pane * self.banks_of_pane..(pane + 1) * self.banks_of_pane;
        let settled = self.settled[ago(now, WRITE_STAGE - SETTLE_STAGE)];
        settled.into_iter().flat_map(move |slot| {
            banks
                .clone()
                .map(move |bank| (slot.address[bank] as usize, Some(slot.first[bank])))
        })
    }

    /// A slot that reads, and is heard of, stands in stage 5 in clock `now`: what is wrong with the words that it read.
    pub fn check(&mut self, now: u64) -> Met {
        let reading = self.readings[ago(now, WRITE_STAGE - READ_STAGE)];
        match &mut self.corrected {
            Some(corrected) => corrected.meet(reading.met, reading.doubled, reading.many),
            None => self.stored.meet(reading.met, reading.doubled),
        }
        reading.wrong
    }

    /// A slot that reads stands in the stage in which memory with an error-correcting code is read.
    pub fn sample(&mut self, now: u64, address: &[u32; MAX_BANKS]) {
        if let Some(corrected) = &mut self.corrected {
            for (bank, &address) in address.iter().enumerate().take(self.banks) {
                corrected.sample(now, bank, address);
            }
        }
    }

    /// Ends clock `now`: the slot in stage 1, if it reads, reads under the panes' epochs; then a bit flips; then the words of the slot in stage 5 stand in memory.
    pub fn end(&mut self, now: u64, epochs: [u8; 2], places: Option<Places>) {
        if let Some(places) = places {
            self.readings[ago(now, 0)] = self.read(now, epochs, &places);
        }
        if let Some(corrected) = &mut self.corrected {
            if let Some(slot) = self.settled[ago(now, WRITE_STAGE - SETTLE_STAGE)] {
                for bank in 0..self.banks {
                    let epoch = slot.epochs[bank / self.banks_of_pane];
                    let payload = u64::from(epoch) << WORD_BITS | u64::from(slot.data[bank]);
                    corrected.put(now, bank, slot.address[bank], payload);
                }
            }
            return corrected.end(now);
        }
        self.stored.end_reads();
        if let Some(slot) = self.settled[ago(now, WRITE_STAGE - SETTLE_STAGE)] {
            for bank in 0..self.banks {
                let place = place_of(self.words, bank, slot.address[bank]);
                let epoch = slot.epochs[bank / self.banks_of_pane];
                let payload = u64::from(epoch) << WORD_BITS | u64::from(slot.data[bank]);
                self.stored.write(place, payload);
            }
        }
    }

    fn read(&mut self, now: u64, epochs: [u8; 2], places: &Places) -> Reading {
        let mut reading = Reading {
            address: places.address,
            ..NOTHING_READ
        };
        for bank in 0..self.banks {
            let address = places.address[bank];
            // the slot one ahead stands in stage 2
            let ahead = (0..AHEAD).find_map(|clocks| {
                self.settled[ago(now, clocks)].filter(|slot| slot.address[bank] == address)
            });
            if let Some(ahead) = ahead {
                reading.data[bank] = ahead.data[bank];
                continue;
            }
            let word = match &self.corrected {
                Some(corrected) => corrected.read(now, bank),
                None => self.stored.read(place_of(self.words, bank, address)),
            };
            let checked = places.stored_to != Some(bank);
            reading.wrong.wrong |= checked && word.wrong;
            reading.wrong.corrected |= checked && word.corrected;
            reading.wrong.uncorrectable |= checked && word.uncorrectable;
            reading.many |= checked && word.many;
            reading.met |= checked && word.odd;
            reading.doubled |= checked && word.even;
            let epoch = epochs[bank / self.banks_of_pane];
            let bears = word.payload >> WORD_BITS == u64::from(epoch);
            let counts = bears && !(checked && word.empty);
            reading.data[bank] = if counts { word.payload as u32 } else { 0 };
            reading.first[bank] = !counts;
        }
        reading
    }
}

fn place_of(words: usize, bank: usize, address: u32) -> usize {
    bank * words + address as usize
}

/// Where what was `clocks` clocks before `now` is kept; before the first clock there is nothing.
fn ago(now: u64, clocks: u32) -> usize {
    now.wrapping_sub(clocks.into()) as usize % BACK
}
