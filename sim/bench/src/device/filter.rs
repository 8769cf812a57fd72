use crate::filter::{emitted_cell_design, emitted_design, emitted_sliding_design};
use crate::verilator::Design;
use bloomline_hdl::emit::EmitError;
use bloomline_spec::{CellGeometry, Common, Geometry, SlidingGeometry};

/// The filter that a card is made of, whatever its kind.
#[derive(Debug, Clone, Copy)]
pub enum CardFilter<'a> {
    /// `recycling`.
    Recycling(&'a Geometry),
    /// `static`, `counting`, `count-min`.
    Cells(&'a CellGeometry),
    /// `sliding`.
    Sliding(&'a SlidingGeometry),
}

impl CardFilter<'_> {
    /// What every kind has.
    pub fn common(&self) -> &Common {
        match self {
            CardFilter::Recycling(geometry) => geometry,
            CardFilter::Cells(geometry) => geometry,
            CardFilter::Sliding(geometry) => geometry,
        }
    }

    /// The emitted Verilog with its ports.
    pub(super) fn design(&self) -> Result<Design, EmitError> {
        let (design, _) = match self {
            CardFilter::Recycling(geometry) => emitted_design(geometry),
            CardFilter::Cells(geometry) => emitted_cell_design(geometry),
            CardFilter::Sliding(geometry) => emitted_sliding_design(geometry),
        }?;
        Ok(design)
    }
}

impl<'a> From<&'a Geometry> for CardFilter<'a> {
    fn from(geometry: &'a Geometry) -> Self {
        CardFilter::Recycling(geometry)
    }
}

impl<'a> From<&'a CellGeometry> for CardFilter<'a> {
    fn from(geometry: &'a CellGeometry) -> Self {
        CardFilter::Cells(geometry)
    }
}

impl<'a> From<&'a SlidingGeometry> for CardFilter<'a> {
    fn from(geometry: &'a SlidingGeometry) -> Self {
        CardFilter::Sliding(geometry)
    }
}
