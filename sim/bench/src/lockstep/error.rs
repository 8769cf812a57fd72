//! Errors of a lockstep run.

use crate::built_in::EngineError;
use crate::verilator::VerilatorError;
use std::path::{Path, PathBuf};

/// Whatever a device says when it cannot go on.
pub type DeviceError = Box<dyn std::error::Error + Send + Sync>;

/// Why a simulator does not take a design, or cannot go on with it.
#[derive(Debug, thiserror::Error)]
pub enum SimulatorError {
    /// The model in Verilator could not be built or opened, or has ended.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
    /// The built-in simulator does not take the design, or its buffers.
    #[error(transparent)]
    BuiltIn(#[from] EngineError),
}

/// The waveform of a failed run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waveform {
    /// The device has none.
    None,
    /// Written to this file.
    Written(PathBuf),
    /// Could not be had: why.
    Failed(String),
}

impl Waveform {
    /// The file, when there is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Waveform::Written(path) => Some(path),
            Waveform::None | Waveform::Failed(_) => None,
        }
    }
}

impl std::fmt::Display for Waveform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Waveform::None => Ok(()),
            Waveform::Written(path) => {
                write!(f, "; waveform of the clocks before it: {}", path.display())
            }
            Waveform::Failed(why) => write!(f, "; no waveform: {why}"),
        }
    }
}

/// Why a lockstep run did not end well.
#[derive(Debug, thiserror::Error)]
pub enum LockstepError {
    /// Device and reference differ.
    #[error("clock {cycle}: port {port}: expected {expected}, got {got} (seed {seed}){waveform}")]
    Mismatch {
        /// The clock, from 0.
        cycle: u64,
        /// The first output port, in the order of the design, that differs.
        port: String,
        /// The reference's value in hexadecimal; digits that hold bits it does not care about are `-`.
        expected: String,
        /// The device's value in hexadecimal.
        got: String,
        /// Seed of the run.
        seed: u64,
        /// The clocks before the mismatch.
        waveform: Waveform,
    },
    /// The device failed.
    #[error("clock {cycle}: {source} (seed {seed}){waveform}")]
    Device {
        /// The clock, from 0.
        cycle: u64,
        /// Seed of the run.
        seed: u64,
        /// What the device said.
        source: DeviceError,
        /// The clocks before the failure.
        waveform: Waveform,
    },
    /// The stimulus did not end in time.
    #[error(
        "the stimulus did not end within {clocks} clocks (seed {seed}); either the reference never becomes ready \
         or Limits::max_clocks is too small"
    )]
    TooLong {
        /// Clocks run.
        clocks: u64,
        /// Seed of the run.
        seed: u64,
    },
    /// The model could not be built or opened.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
    /// The built-in simulator does not take the design.
    #[error(transparent)]
    BuiltIn(#[from] EngineError),
    /// One of many runs at once failed.
    #[error("lane {lane}: {source}")]
    Lane {
        /// Its number, from 0.
        lane: usize,
        /// How it failed.
        source: Box<LockstepError>,
    },
    /// Runs at once that the built-in simulator does not have.
    #[error("{lanes} lanes: the built-in simulator runs 64, 128, 256 or 512 at once; choose one of these")]
    Lanes {
        /// Lanes asked for.
        lanes: usize,
    },
    /// A window of a waveform that ends before it begins.
    #[error("a waveform from clock {from} to clock {to} ends before it begins; give --to {from} or more")]
    Window {
        /// First clock.
        from: u64,
        /// Last clock.
        to: u64,
    },
    /// A waveform of clocks that the run does not have.
    #[error("the run has {clocks} clocks and ended before clock {from}, from which on a waveform was asked for; give a smaller --from or more items")]
    BeyondTheRun {
        /// First clock asked for.
        from: u64,
        /// Clocks of the run.
        clocks: u64,
    },
    /// A waveform that cannot be written.
    #[error("{}: the waveform cannot be written: {reason}; choose another file", path.display())]
    Waves {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
}

impl LockstepError {
    /// The clock of a mismatch or of a device's failure.
    pub fn cycle(&self) -> Option<u64> {
        match self {
            Self::Mismatch { cycle, .. } | Self::Device { cycle, .. } => Some(*cycle),
            Self::Lane { source, .. } => source.cycle(),
            _ => None,
        }
    }

    /// The error of the waveform that a [`super::Recording`] told as its own failure; any other error as it is.
    pub(super) fn or_of_the_waveform(self) -> LockstepError {
        match self {
            Self::Device {
                cycle,
                seed,
                source,
                waveform,
            } => match source.downcast::<LockstepError>() {
                Ok(error) => *error,
                Err(source) => Self::Device {
                    cycle,
                    seed,
                    source,
                    waveform,
                },
            },
            other => other,
        }
    }

    /// The waveform of a mismatch or of a device's failure.
    pub fn waveform(&self) -> Option<&Path> {
        match self {
            Self::Mismatch { waveform, .. } | Self::Device { waveform, .. } => waveform.path(),
            Self::Lane { source, .. } => source.waveform(),
            _ => None,
        }
    }
}
