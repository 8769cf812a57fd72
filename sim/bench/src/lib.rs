//! Testbenches: emitted Verilog compared with its reference on every clock.
//!
//! ```text
//!  verilator   a design as a shared library: build once, load, step, draw
//!  built_in    a design in the built-in simulator
//!  undefined   random words where block RAM gives undefined ones
//!      ^
//!  lockstep    device and reference clock by clock; a mismatch is replayed into a waveform
//!      ^
//!  filter      a filter or its card: torture, traffic, models as references
//!  path        a packet path frame by frame
//!  rgmii       the pins between a MAC and its PHY
//! ```
//!
//! Arrows are dependencies. `verilator` and `lockstep` know no filter: what a key or a reference is comes from the crates of the
//! specification and the model.
//!
//! A design is simulated like this:
//!
//! ```
//! use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Port};
//! use bloomline_toolchain::{Program, Toolchain};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
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

pub mod built_in;
pub mod filter;
pub mod lockstep;
pub mod path;
pub mod rgmii;
pub mod undefined;
pub mod verilator;
