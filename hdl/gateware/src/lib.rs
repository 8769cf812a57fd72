//! Filter pipelines, described in [`bloomline_language`].

// In a kernel a condition that is decided when the block is built stands by itself, around one of signals.
#![allow(clippy::collapsible_if, clippy::collapsible_else_if)]

#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod bank;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod bus;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod card;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod cells;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod cuckoo;
mod generate;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod hash;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod host_port;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod in_place;
pub mod interface;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod linecard;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod mac;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod packet;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod pipeline;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod recycle;
pub mod shape;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod shared_array;
mod shell;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod sliding;
#[allow(missing_docs)] // a port's documentation is its `.doc()`, which reaches the Verilog
pub mod spare_half;

pub use bloomline_language::emit;
use bloomline_language::wires;
pub use generate::{
    card_verilog, design_verilog, filter_verilog, linecard_verilog, path_verilog, CardFilter,
};
pub use shell::shipped;

/// What a file that describes a block of the filter imports.
pub(crate) mod prelude {
    pub use crate::interface::*;
    pub use crate::shape::{
        ones, width_of, CellShape, Shape, EPOCH_BITS, KEYED_STATUS_BITS, OFFSET_BITS, SPARE_EPOCHS,
        STATUS_BITS, TURNING_STATUS_BITS, TURNS_BITS, WORD_BITS,
    };
    pub use crate::wires::prelude::*;
    pub use bloomline_spec::counted;
}
