//! A Verilog design compiled by Verilator and loaded as a shared library.
//!
//! Published crates were tried first: `verilated` and `verilator` do not compile against Verilator 5; `marlin` runs at
//! 84-154 thousand clocks a second where a plain C++ loop runs 1.8 million, trusts file times for its cache, and has no
//! tracing at run time. So this is a small loader of our own.
//!
//! ```text
//! Design ──verilator_bin --cc──> C++ ──┐
//!   └──────── shim.cpp (generated) ────┤ g++ (one unit)
//!             runtime.o (once) ────────┴──> model.so ──dlopen──> Sim::step(&[u64], &mut [u64])
//! ```
//!
//! One call a clock moves all ports as packed words, see [`Design`] for the layout and [`Sim::step`] for what happens in a
//! clock. Models are cached by a hash of everything that goes into them. `$fatal`, `$stop`, failing assertions and
//! `$finish` end a [`Sim`] with an error and leave the process alone.
//!
//! May depend on: [`bloomline_toolchain`].

mod cache;
mod check;
mod coverage;
mod design;
mod error;
mod library;
mod metadata;
mod runtime;
mod shim;
mod sim;

pub use check::{icarus_accepts, lint, Warning};
pub use coverage::{Coverage, CoverageKind, CoveragePoint, CoverageShare};
pub use design::{words_of_bits, Design, Direction, Port, MAX_PORT_BITS};
pub use error::VerilatorError;
pub use library::{cxx_arguments, verilator_arguments, BuildOptions, Library, Optimisation};
pub use sim::{Initial, Sim};
