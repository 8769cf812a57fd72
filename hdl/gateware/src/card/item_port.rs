//! Merges the host's items into the item stream.

use crate::card::ItemRegisters;
use crate::prelude::*;
use bloomline_spec::registers::{field, RegisterBlock, ADDRESS_BITS};
use bloomline_spec::{Common, VERDICT_BITS};

block! {
    /// The item port: a host writes an item into registers, which comes between two items of the stream, and reads its verdict.
    ///
    /// ```text
    /// s_item ------->+-------+-----> f_item        f_verdict ------>+-------+------> m_verdict
    ///                | merge |                                      | split |
    ///                +-------+                                      +-------+
    ///                    ^      registers <-----> axil                  |
    ///                    +------ operation, key    result <-------------+
    /// ```
    ///
    /// The filter's tags have one bit more than the stream's: it says that an item is the host's. A host's item costs the stream one clock.
    /// Timing: `docs/card.md`, "Item port".
    /// `reset` is synchronous and active high.
    pub struct ItemPort {
        about: About = About::new(
            "item_port",
            "Items from the host, between those of the stream: written into registers, offered with the highest word of the key.\n\
             The highest bit of the filter's tags says that an item is the host's. Timing: card.md.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no item of the host"),
        pub s_item: ItemStream<Slave> = ItemStream::new(key_bits, operation_bits, stream_tag_bits).doc("tvalid", "item stream"),
        pub m_verdict: VerdictStream<Master> = VerdictStream::new(verdict_bits, stream_tag_bits).doc("tvalid", "verdict stream"),
        pub f_item: ItemStream<Master> = ItemStream::new(key_bits, operation_bits, tag_bits).doc("tvalid", "items to the filter"),
        pub f_verdict: VerdictStream<Slave> = VerdictStream::new(verdict_bits, tag_bits).doc("tvalid", "verdicts of the filter"),
        pub axil: Axil<Slave> = Axil::new(address).doc("awvalid", "registers, AXI4-Lite").named(""),
        registers: ItemRegisters = ItemRegisters::new(block, key_bits),
        pending: Flag = Flag::default().doc("the host's item is not accepted"),
        grant: Flag = Flag::default().doc("it is offered to the filter"),
        busy: Flag = Flag::default().doc("it is not done"),
        sequence: Reg = Reg::new(sequence_bits).doc("items of the host done"),
        verdict: Reg = Reg::new(verdict_bits).doc("of the last one"),
        verdict_low: Slice = Slice::new(verdict_bits, 0, result_bits),
        estimate: Vec<Slice> = (0..estimates).map(|_| Slice::new(verdict_bits, result_bits, verdict_bits - result_bits)).collect(),
        taken: Wire<Local>,
        silent: Wire<Local>,
        host: Wire<Local>,
        answered: Wire<Local>,
        host_tag: Const = Const::new(1 << stream_tag_bits, tag_bits),
        host_bit: usize = stream_tag_bits,
        sequence_from: usize = field::ITEM_SEQUENCE as usize,
        busy_from: usize = field::ITEM_BUSY as usize,
        no_verdict: Const = Const::new(0, verdict_bits),
        no_sequence: Const = Const::new(0, sequence_bits),
        tag_bits: usize = tag_bits,
        stream_tag_bits: usize = stream_tag_bits,
        estimates: usize = estimates,
    }

    /// The item port of a filter, with the registers of `block`.
    pub fn new(common: &Common, block: &RegisterBlock) {
        let key_bits = common.key_bits() as usize;
        let operation_bits = common.operation_bits() as usize;
        let verdict_bits = common.verdict_bits() as usize;
        let tag_bits = common.tag_bits() as usize;
        let stream_tag_bits = common.stream_tag_bits() as usize;
        let result_bits = VERDICT_BITS as usize;
        let estimates = usize::from(verdict_bits > result_bits);
        let sequence_bits = field::ITEM_SEQUENCE_BITS as usize;
        let address = ADDRESS_BITS as usize;
    }
}

impl Logic for ItemPort {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("items: the host's comes when no offer of the stream stands");
        self.taken.next = self.grant.q.val() && self.f_item.tready.val();
        self.grant.d.next =
            self.pending.q.val() && (!self.s_item.tvalid.val() || self.f_item.tready.val());
        if self.grant.q.val() {
            self.grant.d.next = !self.f_item.tready.val();
        }
        self.f_item.tvalid.next = self.grant.q.val() || self.s_item.tvalid.val();
        self.s_item.tready.next = self.f_item.tready.val() && !self.grant.q.val();
        self.f_item.tdata.next = self.s_item.tdata.val();
        self.f_item.tuser.next = self.s_item.tuser.val();
        self.f_item.tid.next = bits_to(self.s_item.tid.val(), self.tag_bits);
        if self.grant.q.val() {
            self.f_item.tdata.next = self.registers.key.val();
            self.f_item.tuser.next = self.registers.operation.val();
            self.f_item.tid.next = self.host_tag.val();
        }

        comment!("verdicts: the host's do not reach the stream; an insert has none");
        self.host.next = self.f_verdict.tid.val().get_bit(self.host_bit);
        self.m_verdict.tvalid.next = self.f_verdict.tvalid.val() && !self.host.val();
        self.m_verdict.tdata.next = self.f_verdict.tdata.val();
        self.m_verdict.tid.next = bits_to(self.f_verdict.tid.val(), self.stream_tag_bits);
        self.f_verdict.tready.next = self.host.val() || self.m_verdict.tready.val();
        self.answered.next = self.f_verdict.tvalid.val() && self.host.val();
        self.silent.next = self.taken.val() && (bits_to(self.registers.operation.val(), 2) == 1);
        self.pending.d.next = self.pending.q.val() && !self.taken.val();
        self.busy.d.next = self.busy.q.val();
        self.sequence.d.next = self.sequence.q.val();
        self.verdict.d.next = self.verdict.q.val();
        if self.registers.offered.val() {
            self.pending.d.next = true;
            self.busy.d.next = true;
        }
        if self.silent.val() {
            self.verdict.d.next = self.no_verdict.val();
        }
        if self.answered.val() {
            self.verdict.d.next = self.f_verdict.tdata.val();
        }
        if self.silent.val() || self.answered.val() {
            self.busy.d.next = false;
            self.sequence.d.next = self.sequence.q.val() + 1;
        }
        if self.reset.val() {
            self.pending.d.next = false;
            self.grant.d.next = false;
            self.busy.d.next = false;
            self.sequence.d.next = self.no_sequence.val();
            self.verdict.d.next = self.no_verdict.val();
        }

        comment!("registers");
        self.registers.reset.next = self.reset.val();
        self.registers.busy.next = self.busy.q.val();
        self.verdict_low.input.next = self.verdict.q.val();
        self.registers.live[0].next = (bits_of(self.busy.q.val(), 32) << self.busy_from)
            | (bits_to(self.sequence.q.val(), 32) << self.sequence_from)
            | bits_to(self.verdict_low.output.val(), 32);
        for e in 0..self.estimates {
            self.estimate[e].input.next = self.verdict.q.val();
            self.registers.live[e + 1].next = self.estimate[e].output.val();
        }
        self.axil.link(&mut self.registers.axil);
    }
}
