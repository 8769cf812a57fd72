//! Parallel fault simulation: many variants of one design run at once, one in each lane of the many-lane engine.
//!
//! [`first_differences`]: all lanes get the inputs of one lockstep run, and each is compared with the reference on every clock. Lane 0 is the design as it
//! is. Every other lane carries one change: an edit of the text, chosen by a one-bit signal that is 1 in that lane alone
//! ([`LaneDesign`]), or a bit that is flipped between two clocks.
//!
//! [`lockstep`]: every lane is a run of its own, with its own reference and stimulus.
//!
//! May depend on: [`bloomline_engine`], [`bloomline_bench::lockstep`].

mod compare;
mod lockstep;
mod sites;

pub use compare::{first_differences, Difference, LanesError};
pub use lockstep::lockstep;
pub use sites::LaneDesign;
