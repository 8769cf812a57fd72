//! The verbs, one file each. A verb reads its arguments, lets the library crates work, and prints.

pub mod build;
pub mod campaign;
pub mod completions;
pub mod device;
pub mod emit;
pub mod examples;
pub mod explain;
pub mod figures;
pub mod man;
pub mod new;
pub mod plan;
pub mod program;
pub mod prove;
pub mod quickstart;
pub mod schema;
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
    /// Write a commented specification of a filter from what is wanted of it
    New(new::Cmd),
    /// List the example specifications that come with the command, or write them into a folder
    Examples(examples::Cmd),
    /// Explain a key of a specification: type, unit, default, rule, effect, example
    Explain(explain::Cmd),
    /// Print the JSON Schema of a specification, for editors
    Schema(schema::Cmd),
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
    /// Load the bitstream of a build into its board
    Program(program::Cmd),
    /// Repeat the papers' experiments: simulation beside prediction, as SVG and CSV
    Figures(figures::Cmd),
    /// Plan, run and merge many independent runs, here or on a batch system
    Campaign(campaign::Cmd),
    /// Drive a card: keys, settings, counters, snapshots
    Device(device::Cmd),
    /// Let other programs have a simulated card, over a pseudo-terminal or UDP
    Serve(serve::Cmd),
    /// Install or examine the external tools
    Tools(tools::Cmd),
    /// Print a script that completes the command's words in a shell
    Completions(completions::Cmd),
    /// Write manual pages, one for each verb
    Man(man::Cmd),
}

impl Verb {
    /// Runs the verb.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        match self {
            Verb::Quickstart(cmd) => cmd.run(output),
            Verb::New(cmd) => cmd.run(output),
            Verb::Examples(cmd) => cmd.run(output),
            Verb::Explain(cmd) => cmd.run(output),
            Verb::Schema(cmd) => cmd.run(output),
            Verb::Plan(cmd) => cmd.run(output),
            Verb::Size(cmd) => cmd.run(output),
            Verb::Emit(cmd) => cmd.run(output),
            Verb::Verify(cmd) => cmd.run(output),
            Verb::Prove(cmd) => cmd.run(output),
            Verb::Build(cmd) => cmd.run(output),
            Verb::Program(cmd) => cmd.run(output),
            Verb::Figures(cmd) => cmd.run(output),
            Verb::Campaign(cmd) => cmd.run(output),
            Verb::Device(cmd) => cmd.run(output),
            Verb::Serve(cmd) => cmd.run(output),
            Verb::Tools(cmd) => cmd.run(output),
            Verb::Completions(cmd) => cmd.run(output),
            Verb::Man(cmd) => cmd.run(output),
        }
    }
}
