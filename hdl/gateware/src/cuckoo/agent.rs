//! The agent of a cuckoo table: scans its rows, and moves stashed elements into them.

use super::{CellParts, CellWord, CuckooShape, KeptLife, Turns};
use crate::hash::XorMatrix;
use crate::prelude::*;

/// Reads a row of its table through port B, and writes it if no item has met it in between.
///
/// ```text
/// IDLE --start--> WAIT --port B free--> R1 --> R2 (flags) --> R3 (ripe?) --> R4 --port B free, or not ripe--> IDLE
/// ```
/// A scan makes old cells stale again, a move puts an entry of the stash into a row, in the place of a dead cell or of another element. Rules and timing: `docs/cuckoo-window.md`, "Agents".
/// `reset` is synchronous and active high.
#[derive(LogicBlock)]
pub struct RowAgent {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub running: Wire<In>,
    pub starting: Wire<In>,
    pub element: Wire<In>,
    pub occupied: Bus<In>,
    pub row_0: Bus<In>,
    pub row_1: Bus<In>,
    pub row_2: Bus<In>,
    pub row_7: Bus<In>,
    pub taken: Wire<In>,
    pub stash_taken: Wire<In>,
    pub blocked: Wire<In>,
    pub disturbed: Wire<In>,
    pub hop: Bus<In>,
    pub stale: Bus<In>,
    pub dead: Bus<In>,
    pub old: Bus<In>,
    pub victim: Bus<In>,
    pub turns: Turns<Slave>,
    pub hand: Wire<In>,
    pub hand_row: Bus<In>,
    pub hand_entry: Bus<In>,
    pub hand_value: Bus<In>,
    pub hand_generation: Bus<In>,
    pub next_free: Wire<Out>,
    pub short: Wire<Out>,
    pub blocks: Wire<Out>,
    pub row: Bus<Out>,
    pub entry: Bus<Out>,
    pub victim_lane: Bus<Out>,
    pub writes: Wire<Out>,
    pub write_lanes: Bus<Out>,
    pub write_data: Bus<Out>,
    pub ends: Wire<Out>,
    pub placed: Wire<Out>,
    pub exchanged: Wire<Out>,
    pub target: Bus<Out>,
    pub victim_identity: Bus<Out>,
    pub victim_generation: Bus<Out>,
    pub victim_live: Wire<Out>,
    pub victim_old: Wire<Out>,
    wait: Flag,
    r1: Flag,
    r2: Flag,
    r3: Flag,
    r4: Flag,
    moves: Flag,
    row_r: Reg,
    entry_r: Reg,
    value: Reg,
    generation: Reg,
    conflict: Flag,
    next: Flag,
    next_row: Reg,
    next_entry: Reg,
    next_value: Reg,
    next_generation: Reg,
    allowance: Reg,
    pointer: Reg,
    turn: Reg,
    dead_r: Reg,
    old_r: Reg,
    victim_r: EnableReg,
    ripe: Flag,
    commit_any: Flag,
    commit_full: Flag,
    commit_lanes: Reg,
    commit_word: Reg,
    shift: Vec<XorMatrix>,
    own_cell: CellWord,
    victim_cell: CellParts,
    victim_life: KeptLife,
    victim_shift: Bus<Local>,
    idle: Wire<Local>,
    may: Wire<Local>,
    wanted: Wire<Local>,
    start_scan: Wire<Local>,
    start_move: Wire<Local>,
    leaves: Wire<Local>,
    here: Bus<Local>,
    written: Wire<Local>,
    port: Wire<Local>,
    ending: Wire<Local>,
    ending_move: Wire<Local>,
    done: Wire<Local>,
    visited: Wire<Local>,
    remaining: Bus<Local>,
    to_next: Bus<Local>,
    no_cell: Const,
    one_cell: Const,
    no_row: Const,
    room: Const,
    enough: Const,
    half: Const,
    quota: Const,
    least: Const,
    last_lane: usize,
    row_bits: usize,
    table: usize,
    shape: CuckooShape,
}

impl RowAgent {
    /// The agent of a table, from 0 to 3.
    pub fn new(shape: &CuckooShape, table: usize) -> Self {
        let (lanes, rows) = (shape.row_cells, shape.row_bits);
        let allowance = width_of(shape.room as usize);
        let row = || Reg::new(rows);
        let remaining = |value: u128| Const::new(value, allowance);
        let shift = (table > 0).then(|| shape.row_function(table));
        let shift: Vec<XorMatrix> = shift.into_iter().collect();
        Self {
            about: About::new(
                "row_agent",
                format!("Scans the rows of table {table}, and moves elements from the stash into them, through port B.\nIDLE, WAIT (to read), R1, R2 (flags), R3, R4 (to write)."),
            ),
            clock: Default::default(),
            reset: Wire::default().doc("begin anew"),
            running: Wire::default().doc("state RUN"),
            starting: Wire::default().doc("an operation may begin"),
            element: Wire::default().doc("an element is accepted"),
            occupied: Bus::new(3).doc("bit s: an item stands in stage s"),
            row_0: Bus::new(rows).doc("its row, stage 0"),
            row_1: Bus::new(rows).doc("stage 1"),
            row_2: Bus::new(rows).doc("stage 2"),
            row_7: Bus::new(rows).doc("stage 7"),
            taken: Wire::default().doc("the slot in stage 7 writes a cell of this table"),
            stash_taken: Wire::default().doc("it takes an entry of the stash"),
            blocked: Wire::default().doc("a move ends at a lower table"),
            disturbed: Wire::default().doc("R3: the entry was refreshed since it was picked"),
            hop: Bus::new(2).doc("0, 1, 2, 0 .."),
            stale: Bus::new(shape.generation_bits).doc("youngest generation that is not live"),
            dead: Bus::new(lanes).doc("R2: cells that are not live"),
            old: Bus::new(lanes).doc("R2: and have been so for a generation"),
            turns: Turns::new(shape),
            victim: Bus::new(shape.cell_bits()).doc("R2: the cell that gives way in a full row"),
            hand: Wire::default().doc("a move comes"),
            hand_row: Bus::new(rows).doc("its row"),
            hand_entry: Bus::new(shape.entry_bits()).doc("entry of the stash"),
            hand_value: Bus::new(shape.value_bits()).doc("its fingerprint"),
            hand_generation: Bus::new(shape.generation_bits).doc("its generation"),
            next_free: Wire::default().doc("a move can be handed over"),
            short: Wire::default().doc("the scan is behind: no item must come"),
            blocks: Wire::default().doc("a move ends, here or at a lower table"),
            row: Bus::new(rows).doc("row to read, or to write"),
            entry: Bus::new(shape.entry_bits()).doc("entry that is moved"),
            victim_lane: Bus::new(lanes).doc("lane whose cell gives way in a full row"),
            writes: Wire::default().doc("the operation ends, and writes"),
            write_lanes: Bus::new(lanes).doc("these lanes of the row"),
            write_data: Bus::new(shape.cell_bits()).doc("with this cell; a stale one for a wipe"),
            ends: Wire::default().doc("a move commits, or fails"),
            placed: Wire::default().doc("it is in its row"),
            exchanged: Wire::default().doc("it took the place of another element"),
            target: Bus::new(clog2(CuckooShape::TABLES)).doc("table that the entry is aimed at from now on"),
            victim_identity: Bus::new(shape.identity_bits()).doc("{r, b} of that other element"),
            victim_generation: Bus::new(shape.generation_bits).doc("its generation"),
            victim_live: Wire::default().doc("it is live"),
            victim_old: Wire::default().doc("it has been dead for a generation"),
            wait: Default::default(),
            r1: Default::default(),
            r2: Default::default(),
            r3: Default::default(),
            r4: Default::default(),
            moves: Flag::default().doc("the operation is a move"),
            row_r: row(),
            entry_r: Reg::new(shape.entry_bits()),
            value: Reg::new(shape.value_bits()),
            generation: Reg::new(shape.generation_bits),
            conflict: Flag::default().doc("an item in flight has this row"),
            next: Flag::default().doc("a move waits behind the present operation"),
            next_row: row(),
            next_entry: Reg::new(shape.entry_bits()),
            next_value: Reg::new(shape.value_bits()),
            next_generation: Reg::new(shape.generation_bits),
            allowance: Reg::with_init(allowance, shape.room).doc("elements that may come until the scan must have visited the next row"),
            pointer: Reg::new(rows).doc("row that the scan visits next"),
            turn: Reg::with_init(lanes, 1),
            dead_r: Reg::new(lanes),
            old_r: Reg::new(lanes),
            victim_r: EnableReg::new(shape.cell_bits()),
            ripe: Flag::default().doc("no item in flight has this row"),
            commit_any: Flag::default().doc("there is something to write"),
            commit_full: Flag::default().doc("the row had no dead cell"),
            commit_lanes: Reg::new(lanes),
            commit_word: Reg::new(shape.cell_bits()),
            shift,
            own_cell: CellWord::new(shape),
            victim_cell: CellParts::new(shape),
            victim_life: KeptLife::new(shape),
            victim_shift: Bus::new(rows),
            idle: Default::default(),
            may: Default::default(),
            wanted: Default::default(),
            start_scan: Default::default(),
            start_move: Default::default(),
            leaves: Default::default(),
            here: Bus::new(3).doc("bit s: the item in stage s has this row"),
            written: Wire::default().doc("the slot in stage 7 writes it"),
            port: Wire::default().doc("port B, and for a move the stash, can be written"),
            ending: Wire::default().doc("the operation ends"),
            ending_move: Default::default(),
            done: Wire::default().doc("and does what it was to do"),
            visited: Default::default(),
            remaining: Bus::new(allowance),
            to_next: Bus::new(2),
            no_cell: Const::new(0, lanes),
            one_cell: Const::new(1, lanes),
            no_row: Const::new(0, rows),
            room: remaining(shape.room).doc("most elements that a table may be ahead of its scan"),
            enough: remaining(shape.room - shape.quota),
            half: remaining(shape.room / 2),
            quota: remaining(shape.quota).doc("elements that the scan of a row pays for"),
            least: remaining(2),
            last_lane: lanes - 1,
            row_bits: rows,
            table,
            shape: shape.clone(),
        }
    }
}

impl Logic for RowAgent {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("R4: the operation ends when its port is free");
        self.port.next = !(self.taken.val() || (self.moves.q.val() && self.stash_taken.val()));
        self.ending.next = self.r4.q.val()
            && (!self.ripe.q.val() || !self.commit_any.q.val() || self.port.val())
            && !(self.moves.q.val() && self.blocked.val());
        self.ending_move.next = self.ending.val() && self.moves.q.val();
        self.blocks.next = self.blocked.val() || self.ending_move.val();
        self.done.next = self.ending.val() && self.ripe.q.val();
        self.visited.next = self.ending.val()
            && !self.moves.q.val()
            && (self.ripe.q.val() || !self.commit_any.q.val());
        self.writes.next = self.done.val() && self.commit_any.q.val();
        self.write_lanes.next = self.commit_lanes.q.val();
        self.write_data.next = self.commit_word.q.val();
        self.ends.next = self.ending_move.val();
        self.placed.next = self.ending_move.val() && self.ripe.q.val() && !self.commit_full.q.val();
        self.exchanged.next =
            self.ending_move.val() && self.ripe.q.val() && self.commit_full.q.val();

        comment!("start");
        self.idle.next = !self.wait.q.val()
            && !self.r1.q.val()
            && !self.r2.q.val()
            && !self.r3.q.val()
            && !self.r4.q.val();
        self.may.next = self.starting.val() && (self.idle.val() || self.ending.val());
        self.wanted.next = (self.allowance.q.val() <= self.enough.val())
            && (self.moves.q.val() || !self.r4.q.val());
        self.start_scan.next = self.may.val()
            && self.wanted.val()
            && (!self.next.q.val() || (self.allowance.q.val() < self.half.val()));
        self.start_move.next = self.may.val() && self.next.q.val() && !self.start_scan.val();
        self.leaves.next = self.wait.q.val() && !self.taken.val();
        self.wait.d.next = (self.wait.q.val() && !self.leaves.val())
            || self.start_scan.val()
            || self.start_move.val();
        self.r1.d.next = self.leaves.val();
        self.r2.d.next = self.r1.q.val();
        self.r3.d.next = self.r2.q.val();
        self.r4.d.next = self.r3.q.val() || (self.r4.q.val() && !self.ending.val());
        self.moves.d.next = self.moves.q.val();
        self.row_r.d.next = self.row_r.q.val();
        self.entry_r.d.next = self.entry_r.q.val();
        self.value.d.next = self.value.q.val();
        self.generation.d.next = self.generation.q.val();
        if self.start_scan.val() {
            self.moves.d.next = false;
            self.row_r.d.next = self.pointer.q.val();
        } else if self.start_move.val() {
            self.moves.d.next = true;
            self.row_r.d.next = self.next_row.q.val();
            self.entry_r.d.next = self.next_entry.q.val();
            self.value.d.next = self.next_value.q.val();
            self.generation.d.next = self.next_generation.q.val();
        }
        self.row.next = self.row_r.q.val();

        comment!("the move behind it");
        self.next_free.next = !self.next.q.val();
        self.next.d.next = self.hand.val() || (self.next.q.val() && !self.start_move.val());
        self.next_row.d.next = self.next_row.q.val();
        self.next_entry.d.next = self.next_entry.q.val();
        self.next_value.d.next = self.next_value.q.val();
        self.next_generation.d.next = self.next_generation.q.val();
        if self.hand.val() {
            self.next_row.d.next = self.hand_row.val();
            self.next_entry.d.next = self.hand_entry.val();
            self.next_value.d.next = self.hand_value.val();
            self.next_generation.d.next = self.hand_generation.val();
        }

        comment!("items that have this row: in stages 0 to 2 when it is read, later in stage 0; what the slot in stage 7 writes");
        self.here.next = self.here.val().replace_bit(
            0usize,
            self.occupied.val().get_bit(0usize) && (self.row_0.val() == self.row_r.q.val()),
        );
        self.here.next = self.here.val().replace_bit(
            1usize,
            self.occupied.val().get_bit(1usize) && (self.row_1.val() == self.row_r.q.val()),
        );
        self.here.next = self.here.val().replace_bit(
            2usize,
            self.occupied.val().get_bit(2usize) && (self.row_2.val() == self.row_r.q.val()),
        );
        self.written.next = self.taken.val() && (self.row_7.val() == self.row_r.q.val());
        self.conflict.d.next =
            self.conflict.q.val() || self.here.val().get_bit(0usize) || self.written.val();
        if self.wait.q.val() {
            self.conflict.d.next = self.here.val().any();
        }

        self.own_cell.value.next = self.value.q.val();
        self.own_cell.generation.next = self.generation.q.val();

        comment!("R2: flags, and the cell that gives way; R3: what is to be written");
        self.dead_r.d.next = self.dead.val();
        self.old_r.d.next = self.old.val();
        self.victim_r.enable.next = self.r2.q.val();
        self.victim_r.d.next = self.victim.val();
        self.victim_lane.next = self.turn.q.val();
        self.entry.next = self.entry_r.q.val();
        self.commit_any.d.next = self.commit_any.q.val();
        self.commit_full.d.next = self.commit_full.q.val();
        self.commit_lanes.d.next = self.commit_lanes.q.val();
        self.commit_word.d.next = self.commit_word.q.val();
        if !self.r4.q.val() {
            self.commit_any.d.next = self.moves.q.val() || self.old_r.q.val().any();
            self.commit_full.d.next = !self.dead_r.q.val().any();
            self.commit_lanes.d.next = self.old_r.q.val();
            self.commit_word.d.next = bits_to(self.stale.val(), self.shape.cell_bits());
            if self.r3.q.val() && self.moves.q.val() {
                self.commit_lanes.d.next = self.turn.q.val();
                if self.dead_r.q.val().any() {
                    self.commit_lanes.d.next = self.dead_r.q.val() & -self.dead_r.q.val();
                }
                self.commit_word.d.next = self.own_cell.word.val();
            }
        }
        self.ripe.d.next = !self.here.val().get_bit(0usize) && !self.written.val();
        if self.r3.q.val() {
            self.ripe.d.next = !(self.conflict.q.val()
                || self.here.val().get_bit(0usize)
                || self.written.val()
                || (self.moves.q.val() && self.disturbed.val()));
        } else if !self.ripe.q.val() {
            self.ripe.d.next = false;
        }

        comment!("the element that gives way, and where its row in the first table is");
        self.to_next.next = bits_to(0, 2);
        if self.ripe.q.val() {
            self.to_next.next = self.hop.val();
        }
        self.target.next = bits_to(self.to_next.val(), self.shape.table_bits()) + self.table + 1;
        self.victim_cell.word.next = self.victim_r.q.val();
        self.victim_generation.next = self.victim_cell.generation.val();
        self.turns.link(&mut self.victim_life.turns);
        self.victim_life.phase.next =
            bits_to(self.victim_cell.value.val(), self.shape.phase_bits());
        self.victim_life.generation.next = self.victim_cell.generation.val();
        self.victim_life.fresh.next = self.r2.q.val();
        self.victim_life.given.next = false;
        self.victim_life.given_live.next = false;
        self.victim_life.given_old.next = false;
        self.victim_live.next = self.victim_life.live.val();
        self.victim_old.next = self.victim_life.old.val();
        self.victim_shift.next = self.row_r.q.val();
        if !self.shift.is_empty() {
            self.shift[0].x.next = bits_wide(self.victim_cell.value.val(), self.shape.value_bits());
            self.victim_shift.next =
                self.row_r.q.val() ^ bits_to(self.shift[0].y.val(), self.row_bits);
        }
        self.victim_identity.next =
            (bits_to(self.victim_cell.value.val(), self.shape.identity_bits()) << self.row_bits)
                | bits_to(self.victim_shift.val(), self.shape.identity_bits());

        comment!("the scan's account, its row, and the lane that gives way");
        self.remaining.next = self.allowance.q.val();
        if self.element.val() {
            self.remaining.next = self.allowance.q.val() - 1;
        }
        self.allowance.d.next = self.remaining.val();
        self.pointer.d.next = self.pointer.q.val();
        if self.visited.val() {
            self.allowance.d.next = self.remaining.val() + self.quota.val();
            self.pointer.d.next = self.pointer.q.val() + 1;
        }
        self.short.next = self.allowance.q.val() < self.least.val();
        self.turn.d.next = self.turn.q.val();
        if self.exchanged.val() {
            self.turn.d.next = self.turn.q.val() << 1;
            if self.turn.q.val().get_bit(self.last_lane) {
                self.turn.d.next = self.one_cell.val();
            }
        }
        if !self.running.val() {
            self.allowance.d.next = self.room.val();
        }
        if self.reset.val() {
            self.wait.d.next = false;
            self.r1.d.next = false;
            self.r2.d.next = false;
            self.r3.d.next = false;
            self.next.d.next = false;
            self.ripe.d.next = false;
            self.r4.d.next = false;
            self.allowance.d.next = self.room.val();
            self.pointer.d.next = self.no_row.val();
            self.turn.d.next = self.one_cell.val();
        }
    }
}
