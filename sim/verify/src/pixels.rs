//! The unit of drawings: plotters has whole coordinates alone, and a curve of whole pixels trembles.

/// Units of a drawing a pixel.
pub(crate) const PIXEL: u32 = 10;

/// Units of so many pixels.
pub(crate) const fn units(pixels: i32) -> i32 {
    pixels * PIXEL as i32
}
