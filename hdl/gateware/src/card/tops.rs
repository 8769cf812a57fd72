//! Top modules of a card: filter, item port and bus, with or without the UART bridge.

use crate::card::{BusSplit, ItemPort, UartBridge};
use crate::interface::filter_block;
use crate::prelude::*;
use bloomline_spec::registers::{RegisterBlock, ADDRESS_BITS};
use bloomline_spec::{Common, RegisterMap, Uart};

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

block! {
    /// A filter with an item port, reached over AXI4-Lite.
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
    /// Only for specifications with a card. `docs/card.md` is the contract of every port on every clock.
    /// `reset` is synchronous and active high.
    pub struct AxilCard {
        about: About = About::new(
            format!("{}_axil", common.name()),
            format!("The filter {} with an item port, through which a host inserts and queries keys. Timing: card.md.", common.name()),
        ),
        pub clock: Signal<In, Clock>,
        pub ports: FilterPorts = FilterPorts {
            reset: Wire::default().doc("synchronous, active high; empties the filter"),
            s_item: ItemStream::port(key_bits, operation_bits, tag_bits, "operation"),
            m_verdict: VerdictStream::port(verdict_bits, tag_bits, "verdict"),
            s_axil: Axil::port(ADDRESS_BITS as usize + 1),
        },
        filter: Box<dyn FilterBlock> = filter,
        port: ItemPort = ItemPort::new(common, item_block(map)),
        split: BusSplit,
    }

    /// The card around `filter`, which is that of `common` and has the registers of `map`, without its UART.
    pub fn new(common: &Common, map: &RegisterMap, filter: Box<dyn FilterBlock>) {
        let key_bits = common.key_bits() as usize;
        let operation_bits = common.operation_bits() as usize;
        let verdict_bits = common.verdict_bits() as usize;
        let tag_bits = common.stream_tag_bits() as usize;
    }
}

filter_block!(AxilCard);

impl Logic for AxilCard {
    #[hdl_gen]
    fn update(&mut self) {
        self.filter.reset.next = self.ports.reset.val();
        self.port.reset.next = self.ports.reset.val();
        self.split.reset.next = self.ports.reset.val();

        comment!("items and verdicts");
        self.ports.s_item.link(&mut self.port.s_item);
        self.port.f_item.join(&mut self.filter.s_item);
        self.filter.m_verdict.join(&mut self.port.f_verdict);
        self.ports.m_verdict.link(&mut self.port.m_verdict);

        comment!("writes");
        comment!("reads");
        self.ports.s_axil.link(&mut self.split.host);
        self.split.filter.join(&mut self.filter.s_axil);
        self.split.slave.join(&mut self.filter.s_axil);
        self.ports
            .s_axil
            .link_part(&mut self.filter.s_axil, AXIL_SHARED);
        self.split.port.join(&mut self.port.axil);
        self.split.slave.join(&mut self.port.axil);
        self.ports
            .s_axil
            .link_part(&mut self.port.axil, AXIL_SHARED);
    }
}

block! {
    /// A filter with an item port, reached over a UART.
    ///
    /// ```text
    /// s_item ---->+------------------------+----> m_verdict
    ///             | filter, item port, bus |
    ///             +------------------------+
    ///                          ^
    /// uart_rx ---------> UART bridge -----------> uart_tx
    /// ```
    ///
    /// Only for specifications whose card has a UART. `docs/card.md` is the contract of every port on every clock.
    /// `reset` is synchronous and active high.
    pub struct UartCard {
        about: About = About::new(
            format!("{}_card", common.name()),
            format!(
                "The filter {} as a card: an item port for the host, and a UART of {} baud to all registers. Timing: card.md.",
                common.name(),
                uart.baud
            ),
        ),
        pub clock: Signal<In, Clock>,
        pub reset: Wire<In> = Wire::default().doc("synchronous, active high; empties the filter"),
        pub s_item: ItemStream<Slave> = ItemStream::port(key_bits, operation_bits, tag_bits, "operation"),
        pub m_verdict: VerdictStream<Master> = VerdictStream::port(verdict_bits, tag_bits, "verdict"),
        pub uart_rx: Wire<In> = Wire::default().doc("line from the host, of any clock"),
        pub uart_tx: Wire<Out> = Wire::default().doc("line to the host"),
        card: AxilCard = AxilCard::new(common, map, filter),
        bridge: UartBridge = UartBridge::new(&uart, ADDRESS_BITS as usize + 1),
    }

    /// The card around `filter`, which is that of `common` and has the registers of `map`.
    pub fn new(common: &Common, map: &RegisterMap, filter: Box<dyn FilterBlock>) {
        let uart = uart(common);
        let key_bits = common.key_bits() as usize;
        let operation_bits = common.operation_bits() as usize;
        let verdict_bits = common.verdict_bits() as usize;
        let tag_bits = common.stream_tag_bits() as usize;
    }
}

impl Logic for UartCard {
    #[hdl_gen]
    fn update(&mut self) {
        self.card.ports.reset.next = self.reset.val();
        self.s_item.link(&mut self.card.ports.s_item);
        self.m_verdict.link(&mut self.card.ports.m_verdict);

        comment!("the host");
        self.bridge.reset.next = self.reset.val();
        self.bridge.uart_rx.next = self.uart_rx.val();
        self.uart_tx.next = self.bridge.uart_tx.val();
        self.bridge.axil.join(&mut self.card.ports.s_axil);
    }
}
