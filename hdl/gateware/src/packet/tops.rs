//! The packet path as a whole: a card between frames in and frames out, and the UART in front of its registers.

use crate::card::{
    BusSplit, CellAxilCard, FoldedAxilCard, RecyclingAxilCard, SlidingAxilCard, UartBridge,
};
use crate::packet::{PacketPath, NEXT_BLOCK_BITS};
use crate::prelude::*;
use bloomline_spec::registers::RegisterBlock;
use bloomline_spec::{CellGeometry, Common, Geometry, Packet, RegisterMap, SlidingGeometry, Uart};

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

/// Writes the two paths around a card, with `tkeep` or without: a kernel names the ports of its blocks, so it cannot be generic over them.
///
/// In brackets: the names of `tkeep` in and out where beats have more than a byte, else the constant that takes their place.
macro_rules! paths {
    ($card:ident, $geometry:ident, $map:path, $axil:ident, $uart:ident, [$($s_keep:ident, $m_keep:ident)?], [$($whole:ident)?]) => {
        #[doc = concat!("A [`", stringify!($card), "`] in a packet path, its registers over AXI4-Lite.")]
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
        /// Only for geometries with a packet path. `docs/packet.md` is the contract.
        #[derive(LogicBlock)]
        pub struct $axil {
            about: About,
            pub clock: Signal<In, Clock>,
            pub reset: Wire<In>,
            pub s_frame_tvalid: Wire<In>,
            pub s_frame_tready: Wire<Out>,
            pub s_frame_tdata: WideBus<In>,
            $(pub $s_keep: Bus<In>,)?
            pub s_frame_tlast: Wire<In>,
            pub s_frame_tuser: Wire<In>,
            pub m_frame_tvalid: Wire<Out>,
            pub m_frame_tready: Wire<In>,
            pub m_frame_tdata: WideBus<Out>,
            $(pub $m_keep: Bus<Out>,)?
            pub m_frame_tlast: Wire<Out>,
            pub m_frame_tuser: Bus<Out>,
            pub s_axil_awvalid: Wire<In>,
            pub s_axil_awready: Wire<Out>,
            pub s_axil_awaddr: Bus<In>,
            pub s_axil_wvalid: Wire<In>,
            pub s_axil_wready: Wire<Out>,
            pub s_axil_wdata: Bus<In>,
            pub s_axil_wstrb: Bus<In>,
            pub s_axil_bvalid: Wire<Out>,
            pub s_axil_bready: Wire<In>,
            pub s_axil_bresp: Bus<Out>,
            pub s_axil_arvalid: Wire<In>,
            pub s_axil_arready: Wire<Out>,
            pub s_axil_araddr: Bus<In>,
            pub s_axil_rvalid: Wire<Out>,
            pub s_axil_rready: Wire<In>,
            pub s_axil_rdata: Bus<Out>,
            pub s_axil_rresp: Bus<Out>,
            path: PacketPath,
            card: $card,
            split: BusSplit,
            no_tag: Const,
            no_block: Const,
            $($whole: Const,)?
        }

        impl $axil {
            /// The path of a geometry that has one, without its UART.
            pub fn new(geometry: &$geometry) -> Self {
                let (packet, block) = packet_of(geometry, &$map(geometry));
                let address_bits = geometry.map_address_bits() as usize;
                let data_bits = packet.data_bits() as usize;
                Self {
                    about: About::new(
                        format!("{}_path_axil", geometry.name()),
                        format!("The filter {} in a packet path: frames in, verdict, frames out. Timing: packet.md.", geometry.name()),
                    ),
                    clock: Signal::default(),
                    reset: Wire::default().doc("synchronous, active high; empties filter and buffers"),
                    s_frame_tvalid: Wire::default().doc("frames in, without preamble and FCS"),
                    s_frame_tready: Wire::default().doc("always but behind a reset: what there is no room for is dropped"),
                    s_frame_tdata: WideBus::<In>::new(data_bits).doc("lowest byte first"),
                    $($s_keep: Bus::new(data_bits / 8).doc("valid bytes, the lowest; all but in the last beat"),)?
                    s_frame_tlast: Wire::default(),
                    s_frame_tuser: Wire::default().doc("with the last beat: the frame is bad"),
                    m_frame_tvalid: Wire::default().doc("frames out"),
                    m_frame_tready: Wire::default(),
                    m_frame_tdata: WideBus::<Out>::new(data_bits),
                    $($m_keep: Bus::new(data_bits / 8),)?
                    m_frame_tlast: Wire::default(),
                    m_frame_tuser: Bus::new(16).doc("bytes of the frame"),
                    s_axil_awvalid: Wire::default().doc("registers, AXI4-Lite"),
                    s_axil_awready: Wire::default(),
                    s_axil_awaddr: Bus::new(address_bits).doc("byte address"),
                    s_axil_wvalid: Wire::default(),
                    s_axil_wready: Wire::default(),
                    s_axil_wdata: Bus::new(32),
                    s_axil_wstrb: Bus::new(4),
                    s_axil_bvalid: Wire::default(),
                    s_axil_bready: Wire::default(),
                    s_axil_bresp: Bus::new(2),
                    s_axil_arvalid: Wire::default(),
                    s_axil_arready: Wire::default(),
                    s_axil_araddr: Bus::new(address_bits).doc("byte address"),
                    s_axil_rvalid: Wire::default(),
                    s_axil_rready: Wire::default(),
                    s_axil_rdata: Bus::new(32),
                    s_axil_rresp: Bus::new(2),
                    path: PacketPath::new(geometry, &packet, &block),
                    card: $card::new(geometry),
                    split: BusSplit::path(),
                    no_tag: Const::new(0, geometry.stream_tag_bits() as usize).doc("verdicts come in the order of the items"),
                    no_block: Const::new(0, NEXT_BLOCK_BITS).doc("the path's registers are the last"),
                    $($whole: Const::new(1, 1).doc("a beat is a byte"),)?
                }
            }
        }

        impl Logic for $axil {
            #[hdl_gen]
            fn update(&mut self) {
                self.path.reset.next = self.reset.val();
                self.card.reset.next = self.reset.val();
                self.split.reset.next = self.reset.val();

                comment!("frames");
                self.path.s_frame_tvalid.next = self.s_frame_tvalid.val();
                self.s_frame_tready.next = self.path.s_frame_tready.val();
                self.path.s_frame_tdata.next = self.s_frame_tdata.val();
                $(
                    self.path.s_frame_tkeep.next = self.$s_keep.val();
                    self.$m_keep.next = self.path.m_frame_tkeep.val();
                )?
                $(
                    self.path.s_frame_tkeep.next = self.$whole.val();
                )?
                self.path.s_frame_tlast.next = self.s_frame_tlast.val();
                self.path.s_frame_tuser.next = self.s_frame_tuser.val();
                self.m_frame_tvalid.next = self.path.m_frame_tvalid.val();
                self.path.m_frame_tready.next = self.m_frame_tready.val();
                self.m_frame_tdata.next = self.path.m_frame_tdata.val();
                self.m_frame_tlast.next = self.path.m_frame_tlast.val();
                self.m_frame_tuser.next = self.path.m_frame_tuser.val();

                comment!("items and verdicts");
                self.card.s_item_tvalid.next = self.path.item_tvalid.val();
                self.path.item_tready.next = self.card.s_item_tready.val();
                self.card.s_item_tdata.next = self.path.item_tdata.val();
                self.card.s_item_tuser.next = self.path.item_tuser.val();
                self.card.s_item_tid.next = self.no_tag.val();
                self.path.verdict_tvalid.next = self.card.m_verdict_tvalid.val();
                self.card.m_verdict_tready.next = self.path.verdict_tready.val();
                self.path.verdict_seen.next = self.card.m_verdict_tdata.val().get_bit(0);

                comment!("writes");
                self.path.next_block.next = self.no_block.val();
                self.split.awvalid.next = self.s_axil_awvalid.val();
                self.s_axil_awready.next = self.split.awready.val();
                self.split.awaddr.next = self.s_axil_awaddr.val();
                self.split.wvalid.next = self.s_axil_wvalid.val();
                self.s_axil_wready.next = self.split.wready.val();
                self.s_axil_bvalid.next = self.split.bvalid.val();
                self.split.bready.next = self.s_axil_bready.val();
                self.s_axil_bresp.next = self.split.bresp.val();
                self.card.s_axil_awvalid.next = self.split.filter_awvalid.val();
                self.split.filter_awready.next = self.card.s_axil_awready.val();
                self.card.s_axil_awaddr.next = self.split.slave_awaddr.val();
                self.card.s_axil_wvalid.next = self.split.filter_wvalid.val();
                self.split.filter_wready.next = self.card.s_axil_wready.val();
                self.card.s_axil_wdata.next = self.s_axil_wdata.val();
                self.card.s_axil_wstrb.next = self.s_axil_wstrb.val();
                self.split.filter_bvalid.next = self.card.s_axil_bvalid.val();
                self.card.s_axil_bready.next = self.s_axil_bready.val();
                self.split.filter_bresp.next = self.card.s_axil_bresp.val();
                self.path.awvalid.next = self.split.port_awvalid.val();
                self.split.port_awready.next = self.path.awready.val();
                self.path.awaddr.next = self.split.slave_awaddr.val();
                self.path.wvalid.next = self.split.port_wvalid.val();
                self.split.port_wready.next = self.path.wready.val();
                self.path.wdata.next = self.s_axil_wdata.val();
                self.path.wstrb.next = self.s_axil_wstrb.val();
                self.split.port_bvalid.next = self.path.bvalid.val();
                self.path.bready.next = self.s_axil_bready.val();
                self.split.port_bresp.next = self.path.bresp.val();

                comment!("reads");
                self.split.arvalid.next = self.s_axil_arvalid.val();
                self.s_axil_arready.next = self.split.arready.val();
                self.split.araddr.next = self.s_axil_araddr.val();
                self.s_axil_rvalid.next = self.split.rvalid.val();
                self.split.rready.next = self.s_axil_rready.val();
                self.s_axil_rdata.next = self.split.rdata.val();
                self.s_axil_rresp.next = self.split.rresp.val();
                self.card.s_axil_arvalid.next = self.split.filter_arvalid.val();
                self.split.filter_arready.next = self.card.s_axil_arready.val();
                self.card.s_axil_araddr.next = self.split.slave_araddr.val();
                self.split.filter_rvalid.next = self.card.s_axil_rvalid.val();
                self.card.s_axil_rready.next = self.s_axil_rready.val();
                self.split.filter_rdata.next = self.card.s_axil_rdata.val();
                self.split.filter_rresp.next = self.card.s_axil_rresp.val();
                self.path.arvalid.next = self.split.port_arvalid.val();
                self.split.port_arready.next = self.path.arready.val();
                self.path.araddr.next = self.split.slave_araddr.val();
                self.split.port_rvalid.next = self.path.rvalid.val();
                self.path.rready.next = self.s_axil_rready.val();
                self.split.port_rdata.next = self.path.rdata.val();
                self.split.port_rresp.next = self.path.rresp.val();
            }
        }

        #[doc = concat!("A [`", stringify!($axil), "`] whose registers are reached over a UART.")]
        ///
        /// Only for geometries with a packet path and a UART. `docs/packet.md` is the contract.
        #[derive(LogicBlock)]
        pub struct $uart {
            about: About,
            pub clock: Signal<In, Clock>,
            pub reset: Wire<In>,
            pub s_frame_tvalid: Wire<In>,
            pub s_frame_tready: Wire<Out>,
            pub s_frame_tdata: WideBus<In>,
            $(pub $s_keep: Bus<In>,)?
            pub s_frame_tlast: Wire<In>,
            pub s_frame_tuser: Wire<In>,
            pub m_frame_tvalid: Wire<Out>,
            pub m_frame_tready: Wire<In>,
            pub m_frame_tdata: WideBus<Out>,
            $(pub $m_keep: Bus<Out>,)?
            pub m_frame_tlast: Wire<Out>,
            pub m_frame_tuser: Bus<Out>,
            pub uart_rx: Wire<In>,
            pub uart_tx: Wire<Out>,
            path: $axil,
            bridge: UartBridge,
        }

        impl $uart {
            /// The path of a geometry that has one with a UART.
            pub fn new(geometry: &$geometry) -> Self {
                let uart = uart_of(geometry);
                let path = $axil::new(geometry);
                let data_bits = path.s_frame_tdata.val().bits();
                Self {
                    about: About::new(
                        format!("{}_path", geometry.name()),
                        format!(
                            "The filter {} in a packet path: frames in, verdict, frames out; a UART of {} baud to all registers. Timing: packet.md.",
                            geometry.name(),
                            uart.baud
                        ),
                    ),
                    clock: Signal::default(),
                    reset: Wire::default().doc("synchronous, active high; empties filter and buffers"),
                    s_frame_tvalid: Wire::default().doc("frames in, without preamble and FCS"),
                    s_frame_tready: Wire::default().doc("always but behind a reset: what there is no room for is dropped"),
                    s_frame_tdata: WideBus::<In>::new(data_bits).doc("lowest byte first"),
                    $($s_keep: Bus::new(data_bits / 8).doc("valid bytes, the lowest; all but in the last beat"),)?
                    s_frame_tlast: Wire::default(),
                    s_frame_tuser: Wire::default().doc("with the last beat: the frame is bad"),
                    m_frame_tvalid: Wire::default().doc("frames out"),
                    m_frame_tready: Wire::default(),
                    m_frame_tdata: WideBus::<Out>::new(data_bits),
                    $($m_keep: Bus::new(data_bits / 8),)?
                    m_frame_tlast: Wire::default(),
                    m_frame_tuser: Bus::new(16).doc("bytes of the frame"),
                    uart_rx: Wire::default().doc("line from the host, of any clock"),
                    uart_tx: Wire::default().doc("line to the host"),
                    path,
                    bridge: UartBridge::new(&uart, geometry.map_address_bits() as usize),
                }
            }
        }

        impl Logic for $uart {
            #[hdl_gen]
            fn update(&mut self) {
                self.path.reset.next = self.reset.val();
                self.path.s_frame_tvalid.next = self.s_frame_tvalid.val();
                self.s_frame_tready.next = self.path.s_frame_tready.val();
                self.path.s_frame_tdata.next = self.s_frame_tdata.val();
                $(
                    self.path.$s_keep.next = self.$s_keep.val();
                    self.$m_keep.next = self.path.$m_keep.val();
                )?
                self.path.s_frame_tlast.next = self.s_frame_tlast.val();
                self.path.s_frame_tuser.next = self.s_frame_tuser.val();
                self.m_frame_tvalid.next = self.path.m_frame_tvalid.val();
                self.path.m_frame_tready.next = self.m_frame_tready.val();
                self.m_frame_tdata.next = self.path.m_frame_tdata.val();
                self.m_frame_tlast.next = self.path.m_frame_tlast.val();
                self.m_frame_tuser.next = self.path.m_frame_tuser.val();

                comment!("the host");
                self.bridge.reset.next = self.reset.val();
                self.bridge.uart_rx.next = self.uart_rx.val();
                self.uart_tx.next = self.bridge.uart_tx.val();
                self.path.s_axil_awvalid.next = self.bridge.awvalid.val();
                self.bridge.awready.next = self.path.s_axil_awready.val();
                self.path.s_axil_awaddr.next = self.bridge.awaddr.val();
                self.path.s_axil_wvalid.next = self.bridge.wvalid.val();
                self.bridge.wready.next = self.path.s_axil_wready.val();
                self.path.s_axil_wdata.next = self.bridge.wdata.val();
                self.path.s_axil_wstrb.next = self.bridge.wstrb.val();
                self.bridge.bvalid.next = self.path.s_axil_bvalid.val();
                self.path.s_axil_bready.next = self.bridge.bready.val();
                self.bridge.bresp.next = self.path.s_axil_bresp.val();
                self.path.s_axil_arvalid.next = self.bridge.arvalid.val();
                self.bridge.arready.next = self.path.s_axil_arready.val();
                self.path.s_axil_araddr.next = self.bridge.araddr.val();
                self.bridge.rvalid.next = self.path.s_axil_rvalid.val();
                self.path.s_axil_rready.next = self.bridge.rready.val();
                self.bridge.rdata.next = self.path.s_axil_rdata.val();
                self.bridge.rresp.next = self.path.s_axil_rresp.val();
            }
        }
    };
}

paths!(
    RecyclingAxilCard,
    Geometry,
    RegisterMap::for_geometry,
    RecyclingAxilBytePath,
    RecyclingUartBytePath,
    [],
    [whole]
);
paths!(
    RecyclingAxilCard,
    Geometry,
    RegisterMap::for_geometry,
    RecyclingAxilWidePath,
    RecyclingUartWidePath,
    [s_frame_tkeep, m_frame_tkeep],
    []
);
paths!(
    FoldedAxilCard,
    Geometry,
    RegisterMap::for_geometry,
    FoldedAxilBytePath,
    FoldedUartBytePath,
    [],
    [whole]
);
paths!(
    FoldedAxilCard,
    Geometry,
    RegisterMap::for_geometry,
    FoldedAxilWidePath,
    FoldedUartWidePath,
    [s_frame_tkeep, m_frame_tkeep],
    []
);
paths!(
    CellAxilCard,
    CellGeometry,
    RegisterMap::for_cells,
    CellAxilBytePath,
    CellUartBytePath,
    [],
    [whole]
);
paths!(
    CellAxilCard,
    CellGeometry,
    RegisterMap::for_cells,
    CellAxilWidePath,
    CellUartWidePath,
    [s_frame_tkeep, m_frame_tkeep],
    []
);
paths!(
    SlidingAxilCard,
    SlidingGeometry,
    RegisterMap::for_sliding,
    SlidingAxilBytePath,
    SlidingUartBytePath,
    [],
    [whole]
);
paths!(
    SlidingAxilCard,
    SlidingGeometry,
    RegisterMap::for_sliding,
    SlidingAxilWidePath,
    SlidingUartWidePath,
    [s_frame_tkeep, m_frame_tkeep],
    []
);
