//! The verbs, one file each. A verb reads its arguments, lets the library crates work, and prints.

pub mod build;
pub mod device;
pub mod emit;
pub mod figures;
pub mod plan;
pub mod prove;
pub mod quickstart;
pub mod serve;
pub mod size;
pub mod tools;
pub mod verify;

use crate::output::{Ending, Output};

/// What to do.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Size, emit and simulate the example filter; needs nothing but Rust
    Quickstart(quickstart::Cmd),
    /// Predict a filter's numbers, each with the formula it comes from
    Plan(plan::Cmd),
    /// Solve for the sizes of a filter from what is wanted of it
    Size(size::Cmd),
    /// Write a filter's Verilog, manifest, FuseSoC core and register map
    Emit(emit::Cmd),
    /// Simulate a filter's gateware against its model, and its rates against theory
    Verify(verify::Cmd),
    /// Prove properties of a filter's emitted Verilog with a solver
    Prove(prove::Cmd),
    /// Build a card for a board: synthesis, placing and routing, bitstream
    Build(build::Cmd),
    /// Repeat the papers' experiments: simulation beside prediction, as SVG and CSV
    Figures(figures::Cmd),
    /// Drive a card: keys, settings, counters, snapshots
    Device(device::Cmd),
    /// Let other programs have a simulated card, over a pseudo-terminal or UDP
    Serve(serve::Cmd),
    /// Install or examine the external tools
    Tools(tools::Cmd),
}

impl Verb {
    /// Runs the verb.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        match self {
            Verb::Quickstart(cmd) => cmd.run(output),
            Verb::Plan(cmd) => cmd.run(output),
            Verb::Size(cmd) => cmd.run(output),
            Verb::Emit(cmd) => cmd.run(output),
            Verb::Verify(cmd) => cmd.run(output),
            Verb::Prove(cmd) => cmd.run(output),
            Verb::Build(cmd) => cmd.run(output),
            Verb::Figures(cmd) => cmd.run(output),
            Verb::Device(cmd) => cmd.run(output),
            Verb::Serve(cmd) => cmd.run(output),
            Verb::Tools(cmd) => cmd.run(output),
        }
    }
}
