//! The card as a whole: a filter, its item port and bus, and the UART in front of them.

use crate::card::{BusSplit, ItemPort, UartBridge};
use crate::folded::FoldedFilter;
use crate::pipeline::{CellFilter, RecyclingFilter, SlidingFilter};
use crate::prelude::*;
use bloomline_spec::registers::{RegisterBlock, ADDRESS_BITS};
use bloomline_spec::{CellGeometry, Common, Geometry, RegisterMap, SlidingGeometry, Uart};

/// The item port's registers in the map of a card.
fn item_block(map: &RegisterMap) -> &RegisterBlock {
    map.block("item_port")
        .expect("the geometry of a card has an item port")
}

/// The UART of a card that has one.
fn uart(common: &Common) -> Uart {
    common
        .card()
        .and_then(|card| card.uart)
        .expect("the card has a UART")
}

/// Writes the two cards of a kind of filter: a kernel names the ports of its blocks, so it cannot be generic over them.
macro_rules! cards {
    ($filter:ident, $geometry:ident, $map:path, $axil:ident, $uart:ident) => {
        #[doc = concat!("A [`", stringify!($filter), "`] with an item port, reached over AXI4-Lite.")]
        ///
        /// ```text
        /// s_item ---->+------+-->+--------+-->+------+----> m_verdict
        ///             | item |   | filter |   | item |
        ///             | port |   +--------+   | port |
        ///             +------+        ^       +------+
        ///                 ^--- bus ---+
        ///                     split  <--------------------> s_axil
        /// ```
        ///
        /// Only for geometries with a card. `docs/card.md` is the contract of every port on every clock.
        #[derive(LogicBlock)]
        pub struct $axil {
            about: About,
            pub clock: Signal<In, Clock>,
            pub reset: Wire<In>,
            pub s_item_tvalid: Wire<In>,
            pub s_item_tready: Wire<Out>,
            pub s_item_tdata: WideBus<In>,
            pub s_item_tuser: Bus<In>,
            pub s_item_tid: Bus<In>,
            pub m_verdict_tvalid: Wire<Out>,
            pub m_verdict_tready: Wire<In>,
            pub m_verdict_tdata: Bus<Out>,
            pub m_verdict_tid: Bus<Out>,
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
            filter: $filter,
            port: ItemPort,
            split: BusSplit,
        }

        impl $axil {
            /// The card of a geometry that has one, without its UART.
            pub fn new(geometry: &$geometry) -> Self {
                let map = $map(geometry);
                let key_bits = geometry.key_bits() as usize;
                let operation_bits = geometry.operation_bits() as usize;
                let verdict_bits = geometry.verdict_bits() as usize;
                let tag_bits = geometry.stream_tag_bits() as usize;
                let address_bits = ADDRESS_BITS as usize + 1;
                Self {
                    about: About::new(
                        format!("{}_axil", geometry.name()),
                        format!("The filter {} with an item port, through which a host inserts and queries keys. Timing: card.md.", geometry.name()),
                    ),
                    clock: Signal::default(),
                    reset: Wire::default().doc("synchronous, active high; empties the filter"),
                    s_item_tvalid: Wire::default().doc("item stream"),
                    s_item_tready: Wire::default(),
                    s_item_tdata: WideBus::<In>::new(key_bits).doc("key"),
                    s_item_tuser: Bus::new(operation_bits).doc("operation"),
                    s_item_tid: Bus::new(tag_bits).doc("tag, returned with the verdict"),
                    m_verdict_tvalid: Wire::default().doc("verdict stream, in the order of the items"),
                    m_verdict_tready: Wire::default(),
                    m_verdict_tdata: Bus::new(verdict_bits).doc("verdict"),
                    m_verdict_tid: Bus::new(tag_bits).doc("tag of the item"),
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
                    filter: $filter::new(geometry),
                    port: ItemPort::new(geometry, item_block(&map)),
                    split: Default::default(),
                }
            }
        }

        impl Logic for $axil {
            #[hdl_gen]
            fn update(&mut self) {
                self.filter.reset.next = self.reset.val();
                self.port.reset.next = self.reset.val();
                self.split.reset.next = self.reset.val();

                comment!("items and verdicts");
                self.port.s_item_tvalid.next = self.s_item_tvalid.val();
                self.s_item_tready.next = self.port.s_item_tready.val();
                self.port.s_item_tdata.next = self.s_item_tdata.val();
                self.port.s_item_tuser.next = self.s_item_tuser.val();
                self.port.s_item_tid.next = self.s_item_tid.val();
                self.filter.s_item_tvalid.next = self.port.f_item_tvalid.val();
                self.port.f_item_tready.next = self.filter.s_item_tready.val();
                self.filter.s_item_tdata.next = self.port.f_item_tdata.val();
                self.filter.s_item_tuser.next = self.port.f_item_tuser.val();
                self.filter.s_item_tid.next = self.port.f_item_tid.val();
                self.port.f_verdict_tvalid.next = self.filter.m_verdict_tvalid.val();
                self.filter.m_verdict_tready.next = self.port.f_verdict_tready.val();
                self.port.f_verdict_tdata.next = self.filter.m_verdict_tdata.val();
                self.port.f_verdict_tid.next = self.filter.m_verdict_tid.val();
                self.m_verdict_tvalid.next = self.port.m_verdict_tvalid.val();
                self.port.m_verdict_tready.next = self.m_verdict_tready.val();
                self.m_verdict_tdata.next = self.port.m_verdict_tdata.val();
                self.m_verdict_tid.next = self.port.m_verdict_tid.val();

                comment!("writes");
                self.split.awvalid.next = self.s_axil_awvalid.val();
                self.s_axil_awready.next = self.split.awready.val();
                self.split.awaddr.next = self.s_axil_awaddr.val();
                self.split.wvalid.next = self.s_axil_wvalid.val();
                self.s_axil_wready.next = self.split.wready.val();
                self.s_axil_bvalid.next = self.split.bvalid.val();
                self.split.bready.next = self.s_axil_bready.val();
                self.s_axil_bresp.next = self.split.bresp.val();
                self.filter.s_axil_awvalid.next = self.split.filter_awvalid.val();
                self.split.filter_awready.next = self.filter.s_axil_awready.val();
                self.filter.s_axil_awaddr.next = self.split.slave_awaddr.val();
                self.filter.s_axil_wvalid.next = self.split.filter_wvalid.val();
                self.split.filter_wready.next = self.filter.s_axil_wready.val();
                self.filter.s_axil_wdata.next = self.s_axil_wdata.val();
                self.filter.s_axil_wstrb.next = self.s_axil_wstrb.val();
                self.split.filter_bvalid.next = self.filter.s_axil_bvalid.val();
                self.filter.s_axil_bready.next = self.s_axil_bready.val();
                self.split.filter_bresp.next = self.filter.s_axil_bresp.val();
                self.port.awvalid.next = self.split.port_awvalid.val();
                self.split.port_awready.next = self.port.awready.val();
                self.port.awaddr.next = self.split.slave_awaddr.val();
                self.port.wvalid.next = self.split.port_wvalid.val();
                self.split.port_wready.next = self.port.wready.val();
                self.port.wdata.next = self.s_axil_wdata.val();
                self.port.wstrb.next = self.s_axil_wstrb.val();
                self.split.port_bvalid.next = self.port.bvalid.val();
                self.port.bready.next = self.s_axil_bready.val();
                self.split.port_bresp.next = self.port.bresp.val();

                comment!("reads");
                self.split.arvalid.next = self.s_axil_arvalid.val();
                self.s_axil_arready.next = self.split.arready.val();
                self.split.araddr.next = self.s_axil_araddr.val();
                self.s_axil_rvalid.next = self.split.rvalid.val();
                self.split.rready.next = self.s_axil_rready.val();
                self.s_axil_rdata.next = self.split.rdata.val();
                self.s_axil_rresp.next = self.split.rresp.val();
                self.filter.s_axil_arvalid.next = self.split.filter_arvalid.val();
                self.split.filter_arready.next = self.filter.s_axil_arready.val();
                self.filter.s_axil_araddr.next = self.split.slave_araddr.val();
                self.split.filter_rvalid.next = self.filter.s_axil_rvalid.val();
                self.filter.s_axil_rready.next = self.s_axil_rready.val();
                self.split.filter_rdata.next = self.filter.s_axil_rdata.val();
                self.split.filter_rresp.next = self.filter.s_axil_rresp.val();
                self.port.arvalid.next = self.split.port_arvalid.val();
                self.split.port_arready.next = self.port.arready.val();
                self.port.araddr.next = self.split.slave_araddr.val();
                self.split.port_rvalid.next = self.port.rvalid.val();
                self.port.rready.next = self.s_axil_rready.val();
                self.split.port_rdata.next = self.port.rdata.val();
                self.split.port_rresp.next = self.port.rresp.val();
            }
        }

        #[doc = concat!("A [`", stringify!($filter), "`] with an item port, reached over a UART.")]
        ///
        /// ```text
        /// s_item ---->+------------------------+----> m_verdict
        ///             | filter, item port, bus |
        ///             +------------------------+
        ///                          ^
        /// uart_rx ---------> UART bridge -----------> uart_tx
        /// ```
        ///
        /// Only for geometries whose card has a UART. `docs/card.md` is the contract of every port on every clock.
        #[derive(LogicBlock)]
        pub struct $uart {
            about: About,
            pub clock: Signal<In, Clock>,
            pub reset: Wire<In>,
            pub s_item_tvalid: Wire<In>,
            pub s_item_tready: Wire<Out>,
            pub s_item_tdata: WideBus<In>,
            pub s_item_tuser: Bus<In>,
            pub s_item_tid: Bus<In>,
            pub m_verdict_tvalid: Wire<Out>,
            pub m_verdict_tready: Wire<In>,
            pub m_verdict_tdata: Bus<Out>,
            pub m_verdict_tid: Bus<Out>,
            pub uart_rx: Wire<In>,
            pub uart_tx: Wire<Out>,
            card: $axil,
            bridge: UartBridge,
        }

        impl $uart {
            /// The card of a geometry that has one with a UART.
            pub fn new(geometry: &$geometry) -> Self {
                let uart = uart(geometry);
                let tag_bits = geometry.stream_tag_bits() as usize;
                Self {
                    about: About::new(
                        format!("{}_card", geometry.name()),
                        format!(
                            "The filter {} as a card: an item port for the host, and a UART of {} baud to all registers. Timing: card.md.",
                            geometry.name(),
                            uart.baud
                        ),
                    ),
                    clock: Signal::default(),
                    reset: Wire::default().doc("synchronous, active high; empties the filter"),
                    s_item_tvalid: Wire::default().doc("item stream"),
                    s_item_tready: Wire::default(),
                    s_item_tdata: WideBus::<In>::new(geometry.key_bits() as usize).doc("key"),
                    s_item_tuser: Bus::new(geometry.operation_bits() as usize).doc("operation"),
                    s_item_tid: Bus::new(tag_bits).doc("tag, returned with the verdict"),
                    m_verdict_tvalid: Wire::default().doc("verdict stream, in the order of the items"),
                    m_verdict_tready: Wire::default(),
                    m_verdict_tdata: Bus::new(geometry.verdict_bits() as usize).doc("verdict"),
                    m_verdict_tid: Bus::new(tag_bits).doc("tag of the item"),
                    uart_rx: Wire::default().doc("line from the host, of any clock"),
                    uart_tx: Wire::default().doc("line to the host"),
                    card: $axil::new(geometry),
                    bridge: UartBridge::new(&uart, ADDRESS_BITS as usize + 1),
                }
            }
        }

        impl Logic for $uart {
            #[hdl_gen]
            fn update(&mut self) {
                self.card.reset.next = self.reset.val();
                self.card.s_item_tvalid.next = self.s_item_tvalid.val();
                self.s_item_tready.next = self.card.s_item_tready.val();
                self.card.s_item_tdata.next = self.s_item_tdata.val();
                self.card.s_item_tuser.next = self.s_item_tuser.val();
                self.card.s_item_tid.next = self.s_item_tid.val();
                self.m_verdict_tvalid.next = self.card.m_verdict_tvalid.val();
                self.card.m_verdict_tready.next = self.m_verdict_tready.val();
                self.m_verdict_tdata.next = self.card.m_verdict_tdata.val();
                self.m_verdict_tid.next = self.card.m_verdict_tid.val();

                comment!("the host");
                self.bridge.reset.next = self.reset.val();
                self.bridge.uart_rx.next = self.uart_rx.val();
                self.uart_tx.next = self.bridge.uart_tx.val();
                self.card.s_axil_awvalid.next = self.bridge.awvalid.val();
                self.bridge.awready.next = self.card.s_axil_awready.val();
                self.card.s_axil_awaddr.next = self.bridge.awaddr.val();
                self.card.s_axil_wvalid.next = self.bridge.wvalid.val();
                self.bridge.wready.next = self.card.s_axil_wready.val();
                self.card.s_axil_wdata.next = self.bridge.wdata.val();
                self.card.s_axil_wstrb.next = self.bridge.wstrb.val();
                self.bridge.bvalid.next = self.card.s_axil_bvalid.val();
                self.card.s_axil_bready.next = self.bridge.bready.val();
                self.bridge.bresp.next = self.card.s_axil_bresp.val();
                self.card.s_axil_arvalid.next = self.bridge.arvalid.val();
                self.bridge.arready.next = self.card.s_axil_arready.val();
                self.card.s_axil_araddr.next = self.bridge.araddr.val();
                self.bridge.rvalid.next = self.card.s_axil_rvalid.val();
                self.card.s_axil_rready.next = self.bridge.rready.val();
                self.bridge.rdata.next = self.card.s_axil_rdata.val();
                self.bridge.rresp.next = self.card.s_axil_rresp.val();
            }
        }
    };
}

cards!(
    RecyclingFilter,
    Geometry,
    RegisterMap::for_geometry,
    RecyclingAxilCard,
    RecyclingUartCard
);
cards!(
    FoldedFilter,
    Geometry,
    RegisterMap::for_geometry,
    FoldedAxilCard,
    FoldedUartCard
);
cards!(
    CellFilter,
    CellGeometry,
    RegisterMap::for_cells,
    CellAxilCard,
    CellUartCard
);
cards!(
    SlidingFilter,
    SlidingGeometry,
    RegisterMap::for_sliding,
    SlidingAxilCard,
    SlidingUartCard
);
