//! From a geometry to Verilog.

use crate::emit::{self, EmitError, Emitted, Options};
use crate::pipeline::RecyclingFilter;
use bloomline_spec::Geometry;
use rust_hdl::prelude::Block;

/// The Verilog of the filter of `geometry`. Every module starts with `header` as a comment.
///
/// # Errors
/// [`EmitError`] when a block says something that the back end cannot print; that is a fault of the gateware, not of the geometry.
pub fn filter_verilog(geometry: &Geometry, header: &str) -> Result<Emitted, EmitError> {
    let mut filter = RecyclingFilter::new(geometry);
    filter.connect_all();
    emit::verilog(
        &filter,
        geometry.name(),
        &Options {
            header: header.into(),
        },
    )
}
