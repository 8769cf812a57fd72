//! Soft errors: the effect of a single flipped bit in an emitted filter.
//!
//! Memory: [`Flippable`] writes a second text of a design, for simulation alone, in which inputs flip a bit of a memory word; [`Flipping`] drives them and
//! [`Flipped`] tells the model, so lockstep goes on; [`Flippable::in_flat`] does the same to a flat text, of mutants. Registers: [`flip_registers`] lets yosys invert what a register loads in one clock, and
//! [`Workload`] compares the verdicts of such a run with the model's. The emitted text stays as it is.
//!
//! May depend on: [`bloomline_bench::filter`], [`bloomline_bench::lockstep`], [`crate::mutation`], [`bloomline_bench::verilator`].

mod drive;
mod error;
mod judge;
mod memory;
mod registers;

pub use drive::{FlipMix, Flipped, Flipping};
pub use error::SoftErrorError;
pub use judge::{Effect, Run, Workload};
pub use memory::{Flippable, FLIP_INPUTS};
pub use registers::{flip_registers, RegisterFlip, RegisterGroup};
