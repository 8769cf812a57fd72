//! Top module of the sliding-window filter.

use crate::bus::{NoHost, RegisterFile, RegisterNames, RegisterPlan};
use crate::hash::HashUnit;
use crate::pipeline::{tag_line, VerdictQueue, LEAST_QUEUE};
use crate::prelude::*;
use crate::sliding::{
    BucketTable, CellStore, FirstFit, SlidingSequencer, SlidingShape, SlidingSlots,
};
use bloomline_spec::registers::{field, SlidingCounter, ADDRESS_BITS};
use bloomline_spec::{Design, SlidingGeometry};

/// Bits of the register STATUS: up to the end of the generation.
const SLIDING_STATUS_BITS: usize = field::STATUS_GENERATION as usize + 8;

block! {
    /// A sliding-window filter: items in, verdicts out, registers beside.
    ///
    /// ```text
    ///           +-----------+   +------+   +-------------+   +-----------+   +---------------+
    /// s_item -->| sequencer |-->| hash |-->| front table |-->| first fit |-->| verdict queue |---> m_verdict
    ///           | scan      |   | unit |   | back table  |<--|           |   +---------------+
    ///           +-----------+   +------+   | store       |   +-----------+
    ///                 ^                    +-------------+
    ///                 +-------- register file, counters <------------------------------------> s_axil
    /// ```
    ///
    /// Initiation interval 1, but for a clock of the scan after `scan_interval` elements without an idle one; latency `front_clocks + decision_stage + 3` clocks without
    /// back-pressure. `docs/sliding.md` is the contract of every port on every clock. Source: SBF sections 2.3 and 2.4.
    /// `reset` is synchronous and active high.
    pub struct SlidingFilter {
        about: About = About::new(
            geometry.name(),
            format!(
                "Sliding-window filter: the last {} elements are always seen. ({} + {}) buckets of {} cells of {} bits, {} cells behind them.\n\
                 One item a clock. Source: SBF sections 2.3 and 2.4; timing: sliding.md.",
                geometry.window(),
                geometry.front_buckets(),
                geometry.back_buckets(),
                geometry.bucket_cells(),
                geometry.cell_bits(),
                geometry.store_cells(),
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub ports: FilterPorts = FilterPorts {
            reset: Wire::default().doc("synchronous, active high; forgets every element"),
            s_item: ItemStream::port(geometry.key_bits() as usize, geometry.operation_bits() as usize, tag_bits, "operation: 0 query, 1 insert, 2 test-and-insert"),
            m_verdict: VerdictStream::port(verdict_bits, tag_bits, &format!("{{{contents}}}")).queued(shape.queued),
            s_axil: Axil::port(ADDRESS_BITS as usize).reached(shape.reached),
        },
        sequencer: SlidingSequencer = SlidingSequencer::new(&shape),
        slots: SlidingSlots = SlidingSlots::new(&shape),
        key: WideReg = WideReg::new(geometry.key_bits() as usize),
        hash: HashUnit = HashUnit::new(geometry),
        front: BucketTable = BucketTable::new(&shape, shape.front_bits, true),
        back: BucketTable = BucketTable::new(&shape, shape.back_bits, false),
        store: CellStore = CellStore::new(&shape),
        fit: FirstFit = FirstFit::new(&shape),
        verdicts: Optional<VerdictQueue> = Optional::new(shape.queued, VerdictQueue::new(shape.queue_depth.max(LEAST_QUEUE), tag_bits, verdict_bits, contents)),
        tag_line: Optional<Delay> = tag_line(shape.queued, tag_bits, verdict_clocks),
        registers: RegisterFile = RegisterFile::new(&plan),
        push: Flag,
        no_host: Optional<NoHost> = Optional::new(!shape.reached, NoHost::default()),
        verdict: Reg = Reg::new(verdict_bits),
        verdict_in: Bus<Local> = Bus::new(verdict_bits),
        item: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        inserted: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        inserted_back: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        inserted_store: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        wrong: Vec<Flag> = (shape.checks().iter())
            .filter(|_| shape.counted)
            .map(|check| {
                Flag::default().doc(format!("a slot met a cell {}", check.of_a_cell()))
            })
            .collect(),
        status: Bus<Local> = Bus::new(SLIDING_STATUS_BITS),
        no_status: Const = Const::new(0, SLIDING_STATUS_BITS),
        back_from: usize = shape.bucket_cells,
        store_from: usize = 2 * shape.bucket_cells,
        shown: usize = 1,
        first_error: usize = SlidingCounter::ParityErrors.place(),
        status_register: usize = status_register,
        shape: SlidingShape = shape,
    }

    /// The filter of a geometry.
    pub fn new(geometry: &SlidingGeometry) {
        let shape = SlidingShape::of(geometry);
        let verdict_clocks = Design::from(geometry).timing().latency_clocks() as usize;
        let plan = RegisterPlan::of_window(geometry);
        let contents = "lost, seen";
        let SlidingShape {
            tag_bits,
            verdict_bits,
            ..
        } = shape;
        let mut names = RegisterNames::new("sliding-window filter", &plan);
        let status_register = names.packed("STATUS", &["running", "generation"]);
        names.finish();
    }
}

filter_block!(SlidingFilter);

impl Logic for SlidingFilter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("admission");
        self.sequencer.reset.next = self.ports.reset.val();
        self.sequencer.valid.next = self.ports.s_item.tvalid.val();
        self.sequencer.operation.next = self.ports.s_item.tuser.val();
        self.sequencer.clear_pending.next = self.registers.clear_pending.val();
        if self.shape.queued {
            self.sequencer.credit.next = self.verdicts.credit.val();
        } else {
            self.sequencer.credit.next = true;
        }
        self.ports.s_item.tready.next = self.sequencer.ready.val();
        self.slots.reset.next = self.ports.reset.val();
        self.slots.restart.next = self.sequencer.restart.val();
        self.slots.accept.next = self.sequencer.accept.val();
        self.slots.operation.next = self.ports.s_item.tuser.val();
        self.slots.scan.next = self.sequencer.scan.val();
        self.slots.wipe.next = self.sequencer.wipe.val();

        comment!("hash and cells");
        self.key.d.next = self.ports.s_item.tdata.val();
        self.hash.key.next = self.key.q.val();
        self.front.index.next = self.hash.index[0].val();
        self.front.scanning.next = self.slots.scanning.val();
        self.front.scan_address.next = self.slots.scan_address.val();
        self.front.generation.next = self.slots.generation.val();
        self.front.write_generation.next = self.slots.write_generation.val();
        self.front.sets.next = self.slots.sets.val();
        self.front.setting.next = self.slots.element_6.val();
        self.front.taking.next = bits_to(self.fit.taking.val(), self.shape.bucket_cells);
        self.back.index.next = self.hash.index[1].val();
        self.back.scanning.next = self.slots.scanning.val();
        self.back.scan_address.next = self.slots.scan_address.val();
        self.back.generation.next = self.slots.generation.val();
        self.back.write_generation.next = self.slots.write_generation.val();
        self.back.sets.next = self.slots.sets.val();
        self.back.setting.next = self.slots.element_6.val();
        self.back.taking.next = bits_to(
            self.fit.taking.val() >> self.back_from,
            self.shape.bucket_cells,
        );
        for s in 0..self.shown {
            self.store.position.next = self.front.position_3[s].val();
            self.store.write_position.next = self.front.position_7[s].val();
            self.store.same_value.next = self.front.same_value[s].val();
            self.store.near_value.next = self.front.near_value[s].val();
        }
        for e in 0..self.shape.ecc {
            self.front.reading[e].next = self.slots.reading_3[e].val();
            self.back.reading[e].next = self.slots.reading_3[e].val();
        }
        self.store.generation.next = self.slots.generation.val();
        self.store.write_generation.next = self.slots.write_generation.val();
        self.store.sets.next = self.slots.sets.val();
        self.store.setting.next = self.slots.element_6.val();
        self.store.taking.next = bits_to(
            self.fit.taking.val() >> self.store_from,
            self.shape.store_cells,
        );

        comment!("decision: front bucket, back bucket, store");
        self.fit.matching.next = (bits_to(self.store.matching.val(), self.shape.cells())
            << self.store_from)
            | (bits_to(self.back.matching.val(), self.shape.cells()) << self.back_from)
            | bits_to(self.front.matching.val(), self.shape.cells());
        self.fit.empty.next = (bits_to(self.store.empty.val(), self.shape.cells())
            << self.store_from)
            | (bits_to(self.back.empty.val(), self.shape.cells()) << self.back_from)
            | bits_to(self.front.empty.val(), self.shape.cells());
        self.fit.element.next = self.slots.element_6.val();
        self.fit.scan.next = self.slots.scan_6.val();
        self.fit.wipe.next = self.slots.wipe_6.val();

        comment!("verdict");
        self.verdict_in.next = (bits_of(self.fit.lost.val(), self.shape.verdict_bits) << 1)
            | bits_of(self.fit.seen.val(), self.shape.verdict_bits);
        self.verdict.d.next = self.verdict_in.val();
        self.push.d.next = self.slots.answer_6.val() && !self.ports.reset.val();
        if self.shape.counted {
            self.item.d.next = self.slots.item_6.val() && !self.ports.reset.val();
            self.inserted.d.next = self.fit.inserted.val() && !self.ports.reset.val();
            self.inserted_back.d.next = self.fit.inserted_back.val() && !self.ports.reset.val();
            self.inserted_store.d.next = self.fit.inserted_store.val() && !self.ports.reset.val();
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
            comment!("counters, in the order of their registers");
            self.registers.event[SlidingCounter::Items as usize].next = self.item.q.val();
            self.registers.event[SlidingCounter::Seen as usize].next =
                self.item.q.val() && self.verdict.q.val().get_bit(0);
            self.registers.event[SlidingCounter::Inserted as usize].next = self.inserted.q.val();
            self.registers.event[SlidingCounter::Back as usize].next = self.inserted_back.q.val();
            self.registers.event[SlidingCounter::Stored as usize].next =
                self.inserted_store.q.val();
            self.registers.event[SlidingCounter::Lost as usize].next =
                self.item.q.val() && self.verdict.q.val().get_bit(1);
            self.registers.event[SlidingCounter::StallScan as usize].next =
                self.sequencer.stall_scan.val();
            self.registers.event[SlidingCounter::StallControl as usize].next =
                self.sequencer.stall_control.val();
            self.registers.event[SlidingCounter::StallVerdict as usize].next =
                self.sequencer.stall_verdict.val();
            for p in 0..self.shape.checks().len() {
                comment!("a wipe looks at nothing");
                self.wrong[p].d.next = (self.front.wrong_6[p].val() || self.back.wrong_6[p].val())
                    && (self.slots.item_6.val() || self.slots.scan_6.val())
                    && !self.ports.reset.val();
                self.registers.event[self.first_error + p].next = self.wrong[p].q.val();
            }
        }

        comment!("registers");
        self.status.next = self.no_status.val()
            | bits_of(self.sequencer.running.val(), SLIDING_STATUS_BITS)
            | (bits_to(self.slots.generation.val(), SLIDING_STATUS_BITS)
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
