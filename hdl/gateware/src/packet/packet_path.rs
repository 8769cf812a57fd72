//! Packet path around a card: front end, buffer, verdicts and egress.

use super::descriptor::Descriptor;
use super::{
    Beat, Egress, FrameMemory, FrameStore, Front, Intake, KeyLayout, PathRegisters, Queue,
    VerdictStage, NEXT_BLOCK_BITS,
};
use crate::prelude::*;
use bloomline_spec::registers::{PathCounter, RegisterBlock, ADDRESS_BITS};
use bloomline_spec::{Common, KeySource, Operation, Packet, Ports, KEY_QUEUE_ITEMS};

block! {
    /// Frames in and out, items to the card, verdicts from it, and the path's registers. `docs/packet.md` is the contract.
    ///
    /// Ports: frames as at the top, but with one bit of `tkeep` at 8 bits, too; items and verdicts as of the card, without tags; registers over AXI4-Lite.
    /// `reset` is synchronous and active high.
    pub struct PacketPath {
        about: About = About::new(
            "packet_path",
            "Frames in, verdict, frames out: parsed for their keys while they are stored, sent on by the policies of their classes.\nTiming: packet.md.",
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("no frame, counters 0, registers as the specification says"),
        pub s_frame: FrameStream<Slave> = FrameStream::new(beat.bits()).doc("tvalid", "frames in"),
        pub m_frame: SizedFrameStream<Master> = SizedFrameStream::new(beat.bits()).doc("tvalid", "frames out").doc("tuser", "bytes of the frame"),
        pub item: ItemStream<Master> = ItemStream::new(key_bits, operation_bits, 0).doc("tvalid", "items to the filter").doc("tdata", "key").doc("tuser", "operation"),
        pub verdict: VerdictStream<Slave> = VerdictStream::seen(0).doc("tvalid", "verdicts from it").doc("seen", "bit 0 of the verdict"),
        pub axil: Axil<Slave> = Axil::new(address).doc("awvalid", "registers, AXI4-Lite").named(""),
        pub next_block: Bus<In> = Bus::new(NEXT_BLOCK_BITS).doc("register NEXT_BLOCK"),
        intake: Intake = Intake::new(beat, packet.ports() == Ports::Rgmii),
        front: Front = Front::new(beat, &layout, common.key_format().packet_source() == KeySource::FrameDigest, packet.mask_hops(), packet.tunnels()),
        store: FrameStore = FrameStore::new(depth),
        buffer: FrameMemory = FrameMemory::new(depth, beat.bits()),
        keys: Queue = Queue::new(
            "key_queue",
            "Keys of frames that are whole, on their way to the filter.",
            KEY_QUEUE_ITEMS as usize,
            layout.bits,
        ),
        frames: VerdictStage = VerdictStage::new(beat, depth, packet.frame_queue_frames() as usize),
        egress: Egress = Egress::new(beat, depth),
        registers: PathRegisters = PathRegisters::new(block),
        learn: Flag = Flag::default().doc("LEARN, held while an item is offered"),
        standing: Wire<Local>,
        descriptor: WideBus<Local> = WideBus::<Local>::new(descriptor.bits),
        most_place: Const = descriptor.most.place(),
        class_place: Const = descriptor.class.place(),
        keyed_place: Const = descriptor.keyed.place(),
        is_ip_place: Const = descriptor.is_ip.place(),
        six_place: Const = descriptor.six.place(),
        ip_place_place: Const = descriptor.ip_place.place(),
        adjust_place: Const = descriptor.adjust.place(),
        bytes_place: Const = descriptor.bytes.place(),
        single_place: Const = descriptor.single.place(),
        query: Const = operation(Operation::Query),
        test_and_insert: Const = operation(Operation::TestAndInsert),
        overflows: usize = PathCounter::Overflows.index(),
        dropped: usize = PathCounter::Dropped.index(),
        marked: usize = PathCounter::Marked.index(),
        descriptor_bits: usize = descriptor.bits,
        key: usize = key_bits,
        classes: usize = bloomline_spec::FrameClass::COUNT,
    }

    /// The path of `packet` in front of a filter, with the registers of `block`; its NEXT_BLOCK is an input.
    pub fn new(common: &Common, packet: &Packet, block: &RegisterBlock) {
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
    }
}

impl Logic for PacketPath {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("in: parsed, then stored");
        self.intake.reset.next = self.reset.val();
        self.intake.s_tvalid.next = self.s_frame.tvalid.val();
        self.s_frame.tready.next = self.intake.s_tready.val();
        self.intake.s_tdata.next = self.s_frame.tdata.val();
        self.intake.s_tkeep.next = self.s_frame.tkeep.val();
        self.intake.s_tlast.next = self.s_frame.tlast.val();
        self.intake.s_tuser.next = self.s_frame.tuser.val();
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
        self.keys.push.next = self.store.keep_key.val();
        self.keys.data_in.next = self.front.key.val();
        self.keys.take.next = self.item.tready.val();
        self.standing.next = self.keys.valid.val() && !self.item.tready.val();
        self.learn.d.next = self.learn.q.val();
        if !self.standing.val() {
            self.learn.d.next = self.registers.learn.val();
        }
        self.item.tvalid.next = self.keys.valid.val();
        self.item.tdata.next = bits_wide(self.keys.data.val(), self.key);
        self.item.tuser.next = self.query.val();
        if self.learn.q.val() {
            self.item.tuser.next = self.test_and_insert.val();
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
            | (bits_wide(self.front.bytes.val(), self.descriptor_bits) << self.bytes_place.val())
            | (bits_wide(bits_of(self.store.single.val(), 1), self.descriptor_bits)
                << self.single_place.val());
        self.frames.reset.next = self.reset.val();
        self.frames.push.next = self.store.keep.val();
        self.frames.frame_in.next = self.descriptor.val();
        self.frames.verdict_valid.next = self.verdict.tvalid.val();
        self.verdict.tready.next = self.frames.verdict_ready.val();
        self.frames.seen.next = self.verdict.seen.val();
        self.frames.take.next = self.egress.take.val();
        self.egress.reset.next = self.reset.val();
        self.egress.frame_valid.next = self.frames.valid.val();
        self.egress.frame.next = self.frames.frame.val();
        self.egress.follows.next = self.frames.follows.val();
        self.egress.class_behind.next = self.frames.class_behind.val();
        self.buffer.read_address.next = self.egress.read_address.val();
        self.egress.read_data.next = self.buffer.read_data.val();
        self.m_frame.tvalid.next = self.egress.m_tvalid.val();
        self.egress.m_tready.next = self.m_frame.tready.val();
        self.m_frame.tdata.next = self.egress.m_tdata.val();
        self.m_frame.tkeep.next = self.egress.m_tkeep.val();
        self.m_frame.tlast.next = self.egress.m_tlast.val();
        self.m_frame.tuser.next = self.egress.m_tuser.val();

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
        self.axil.link(&mut self.registers.axil);
    }
}
