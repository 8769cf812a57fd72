//! Top module of the recycling filter in the partitioned layout.

use crate::bank::FilterBank;
use crate::bus::{NoHost, RegisterFile, RegisterPlan};
use crate::hash::HashUnit;
use crate::pipeline::{
    recycling_parts::{self, RecyclingPlaces},
    tag_line, HalfSecrets, SelfCheck, Sequencer, Slots, VerdictQueue,
};
use crate::prelude::*;
use crate::recycle::{ArrayReader, EpochGuard, Occupancy, RecycleDecision, RecycleLimit};
use bloomline_spec::registers::{field, RecyclingCounter};
use bloomline_spec::{Design, RecyclingGeometry, VERDICT_BITS};

block! {
    /// A recycling Bloom filter: items in, verdicts out, registers beside.
    ///
    /// ```text
    ///               +-----------+   +------+   +---------+   +----------+   +---------------+
    /// s_item  ----->| sequencer |-->| hash |-->| k banks |-->| decision |-->| verdict queue |-----> m_verdict
    ///               | slots     |   | unit |   |         |<--| epochs   |   +---------------+
    ///               +-----------+   +------+   +---------+   +----------+
    ///                     ^               register file, counters  <------------------------------> s_axil
    /// ```
    ///
    /// Initiation interval 1; latency `front_clocks + decision_stage + 3` clocks without back-pressure. `docs/pipeline.md` is the contract of every port on every clock.
    /// Source: RBF sections III (one phase) and V (two phases).
    /// `reset` is synchronous and active high.
    pub struct RecyclingFilter {
        about: About = About::new(
            geometry.name(),
            format!(
                "Recycling Bloom filter: {} bits, {k} hash(es), {}.\n\
                 One item a clock. Source: RBF sections III and V; timing: pipeline.md.",
                geometry.memory_bits(),
                recycling_parts::rule(&shape),
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub ports: FilterPorts = recycling_parts::ports(&shape),
        sequencer: Sequencer = Sequencer::new(&shape),
        slots: Slots = Slots::new(&shape),
        key: WideReg = WideReg::new(shape.key_bits),
        hash: HashUnit = recycling_parts::hash_unit(geometry),
        bank: Vec<FilterBank> = (0..k).map(|_| FilterBank::new(&shape)).collect(),
        decision: RecycleDecision = RecycleDecision::new(&shape),
        limit: RecycleLimit = RecycleLimit::new(&shape),
        epochs: EpochGuard = EpochGuard::new(shape.phases),
        occupancy: Occupancy = Occupancy::new(&shape),
        verdicts: Optional<VerdictQueue> = Optional::new(shape.queued, verdicts),
        tag: Optional<Reg> = Optional::new(!shape.queued, Reg::new(shape.tag_bits)),
        tag_line: Optional<Delay> = tag_line(shape.queued, shape.tag_bits, verdict_clocks - 1),
        self_check: Vec<SelfCheck> = (0..shape.self_check)
            .map(|_| SelfCheck::default())
            .collect(),
        registers: RegisterFile = RegisterFile::new(&plan),
        reader: ArrayReader = ArrayReader::new(&shape),
        half_secrets: Vec<HalfSecrets> = (0..per_half).map(|_| HalfSecrets::default()).collect(),
        clear_none: Bus<Local> = Bus::new(k),
        clear_early: Vec<Bus<Local>> = (0..shape.near).map(|_| Bus::new(k)).collect(),
        in_active: Bus<Local> = Bus::new(k),
        in_frozen: Vec<Bus<Local>> = (0..frozen).map(|_| Bus::new(k)).collect(),
        full: Bus<Local> = Bus::new(k),
        fetching: Bus<Local> = Bus::new(k),
        fetching_active: Reg = Reg::new(k).doc("stage 7: a fetch of that bank's word"),
        fetching_frozen: Vec<Reg> = (0..frozen).map(|_| Reg::new(k)).collect(),
        array_word: Bus<Local> = Bus::new(WORD_BITS),
        frozen: Wire<Local>,
        held: Bus<Local> = Bus::new(shape.count_bits),
        push: Flag,
        no_host: Optional<NoHost> = Optional::new(!shape.reached, NoHost::default()),
        verdict: Reg = Reg::new(verdict_bits),
        verdict_in: Bus<Local> = Bus::new(verdict_bits),
        item: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        inserted: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        wrong_words: Vec<Bus<Local>> = (0..shape.parity)
            .filter(|_| shape.counted)
            .map(|_| Bus::new(k))
            .collect(),
        wrong: Vec<Flag> = (0..shape.parity)
            .filter(|_| shape.counted)
            .map(|_| Flag::default().doc("a slot met a word of wrong parity"))
            .collect(),
        corrected_words: Vec<Bus<Local>> = (0..shape.ecc).map(|_| Bus::new(k)).collect(),
        uncorrectable_words: Vec<Bus<Local>> = (0..shape.ecc).map(|_| Bus::new(k)).collect(),
        corrected: Vec<Flag> = (0..shape.ecc)
            .map(|_| Flag::default().doc("a slot met a word that was corrected"))
            .collect(),
        uncorrectable: Vec<Flag> = (0..shape.ecc)
            .map(|_| Flag::default().doc("a slot met a word that could not be corrected"))
            .collect(),
        status: Bus<Local> = Bus::new(TURNING_STATUS_BITS),
        retain: Const = Const::new(shape.retain.into(), 1),
        no_status: Const = Const::new(0, TURNING_STATUS_BITS),
        no_bank: Const = Const::new(0, k),
        no_word: Const = Const::new(0, WORD_BITS),
        shape: Shape = shape,
        places: RecyclingPlaces = places,
    }

    /// The filter of a geometry.
    pub fn new(geometry: &RecyclingGeometry) {
        let shape = Shape::of(geometry);
        let verdict_clocks = Design::from(geometry).timing().latency_clocks() as usize;
        let k = shape.hashes;
        let frozen = shape.frozen_halves();
        let verdict_bits = VERDICT_BITS as usize;
        let per_half = shape.secret_per_half;
        let mut verdicts = recycling_parts::verdict_queue(&shape);
        if geometry.self_check() {
            verdicts = verdicts.with_self_check();
        }
        let plan = RegisterPlan::of(geometry);
        let places = RecyclingPlaces::of("recycling filter", geometry, &plan);
    }
}

filter_block!(RecyclingFilter);

impl Logic for RecyclingFilter {
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
        self.slots.force_recycle.next = self.sequencer.force_recycle.val();
        self.slots.fetch.next = self.sequencer.fetch.val();
        self.slots.fetch_address.next = self.reader.word_address.val();
        self.slots.set.next = self.sequencer.set.val();
        self.slots.covered.next = self.epochs.covered.val();
        self.slots.trip.next = self.decision.trip.val();

        comment!("hash");
        self.key.d.next = self.ports.s_item.tdata.val();
        self.hash.key.next = self.key.q.val();
        for s in 0..self.shape.keyed - self.shape.secret_per_half {
            self.hash.secret[s].next = self.registers.secret[s].val();
        }
        for h in 0..self.shape.secret_per_half {
            if self.half_secrets[h].again.val() {
                self.key.d.next = self.key.q.val();
            }
            self.hash.secret[h].next = self.half_secrets[h].hashing.val();
        }
        comment!("a word for the host: which bank it is in, in stage 7, and the word, in stage 8");
        self.reader.address.next = self.registers.value[self.places.array_address].val();
        self.reader.trip.next = self.decision.trip.val();
        self.fetching.next = self.no_bank.val();
        if self.slots.fetching_6.val() {
            self.fetching.next = self.reader.in_bank[0].val();
        }
        self.fetching_active.d.next = self.fetching.val();
        for h in 0..self.shape.frozen_halves() {
            self.fetching_frozen[h].d.next = self.no_bank.val();
            if self.reader.of_frozen[h].val() && !self.slots.finding_6.val() {
                self.fetching_frozen[h].d.next = self.fetching.val();
                self.fetching_active.d.next = self.no_bank.val();
            }
        }
        self.array_word.next = self.no_word.val();
        for i in 0..self.shape.hashes {
            self.array_word.next = self.array_word.val() | self.bank[i].word_8.val();
        }
        self.registers.load[0].next = self.slots.fetched.val();
        self.registers.load_value[0].next = self.array_word.val();
        comment!("banks");
        for i in 0..self.shape.hashes {
            self.bank[i].fetching_active.next = self.fetching_active.q.val().get_bit(i);
            self.bank[i].index.next = self.hash.index[i].val();
            self.bank[i].direct.next = self.slots.direct.val();
            self.bank[i].direct_address.next = self.slots.direct_address.val();
            self.bank[i].trip.next = self.decision.trip.val();
            self.bank[i].near_inserting.next = self.slots.near_inserting.val();
            self.bank[i].far_inserting.next = self.slots.far_inserting.val();
            self.bank[i].active_epoch_6.next = self.epochs.active_epoch_6.val();
            self.bank[i].setting.next = self.slots.setting.val();
            self.bank[i].adding.next =
                self.slots.adding.val() && self.reader.in_bank[0].val().get_bit(i);
            self.bank[i].added.next = self.registers.value[self.places.array_data].val();
            self.bank[i].tripped.next = self.slots.tripped.val();
            self.bank[i].storing.next = self.slots.storing.val();
            self.bank[i].current.next = self.slots.current.val();
            self.bank[i].write_enable.next = self.slots.write_enable.val();
            self.bank[i].recycled.next = self.slots.recycled.val();
            self.bank[i].write_epoch.next = self.epochs.write_epoch.val();
            for h in 0..self.shape.frozen_halves() {
                self.bank[i].fetching_frozen[h].next = self.fetching_frozen[h].q.val().get_bit(i);
                self.bank[i].phase_6[h].next = self.epochs.phase_6[h].val();
                self.bank[i].frozen_epoch_6[h].next = self.epochs.frozen_epoch_6[h].val();
                self.bank[i].write_phase[h].next = self.epochs.write_phase[h].val();
                self.in_frozen[h].set_bit(i, self.bank[i].in_frozen[h].val());
            }
            for n in 0..self.shape.near {
                self.clear_early[n].set_bit(i, self.bank[i].clear_early[n].val());
            }
            self.clear_none.set_bit(i, self.bank[i].clear_none.val());
            self.in_active.set_bit(i, self.bank[i].in_active.val());
            self.full.set_bit(i, self.bank[i].full.val());
        }

        comment!("decision, epochs, occupancy");
        self.decision.reset.next = self.ports.reset.val();
        self.decision.clear_none.next = self.clear_none.val();
        for n in 0..self.shape.near {
            self.decision.clear_early[n].next = self.clear_early[n].val();
        }
        self.decision.inserting_8.next = self.slots.inserting_8.val();
        self.decision.inserting_9.next = self.slots.inserting_9.val();
        self.decision.forced.next = self.slots.forced.val();
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
        self.epochs.trip.next = self.decision.trip.val();
        self.epochs.recycled.next = self.slots.recycled.val();
        self.epochs.all_full.next = self.full.val().all();
        self.occupancy.reset.next = self.ports.reset.val();
        self.occupancy.trip.next = self.decision.trip.val();
        self.occupancy.inserting.next = self.slots.inserting.val();
        self.occupancy.count.next = self.decision.count.val();
        comment!("bits of the host: a bank that is not there takes none");
        self.occupancy.found.next = self.slots.found.val() && self.reader.in_bank[0].val().any();
        self.occupancy.word.next = self.array_word.val();
        self.occupancy.bits.next = self.registers.value[self.places.array_data].val();

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

        for c in 0..self.shape.self_check {
            comment!("self-check");
            self.self_check[c].reset.next = self.ports.reset.val();
            self.self_check[c].asked.next = self.registers.restart_asked[c].val();
            self.self_check[c].trouble.next = self.verdicts.trouble[c].val();
            self.self_check[c].moving.next = self.sequencer.ready.val()
                || self.epochs.blocked.val()
                || (self.verdicts.valid.val() && !self.ports.m_verdict.tready.val());
            self.self_check[c].loading.next = self.sequencer.take_limit.val();
            self.sequencer.recover[c].next = self.self_check[c].recover.val();
            self.verdicts.restart[c].next = self.self_check[c].restart.val();
            self.verdicts.answers_odd[c].next = self.slots.answers_odd[c].val();
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
                for i in 0..self.shape.hashes {
                    self.wrong_words[p].set_bit(i, self.bank[i].wrong_8[p].val());
                }
                self.wrong[p].d.next = self.wrong_words[p].val().any()
                    && self.slots.reading_8[p].val()
                    && !self.ports.reset.val();
                self.registers.event[RecyclingCounter::ParityErrors as usize].next =
                    self.wrong[p].q.val();
            }

            for c in 0..self.shape.self_check {
                self.registers.event[self.places.control_errors].next =
                    self.self_check[c].recover.val();
            }
        }

        for e in 0..self.shape.ecc {
            for i in 0..self.shape.hashes {
                self.bank[i].reading_6[e].next = self.slots.reading_6[e].val();
                self.corrected_words[e].set_bit(i, self.bank[i].corrected_8[e].val());
                self.uncorrectable_words[e].set_bit(i, self.bank[i].uncorrectable_8[e].val());
            }
            self.corrected[e].d.next = self.corrected_words[e].val().any()
                && self.slots.reading_8[e].val()
                && !self.ports.reset.val();
            self.uncorrectable[e].d.next = self.uncorrectable_words[e].val().any()
                && self.slots.reading_8[e].val()
                && !self.ports.reset.val();
            self.registers.event[self.places.ecc_corrected].next = self.corrected[e].q.val();
            self.registers.event[self.places.ecc_uncorrectable].next =
                self.uncorrectable[e].q.val();
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
