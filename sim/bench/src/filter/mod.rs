//! The filter under test: its emitted Verilog as a design, its native simulation as a device, its model as the reference, and what drives them.

mod cell_torture;
mod native;
mod offers;
mod reference;
mod sliding_torture;
mod torture;
mod traffic;

pub use cell_torture::{CellTorture, CellTortureMix};
pub use native::{NativeCellFilter, NativeFilter, NativeSlidingFilter};
pub use reference::{CellReference, ClockedModel, ModelReference, PackedModel, SlidingReference};
pub use sliding_torture::{SlidingTorture, SlidingTortureMix};
pub use torture::{Torture, TortureMix};
pub use traffic::{Traffic, TrafficItem};

use crate::verilator::{Design, Port};
use bloomline_hdl::emit::{EmitError, Emitted};
use bloomline_model::{ports, Direction};
use bloomline_spec::{CellGeometry, Common, Geometry, SlidingGeometry};

/// The ports of a filter around a text, in the layout of its model.
pub fn design(common: &Common, sources: Vec<(String, String)>) -> Design {
    let ports = ports(common)
        .into_iter()
        .filter(|port| port.name != "clock")
        .map(|port| match port.direction {
            Direction::Input => Port::input(port.name, port.width as usize),
            Direction::Output => Port::output(port.name, port.width as usize),
        })
        .collect();
    Design {
        top: common.name().into(),
        clock: Some("clock".into()),
        sources,
        ports,
    }
}

/// The same for a filter of cells.
pub fn cell_design(geometry: &CellGeometry, sources: Vec<(String, String)>) -> Design {
    design(geometry, sources)
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

/// Emits the sliding-window filter of `geometry` and wraps it as a design.
///
/// # Errors
/// As [`bloomline_hdl::sliding_verilog`].
pub fn emitted_sliding_design(geometry: &SlidingGeometry) -> Result<(Design, Emitted), EmitError> {
    let emitted = bloomline_hdl::sliding_verilog(geometry, "")?;
    let file = format!("{}.v", geometry.name());
    Ok((design(geometry, vec![(file, emitted.text())]), emitted))
}

/// The same for a filter of cells.
///
/// # Errors
/// As [`bloomline_hdl::cell_verilog`].
pub fn emitted_cell_design(geometry: &CellGeometry) -> Result<(Design, Emitted), EmitError> {
    let emitted = bloomline_hdl::cell_verilog(geometry, "")?;
    let file = format!("{}.v", geometry.name());
    Ok((cell_design(geometry, vec![(file, emitted.text())]), emitted))
}
