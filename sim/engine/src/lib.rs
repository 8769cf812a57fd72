//! Compiled simulation of the Verilog that Bloomline emits, in this process and without a compiler.
//!
//! ```text
//! text ──lexer──parser──> modules ──elaborate──> Netlist (words of at most 64 bits, hash-consed)
//!                                                  ├──> Sim: one run, as batches of word operations
//!                                                  └──> Lanes: 64 to 512 runs at once, one bit a lane
//! ```
//!
//! The reader of Verilog shares no code with the back end that prints it, so it also checks it. It reads the language of the emitted
//! text (instances, `localparam`, functions with `case`, processes of several clocks, asynchronous resets, memories, `initial`)
//! with the widths and signs of IEEE 1364-2005 and refuses everything else with file, line, column and construct.
//!
//! Registers and memories that the text does not initialise start as [`Initial`] says. A memory or bit selected beyond its end
//! reads zero, and a write there does nothing, as in Verilator.

mod design;
mod elaborate;
mod error;
mod gates;
mod ir;
mod lanes;
mod lexer;
mod parser;
mod program;
mod syntax;
mod waves;
mod word;

pub use design::{Design, Initial};
pub use error::{EngineError, Place};
pub use ir::Port;
pub use lanes::{LaneCount, Lanes};
pub use waves::Waves;
pub use word::Sim;
