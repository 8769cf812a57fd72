//! Memory accesses of the pipeline model: fetches, sets and writes.

use super::PipelineModel;
use crate::pipeline::epochs::Write;
use crate::pipeline::event::{BitsSet, Event, Fetched};
use crate::pipeline::memory::{Met, CHECK_STAGE};
use crate::pipeline::slot::{Content, Slot};
use crate::shared_array::{Halves, Places, SharedArrayMemory};
use crate::spare_half::{AccessKind, Step};
use bloomline_spec::{HalfRole, RecyclingGeometry, WORD_BITS};

/// Clocks from the stage in which a fetch has its word to the one in which a set's new bits are counted.
const TO_COUNT: u32 = 5;
/// In the shared layout, stages from the one in which a word is read to the one in which memory with an error-correcting code is, and to the one in which what was
/// corrected is written back.
const TO_SAMPLE: i32 = -2;
const TO_WRITE_BACK: i32 = 2;

/// How ARRAY_ADDRESS names words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addressing {
    word_bits: u32,
    bank_bits: u32,
    words: u32,
    banks: u32,
}

impl Addressing {
    pub fn of(geometry: &RecyclingGeometry) -> Addressing {
        Addressing {
            word_bits: geometry.word_address_bits(),
            bank_bits: geometry.array_bank_bits(),
            words: geometry.words_per_bank() as u32,
            banks: geometry.banks(),
        }
    }

    /// Bank and word. A word that banks do not have is word 0 of a bank that is not there.
    pub fn place(&self, address: u32) -> (u32, u32) {
        let low = |bits: u32, of: u32| of & ((1 << bits) - 1);
        match low(self.word_bits, address) {
            word if word < self.words => (low(self.bank_bits, address >> self.word_bits), word),
            _ => (self.banks, 0),
        }
    }

    fn half(&self, address: u32) -> HalfRole {
        match address >> (self.word_bits + self.bank_bits) {
            0 => HalfRole::Active,
            _ => HalfRole::Frozen,
        }
    }
}

impl PipelineModel {
    /// The word of the fetch in the fetch stage. No item is undecided between the one before the fetch was issued and the one
    /// behind it, so the filter stands as at any clock on the fetch's way.
    pub(super) fn fetch(&mut self) -> Option<u32> {
        let slot = self.slots.entered(self.now, self.to_fetch);
        if !matches!(slot.content, Content::Fetch) {
            return None;
        }
        let (bank, word) = self.addressing.place(self.registers.array_address());
        let half = self.fetched_half();
        let data = match &self.memory {
            Some(memory) => memory.fetched(self.now, half == HalfRole::Frozen, bank),
            None => match &self.shared_array_memory {
                Some(memory) => memory.fetched(self.now, half == HalfRole::Frozen),
                None => self.filter.word(half, bank, word),
            },
        };
        if let Some(events) = &mut self.events {
            events.push(Event::Fetch(Fetched {
                issued: self.now - u64::from(self.to_fetch),
                fetched: self.now,
                half,
                bank,
                word,
                data,
            }));
        }
        Some(data)
    }

    /// With a spare half: the bit of an access that stands in the decision stage; the word, behind the last bit of a fetch. The bit of a set is
    /// counted a clock behind that stage. No item is undecided while an access is under way.
    pub(super) fn access_bit(&mut self) -> Option<u32> {
        let now = self.now;
        let spare_half = self.spare_half.as_mut()?;
        let step = spare_half.step(now);
        if step.is_some_and(|step| step.last) {
            spare_half.end_access();
        }
        let set = step.filter(|step| step.kind == AccessKind::Set);
        if let Some(counted) = spare_half.count(set) {
            self.count_bit(counted);
        }
        let step = step.filter(|step| step.kind == AccessKind::Fetch && step.last)?;
        let (bank, word) = self.addressing.place(self.registers.array_address());
        let half = self.fetched_half();
        let data = self.filter.word(half, bank, word);
        if let Some(events) = &mut self.events {
            events.push(Event::Fetch(Fetched {
                issued: step.issued,
                fetched: now,
                half,
                bank,
                word,
                data,
            }));
        }
        Some(data)
    }

    /// Sets a bit for the host and counts it, if it was clear.
    fn count_bit(&mut self, step: Step) {
        let (bank, word) = self.addressing.place(self.registers.array_address());
        let bits = self.registers.array_data();
        let new_bits = self.filter.set_bits(bank, word, bits & 1 << step.bit);
        let Some(spare_half) = &mut self.spare_half else {
            return;
        };
        if spare_half.add_new_bits(new_bits) {
            self.filter.add_message();
        }
        let new_bits = spare_half.new_bits();
        if let (true, Some(events)) = (step.last, &mut self.events) {
            events.push(Event::Set(BitsSet {
                counted: self.now,
                bank,
                word,
                bits,
                new_bits,
            }));
        }
    }

    /// The half that ARRAY_ADDRESS names.
    fn fetched_half(&self) -> HalfRole {
        self.addressing.half(self.registers.array_address())
    }

    /// The bits of a set count [`TO_COUNT`] clocks after the stage in which a fetch has its word, and from the stage behind the
    /// decision on they are on their way into the word, whatever resets the registers.
    pub(super) fn add_bits(&mut self) {
        let behind_decision = self.slots.entered(self.now, self.to_decision + 1);
        if let Content::Set { bits, .. } = &mut behind_decision.content {
            *bits = self.registers.array_data();
        }
        let clocks = self.to_fetch + TO_COUNT;
        if self.set_entered != self.now.checked_sub(clocks.into()) {
            return;
        }
        let Some(_) = self.set_entered.take() else {
            return;
        };
        let (bank, word) = self.addressing.place(self.registers.array_address());
        let bits = self.registers.array_data();
        let new_bits = match &mut self.memory {
            Some(memory) => memory.add(self.now, clocks, bank, bits),
            None => match &mut self.shared_array_memory {
                Some(memory) => memory.add(self.now, SharedArrayMemory::TO_FETCH + TO_COUNT, bits),
                None => self.filter.set_word(bank, word, bits),
            },
        };
        if let Some(events) = &mut self.events {
            events.push(Event::Set(BitsSet {
                counted: self.now,
                bank,
                word,
                bits,
                new_bits,
            }));
        }
    }

    /// The slot in the write stage.
    pub(super) fn write(&mut self) {
        let slot = self.slots.entered(self.now, self.to_write);
        let write = slot.write;
        if let Some(shared_array) = &self.shared_array {
            let current = Write {
                recycled: false,
                half: self.epochs.phase(),
                epoch: self.epochs.epoch(),
            };
            let written = shared_array.written(self.now, &mut self.slots, current);
            let first = match (&mut self.shared_array_memory, &written) {
                (Some(memory), Some(written)) => Some(memory.write(self.now, written)),
                _ => None,
            };
            let by = Write {
                recycled: write.recycled,
                ..written.map_or(write, |written| written.by)
            };
            let words = written.map(|written| (written.word as usize, first));
            return self.epochs.retire_as(self.now, by, words.into_iter());
        }
        if let Some(memory) = &mut self.memory {
            let words = match slot.content {
                Content::Item(_) if slot.stores => {
                    let positions = slot.probes.positions();
                    let addresses = positions.iter().map(|position| position / WORD_BITS);
                    let bit = |bank: usize| 1 << (positions[bank] % WORD_BITS);
                    memory.write(self.now, write, addresses, bit)
                }
                Content::Refresh { address } => {
                    let addresses = std::iter::repeat_n(address, self.filter.hasher().hashes());
                    memory.write(self.now, write, addresses, |_| 0)
                }
                Content::Set { bank, word, bits } => {
                    let addresses = std::iter::repeat_n(word, self.filter.hasher().hashes());
                    let mask = |of: usize| if of == bank as usize { bits } else { 0 };
                    memory.write(self.now, write, addresses, mask)
                }
                _ => Vec::new(),
            };
            return self.epochs.retire_as(self.now, write, words.into_iter());
        }
        match slot.content {
            Content::Item(_) if slot.stores => {
                let words = slot
                    .probes
                    .positions()
                    .iter()
                    .map(|position| (position / WORD_BITS) as usize);
                self.epochs.retire(self.now, write, Some(words));
            }
            Content::Refresh { address } | Content::Set { word: address, .. } => {
                let banks = self.filter.hasher().hashes();
                self.epochs.retire(
                    self.now,
                    write,
                    Some(std::iter::repeat_n(address as usize, banks)),
                );
            }
            _ => self
                .epochs
                .retire(self.now, write, None::<std::iter::Empty<usize>>),
        }
    }

    /// The slot in stage 8 learns whether a word was wrong, the one in stage 4 reads, and the clock ends for memory.
    pub(super) fn end_memory(&mut self) {
        self.end_shared_array_memory();
        let Some(memory) = &mut self.memory else {
            return;
        };
        let (_, fetched) = self.addressing.place(self.registers.array_address());
        let banks = self.filter.hasher().hashes();
        let reads = |slot: &Slot| match slot.content {
            Content::Item(_) | Content::Look => {
                let positions = slot.probes.positions().iter();
                Some(positions.map(|position| position / WORD_BITS).collect())
            }
            Content::Refresh { address } => Some(vec![address; banks]),
            Content::Fetch => Some(vec![fetched; banks]),
            Content::Set { word, .. } => Some(vec![word; banks]),
            Content::Empty | Content::Force(_) => None,
        };
        let to_check = memory.to_stage(CHECK_STAGE);
        let checked = self.slots.entered(self.now, to_check);
        let reading = !matches!(checked.content, Content::Empty | Content::Force(_));
        self.met = match reading {
            true => memory.check(self.now),
            false => Met::NOTHING,
        };
        if memory.corrects() {
            let (to_sample, to_write_back) = memory.to_sample_and_write_back();
            if let Some(addresses) = reads(self.slots.entered(self.now, to_sample)) {
                let addresses: Vec<u32> = addresses;
                memory.sample(self.now, addresses.into_iter());
            }
            if reads(self.slots.entered(self.now, to_write_back)).is_some() {
                memory.write_back(self.now);
            }
        }
        let read: Option<Vec<u32>> = reads(self.slots.entered(self.now, memory.to_read()));
        memory.end(self.now, read.map(Vec::into_iter));
    }

    /// The same in the shared layout: what was read in stage i + 1 is checked in stage i + 5.
    fn end_shared_array_memory(&mut self) {
        let (Some(memory), Some(shared_array)) =
            (&mut self.shared_array_memory, &self.shared_array)
        else {
            return;
        };
        self.met = memory.check(self.now);
        if shared_array.takes_bits(self.now, &mut self.slots) {
            memory.take_added(self.registers.array_data());
        }
        let (_, fetched) = self.addressing.place(self.registers.array_address());
        let halves = Halves {
            active: self.epochs.phase(),
            epoch: self.epochs.epoch(),
            other_epoch: self.epochs.other_epoch(),
        };
        let mut read = |stages: i32| shared_array.read(self.now, &mut self.slots, fetched, stages);
        let places = Places {
            reading: read(0),
            sampling: read(TO_SAMPLE),
            writing_back: read(TO_WRITE_BACK),
        };
        memory.end(self.now, halves, places);
    }
}
