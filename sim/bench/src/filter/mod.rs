//! The filter under test: its emitted Verilog as a design, its native simulation as a device, its model as the reference, and what drives them.

mod native;
mod reference;
mod torture;
mod traffic;

pub use native::NativeFilter;
pub use reference::ModelReference;
pub use torture::{Torture, TortureMix};
pub use traffic::{Traffic, TrafficItem};

use crate::verilator::{Design, Port};
use bloomline_hdl::emit::{EmitError, Emitted};
use bloomline_model::{ports, Direction};
use bloomline_spec::Geometry;

/// The ports of the filter of `geometry` around a text, in the layout of its model.
pub fn design(geometry: &Geometry, sources: Vec<(String, String)>) -> Design {
    let ports = ports(geometry)
        .into_iter()
        .filter(|port| port.name != "clock")
        .map(|port| match port.direction {
            Direction::Input => Port::input(port.name, port.width as usize),
            Direction::Output => Port::output(port.name, port.width as usize),
        })
        .collect();
    Design {
        top: geometry.name().into(),
        clock: Some("clock".into()),
        sources,
        ports,
    }
}

/// Emits the filter of `geometry` and wraps it as a design.
///
/// # Errors
/// As [`bloomline_hdl::filter_verilog`].
pub fn emitted_design(geometry: &Geometry) -> Result<(Design, Emitted), EmitError> {
    let emitted = bloomline_hdl::filter_verilog(geometry, "")?;
    let file = format!("{}.v", geometry.name());
    Ok((design(geometry, vec![(file, emitted.text())]), emitted))
}
