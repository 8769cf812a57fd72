//! The language that gateware is written in: rust-hdl with values, wires and registers of any width and with bundles
//! ([`wires`]), and the back end that prints it as Verilog ([`emit`]).

extern crate self as bloomline_language; // what the macros write names this crate

pub mod emit;
pub mod wires;
