//! Mutation testing: measures whether lockstep detects small changes of the gateware.
//!
//! yosys changes the emitted Verilog in one bit of one cell's port: inverted, stuck at 0 or 1, or tied to another bit by an
//! exclusive or. All mutants of a filter stand in one text behind an input that selects one of them (0: none). [`hunt`] runs them in
//! lanes, hundreds at once, each against the reference until they differ.
//!
//! A survivor is [`equivalent`] when outputs and next state are those of the unchanged text for *every* state and input, reachable
//! or not (a proof by SAT), or when a search from power-up proves that it never shows. What survives and is not shown equivalent is a hole of the stimulus or
//! beyond these proofs, and is for a person to look at.
//!
//! May depend on: [`crate::lanes`], [`bloomline_bench::lockstep`], [`bloomline_toolchain`].

mod difference;
mod equivalence;
mod error;
mod flat;
mod hunt;
mod list;
mod register_ports;

pub use equivalence::equivalent;
pub use error::MutationError;
pub use hunt::{hunt, Fate, Hunt};
pub use list::{mutate, Mutant, Mutated, Parts};
