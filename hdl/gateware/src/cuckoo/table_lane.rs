//! One lane of a cuckoo table: one cell of every row.

use super::{CellFlags, CellLife, CellMemory, CellParts, CuckooShape, Generations, FORWARDED};
use crate::prelude::*;

/// The i-th cell of every row: its memory, what an item sees of it through port A, and what the agent sees through port B.
///
/// Timing of an item: address in stage 1, contents in stage 3, flags in stage 6, written in stage 7. Of the agent: address in clock t, contents, `dead` and `old`
/// in clock t + 2.
/// New inputs in every clock. No reset.
#[derive(LogicBlock)]
pub struct CuckooLane {
    about: About,
    pub clock: Signal<In, Clock>,
    pub row: Bus<In>,
    pub value: Bus<In>,
    pub own: Bus<In>,
    pub generations: Generations<Slave>,
    pub same_row: Bus<In>,
    pub same_value: Bus<In>,
    pub near_row: Wire<In>,
    pub near_value: Wire<In>,
    pub turn_4: Wire<In>,
    pub turn_7: Wire<In>,
    pub same_turn_4: Wire<In>,
    pub same_turn_5: Wire<In>,
    pub near_turn: Wire<In>,
    pub taking: Wire<In>,
    pub port_row: Bus<In>,
    pub commits: Wire<In>,
    pub write_data: Bus<In>,
    pub matching: Wire<Out>,
    pub current: Wire<Out>,
    pub empty: Wire<Out>,
    pub cell: Bus<Out>,
    pub dead: Wire<Out>,
    pub old: Wire<Out>,
    memory: CellMemory,
    item_cell: CellParts,
    agent_cell: CellParts,
    flags: CellFlags,
    item_life: CellLife,
    agent_life: CellLife,
    taken: Flag,
    shape: CuckooShape,
}

impl CuckooLane {
    /// A lane of a table of this shape.
    pub fn new(shape: &CuckooShape) -> Self {
        let (f, v) = (shape.fingerprint_bits, shape.generation_bits);
        Self {
            about: About::new(
                "cuckoo_lane",
                format!(
                    "One cell of each of {} rows: {f} bits of fingerprint, {v} of generation.",
                    1u64 << shape.row_bits
                ),
            ),
            clock: Default::default(),
            row: Bus::new(shape.row_bits).doc("the slot's row, stage 1"),
            value: Bus::new(shape.value_bits()).doc("the slot's fingerprint, stage 3"),
            own: Bus::new(v).doc("the slot's generation, stage 3"),
            generations: Generations::new(shape),
            same_row: Bus::new(FORWARDED)
                .doc("bit s: the slot in stage s + 1 holds the row of that in stage 7"),
            same_value: Bus::new(FORWARDED).doc("and bears its fingerprint"),
            near_row: Wire::default().doc("the slot in stage 5 holds the row of that in stage 6"),
            near_value: Wire::default().doc("and bears its fingerprint"),
            turn_4: Wire::default().doc("turn of the slot in stage 4"),
            turn_7: Wire::default().doc("turn of the slot in stage 7"),
            same_turn_4: Wire::default().doc("the slots in stages 4 and 7 have one turn"),
            same_turn_5: Wire::default().doc("the slots in stages 5 and 7 have one turn"),
            near_turn: Wire::default().doc("the slots in stages 5 and 6 have one turn"),
            taking: Wire::default().doc("the slot in stage 6 writes this lane"),
            port_row: Bus::new(shape.row_bits).doc("row at port B"),
            commits: Wire::default().doc("the agent, or a wipe, writes this lane"),
            write_data: Bus::new(shape.cell_bits()).doc("what is written"),
            matching: Wire::default().doc("stage 6: the cell matches"),
            current: Wire::default().doc("stage 6: if so, it bears the slot's generation"),
            empty: Wire::default().doc("stage 6: the cell is empty"),
            cell: Bus::new(shape.cell_bits()).doc("the agent's cell, two clocks after its row"),
            dead: Wire::default().doc("it is not live"),
            old: Wire::default().doc("and has been so for a generation"),
            item_cell: CellParts::new(shape),
            agent_cell: CellParts::new(shape),
            memory: CellMemory::new(shape.row_bits, shape.cell_bits()),
            flags: CellFlags::default(),
            item_life: CellLife::new(shape),
            agent_life: CellLife::new(shape),
            taken: Flag::default().doc("the slot in stage 7 writes this lane"),
            shape: shape.clone(),
        }
    }
}

impl Logic for CuckooLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("an item, stage 3");
        self.memory.a_address.next = self.row.val();
        self.item_cell.word.next = self.memory.a_data.val();
        self.item_life.phase.next = bits_to(self.item_cell.value.val(), self.shape.phase_bits());
        self.item_life.generation.next = self.item_cell.generation.val();
        self.generations.link(&mut self.item_life.generations);
        self.flags.equal.next = self.item_cell.value.val() == self.value.val();
        self.flags.live.next = self.item_life.live.val();
        self.flags.fresh.next = self.item_cell.generation.val() == self.own.val();
        self.flags.taken.next = self.taken.q.val();
        self.flags.same_row.next = self.same_row.val();
        self.flags.same_value.next = self.same_value.val();
        self.flags.taking.next = self.taking.val();
        self.flags.near_row.next = self.near_row.val();
        self.flags.near_value.next = self.near_value.val();
        self.flags.turn_4.next = self.turn_4.val();
        self.flags.turn_7.next = self.turn_7.val();
        self.flags.same_turn_4.next = self.same_turn_4.val();
        self.flags.same_turn_5.next = self.same_turn_5.val();
        self.flags.near_turn.next = self.near_turn.val();
        self.matching.next = self.flags.matching.val();
        self.current.next = self.flags.current.val();
        self.empty.next = self.flags.empty.val();

        comment!("port B: the agent reads, or one of them writes");
        self.taken.d.next = self.taking.val();
        self.memory.b_address.next = self.port_row.val();
        self.memory.write.next = self.taken.q.val() || self.commits.val();
        self.memory.write_data.next = self.write_data.val();
        self.cell.next = self.memory.b_data.val();
        self.agent_cell.word.next = self.memory.b_data.val();
        self.agent_life.phase.next = bits_to(self.agent_cell.value.val(), self.shape.phase_bits());
        self.agent_life.generation.next = self.agent_cell.generation.val();
        self.generations.link(&mut self.agent_life.generations);
        self.dead.next = !self.agent_life.live.val();
        self.old.next = self.agent_life.old.val();
    }
}
