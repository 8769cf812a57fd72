//! Top module of the recycling filter with a spare half.

use crate::bus::{NoHost, RegisterFile, RegisterPlan};
use crate::hash::HashUnit;
use crate::pipeline::{
    recycling_parts::{self, RecyclingPlaces},
    tag_line, HalfSecrets, Sequencer, VerdictQueue,
};
use crate::prelude::*;
use crate::recycle::{ArrayReader, RecycleDecision, RecycleLimit};
use crate::spare_half::{BitAccess, BitOccupancy, Eraser, SpareHalfBank, SpareHalfSlots};
use bloomline_spec::registers::{field, RecyclingCounter};
use bloomline_spec::{Design, RecyclingGeometry, VERDICT_BITS};

block! {
    /// A recycling Bloom filter of single bits with a spare half: items in, verdicts out, registers beside.
    ///
    /// ```text
    ///               +-----------+   +------+   +---------+   +----------+   +---------------+
    /// s_item  ----->| sequencer |-->| hash |-->| k banks |-->| decision |-->| verdict queue |-----> m_verdict
    ///               | slots     |   | unit |   |         |<--| eraser   |   +---------------+
    ///               +-----------+   +------+   +---------+   +----------+
    ///                     ^               register file, counters  <------------------------------> s_axil
    /// ```
    ///
    /// Initiation interval 1; latency `front_clocks + decision_stage + verdict_clocks` clocks without back-pressure. `docs/spare-half.md` is the contract of every port on every clock.
    /// Source: RBF sections III (one phase) and V (two phases).
    /// `reset` is synchronous and active high.
    pub struct SpareHalfFilter {
        about: About = About::new(
            geometry.name(),
            format!(
                "Recycling Bloom filter with a spare half: {} bits, {k} hash(es), {}.\n\
                 One item a clock. Source: RBF sections III and V; timing: spare-half.md.",
                geometry.memory_bits(),
                recycling_parts::rule(&shape),
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub ports: FilterPorts = recycling_parts::ports(&shape),
        sequencer: Sequencer = Sequencer::new(&shape),
        slots: SpareHalfSlots = SpareHalfSlots::new(&shape),
        key: Optional<WideReg> = Optional::new(!shape.hashes_port, WideReg::new(shape.key_bits)),
        hash: HashUnit = recycling_parts::hash_unit(geometry),
        bank: Vec<SpareHalfBank> = (0..k).map(|_| SpareHalfBank::new(&shape)).collect(),
        decision: RecycleDecision = RecycleDecision::new(&shape),
        limit: RecycleLimit = RecycleLimit::new(&shape),
        eraser: Eraser = Eraser::new(&shape),
        access: Optional<BitAccess> = Optional::new(shape.array_access, BitAccess::new(&shape)),
        occupancy: BitOccupancy = BitOccupancy::new(&shape),
        verdicts: Optional<VerdictQueue> = Optional::new(
            shape.queued,
            match shape.answers_at_once {
                true => queue.with_bypass(),
                false => queue,
            },
        ),
        tag: Optional<Reg> = Optional::new(!shape.queued, Reg::new(shape.tag_bits)),
        tag_line: Optional<Delay> = tag_line(shape.queued, shape.tag_bits, verdict_clocks - 1),
        registers: RegisterFile = RegisterFile::new(&plan),
        reader: ArrayReader = ArrayReader::new(&shape),
        half_secrets: Vec<HalfSecrets> = (0..shape.secret_per_half)
            .map(|_| HalfSecrets::default())
            .collect(),
        clear_none: Bus<Local> = Bus::new(k),
        clear_early: Vec<Bus<Local>> = (0..shape.near).map(|_| Bus::new(k)).collect(),
        in_active: Bus<Local> = Bus::new(k),
        in_frozen: Vec<Bus<Local>> = (0..shape.frozen_halves()).map(|_| Bus::new(k)).collect(),
        frozen: Wire<Local>,
        phase: Wire<Local>,
        held: Bus<Local> = Bus::new(shape.count_bits),
        push: Optional<Flag> = Optional::new(!shape.answers_at_once, Flag::default()),
        no_host: Optional<NoHost> = Optional::new(!shape.reached, NoHost::default()),
        verdict: Optional<Reg> = Optional::new(
            shape.counted || !shape.answers_at_once,
            Reg::new(verdict_bits),
        ),
        verdict_in: Bus<Local> = Bus::new(verdict_bits),
        item: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        inserted: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        status: Bus<Local> = Bus::new(TURNING_STATUS_BITS),
        retain: Const = Const::new(shape.retain.into(), 1),
        no_status: Const = Const::new(0, TURNING_STATUS_BITS),
        two_phases: bool = shape.frozen_halves() == 1,
        shape: Shape = shape,
        places: RecyclingPlaces = places,
    }

    /// The filter of a geometry.
    pub fn new(geometry: &RecyclingGeometry) {
        let shape = Shape::of(geometry);
        let verdict_clocks = Design::from(geometry).timing().latency_clocks() as usize;
        let k = shape.hashes;
        let verdict_bits = VERDICT_BITS as usize;
        let queue = recycling_parts::verdict_queue(&shape);
        let plan = RegisterPlan::of(geometry);
        let places = RecyclingPlaces::of("recycling filter", geometry, &plan);
    }
}

filter_block!(SpareHalfFilter);

impl Logic for SpareHalfFilter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("admission");
        self.sequencer.reset.next = self.ports.reset.val();
        self.sequencer.valid.next = self.ports.s_item.tvalid.val();
        self.sequencer.clear_pending.next = self.registers.clear_pending.val();
        self.sequencer.write_pending.next = self.registers.write_pending.val();
        if self.shape.max_age {
            self.sequencer.max_age.next = self.registers.value[self.places.max_age].val();
            self.sequencer.trip.next = self.decision.trip.val();
        }
        self.sequencer.blocked.next = self.eraser.blocked.val();
        self.sequencer.erasing[0].next = self.eraser.erasing.val();
        if self.shape.array_access {
            self.sequencer.accessing[0].next = self.access.accessing.val();
        }
        self.sequencer.one_at_a_time.next = self.limit.one_at_a_time.val();
        if self.shape.queued {
            self.sequencer.credit.next = self.verdicts.credit.val();
        } else {
            self.sequencer.credit.next = true;
        }
        if self.shape.array_access {
            self.sequencer.fetch_asked.next = self.registers.fetch_asked[0].val();
            self.sequencer.set_asked.next = self.registers.stored[0].val();
        }
        self.sequencer.recycle_pending.next = self.registers.recycle_pending[0].val();
        self.ports.s_item.tready.next = self.sequencer.ready.val();
        self.slots.reset.next = self.ports.reset.val();
        if self.shape.secret_per_half == 0 {
            self.slots.accept.next = self.sequencer.accept.val();
            self.slots.operation.next = self.ports.s_item.tuser.val();
        }
        for h in 0..self.shape.secret_per_half {
            self.sequencer.rekey_pending[h].next = self.registers.rekey_pending[h].val();
            self.sequencer.differ[h].next = self.half_secrets[h].differ.val();
            self.half_secrets[h].reset.next = self.ports.reset.val();
            self.half_secrets[h].secret.next = self.registers.secret[h].val();
            self.half_secrets[h].rekeyed.next = self.registers.rekeyed[h].val();
            self.half_secrets[h].trip.next = self.decision.trip.val();
            self.half_secrets[h].accept.next = self.sequencer.accept.val();
            self.half_secrets[h].operation.next = self.ports.s_item.tuser.val();
            self.slots.accept.next = self.half_secrets[h].entering.val();
            self.slots.operation.next = self.half_secrets[h].entering_operation.val();
            self.slots.look[h].next = self.half_secrets[h].look.val();
        }
        if self.shape.array_access {
            self.slots.adding.next = self.access.adding.val();
            self.slots.accessing.next = self.access.accessing.val();
        }
        self.slots.trip.next = self.decision.trip.val();

        comment!("hash");
        if self.shape.hashes_port {
            self.hash.key.next = self.ports.s_item.tdata.val();
        } else {
            self.key.d.next = self.ports.s_item.tdata.val();
            self.hash.key.next = self.key.q.val();
        }
        for s in 0..self.shape.keyed - self.shape.secret_per_half {
            self.hash.secret[s].next = self.registers.secret[s].val();
        }
        for h in 0..self.shape.secret_per_half {
            if self.half_secrets[h].again.val() {
                self.key.d.next = self.key.q.val();
            }
            self.hash.secret[h].next = self.half_secrets[h].hashing.val();
        }
        if self.shape.array_access {
            comment!("a word for the host, bit by bit");
            self.reader.address.next = self.registers.value[self.places.array_address].val();
            self.reader.trip.next = self.decision.trip.val();
            self.access.reset.next = self.ports.reset.val();
            self.access.fetch.next = self.sequencer.fetch.val();
            self.access.set.next = self.sequencer.set.val();
            self.access.word_address.next = self.reader.word_address.val();
            self.access.bits.next = self.registers.value[self.places.array_data].val();
            self.access.in_bank.next = self.reader.in_bank[0].val();
            for h in 0..self.shape.frozen_halves() {
                self.access.of_frozen[h].next = self.reader.of_frozen[h].val();
            }
            self.access.inserting.next = self.slots.inserting.val();
            self.registers.load[0].next = self.access.fetching.val();
            self.registers.fetched[0].next = self.access.fetched.val();
        } else {
            self.reader.trip.next = self.decision.trip.val();
        }

        comment!("banks");
        for i in 0..self.shape.hashes {
            self.bank[i].index.next = self.hash.index[i].val();
            if self.shape.array_access {
                self.bank[i].direct.next = self.access.accessing.val();
                self.bank[i].direct_position.next = self.access.position.val();
            }
            self.bank[i].trip.next = self.decision.trip.val();
            self.bank[i].near_inserting.next = self.slots.near_inserting.val();
            self.bank[i].far_inserting.next = self.slots.far_inserting.val();
            if self.shape.row_stage == 1 {
                self.bank[i].decided_inserting.next = self.slots.inserting.val();
            }
            self.bank[i].active_half.next = self.eraser.active_half.val();
            if self.shape.array_access {
                self.bank[i].takes.next = self.access.takes.val().get_bit(i);
            }
            self.bank[i].store.next = self.eraser.store.val();
            self.bank[i].erase.next = self.eraser.erase.val();
            self.bank[i].row.next = self.eraser.row.val();
            for h in 0..self.shape.frozen_halves() {
                self.bank[i].frozen_half[h].next = self.eraser.frozen_half[h].val();
                self.in_frozen[h].set_bit(i, self.bank[i].in_frozen[h].val());
            }
            for n in 0..self.shape.near {
                self.clear_early[n].set_bit(i, self.bank[i].clear_early[n].val());
            }
            self.clear_none.set_bit(i, self.bank[i].clear_none.val());
            self.in_active.set_bit(i, self.bank[i].in_active.val());
        }

        comment!("decision, halves, occupancy");
        if self.shape.array_access {
            self.access.in_active.next = self.in_active.val();
            for h in 0..self.shape.frozen_halves() {
                self.access.in_frozen[h].next = self.in_frozen[h].val();
            }
            self.registers.load_value[0].next = self.access.word.val();
        }
        self.decision.reset.next = self.ports.reset.val();
        self.decision.clear_none.next = self.clear_none.val();
        for n in 0..self.shape.near {
            self.decision.clear_early[n].next = self.clear_early[n].val();
        }
        self.decision.inserting_8.next = self.slots.inserting_6.val();
        self.decision.inserting_9.next = self.slots.inserting_7.val();
        self.decision.forced.next = self.sequencer.force_recycle.val();
        self.decision.load.next = self.sequencer.load_room.val();
        self.decision.room.next = self.limit.room.val();
        self.decision.base_room.next = self.limit.base_room.val();
        if !self.shape.on_messages {
            self.held.next = self.occupancy.bits_active.val();
        }
        if self.shape.on_messages {
            self.held.next = self.occupancy.messages.val();
        }
        self.limit.take.next = self.sequencer.take_limit.val();
        self.limit.threshold.next = self.registers.value[self.places.threshold].val();
        self.limit.count.next = self.held.val();
        self.eraser.trip.next = self.decision.trip.val();
        self.eraser.storing.next = self.slots.storing.val();
        self.eraser.room.next = self.limit.room.val();
        self.eraser.one_at_a_time.next = self.limit.one_at_a_time.val();
        self.occupancy.reset.next = self.ports.reset.val();
        self.occupancy.trip.next = self.decision.trip.val();
        self.occupancy.inserting.next = self.slots.inserting.val();
        self.occupancy.count.next = self.decision.count.val();
        if self.shape.array_access {
            self.occupancy.fresh.next = self.access.fresh.val();
            self.occupancy.fresh_word.next = self.access.fresh_word.val();
        }

        comment!("verdict");
        if self.shape.phases == 1 {
            self.frozen.next = false;
        }
        for h in 0..self.shape.frozen_halves() - self.shape.secret_per_half {
            self.frozen.next = self.in_frozen[h].val().all();
        }
        for h in 0..self.shape.secret_per_half {
            self.half_secrets[h].in_frozen.next = self.in_frozen[h].val().all();
            self.frozen.next = self.half_secrets[h].frozen.val();
        }
        self.verdict_in
            .set_bit(0, self.in_active.val().all() || self.frozen.val());
        self.verdict_in.set_bit(1, self.in_active.val().all());
        self.verdict_in.set_bit(2, self.frozen.val());
        self.verdict_in.set_bit(3, self.decision.trip.val());
        if self.shape.counted || !self.shape.answers_at_once {
            self.verdict.d.next = self.verdict_in.val();
        }
        if !self.shape.answers_at_once {
            self.push.d.next = self.slots.answering.val() && !self.ports.reset.val();
        }
        if self.shape.counted {
            self.item.d.next = self.slots.item.val() && !self.ports.reset.val();
        }
        if self.shape.counted {
            self.inserted.d.next = self.slots.inserting.val()
                && self.decision.count.val().any()
                && (self.retain.val().any() || !self.decision.trip.val())
                && !self.ports.reset.val();
        }
        if self.shape.queued {
            self.verdicts.reset.next = self.ports.reset.val();
            self.verdicts.claim.next =
                self.sequencer.accept.val() && (self.ports.s_item.tuser.val() != 1);
            self.verdicts.tag.next = self.ports.s_item.tid.val();
            if !self.shape.answers_at_once {
                self.verdicts.push.next = self.push.q.val();
                self.verdicts.flags.next = self.verdict.q.val();
            } else {
                self.verdicts.push.next = self.slots.answering.val();
                self.verdicts.flags.next = self.verdict_in.val();
            }
            self.verdicts.ready.next = self.ports.m_verdict.tready.val();
            self.ports.m_verdict.tvalid.next = self.verdicts.valid.val();
            self.ports.m_verdict.tdata.next = self.verdicts.data.val();
            self.ports.m_verdict.tid.next = self.verdicts.data_tag.val();
        } else {
            self.tag.d.next = self.ports.s_item.tid.val();
            for h in 0..self.shape.secret_per_half {
                if self.half_secrets[h].again.val() {
                    self.tag.d.next = self.tag.q.val();
                }
            }
            self.tag_line.d.next = self.tag.q.val();
            self.ports.m_verdict.tvalid.next = self.push.q.val();
            self.ports.m_verdict.tdata.next = self.verdict.q.val();
            self.ports.m_verdict.tid.next = self.tag_line.q.val();
        }

        if self.shape.counted {
            comment!(
                "counters: items, seen, inserted, recycles, stalls by recycle, control and verdict"
            );
            self.registers.event[RecyclingCounter::Items as usize].next = self.item.q.val();
            self.registers.event[RecyclingCounter::Seen as usize].next =
                self.item.q.val() && self.verdict.q.val().get_bit(0);
            self.registers.event[RecyclingCounter::Inserted as usize].next = self.inserted.q.val();
            self.registers.event[RecyclingCounter::Recycles as usize].next =
                (self.item.q.val() && self.verdict.q.val().get_bit(3)) || self.sequencer.aged.val();
            self.registers.event[RecyclingCounter::StallRecycle as usize].next =
                self.sequencer.stall_recycle.val();
            self.registers.event[RecyclingCounter::StallControl as usize].next =
                self.sequencer.stall_control.val();
            self.registers.event[RecyclingCounter::StallVerdict as usize].next =
                self.sequencer.stall_verdict.val();
        }

        comment!("registers");
        self.phase.next = self.two_phases && self.reader.turns.val().get_bit(0usize);
        self.status.next = self.no_status.val()
            | bits_of(self.sequencer.running.val(), TURNING_STATUS_BITS)
            | (bits_of(self.phase.val(), TURNING_STATUS_BITS) << field::STATUS_ACTIVE_HALF)
            | (bits_of(!self.eraser.erasing.val(), TURNING_STATUS_BITS)
                << field::STATUS_SPARE_EPOCHS)
            | (bits_of(!self.eraser.erasing.val(), TURNING_STATUS_BITS) << field::STATUS_COVERED)
            | (bits_to(self.reader.turns.val(), TURNING_STATUS_BITS) << field::STATUS_TURNS);
        for s in 0..self.shape.keyed {
            self.status.next = self.status.val()
                | (bits_of(self.registers.public_secret[s].val(), TURNING_STATUS_BITS)
                    << field::STATUS_PUBLIC_SECRET);
        }
        self.registers.reset.next = self.ports.reset.val();
        self.registers.live[self.places.status].next = self.status.val();
        if self.shape.count_registers {
            self.registers.live[self.places.bits_active].next = self.occupancy.bits_active.val();
            self.registers.live[self.places.bits_frozen].next = self.occupancy.bits_frozen.val();
            self.registers.live[self.places.messages].next = self.occupancy.messages.val();
        }
        self.registers.finished.next = self.sequencer.finished.val();
        if self.shape.reached {
            self.ports.s_axil.link(&mut self.registers.axil);
        } else {
            self.no_host.axil.join(&mut self.registers.axil);
        }
    }
}
