//! One bank of cells: memory, forwarding and update.

use crate::bank::{BankMemory, Coverage, EccPort, ParityCheck, ParitySeal, WordCompare};
use crate::cells::{CellLane, RaiseLane, SetBits};
use crate::prelude::*;
use bloomline_spec::ecc;

/// Slots ahead whose words have not reached memory when a slot reads its own.
const AHEAD: usize = 4;
/// Stages that carry the word's address: 0 to W = 5.
const ADDRESS_STAGES: usize = 6;
/// Stages that carry the cell's place in the word: 0 to 3 for counters, to 4 for bits.
const OFFSET_STAGES: usize = 4;

block! {
    /// One bank: memory and arithmetic for one of the k cells of an item, exact under any sequence of slots.
    ///
    /// ```text
    /// stage 0    1              2                 3                      4                    5 = W             6
    /// position | RAM address, | (RAM), which    | RAM data, or word of | that, or value of  | value, RAM      | item's cell
    ///          | compare      | slots have my   | a slot 2 to 4 ahead; | the slot one ahead;| write, item's   |
    ///          |              | word            | epoch check          | add                | cell            |
    /// ```
    ///
    /// A slot's word is forwarded to the next four slots of the same word, the one right behind it within the loop of one clock. Words are never forwarded over a
    /// clear: none but refreshes run there, and they come back to a word after [`bloomline_spec::MIN_CELL_WORDS`] slots at least.
    ///
    /// With parity a word that comes from memory is checked: in stage 4 it is known to be wrong, and by policy it does not count then.
    ///
    /// Sources: OCC (bits), CBF (counters), KM section 9 (amounts), Estan and Varghese (levels); epochs instead of clearing: `docs/cells.md`.
    /// New inputs in every clock. No reset.
    pub struct CellBank {
        about: About = About::new(
            "cell_bank",
            format!(
                "One bank: {} words of {lanes} cells of {}: {what}.\n\
                 Exact for any sequence of slots: words of slots in flight are forwarded; an epoch with each word makes a clear one increment.{checks}",
                shape.words,
                counted(cell_bits, "bit")
            ),
        ),
        pub clock: Signal<In, Clock>,
        // stage 0
        pub index: Bus<In> = Bus::new(shape.index_bits).doc("position of the slot entering stage 0"),
        pub direct: Wire<In> = Wire::default().doc("that slot is a refresh or an access"),
        pub direct_address: Bus<In> = Bus::new(shape.word_address_bits).doc("word that it goes to"),
        // stages 2 to 5
        pub writing: Bus<In> = Bus::new(AHEAD).doc("bit i: the slot in stage 2 + i writes its word"),
        pub storing: Wire<In> = Wire::default().doc("stage 2: an access stores to this bank"),
        pub store_word: Bus<In> = Bus::new(used_bits).doc("stage 2: the word to store"),
        pub epoch: Bus<In> = Bus::new(EPOCH_BITS).doc("stage 3: current epoch"),
        pub inserting: Wire<In> = Wire::default().doc("stage 3: the item inserts"),
        pub removing: Vec<Wire<In>> = (0..shape.removes).map(|_| Wire::default().doc("stage 3: it removes")).collect(),
        pub amount: Vec<Bus<In>> = (0..amounts).map(|_| Bus::new(cell_bits).doc(operand)).collect(),
        pub write_epoch: Bus<In> = Bus::new(EPOCH_BITS).doc("stage 5: epoch that the slot writes"),
        pub recycled: Wire<In> = Wire::default().doc("stage 5: the slot is a clear"),
        // results
        pub above: Wire<Out> = Wire::default().doc("stage 6: the item's cell was above 0"),
        pub underflow: Vec<Wire<Out>> = (0..shape.removes).map(|_| Wire::default().doc("stage 6: it was to be taken from and was 0")).collect(),
        pub cell: Vec<Bus<Out>> = (0..shape.counts).map(|_| Bus::new(cell_bits).doc("stage 6: the item's cell, after it")).collect(),
        pub cell_full: Vec<Wire<Out>> = (0..shape.counts).map(|_| Wire::default().doc("stage 6: it is at its greatest value")).collect(),
        pub word_6: Bus<Out> = Bus::new(used_bits).doc("stage 6: the slot's word"),
        pub full: Wire<Out> = Wire::default().doc("every word bears the current epoch"),
        pub wrong_5: Vec<Wire<Out>> = (0..shape.parity).map(|_| Wire::default().doc("stage 5: the word that the slot met in memory has wrong parity")).collect(),
        pub corrected_5: Vec<Wire<Out>> = (0..shape.ecc).map(|_| Wire::default().doc("stage 5: the word that the slot met in memory was corrected")).collect(),
        pub uncorrectable_5: Vec<Wire<Out>> = (0..shape.ecc).map(|_| Wire::default().doc("stage 5: it could not be")).collect(),
        // positions
        entering: Bus<Local> = Bus::new(shape.word_address_bits),
        entering_offset: Vec<Bus<Local>> = (0..offsets).map(|_| Bus::new(lane_bits)).collect(),
        early: Vec<Reg> = (0..shape.read_ahead).map(|_| Reg::new(shape.word_address_bits).doc("stages -2 and -1")).collect(),
        early_offset: Vec<Reg> = (0..shape.read_ahead * offsets).map(|_| Reg::new(lane_bits)).collect(),
        address: Vec<Reg> = (0..ADDRESS_STAGES).map(|_| Reg::new(shape.word_address_bits)).collect(),
        offset: Vec<Reg> = (0..offset_stages).map(|_| Reg::new(lane_bits)).collect(),
        // matches
        compare: Vec<WordCompare> = (0..AHEAD).map(|_| WordCompare::new(shape.word_address_bits)).collect(),
        hit: Vec<Flag> = (0..AHEAD)
            .map(|i| Flag::default().doc(format!("stage 2: the slot {} ahead writes my word", i + 1)))
            .collect(),
        next_3: Flag = Flag::default().doc("stage 3: the slot one ahead writes my word"),
        from_near: Flag = Flag::default().doc("stage 3: the word comes from the slot two ahead"),
        from_far: Flag = Flag::default().doc("stage 3: the word comes from far_word"),
        forwarded: Flag = Flag::default().doc("stage 3: a slot two to four ahead writes my word"),
        stored_3: Flag = Flag::default().doc("stage 3: an access stores"),
        // words
        memory: BankMemory = BankMemory::with_check_bits(shape.words, check_bits),
        ecc_port: Vec<EccPort> = (0..shape.ecc).map(|_| EccPort::new(shape.words, false)).collect(),
        corrected_4: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        uncorrectable_4: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        corrected: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        uncorrectable: Vec<Flag> = (0..shape.ecc).map(|_| Flag::default()).collect(),
        read_epoch: Bus<Local> = Bus::new(EPOCH_BITS),
        bears: Wire<Local>,
        far_word: Reg = Reg::new(used_bits).doc("stage 3: word of the slot three or four ahead, or the one to store"),
        word: Reg = Reg::new(used_bits),
        current: Flag = Flag::default().doc("stage 4: word counts; if not, it is 0"),
        chained: Flag = Flag::default().doc("stage 4: the value of the slot one ahead counts"),
        first_4: Flag = Flag::default().doc("stage 4: memory's word does not bear the current epoch"),
        first_5: Flag,
        check: Vec<ParityCheck> = (0..shape.parity).map(|_| ParityCheck::new(WORD_BITS + EPOCH_BITS + 1)).collect(),
        from_memory: Vec<Flag> = (0..shape.parity).map(|_| Flag::default().doc("stage 4: word comes from memory")).collect(),
        wrong_4: Vec<Wire<Local>> = (0..shape.parity).map(|_| Wire::default().doc("stage 4: that, and its parity is wrong")).collect(),
        wrong: Vec<Flag> = (0..shape.parity).map(|_| Flag::default()).collect(),
        sound: Vec<Wire<Local>> = (0..shape.parity_empties).map(|_| Wire::default().doc("stage 4: word counts")).collect(),
        seal: Vec<ParitySeal> = (0..shape.parity).map(|_| ParitySeal::new(WORD_BITS + EPOCH_BITS)).collect(),
        value: Bus<Local> = Bus::new(used_bits),
        value_6: Reg = Reg::new(used_bits),
        // arithmetic
        bits: Vec<SetBits> = (0..1 - shape.counts).map(|_| SetBits::default()).collect(),
        lane: Vec<CellLane> = (raises..counters).map(|_| CellLane::new(shape)).collect(),
        raise: Vec<RaiseLane> = (0..raises).map(|_| RaiseLane::new(shape)).collect(),
        cut: Vec<Slice> = (0..counters).map(|l| Slice::new(used_bits, l * cell_bits, cell_bits)).collect(),
        place: Vec<Slice> = (0..counters).map(|_| Slice::new(cell_bits, 0, used_bits)).collect(),
        place_from: Vec<usize> = (0..counters).map(|l| l * cell_bits).collect(),
        lane_number: Vec<Const> = (0..offsets * counters).map(|l| Const::new(l as u128, lane_bits)).collect(),
        picked: Vec<Bus<Local>> = (0..shape.counts).map(|_| Bus::new(cell_bits)).collect(),
        picked_above: Vec<Wire<Local>> = (0..shape.counts).map(|_| Wire::default()).collect(),
        picked_underflow: Vec<Wire<Local>> = (0..shape.removes).map(|_| Wire::default()).collect(),
        cell_r: Vec<Reg> = (0..shape.counts).map(|_| Reg::new(cell_bits)).collect(),
        above_r: Vec<Flag> = (0..shape.counts).map(|_| Flag::default()).collect(),
        underflow_r: Vec<Flag> = (0..shape.removes).map(|_| Flag::default()).collect(),
        coverage: Coverage = Coverage::new(shape.words),
        no_word: Const = Const::new(0, used_bits),
        no_cell: Const = Const::new(0, cell_bits),
        offset_from: usize = lane_bits,
        shape: CellShape = *shape,
    }

    /// A bank of the pipeline of this shape.
    pub fn new(shape: &CellShape) {
        let CellShape {
            cell_bits,
            used_bits,
            lanes,
            lane_bits,
            ..
        } = *shape;
        let amounts = usize::from(shape.has_operand());
        let raises = shape.conserves * lanes;
        let counters = shape.counts * lanes;
        let offsets = usize::from(lane_bits > 0);
        let offset_stages = offsets * (OFFSET_STAGES + 1 - shape.counts);
        let check_bits =
            shape.parity + shape.ecc * ecc::check_bits((WORD_BITS + EPOCH_BITS) as u32) as usize;
        let checks = match (shape.parity, shape.parity_empties) {
            (0, _) if shape.ecc > 0 => {
                "\nAn error-correcting code with each word corrects one flipped bit."
            }
            (0, _) => "",
            (_, 0) => "\nA parity bit with each word tells wrong ones.",
            (_, _) => "\nA parity bit with each word tells wrong ones; their cells read as 0.",
        };
        let (what, operand) = match (shape.counts, shape.removes, shape.conserves) {
            (0, _, _) => ("bits, each set by an item. Source: OCC", ""),
            (_, _, 1) => (
                "counters, each raised to a level. Source: Estan and Varghese, SIGCOMM 2002",
                "stage 3: what it raises to",
            ),
            (_, 1, _) => ("counters, each counted up and down by one. Source: CBF", ""),
            (_, 0, _) if amounts == 0 => ("counters, each counted up by one. Source: CBF", ""),
            (_, _, _) => (
                "counters, each added to by an amount. Source: KM section 9",
                "stage 3: what it adds",
            ),
        };
    }
}

impl Logic for CellBank {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("positions");
        self.entering.next = bits_to(
            self.index.val() >> self.offset_from,
            self.shape.word_address_bits,
        );
        if self.direct.val() {
            self.entering.next = self.direct_address.val();
        }
        if self.shape.ecc == 0 {
            self.address[0].d.next = self.entering.val();
        }
        for e in 0..self.shape.ecc {
            self.early[e].d.next = self.entering.val();
            self.early[e + 1].d.next = self.early[e].q.val();
            self.address[e].d.next = self.early[e + 1].q.val();
        }
        for s in 1..6 {
            self.address[s].d.next = self.address[s - 1].q.val();
        }
        for o in 0..self.entering_offset.len() {
            self.entering_offset[o].next = bits_to(self.index.val(), self.shape.lane_bits);
            if self.shape.ecc == 0 {
                self.offset[0].d.next = self.entering_offset[o].val();
            }
            for e in 0..self.shape.ecc {
                self.early_offset[e].d.next = self.entering_offset[o].val();
                self.early_offset[e + 1].d.next = self.early_offset[e].q.val();
                self.offset[e].d.next = self.early_offset[e + 1].q.val();
            }
        }
        for s in 1..self.offset.len() {
            self.offset[s].d.next = self.offset[s - 1].q.val();
        }

        for p in 0..self.shape.parity {
            comment!("parity of what comes from memory: in stage 3 its parts, in stage 4 whether it is wrong");
            self.check[p].word.next = self.memory.read_data.val();
            self.from_memory[p].d.next =
                !self.forwarded.q.val() && !self.next_3.q.val() && !self.stored_3.q.val();
            self.wrong_4[p].next = self.from_memory[p].q.val() && self.check[p].wrong.val();
            self.wrong[p].d.next = self.wrong_4[p].val();
            self.wrong_5[p].next = self.wrong[p].q.val();
        }
        for e in 0..self.shape.parity_empties {
            self.sound[e].next = self.current.q.val() && !self.wrong_4[e].val();
        }

        comment!("arithmetic, stage 4, and the item's cell");
        self.value.next = self.no_word.val();
        for b in 0..1 - self.shape.counts {
            self.bits[b].inserting.next = self.inserting.val();
            self.bits[b].offset.next = self.offset[4].q.val();
            self.bits[b].word.next = self.word.q.val();
            self.bits[b].current.next = self.current.q.val();
            for e in 0..self.shape.parity_empties {
                self.bits[b].current.next = self.sound[e].val();
            }
            self.bits[b].chained.next = self.chained.q.val();
            self.value.next = self.bits[b].value.val();
            self.above.next = self.bits[b].above.val();
        }
        for c in 0..self.shape.counts {
            self.picked[c].next = self.no_cell.val();
            self.picked_above[c].next = false;
        }
        for r in 0..self.shape.removes {
            self.picked_underflow[r].next = false;
        }
        for l in 0..self.lane.len() {
            self.lane[l].inserting.next = self.inserting.val();
            if self.shape.lane_bits == 0 {
                self.lane[l].here.next = true;
            }
            for o in 0..self.entering_offset.len() {
                self.lane[l].here.next = self.offset[o + 3].q.val() == self.lane_number[l].val();
            }
            for a in 0..self.amount.len() {
                self.lane[l].amount[a].next = self.amount[a].val();
            }
            self.cut[l].input.next = self.word.q.val();
            self.lane[l].word.next = self.cut[l].output.val();
            self.lane[l].current.next = self.current.q.val();
            for e in 0..self.shape.parity_empties {
                self.lane[l].current.next = self.sound[e].val();
            }
            self.lane[l].chained.next = self.chained.q.val();
            self.place[l].input.next = self.lane[l].value.val();
            self.value.next = self.value.val() | (self.place[l].output.val() << self.place_from[l]);
            for c in 0..self.shape.counts {
                self.picked[c].next = self.picked[c].val() | self.lane[l].picked.val();
                self.picked_above[c].next = self.picked_above[c].val() || self.lane[l].above.val();
            }
            for r in 0..self.shape.removes {
                self.lane[l].removing[r].next = self.removing[r].val();
                self.picked_underflow[r].next =
                    self.picked_underflow[r].val() || self.lane[l].underflow[r].val();
            }
        }
        for l in 0..self.raise.len() {
            self.raise[l].raising.next = self.inserting.val();
            if self.shape.lane_bits == 0 {
                self.raise[l].here.next = true;
            }
            for o in 0..self.entering_offset.len() {
                self.raise[l].here.next = self.offset[o + 3].q.val() == self.lane_number[l].val();
            }
            for a in 0..self.amount.len() {
                self.raise[l].level.next = self.amount[a].val();
            }
            self.cut[l].input.next = self.word.q.val();
            self.raise[l].word.next = self.cut[l].output.val();
            self.raise[l].current.next = self.current.q.val();
            for e in 0..self.shape.parity_empties {
                self.raise[l].current.next = self.sound[e].val();
            }
            self.raise[l].chained.next = self.chained.q.val();
            self.place[l].input.next = self.raise[l].value.val();
            self.value.next = self.value.val() | (self.place[l].output.val() << self.place_from[l]);
            for c in 0..self.shape.counts {
                self.picked[c].next = self.picked[c].val() | self.raise[l].picked.val();
                self.picked_above[c].next = self.picked_above[c].val() || self.raise[l].above.val();
            }
        }
        for c in 0..self.shape.counts {
            self.cell_r[c].d.next = self.picked[c].val();
            self.above_r[c].d.next = self.picked_above[c].val();
            self.cell[c].next = self.cell_r[c].q.val();
            self.cell_full[c].next = self.cell_r[c].q.val().all();
            self.above.next = self.above_r[c].q.val();
        }
        for r in 0..self.shape.removes {
            self.underflow_r[r].d.next = self.picked_underflow[r].val();
            self.underflow[r].next = self.underflow_r[r].q.val();
        }

        comment!("which of the four slots ahead write my word, and where it comes from then");
        for a in 0..4 {
            self.compare[a].behind.next = self.address[0].q.val();
            self.compare[a].ahead.next = self.address[a + 1].q.val();
            self.hit[a].d.next = self.compare[a].same.val() && self.writing.val().get_bit(a);
        }
        self.next_3.d.next = self.hit[0].q.val();
        self.forwarded.d.next = self.hit[1].q.val() || self.hit[2].q.val() || self.hit[3].q.val();
        self.stored_3.d.next = self.storing.val();
        self.from_near.d.next = self.hit[1].q.val() && !self.storing.val();
        self.from_far.d.next = self.hit[2].q.val() || self.hit[3].q.val() || self.storing.val();
        self.far_word.d.next = self.value_6.q.val();
        if self.storing.val() {
            self.far_word.d.next = self.store_word.val();
        } else if self.hit[2].q.val() {
            self.far_word.d.next = self.value.val();
        }

        comment!("memory: address in stage 1, data in stage 3");
        if self.shape.ecc == 0 {
            self.memory.read_address.next = self.address[1].q.val();
            self.memory.write_enable.next = self.writing.val().get_bit(3);
            self.memory.write_address.next = self.address[5].q.val();
        }
        for e in 0..self.shape.ecc {
            comment!("with a code two clocks ahead: address in stage -1");
            self.memory.read_address.next = self.early[e + 1].q.val();
            self.ecc_port[e].read_address.next = self.early[e + 1].q.val();
            self.ecc_port[e].write_enable.next = self.writing.val().get_bit(3);
            self.ecc_port[e].write_address.next = self.address[5].q.val();
            self.ecc_port[e].write_data.next =
                (bits_to(self.write_epoch.val(), WORD_BITS + EPOCH_BITS) << 32)
                    | bits_to(self.value.val(), WORD_BITS + EPOCH_BITS);
            self.ecc_port[e].memory_read.next = self.memory.read_data.val();
            self.memory.write_enable.next = self.ecc_port[e].memory_enable.val();
            self.memory.write_address.next = self.ecc_port[e].memory_address.val();
            self.memory.write_data.next = self.ecc_port[e].memory_write.val();
            self.corrected_4[e].d.next = self.ecc_port[e].corrected.val()
                && !self.forwarded.q.val()
                && !self.next_3.q.val()
                && !self.stored_3.q.val();
            self.uncorrectable_4[e].d.next = self.ecc_port[e].uncorrectable.val()
                && !self.forwarded.q.val()
                && !self.next_3.q.val()
                && !self.stored_3.q.val();
            self.corrected[e].d.next = self.corrected_4[e].q.val();
            self.uncorrectable[e].d.next = self.uncorrectable_4[e].q.val();
            self.corrected_5[e].next = self.corrected[e].q.val();
            self.uncorrectable_5[e].next = self.uncorrectable[e].q.val();
        }
        if self.shape.parity + self.shape.ecc == 0 {
            self.memory.write_data.next = (bits_to(self.write_epoch.val(), WORD_BITS + EPOCH_BITS)
                << 32)
                | bits_to(self.value.val(), WORD_BITS + EPOCH_BITS);
        }
        for p in 0..self.shape.parity {
            self.seal[p].payload.next = (bits_to(self.write_epoch.val(), WORD_BITS + EPOCH_BITS)
                << 32)
                | bits_to(self.value.val(), WORD_BITS + EPOCH_BITS);
            self.memory.write_data.next = self.seal[p].word.val();
        }
        if self.shape.ecc == 0 {
            self.read_epoch.next = bits_to(self.memory.read_data.val() >> 32, EPOCH_BITS);
        }
        for e in 0..self.shape.ecc {
            self.read_epoch.next = bits_to(self.ecc_port[e].read_data.val() >> 32, EPOCH_BITS);
        }
        self.bears.next = self.read_epoch.val() == self.epoch.val();
        if self.shape.ecc == 0 {
            self.word.d.next = bits_to(self.memory.read_data.val(), self.shape.used_bits);
        }
        for e in 0..self.shape.ecc {
            self.word.d.next = bits_to(self.ecc_port[e].read_data.val(), self.shape.used_bits);
        }
        if self.from_near.q.val() {
            self.word.d.next = self.value.val();
        } else if self.from_far.q.val() {
            self.word.d.next = self.far_word.q.val();
        }
        self.current.d.next = self.bears.val() || self.from_near.q.val() || self.from_far.q.val();
        self.chained.d.next = self.next_3.q.val() && !self.stored_3.q.val();
        self.value_6.d.next = self.value.val();
        self.word_6.next = self.value_6.q.val();

        comment!("coverage by the current epoch");
        self.first_4.d.next = !self.bears.val() && !self.forwarded.q.val() && !self.next_3.q.val();
        self.first_5.d.next = self.first_4.q.val();
        for e in 0..self.shape.parity_empties {
            self.first_5.d.next = self.first_4.q.val() || self.wrong_4[e].val();
        }
        self.coverage.recycled.next = self.recycled.val();
        self.coverage.touch.next = self.first_5.q.val() && self.writing.val().get_bit(3);
        self.full.next = self.coverage.full.val();
    }
}
