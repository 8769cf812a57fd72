//! From a geometry to Verilog.

use crate::emit::{self, EmitError, Emitted, Options};
use crate::folded::FoldedFilter;
use crate::pipeline::{CellFilter, RecyclingFilter, SlidingFilter};
use bloomline_spec::{CellGeometry, Geometry, Layout, SlidingGeometry};
use rust_hdl::prelude::Block;

/// The Verilog of the recycling filter of `geometry`, in either layout. Every module starts with `header` as a comment.
///
/// # Errors
/// [`EmitError`] when a block says something that the back end cannot print; that is a fault of the gateware, not of the geometry.
pub fn filter_verilog(geometry: &Geometry, header: &str) -> Result<Emitted, EmitError> {
    match geometry.layout() {
        Layout::Partitioned => print(RecyclingFilter::new(geometry), geometry.name(), header),
        Layout::Shared => print(FoldedFilter::new(geometry), geometry.name(), header),
    }
}

/// The Verilog of a static filter, a counting filter or a Count-Min sketch. Every module starts with `header` as a comment.
///
/// # Errors
/// As [`filter_verilog`].
pub fn cell_verilog(geometry: &CellGeometry, header: &str) -> Result<Emitted, EmitError> {
    print(CellFilter::new(geometry), geometry.name(), header)
}

/// The Verilog of a sliding-window filter. Every module starts with `header` as a comment.
///
/// # Errors
/// As [`filter_verilog`].
pub fn sliding_verilog(geometry: &SlidingGeometry, header: &str) -> Result<Emitted, EmitError> {
    print(SlidingFilter::new(geometry), geometry.name(), header)
}

fn print(mut filter: impl Block, name: &str, header: &str) -> Result<Emitted, EmitError> {
    filter.connect_all();
    emit::verilog(
        &filter,
        name,
        &Options {
            header: header.into(),
        },
    )
}
