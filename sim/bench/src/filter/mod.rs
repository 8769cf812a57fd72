//! Testbench of a filter: emitted Verilog as the design, cycle-accurate model as the reference, and stimulus.

mod card_bus;
mod card_host;
mod card_torture;
mod cell_torture;
mod contract_ports;
mod host_mix;
mod host_pattern;
mod offers;
mod reference;
mod sliding_torture;
mod torture;
mod traffic;
mod uart_pins;

pub use bloomline_model::ClockedModel;
pub use card_torture::{CardTorture, CardTortureMix};
pub use cell_torture::{CellTorture, CellTortureMix};
pub use contract_ports::ContractPorts;
pub use host_mix::HostMix;
pub use host_pattern::HostPattern;
pub use reference::{
    CardReference, CellReference, CuckooReference, ModelReference, PackedModel, SlidingReference,
};
pub use sliding_torture::{Crowd, SlidingTorture, SlidingTortureMix, TorturedWindow};
pub use torture::{Act, Torture, TortureMix};
pub use traffic::{Traffic, TrafficItem};
pub use uart_pins::{PinReader, PinWriter};

use crate::verilator::Design;
use bloomline_hdl::emit::{EmitError, Emitted};
use bloomline_hdl::CardFilter;
use bloomline_spec::ports::{card_ports, every_filter_port, filter_ports, Direction, Port};
use bloomline_spec::Common;
use itertools::Itertools;

/// Every port of a filter around a text, in the order of [`bloomline_spec::ports`]: a filter that lacks some stands in a module of wires that has them.
pub fn design(common: &Common, mut sources: Vec<(String, String)>) -> Design {
    let ports = every_filter_port(common);
    let own = filter_ports(common);
    if own == ports {
        return Design::around(common.name(), Some("clock"), ports, sources);
    }
    let top = format!("{}_bench", common.name());
    sources.push((
        format!("{top}.v"),
        with_every_port(common.name(), &top, &ports, &own),
    ));
    Design::around(&top, Some("clock"), ports, sources)
}

/// The module `top`, which has all of `ports` around `filter`, which has `own`: an input that it lacks goes nowhere, an output is 0.
fn with_every_port(filter: &str, top: &str, ports: &[Port], own: &[Port]) -> String {
    let declared = ports.iter().map(|port| {
        let direction = match port.direction {
            Direction::Input => "input  wire",
            Direction::Output => "output wire",
        };
        let range = match port.width {
            1 => String::new(),
            width => format!("[{}:0] ", width - 1),
        };
        format!("  {direction} {range}{}", port.name)
    });
    let pins = own
        .iter()
        .map(|port| format!("    .{0} ({0})", port.name))
        .join(",\n");
    let (inputs, outputs): (Vec<&Port>, Vec<&Port>) = ports
        .iter()
        .filter(|port| !own.contains(port))
        .partition(|port| port.direction == Direction::Input);
    let unused = inputs.iter().map(|port| &port.name).join(", ");
    let zeros: String = outputs
        .iter()
        .map(|port| format!("  assign {} = {}'d0;\n", port.name, port.width))
        .collect();
    format!(
        "module {top} (\n{}\n);\n  wire unused;\n\n  {filter} filter (\n{pins}\n  );\n\n  assign unused = &{{1'b0, {unused}}};\n{zeros}endmodule\n",
        declared.collect::<Vec<_>>().join(",\n"),
    )
}

/// The design of the card around a filter.
pub fn card_design(common: &Common, sources: Vec<(String, String)>) -> Design {
    let top = format!("{}_card", common.name());
    Design::around(&top, Some("clock"), card_ports(common), sources)
}

/// Emits the filter of `geometry`, of any kind, and wraps it as a design.
///
/// # Errors
/// As [`bloomline_hdl::filter_verilog`].
pub fn emitted_design(geometry: &impl CardFilter) -> Result<(Design, Emitted), EmitError> {
    let emitted = bloomline_hdl::filter_verilog(geometry, "")?;
    let common = geometry.common();
    let file = format!("{}.v", common.name());
    Ok((design(common, vec![(file, emitted.text())]), emitted))
}

/// Emits the card around the filter of `geometry`, of any kind, and wraps it as a design.
///
/// # Errors
/// As [`bloomline_hdl::card_verilog`].
pub fn emitted_card_design(geometry: &impl CardFilter) -> Result<(Design, Emitted), EmitError> {
    let emitted = bloomline_hdl::card_verilog(geometry, "")?;
    let common = geometry.common();
    let file = format!("{}_card.v", common.name());
    Ok((card_design(common, vec![(file, emitted.text())]), emitted))
}
