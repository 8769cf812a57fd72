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
pub use sliding_torture::{SlidingTorture, SlidingTortureMix, TorturedWindow};
pub use torture::{Act, Torture, TortureMix};
pub use traffic::{Traffic, TrafficItem};
pub use uart_pins::{PinReader, PinWriter};

use crate::verilator::Design;
use bloomline_hdl::emit::{EmitError, Emitted};
use bloomline_hdl::CardFilter;
use bloomline_spec::ports::{card_ports, filter_ports};
use bloomline_spec::Common;

/// The ports of a filter around a text, in the order of [`bloomline_spec::ports`].
pub fn design(common: &Common, sources: Vec<(String, String)>) -> Design {
    Design::around(common.name(), Some("clock"), filter_ports(common), sources)
}

/// The same for the card of a filter.
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
