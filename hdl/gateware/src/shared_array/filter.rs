//! Top module of the recycling filter in the shared layout.

use crate::bus::{NoHost, RegisterFile, RegisterPlan};
use crate::hash::HashUnit;
use crate::pipeline::{
    recycling_parts::{self, RecyclingPlaces},
    tag_line, Sequencer, VerdictQueue,
};
use crate::prelude::*;
use crate::recycle::{ArrayReader, EpochGuard, Occupancy, RecycleLimit};
use crate::shared_array::{SharedArrayBank, SharedArrayDecision, SharedArraySlots};
use bloomline_spec::registers::{field, RecyclingCounter};
use bloomline_spec::{Design, RecyclingGeometry, VERDICT_BITS};

block! {
    /// A recycling Bloom filter of one array a half: items in, verdicts out, registers beside.
    ///
    /// ```text
    ///               +-----------+   +------+   +------------------+   +----------+   +---------------+
    /// s_item  ----->| sequencer |-->| hash |-->| one array a half |-->| decision |-->| verdict queue |-----> m_verdict
    ///               | slots     |   | unit |   | k reads, k writes|<--| epochs   |   +---------------+
    ///               +-----------+   +------+   +------------------+   +----------+
    ///                     ^               register file, counters  <--------------------------------------> s_axil
    /// ```
    ///
    /// Initiation interval 2 k + 6; latency `front_clocks + decision_stage + 3` clocks without back-pressure. `docs/shared-array.md` is the contract of every port on every clock.
    /// Source: RBF sections III (one phase) and V (two phases), colliding and non-colliding.
    /// `reset` is synchronous and active high.
    pub struct SharedArrayFilter {
        about: About = About::new(
            geometry.name(),
            format!(
                "Recycling Bloom filter: {} bits in one array a half, {}, {}.\n\
                 One item in {} clocks. Source: RBF sections III and V; timing: shared-array.md.",
                geometry.memory_bits(),
                counted(k, if shape.distinct { "distinct probe" } else { "colliding probe" }),
                recycling_parts::rule(&shape),
                shape.interval,
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub ports: FilterPorts = recycling_parts::ports(&shape),
        sequencer: Sequencer = Sequencer::new(&shape),
        slots: SharedArraySlots = SharedArraySlots::new(&shape),
        key: WideReg = WideReg::new(shape.key_bits),
        hash: HashUnit = recycling_parts::hash_unit(geometry),
        bank: SharedArrayBank = SharedArrayBank::new(&shape),
        decision: SharedArrayDecision = SharedArrayDecision::new(&shape),
        limit: RecycleLimit = RecycleLimit::new(&shape),
        epochs: EpochGuard = EpochGuard::standing(shape.phases),
        occupancy: Occupancy = Occupancy::new(&shape),
        verdicts: Optional<VerdictQueue> = Optional::new(shape.queued, recycling_parts::verdict_queue(&shape)),
        tag_line: Optional<Delay> = tag_line(shape.queued, shape.tag_bits, verdict_clocks),
        registers: RegisterFile = RegisterFile::new(&plan),
        reader: ArrayReader = ArrayReader::new(&shape),
        frozen: Wire<Local>,
        held: Bus<Local> = Bus::new(shape.count_bits),
        push: Flag,
        no_host: Optional<NoHost> = Optional::new(!shape.reached, NoHost::default()),
        verdict: Reg = Reg::new(verdict_bits),
        verdict_in: Bus<Local> = Bus::new(verdict_bits),
        item: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        inserted: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        wrong: Vec<Flag> = (0..shape.parity)
            .filter(|_| shape.counted)
            .map(|_| Flag::default().doc("a word of wrong parity was met"))
            .collect(),
        corrected: Vec<Flag> = (0..shape.ecc)
            .map(|_| Flag::default().doc("a word was met that was corrected"))
            .collect(),
        uncorrectable: Vec<Flag> = (0..shape.ecc)
            .map(|_| Flag::default().doc("a word was met that cannot be corrected"))
            .collect(),
        status: Bus<Local> = Bus::new(TURNING_STATUS_BITS),
        retain: Const = Const::new(shape.retain.into(), 1),
        no_status: Const = Const::new(0, TURNING_STATUS_BITS),
        shape: Shape = shape,
        places: RecyclingPlaces = places,
    }

    /// The filter of a geometry.
    pub fn new(geometry: &RecyclingGeometry) {
        let shape = Shape::of(geometry);
        let verdict_clocks = Design::from(geometry).timing().latency_clocks() as usize;
        let k = shape.hashes;
        let verdict_bits = VERDICT_BITS as usize;
        let plan = RegisterPlan::of(geometry);
        let places = RecyclingPlaces::of("recycling filter of one array", geometry, &plan);
    }
}

filter_block!(SharedArrayFilter);

impl Logic for SharedArrayFilter {
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
        self.sequencer.blocked.next = self.epochs.blocked.val();
        self.sequencer.one_at_a_time.next = self.limit.one_at_a_time.val();
        if self.shape.queued {
            self.sequencer.credit.next = self.verdicts.credit.val();
        } else {
            self.sequencer.credit.next = true;
        }
        self.sequencer.fetch_asked.next = self.registers.fetch_asked[0].val();
        self.sequencer.set_asked.next = self.registers.stored[0].val();
        self.sequencer.recycle_pending.next = self.registers.recycle_pending[0].val();
        self.ports.s_item.tready.next = self.sequencer.ready.val();
        self.slots.reset.next = self.ports.reset.val();
        self.slots.accept.next = self.sequencer.accept.val();
        self.slots.operation.next = self.ports.s_item.tuser.val();
        self.slots.force_recycle.next = self.sequencer.force_recycle.val();
        self.slots.fetch.next = self.sequencer.fetch.val();
        self.slots.fetch_address.next = self.reader.word_address.val();
        self.slots.set.next = self.sequencer.set.val();
        self.slots.covered.next = self.epochs.covered.val();
        self.slots.trip.next = self.decision.trip.val();

        comment!("hash and array");
        self.key.d.next = self.ports.s_item.tdata.val();
        self.hash.key.next = self.key.q.val();
        for s in 0..self.shape.keyed {
            self.hash.secret[s].next = self.registers.secret[s].val();
        }
        self.bank.load.next = self.slots.load.val();
        for e in 0..self.shape.ecc {
            self.bank.load_early[e].next = self.slots.load_early[e].val();
            self.bank.reading_3[e].next = self.slots.reading_3[e].val();
        }
        for i in 0..self.shape.hashes {
            self.bank.position[i].next = self.hash.index[i].val();
        }
        self.bank.ring_hold.next = self.slots.ring_hold.val();
        self.bank.store_hold.next = self.slots.store_hold.val();
        self.reader.address.next = self.registers.value[self.places.array_address].val();
        self.reader.trip.next = self.decision.trip.val();
        self.registers.load[0].next = self.slots.fetched.val();
        self.registers.load_value[0].next = self.bank.word_4.val();
        self.bank.direct.next = self.slots.direct.val();
        self.bank.direct_address.next = self.slots.direct_address.val();
        self.bank.refreshing.next = self.slots.refreshing.val();
        self.bank.adding.next = self.slots.found.val();
        self.bank.added.next = self.registers.value[self.places.array_data].val();
        self.bank.writing.next = self.slots.writing.val();
        self.bank.emptied.next = self.slots.emptied.val();
        self.bank.recycled.next = self.slots.recycled.val();
        self.bank.active_epoch.next = self.epochs.active_epoch_6.val();
        for h in 0..self.shape.frozen_halves() {
            self.bank.phase[h].next = self.epochs.phase_6[h].val();
            self.bank.frozen_epoch[h].next = self.epochs.frozen_epoch_6[h].val();
            self.bank.of_frozen[h].next = self.reader.of_frozen[h].val() && !self.slots.found.val();
            self.decision.frozen_bit[h].next = self.bank.in_frozen[h].val();
        }

        comment!("decision, epochs, occupancy");
        self.decision.reset.next = self.ports.reset.val();
        self.decision.first.next = self.slots.first.val();
        self.decision.active_bit.next = self.bank.in_active.val();
        self.decision.repeated.next = self.bank.repeated.val();
        self.decision.inserting.next = self.slots.before_inserting.val();
        self.decision.forced.next = self.slots.forced.val();
        self.decision.room.next = self.limit.room.val();
        if !self.shape.on_messages {
            self.held.next = self.occupancy.bits_active.val();
        }
        if self.shape.on_messages {
            self.held.next = self.occupancy.messages.val();
        }
        self.limit.take.next = self.sequencer.take_limit.val();
        self.limit.threshold.next = self.registers.value[self.places.threshold].val();
        self.limit.count.next = self.held.val();
        self.epochs.trip.next = self.decision.trip.val();
        self.epochs.recycled.next = self.slots.recycled.val();
        self.epochs.all_full.next = self.bank.full.val();
        self.occupancy.reset.next = self.ports.reset.val();
        self.occupancy.trip.next = self.decision.trip.val();
        self.occupancy.inserting.next = self.slots.inserting.val();
        self.occupancy.count.next = self.decision.count.val();
        self.occupancy.found.next = self.slots.found.val();
        self.occupancy.word.next = self.bank.word_4.val();
        self.occupancy.bits.next = self.registers.value[self.places.array_data].val();
        for c in 0..self.shape.collides() {
            self.occupancy.distinct[c].next = self.decision.distinct[c].val();
        }

        comment!("verdict");
        if self.shape.phases == 1 {
            self.frozen.next = false;
        }
        for h in 0..self.shape.frozen_halves() {
            self.frozen.next = self.decision.in_frozen[h].val();
        }
        self.verdict_in
            .set_bit(0, self.decision.in_active.val() || self.frozen.val());
        self.verdict_in.set_bit(1, self.decision.in_active.val());
        self.verdict_in.set_bit(2, self.frozen.val());
        self.verdict_in.set_bit(3, self.decision.trip.val());
        self.verdict.d.next = self.verdict_in.val();
        self.push.d.next = self.slots.answering.val() && !self.ports.reset.val();
        if self.shape.counted {
            self.item.d.next = self.slots.item.val() && !self.ports.reset.val();
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
            self.verdicts.push.next = self.push.q.val();
            self.verdicts.flags.next = self.verdict.q.val();
            self.verdicts.ready.next = self.ports.m_verdict.tready.val();
            self.ports.m_verdict.tvalid.next = self.verdicts.valid.val();
            self.ports.m_verdict.tdata.next = self.verdicts.data.val();
            self.ports.m_verdict.tid.next = self.verdicts.data_tag.val();
        } else {
            self.tag_line.d.next = self.ports.s_item.tid.val();
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
            for p in 0..self.shape.parity {
                self.wrong[p].d.next = self.bank.wrong_5[p].val()
                    && self.slots.reading_5[p].val()
                    && !self.ports.reset.val();
                self.registers.event[RecyclingCounter::ParityErrors as usize].next =
                    self.wrong[p].q.val();
            }
            for e in 0..self.shape.ecc {
                self.corrected[e].d.next = self.bank.corrected_5[e].val()
                    && self.slots.reading_5[e].val()
                    && !self.ports.reset.val();
                self.uncorrectable[e].d.next = self.bank.uncorrectable_5[e].val()
                    && self.slots.reading_5[e].val()
                    && !self.ports.reset.val();
                self.registers.event[self.places.ecc_corrected].next = self.corrected[e].q.val();
                self.registers.event[self.places.ecc_uncorrectable].next =
                    self.uncorrectable[e].q.val();
            }
        }

        comment!("registers");
        self.status.next = self.no_status.val()
            | bits_of(self.sequencer.running.val(), TURNING_STATUS_BITS)
            | (bits_of(self.epochs.phase.val(), TURNING_STATUS_BITS) << field::STATUS_ACTIVE_HALF)
            | (bits_to(self.epochs.active_epoch.val(), TURNING_STATUS_BITS) << field::STATUS_EPOCH)
            | (bits_to(self.epochs.spare.val(), TURNING_STATUS_BITS) << field::STATUS_SPARE_EPOCHS)
            | (bits_of(self.epochs.covered.val(), TURNING_STATUS_BITS) << field::STATUS_COVERED)
            | (bits_to(self.reader.turns.val(), TURNING_STATUS_BITS) << field::STATUS_TURNS);
        for s in 0..self.shape.keyed {
            self.status.next = self.status.val()
                | (bits_of(self.registers.public_secret[s].val(), TURNING_STATUS_BITS)
                    << field::STATUS_PUBLIC_SECRET);
        }
        self.registers.reset.next = self.ports.reset.val();
        self.registers.live[self.places.status].next = self.status.val();
        self.registers.live[self.places.bits_active].next = self.occupancy.bits_active.val();
        self.registers.live[self.places.bits_frozen].next = self.occupancy.bits_frozen.val();
        self.registers.live[self.places.messages].next = self.occupancy.messages.val();
        self.registers.fetched[0].next = self.slots.fetched.val();
        self.registers.finished.next = self.sequencer.finished.val();
        if self.shape.reached {
            self.ports.s_axil.link(&mut self.registers.axil);
        } else {
            self.no_host.axil.join(&mut self.registers.axil);
        }
    }
}
