//! One lane of a cuckoo table: one cell of every row.

use super::{CellFlags, CellLife, CellMatch, CellMemory, CellParts, CuckooShape, Generations};
use crate::bank::{CodeRead, CodeSyndrome};
use crate::prelude::*;

block! {
    /// The i-th cell of every row: its memory, what an item sees of it through port A, and what the agent sees through port B.
    ///
    /// Timing of an item: address in stage 1 (with an error-correcting code -1), contents in stage 3, flags in stage 6, written in stage 7. Of the agent: address in clock t, contents
    /// in clock t + 2, `dead` and `old` in clock t + 3; what the agent sees is not corrected: `syndrome` says whether it is sound.
    /// New inputs in every clock. No reset.
    pub struct CuckooLane {
        about: About = About::new(
            "cuckoo_lane",
            format!(
                "One cell of each of {} rows: {f} bits of fingerprint, {v} of generation{beside}.",
                1u64 << shape.row_bits
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub row: Bus<In> = Bus::new(shape.row_bits).doc(format!("the slot's row, stage {}", shape.read_stage())),
        pub value: Bus<In> = Bus::new(shape.value_bits()).doc("the slot's fingerprint, stage 3"),
        pub generations: Generations<Slave> = Generations::new(shape),
        pub same_row: Bus<In> = Bus::new(shape.forwarded())
            .doc(format!("bit s: the slot in stage {} holds the row of that in stage 7", shape.forwarded_stage())),
        pub same_value: Bus<In> = Bus::new(shape.forwarded()).doc("and bears its fingerprint"),
        pub near_row: Wire<In> = Wire::default().doc("the slot in stage 5 holds the row of that in stage 6"),
        pub near_value: Wire<In> = Wire::default().doc("and bears its fingerprint"),
        pub turn_4: Wire<In> = Wire::default().doc("turn of the slot in stage 4"),
        pub mark_in: Bus<In> = Bus::new(shape.forwarded() - 2).doc("where the fingerprints are the same, turn of the slot in stage 7; else 1"),
        pub settled_4: Wire<In> = Wire::default().doc("the slots in stages 4 and 7 have one row, one fingerprint and one turn"),
        pub settled_5: Wire<In> = Wire::default().doc("the slots in stages 5 and 7 have"),
        pub near_settled: Wire<In> = Wire::default().doc("the slots in stages 5 and 6 have"),
        pub taking: Wire<In> = Wire::default().doc("the slot in stage 6 writes this lane"),
        pub port_row: Bus<In> = Bus::new(shape.row_bits).doc("row at port B"),
        pub commits: Wire<In> = Wire::default().doc("the agent, or a wipe, writes this lane"),
        pub write_data: Bus<In> = Bus::new(shape.code_bits()).doc("what is written"),
        pub matching: Wire<Out> = Wire::default().doc("stage 6: the cell matches"),
        pub settled: Wire<Out> = Wire::default().doc("stage 6: where it matches, it bears the slot's generation; else it is empty"),
        pub matching_5: Wire<Out> = Wire::default().doc("stage 5: the cell matches, whatever the slot in stage 6 writes"),
        pub settled_next: Wire<Out> = Wire::default().doc("stage 5: `settled`, whatever the slot in stage 6 writes"),
        pub cell: Bus<Out> = Bus::new(shape.code_bits()).doc("the agent's cell, two clocks after its row"),
        pub dead: Wire<Out> = Wire::default().doc("a clock later: it was not live"),
        pub old: Wire<Out> = Wire::default().doc("and had been so for a generation"),
        pub syndrome: Optional<Bus<Out>> = Optional::new(shape.ecc, Bus::new(shape.check_bits.max(1)).doc("its syndrome: 0 if it is sound")),
        pub corrected_5: Optional<Wire<Out>> = Optional::new(shape.ecc, Wire::default().doc("stage 5: a bit of the item's cell was corrected")),
        pub uncorrectable_5: Optional<Wire<Out>> = Optional::new(shape.ecc, Wire::default().doc("stage 5: more than one were wrong")),
        memory: CellMemory = CellMemory::new(shape.row_bits, shape.code_bits()),
        code_read: Optional<CodeRead> = Optional::new(shape.ecc, CodeRead::new(shape.cell_bits())),
        code_syndrome: Optional<CodeSyndrome> = Optional::new(shape.ecc, CodeSyndrome::new(shape.cell_bits())),
        corrected_4: Optional<Flag> = Optional::new(shape.ecc, Flag::default()),
        uncorrectable_4: Optional<Flag> = Optional::new(shape.ecc, Flag::default()),
        item_cell: CellParts = CellParts::new(shape, false),
        item_match: CellMatch = CellMatch::new(shape),
        agent_cell: CellParts = CellParts::new(shape, false),
        flags: CellFlags = CellFlags::new(shape),
        item_life: CellLife = CellLife::new(shape),
        agent_life: CellLife = CellLife::new(shape),
        taken: Flag = Flag::default().doc("the slot in stage 7 writes this lane"),
        shape: CuckooShape = shape.clone(),
    }

    /// A lane of a table of this shape.
    pub fn new(shape: &CuckooShape) {
        let (f, v) = (shape.fingerprint_bits, shape.generation_bits);
        let beside = match shape.ecc {
            false => String::new(),
            true => format!(", and {} check bits", shape.check_bits),
        };
    }
}

impl Logic for CuckooLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("an item, stage 3");
        self.memory.a_address.next = self.row.val();
        if self.shape.ecc {
            self.code_read.code_word.next = self.memory.a_data.val();
            self.item_cell.word.next = self.code_read.payload.val();
            self.item_match.word.next = self.code_read.payload.val();
            self.corrected_4.d.next = self.code_read.corrected.val();
            self.uncorrectable_4.d.next = self.code_read.uncorrectable.val();
            self.flags.corrected.next = self.corrected_4.q.val();
            self.flags.uncorrectable.next = self.uncorrectable_4.q.val();
            self.corrected_5.next = self.flags.corrected_5.val();
            self.uncorrectable_5.next = self.flags.uncorrectable_5.val();
        } else {
            self.item_cell.word.next = self.memory.a_data.val();
            self.item_match.word.next = self.memory.a_data.val();
        }
        self.item_life.phase.next = self.item_cell.phase.val();
        self.item_life.generation.next = self.item_cell.generation.val();
        self.generations.link(&mut self.item_life.generations);
        self.item_match.second.next = self.item_cell.second.val();
        self.item_match.value.next = self.value.val();
        self.flags.equal.next = self.item_match.equal.val();
        self.flags.live.next = self.item_life.live.val();
        self.flags.fresh.next = self.item_life.fresh.val();
        self.flags.taken.next = self.taken.q.val();
        self.flags.same_row.next = self.same_row.val();
        self.flags.same_value.next = self.same_value.val();
        self.flags.taking.next = self.taking.val();
        self.flags.near_row.next = self.near_row.val();
        self.flags.near_value.next = self.near_value.val();
        self.flags.turn_4.next = self.turn_4.val();
        self.flags.mark_in.next = self.mark_in.val();
        self.flags.settled_4.next = self.settled_4.val();
        self.flags.settled_5.next = self.settled_5.val();
        self.flags.near_settled.next = self.near_settled.val();
        self.matching.next = self.flags.matching.val();
        self.settled.next = self.flags.settled.val();
        self.matching_5.next = self.flags.matching_5.val();
        self.settled_next.next = self.flags.settled_next.val();

        comment!("port B: the agent reads, or one of them writes");
        self.taken.d.next = self.taking.val();
        self.memory.b_address.next = self.port_row.val();
        self.memory.write.next = self.taken.q.val() || self.commits.val();
        self.memory.write_data.next = self.write_data.val();
        self.cell.next = self.memory.b_data.val();
        if self.shape.ecc {
            self.code_syndrome.code_word.next = self.memory.b_data.val();
            self.syndrome.next = self.code_syndrome.syndrome.val();
            self.agent_cell.word.next = bits_to(self.memory.b_data.val(), self.shape.cell_bits());
        } else {
            self.agent_cell.word.next = self.memory.b_data.val();
        }
        self.agent_life.phase.next = self.agent_cell.phase.val();
        self.agent_life.generation.next = self.agent_cell.generation.val();
        self.generations.link(&mut self.agent_life.generations);
        self.dead.next = !self.agent_life.live.val();
        self.old.next = self.agent_life.old.val();
    }
}
