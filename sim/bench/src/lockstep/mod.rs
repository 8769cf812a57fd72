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
//! [`compare`] is the engine for any [`Device`]; [`Bench`] is the engine with a [`Simulation`] and the replay. [`Bench::run_ahead`] takes the
//! reference and the stimulus to a thread of their own, where they work in batches ahead of the device.
//! May depend on: [`crate::verilator`], [`crate::built_in`], [`bloomline_toolchain`].

mod ahead;
mod batch;
mod bench;
mod engine;
mod error;
mod lanes;
mod recording;
mod replay;
mod simulation;
mod track;

pub use ahead::{compare_ahead, Ran, Seen};
pub use batch::Failed;
pub use bench::{Bench, LanesRun};
pub use engine::{compare, Clock, Limits, Outcome};
pub use error::{DeviceError, LockstepError, SimulatorError, Waveform};
pub use recording::{Recording, Window};
pub use replay::Replay;
pub use simulation::{Running, Simulation, Simulator};

use crate::verilator::{Sim, VerilatorError};

/// A device under test.
pub trait Device {
    /// Runs one clock: drives `inputs`, reads `outputs` as they are before the clock's edge. Buffers as in
    /// [`crate::verilator::Design`].
    ///
    /// # Errors
    /// When the device cannot go on (a `$fatal`, a lost connection).
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError>;

    /// Runs `clocks` clocks; the buffers hold those of the single clocks one after the other.
    ///
    /// # Errors
    /// As [`Device::step`], with the clock that failed, from 0; the outputs of the clocks before it are in `outputs`.
    fn steps(&mut self, inputs: &[u64], outputs: &mut [u64], clocks: usize) -> Result<(), Failed> {
        let (n, m) = (inputs.len() / clocks.max(1), outputs.len() / clocks.max(1));
        for clock in 0..clocks {
            let (inputs, outputs) = (&inputs[clock * n..][..n], &mut outputs[clock * m..][..m]);
            self.step(inputs, outputs)
                .map_err(|source| Failed { clock, source })?;
        }
        Ok(())
    }
}

impl Device for Sim {
    #[inline]
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        Ok(Sim::step(self, inputs, outputs)?)
    }

    fn steps(&mut self, inputs: &[u64], outputs: &mut [u64], clocks: usize) -> Result<(), Failed> {
        let before = self.cycle();
        self.step_many(inputs, outputs, clocks).map_err(|error| {
            let clock = match &error {
                VerilatorError::Stopped { cycle, .. } | VerilatorError::Finished { cycle, .. } => {
                    cycle.saturating_sub(before)
                }
                _ => 0,
            };
            Failed {
                clock: clock as usize,
                source: error.into(),
            }
        })
    }
}

/// A cycle-accurate model whose outputs are functions of its state alone.
pub trait Reference {
    /// Predicts the outputs of this clock. `care` has a one for every bit that the device must match; both buffers are zero on
    /// entry, so a reference only writes what it means.
    fn outputs(&mut self, outputs: &mut [u64], care: &mut [u64]);

    /// Takes the inputs of this clock and moves to the next.
    fn clock(&mut self, inputs: &[u64]);

    /// How far it is, in whatever it counts: what [`Bench::run_ahead`] tells while it runs.
    fn progress(&self) -> u64 {
        0
    }
}

/// A source of inputs. The same source made from the same seed must give the same inputs.
pub trait Stimulus {
    /// Writes the inputs of this clock, zero on entry; `predicted` are the reference's outputs of this clock. `false` ends the
    /// run before this clock.
    fn next(&mut self, predicted: &[u64], inputs: &mut [u64]) -> bool;
}
