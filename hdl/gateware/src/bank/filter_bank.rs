//! One bank of a partitioned recycling filter.

use crate::bank::{
    BankMemory, BitSelect, Coverage, EccPort, IndexCompare, NearMatch, ParitySeal, WordRead,
};
use crate::prelude::*;
use bloomline_spec::ecc;

/// Stages that flags forwarded from far ahead start in (2) and that memory bits arrive in (8).
const FAR_STAGES: usize = 8;
const SYMBOLIC_STAGES: usize = 6;

block! {
    /// One bank: both halves' memory for one probe, exact under any sequence of items.
    ///
    /// ```text
    /// stage 0    1..3        4            6              7            8              9 .. D-1      D         D+1  D+2   W=D+3
    /// position | compare | RAM address | RAM data  | orient,      | select bit,  | forwarded   | verdict | word path    | RAM
    ///          |         |             |           | epoch check  | count (early)| flags       | flags   | (forwarded)  | write
    /// ```
    ///
    /// Two paths, neither uses the other's data:
    /// * **flags**: is my bit set in the active and in the frozen half, as the filter stands after the slot now in stage D? Every clock each slot in stages 2..D-1
    ///   applies the one decision in stage D. Before its memory bit has arrived (stages 2..7) a flag is symbolic: active = set or keep-active and memory-active; frozen = set or
    ///   (keep-active and memory-active) or (keep-frozen and memory-frozen).
    /// * **words**: the active half's word, written back with the slot's bit, takes over the word of any slot ahead that writes the same address; a recycle makes it empty.
    ///
    /// Source: RBF section V (two phases); epochs instead of clearing: `docs/pipeline.md`.
    /// New inputs in every clock. No reset.
    pub struct FilterBank {
        about: About = About::new(
            "filter_bank",
            format!(
                "One bank: {} bits a half, {} half/halves, probe to verdict flags and memory write.\n\
                 Exact for any sequence of slots: flags and words of everything in flight are forwarded.\n\
                 Source: RBF section V; an epoch with each word makes a recycle one increment.",
                words * WORD_BITS,
                shape.phases
            ),
        ),
        pub clock: Signal<In, Clock>,
        // stage 0
        pub index: Bus<In> = Bus::new(index_bits).doc("probe position of the slot entering stage 0"),
        pub direct: Wire<In> = Wire::default().doc("the slot entering stage 0 is a refresh, a fetch or a set"),
        pub direct_address: Bus<In> = Bus::new(shape.word_address_bits).doc("word that it goes to"),
        // decision
        pub trip: Wire<In> = Wire::default().doc("the slot in stage D recycles"),
        pub near_inserting: Bus<In> = Bus::new(near).doc("bit i: the slot in stage 8 + i inserts"),
        pub far_inserting: Wire<In> = Wire::default().doc("the slot in stage D - 1 inserts"),
        pub phase_6: Vec<Wire<In>> = (0..shape.frozen_halves()).map(|_| Wire::default().doc("active half as it stood in stage 2, now stage 6")).collect(),
        pub active_epoch_6: Bus<In> = Bus::new(EPOCH_BITS).doc("its epoch, likewise"),
        pub frozen_epoch_6: Vec<Bus<In>> = (0..shape.frozen_halves()).map(|_| Bus::new(EPOCH_BITS).doc("the frozen half's epoch, likewise")).collect(),
        // a word for the host
        pub fetching_active: Wire<In> = Wire::default().doc("the slot in stage 7 fetches this bank's word of the active half, or sets bits in it"),
        pub fetching_frozen: Vec<Wire<In>> = (0..shape.frozen_halves()).map(|_| Wire::default().doc("of the frozen half")).collect(),
        // behind the decision
        pub setting: Wire<In> = Wire::default().doc("the slot in stage D + 1 inserts"),
        pub adding: Wire<In> = Wire::default().doc("it sets bits of a host in this bank"),
        pub added: Bus<In> = Bus::new(WORD_BITS).doc("these"),
        pub tripped: Wire<In> = Wire::default().doc("the slot in stage D + 1 recycled"),
        pub storing: Wire<In> = Wire::default().doc("the slot in stage D + 1 writes"),
        pub current: Wire<In> = Wire::default().doc("no decided slot behind the one in stage W recycled before stage D"),
        pub write_enable: Wire<In> = Wire::default().doc("the slot in stage W writes"),
        pub recycled: Wire<In> = Wire::default().doc("the slot in stage W recycled"),
        pub write_phase: Vec<Wire<In>> = (0..shape.frozen_halves()).map(|_| Wire::default().doc("half that the slot in stage W writes")).collect(),
        pub write_epoch: Bus<In> = Bus::new(EPOCH_BITS).doc("epoch that it writes"),
        // results
        pub clear_early: Vec<Wire<Out>> = (0..near)
            .map(|i| Wire::default().doc(format!("stage 8: my bit is clear if the slot {} ahead is the last to recycle", i + 1)))
            .collect(),
        pub clear_none: Wire<Out> = Wire::default().doc("stage 9: my bit is clear if none of the near slots recycles"),
        pub in_active: Wire<Out> = Wire::default().doc("stage D: my bit is set in the active half"),
        pub in_frozen: Vec<Wire<Out>> = (0..shape.frozen_halves()).map(|_| Wire::default().doc("stage D: my bit is set in the frozen half")).collect(),
        pub full: Wire<Out> = Wire::default().doc("every word of the active half bears its epoch"),
        pub word_8: Bus<Out> = Bus::new(WORD_BITS).doc("stage 8: that word; 0 if there is no such fetch"),
        pub wrong_8: Vec<Wire<Out>> = (0..shape.parity)
            .map(|_| Wire::default().doc("stage 8: a word that the slot met in memory has wrong parity"))
            .collect(),
        // error correction
        pub reading_6: Vec<Wire<In>> = (0..shape.ecc)
            .map(|_| Wire::default().doc("stage 6: the slot reads"))
            .collect(),
        pub corrected_8: Vec<Wire<Out>> = (0..shape.ecc)
            .map(|_| Wire::default().doc("stage 8: a word that the slot met in memory was corrected"))
            .collect(),
        pub uncorrectable_8: Vec<Wire<Out>> = (0..shape.ecc)
            .map(|_| Wire::default().doc("stage 8: one could not be corrected"))
            .collect(),
        // positions
        entering: Bus<Local> = Bus::new(index_bits),
        stage: Vec<Reg> = regs(decision + 2, index_bits),
        ahead_far: Bus<Local> = Bus::new(index_bits),
        ahead_collision: Bus<Local> = Bus::new(index_bits),
        writing: Bus<Local> = Bus::new(index_bits),
        write_address_d2: Reg = Reg::new(shape.word_address_bits),
        write_address: Reg = Reg::new(shape.word_address_bits),
        // matches
        far: Vec<IndexCompare> = (0..FAR_STAGES).map(|_| IndexCompare::new(index_bits)).collect(),
        near: Vec<NearMatch> = (1..=near).map(|distance| NearMatch::new(index_bits, 2 + near - distance)).collect(),
        collision: IndexCompare = IndexCompare::new(index_bits),
        same_bit: Bus<Local> = Bus::new(matches),
        same_word: Bus<Local> = Bus::new(matches),
        same_word_d1: Reg = Reg::new(matches),
        same_word_d2: Reg = Reg::new(matches),
        same_word_w: Reg = Reg::new(matches - 1),
        collision_3: Flag,
        collision_4: Flag,
        collision_5: Flag,
        collision_6: Flag,
        // memory
        memory: Vec<BankMemory> = (0..shape.phases).map(|_| BankMemory::with_check_bits(words, check_bits)).collect(),
        ecc_port: Vec<EccPort> = (0..shape.phases * shape.ecc).map(|_| EccPort::new(words, true)).collect(),
        corrected_6: Vec<Wire<Local>> = (0..shape.ecc).map(|_| Wire::default()).collect(),
        uncorrectable_6: Vec<Wire<Local>> = (0..shape.ecc).map(|_| Wire::default()).collect(),
        corrected_7: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        uncorrectable_7: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        corrected: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        uncorrectable: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        write_data: Bus<Local> = Bus::new(ram_bits),
        read_address: Bus<Local> = Bus::new(shape.word_address_bits),
        offset_7: Bus<Local> = Bus::new(OFFSET_BITS),
        active_read: WordRead = WordRead::new(shape),
        frozen_read: Vec<WordRead> = (0..shape.frozen_halves()).map(|_| WordRead::new(shape)).collect(),
        active_select: BitSelect,
        frozen_select: Vec<BitSelect> = (0..shape.frozen_halves()).map(|_| BitSelect::default()).collect(),
        fetched: Reg = Reg::new(WORD_BITS),
        seal: Vec<ParitySeal> = (0..shape.parity).map(|_| ParitySeal::new(WORD_BITS + EPOCH_BITS)).collect(),
        wrong: Vec<Flag> = (0..shape.parity).map(|_| Flag::default()).collect(),
        // flags
        match_symbolic: Bus<Local> = Bus::new(SYMBOLIC_STAGES),
        match_concrete: Bus<Local> = Bus::new(concrete),
        active_set: Reg = Reg::new(SYMBOLIC_STAGES),
        active_set_in: Bus<Local> = Bus::new(SYMBOLIC_STAGES),
        active_keep: Reg = Reg::new(SYMBOLIC_STAGES),
        active_keep_in: Bus<Local> = Bus::new(SYMBOLIC_STAGES),
        active_8: Wire<Local>,
        active: Reg = Reg::new(concrete),
        active_in: Bus<Local> = Bus::new(concrete),
        frozen_set: Vec<Reg> = regs(shape.frozen_halves(), SYMBOLIC_STAGES),
        frozen_keep_active: Vec<Reg> = regs(shape.frozen_halves(), SYMBOLIC_STAGES),
        frozen_keep: Vec<Reg> = regs(shape.frozen_halves(), SYMBOLIC_STAGES),
        frozen_in: Vec<Bus<Local>> = (0..shape.frozen_halves()).map(|_| Bus::new(concrete)).collect(),
        frozen: Vec<Reg> = regs(shape.frozen_halves(), concrete),
        nearer: Vec<Wire<Local>> = (1..near).map(|_| Wire::default()).collect(),
        near_9: Bus<Local> = Bus::new(near),
        base_9: Wire<Local>,
        // words
        hit: Bus<Local> = Bus::new(hit_bits),
        empty_in: Bus<Local> = Bus::new(empty_bits),
        empty: Reg = Reg::new(empty_bits),
        from_write_6: Flag,
        from_write_7: Flag,
        from_last_7: Flag,
        word: Vec<Reg> = regs(word_regs, WORD_BITS),
        last_word: Bus<Local> = Bus::new(WORD_BITS),
        overtaken: Wire<Local>,
        base_word: Reg = Reg::new(WORD_BITS),
        mask: Reg = Reg::new(WORD_BITS),
        first: Flag,
        chained: Flag,
        written: Reg = Reg::new(WORD_BITS),
        written_1: Reg = Reg::new(WORD_BITS),
        written_2: Reg = Reg::new(WORD_BITS),
        first_w: Flag,
        coverage: Coverage = Coverage::new(words),
        // constants
        retain: Const = Const::new(retain, 1),
        retain_symbolic: Const = constant(if shape.retain { ones(SYMBOLIC_STAGES) } else { 0 }, SYMBOLIC_STAGES),
        retain_concrete: Const = constant(if shape.retain { ones(concrete) } else { 0 }, concrete),
        keep_first: Const = constant(1, SYMBOLIC_STAGES),
        none_symbolic: Const = constant(0, SYMBOLIC_STAGES),
        no_match: Const = constant(0, matches),
        none_hit: Const = constant(0, hit_bits),
        all_empty: Const = constant(ones(empty_bits), empty_bits),
        no_word: Const = constant(0, WORD_BITS),
        one: Const = constant(1, WORD_BITS),
        match_last: Const = position(matches - 1),
        near_place: Vec<Const> = (0..near).map(|i| position(matches - 1 - i)).collect(),
        active_last: Const = position(concrete - 1),
        empty_last: Const = position(empty_bits - 1),
        same_last: Const = position(matches - 2),
        last_stage: usize = decision + 1,
        last_word_count: usize = word_regs - 1,
        matches: usize = matches,
        single: usize = 1 - shape.frozen_halves(),
        concrete: usize = concrete,
        empty_bits: usize = empty_bits,
        hit_bits: usize = hit_bits,
        shape: Shape = *shape,
    }

    /// A bank of the pipeline of this shape.
    pub fn new(shape: &Shape) {
        let Shape {
            near,
            decision,
            index_bits,
            words,
            ..
        } = *shape;
        let matches = FAR_STAGES + near;
        let concrete = 2 + near;
        let empty_bits = decision - 1;
        let hit_bits = decision - 4;
        let ram_bits = WORD_BITS + EPOCH_BITS + shape.parity;
        let check_bits = shape.parity + shape.ecc * ecc::check_bits(ram_bits as u32) as usize;
        let word_regs = decision - 6;
        let retain = u128::from(shape.retain);
        let constant = |value: u128, width: usize| Const::new(value, width);
        let position = |bit: usize| Const::new(bit as u128, width_of(bit));
        let regs = |n: usize, width: usize| (0..n).map(|_| Reg::new(width)).collect::<Vec<_>>();
    }
}

impl Logic for FilterBank {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("positions, stage 0 to D + 1");
        self.entering.next = self.index.val();
        if self.direct.val() {
            self.entering.next = bits_to(self.direct_address.val(), self.shape.index_bits) << 5;
        }
        self.stage[0].d.next = self.entering.val();
        for s in 1..self.stage.len() {
            self.stage[s].d.next = self.stage[s - 1].q.val();
        }
        for s in self.last_stage..self.stage.len() {
            self.ahead_far.next = self.stage[s - 3].q.val();
            self.ahead_collision.next = self.stage[s - 2].q.val();
            self.writing.next = self.stage[s].q.val();
        }

        comment!("matches with the slot in stage D: bit s of same_bit and same_word belongs to the slot in stage s + 2");
        for s in 0..8 {
            self.far[s].behind.next = self.stage[s].q.val();
            self.far[s].ahead.next = self.ahead_far.val();
            self.far[s].inserting.next = self.far_inserting.val();
            self.same_bit.set_bit(s, self.far[s].same_bit.val());
            self.same_word.set_bit(s, self.far[s].same_word.val());
        }
        for i in 0..self.shape.near {
            self.near[i].behind.next = self.stage[6].q.val();
            self.near[i].ahead.next = self.stage[i + 7].q.val();
            self.near[i].inserting.next = self.near_inserting.val().get_bit(i);
            self.same_bit
                .set_bit(self.near_place[i].val(), self.near[i].late_bit.val());
            self.same_word
                .set_bit(self.near_place[i].val(), self.near[i].late_word.val());
        }
        self.same_word_d1.d.next = self.same_word.val();
        self.same_word_d2.d.next = self.same_word_d1.q.val();
        if !self.storing.val() {
            self.same_word_d2.d.next = self.no_match.val();
        }
        self.same_word_w.d.next = bits_to(self.same_word_d2.q.val(), self.matches - 1);
        self.collision.behind.next = self.stage[0].q.val();
        self.collision.ahead.next = self.ahead_collision.val();
        self.collision.inserting.next = false;
        self.collision_3.d.next = self.collision.same_word.val() && self.storing.val();
        self.collision_4.d.next = self.collision_3.q.val();
        self.collision_5.d.next = self.collision_4.q.val();
        self.collision_6.d.next = self.collision_5.q.val();

        comment!("memory: address in stage 4, data in stage 6, one bit in stage 8");
        if self.shape.parity == 0 {
            self.write_data.next = (bits_to(self.write_epoch.val(), WORD_BITS + EPOCH_BITS) << 32)
                | bits_to(self.written.q.val(), WORD_BITS + EPOCH_BITS);
        }
        for p in 0..self.shape.parity {
            self.seal[p].payload.next = (bits_to(self.write_epoch.val(), WORD_BITS + EPOCH_BITS)
                << 32)
                | bits_to(self.written.q.val(), WORD_BITS + EPOCH_BITS);
            self.write_data.next = self.seal[p].word.val();
        }
        self.offset_7.next = bits_to(self.stage[7].q.val(), OFFSET_BITS);
        if self.shape.ecc == 0 {
            self.read_address.next =
                bits_to(self.stage[4].q.val() >> 5, self.shape.word_address_bits);
        }
        if self.shape.ecc > 0 {
            self.read_address.next =
                bits_to(self.stage[2].q.val() >> 5, self.shape.word_address_bits);
        }
        for h in 0..self.shape.phases {
            self.memory[h].read_address.next = self.read_address.val();
            if self.shape.ecc == 0 {
                self.memory[h].write_address.next = self.write_address.q.val();
                self.memory[h].write_data.next = self.write_data.val();
            }
            for e in 0..self.shape.ecc {
                self.memory[h].write_enable.next = self.ecc_port[h].memory_enable.val();
                self.memory[h].write_address.next = self.ecc_port[h].memory_address.val();
                self.memory[h].write_data.next = self.ecc_port[h].memory_write.val();
                self.ecc_port[h].memory_read.next = self.memory[h].read_data.val();
                self.ecc_port[h].read_address.next = self.read_address.val();
                self.ecc_port[h].reading[e].next = self.reading_6[e].val();
                self.ecc_port[h].write_address.next = self.write_address.q.val();
                self.ecc_port[h].write_data.next = self.write_data.val();
            }
        }
        for h in 0..self.single {
            if self.shape.ecc == 0 {
                self.memory[h].write_enable.next = self.write_enable.val();
                self.active_read.read_data.next = self.memory[h].read_data.val();
            }
            for e in 0..self.shape.ecc {
                self.ecc_port[h].write_enable.next = self.write_enable.val();
                self.active_read.read_data.next = self.ecc_port[h].read_data.val();
                self.corrected_6[e].next =
                    self.ecc_port[h].corrected.val() && !self.collision_6.q.val();
                self.uncorrectable_6[e].next =
                    self.ecc_port[h].uncorrectable.val() && !self.collision_6.q.val();
            }
        }
        for h in 0..self.shape.frozen_halves() {
            if self.shape.ecc == 0 {
                self.memory[h].write_enable.next =
                    self.write_enable.val() && !self.write_phase[h].val();
                self.memory[h + 1].write_enable.next =
                    self.write_enable.val() && self.write_phase[h].val();
                self.active_read.read_data.next = self.memory[h].read_data.val();
                self.frozen_read[h].read_data.next = self.memory[h + 1].read_data.val();
                if self.phase_6[h].val() {
                    self.active_read.read_data.next = self.memory[h + 1].read_data.val();
                    self.frozen_read[h].read_data.next = self.memory[h].read_data.val();
                }
            }
            for e in 0..self.shape.ecc {
                self.ecc_port[h].write_enable.next =
                    self.write_enable.val() && !self.write_phase[h].val();
                self.ecc_port[h + 1].write_enable.next =
                    self.write_enable.val() && self.write_phase[h].val();
                self.active_read.read_data.next = self.ecc_port[h].read_data.val();
                self.frozen_read[h].read_data.next = self.ecc_port[h + 1].read_data.val();
                self.corrected_6[e].next = (self.ecc_port[h].corrected.val()
                    && !self.collision_6.q.val())
                    || self.ecc_port[h + 1].corrected.val();
                self.uncorrectable_6[e].next = (self.ecc_port[h].uncorrectable.val()
                    && !self.collision_6.q.val())
                    || self.ecc_port[h + 1].uncorrectable.val();
                if self.phase_6[h].val() {
                    self.active_read.read_data.next = self.ecc_port[h + 1].read_data.val();
                    self.frozen_read[h].read_data.next = self.ecc_port[h].read_data.val();
                    self.corrected_6[e].next = (self.ecc_port[h + 1].corrected.val()
                        && !self.collision_6.q.val())
                        || self.ecc_port[h].corrected.val();
                    self.uncorrectable_6[e].next = (self.ecc_port[h + 1].uncorrectable.val()
                        && !self.collision_6.q.val())
                        || self.ecc_port[h].uncorrectable.val();
                }
            }
            self.frozen_read[h].epoch.next = self.frozen_epoch_6[h].val();
            self.frozen_read[h].bypass.next = false;
            self.frozen_read[h].bypass_word.next = self.no_word.val();
            self.frozen_select[h].word.next = self.frozen_read[h].word.val();
            self.frozen_select[h].current.next = self.frozen_read[h].current.val();
            self.frozen_select[h].offset.next = self.offset_7.val();
        }
        for p in 0..self.shape.parity {
            self.wrong[p].d.next = self.active_read.wrong[p].val();
            for h in 0..self.shape.frozen_halves() {
                self.wrong[p].d.next =
                    self.active_read.wrong[p].val() || self.frozen_read[h].wrong[p].val();
            }
            self.wrong_8[p].next = self.wrong[p].q.val();
        }
        for e in 0..self.shape.ecc {
            self.corrected_7[e].d.next = self.corrected_6[e].val();
            self.uncorrectable_7[e].d.next = self.uncorrectable_6[e].val();
            self.corrected[e].d.next = self.corrected_7[e].q.val();
            self.uncorrectable[e].d.next = self.uncorrectable_7[e].q.val();
            self.corrected_8[e].next = self.corrected[e].q.val();
            self.uncorrectable_8[e].next = self.uncorrectable[e].q.val();
        }
        self.active_read.epoch.next = self.active_epoch_6.val();
        self.active_read.bypass.next = self.collision_6.q.val();
        self.active_read.bypass_word.next = self.written_2.q.val();
        self.active_select.word.next = self.active_read.word.val();
        self.active_select.current.next = self.active_read.current.val();
        self.active_select.offset.next = self.offset_7.val();

        comment!("a word for the host, stage 7: nothing is in flight that writes to it but refreshes, which change nothing");
        self.fetched.d.next = self.no_word.val();
        if self.fetching_active.val() && self.active_read.current.val() {
            self.fetched.d.next = self.active_read.word.val();
        }
        for h in 0..self.shape.frozen_halves() {
            if self.fetching_frozen[h].val() && self.frozen_read[h].current.val() {
                self.fetched.d.next = self.frozen_read[h].word.val();
            }
        }
        self.word_8.next = self.fetched.q.val();

        comment!("symbolic flags, stages 3 to 8, until the memory bit arrives");
        self.match_symbolic.next = bits_to(self.same_bit.val(), 6);
        self.active_set_in.next = self.active_set.q.val() << 1;
        self.active_keep_in.next = (self.active_keep.q.val() << 1) | self.keep_first.val();
        self.active_set.d.next = self.active_set_in.val() | self.match_symbolic.val();
        self.active_keep.d.next = self.active_keep_in.val();
        if self.trip.val() {
            self.active_set.d.next = self.match_symbolic.val() & self.retain_symbolic.val();
            self.active_keep.d.next = self.none_symbolic.val();
        }
        comment!("flags, stages 9 to D");
        self.active_8.next = self.active_set.q.val().get_bit(5)
            || (self.active_keep.q.val().get_bit(5) && self.active_select.selected.val());
        self.match_concrete.next = bits_to(self.same_bit.val() >> 6, self.concrete);
        self.active_in.next =
            (self.active.q.val() << 1) | bits_of(self.active_8.val(), self.concrete);
        self.active.d.next = self.active_in.val() | self.match_concrete.val();
        if self.trip.val() {
            self.active.d.next = self.match_concrete.val() & self.retain_concrete.val();
        }
        self.in_active.next = self.active.q.val().get_bit(self.active_last.val());
        for h in 0..self.shape.frozen_halves() {
            self.frozen_set[h].d.next = self.frozen_set[h].q.val() << 1;
            self.frozen_keep_active[h].d.next = self.frozen_keep_active[h].q.val() << 1;
            self.frozen_keep[h].d.next = (self.frozen_keep[h].q.val() << 1) | self.keep_first.val();
            self.frozen_in[h].next = self.frozen[h].q.val() << 1;
            self.frozen_in[h].set_bit(
                0,
                self.frozen_set[h].q.val().get_bit(5)
                    || (self.frozen_keep_active[h].q.val().get_bit(5)
                        && self.active_select.selected.val())
                    || (self.frozen_keep[h].q.val().get_bit(5)
                        && self.frozen_select[h].selected.val()),
            );
            self.frozen[h].d.next = self.frozen_in[h].val();
            if self.trip.val() {
                self.frozen_set[h].d.next = self.active_set_in.val();
                self.frozen_keep_active[h].d.next = self.active_keep_in.val();
                self.frozen_keep[h].d.next = self.none_symbolic.val();
                self.frozen[h].d.next = self.active_in.val();
            }
            self.in_frozen[h].next = self.frozen[h].q.val().get_bit(self.active_last.val());
        }

        comment!("is my bit new? once for each slot that may be the last to recycle before me, and once for none");
        self.clear_early[0].next = !(self.retain.val().any() && self.near[0].early.val());
        for i in 1..self.shape.near {
            self.nearer[i - 1].next = self.near[i - 1].early.val();
        }
        for i in 1..self.shape.near - 1 {
            self.nearer[i].next = self.nearer[i - 1].val() || self.near[i].early.val();
        }
        for i in 1..self.shape.near {
            self.clear_early[i].next = !((self.retain.val().any() && self.near[i].early.val())
                || self.nearer[i - 1].val());
        }
        for i in 0..self.shape.near {
            self.near_9.set_bit(i, self.near[i].following.val());
        }
        self.base_9.next = (self.active.q.val().get_bit(0) && !self.trip.val())
            || (self.same_bit.val().get_bit(7) && (self.retain.val().any() || !self.trip.val()));
        self.clear_none.next = !(self.base_9.val() || self.near_9.val().any());

        comment!("words: a slot takes over the word of a slot ahead that writes the same address; a recycle empties it");
        self.hit.next = self.none_hit.val();
        if self.current.val() && !self.trip.val() {
            self.hit.next = bits_to(self.same_word_w.q.val(), self.hit_bits);
        }
        self.empty_in.next = self.empty.q.val() << 1;
        if self.trip.val() {
            self.empty_in.next = self.all_empty.val();
        }
        if !self.from_write_7.q.val() && !self.active_read.current.val() {
            self.empty_in.set_bit(5, true);
        }
        self.empty.d.next =
            self.empty_in.val() & !(bits_to(self.hit.val(), self.empty_bits) << 3usize);
        self.from_write_6.d.next = self.same_word_w.q.val().get_bit(0);
        self.from_write_7.d.next = self.from_write_6.q.val() || self.same_word_w.q.val().get_bit(1);
        self.from_last_7.d.next = self.same_word_w.q.val().get_bit(1);
        self.word[0].d.next = self.active_read.word.val();
        if self.same_word_w.q.val().get_bit(2) {
            self.word[0].d.next = self.written.q.val();
        } else if self.from_last_7.q.val() {
            self.word[0].d.next = self.written_1.q.val();
        } else if self.from_write_7.q.val() {
            self.word[0].d.next = self.written_2.q.val();
        }
        for i in 1..self.word.len() {
            self.word[i].d.next = self.word[i - 1].q.val();
            if self.same_word_w.q.val().get_bit(i + 2) {
                self.word[i].d.next = self.written.q.val();
            }
        }
        for i in self.last_word_count..self.word.len() {
            self.last_word.next = self.word[i].q.val();
        }
        self.overtaken.next =
            self.same_word_w.q.val().get_bit(self.same_last.val()) && self.current.val();
        self.base_word.d.next = self.last_word.val();
        if self.overtaken.val() {
            self.base_word.d.next = self.written.q.val();
        } else if self.empty.q.val().get_bit(self.empty_last.val()) {
            self.base_word.d.next = self.no_word.val();
        }
        self.first.d.next =
            self.empty.q.val().get_bit(self.empty_last.val()) && !self.overtaken.val();
        self.mask.d.next = self.no_word.val();
        if self.setting.val() {
            self.mask.d.next = self.one.val() << bits_to(self.writing.val(), OFFSET_BITS);
        }
        if self.adding.val() {
            self.mask.d.next = self.added.val();
        }
        self.chained.d.next =
            self.same_word_d2.q.val().get_bit(self.match_last.val()) && !self.tripped.val();
        self.written.d.next = self.base_word.q.val() | self.mask.q.val();
        if self.chained.q.val() {
            self.written.d.next = self.written.q.val() | self.mask.q.val();
        }
        self.written_1.d.next = self.written.q.val();
        self.written_2.d.next = self.written_1.q.val();
        self.write_address_d2.d.next =
            bits_to(self.writing.val() >> 5, self.shape.word_address_bits);
        self.write_address.d.next = self.write_address_d2.q.val();

        comment!("coverage by the current epoch");
        self.first_w.d.next = self.first.q.val() && !self.chained.q.val();
        self.coverage.recycled.next = self.recycled.val();
        self.coverage.touch.next = self.first_w.q.val() && self.write_enable.val();
        self.full.next = self.coverage.full.val();
    }
}
