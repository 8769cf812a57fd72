//! Filter pipelines described in rust-hdl, and the Verilog back end that prints them.

pub mod bank;
pub mod bus;
pub mod emit;
pub mod hash;
pub mod pipeline;
pub mod recycle;
pub mod shape;
pub mod wires;

/// What a file that describes a block of the filter imports.
pub(crate) mod prelude {
    pub use crate::shape::{ones, width_of, Shape, EPOCH_BITS, OFFSET_BITS, SPARE_EPOCHS, WORD_BITS};
    pub use crate::wires::prelude::*;
}
