//! The agent of a cuckoo table: scans its rows, and moves stashed elements into them.

use super::{BelowConstant, CellParts, CellWord, CuckooShape, KeptLife, Turns};
use crate::bank::{CheckBits, CodeCorrection};
use crate::hash::XorMatrix;
use crate::prelude::*;

block! {
    /// Reads a row of its table through port B, and writes it if no item has met it in between.
    ///
    /// ```text
    /// IDLE --start--> WAIT --port B free--> R1 --> R2 (flags) --> R3 (ripe?) --> R4 --port B free, or not ripe--> IDLE
    /// ```
    /// A scan makes old cells stale again, a move puts an entry of the stash into a row, in the place of a dead cell or of another element. Rules and timing: `docs/cuckoo-window.md`, "Agents".
    /// With an error-correcting code, a scan or a move that meets a cell which is not sound does nothing, and a mend, which follows the scan, corrects that cell, or makes it stale if it
    /// cannot be. Rules: `docs/soft-errors.md`, "Error correction on cuckoo tables".
    /// `reset` is synchronous and active high.
    pub struct RowAgent {
        about: About = About::new(
            "row_agent",
            format!("Scans the rows of table {table}, and moves elements from the stash into them, through port B.\nIDLE, WAIT (to read), R1, R2 (flags), R3, R4 (to write).{mending}"),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("begin anew"),
        pub running: Wire<In> = Wire::default().doc("state RUN"),
        pub starting: Wire<In> = Wire::default().doc("an operation may begin"),
        pub element: Wire<In> = Wire::default().doc("an element is accepted"),
        pub entering: Wire<In> = Wire::default().doc(format!("an item stands in stage {}", shape.entry())),
        pub row_entering: Bus<In> = Bus::new(rows).doc("its row"),
        pub item_2: Wire<In> = Wire::default().doc("an item stands in stage 2"),
        pub row_2: Bus<In> = Bus::new(rows).doc("its row"),
        pub row_7: Bus<In> = Bus::new(rows).doc("stage 7"),
        pub taken: Wire<In> = Wire::default().doc("the slot in stage 7 writes a cell of this table"),
        pub stash_taken: Wire<In> = Wire::default().doc("it takes an entry of the stash"),
        pub first: Wire<In> = Wire::default().doc("the move is in R4, and none is at a lower table"),
        pub disturbed: Wire<In> = Wire::default().doc("R3: the entry was refreshed since it was picked, or was old"),
        pub hop: Bus<In> = Bus::new(2).doc("0, 1, 2, 0 .."),
        pub stale: Bus<In> = Bus::new(shape.generation_bits).doc("youngest generation that is not live"),
        pub dead: Bus<In> = Bus::new(lanes).doc("R3: cells that were not live in R2"),
        pub old: Bus<In> = Bus::new(lanes).doc("R3: and had been so for a generation"),
        pub victim: Bus<In> = Bus::new(shape.code_bits()).doc("R2: the cell that gives way in a full row"),
        pub bad: Optional<Bus<In>> = Optional::new(shape.ecc, Bus::new(lanes).doc("R2: cells that are not sound")),
        pub victim_syndrome: Optional<Bus<In>> = Optional::new(shape.ecc, Bus::new(shape.check_bits.max(1)).doc("R2: syndrome of the cell that gives way, or is mended")),
        pub stale_check: Optional<Bus<In>> = Optional::new(shape.ecc, Bus::new(shape.check_bits.max(1)).doc("check bits of a stale cell")),
        pub calm: Optional<Wire<In>> = Optional::new(shape.ecc, Wire::default().doc("the stash is empty: scan")),
        pub turns: Turns<Slave> = Turns::new(shape),
        pub hand: Wire<In> = Wire::default().doc("a move comes"),
        pub hand_row: Bus<In> = Bus::new(rows).doc("its row"),
        pub hand_entry: Bus<In> = Bus::new(shape.entry_bits()).doc("entry of the stash"),
        pub hand_value: Bus<In> = Bus::new(shape.value_bits()).doc("its fingerprint"),
        pub hand_generation: Bus<In> = Bus::new(shape.generation_bits).doc("its generation"),
        pub next_free: Wire<Out> = Wire::default().doc("a move can be handed over"),
        pub short: Wire<Out> = Wire::default().doc("the scan is behind: no item must come"),
        pub arrives: Wire<Out> = Wire::default().doc("a move is in R4 from the next clock on"),
        pub stands: Wire<Out> = Wire::default().doc("a move is in R4"),
        pub row: Bus<Out> = Bus::new(rows).doc("row to read, or to write"),
        pub entry: Bus<Out> = Bus::new(shape.entry_bits()).doc("entry that is moved"),
        pub victim_lane: Bus<Out> = Bus::new(lanes).doc("lane whose cell gives way in a full row"),
        pub writes: Wire<Out> = Wire::default().doc("the operation ends, and writes"),
        pub write_lanes: Bus<Out> = Bus::new(lanes).doc("these lanes of the row"),
        pub write_data: Bus<Out> = Bus::new(shape.code_bits()).doc("with this cell; a stale one for a wipe"),
        pub ends: Wire<Out> = Wire::default().doc("a move commits, or fails"),
        pub placed: Wire<Out> = Wire::default().doc("in a cell that was dead: the entry is free"),
        pub succeeds: Wire<Out> = Wire::default().doc("a move ends, and its element is in the row"),
        pub target: Bus<Out> = Bus::new(clog2(CuckooShape::TABLES)).doc("table that the entry is aimed at from now on"),
        pub victim_identity: Bus<Out> = Bus::new(shape.identity_bits()).doc("{r, b} of that other element"),
        pub victim_generation: Bus<Out> = Bus::new(shape.generation_bits).doc("its generation"),
        pub victim_live: Wire<Out> = Wire::default().doc("it is live"),
        pub victim_old: Wire<Out> = Wire::default().doc("it has been dead for a generation"),
        pub corrected: Optional<Wire<Out>> = Optional::new(shape.ecc, Wire::default().doc("R3 of a mend: a bit of the cell is wrong, and is corrected")),
        pub uncorrectable: Optional<Wire<Out>> = Optional::new(shape.ecc, Wire::default().doc("R3 of a mend: more than one are, and the cell becomes stale")),
        wait: Flag,
        r1: Flag,
        r2: Flag,
        r3: Flag,
        move_3: Flag = Flag::default().doc("R3 of a move"),
        scan_4: Flag = Flag::default().doc("R4 of a scan"),
        move_4: Flag = Flag::default().doc("R4 of a move"),
        moves: Flag = Flag::default().doc("the operation is a move"),
        row_r: Reg = row(),
        entry_r: Reg = Reg::new(shape.entry_bits()),
        value: Reg = Reg::new(shape.value_bits()),
        generation: Reg = Reg::new(shape.generation_bits),
        conflict: Flag = Flag::default().doc("an item in flight has this row"),
        next: Flag = Flag::default().doc("a move waits behind the present operation"),
        next_row: Reg = row(),
        next_entry: Reg = Reg::new(shape.entry_bits()),
        next_value: Reg = Reg::new(shape.value_bits()),
        next_generation: Reg = Reg::new(shape.generation_bits),
        allowance: Reg = Reg::with_init(allowance, shape.room).doc("elements that may come until the scan must have visited the next row"),
        pointer: Reg = Reg::new(rows).doc("row that the scan visits next"),
        turn: Reg = Reg::with_init(lanes, 1),
        victim_r: EnableReg = EnableReg::new(shape.code_bits()),
        ripe: Flag = Flag::default().doc("no item in flight has this row"),
        commit_any: Flag = Flag::default().doc("there is something to write"),
        commit_full: Flag = Flag::default().doc("the row had no dead cell"),
        commit_lanes: Reg = Reg::new(lanes),
        commit_word: Reg = Reg::new(shape.code_bits()),
        mends: Optional<Flag> = Optional::new(shape.ecc, Flag::default().doc("the operation is a mend")),
        sick: Optional<Flag> = Optional::new(shape.ecc, Flag::default().doc("the scan met a cell that is not sound: a mend is next")),
        sick_lane: Optional<Reg> = Optional::new(shape.ecc, Reg::new(lanes)),
        mended: Optional<Reg> = Optional::new(shape.ecc, Reg::new(lanes).doc("cells of the row that were mended since it was visited last")),
        pays: Optional<Flag> = Optional::new(shape.ecc, Flag::default().doc("the scan counts for the elements to come")),
        bad_r: Optional<Reg> = Optional::new(shape.ecc, Reg::new(lanes)),
        syndrome_r: Optional<EnableReg> = Optional::new(shape.ecc, EnableReg::new(shape.check_bits.max(1))),
        own_check: Optional<CheckBits> = Optional::new(shape.ecc, CheckBits::new(shape.cell_bits())),
        own_check_r: Optional<Reg> = Optional::new(shape.ecc, Reg::new(shape.check_bits.max(1))),
        correction: Optional<CodeCorrection> = Optional::new(shape.ecc, CodeCorrection::new(shape.cell_bits())),
        unmended: Optional<Bus<Local>> = Optional::new(shape.ecc, Bus::new(lanes).doc("cells that are not sound, and were not mended")),
        owed: Optional<Wire<Local>> = Optional::new(shape.ecc, Wire::default().doc("the elements to come need a scan")),
        start_mend: Optional<Wire<Local>> = Optional::new(shape.ecc, Wire::default()),
        shift: Vec<XorMatrix> = shift,
        own_cell: CellWord = CellWord::new(shape),
        victim_cell: CellParts = CellParts::new(shape, true),
        victim_life: KeptLife = KeptLife::new(shape),
        victim_identity_r: Reg = Reg::new(shape.identity_bits()).doc("from R4 on"),
        victim_generation_r: Reg = Reg::new(shape.generation_bits).doc("from R4 on"),
        victim_dies: Wire<Local> = Wire::default().doc("R3: the element that would give way dies in this clock"),
        victim_shift: Bus<Local> = Bus::new(rows),
        lowest_dead: Bus<Local> = Bus::new(lanes).doc("the first cell that was dead"),
        idle: Wire<Local>,
        may: Wire<Local>,
        wanted: Wire<Local>,
        scan_first: Wire<Local> = Wire::default().doc("a scan starts, not a move"),
        starts: Wire<Local> = Wire::default().doc("a scan or a move starts"),
        start_move: Wire<Local>,
        leaves: Wire<Local>,
        enters: Wire<Local> = Wire::default().doc(format!("the item in stage {} has this row", shape.entry())),
        met: Wire<Local> = Wire::default().doc("or that in stage 2 has, or the slot in stage 7 writes it"),
        written: Wire<Local> = Wire::default().doc("the slot in stage 7 writes it"),
        ending_move: Wire<Local>,
        ending_scan: Wire<Local>,
        ending: Wire<Local> = Wire::default().doc("the operation ends"),
        done: Wire<Local> = Wire::default().doc("and does what it was to do"),
        visited: Wire<Local>,
        disturbed_now: Wire<Local> = Wire::default().doc("or turns old in this clock"),
        change: Bus<Local> = Bus::new(allowance).doc("of the allowance: -1 for an element, and what a visit pays for"),
        to_next: Bus<Local> = Bus::new(2),
        giving: Bus<Local> = Bus::new(shape.generation_bits).doc(match shape.ecc {
            false => "generation of the element that gives way",
            true => "generation of the element that gives way; one that no element has counts as the first",
        }),
        no_cell: Optional<Const> = Optional::new(shape.ecc, Const::new(0, lanes)),
        one_cell: Const = Const::new(1, lanes),
        no_row: Const = Const::new(0, rows),
        room: Const = remaining(shape.room).doc("most elements that a table may be ahead of its scan"),
        not_enough: BelowConstant = BelowConstant::new(shape.room - shape.quota + 1, allowance),
        below_half: BelowConstant = BelowConstant::new(shape.room / 2, allowance),
        none: Const = remaining(0),
        minus_one: Const = remaining(ones(allowance)),
        paid_by_one: Const = remaining(shape.quota - 1),
        quota: Const = remaining(shape.quota).doc("elements that the scan of a row pays for"),
        last_lane: usize = lanes - 1,
        high_bits: usize = allowance - 1,
        lanes: usize = lanes,
        lower: Vec<u64> = (0..lanes).map(|i| (1 << i) - 1).collect(),
        cell_bits: usize = shape.cell_bits(),
        row_bits: usize = rows,
        table: usize = table,
        shape: CuckooShape = shape.clone(),
    }

    /// The agent of a table, from 0 to 3.
    pub fn new(shape: &CuckooShape, table: usize) {
        let (lanes, rows) = (shape.row_cells, shape.row_bits);
        let allowance = width_of(shape.room as usize);
        let mending = match shape.ecc {
            false => "",
            true => "\nMends cells whose bits were flipped.",
        };
        let row = || Reg::new(rows);
        let remaining = |value: u128| Const::new(value, allowance);
        let shift = (table > 0).then(|| shape.row_function(table));
        let shift: Vec<XorMatrix> = shift.into_iter().collect();
    }
}

impl Logic for RowAgent {
    #[hdl_gen]
    fn update(&mut self) {
        comment!(
            "R4: the operation ends when its port is free; of moves, that of the lowest table"
        );
        self.arrives.next = self.move_3.q.val();
        self.stands.next = self.move_4.q.val();
        self.ending_move.next = self.first.val()
            && !(self.ripe.q.val() && (self.taken.val() || self.stash_taken.val()));
        self.ending_scan.next = self.scan_4.q.val()
            && !(self.ripe.q.val() && self.commit_any.q.val() && self.taken.val());
        self.ending.next = self.ending_scan.val() || self.ending_move.val();
        self.done.next = self.ending.val() && self.ripe.q.val();
        if self.shape.ecc {
            self.visited.next = self.ending_scan.val()
                && !self.mends.q.val()
                && !self.sick.q.val()
                && (self.ripe.q.val() || !self.commit_any.q.val());
        } else {
            self.visited.next =
                self.ending_scan.val() && (self.ripe.q.val() || !self.commit_any.q.val());
        }
        self.writes.next = self.done.val() && self.commit_any.q.val();
        self.write_lanes.next = self.commit_lanes.q.val();
        self.write_data.next = self.commit_word.q.val();
        self.ends.next = self.ending_move.val();
        self.placed.next = self.ending_move.val() && self.ripe.q.val() && !self.commit_full.q.val();
        self.succeeds.next = self.ending_move.val() && self.ripe.q.val();

        comment!("start");
        self.not_enough.x.next = self.allowance.q.val();
        self.below_half.x.next = self.allowance.q.val();
        self.idle.next = !self.wait.q.val()
            && !self.r1.q.val()
            && !self.r2.q.val()
            && !self.r3.q.val()
            && !self.scan_4.q.val()
            && !self.move_4.q.val();
        self.may.next = self.starting.val() && (self.idle.val() || self.ending.val());
        if self.shape.ecc {
            self.owed.next = self.not_enough.below.val();
            self.wanted.next =
                (self.owed.val() || self.calm.val()) && !self.scan_4.q.val() && !self.sick.q.val();
            self.start_mend.next = self.may.val() && self.sick.q.val();
        } else {
            self.wanted.next = self.not_enough.below.val() && !self.scan_4.q.val();
        }
        self.scan_first.next =
            self.wanted.val() && (!self.next.q.val() || self.below_half.below.val());
        if self.shape.ecc {
            self.starts.next = self.may.val()
                && (self.scan_first.val() || (self.next.q.val() && !self.sick.q.val()));
        } else {
            self.starts.next = self.may.val() && (self.scan_first.val() || self.next.q.val());
        }
        self.start_move.next = self.starts.val() && !self.scan_first.val();
        self.leaves.next = self.wait.q.val() && !self.taken.val();
        if self.shape.ecc {
            self.wait.d.next = (self.wait.q.val() && !self.leaves.val())
                || self.starts.val()
                || self.start_mend.val();
            self.mends.d.next = self.start_mend.val() || (self.mends.q.val() && !self.starts.val());
            self.pays.d.next = self.pays.q.val();
            if self.starts.val() && self.scan_first.val() {
                self.pays.d.next = self.owed.val();
            }
        } else {
            self.wait.d.next = (self.wait.q.val() && !self.leaves.val()) || self.starts.val();
        }
        self.r1.d.next = self.leaves.val();
        self.r2.d.next = self.r1.q.val();
        self.r3.d.next = self.r2.q.val();
        self.scan_4.d.next = (self.r3.q.val() && !self.moves.q.val())
            || (self.scan_4.q.val() && !self.ending_scan.val());
        self.move_3.d.next = self.r2.q.val() && self.moves.q.val();
        self.move_4.d.next =
            self.move_3.q.val() || (self.move_4.q.val() && !self.ending_move.val());
        self.moves.d.next = self.moves.q.val();
        self.row_r.d.next = self.row_r.q.val();
        self.entry_r.d.next = self.entry_r.q.val();
        self.value.d.next = self.value.q.val();
        self.generation.d.next = self.generation.q.val();
        if self.starts.val() {
            self.moves.d.next = !self.scan_first.val();
            self.row_r.d.next = self.next_row.q.val();
            if self.scan_first.val() {
                self.row_r.d.next = self.pointer.q.val();
            }
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

        comment!("items that have this row: as they enter, and as they pass stage 2, which those do in R1 to R3 that are between as the row is read; what the slot in stage 7 writes");
        self.enters.next = self.entering.val() && (self.row_entering.val() == self.row_r.q.val());
        self.written.next = self.taken.val() && (self.row_7.val() == self.row_r.q.val());
        self.met.next = self.enters.val()
            || (self.item_2.val() && (self.row_2.val() == self.row_r.q.val()))
            || self.written.val();
        self.conflict.d.next = self.met.val() || (self.conflict.q.val() && !self.wait.q.val());

        self.own_cell.value.next = self.value.q.val();
        self.own_cell.generation.next = self.generation.q.val();

        comment!("R2: the cell that gives way; R3: what is to be written");
        self.victim_r.enable.next = self.r2.q.val();
        self.victim_r.d.next = self.victim.val();
        self.victim_lane.next = self.turn.q.val();
        if self.shape.ecc {
            if self.mends.q.val() {
                self.victim_lane.next = self.sick_lane.q.val();
            }
            self.bad_r.d.next = self.bad.val();
            self.syndrome_r.enable.next = self.r2.q.val();
            self.syndrome_r.d.next = self.victim_syndrome.val();
            self.correction.syndrome.next = self.syndrome_r.q.val();
            self.correction.code_word.next = self.victim_r.q.val();
            self.corrected.next =
                self.r3.q.val() && self.mends.q.val() && self.correction.corrected.val();
            self.uncorrectable.next =
                self.r3.q.val() && self.mends.q.val() && self.correction.uncorrectable.val();
            self.own_check.payload.next = self.own_cell.word.val();
            self.own_check_r.d.next = self.own_check.check.val();

            comment!("a scan that meets a cell which is not sound is followed by a mend of it, once for each cell");
            self.unmended.next = self.bad_r.q.val() & !self.mended.q.val();
            self.sick.d.next = self.sick.q.val() && !self.start_mend.val();
            self.sick_lane.d.next = self.sick_lane.q.val();
            if self.r3.q.val() && !self.moves.q.val() && !self.mends.q.val() {
                self.sick.d.next = self.unmended.val().any();
                self.sick_lane.d.next = self.unmended.val() & -self.unmended.val();
            }
            self.mended.d.next = self.mended.q.val();
            if self.done.val() && self.mends.q.val() {
                self.mended.d.next = self.mended.q.val() | self.sick_lane.q.val();
            }
            if self.visited.val() {
                self.mended.d.next = self.no_cell.val();
            }
        }
        self.entry.next = self.entry_r.q.val();
        for i in 0..self.lanes {
            self.lowest_dead.set_bit(
                i,
                self.dead.val().get_bit(i)
                    && !(self.dead.val() & bits_to(self.lower[i], self.lanes)).any(),
            );
        }
        self.commit_any.d.next = self.commit_any.q.val();
        self.commit_full.d.next = self.commit_full.q.val();
        self.commit_lanes.d.next = self.commit_lanes.q.val();
        self.commit_word.d.next = self.commit_word.q.val();
        if !self.scan_4.q.val() && !self.move_4.q.val() {
            if self.shape.ecc {
                self.commit_full.d.next = !self.dead.val().any();
                self.commit_any.d.next = self.moves.q.val()
                    || ((self.old.val() & !self.bad_r.q.val()).any() && !self.unmended.val().any());
                self.commit_lanes.d.next = self.old.val() & !self.bad_r.q.val();
                self.commit_word.d.next = (bits_to(self.stale_check.val(), self.shape.code_bits())
                    << self.cell_bits)
                    | bits_to(self.stale.val(), self.shape.code_bits());
                if self.r3.q.val() && self.mends.q.val() {
                    self.commit_any.d.next = self.syndrome_r.q.val().any();
                    self.commit_lanes.d.next = self.sick_lane.q.val();
                    if self.correction.corrected.val() {
                        self.commit_word.d.next = self.correction.word.val();
                    }
                }
            } else {
                self.commit_any.d.next = self.moves.q.val() || self.old.val().any();
                self.commit_full.d.next = !self.dead.val().any();
                self.commit_lanes.d.next = self.old.val();
                self.commit_word.d.next = bits_to(self.stale.val(), self.shape.cell_bits());
            }
            if self.r3.q.val() && self.moves.q.val() {
                self.commit_lanes.d.next = self.turn.q.val();
                if self.dead.val().any() {
                    self.commit_lanes.d.next = self.lowest_dead.val();
                }
                if self.shape.ecc {
                    self.commit_word.d.next =
                        (bits_to(self.own_check_r.q.val(), self.shape.code_bits())
                            << self.cell_bits)
                            | bits_to(self.own_cell.word.val(), self.shape.code_bits());
                } else {
                    self.commit_word.d.next = self.own_cell.word.val();
                }
            }
        }
        comment!("unless it was refreshed, the entry holds the element that was handed over: does that turn old in this clock?");
        self.disturbed_now.next = self.disturbed.val()
            || (self.turns.turned.val()
                && (self.turns.phase.val()
                    == bits_to(self.value.q.val(), self.shape.phase_bits()))
                && (self.turns.aged.val() == self.generation.q.val()));
        self.ripe.d.next = !self.enters.val() && !self.written.val();
        if self.r3.q.val() {
            if self.shape.ecc {
                self.ripe.d.next = !(self.conflict.q.val()
                    || self.met.val()
                    || (self.moves.q.val()
                        && (self.disturbed_now.val() || self.bad_r.q.val().any())));
            } else {
                self.ripe.d.next = !(self.conflict.q.val()
                    || self.met.val()
                    || (self.moves.q.val() && self.disturbed_now.val()));
            }
        } else if !self.ripe.q.val() {
            self.ripe.d.next = false;
        }

        comment!("the element that gives way, and where its row in the first table is: from R4 on");
        self.to_next.next = bits_to(0, 2);
        if self.ripe.q.val() {
            self.to_next.next = self.hop.val();
        }
        self.target.next = bits_to(self.to_next.val(), self.shape.table_bits()) + self.table + 1;
        self.victim_shift.next = self.row_r.q.val();
        if self.shape.ecc {
            self.victim_cell.word.next = bits_to(self.victim_r.q.val(), self.shape.cell_bits());
            self.giving.next = self.victim_cell.generation.val();
            if self.victim_cell.generation.val().all() {
                self.giving.next = bits_to(0, self.shape.generation_bits);
            }
        } else {
            self.victim_cell.word.next = self.victim_r.q.val();
            self.giving.next = self.victim_cell.generation.val();
        }
        if !self.shift.is_empty() {
            self.shift[0].x.next = bits_wide(self.victim_cell.value.val(), self.shape.value_bits());
            self.victim_shift.next =
                self.row_r.q.val() ^ bits_to(self.shift[0].y.val(), self.row_bits);
        }
        self.victim_identity_r.d.next =
            (bits_to(self.victim_cell.value.val(), self.shape.identity_bits()) << self.row_bits)
                | bits_to(self.victim_shift.val(), self.shape.identity_bits());
        self.victim_generation_r.d.next = self.giving.val();
        self.victim_identity.next = self.victim_identity_r.q.val();
        self.victim_generation.next = self.victim_generation_r.q.val();

        comment!(
            "in a full row every cell was live in R2; the phase of this one may turn after that"
        );
        self.turns.link(&mut self.victim_life.turns);
        self.victim_life.phase.next = bits_to(
            self.victim_identity_r.q.val() >> self.row_bits,
            self.shape.phase_bits(),
        );
        self.victim_life.generation.next = self.victim_generation_r.q.val();
        self.victim_dies.next = self.turns.turned.val()
            && (self.turns.phase.val() == self.victim_cell.phase.val())
            && (self.turns.died.val() == self.giving.val());
        self.victim_life.fresh.next = false;
        self.victim_life.given.next = self.r3.q.val();
        self.victim_life.given_live.next = !self.victim_dies.val();
        self.victim_life.given_old.next = false;
        self.victim_live.next = self.victim_life.live.val();
        self.victim_old.next = self.victim_life.old.val();

        comment!("the scan's account, its row, and the lane that gives way");
        self.change.next = self.none.val();
        if self.element.val() {
            self.change.next = self.minus_one.val();
        }
        self.pointer.d.next = self.pointer.q.val();
        if self.visited.val() {
            if self.shape.ecc {
                if self.pays.q.val() {
                    self.change.next = self.quota.val();
                    if self.element.val() {
                        self.change.next = self.paid_by_one.val();
                    }
                }
            } else {
                self.change.next = self.quota.val();
                if self.element.val() {
                    self.change.next = self.paid_by_one.val();
                }
            }
            self.pointer.d.next = self.pointer.q.val() + 1;
        }
        self.allowance.d.next = self.allowance.q.val() + self.change.val();
        self.short.next = !bits_to(self.allowance.q.val() >> 1, self.high_bits).any();
        self.turn.d.next = self.turn.q.val();
        if self.succeeds.val() && self.commit_full.q.val() {
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
            self.move_3.d.next = false;
            self.next.d.next = false;
            self.ripe.d.next = false;
            self.scan_4.d.next = false;
            self.move_4.d.next = false;
            if self.shape.ecc {
                self.sick.d.next = false;
                self.mended.d.next = self.no_cell.val();
            }
            self.allowance.d.next = self.room.val();
            self.pointer.d.next = self.no_row.val();
            self.turn.d.next = self.one_cell.val();
        }
    }
}
