//! The pins of a line card.

use crate::verilator::{Design, Port, VerilatorError};
use bloomline_spec::{Common, LANES};

/// Every port of `<name>_linecard`, its clocks among the inputs.
pub fn line_card_ports() -> Vec<Port> {
    let mut ports = vec![Port::input("clock", 1), Port::input("hold", 1)];
    for port in 0..LANES {
        let name = |pin: &str| format!("rgmii_{port}_{pin}");
        ports.extend([
            Port::input(name("rx_clock"), 1),
            Port::input(name("rx_control"), 1),
            Port::input(name("rx_data"), 4),
            Port::output(name("tx_clock"), 1),
            Port::output(name("tx_control"), 1),
            Port::output(name("tx_data"), 4),
        ]);
    }
    ports.extend([
        Port::input("uart_rx", 1),
        Port::output("uart_tx", 1),
        Port::output("link", LANES),
        Port::output("item_taken", LANES),
        Port::output("item_seen", LANES),
    ]);
    ports
}

/// The ports of a line card around a text. It has several clocks, which are inputs like any other.
pub fn line_card_design(common: &Common, sources: Vec<(String, String)>) -> Design {
    Design {
        top: format!("{}_linecard", common.name()),
        clock: None,
        sources,
        ports: line_card_ports(),
    }
}

/// Where a port stands in the packed inputs or outputs.
pub(super) type Place = usize;

/// The places of one Ethernet port.
#[derive(Debug, Clone, Copy)]
pub(super) struct PortPins {
    pub rx_clock: Place,
    pub rx_control: Place,
    pub rx_data: Place,
    pub tx_clock: Place,
    pub tx_control: Place,
    pub tx_data: Place,
}

/// The places of all ports.
#[derive(Debug, Clone, Copy)]
pub(super) struct CardPins {
    pub clock: Place,
    pub hold: Place,
    pub ports: [PortPins; LANES],
    pub uart_rx: Place,
    pub uart_tx: Place,
    pub link: Place,
    pub item_taken: Place,
    pub item_seen: Place,
}

impl CardPins {
    pub fn of(design: &Design) -> Result<CardPins, VerilatorError> {
        let at = |port: &str| design.place(port);
        let port = |port: usize| {
            let pin = |pin: &str| at(&format!("rgmii_{port}_{pin}"));
            Ok::<_, VerilatorError>(PortPins {
                rx_clock: pin("rx_clock")?,
                rx_control: pin("rx_control")?,
                rx_data: pin("rx_data")?,
                tx_clock: pin("tx_clock")?,
                tx_control: pin("tx_control")?,
                tx_data: pin("tx_data")?,
            })
        };
        Ok(CardPins {
            clock: at("clock")?,
            hold: at("hold")?,
            ports: [port(0)?, port(1)?],
            uart_rx: at("uart_rx")?,
            uart_tx: at("uart_tx")?,
            link: at("link")?,
            item_taken: at("item_taken")?,
            item_seen: at("item_seen")?,
        })
    }
}
