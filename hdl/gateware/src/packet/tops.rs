//! Top modules of a packet path around a card, with or without the UART bridge.

use crate::card::{AxilCard, BusSplit, UartBridge};
use crate::packet::{PacketPath, NEXT_BLOCK_BITS};
use crate::prelude::*;
use crate::wires::Members;
use bloomline_spec::registers::RegisterBlock;
use bloomline_spec::{Common, Packet, RegisterMap, Uart};

/// `tkeep` of frames out, which is printed in front of the others.
const KEEP: Members = SizedFrameStream::<Master>::part(&["tkeep"]);
const ALL_BUT_KEEP: Members = Members::ALL.but(KEEP);

/// The packet path of a specification that has one, and the registers of its block.
fn packet_of(common: &Common, map: &RegisterMap) -> (Packet, RegisterBlock) {
    let packet = common.packet().expect("the specification has a [packet]");
    let block = map
        .block("packet_path")
        .expect("the map of a packet path has its block");
    (packet, block.clone())
}

/// The UART of a card that has one.
fn uart_of(common: &Common) -> Uart {
    common
        .card()
        .and_then(|card| card.uart)
        .expect("the card has a UART")
}

block! {
    /// A card in a packet path, its registers over AXI4-Lite.
    ///
    /// ```text
    /// s_frame --->+-------------+----> m_frame
    ///             | packet path |
    ///             +-------------+
    ///        items |   ^ verdicts  ^
    ///              v   |           |
    ///             +------+         |
    ///             | card |<-- bus split <----> s_axil
    ///             +------+
    /// ```
    ///
    /// Only for specifications with a packet path. `docs/packet.md` is the contract.
    /// `reset` is synchronous and active high.
    pub struct AxilPath {
        about: About = About::new(
            format!("{}_path_axil", common.name()),
            format!("The filter {} in a packet path: frames in, verdict, frames out. Timing: packet.md.", common.name()),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("synchronous, active high; empties filter and buffers"),
        pub s_frame: FrameStream<Slave> = FrameStream::port(data_bits),
        pub m_frame: SizedFrameStream<Master> = SizedFrameStream::port(data_bits),
        pub s_axil: Axil<Slave> = Axil::port(common.map_address_bits() as usize),
        path: PacketPath = PacketPath::new(common, &packet, &block),
        card: AxilCard = card,
        split: BusSplit = BusSplit::path(),
        no_tag: Const = Const::new(0, common.stream_tag_bits() as usize).doc("verdicts come in the order of the items"),
        no_block: Const = Const::new(0, NEXT_BLOCK_BITS).doc("the path's registers are the last"),
        whole: Const = Const::new(1, 1).doc("a beat is a byte"),
        bytewise: bool = packet.beat_bytes() == 1,
    }

    /// The path of a specification that has one, around its card, without its UART.
    pub fn new(common: &Common, map: &RegisterMap, card: AxilCard) {
        let (packet, block) = packet_of(common, map);
        let data_bits = packet.data_bits() as usize;
    }
}

impl Logic for AxilPath {
    #[hdl_gen]
    fn update(&mut self) {
        self.card.ports.reset.next = self.reset.val();
        self.split.reset.next = self.reset.val();

        comment!("frames");
        self.s_frame.link(&mut self.path.s_frame);
        self.m_frame.link_part(&mut self.path.m_frame, KEEP);
        self.path.reset.next = self.reset.val();
        self.m_frame.link_part(&mut self.path.m_frame, ALL_BUT_KEEP);
        if self.bytewise {
            self.path.s_frame.tkeep.next = self.whole.val();
        }

        comment!("items and verdicts");
        self.path.item.join(&mut self.card.ports.s_item);
        self.card.ports.s_item.tid.next = self.no_tag.val();
        self.card.ports.m_verdict.join(&mut self.path.verdict);
        self.path.verdict.seen.next = self.card.ports.m_verdict.tdata.val().get_bit(0);

        comment!("writes");
        self.path.next_block.next = self.no_block.val();
        comment!("reads");
        self.s_axil.link(&mut self.split.host);
        self.split.filter.join(&mut self.card.ports.s_axil);
        self.split.slave.join(&mut self.card.ports.s_axil);
        self.s_axil
            .link_part(&mut self.card.ports.s_axil, AXIL_SHARED);
        self.split.port.join(&mut self.path.axil);
        self.split.slave.join(&mut self.path.axil);
        self.s_axil.link_part(&mut self.path.axil, AXIL_SHARED);
    }
}

block! {
    /// A packet path whose registers are reached over a UART.
    ///
    /// Only for specifications with a packet path and a UART. `docs/packet.md` is the contract.
    /// `reset` is synchronous and active high.
    pub struct UartPath {
        about: About = About::new(
            format!("{}_path", common.name()),
            format!(
                "The filter {} in a packet path: frames in, verdict, frames out; a UART of {} baud to all registers. Timing: packet.md.",
                common.name(),
                uart.baud
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("synchronous, active high; empties filter and buffers"),
        pub s_frame: FrameStream<Slave> = FrameStream::port(data_bits),
        pub m_frame: SizedFrameStream<Master> = SizedFrameStream::port(data_bits),
        pub uart_rx: Wire<In> = Wire::default().doc("line from the host, of any clock"),
        pub uart_tx: Wire<Out> = Wire::default().doc("line to the host"),
        path: AxilPath = AxilPath::new(common, map, card),
        bridge: UartBridge = UartBridge::new(&uart, common.map_address_bits() as usize),
    }

    /// The path of a specification that has one with a UART, around its card.
    pub fn new(common: &Common, map: &RegisterMap, card: AxilCard) {
        let uart = uart_of(common);
        let data_bits = packet_of(common, map).0.data_bits() as usize;
    }
}

impl Logic for UartPath {
    #[hdl_gen]
    fn update(&mut self) {
        self.s_frame.link(&mut self.path.s_frame);
        self.m_frame.link_part(&mut self.path.m_frame, KEEP);
        self.path.reset.next = self.reset.val();
        self.m_frame.link_part(&mut self.path.m_frame, ALL_BUT_KEEP);

        comment!("the host");
        self.bridge.reset.next = self.reset.val();
        self.bridge.uart_rx.next = self.uart_rx.val();
        self.uart_tx.next = self.bridge.uart_tx.val();
        self.bridge.axil.join(&mut self.path.s_axil);
    }
}
