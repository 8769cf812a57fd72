//! The array of one half, with forwarding between the probes of an item.

use crate::bank::{BankMemory, BitSelect, Coverage, EccPort, ParityCheck, ParitySeal};
use crate::prelude::*;
use crate::shared_array::{EarlyRing, ProbeRing, WordStore};
use bloomline_spec::ecc;

block! {
    /// One array a half, for one item at a time: k reads, k writes, and the words of refreshes in between. Nothing is forwarded.
    ///
    /// ```text
    /// ring --> address --> memories --> word --> bit select --> decision
    ///   |                                  \--> word store --> | mask --> memory of the active half
    ///   \-- mask (bits of all probes in the word) -------------/
    /// ```
    ///
    /// Probe i is the ring's head in stage i of its item, and again in stage D - 1 + i. With an error-correcting code memory is read two clocks ahead: the positions come by an
    /// early ring, whose head probe i is in stage i - 2. Timing: `docs/shared-array.md`.
    /// New inputs in every clock. No reset.
    pub struct SharedArrayBank {
        about: About = About::new(
            "shared_array_bank",
            format!(
                "One array of {} words a half. An item's {} are read one a clock, then written one a clock.\nOne item at a time, so that no word is forwarded; refreshes take the clocks between items.{checks}",
                shape.words,
                counted(k, "probe")
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub load_early: Vec<Wire<In>> = (0..shape.ecc).map(|_| Wire::default().doc("an item enters stage -2")).collect(),
        pub load: Wire<In> = Wire::default().doc("an item enters stage 0"),
        pub position: Vec<Bus<In>> = (0..k).map(|i| Bus::new(shape.index_bits).doc(format!("position of its probe {i}"))).collect(),
        pub ring_hold: Wire<In> = Wire::default().doc("the ring stands still: item in stages k to D - 2"),
        pub store_hold: Wire<In> = Wire::default().doc("the words stand still: item in stages D - 2 and D - 1"),
        pub direct: Wire<In> = Wire::default().doc(format!("stage {direct}: a refresh or a fetch")),
        pub direct_address: Bus<In> = Bus::new(shape.word_address_bits).doc(format!("stage {direct}: its word")),
        pub of_frozen: Vec<Wire<In>> = (0..shape.frozen_halves()).map(|_| Wire::default().doc("a fetch is of the frozen half")).collect(),
        pub refreshing: Wire<In> = Wire::default().doc("stage 4: a refresh, to be written in stage 5"),
        pub adding: Wire<In> = Wire::default().doc("it sets bits of a host"),
        pub added: Bus<In> = Bus::new(WORD_BITS).doc("these"),
        pub writing: Wire<In> = Wire::default().doc("stages D to D + k - 1: the item's word is written in the next clock"),
        pub emptied: Wire<In> = Wire::default().doc("then: the item recycled, so that every word is empty"),
        pub recycled: Wire<In> = Wire::default().doc("stage W: the slot recycled"),
        pub active_epoch: Bus<In> = Bus::new(EPOCH_BITS).doc("epoch of the active half"),
        pub phase: Vec<Wire<In>> = (0..shape.frozen_halves()).map(|_| Wire::default().doc("which half is active")).collect(),
        pub frozen_epoch: Vec<Bus<In>> = (0..shape.frozen_halves()).map(|_| Bus::new(EPOCH_BITS).doc("epoch of the other half")).collect(),
        pub in_active: Wire<Out> = Wire::default().doc("stage i + 5: the bit of probe i in the active half"),
        pub in_frozen: Vec<Wire<Out>> = (0..shape.frozen_halves()).map(|_| Wire::default().doc("stage i + 5: in the frozen half")).collect(),
        pub repeated: Wire<Out> = Wire::default().doc("stage i + 5: an earlier probe has the same position"),
        pub full: Wire<Out> = Wire::default().doc("every word of the active half bears its epoch"),
        pub word_4: Bus<Out> = Bus::new(WORD_BITS).doc("stage 4: the word fetched; 0 if it does not bear its half's epoch"),
        pub wrong_5: Vec<Wire<Out>> = (0..shape.parity)
            .map(|_| Wire::default().doc("stage i + 5: a word that probe i met in memory has wrong parity"))
            .collect(),
        pub reading_3: Vec<Wire<In>> = (0..shape.ecc)
            .map(|_| Wire::default().doc("stage i + 3: probe i was read for something that counts"))
            .collect(),
        pub corrected_5: Vec<Wire<Out>> = (0..shape.ecc)
            .map(|_| Wire::default().doc("stage i + 5: a word that probe i met in memory was corrected"))
            .collect(),
        pub uncorrectable_5: Vec<Wire<Out>> = (0..shape.ecc).map(|_| Wire::default().doc("stage i + 5: one could not be")).collect(),
        early_ring: Vec<EarlyRing> = (0..shape.ecc).map(|_| EarlyRing::new(shape)).collect(),
        early_address: Vec<Reg> = (0..shape.ecc).map(|_| Reg::new(shape.word_address_bits)).collect(),
        ring: ProbeRing = ProbeRing::new(shape),
        address: Reg = Reg::new(shape.word_address_bits),
        refresh_line: Delay = Delay::new(shape.word_address_bits, 4 + shape.read_ahead),
        offset_line: Delay = Delay::new(OFFSET_BITS, 4),
        repeated_line: FlagDelay = FlagDelay::new(4),
        fresh_line: FlagDelay = FlagDelay::new(3),
        memory: Vec<BankMemory> = (0..shape.phases).map(|_| BankMemory::with_check_bits(shape.words, check_bits)).collect(),
        active_read: Bus<Local> = Bus::new(read),
        frozen_read: Vec<Bus<Local>> = (0..shape.frozen_halves()).map(|_| Bus::new(read)).collect(),
        read_epoch: Bus<Local> = Bus::new(EPOCH_BITS),
        other_epoch: Vec<Slice> = (0..shape.frozen_halves()).map(|_| Slice::new(read, WORD_BITS, EPOCH_BITS)).collect(),
        other_word: Vec<Slice> = (0..shape.frozen_halves()).map(|_| Slice::new(read, 0, WORD_BITS)).collect(),
        word: Reg = Reg::new(WORD_BITS),
        bears: Flag,
        frozen_word: Vec<Reg> = (0..shape.frozen_halves()).map(|_| Reg::new(WORD_BITS)).collect(),
        frozen_bears: Vec<Flag> = (0..shape.frozen_halves()).map(|_| Flag::default()).collect(),
        select: BitSelect,
        frozen_select: Vec<BitSelect> = (0..shape.frozen_halves()).map(|_| BitSelect::default()).collect(),
        kept: Bus<Local> = Bus::new(WORD_BITS),
        kept_frozen: Vec<Bus<Local>> = (0..shape.frozen_halves()).map(|_| Bus::new(WORD_BITS)).collect(),
        store: WordStore = WordStore::new(k),
        write: Flag,
        touch: Flag = Flag::default().doc("the word written bore another epoch"),
        write_address: Reg = Reg::new(shape.word_address_bits),
        data: Reg = Reg::new(WORD_BITS),
        coverage: Coverage = Coverage::new(shape.words),
        seal: Vec<ParitySeal> = (0..shape.parity).map(|_| ParitySeal::new(WORD_BITS + EPOCH_BITS)).collect(),
        check: Vec<ParityCheck> = (0..shape.parity).map(|_| ParityCheck::new(read)).collect(),
        frozen_check: Vec<ParityCheck> = (0..shape.parity * shape.frozen_halves()).map(|_| ParityCheck::new(read)).collect(),
        wrong: Vec<Flag> = (0..shape.parity).map(|_| Flag::default()).collect(),
        ecc_port: Vec<EccPort> = (0..shape.phases * shape.ecc).map(|_| EccPort::new(shape.words, true)).collect(),
        corrected_3: Vec<Wire<Local>> = (0..shape.ecc).map(|_| Wire::default()).collect(),
        uncorrectable_3: Vec<Wire<Local>> = (0..shape.ecc).map(|_| Wire::default()).collect(),
        corrected_4: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        uncorrectable_4: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        corrected: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        uncorrectable: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        sound: Vec<Wire<Local>> = (0..shape.parity_empties).map(|_| Wire::default().doc("the word bears the epoch, and its parity is right")).collect(),
        frozen_sound: Vec<Wire<Local>> = (0..shape.parity_empties * shape.frozen_halves()).map(|_| Wire::default().doc("the word of the frozen half likewise")).collect(),
        no_word: Const = Const::new(0, WORD_BITS),
        read_bits: usize = read,
        shape: Shape = *shape,
    }

    /// The array of a pipeline of this shape.
    pub fn new(shape: &Shape) {
        let k = shape.hashes;
        let read = WORD_BITS + EPOCH_BITS + shape.parity;
        let check_bits =
            shape.parity + shape.ecc * ecc::check_bits((WORD_BITS + EPOCH_BITS) as u32) as usize;
        let direct = match shape.ecc {
            0 => "0",
            _ => "-2",
        };
        let checks = match (shape.parity, shape.parity_empties) {
            (0, _) if shape.ecc > 0 => {
                "\nOne flipped bit of a word is corrected, two are detected."
            }
            (0, _) => "",
            (_, 0) => "\nTells words whose parity is wrong.",
            _ => "\nTells words whose parity is wrong; they read as empty too.",
        };
    }
}

impl Logic for SharedArrayBank {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("positions: address in stage i + 1");
        self.ring.load.next = self.load.val();
        self.ring.hold.next = self.ring_hold.val();
        if self.shape.ecc == 0 {
            for i in 0..self.shape.hashes {
                self.ring.position[i].next = self.position[i].val();
            }
        }
        self.address.d.next = self.ring.word.val();
        if self.shape.ecc == 0 {
            if self.direct.val() {
                self.address.d.next = self.direct_address.val();
            }
        }
        for e in 0..self.shape.ecc {
            comment!("to be read two clocks ahead: in stage i - 1");
            self.early_ring[e].load.next = self.load_early[e].val();
            for i in 0..self.shape.hashes {
                self.early_ring[e].position[i].next = self.position[i].val();
                self.ring.position[i].next = self.early_ring[e].later[i].val();
            }
            self.early_address[e].d.next = self.early_ring[e].word.val();
            if self.direct.val() {
                self.early_address[e].d.next = self.direct_address.val();
            }
        }
        self.refresh_line.d.next = self.direct_address.val();
        self.offset_line.d.next = self.ring.offset.val();
        self.repeated_line.d.next = self.ring.bit_repeated.val();
        self.repeated.next = self.repeated_line.q.val();
        self.fresh_line.d.next = !self.ring.word_repeated.val();

        comment!("words of both halves: from memory in stage i + 3, in registers in stage i + 4");
        if self.shape.ecc == 0 {
            self.active_read.next = self.memory[0].read_data.val();
        }
        for h in 0..(1 - self.shape.ecc) * self.shape.frozen_halves() {
            self.frozen_read[h].next = self.memory[h + 1].read_data.val();
            if self.phase[h].val() {
                self.active_read.next = self.memory[h + 1].read_data.val();
                self.frozen_read[h].next = self.memory[h].read_data.val();
            }
        }
        for e in 0..self.shape.ecc {
            self.active_read.next = self.ecc_port[e].read_data.val();
            self.corrected_3[e].next = self.ecc_port[e].corrected.val();
            self.uncorrectable_3[e].next = self.ecc_port[e].uncorrectable.val();
        }
        for h in 0..self.shape.ecc * self.shape.frozen_halves() {
            self.frozen_read[h].next = self.ecc_port[h + 1].read_data.val();
            if self.phase[h].val() {
                self.active_read.next = self.ecc_port[h + 1].read_data.val();
                self.frozen_read[h].next = self.ecc_port[h].read_data.val();
            }
            self.corrected_3[h].next =
                self.ecc_port[h].corrected.val() || self.ecc_port[h + 1].corrected.val();
            self.uncorrectable_3[h].next =
                self.ecc_port[h].uncorrectable.val() || self.ecc_port[h + 1].uncorrectable.val();
        }
        for h in 0..self.shape.frozen_halves() {
            self.other_epoch[h].input.next = self.frozen_read[h].val();
            self.other_word[h].input.next = self.frozen_read[h].val();
            self.frozen_word[h].d.next = self.other_word[h].output.val();
            self.frozen_bears[h].d.next =
                self.other_epoch[h].output.val() == self.frozen_epoch[h].val();
            self.frozen_select[h].word.next = self.frozen_word[h].q.val();
            self.frozen_select[h].current.next = self.frozen_bears[h].q.val();
            self.frozen_select[h].offset.next = self.offset_line.q.val();
            self.in_frozen[h].next = self.frozen_select[h].selected.val();
        }
        self.read_epoch.next = bits_to(self.active_read.val() >> 32, 4);
        self.word.d.next = bits_to(self.active_read.val(), 32);
        self.bears.d.next = self.read_epoch.val() == self.active_epoch.val();
        self.select.word.next = self.word.q.val();
        self.select.current.next = self.bears.q.val();
        self.select.offset.next = self.offset_line.q.val();
        self.in_active.next = self.select.selected.val();

        for p in 0..self.shape.parity {
            comment!("parity of these words, in stage i + 4; of any half, in stage i + 5");
            self.check[p].word.next = self.active_read.val();
            self.wrong[p].d.next = self.check[p].wrong.val();
            self.wrong_5[p].next = self.wrong[p].q.val();
        }
        for e in 0..self.shape.ecc {
            comment!("of any half, in stage i + 5");
            self.corrected_4[e].d.next = self.corrected_3[e].val();
            self.corrected[e].d.next = self.corrected_4[e].q.val();
            self.corrected_5[e].next = self.corrected[e].q.val();
            self.uncorrectable_4[e].d.next = self.uncorrectable_3[e].val();
            self.uncorrectable[e].d.next = self.uncorrectable_4[e].q.val();
            self.uncorrectable_5[e].next = self.uncorrectable[e].q.val();
        }
        for h in 0..self.shape.parity * self.shape.frozen_halves() {
            self.frozen_check[h].word.next = self.frozen_read[h].val();
            self.wrong[h].d.next = self.check[h].wrong.val() || self.frozen_check[h].wrong.val();
        }
        for e in 0..self.shape.parity_empties {
            self.sound[e].next = self.bears.q.val() && !self.check[e].wrong.val();
            self.select.current.next = self.sound[e].val();
        }
        for h in 0..self.shape.parity_empties * self.shape.frozen_halves() {
            self.frozen_sound[h].next =
                self.frozen_bears[h].q.val() && !self.frozen_check[h].wrong.val();
            self.frozen_select[h].current.next = self.frozen_sound[h].val();
        }

        comment!("what is written: a refresh's word, or the item's with the bits of its probes");
        self.kept.next = self.no_word.val();
        if self.shape.parity_empties == 0 {
            if self.bears.q.val() {
                self.kept.next = self.word.q.val();
            }
        }
        for e in 0..self.shape.parity_empties {
            if self.sound[e].val() {
                self.kept.next = self.word.q.val();
            }
        }
        comment!("a word for the host");
        self.word_4.next = self.kept.val();
        for h in 0..self.shape.frozen_halves() {
            self.kept_frozen[h].next = self.no_word.val();
        }
        for h in 0..(1 - self.shape.parity_empties) * self.shape.frozen_halves() {
            if self.frozen_bears[h].q.val() {
                self.kept_frozen[h].next = self.frozen_word[h].q.val();
            }
        }
        for h in 0..self.shape.parity_empties * self.shape.frozen_halves() {
            if self.frozen_sound[h].val() {
                self.kept_frozen[h].next = self.frozen_word[h].q.val();
            }
        }
        for h in 0..self.shape.frozen_halves() {
            if self.of_frozen[h].val() {
                self.word_4.next = self.kept_frozen[h].val();
            }
        }
        self.store.hold.next = self.store_hold.val();
        self.store.word_in.next = self.kept.val();
        self.store.bears_in.next = self.bears.q.val();
        for e in 0..self.shape.parity_empties {
            self.store.bears_in.next = self.sound[e].val();
        }
        self.store.fresh_in.next = self.fresh_line.q.val();
        self.write.d.next = self.refreshing.val() || self.writing.val();
        self.write_address.d.next = self.address.q.val();
        self.data.d.next = self.ring.mask.val();
        if !self.emptied.val() {
            self.data.d.next = self.store.word.val() | self.ring.mask.val();
        }
        self.touch.d.next = self.writing.val()
            && self.store.fresh.val()
            && (self.emptied.val() || !self.store.bears.val());
        if self.refreshing.val() {
            self.write_address.d.next = self.refresh_line.q.val();
            self.data.d.next = self.kept.val();
            if self.adding.val() {
                self.data.d.next = self.kept.val() | self.added.val();
            }
            if self.shape.parity_empties == 0 {
                self.touch.d.next = !self.bears.q.val();
            }
            for e in 0..self.shape.parity_empties {
                self.touch.d.next = !self.sound[e].val();
            }
        }
        for p in 0..self.shape.parity {
            self.seal[p].payload.next = (bits_to(self.active_epoch.val(), WORD_BITS + EPOCH_BITS)
                << 32)
                | bits_to(self.data.q.val(), WORD_BITS + EPOCH_BITS);
        }
        for h in 0..(1 - self.shape.ecc) * self.shape.phases {
            self.memory[h].read_address.next = self.address.q.val();
            self.memory[h].write_enable.next = self.write.q.val();
            self.memory[h].write_address.next = self.write_address.q.val();
            if self.shape.parity == 0 {
                self.memory[h].write_data.next = (bits_to(self.active_epoch.val(), self.read_bits)
                    << 32)
                    | bits_to(self.data.q.val(), self.read_bits);
            }
            for p in 0..self.shape.parity {
                self.memory[h].write_data.next = self.seal[p].word.val();
            }
        }
        for h in 0..(1 - self.shape.ecc) * self.shape.frozen_halves() {
            self.memory[h].write_enable.next = self.write.q.val() && !self.phase[h].val();
            self.memory[h + 1].write_enable.next = self.write.q.val() && self.phase[h].val();
        }
        for h in 0..self.shape.ecc * self.shape.phases {
            for e in 0..self.shape.ecc {
                self.memory[h].read_address.next = self.early_address[e].q.val();
                self.ecc_port[h].read_address.next = self.early_address[e].q.val();
                self.ecc_port[h].reading[e].next = self.reading_3[e].val();
            }
            self.ecc_port[h].memory_read.next = self.memory[h].read_data.val();
            self.ecc_port[h].write_enable.next = self.write.q.val();
            self.ecc_port[h].write_address.next = self.write_address.q.val();
            self.ecc_port[h].write_data.next = (bits_to(self.active_epoch.val(), self.read_bits)
                << 32)
                | bits_to(self.data.q.val(), self.read_bits);
            self.memory[h].write_enable.next = self.ecc_port[h].memory_enable.val();
            self.memory[h].write_address.next = self.ecc_port[h].memory_address.val();
            self.memory[h].write_data.next = self.ecc_port[h].memory_write.val();
        }
        for h in 0..self.shape.ecc * self.shape.frozen_halves() {
            self.ecc_port[h].write_enable.next = self.write.q.val() && !self.phase[h].val();
            self.ecc_port[h + 1].write_enable.next = self.write.q.val() && self.phase[h].val();
        }

        comment!("coverage by the current epoch");
        self.coverage.recycled.next = self.recycled.val();
        self.coverage.touch.next = self.touch.q.val();
        self.full.next = self.coverage.full.val();
    }
}
