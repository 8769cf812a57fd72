//! Filter pipelines described in rust-hdl, and the Verilog back end that prints them.

pub mod emit;
pub mod wires;
