//! The bench: everything that runs emitted Verilog against its reference and judges what comes out.
//!
//! ```text
//!  toolchain   pinned tools: find, install, run
//!      ^
//!  verilator   a design as a shared library: build once, load, step, draw
//!      ^
//!  lockstep    device and reference clock by clock; a mismatch is replayed into a waveform
//!
//!  stats       intervals, the rate over recycle cycles, the state test, verdicts
//!      ^
//!  report      one HTML file of a verification
//!  formal      properties of the emitted Verilog, proved
//!  build       boards as data; Verilog to a bitstream
//!  figures     the papers' experiments: simulation beside prediction
//!  path        a packet path frame by frame
//!  rgmii       the pins between a MAC and its PHY
//!  linecard    a line card frame by frame, from the pins of its PHYs and its UART
//!  soft_error  bits of memory and registers flipped in simulation
//!  device      a filter in Verilator as a card: registers for the driver, keys and verdicts, served to other programs
//! ```
//!
//! Arrows are dependencies; `stats` stands alone; keys (`stimulus`) are a crate of their own. But for `device` and `soft_error` none of these modules knows a filter: what a key, a reference or
//! a prediction is comes from the crates of the specification, the model and the theory, and meets them in the code that
//! verifies a filter.
//!
//! A design is simulated like this:
//!
//! ```
//! use bloomline_bench::toolchain::{Program, Toolchain};
//! use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Port};
//!
//! # fn main() -> Result<(), bloomline_bench::BenchError> {
//! let toolchain = Toolchain::discover()?;
//! toolchain.find_or_install(Program::Verilator, &|progress| eprintln!("{progress}"))?;
//! let text = "module inv(input wire clock, input wire [99:0] a, output reg [99:0] q);
//!             always @(posedge clock) q <= ~a; endmodule";
//! let design = Design {
//!     top: "inv".into(),
//!     clock: Some("clock".into()),
//!     sources: vec![("inv.v".into(), text.into())],
//!     ports: vec![Port::input("a", 100), Port::output("q", 100)],
//! };
//! let library = Library::build(&toolchain, &design, &BuildOptions::default())?;
//! let mut sim = library.open(Initial::Random(1))?;
//! let mut outputs = vec![0; design.output_words()];
//! sim.step(&[5, 0], &mut outputs)?;
//! sim.step(&[0, 0], &mut outputs)?;
//! assert_eq!(outputs, [!5, (1 << 36) - 1]);
//! # Ok(())
//! # }
//! ```

pub mod build;
pub mod device;
pub mod figures;
pub mod filter;
pub mod formal;
pub mod linecard;
pub mod lockstep;
pub mod mutation;
pub mod path;
pub mod report;
pub mod rgmii;
pub mod soft_error;
pub mod stats;
pub mod toolchain;
pub mod verify;
pub mod verilator;

mod error;
mod whole_file;

pub use bloomline_stimulus as stimulus;
pub use error::BenchError;
