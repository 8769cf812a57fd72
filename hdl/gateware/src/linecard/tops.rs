//! The line card as a whole: a card between two Ethernet ports.

use crate::card::{CellAxilCard, FoldedAxilCard, RecyclingAxilCard, SlidingAxilCard};
use crate::linecard::Lines;
use crate::prelude::*;
use bloomline_spec::{CellGeometry, Geometry, RegisterMap, SlidingGeometry, LANES};

/// Writes the line card around a card: a kernel names the ports of its blocks, so it cannot be generic over them.
macro_rules! line_card {
    ($card:ident, $geometry:ident, $map:path, $top:ident) => {
        #[doc = concat!("A [`", stringify!($card), "`] between two Ethernet ports, its registers over a UART.")]
        ///
        /// ```text
        /// rgmii_0 <--->+-------+<---> rgmii_1
        ///              | lines |
        /// uart <------>+-------+
        ///        items |  ^  |  ^ verdicts
        ///              v  |  v  |
        ///              +--------+
        ///              |  card  |
        ///              +--------+
        /// ```
        ///
        /// Only for geometries of line cards. `docs/linecard.md` is the contract.
        #[derive(LogicBlock)]
        pub struct $top {
            about: About,
            pub clock: Signal<In, Clock>,
            pub hold: Wire<In>,
            pub rgmii_0_rx_clock: Signal<In, Clock>,
            pub rgmii_0_rx_control: Wire<In>,
            pub rgmii_0_rx_data: Bus<In>,
            pub rgmii_0_tx_clock: Wire<Out>,
            pub rgmii_0_tx_control: Wire<Out>,
            pub rgmii_0_tx_data: Bus<Out>,
            pub rgmii_1_rx_clock: Signal<In, Clock>,
            pub rgmii_1_rx_control: Wire<In>,
            pub rgmii_1_rx_data: Bus<In>,
            pub rgmii_1_tx_clock: Wire<Out>,
            pub rgmii_1_tx_control: Wire<Out>,
            pub rgmii_1_tx_data: Bus<Out>,
            pub uart_rx: Wire<In>,
            pub uart_tx: Wire<Out>,
            pub link: Bus<Out>,
            pub item_taken: Bus<Out>,
            pub item_seen: Bus<Out>,
            lines: Lines,
            card: $card,
        }

        impl $top {
            /// The line card of a geometry that has one.
            pub fn new(geometry: &$geometry) -> Self {
                Self {
                    about: About::new(
                        format!("{}_linecard", geometry.name()),
                        format!("The filter {} between two gigabit Ethernet ports: frames in, verdict, frames out. Contract: linecard.md.", geometry.name()),
                    ),
                    clock: Default::default(),
                    hold: Wire::default().doc("reset, of any clock or none"),
                    rgmii_0_rx_clock: Default::default(),
                    rgmii_0_rx_control: Default::default(),
                    rgmii_0_rx_data: Bus::new(4),
                    rgmii_0_tx_clock: Default::default(),
                    rgmii_0_tx_control: Default::default(),
                    rgmii_0_tx_data: Bus::new(4),
                    rgmii_1_rx_clock: Default::default(),
                    rgmii_1_rx_control: Default::default(),
                    rgmii_1_rx_data: Bus::new(4),
                    rgmii_1_tx_clock: Default::default(),
                    rgmii_1_tx_control: Default::default(),
                    rgmii_1_tx_data: Bus::new(4),
                    uart_rx: Wire::default().doc("line from the host, of any clock"),
                    uart_tx: Wire::default().doc("line to the host"),
                    link: Bus::new(LANES).doc("bit p: the PHY of port p tells of a link"),
                    item_taken: Bus::new(LANES).doc("bit i: the card took an item of lane i a clock ago"),
                    item_seen: Bus::new(LANES).doc("bit i: a verdict for lane i came a clock ago, and its bit 0 was 1"),
                    lines: Lines::new(geometry, &$map(geometry)),
                    card: $card::new(geometry),
                }
            }
        }

        impl Logic for $top {
            #[hdl_gen]
            fn update(&mut self) {
                self.lines.hold.next = self.hold.val();
                self.card.reset.next = self.lines.reset.val();
                self.lines.rgmii_0_rx_clock.next = self.rgmii_0_rx_clock.val();
                self.lines.rgmii_0_rx_control.next = self.rgmii_0_rx_control.val();
                self.lines.rgmii_0_rx_data.next = self.rgmii_0_rx_data.val();
                self.rgmii_0_tx_clock.next = self.lines.rgmii_0_tx_clock.val();
                self.rgmii_0_tx_control.next = self.lines.rgmii_0_tx_control.val();
                self.rgmii_0_tx_data.next = self.lines.rgmii_0_tx_data.val();
                self.lines.rgmii_1_rx_clock.next = self.rgmii_1_rx_clock.val();
                self.lines.rgmii_1_rx_control.next = self.rgmii_1_rx_control.val();
                self.lines.rgmii_1_rx_data.next = self.rgmii_1_rx_data.val();
                self.rgmii_1_tx_clock.next = self.lines.rgmii_1_tx_clock.val();
                self.rgmii_1_tx_control.next = self.lines.rgmii_1_tx_control.val();
                self.rgmii_1_tx_data.next = self.lines.rgmii_1_tx_data.val();
                self.lines.uart_rx.next = self.uart_rx.val();
                self.uart_tx.next = self.lines.uart_tx.val();
                self.link.next = self.lines.link.val();
                self.item_taken.next = self.lines.item_taken.val();
                self.item_seen.next = self.lines.item_seen.val();

                comment!("items and verdicts");
                self.card.s_item_tvalid.next = self.lines.item_tvalid.val();
                self.lines.item_tready.next = self.card.s_item_tready.val();
                self.card.s_item_tdata.next = self.lines.item_tdata.val();
                self.card.s_item_tuser.next = self.lines.item_tuser.val();
                self.card.s_item_tid.next = self.lines.item_tid.val();
                self.lines.verdict_tvalid.next = self.card.m_verdict_tvalid.val();
                self.card.m_verdict_tready.next = self.lines.verdict_tready.val();
                self.lines.verdict_tid.next = self.card.m_verdict_tid.val();
                self.lines.verdict_seen.next = self.card.m_verdict_tdata.val().get_bit(0);

                comment!("registers");
                self.card.s_axil_awvalid.next = self.lines.awvalid.val();
                self.lines.awready.next = self.card.s_axil_awready.val();
                self.card.s_axil_awaddr.next = self.lines.awaddr.val();
                self.card.s_axil_wvalid.next = self.lines.wvalid.val();
                self.lines.wready.next = self.card.s_axil_wready.val();
                self.card.s_axil_wdata.next = self.lines.wdata.val();
                self.card.s_axil_wstrb.next = self.lines.wstrb.val();
                self.lines.bvalid.next = self.card.s_axil_bvalid.val();
                self.card.s_axil_bready.next = self.lines.bready.val();
                self.lines.bresp.next = self.card.s_axil_bresp.val();
                self.card.s_axil_arvalid.next = self.lines.arvalid.val();
                self.lines.arready.next = self.card.s_axil_arready.val();
                self.card.s_axil_araddr.next = self.lines.araddr.val();
                self.lines.rvalid.next = self.card.s_axil_rvalid.val();
                self.card.s_axil_rready.next = self.lines.rready.val();
                self.lines.rdata.next = self.card.s_axil_rdata.val();
                self.lines.rresp.next = self.card.s_axil_rresp.val();
            }
        }
    };
}

line_card!(
    RecyclingAxilCard,
    Geometry,
    RegisterMap::for_geometry,
    RecyclingLineCard
);
line_card!(
    FoldedAxilCard,
    Geometry,
    RegisterMap::for_geometry,
    FoldedLineCard
);
line_card!(
    CellAxilCard,
    CellGeometry,
    RegisterMap::for_cells,
    CellLineCard
);
line_card!(
    SlidingAxilCard,
    SlidingGeometry,
    RegisterMap::for_sliding,
    SlidingLineCard
);
