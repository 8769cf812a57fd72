//! Top module of the sliding-window filter on cuckoo tables.

use super::{
    CellWord, CuckooSequencer, CuckooShape, CuckooSlots, CuckooTable, CuckooTrack, HoldQueue,
    MoveOrder, RotatedFit, RowAgent, Stash,
};
use crate::bank::CheckBits;
use crate::bus::{NoHost, RegisterFile, RegisterNames, RegisterPlan};
use crate::hash::{HashUnit, XorMatrix};
use crate::pipeline::{tag_line, VerdictQueue, LEAST_QUEUE};
use crate::prelude::*;
use bloomline_spec::registers::{field, CuckooCounter, ADDRESS_BITS};
use bloomline_spec::{CuckooGeometry, Design};

/// Bits of the register STATUS: up to the end of the generation.
const STATUS_WIDTH: usize = field::STATUS_GENERATION as usize + 8;

block! {
    /// A sliding-window filter on cuckoo tables: items in, verdicts out, registers beside.
    ///
    /// ```text
    ///           +-----------+   +------+   +------------------+   +-------------+   +---------------+
    /// s_item -->| sequencer |-->| hash |-->| 4 tables, port A |-->| rotated fit |-->| verdict queue |---> m_verdict
    ///           +-----------+   | rows |   | stash            |<--|             |   +---------------+
    ///                 ^         +------+   +------------------+   +-------------+
    ///                 |                    | 4 agents, port B |
    ///                 |                    +------------------+
    ///                 +-------- register file, counters <---------------------------------------> s_axil
    /// ```
    ///
    /// Initiation interval 1; latency `front_clocks + decision_stage + 3` clocks without back-pressure. `docs/cuckoo-window.md` is the contract of every port on every clock. Source: SBF sections 2.3 and 2.4.
    /// `reset` is synchronous and active high.
    pub struct CuckooFilter {
        about: About = About::new(
            geometry.name(),
            format!(
                "Sliding-window filter: the last {} elements are always seen. {tables} cuckoo tables of {} rows of {} cells of {} bits, {} cells beside them.\n\
                 One item a clock. Source: SBF sections 2.3 and 2.4; timing: cuckoo-window.md.",
                geometry.window(),
                geometry.rows(),
                geometry.row_cells(),
                geometry.cell_bits(),
                geometry.stash_cells(),
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub ports: FilterPorts = FilterPorts {
            reset: Wire::default().doc("synchronous, active high; forgets every element"),
            s_item: ItemStream::port(geometry.key_bits() as usize, geometry.operation_bits() as usize, tag_bits, "operation: 0 query, 1 insert, 2 test-and-insert"),
            m_verdict: VerdictStream::port(verdict_bits, tag_bits, &format!("{{{contents}}}")).queued(shape.queued),
            s_axil: Axil::port(ADDRESS_BITS as usize).reached(shape.reached),
        },
        sequencer: CuckooSequencer = CuckooSequencer::new(&shape),
        slots: CuckooSlots = CuckooSlots::new(&shape),
        key: WideReg = WideReg::new(geometry.key_bits() as usize),
        hash: HashUnit = HashUnit::new(geometry),
        hold: HoldQueue = HoldQueue::new(&shape),
        held_data: Bus<Local> = Bus::new(shape.held_bits()),
        identity: Reg = Reg::new(bits),
        shift: Vec<XorMatrix> = (1..tables).map(|table| shape.row_function(table)).collect(),
        track: CuckooTrack = CuckooTrack::new(&shape),
        table: Vec<CuckooTable> = (0..tables).map(|_| CuckooTable::new(&shape)).collect(),
        agent: Vec<RowAgent> = (0..tables).map(|table| RowAgent::new(&shape, table)).collect(),
        order: MoveOrder = MoveOrder::new(&shape),
        stash: Stash = Stash::new(&shape),
        fit: RotatedFit = RotatedFit::new(&shape),
        item_cell: CellWord = CellWord::new(&shape),
        item_check: Optional<CheckBits> = Optional::new(shape.ecc, CheckBits::new(shape.cell_bits())),
        item_code: Optional<Reg> = Optional::new(shape.ecc, Reg::new(shape.code_bits()).doc("what the slot in stage 7 writes")),
        stale_check: Optional<CheckBits> = Optional::new(shape.ecc, CheckBits::new(shape.cell_bits())),
        verdicts: Optional<VerdictQueue> = Optional::new(shape.queued, VerdictQueue::new(shape.queue_depth.max(LEAST_QUEUE), tag_bits, verdict_bits, contents)),
        tag_front: Optional<Delay> = tag_line(shape.queued, shape.tag_bits, shape.hash_stages),
        tag_line: Optional<Delay> = tag_line(shape.queued, shape.tag_bits, verdict_clocks - shape.hash_stages),
        registers: RegisterFile = RegisterFile::new(&plan),
        push: Flag,
        no_host: Optional<NoHost> = Optional::new(!shape.reached, NoHost::default()),
        verdict: Reg = Reg::new(verdict_bits),
        verdict_in: Bus<Local> = Bus::new(verdict_bits),
        item: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        inserted: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        stashed: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        handed: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        corrected: Optional<Flag> = Optional::new(shape.counted && shape.ecc, Flag::default()),
        uncorrectable: Optional<Flag> = Optional::new(shape.counted && shape.ecc, Flag::default()),
        met: Optional<Wire<Local>> = Optional::new(shape.ecc, Wire::default().doc("stage 6: a cell was corrected")),
        mended: Optional<Wire<Local>> = Optional::new(shape.ecc, Wire::default().doc("an agent corrects one")),
        met_more: Optional<Wire<Local>> = Optional::new(shape.ecc, Wire::default().doc("stage 6: a cell cannot be corrected")),
        erased: Optional<Wire<Local>> = Optional::new(shape.ecc, Wire::default().doc("an agent makes one stale")),
        begin: Wire<Local> = Wire::default().doc("reset, or nothing is in flight before a wipe"),
        element: Wire<Local> = Wire::default().doc("an element is accepted"),
        row: Vec<Bus<Local>> = (0..tables).map(|_| Bus::new(rows)).collect(),
        matching: Bus<Local> = Bus::new(shape.cells()),
        settled: Bus<Local> = Bus::new(shape.cells()),
        next_free: Bus<Local> = Bus::new(tables),
        short: Bus<Local> = Bus::new(tables),
        ends: Bus<Local> = Bus::new(tables),
        placed: Bus<Local> = Bus::new(tables),
        succeeds: Bus<Local> = Bus::new(tables),
        target: Bus<Local> = Bus::new(clog2(tables)),
        victim_identity: Bus<Local> = Bus::new(bits),
        victim_generation: Bus<Local> = Bus::new(v),
        victim_live: Wire<Local>,
        victim_old: Wire<Local>,
        status: Bus<Local> = Bus::new(STATUS_WIDTH),
        no_status: Const = Const::new(0, STATUS_WIDTH),
        from: Vec<usize> = (0..tables).map(|t| t * shape.row_cells).collect(),
        cell_bits: usize = shape.cell_bits(),
        row_bits: usize = rows,
        value_bits: usize = shape.value_bits(),
        status_register: usize = status_register,
        identity_bits: usize = bits,
        answer_bit: usize = bits + 1,
        tag_from: usize = bits + 2,
        held_bits: usize = shape.held_bits(),
        shape: CuckooShape = shape,
    }

    /// The filter of a geometry.
    pub fn new(geometry: &CuckooGeometry) {
        let shape = CuckooShape::of(geometry);
        let verdict_clocks = Design::from(geometry).timing().latency_clocks() as usize;
        let plan = RegisterPlan::of_window(geometry);
        let contents = "lost, seen";
        let tables = CuckooShape::TABLES;
        let (tag_bits, verdict_bits) = (shape.tag_bits, shape.verdict_bits);
        let (bits, rows, v) = (shape.identity_bits(), shape.row_bits, shape.generation_bits);
        let mut names = RegisterNames::new("sliding-window filter on cuckoo tables", &plan);
        let status_register = names.packed("STATUS", &["running", "generation"]);
        names.finish();
    }
}

filter_block!(CuckooFilter);

impl Logic for CuckooFilter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("what the tables and their agents say; one move at most ends in a clock, the first in order");
        self.target.next = bits_to(0, self.shape.table_bits());
        self.victim_identity.next = bits_to(0, self.shape.identity_bits());
        self.victim_generation.next = bits_to(0, self.shape.generation_bits);
        self.victim_live.next = false;
        self.victim_old.next = false;
        self.matching.next = bits_to(0, self.shape.cells());
        self.settled.next = bits_to(0, self.shape.cells());
        for t in 0..CuckooShape::TABLES {
            self.next_free.set_bit(t, self.agent[t].next_free.val());
            self.short.set_bit(t, self.agent[t].short.val());
            self.ends.set_bit(t, self.agent[t].ends.val());
            self.placed.set_bit(t, self.agent[t].placed.val());
            self.succeeds.set_bit(t, self.agent[t].succeeds.val());
            self.order.arrives.set_bit(t, self.agent[t].arrives.val());
            self.order.stands.set_bit(t, self.agent[t].stands.val());
            self.order.moved[t].next = self.agent[t].entry.val();
            if self.order.first.val().get_bit(t) {
                self.target.next = self.target.val() | self.agent[t].target.val();
                self.victim_identity.next =
                    self.victim_identity.val() | self.agent[t].victim_identity.val();
                self.victim_generation.next =
                    self.victim_generation.val() | self.agent[t].victim_generation.val();
                self.victim_live.next = self.victim_live.val() || self.agent[t].victim_live.val();
                self.victim_old.next = self.victim_old.val() || self.agent[t].victim_old.val();
            }
            self.matching.next = self.matching.val()
                | (bits_to(self.table[t].matching.val(), self.shape.cells()) << self.from[t]);
            self.settled.next = self.settled.val()
                | (bits_to(self.table[t].settled.val(), self.shape.cells()) << self.from[t]);
        }

        comment!("admission");
        self.begin.next = self.ports.reset.val() || self.sequencer.restart.val();
        self.sequencer.reset.next = self.ports.reset.val();
        self.sequencer.valid.next = self.ports.s_item.tvalid.val();
        self.sequencer.clear_pending.next = self.registers.clear_pending.val();
        self.sequencer.short.next = self.short.val().any();
        self.sequencer.held.next = self.stash.held.val();
        self.sequencer.queued.next = self.hold.queued.val();
        if self.shape.queued {
            self.sequencer.credit.next = self.verdicts.credit.val();
        } else {
            self.sequencer.credit.next = true;
        }
        self.ports.s_item.tready.next = self.sequencer.ready.val();
        self.element.next = self.sequencer.accept.val() && (self.ports.s_item.tuser.val() != 0);
        self.slots.reset.next = self.ports.reset.val();
        self.slots.restart.next = self.sequencer.restart.val();
        self.slots.accept.next = self.sequencer.accept.val();
        self.slots.operation.next = self.ports.s_item.tuser.val();

        comment!("hash value, and what is known of its item: its tag, too, where no verdict queue has it");
        self.key.d.next = self.ports.s_item.tdata.val();
        self.hash.key.next = self.key.q.val();
        self.held_data.next = bits_to(self.hash.index[0].val(), self.held_bits)
            | (bits_of(self.slots.arrives_element.val(), self.held_bits) << self.identity_bits)
            | (bits_of(self.slots.arrives_answer.val(), self.held_bits) << self.answer_bit);
        if !self.shape.queued {
            self.tag_front.d.next = self.ports.s_item.tid.val();
            self.held_data.next = self.held_data.val()
                | (bits_to(self.tag_front.q.val(), self.held_bits) << self.tag_from);
            self.tag_line.d.next = bits_to(
                self.hold.entering.val() >> self.tag_from,
                self.shape.tag_bits,
            );
        }
        self.hold.clear.next = self.ports.reset.val();
        self.hold.held.next = self.stash.held.val();
        self.hold.arrives.next = self.slots.arrives.val();
        self.hold.data.next = self.held_data.val();
        self.slots.enters.next = self.hold.enters.val();
        self.slots.enters_element.next = self.hold.entering.val().get_bit(self.identity_bits);
        self.slots.enters_answer.next = self.hold.entering.val().get_bit(self.answer_bit);

        comment!("identity {r, b}, and the row in each table");
        self.identity.d.next = bits_to(self.hold.entering.val(), self.identity_bits);
        self.row[0].next = bits_to(self.identity.q.val(), self.row_bits);
        for t in 0..self.shift.len() {
            self.shift[t].x.next = bits_wide(
                bits_to(self.identity.q.val() >> self.row_bits, self.value_bits),
                self.value_bits,
            );
            self.row[t + 1].next = bits_to(self.identity.q.val(), self.row_bits)
                ^ bits_to(self.shift[t].y.val(), self.row_bits);
        }
        self.track.identity.next = self.identity.q.val();
        self.slots.generations.join(&mut self.track.generations);
        self.track.odd.next = self.slots.odd.val();

        comment!("what the slot in stage 7 writes");
        if self.shape.ecc {
            self.item_cell.value.next = bits_to(
                self.track.identity_6.val() >> self.row_bits,
                self.value_bits,
            );
            self.item_cell.generation.next = self.track.own_6.val();
            self.item_check.payload.next = self.item_cell.word.val();
            self.item_code.d.next = (bits_to(self.item_check.check.val(), self.shape.code_bits())
                << self.cell_bits)
                | bits_to(self.item_cell.word.val(), self.shape.code_bits());
            self.stale_check.payload.next = bits_to(self.slots.stale.val(), self.shape.cell_bits());
        } else {
            self.item_cell.value.next = bits_to(
                self.track.identity_7.val() >> self.row_bits,
                self.value_bits,
            );
            self.item_cell.generation.next = self.track.own_7.val();
        }

        comment!("tables and their agents");
        for t in 0..CuckooShape::TABLES {
            self.table[t].row.next = self.row[t].val();
            self.table[t].value_3.next = bits_to(
                self.track.identity_3.val() >> self.row_bits,
                self.value_bits,
            );
            self.slots.generations.join(&mut self.table[t].generations);
            self.table[t].same_value.next = self.track.same_value.val();
            self.table[t].near_value.next = self.track.near_value.val();
            self.table[t].turn_4.next = self.track.turn_4.val();
            self.table[t].turn_7.next = self.track.turn_7.val();
            self.table[t].same_turn_4.next = self.track.same_turn_4.val();
            self.table[t].same_turn_5.next = self.track.same_turn_5.val();
            self.table[t].near_turn.next = self.track.near_turn.val();
            self.table[t].taking.next =
                bits_to(self.fit.taking.val() >> self.from[t], self.shape.row_cells);
            self.table[t].takes.next = self.fit.takes.val().get_bit(t);
            if self.shape.ecc {
                self.table[t].item_data.next = self.item_code.q.val();
                self.agent[t].bad.next = self.table[t].bad.val();
                self.agent[t].victim_syndrome.next = self.table[t].victim_syndrome.val();
                self.agent[t].stale_check.next = self.stale_check.check.val();
                self.agent[t].calm.next = self.stash.calm.val();
            } else {
                self.table[t].item_data.next = self.item_cell.word.val();
            }
            self.table[t].wiping.next = self.sequencer.wipe.val();
            self.table[t].wipe_row.next = self.sequencer.wipe_row.val();
            self.table[t].agent_row.next = self.agent[t].row.val();
            self.table[t].commits.next = self.agent[t].writes.val();
            self.table[t].commit_lanes.next = self.agent[t].write_lanes.val();
            self.table[t].commit_data.next = self.agent[t].write_data.val();
            self.table[t].victim_lane.next = self.agent[t].victim_lane.val();

            self.agent[t].reset.next = self.begin.val();
            self.agent[t].running.next = self.sequencer.running.val();
            self.agent[t].starting.next = self.sequencer.starting.val();
            self.agent[t].element.next = self.element.val();
            self.agent[t].entering.next = self.slots.entering.val();
            self.agent[t].row_entering.next = self.table[t].row_entering.val();
            self.agent[t].item_2.next = self.slots.item_2.val();
            self.agent[t].row_2.next = self.table[t].row_2.val();
            self.agent[t].row_7.next = self.table[t].row_7.val();
            self.agent[t].taken.next = self.table[t].taken.val();
            self.agent[t].stash_taken.next = self.stash.taken.val();
            self.agent[t].first.next = self.order.first.val().get_bit(t);
            self.agent[t].disturbed.next = self.stash.disturbed.val().get_bit(t);
            self.stash.moved[t].next = self.agent[t].entry.val();
            self.agent[t].hop.next = self.stash.hop.val();
            self.agent[t].stale.next = self.slots.stale.val();
            self.agent[t].dead.next = self.table[t].dead.val();
            self.agent[t].old.next = self.table[t].old.val();
            self.agent[t].victim.next = self.table[t].victim.val();
            self.slots.turns.join(&mut self.agent[t].turns);
            self.agent[t].hand.next = self.stash.hands.val().get_bit(t);
            self.agent[t].hand_row.next = self.stash.row.val();
            self.agent[t].hand_entry.next = self.stash.entry.val();
            self.agent[t].hand_value.next = self.stash.value.val();
            self.agent[t].hand_generation.next = self.stash.generation.val();
        }

        comment!("stash");
        self.stash.clear.next = self.begin.val();
        self.stash.identity_3.next = self.track.identity_3.val();
        self.stash.identity_7.next = self.track.identity_7.val();
        self.stash.own_7.next = self.track.own_7.val();
        self.slots.turns.join(&mut self.stash.turns);
        self.stash.same_identity.next = self.track.same_identity.val();
        self.stash.near_identity.next = self.track.near_identity.val();
        self.stash.element_5.next = self.slots.element_5.val();
        self.stash.takes.next = self.fit.stash.val();
        self.stash.next_free.next = self.next_free.val();
        self.order.reset.next = self.begin.val();
        self.order.ends.next = self.ends.val();
        self.stash.first_entry.next = self.order.entry.val();
        self.stash.ends.next = self.ends.val().any();
        self.stash.placed.next = self.placed.val().any();
        self.stash.succeeds.next = self.succeeds.val().any();
        self.stash.target_in.next = self.target.val();
        self.stash.victim_identity.next = self.victim_identity.val();
        self.stash.victim_generation.next = self.victim_generation.val();
        self.stash.victim_live.next = self.victim_live.val();
        self.stash.victim_old.next = self.victim_old.val();

        comment!("decision");
        self.fit.matching.next = self.matching.val();
        self.fit.settled.next = self.settled.val();
        for t in 0..CuckooShape::TABLES {
            self.fit
                .any_matching
                .set_bit(t, self.table[t].any_matching.val());
            self.fit.any.set_bit(t, self.table[t].any_empty.val());
        }
        self.fit.in_stash.next = self.stash.meets.val();
        self.fit.room.next = self.stash.room.val();
        self.fit.element.next = self.slots.element_6.val();
        self.fit.first.next = self.track.first_6.val();

        comment!("verdict");
        self.verdict_in.next = (bits_of(self.fit.lost.val(), self.shape.verdict_bits) << 1)
            | bits_of(self.fit.seen.val(), self.shape.verdict_bits);
        self.verdict.d.next = self.verdict_in.val();
        self.push.d.next = self.slots.answer_6.val() && !self.ports.reset.val();
        if self.shape.counted {
            self.item.d.next = self.slots.item_6.val() && !self.ports.reset.val();
            self.inserted.d.next = self.fit.inserted.val() && !self.ports.reset.val();
            self.stashed.d.next = self.fit.stash.val() && !self.ports.reset.val();
            self.handed.d.next = self.stash.handed.val() && !self.ports.reset.val();
        }
        if self.shape.ecc {
            self.met.next = false;
            self.met_more.next = false;
            self.mended.next = false;
            self.erased.next = false;
            for t in 0..CuckooShape::TABLES {
                self.met.next = self.met.val() || self.table[t].corrected_6.val();
                self.met_more.next = self.met_more.val() || self.table[t].uncorrectable_6.val();
                self.mended.next = self.mended.val() || self.agent[t].corrected.val();
                self.erased.next = self.erased.val() || self.agent[t].uncorrectable.val();
            }
            if self.shape.counted {
                self.corrected.d.next = ((self.slots.item_6.val() && self.met.val())
                    || self.mended.val())
                    && !self.ports.reset.val();
                self.uncorrectable.d.next = ((self.slots.item_6.val() && self.met_more.val())
                    || self.erased.val())
                    && !self.ports.reset.val();
            }
        }
        if self.shape.queued {
            self.verdicts.reset.next = self.ports.reset.val();
            self.verdicts.claim.next =
                self.sequencer.accept.val() && (self.ports.s_item.tuser.val() != 1);
            self.verdicts.tag.next = self.ports.s_item.tid.val();
            self.verdicts.push.next = self.push.q.val();
            self.verdicts.flags.next = self.verdict.q.val();
            self.verdicts.ready.next = self.ports.m_verdict.tready.val();
            self.ports.m_verdict.tvalid.next = self.verdicts.valid.val();
            self.ports.m_verdict.tdata.next = self.verdicts.data.val();
            self.ports.m_verdict.tid.next = self.verdicts.data_tag.val();
        } else {
            self.ports.m_verdict.tvalid.next = self.push.q.val();
            self.ports.m_verdict.tdata.next = self.verdict.q.val();
            self.ports.m_verdict.tid.next = self.tag_line.q.val();
        }

        if self.shape.counted {
            comment!("counters, in the order of their registers");
            self.registers.event[CuckooCounter::Items as usize].next = self.item.q.val();
            self.registers.event[CuckooCounter::Seen as usize].next =
                self.item.q.val() && self.verdict.q.val().get_bit(0);
            self.registers.event[CuckooCounter::Inserted as usize].next = self.inserted.q.val();
            self.registers.event[CuckooCounter::Stashed as usize].next = self.stashed.q.val();
            self.registers.event[CuckooCounter::Moves as usize].next = self.handed.q.val();
            self.registers.event[CuckooCounter::Lost as usize].next =
                self.item.q.val() && self.verdict.q.val().get_bit(1);
            self.registers.event[CuckooCounter::StallScan as usize].next =
                self.sequencer.stall_scan.val();
            self.registers.event[CuckooCounter::StallStash as usize].next =
                self.sequencer.stall_stash.val();
            self.registers.event[CuckooCounter::StallControl as usize].next =
                self.sequencer.stall_control.val();
            self.registers.event[CuckooCounter::StallVerdict as usize].next =
                self.sequencer.stall_verdict.val();
            if self.shape.ecc {
                self.registers.event[CuckooCounter::EccCorrected as usize].next =
                    self.corrected.q.val();
                self.registers.event[CuckooCounter::EccUncorrectable as usize].next =
                    self.uncorrectable.q.val();
            }
        }

        comment!("registers");
        self.status.next = self.no_status.val()
            | bits_of(self.sequencer.running.val(), STATUS_WIDTH)
            | (bits_to(self.slots.generations.newest.val(), STATUS_WIDTH)
                << field::STATUS_GENERATION);
        self.registers.reset.next = self.ports.reset.val();
        self.registers.live[self.status_register].next = self.status.val();
        self.registers.finished.next = self.sequencer.finished.val();
        if self.shape.reached {
            self.ports.s_axil.link(&mut self.registers.axil);
        } else {
            self.no_host.axil.join(&mut self.registers.axil);
        }
    }
}
