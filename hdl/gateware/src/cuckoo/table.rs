//! One cuckoo table.

use super::{CuckooLane, CuckooShape, Generations, FORWARDED};
use crate::prelude::*;

block! {
    /// 2^b rows of s cells: for each slot in stage D, which cells of its row match and which are empty; and for the agent, a row through port B.
    ///
    /// Timing: `row` as it enters stage 0 (with an error-correcting code -2); `matching` and `settled` in stage 6; `taking` in the same clock says which cell the slot writes, in stage 7. The agent's row stands at port B in a clock in which nothing is written; `victim`
    /// two clocks later, `dead` and `old` three.
    /// New inputs in every clock. No reset.
    pub struct CuckooTable {
        about: About = About::new(
            "cuckoo_table",
            format!("{} rows of {cells} cells: which cells of a slot's row match, which are empty; a row for the agent.", 1u64 << rows),
        ),
        pub clock: Signal<In, Clock>,
        pub row: Bus<In> = Bus::new(rows).doc(format!("of the slot entering stage {}", shape.entry())),
        pub value_3: Bus<In> = Bus::new(shape.value_bits()).doc("fingerprint of the slot in stage 3"),
        pub generations: Generations<Slave> = Generations::new(shape),
        pub same_value: Bus<In> = Bus::new(shape.forwarded())
            .doc(format!("bit s: the slot in stage {} bears the fingerprint of that in stage 7", shape.forwarded_stage())),
        pub near_value: Wire<In> = Wire::default().doc("the slot in stage 5 bears the fingerprint of that in stage 6"),
        pub turn_4: Wire<In> = Wire::default().doc("turn of the slot in stage 4"),
        pub turn_7: Wire<In> = Wire::default().doc("turn of the slot in stage 7"),
        pub same_turn_4: Wire<In> = Wire::default().doc("the slots in stages 4 and 7 have one turn"),
        pub same_turn_5: Wire<In> = Wire::default().doc("the slots in stages 5 and 7 have one turn"),
        pub near_turn: Wire<In> = Wire::default().doc("the slots in stages 5 and 6 have one turn"),
        pub taking: Bus<In> = Bus::new(cells).doc("cell that the slot in stage 6 writes"),
        pub takes: Wire<In> = Wire::default().doc("there is one"),
        pub item_data: Bus<In> = Bus::new(width).doc("what the slot in stage 7 writes"),
        pub wiping: Wire<In> = Wire::default().doc("every cell of a row becomes stale"),
        pub wipe_row: Bus<In> = Bus::new(rows).doc("that row"),
        pub agent_row: Bus<In> = Bus::new(rows).doc("row that the agent reads or writes"),
        pub commits: Wire<In> = Wire::default().doc("the agent writes"),
        pub commit_lanes: Bus<In> = Bus::new(cells).doc("these cells of it"),
        pub commit_data: Bus<In> = Bus::new(width).doc("what it, or a wipe, writes"),
        pub victim_lane: Bus<In> = Bus::new(cells).doc("cell that gives way in a full row"),
        pub matching: Bus<Out> = Bus::new(cells).doc("stage 6: cells that match"),
        pub settled: Bus<Out> = Bus::new(cells).doc("stage 6: of the cells that match, those that bear the slot's generation; of the others, the empty ones"),
        pub any_matching: Wire<Out> = Wire::default().doc("stage 6: there is a cell that matches"),
        pub any_empty: Wire<Out> = Wire::default().doc("stage 6: if there is none, there is an empty one"),
        pub row_entering: Bus<Out> = Bus::new(rows).doc(format!("row of the slot in stage {}", shape.entry())),
        pub row_2: Bus<Out> = Bus::new(rows).doc("row of the slot in stage 2"),
        pub row_7: Bus<Out> = Bus::new(rows).doc("row of the slot in stage 7"),
        pub taken: Wire<Out> = Wire::default().doc("the slot in stage 7 writes a cell"),
        pub dead: Bus<Out> = Bus::new(cells).doc("a clock later: cells of the agent's row that were not live"),
        pub old: Bus<Out> = Bus::new(cells).doc("and had been so for a generation"),
        pub victim: Bus<Out> = Bus::new(width).doc("the cell that gives way"),
        pub bad: Optional<Bus<Out>> = Optional::new(shape.ecc, Bus::new(cells).doc("cells of the agent's row that are not sound")),
        pub victim_syndrome: Optional<Bus<Out>> = Optional::new(shape.ecc, Bus::new(shape.check_bits.max(1)).doc("that of the cell that gives way")),
        pub corrected_6: Optional<Wire<Out>> = Optional::new(shape.ecc, Wire::default().doc("stage 6: a bit of a cell was corrected")),
        pub uncorrectable_6: Optional<Wire<Out>> = Optional::new(shape.ecc, Wire::default().doc("stage 6: more than one of a cell were wrong")),
        early: Vec<Reg> = (0..shape.read_ahead).map(|_| Reg::new(rows).doc("stages -2 and -1")).collect(),
        early_same: Vec<Flag> = (0..shape.read_ahead).map(|_| Flag::default()).collect(),
        stage: Vec<Reg> = (0..stages).map(|_| Reg::new(rows)).collect(),
        same: Vec<Flag> = (0..FORWARDED).map(|_| Flag::default()).collect(),
        near: Flag,
        lane: Vec<CuckooLane> = (0..cells).map(|_| CuckooLane::new(shape)).collect(),
        taken_r: Flag,
        any_matching_r: Flag,
        any_empty_r: Flag,
        matching_5: Bus<Local> = Bus::new(cells),
        settled_next: Bus<Local> = Bus::new(cells),
        left: Bus<Local> = Bus::new(cells).doc("where none matches: cells that are empty to the slot in stage 5 behind that in stage 6"),
        same_row: Bus<Local> = Bus::new(shape.forwarded()),
        same_both: Bus<Local> = Bus::new(shape.forwarded()),
        near_both: Wire<Local>,
        mark: Bus<Local> = Bus::new(noted).doc("where the fingerprints are the same, turn of the slot in stage 7; else 1"),
        early_both: Bus<Local> = Bus::new(noted),
        settled_4: Wire<Local>,
        settled_5: Wire<Local>,
        near_settled: Wire<Local>,
        port_row: Bus<Local> = Bus::new(rows),
        data: Bus<Local> = Bus::new(width),
        chosen: Bus<Local> = Bus::new(width),
        chosen_syndrome: Optional<Bus<Local>> = Optional::new(shape.ecc, Bus::new(shape.check_bits.max(1))),
        corrected_cells: Optional<Bus<Local>> = Optional::new(shape.ecc, Bus::new(cells)),
        uncorrectable_cells: Optional<Bus<Local>> = Optional::new(shape.ecc, Bus::new(cells)),
        corrected_r: Optional<Flag> = Optional::new(shape.ecc, Flag::default()),
        uncorrectable_r: Optional<Flag> = Optional::new(shape.ecc, Flag::default()),
        no_cell: Const = Const::new(0, width),
        any_mark: Const = Const::new(ones(noted), noted),
        at_4: usize = noted,
        at_5: usize = noted + 1,
        noted: usize = noted,
        shape: CuckooShape = shape.clone(),
        stages: usize = stages,
        read_ahead: usize = shape.read_ahead,
    }

    /// A table of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) {
        let (rows, cells) = (shape.row_bits, shape.row_cells);
        let width = shape.code_bits();
        let stages = shape.decision + 2;
        // slots up to stage 3
        let noted = shape.forwarded() - 2;
    }
}

impl Logic for CuckooTable {
    #[hdl_gen]
    fn update(&mut self) {
        if self.shape.ecc {
            self.early[0].d.next = self.row.val();
            self.early[1].d.next = self.early[0].q.val();
            self.stage[0].d.next = self.early[1].q.val();
            self.row_entering.next = self.early[0].q.val();
        } else {
            self.row_entering.next = self.stage[0].q.val();
            self.stage[0].d.next = self.row.val();
        }
        for s in 1..self.stages {
            self.stage[s].d.next = self.stage[s - 1].q.val();
        }
        self.row_2.next = self.stage[2].q.val();
        self.row_7.next = self.stage[7].q.val();

        comment!("rows of the slots behind, compared a clock ahead");
        for s in 0..self.early.len() {
            self.early_same[s].d.next = self.stage[6].q.val() == self.early[s].q.val();
            self.same_row.set_bit(s, self.early_same[s].q.val());
        }
        for s in 0..FORWARDED {
            self.same[s].d.next = self.stage[6].q.val() == self.stage[s].q.val();
            self.same_row
                .set_bit(s + self.read_ahead, self.same[s].q.val());
        }
        self.same_both.next = self.same_row.val() & self.same_value.val();
        self.near.d.next = self.stage[5].q.val() == self.stage[4].q.val();
        self.near_both.next = self.near.q.val() && self.near_value.val();

        comment!("and whether they bear one fingerprint in one generation");
        self.early_both.next = bits_to(self.same_both.val(), self.noted);
        self.mark.next = !self.early_both.val();
        if self.turn_7.val() {
            self.mark.next = self.any_mark.val();
        }
        self.settled_4.next = self.same_both.val().get_bit(self.at_4) && self.same_turn_4.val();
        self.settled_5.next = self.same_both.val().get_bit(self.at_5) && self.same_turn_5.val();
        self.near_settled.next = self.near_both.val() && self.near_turn.val();

        comment!("port B: a wipe, the slot in stage 7, a commit; else the agent reads");
        self.taken_r.d.next = self.takes.val();
        self.taken.next = self.taken_r.q.val();
        self.port_row.next = self.agent_row.val();
        self.data.next = self.commit_data.val();
        if self.wiping.val() {
            self.port_row.next = self.wipe_row.val();
        } else if self.taken_r.q.val() {
            self.port_row.next = self.stage[7].q.val();
            self.data.next = self.item_data.val();
        }

        self.chosen.next = self.no_cell.val();
        if self.shape.ecc {
            self.chosen_syndrome.next = bits_to(0, self.shape.check_bits);
        }
        for i in 0..self.lane.len() {
            if self.shape.ecc {
                self.lane[i].row.next = self.early[1].q.val();
                self.bad.set_bit(i, self.lane[i].syndrome.val().any());
                self.corrected_cells
                    .set_bit(i, self.lane[i].corrected_5.val());
                self.uncorrectable_cells
                    .set_bit(i, self.lane[i].uncorrectable_5.val());
                if self.victim_lane.val().get_bit(i) {
                    self.chosen_syndrome.next =
                        self.chosen_syndrome.val() | self.lane[i].syndrome.val();
                }
            } else {
                self.lane[i].row.next = self.stage[1].q.val();
            }
            self.lane[i].value.next = self.value_3.val();
            self.generations.link(&mut self.lane[i].generations);
            self.lane[i].same_row.next = self.same_row.val();
            self.lane[i].same_value.next = self.same_both.val();
            self.lane[i].near_row.next = self.near.q.val();
            self.lane[i].near_value.next = self.near_both.val();
            self.lane[i].turn_4.next = self.turn_4.val();
            self.lane[i].mark_in.next = self.mark.val();
            self.lane[i].settled_4.next = self.settled_4.val();
            self.lane[i].settled_5.next = self.settled_5.val();
            self.lane[i].near_settled.next = self.near_settled.val();
            self.lane[i].taking.next = self.taking.val().get_bit(i);
            self.lane[i].port_row.next = self.port_row.val();
            self.lane[i].commits.next =
                self.wiping.val() || (self.commits.val() && self.commit_lanes.val().get_bit(i));
            self.lane[i].write_data.next = self.data.val();
            self.matching.set_bit(i, self.lane[i].matching.val());
            self.settled.set_bit(i, self.lane[i].settled.val());
            self.matching_5.set_bit(i, self.lane[i].matching_5.val());
            self.settled_next
                .set_bit(i, self.lane[i].settled_next.val());
            self.dead.set_bit(i, self.lane[i].dead.val());
            self.old.set_bit(i, self.lane[i].old.val());
            if self.victim_lane.val().get_bit(i) {
                self.chosen.next = self.chosen.val() | self.lane[i].cell.val();
            }
        }
        self.victim.next = self.chosen.val();

        comment!("whether a cell matches and, if none does, whether one is empty: known as stage 6 begins; the slot ahead takes no cell that matches another fingerprint");
        self.left.next = self.settled_next.val();
        if self.near.q.val() {
            self.left.next = self.settled_next.val() & !self.taking.val();
        }
        self.any_empty_r.d.next = self.left.val().any();
        self.any_empty.next = self.any_empty_r.q.val();
        self.any_matching_r.d.next =
            self.matching_5.val().any() || (self.takes.val() && self.near_both.val());
        self.any_matching.next = self.any_matching_r.q.val();
        if self.shape.ecc {
            self.victim_syndrome.next = self.chosen_syndrome.val();
            self.corrected_r.d.next = self.corrected_cells.val().any();
            self.uncorrectable_r.d.next = self.uncorrectable_cells.val().any();
            self.corrected_6.next = self.corrected_r.q.val();
            self.uncorrectable_6.next = self.uncorrectable_r.q.val();
        }
    }
}
