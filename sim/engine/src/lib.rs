//! Compiled simulation of the Verilog that Bloomline emits, in this process and without a compiler.
//!
//! ```text
//! text ──lexer──parser──> modules ──elaborate──> Netlist (words of at most 64 bits, hash-consed)
//!                                                  ├──> Sim: one run, as batches of word operations or as machine code
//!                                                  └──> Lanes: 64 to 512 runs at once, one bit a lane
//! ```
//!
//! [`Design::open_jit`] compiles the one-lane engine to machine code with Cranelift; it needs cargo feature `jit`. [`Design::run_groups`] runs
//! groups of lanes on several threads.
//!
//! The reader of Verilog shares no code with the back end that prints it, so it also checks it. It reads the language of the emitted
//! text (instances, `localparam`, functions with `case`, processes of several clocks, asynchronous resets, memories, `initial`)
//! with the widths and signs of IEEE 1364-2005 and refuses everything else with file, line, column and construct.
//!
//! ```
//! use bloomline_engine::{Design, Initial};
//!
//! let text = "module half (input wire clock, input wire on, output wire q);
//!   reg r;
//!   initial r = 1'b0;
//!   always @(posedge clock) if (on) r <= !r;
//!   assign q = r;
//! endmodule";
//! let design = Design::read(&[("half.v".into(), text.into())], "half", Some("clock"))?;
//! let mut sim = design.open(Initial::Zeros);
//! let mut outputs = [0];
//! for expected in [0, 1, 0] {
//!     sim.step(&[1], &mut outputs)?;
//!     assert_eq!(expected, outputs[0]);
//! }
//! # Ok::<(), bloomline_engine::EngineError>(())
//! ```
//!
//! # Semantics
//!
//! After a change of the inputs the logic settles; then every process whose edge has come computes its registers' next values from
//! the settled state, and all take them together, memories included; so a memory read and written at one address in one clock
//! gives its old word. That repeats until no edge is left, so clocks and asynchronous resets may come from registers. A clock edge together
//! with a change of other inputs sees their new values. This is what Verilator does.
//!
//! Registers and memories that the text does not initialise start as [`Initial`] says. A memory or bit selected beyond its end
//! reads zero, and a write there does nothing.
//!
//! # Limits
//!
//! A signal has at most 65,536 bits. Registers are clocked by edges of single-bit signals. [`Design::open_lanes`] refuses a design whose clocks or
//! asynchronous resets depend on registers that they clock. A loop through different bits of one `assign` counts as a combinational loop and
//! is refused.

mod area;
mod compiled;
mod design;
mod elaborate;
mod error;
mod flat;
mod gates;
mod initial;
mod ir;
#[cfg(feature = "jit")]
mod jit;
mod lanes;
mod lexer;
mod machine;
mod parser;
mod program;
mod registers;
mod syntax;
mod waves;
mod word;

pub use area::{BlockRams, Census, Fabric};
pub use design::Design;
pub use error::{EngineError, Place};
pub use initial::Initial;
pub use ir::Port;
pub use lanes::{Groups, LaneCount, Lanes};
pub use registers::RegisterName;
pub use waves::Waves;
pub use word::Sim;
