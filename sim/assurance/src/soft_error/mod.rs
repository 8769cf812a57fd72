//! Soft errors: the effect of a single flipped bit in an emitted filter.
//!
//! Memory: [`Flippable`] writes a second text of a design, for simulation alone, in which inputs flip a bit of a memory word; [`Flipping`] drives them and
//! [`Flipped`] tells the model, so lockstep goes on; [`Flippable::in_flat`] does the same to a flat text, of mutants. Registers: [`run_with_flips`] inverts a bit of a register between two
//! clocks, a different one in every lane, and [`Workload`] compares the verdicts of each run with those of a run without. The emitted text stays as it is.
//!
//! May depend on: [`bloomline_bench::filter`], [`bloomline_bench::lockstep`], [`bloomline_engine`], [`bloomline_bench::verilator`].

mod drive;
mod error;
mod judge;
mod memory;
mod registers;
mod workload;

pub use drive::{FlipMix, Flipped, Flipping};
pub use error::SoftErrorError;
pub use judge::Effect;
pub use memory::{Flippable, FLIP_INPUTS};
pub use registers::{register_bits, run_with_flips, RegisterBit, RegisterGroup};
pub use workload::{Run, Session, Workload};
