//! The unit of drawings. plotters has integer coordinates only: in units of a pixel curves have visible steps.

/// Units of a drawing per pixel.
pub(crate) const PIXEL: u32 = 10;

/// Units of so many pixels.
pub(crate) const fn units(pixels: i32) -> i32 {
    pixels * PIXEL as i32
}
