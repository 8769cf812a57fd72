//! Top module of a line card: a card between two Ethernet ports.

use crate::card::AxilCard;
use crate::linecard::LineCardDatapath;
use crate::prelude::*;
use bloomline_spec::{Common, RegisterMap, LANES};

block! {
    /// A card between two Ethernet ports, its registers over a UART.
    ///
    /// ```text
    /// rgmii_0 <--->+-------+<---> rgmii_1
    ///              | datapath |
    /// uart <------>+-------+
    ///        items |  ^  |  ^ verdicts
    ///              v  |  v  |
    ///              +--------+
    ///              |  card  |
    ///              +--------+
    /// ```
    ///
    /// Only for specifications of line cards. `docs/linecard.md` is the contract.
    /// `hold` is an asynchronous reset, active high; every clock domain gets it synchronised.
    pub struct LineCard {
        about: About = About::new(
            format!("{}_linecard", common.name()),
            format!("The filter {} between two gigabit Ethernet ports: frames in, verdict, frames out. Contract: linecard.md.", common.name()),
        ),
        pub clock: Signal<In, Clock>,
        pub hold: Wire<In> = Wire::default().doc("reset, of any clock or none"),
        pub rgmii_0_rx_clock: Signal<In, Clock>,
        pub rgmii_0_rx_control: Wire<In>,
        pub rgmii_0_rx_data: Bus<In> = Bus::new(4),
        pub rgmii_0_tx_clock: Wire<Out>,
        pub rgmii_0_tx_control: Wire<Out>,
        pub rgmii_0_tx_data: Bus<Out> = Bus::new(4),
        pub rgmii_1_rx_clock: Signal<In, Clock>,
        pub rgmii_1_rx_control: Wire<In>,
        pub rgmii_1_rx_data: Bus<In> = Bus::new(4),
        pub rgmii_1_tx_clock: Wire<Out>,
        pub rgmii_1_tx_control: Wire<Out>,
        pub rgmii_1_tx_data: Bus<Out> = Bus::new(4),
        pub uart_rx: Wire<In> = Wire::default().doc("line from the host, of any clock"),
        pub uart_tx: Wire<Out> = Wire::default().doc("line to the host"),
        pub link: Bus<Out> = Bus::new(LANES).doc("bit p: the PHY of port p tells of a link"),
        pub item_taken: Bus<Out> = Bus::new(LANES).doc("bit i: the card took an item of lane i a clock ago"),
        pub item_seen: Bus<Out> = Bus::new(LANES).doc("bit i: a verdict for lane i came a clock ago, and its bit 0 was 1"),
        datapath: LineCardDatapath = LineCardDatapath::new(common, map),
        card: AxilCard = card,
    }

    /// The line card of a specification of one, around its card.
    pub fn new(common: &Common, map: &RegisterMap, card: AxilCard) {}
}

impl Logic for LineCard {
    #[hdl_gen]
    fn update(&mut self) {
        self.datapath.hold.next = self.hold.val();
        self.card.ports.reset.next = self.datapath.reset.val();
        self.datapath.rgmii_0_rx_clock.next = self.rgmii_0_rx_clock.val();
        self.datapath.rgmii_0_rx_control.next = self.rgmii_0_rx_control.val();
        self.datapath.rgmii_0_rx_data.next = self.rgmii_0_rx_data.val();
        self.rgmii_0_tx_clock.next = self.datapath.rgmii_0_tx_clock.val();
        self.rgmii_0_tx_control.next = self.datapath.rgmii_0_tx_control.val();
        self.rgmii_0_tx_data.next = self.datapath.rgmii_0_tx_data.val();
        self.datapath.rgmii_1_rx_clock.next = self.rgmii_1_rx_clock.val();
        self.datapath.rgmii_1_rx_control.next = self.rgmii_1_rx_control.val();
        self.datapath.rgmii_1_rx_data.next = self.rgmii_1_rx_data.val();
        self.rgmii_1_tx_clock.next = self.datapath.rgmii_1_tx_clock.val();
        self.rgmii_1_tx_control.next = self.datapath.rgmii_1_tx_control.val();
        self.rgmii_1_tx_data.next = self.datapath.rgmii_1_tx_data.val();
        self.datapath.uart_rx.next = self.uart_rx.val();
        self.uart_tx.next = self.datapath.uart_tx.val();
        self.link.next = self.datapath.link.val();
        self.item_taken.next = self.datapath.item_taken.val();
        self.item_seen.next = self.datapath.item_seen.val();

        comment!("items and verdicts");
        self.datapath.item.join(&mut self.card.ports.s_item);
        self.card.ports.m_verdict.join(&mut self.datapath.verdict);
        self.datapath.verdict.seen.next = self.card.ports.m_verdict.tdata.val().get_bit(0);

        comment!("registers");
        self.datapath.axil.join(&mut self.card.ports.s_axil);
    }
}
