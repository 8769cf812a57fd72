//! The pins of a line card.

use bloomline_bench::verilator::{Design, VerilatorError};
use bloomline_hdl::emit::EmitError;
use bloomline_hdl::linecard_verilog;
use bloomline_spec::ports::line_card_ports;
use bloomline_spec::{Common, LANES};

/// The ports of a line card around a text. It has several clocks, which are inputs like any other.
pub fn line_card_design(common: &Common, sources: Vec<(String, String)>) -> Design {
    let top = format!("{}_linecard", common.name());
    Design::around(&top, None, line_card_ports(), sources)
}

/// The emitted line card of a design, for a simulator.
///
/// # Errors
/// [`EmitError`] as [`linecard_verilog`]'s.
pub fn emitted_line_card(design: &bloomline_spec::Design) -> Result<Design, EmitError> {
    let emitted = linecard_verilog(design, "")?;
    let common = design.common();
    let file = format!("{}_linecard.v", common.name());
    Ok(line_card_design(common, vec![(file, emitted.text())]))
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
