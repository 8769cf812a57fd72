//! Top module of the static filter of single bits.

use super::{SingleBitBank, SingleBitSlots, WordAccess};
use crate::bus::{NoHost, RegisterFile, RegisterNames, RegisterPlan};
use crate::cells::CellSequencer;
use crate::hash::HashUnit;
use crate::pipeline::{tag_line, VerdictQueue, LEAST_QUEUE};
use crate::prelude::*;
use bloomline_spec::registers::{field, CellCounter, ADDRESS_BITS};
use bloomline_spec::{CellGeometry, Design};

block! {
    /// A static filter of single bits: items in, verdicts out, registers beside.
    ///
    /// ```text
    ///               +-----------+   +------+   +----------------+   +---------------+
    /// s_item  ----->| sequencer |-->| hash |-->| k banks        |-->| verdict queue |-----> m_verdict
    ///               | slots     |   | unit |   | of single bits |   +---------------+
    ///               +-----------+   +------+   +----------------+
    ///                     ^               register file, counters, array access  <--------> s_axil
    /// ```
    ///
    /// Initiation interval 1; latency `front_clocks + decision_stage + 3` clocks without back-pressure. `docs/single-bits.md` is the contract of every port on every clock.
    /// Source: OCC.
    /// `reset` is synchronous and active high.
    pub struct SingleBitFilter {
        about: About = About::new(
            geometry.name(),
            format!(
                "Static Bloom filter: {} single bits in {k} bank(s). Source: OCC.\nOne item a clock. Timing: single-bits.md.",
                geometry.memory_bits(),
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub ports: FilterPorts = FilterPorts {
            reset: Wire::default().doc("synchronous, active high; empties the filter"),
            s_item: ItemStream::port(
                geometry.key_bits() as usize,
                geometry.operation_bits() as usize,
                tag_bits,
                "0 query, 1 insert, 2 test-and-insert",
            ),
            m_verdict: VerdictStream::port(verdict_bits, tag_bits, "{seen}").queued(shape.queued),
            s_axil: Axil::port(ADDRESS_BITS as usize).reached(shape.reached),
        },
        sequencer: CellSequencer = CellSequencer::new(&shape),
        slots: SingleBitSlots = SingleBitSlots::new(&shape),
        key: WideReg = WideReg::new(geometry.key_bits() as usize),
        hash: HashUnit = HashUnit::new(geometry),
        bank: Vec<SingleBitBank> = (0..k).map(|_| SingleBitBank::new(&shape)).collect(),
        access: Optional<WordAccess> = Optional::new(accesses, WordAccess::new(&shape)),
        verdicts: Optional<VerdictQueue> = Optional::new(shape.queued, VerdictQueue::new(shape.queue_depth.max(LEAST_QUEUE), tag_bits, verdict_bits, "seen")),
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
        present: Bus<Local> = Bus::new(k),
        push: Flag,
        no_host: Optional<NoHost> = Optional::new(!shape.reached, NoHost::default()),
        verdict: Flag,
        item: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        inserted: Optional<Flag> = Optional::new(shape.counted, Flag::default()),
        status: Bus<Local> = Bus::new(status_bits),
        no_status: Const = Const::new(0, status_bits),
        address_bits: usize = shape.word_address_bits,
        bank_bits: usize = bank_bits.max(1),
        address_register: usize = address_register,
        data_register: usize = data_register,
        status_register: usize = status_register,
        /// Places of the counters, by their numbers; that of a counter which the kind lacks is none.
        place: Vec<usize> = (0..=CellCounter::EccUncorrectable as usize)
            .map(|number| {
                counters
                    .iter()
                    .position(|counter| *counter as usize == number)
            })
            .map(|place| place.unwrap_or(counters.len()))
            .collect(),
        status_bits: usize = status_bits,
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
        let bank_bits = clog2(k.next_power_of_two());
        let counters = geometry.counters();
        let mut names = RegisterNames::new("static filter", &plan);
        let mut status_fields = vec!["running", "epoch", "spare_epochs", "covered"];
        status_fields.extend(geometry.hash().secret.map(|_| "public_secret"));
        let status_bits = match geometry.hash().secret {
            Some(_) => KEYED_STATUS_BITS,
            None => STATUS_BITS,
        };
        let [address_register, data_register] = match accesses {
            true => ["ARRAY_ADDRESS", "ARRAY_DATA"].map(|name| names.value(name)),
            false => [0; 2],
        };
        let status_register = names.packed("STATUS", &status_fields);
        names.finish();
    }
}

filter_block!(SingleBitFilter);

impl Logic for SingleBitFilter {
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
        self.slots.operation.next = self.ports.s_item.tuser.val();

        comment!("hash");
        self.key.d.next = self.ports.s_item.tdata.val();
        self.hash.key.next = self.key.q.val();
        for s in 0..self.shape.keyed {
            self.hash.secret[s].next = self.registers.secret[s].val();
        }

        if self.shape.array_access {
            comment!("a word for the host, bit by bit");
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
            self.access.bits.next = self.registers.value[self.data_register].val();
            self.access.in_bank.next = self.in_bank.val();
            self.registers.hold_reads[0].next = self.sequencer.access_pending.val();
            self.registers.load[0].next = self.access.load.val();
            self.registers.load_value[0].next = self.access.word.val();
        }

        comment!("banks");
        for i in 0..self.shape.hashes {
            self.bank[i].index.next = self.hash.index[i].val();
            self.bank[i].inserting_2.next = self.slots.inserting_2.val();
            self.bank[i].inserting_4.next = self.slots.inserting_4.val();
            self.bank[i].erasing.next = self.sequencer.erasing.val();
            self.bank[i].row.next = self.sequencer.row.val();
            if self.shape.array_access {
                self.bank[i].direct.next = self.access.direct.val();
                self.bank[i].direct_position.next = self.access.position.val();
                self.bank[i].writing_2.next = self.access.writing_2.val().get_bit(i);
                self.bank[i].value_3.next = self.access.value_3.val();
            }
            self.present.set_bit(i, self.bank[i].present.val());
        }
        if self.shape.array_access {
            self.access.present.next = self.present.val();
        }

        comment!("verdict");
        self.verdict.d.next = self.present.val().all();
        self.push.d.next = self.slots.answering.val() && !self.ports.reset.val();
        if self.shape.counted {
            self.item.d.next = self.slots.item.val() && !self.ports.reset.val();
            self.inserted.d.next = self.slots.inserting.val() && !self.ports.reset.val();
        }
        if self.shape.queued {
            self.verdicts.reset.next = self.ports.reset.val();
            self.verdicts.claim.next =
                self.sequencer.accept.val() && (self.ports.s_item.tuser.val() != 1);
            self.verdicts.tag.next = self.ports.s_item.tid.val();
            self.verdicts.push.next = self.push.q.val();
            self.verdicts.flags.next = bits_of(self.verdict.q.val(), 1);
            self.verdicts.ready.next = self.ports.m_verdict.tready.val();
            self.ports.m_verdict.tvalid.next = self.verdicts.valid.val();
            self.ports.m_verdict.tdata.next = self.verdicts.data.val();
            self.ports.m_verdict.tid.next = self.verdicts.data_tag.val();
        } else {
            self.tag_line.d.next = self.ports.s_item.tid.val();
            self.ports.m_verdict.tvalid.next = self.push.q.val();
            self.ports.m_verdict.tdata.next = bits_of(self.verdict.q.val(), 1);
            self.ports.m_verdict.tid.next = self.tag_line.q.val();
        }

        if self.shape.counted {
            comment!("counters, in the order of their registers");
            self.registers.event[self.place[CellCounter::Items as usize]].next = self.item.q.val();
            self.registers.event[self.place[CellCounter::Reported as usize]].next =
                self.item.q.val() && self.verdict.q.val();
            self.registers.event[self.place[CellCounter::Inserted as usize]].next =
                self.inserted.q.val();
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
