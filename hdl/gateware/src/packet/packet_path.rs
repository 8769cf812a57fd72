//! The packet path without the card.

use super::descriptor::Descriptor;
use super::{
    Beat, Egress, FrameMemory, FrameStore, Front, Intake, KeyLayout, PathRegisters, Queue,
    VerdictStage, NEXT_BLOCK_BITS,
};
use crate::prelude::*;
use bloomline_spec::registers::{PathCounter, RegisterBlock, ADDRESS_BITS};
use bloomline_spec::{Common, KeySource, Operation, Packet, Ports, KEY_QUEUE_ITEMS};

/// Frames in and out, items to the card, verdicts from it, and the path's registers. `docs/packet.md` is the contract.
///
/// Ports: frames as at the top, but with one bit of `tkeep` at 8 bits, too; items and verdicts as of the card, without tags; registers over AXI4-Lite.
#[derive(LogicBlock)]
pub struct PacketPath {
    about: About,
    pub clock: Signal<In, Clock>,
    pub reset: Wire<In>,
    pub s_frame_tvalid: Wire<In>,
    pub s_frame_tready: Wire<Out>,
    pub s_frame_tdata: WideBus<In>,
    pub s_frame_tkeep: Bus<In>,
    pub s_frame_tlast: Wire<In>,
    pub s_frame_tuser: Wire<In>,
    pub m_frame_tvalid: Wire<Out>,
    pub m_frame_tready: Wire<In>,
    pub m_frame_tdata: WideBus<Out>,
    pub m_frame_tkeep: Bus<Out>,
    pub m_frame_tlast: Wire<Out>,
    pub m_frame_tuser: Bus<Out>,
    pub item_tvalid: Wire<Out>,
    pub item_tready: Wire<In>,
    pub item_tdata: WideBus<Out>,
    pub item_tuser: Bus<Out>,
    pub verdict_tvalid: Wire<In>,
    pub verdict_tready: Wire<Out>,
    pub verdict_seen: Wire<In>,
    pub awvalid: Wire<In>,
    pub awready: Wire<Out>,
    pub awaddr: Bus<In>,
    pub wvalid: Wire<In>,
    pub wready: Wire<Out>,
    pub wdata: Bus<In>,
    pub wstrb: Bus<In>,
    pub bvalid: Wire<Out>,
    pub bready: Wire<In>,
    pub bresp: Bus<Out>,
    pub arvalid: Wire<In>,
    pub arready: Wire<Out>,
    pub araddr: Bus<In>,
    pub rvalid: Wire<Out>,
    pub rready: Wire<In>,
    pub rdata: Bus<Out>,
    pub rresp: Bus<Out>,
    pub next_block: Bus<In>,
    intake: Intake,
    front: Front,
    store: FrameStore,
    buffer: FrameMemory,
    keys: Queue,
    frames: VerdictStage,
    egress: Egress,
    registers: PathRegisters,
    learn: Flag,
    standing: Wire<Local>,
    descriptor: WideBus<Local>,
    most_place: Const,
    class_place: Const,
    keyed_place: Const,
    is_ip_place: Const,
    six_place: Const,
    ip_place_place: Const,
    adjust_place: Const,
    bytes_place: Const,
    query: Const,
    test_and_insert: Const,
    overflows: usize,
    dropped: usize,
    marked: usize,
    descriptor_bits: usize,
    key: usize,
    classes: usize,
}

impl PacketPath {
    /// The path of `packet` in front of a filter, with the registers of `block`; its NEXT_BLOCK is an input.
    pub fn new(common: &Common, packet: &Packet, block: &RegisterBlock) -> Self {
        let beat = Beat::of(packet);
        let depth = packet.buffer_beats() as usize;
        let layout = KeyLayout::of(common.key_format().packet_source());
        let key_bits = common.key_bits() as usize;
        let operation_bits = common.operation_bits() as usize;
        let descriptor = Descriptor::new(beat, depth);
        let address = ADDRESS_BITS as usize + 1;
        let operation = |operation: Operation| {
            let amount = u128::from(operation_bits > bloomline_spec::OPERATION_BITS as usize);
            let code = u128::from(operation.code());
            Const::new(
                code | amount << bloomline_spec::OPERATION_BITS,
                operation_bits,
            )
        };
        Self {
            about: About::new(
                "packet_path",
                "Frames in, verdict, frames out: parsed for their keys while they are stored, sent on by the policies of their classes.\nTiming: packet.md.",
            ),
            clock: Default::default(),
            reset: Wire::default().doc("no frame, counters 0, registers as the specification says"),
            s_frame_tvalid: Wire::default().doc("frames in"),
            s_frame_tready: Default::default(),
            s_frame_tdata: WideBus::<In>::new(beat.bits()),
            s_frame_tkeep: Bus::new(beat.bytes()),
            s_frame_tlast: Default::default(),
            s_frame_tuser: Default::default(),
            m_frame_tvalid: Wire::default().doc("frames out"),
            m_frame_tready: Default::default(),
            m_frame_tdata: WideBus::<Out>::new(beat.bits()),
            m_frame_tkeep: Bus::new(beat.bytes()),
            m_frame_tlast: Default::default(),
            m_frame_tuser: Bus::new(16).doc("bytes of the frame"),
            item_tvalid: Wire::default().doc("items to the filter"),
            item_tready: Default::default(),
            item_tdata: WideBus::<Out>::new(key_bits).doc("key"),
            item_tuser: Bus::new(operation_bits).doc("operation"),
            verdict_tvalid: Wire::default().doc("verdicts from it"),
            verdict_tready: Default::default(),
            verdict_seen: Wire::default().doc("bit 0 of the verdict"),
            awvalid: Wire::default().doc("registers, AXI4-Lite"),
            awready: Default::default(),
            awaddr: Bus::new(address),
            wvalid: Default::default(),
            wready: Default::default(),
            wdata: Bus::new(32),
            wstrb: Bus::new(4),
            bvalid: Default::default(),
            bready: Default::default(),
            bresp: Bus::new(2),
            arvalid: Default::default(),
            arready: Default::default(),
            araddr: Bus::new(address),
            rvalid: Default::default(),
            rready: Default::default(),
            rdata: Bus::new(32),
            rresp: Bus::new(2),
            next_block: Bus::new(NEXT_BLOCK_BITS).doc("register NEXT_BLOCK"),
            intake: Intake::new(beat, packet.ports() == Ports::Rgmii),
            front: Front::new(beat, &layout, common.key_format().packet_source() == KeySource::FrameDigest, packet.mask_hops()),
            store: FrameStore::new(depth),
            buffer: FrameMemory::new(depth, beat.bits()),
            keys: Queue::new(
                "key_queue",
                "Keys of frames that are whole, on their way to the filter.",
                KEY_QUEUE_ITEMS as usize,
                layout.bits,
            ),
            frames: VerdictStage::new(beat, depth, packet.frame_queue_frames() as usize),
            egress: Egress::new(beat, depth),
            registers: PathRegisters::new(block),
            learn: Flag::default().doc("LEARN, held while an item is offered"),
            standing: Default::default(),
            descriptor: WideBus::<Local>::new(descriptor.bits),
            most_place: descriptor.most.place(),
            class_place: descriptor.class.place(),
            keyed_place: descriptor.keyed.place(),
            is_ip_place: descriptor.is_ip.place(),
            six_place: descriptor.six.place(),
            ip_place_place: descriptor.ip_place.place(),
            adjust_place: descriptor.adjust.place(),
            bytes_place: descriptor.bytes.place(),
            query: operation(Operation::Query),
            test_and_insert: operation(Operation::TestAndInsert),
            overflows: PathCounter::Overflows.index(),
            dropped: PathCounter::Dropped.index(),
            marked: PathCounter::Marked.index(),
            descriptor_bits: descriptor.bits,
            key: key_bits,
            classes: bloomline_spec::FrameClass::COUNT,
        }
    }
}

impl Logic for PacketPath {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("in: parsed, then stored");
        self.intake.reset.next = self.reset.val();
        self.intake.s_tvalid.next = self.s_frame_tvalid.val();
        self.s_frame_tready.next = self.intake.s_tready.val();
        self.intake.s_tdata.next = self.s_frame_tdata.val();
        self.intake.s_tkeep.next = self.s_frame_tkeep.val();
        self.intake.s_tlast.next = self.s_frame_tlast.val();
        self.intake.s_tuser.next = self.s_frame_tuser.val();
        self.front.reset.next = self.reset.val();
        self.front.valid.next = self.intake.valid.val();
        self.front.last.next = self.intake.last.val();
        self.front.bad.next = self.intake.bad.val();
        self.front.most.next = self.intake.most.val();
        self.front.data.next = self.intake.data.val();
        self.front.max_frame.next = self.registers.max_frame.val();
        self.store.reset.next = self.reset.val();
        self.store.valid.next = self.front.valid_out.val();
        self.store.last.next = self.front.last_out.val();
        self.store.keyed.next = self.front.keyed.val();
        self.store.frames_full.next = self.frames.full.val();
        self.store.keys_full.next = self.keys.full.val();
        self.store.read.next = self.egress.read.val();
        self.buffer.write_enable.next = self.store.write_enable.val();
        self.buffer.write_address.next = self.store.write_address.val();
        self.buffer.write_data.next = self.front.data_out.val();

        comment!("keys to the filter");
        self.keys.reset.next = self.reset.val();
        self.keys.push.next = self.store.keep.val() && self.front.keyed.val();
        self.keys.data_in.next = self.front.key.val();
        self.keys.take.next = self.item_tready.val();
        self.standing.next = self.keys.valid.val() && !self.item_tready.val();
        self.learn.d.next = self.learn.q.val();
        if !self.standing.val() {
            self.learn.d.next = self.registers.learn.val();
        }
        self.item_tvalid.next = self.keys.valid.val();
        self.item_tdata.next = bits_wide(self.keys.data.val(), self.key);
        self.item_tuser.next = self.query.val();
        if self.learn.q.val() {
            self.item_tuser.next = self.test_and_insert.val();
        }

        comment!("frames to their verdicts, and out");
        self.descriptor.next = bits_wide(self.store.end.val(), self.descriptor_bits)
            | (bits_wide(self.front.most_out.val(), self.descriptor_bits) << self.most_place.val())
            | (bits_wide(self.front.class.val(), self.descriptor_bits) << self.class_place.val())
            | (bits_wide(bits_of(self.front.keyed.val(), 1), self.descriptor_bits)
                << self.keyed_place.val())
            | (bits_wide(bits_of(self.front.is_ip.val(), 1), self.descriptor_bits)
                << self.is_ip_place.val())
            | (bits_wide(bits_of(self.front.six.val(), 1), self.descriptor_bits)
                << self.six_place.val())
            | (bits_wide(self.front.ip_place.val(), self.descriptor_bits)
                << self.ip_place_place.val())
            | (bits_wide(self.front.adjust.val(), self.descriptor_bits) << self.adjust_place.val())
            | (bits_wide(self.front.bytes.val(), self.descriptor_bits) << self.bytes_place.val());
        self.frames.reset.next = self.reset.val();
        self.frames.push.next = self.store.keep.val();
        self.frames.frame_in.next = self.descriptor.val();
        self.frames.verdict_valid.next = self.verdict_tvalid.val();
        self.verdict_tready.next = self.frames.verdict_ready.val();
        self.frames.seen.next = self.verdict_seen.val();
        self.frames.take.next = self.egress.take.val();
        self.egress.reset.next = self.reset.val();
        self.egress.frame_valid.next = self.frames.valid.val();
        self.egress.frame.next = self.frames.frame.val();
        self.egress.loads.next = self.frames.loads.val();
        self.egress.class_behind.next = self.frames.class_behind.val();
        self.buffer.read_address.next = self.egress.read_address.val();
        self.egress.read_data.next = self.buffer.read_data.val();
        self.m_frame_tvalid.next = self.egress.m_tvalid.val();
        self.egress.m_tready.next = self.m_frame_tready.val();
        self.m_frame_tdata.next = self.egress.m_tdata.val();
        self.m_frame_tkeep.next = self.egress.m_tkeep.val();
        self.m_frame_tlast.next = self.egress.m_tlast.val();
        self.m_frame_tuser.next = self.egress.m_tuser.val();

        comment!("registers");
        for c in 0..self.classes {
            self.egress.policy[c].next = self.registers.policy[c].val();
            self.registers.event[c].next = self.egress.frame_taken[c].val();
        }
        self.registers.event[self.overflows].next = self.store.overflow.val();
        self.registers.event[self.dropped].next = self.egress.dropped.val();
        self.registers.event[self.marked].next = self.egress.marked.val();
        self.registers.reset.next = self.reset.val();
        self.registers.next_block.next = self.next_block.val();
        self.registers.awvalid.next = self.awvalid.val();
        self.awready.next = self.registers.awready.val();
        self.registers.awaddr.next = self.awaddr.val();
        self.registers.wvalid.next = self.wvalid.val();
        self.wready.next = self.registers.wready.val();
        self.registers.wdata.next = self.wdata.val();
        self.registers.wstrb.next = self.wstrb.val();
        self.bvalid.next = self.registers.bvalid.val();
        self.registers.bready.next = self.bready.val();
        self.bresp.next = self.registers.bresp.val();
        self.registers.arvalid.next = self.arvalid.val();
        self.arready.next = self.registers.arready.val();
        self.registers.araddr.next = self.araddr.val();
        self.rvalid.next = self.registers.rvalid.val();
        self.registers.rready.next = self.rready.val();
        self.rdata.next = self.registers.rdata.val();
        self.rresp.next = self.registers.rresp.val();
    }
}
