//! Lockstep simulation of a device and its reference, clock by clock.
//!
//! ```text
//!            predicted outputs                 inputs
//! Reference ────────────────────> Stimulus ──────┬─────────> Device ──> outputs
//!     ^   └──────────────────────────────────────│──────── compare ──────┘
//!     └──────────────────────────────────────────┘
//! ```
//!
//! Stimulus that depends on a handshake reads the *predicted* `ready`, never the device's: a device that differs there is
//! itself a mismatch, and both sides get the same inputs whatever the device does. Everything is a function of one seed, so
//! a run that failed is run again with a waveform open for a window before the mismatch ([`Bench::run`]).
//!
//! [`compare`] is the engine for any [`Device`]; [`Bench`] is the engine with a [`Simulation`] and the replay.
//! May depend on: [`crate::verilator`], [`crate::built_in`], [`bloomline_toolchain`].

mod bench;
mod engine;
mod error;
mod replay;
mod simulation;

pub use bench::Bench;
pub use engine::{compare, Clock, Limits, Outcome};
pub use error::{DeviceError, LockstepError, Waveform};
pub use replay::Replay;
pub use simulation::{Running, Simulation};

use crate::verilator::Sim;

/// A device under test.
pub trait Device {
    /// Runs one clock: drives `inputs`, reads `outputs` as they are before the clock's edge. Buffers as in
    /// [`crate::verilator::Design`].
    ///
    /// # Errors
    /// When the device cannot go on (a `$fatal`, a lost connection).
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError>;
}

impl Device for Sim {
    #[inline]
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        Ok(Sim::step(self, inputs, outputs)?)
    }
}

/// A cycle-accurate model whose outputs are functions of its state alone.
pub trait Reference {
    /// Predicts the outputs of this clock. `care` has a one for every bit that the device must match; both buffers are zero on
    /// entry, so a reference only writes what it means.
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]);

    /// Takes the inputs of this clock and moves to the next.
    fn clock(&mut self, inputs: &[u64]);
}

/// A source of inputs. The same source made from the same seed must give the same inputs.
pub trait Stimulus {
    /// Writes the inputs of this clock, zero on entry; `predicted` are the reference's outputs of this clock. `false` ends the
    /// run before this clock.
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool;
}
