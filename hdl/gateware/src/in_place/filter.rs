//! Top module of a filter of single cells.

use super::{store_stage, CounterBank, InPlaceSlots, SingleBitBank, WordAccess, AHEAD};
use crate::bus::{NoHost, RegisterFile, RegisterNames, RegisterPlan};
use crate::cells::{counter_places, CellSequencer, LeastTree};
use crate::hash::HashUnit;
use crate::pipeline::{cell_text, tag_line, VerdictQueue, LEAST_QUEUE};
use crate::prelude::*;
use bloomline_spec::registers::{field, CellCounter, ADDRESS_BITS};
use bloomline_spec::{CellGeometry, Design};

/// Stages in which a counter for the host, or one to erase, is a slot: 1 to 6.
const DIRECT_STAGES: usize = 6;

block! {
    /// A static filter of single bits, or a counting filter or a Count-Min sketch of single counters: items in, verdicts out, registers beside.
    ///
    /// ```text
    ///               +-----------+   +------+   +-----------------+   +-------+   +---------------+
    /// s_item  ----->| sequencer |-->| hash |-->| k banks of bits |-->| all,  |-->| verdict queue |-----> m_verdict
    ///               | slots     |   | unit |   | or of counters  |   | least |   +---------------+
    ///               +-----------+   +------+   +-----------------+   +-------+
    ///                     ^               register file, counters, array access  <------------------> s_axil
    /// ```
    ///
    /// Initiation interval 1; latency `front_clocks + decision_stage + 3` clocks without back-pressure. `docs/single-bits.md` is the contract of every port on every clock.
    /// Sources: OCC (bits), CBF (counters), KM section 9 (Count-Min).
    /// `reset` is synchronous and active high.
    pub struct InPlaceFilter {
        about: About = About::new(geometry.name(), cell_text::about_in_place(geometry)),
        pub clock: Signal<In, Clock>,
        pub ports: FilterPorts = FilterPorts {
            reset: Wire::default().doc("synchronous, active high; empties the filter"),
            s_item: ItemStream::port(
                geometry.key_bits() as usize,
                geometry.operation_bits() as usize,
                tag_bits,
                cell_text::operations(geometry),
            ),
            m_verdict: VerdictStream::port(verdict_bits, tag_bits, &format!("{{{contents}}}"))
                .queued(shape.queued),
            s_axil: Axil::port(ADDRESS_BITS as usize).reached(shape.reached),
        },
        sequencer: CellSequencer = CellSequencer::new(&shape),
        slots: InPlaceSlots = InPlaceSlots::new(&shape),
        key: WideReg = WideReg::new(geometry.key_bits() as usize),
        hash: HashUnit = HashUnit::new(geometry),
        bank: Vec<SingleBitBank> = (0..k * (1 - shape.counts)).map(|_| SingleBitBank::new(&shape)).collect(),
        counter_bank: Vec<CounterBank> = (0..k * shape.counts).map(|_| CounterBank::new(&shape)).collect(),
        access: Optional<WordAccess> = Optional::new(accesses, WordAccess::new(&shape)),
        verdicts: Optional<VerdictQueue> = Optional::new(shape.queued, VerdictQueue::new(shape.queue_depth.max(LEAST_QUEUE), tag_bits, verdict_bits, contents)),
        tag_line: Optional<Delay> = tag_line(shape.queued, tag_bits, verdict_clocks),
        registers: RegisterFile = RegisterFile::new(&plan),
        array_address: Optional<Bus<Local>> = Optional::new(
            accesses,
            Bus::new(geometry.array_address_bits() as usize),
        ),
        array_bank: Optional<Bus<Local>> = Optional::new(several, Bus::new(bank_bits.max(1))),
        bank_number: Vec<Const> = (0..k)
            .filter(|_| several)
            .map(|i| Const::new(i as u128, bank_bits))
            .collect(),
        in_bank: Optional<Bus<Local>> = Optional::new(accesses, Bus::new(k)),
        storing: Optional<Flag> = Optional::new(
            accesses,
            Flag::default().doc("the access stores; if not, it fetches"),
        ),
        array_cell: Optional<Bus<Local>> = Optional::new(accesses, Bus::new(shape.cell_bits)),
        direct: Optional<Wire<Local>> = Optional::new(counts, Wire::default()),
        direct_position: Optional<Bus<Local>> = Optional::new(counts, Bus::new(shape.index_bits)),
        direct_line: Optional<Reg> = Optional::new(
            counts,
            Reg::new(DIRECT_STAGES).doc("bit i: a counter for the host, or one to erase, stands in stage 1 + i"),
        ),
        erase_line: Optional<FlagDelay> = Optional::new(counts, FlagDelay::new(store_stage(&shape))),
        ahead: Optional<Bus<Local>> = Optional::new(counts, Bus::new(AHEAD)),
        amount_line: Optional<Delay> = Optional::new(amounts, Delay::new(shape.amount_bits.max(1), shape.front + 3)),
        least_cell: Optional<LeastTree> = Optional::new(counts, LeastTree::new(k, shape.cell_bits)),
        seen_line: Optional<FlagDelay> = Optional::new(counts, FlagDelay::new(shape.ranks)),
        underflow_line: Optional<FlagDelay> = Optional::new(removes, FlagDelay::new(shape.ranks)),
        underflow: Optional<Bus<Local>> = Optional::new(removes, Bus::new(k)),
        threshold: Optional<Bus<Local>> = Optional::new(counts, Bus::new(shape.cell_bits)),
        verdict_in: Bus<Local> = Bus::new(verdict_bits),
        present: Bus<Local> = Bus::new(k),
        push: Flag,
        no_host: Optional<NoHost> = Optional::new(!shape.reached, NoHost::default()),
        verdict: Reg = Reg::new(verdict_bits),
        item: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        inserted: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        removed: Optional<Flag> = Optional::new(shape.counted && removes, Flag::default()),
        status: Bus<Local> = Bus::new(status_bits),
        no_status: Const = Const::new(0, status_bits),
        no_cell: Const = Const::new(0, shape.cell_bits),
        no_direct: Const = Const::new(0, DIRECT_STAGES),
        address_bits: usize = shape.word_address_bits,
        bank_bits: usize = bank_bits.max(1),
        address_register: usize = address_register,
        data_register: usize = data_register,
        status_register: usize = status_register,
        /// Places of the counters, by their numbers.
        place: Vec<usize> = counter_places(counters),
        status_bits: usize = status_bits,
        threshold_register: usize = threshold_register,
        counts: bool = counts,
        removes: bool = removes,
        amounts: bool = amounts,
        shape: CellShape = shape,
    }

    /// The filter of a geometry.
    pub fn new(geometry: &CellGeometry) {
        let shape = CellShape::of(geometry);
        let verdict_clocks = Design::from(geometry).timing().latency_clocks() as usize;
        let plan = RegisterPlan::of_cells(geometry);
        let CellShape {
            hashes: k,
            tag_bits,
            verdict_bits,
            array_access: accesses,
            ..
        } = shape;
        let several = accesses && k > 1;
        let counts = shape.counts > 0;
        let removes = shape.removes > 0;
        let amounts = shape.amounts() > 0;
        let contents = if counts { "estimate, saturated, underflow, seen, reached" } else { "seen" };
        let bank_bits = clog2(k.next_power_of_two());
        let counters = geometry.counters();
        let mut names = RegisterNames::new("filter of single cells", &plan);
        let mut status_fields = vec!["running", "epoch", "spare_epochs", "covered"];
        status_fields.extend(geometry.hash().secret.map(|_| "public_secret"));
        let status_bits = match geometry.hash().secret {
            Some(_) => KEYED_STATUS_BITS,
            None => STATUS_BITS,
        };
        let threshold_register = match counts {
            true => names.value("THRESHOLD"),
            false => 0,
        };
        let [address_register, data_register] = match accesses {
            true => ["ARRAY_ADDRESS", "ARRAY_DATA"].map(|name| names.value(name)),
            false => [0; 2],
        };
        let status_register = names.packed("STATUS", &status_fields);
        names.finish();
    }
}

filter_block!(InPlaceFilter);

impl Logic for InPlaceFilter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("admission");
        self.sequencer.reset.next = self.ports.reset.val();
        self.sequencer.valid.next = self.ports.s_item.tvalid.val();
        self.sequencer.clear_pending.next = self.registers.clear_pending.val();
        if self.shape.array_access {
            self.sequencer.write_pending.next = self.registers.write_pending.val();
            self.sequencer.access_done.next = self.access.done.val();
        }
        self.sequencer.blocked.next = false;
        if self.shape.queued {
            self.sequencer.credit.next = self.verdicts.credit.val();
        } else {
            self.sequencer.credit.next = true;
        }
        self.ports.s_item.tready.next = self.sequencer.ready.val();
        self.slots.reset.next = self.ports.reset.val();
        self.slots.accept.next = self.sequencer.accept.val();
        self.slots.operation.next = bits_to(self.ports.s_item.tuser.val(), 2);

        comment!("hash");
        self.key.d.next = self.ports.s_item.tdata.val();
        self.hash.key.next = self.key.q.val();
        for s in 0..self.shape.keyed {
            self.hash.secret[s].next = self.registers.secret[s].val();
        }

        if self.shape.array_access {
            comment!("a word for the host, cell by cell");
            self.array_address.next = self.registers.value[self.address_register].val();
            if self.shape.hashes == 1 {
                self.in_bank.next = bits_of(true, self.shape.hashes);
            } else {
                self.array_bank.next = bits_to(
                    self.array_address.val() >> self.address_bits,
                    self.bank_bits,
                );
                for i in 0..self.shape.hashes {
                    self.in_bank
                        .set_bit(i, self.array_bank.val() == self.bank_number[i].val());
                }
            }
            self.storing.d.next = self.storing.q.val();
            if self.registers.stored[0].val() {
                self.storing.d.next = true;
            } else if self.sequencer.finished.val() || self.ports.reset.val() {
                self.storing.d.next = false;
            }
            self.access.reset.next = self.ports.reset.val();
            self.access.issue.next = self.sequencer.access.val();
            self.access.storing.next = self.storing.q.val();
            self.access.word_address.next = bits_to(self.array_address.val(), self.address_bits);
            self.access.data.next = self.registers.value[self.data_register].val();
            self.access.in_bank.next = self.in_bank.val();
            self.registers.hold_reads[0].next = self.sequencer.access_pending.val();
            self.registers.load[0].next = self.access.load.val();
            self.registers.load_value[0].next = self.access.word.val();
        }

        if self.counts {
            comment!("a counter for the host, or one to erase, in stage 0");
            self.direct.next = self.sequencer.erasing.val();
            self.direct_position.next = self.sequencer.row.val();
            if self.shape.array_access {
                self.direct.next = self.sequencer.erasing.val() || self.access.direct.val();
                if self.access.direct.val() {
                    self.direct_position.next = self.access.position.val();
                }
            }
            self.direct_line.d.next =
                (self.direct_line.q.val() << 1) | bits_of(self.direct.val(), DIRECT_STAGES);
            if self.ports.reset.val() {
                self.direct_line.d.next = self.no_direct.val();
            }
            self.erase_line.d.next = self.sequencer.erasing.val();
            self.ahead.next =
                self.slots.ahead.val() | bits_to(self.direct_line.q.val() >> 2usize, AHEAD);
        }

        comment!("banks");
        if self.amounts {
            self.amount_line.d.next =
                bits_to(self.ports.s_item.tuser.val() >> 2, self.shape.amount_bits);
        }
        for i in 0..self.counter_bank.len() {
            self.counter_bank[i].index.next = self.hash.index[i].val();
            self.counter_bank[i].direct.next = self.direct.val();
            self.counter_bank[i].direct_position.next = self.direct_position.val();
            self.counter_bank[i].ahead.next = self.ahead.val();
            self.counter_bank[i].inserting.next = self.slots.inserting_3.val();
            if self.removes {
                self.counter_bank[i].removing.next = self.slots.removing_3.val();
                self.underflow
                    .set_bit(i, self.counter_bank[i].underflow.val());
            }
            if self.amounts {
                self.counter_bank[i].amount.next =
                    bits_to(self.amount_line.q.val(), self.shape.cell_bits);
            }
            self.counter_bank[i].storing.next = self.erase_line.q.val();
            self.counter_bank[i].store_value.next = self.no_cell.val();
            if self.shape.array_access {
                self.counter_bank[i].storing.next =
                    self.erase_line.q.val() || self.access.writing.val().get_bit(i);
                self.counter_bank[i].store_value.next = self.access.value.val();
            }
            self.least_cell.cell[i].next = self.counter_bank[i].count.val();
            self.least_cell.cell_full[i].next = self.counter_bank[i].full.val();
            self.present.set_bit(i, self.counter_bank[i].above.val());
        }
        for i in 0..self.bank.len() {
            self.bank[i].index.next = self.hash.index[i].val();
            self.bank[i].inserting_2.next = self.slots.inserting_2.val();
            self.bank[i].inserting_4.next = self.slots.inserting_4.val();
            self.bank[i].erasing.next = self.sequencer.erasing.val();
            self.bank[i].row.next = self.sequencer.row.val();
            if self.shape.array_access {
                self.bank[i].direct.next = self.access.direct.val();
                self.bank[i].direct_position.next = self.access.position.val();
                self.bank[i].writing_2.next = self.access.writing.val().get_bit(i);
                self.bank[i].value_3.next = self.access.value.val().any();
            }
            self.present.set_bit(i, self.bank[i].present.val());
        }
        if self.shape.array_access {
            if self.counts {
                self.array_cell.next = self.no_cell.val();
                for i in 0..self.counter_bank.len() {
                    if self.in_bank.val().get_bit(i) {
                        self.array_cell.next =
                            self.array_cell.val() | self.counter_bank[i].count.val();
                    }
                }
            } else {
                self.array_cell.next = bits_of(
                    (self.present.val() & self.in_bank.val()).any(),
                    self.shape.cell_bits,
                );
            }
            self.access.found.next = self.array_cell.val();
        }

        comment!("verdict");
        if self.counts {
            self.seen_line.d.next = self.present.val().all();
            self.threshold.next = self.registers.value[self.threshold_register].val();
            self.verdict_in.next =
                bits_to(self.least_cell.least.val(), self.shape.verdict_bits) << 4usize;
            self.verdict_in
                .set_bit(0, self.least_cell.least.val() >= self.threshold.val());
            self.verdict_in.set_bit(1, self.seen_line.q.val());
            if self.removes {
                self.underflow_line.d.next = self.underflow.val().any();
                self.verdict_in.set_bit(2, self.underflow_line.q.val());
            }
            self.verdict_in.set_bit(3, self.least_cell.full.val());
        } else {
            self.verdict_in.next = bits_of(self.present.val().all(), self.shape.verdict_bits);
        }
        self.verdict.d.next = self.verdict_in.val();
        self.push.d.next = self.slots.answering.val() && !self.ports.reset.val();
        if self.shape.counted {
            self.item.d.next = self.slots.item.val() && !self.ports.reset.val();
            self.inserted.d.next = self.slots.inserting.val() && !self.ports.reset.val();
            if self.removes {
                self.removed.d.next = self.slots.removing.val() && !self.ports.reset.val();
            }
        }
        if self.shape.queued {
            self.verdicts.reset.next = self.ports.reset.val();
            self.verdicts.claim.next =
                self.sequencer.accept.val() && (bits_to(self.ports.s_item.tuser.val(), 2) != 1);
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
            self.registers.event[self.place[CellCounter::Items as usize]].next = self.item.q.val();
            self.registers.event[self.place[CellCounter::Reported as usize]].next =
                self.item.q.val() && self.verdict.q.val().get_bit(0usize);
            self.registers.event[self.place[CellCounter::Inserted as usize]].next =
                self.inserted.q.val();
            if self.removes {
                self.registers.event[self.place[CellCounter::Removed as usize]].next =
                    self.removed.q.val();
                self.registers.event[self.place[CellCounter::Underflows as usize]].next =
                    self.removed.q.val() && self.verdict.q.val().get_bit(2usize);
                self.registers.event[self.place[CellCounter::Saturated as usize]].next =
                    (self.inserted.q.val() || self.removed.q.val())
                        && self.verdict.q.val().get_bit(3usize);
            } else if self.counts {
                self.registers.event[self.place[CellCounter::Saturated as usize]].next =
                    self.inserted.q.val() && self.verdict.q.val().get_bit(3usize);
            }
            self.registers.event[self.place[CellCounter::StallControl as usize]].next =
                self.sequencer.stall_control.val();
            self.registers.event[self.place[CellCounter::StallVerdict as usize]].next =
                self.sequencer.stall_verdict.val();
        }

        comment!("registers");
        self.status.next = self.no_status.val()
            | bits_of(self.sequencer.running.val(), self.status_bits)
            | (bits_of(self.sequencer.running.val(), self.status_bits) << field::STATUS_COVERED);
        for s in 0..self.shape.keyed {
            self.status.next = self.status.val()
                | (bits_of(self.registers.public_secret[s].val(), self.status_bits)
                    << field::STATUS_PUBLIC_SECRET);
        }
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
