//! Errors of a packet-path run.

use crate::lockstep::{DeviceError, Waveform};
use crate::verilator::VerilatorError;
use bloomline_spec::FrameClass;
use std::path::PathBuf;

/// What was wrong in a run, without where.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// Another frame left than the one whose turn it was.
    #[error("frame {number}, class {class}, {offered}: expected {expected}, got {got}")]
    Frame {
        /// Its number among the frames that came, from 0.
        number: u64,
        /// Its class, by the model.
        class: FrameClass,
        /// Its bytes as it came, in hexadecimal.
        offered: String,
        /// What may leave in its place.
        expected: String,
        /// The bytes that left.
        got: String,
    },
    /// A frame left although none was under way.
    #[error("a frame left and none was under way: {got}")]
    Unexpected {
        /// The bytes that left.
        got: String,
    },
    /// A frame never left.
    #[error("frame {number}, class {class}: never left in {clocks} clocks; expected {expected}")]
    Missing {
        /// Its number among the frames that came, from 0.
        number: u64,
        /// Its class, by the model.
        class: FrameClass,
        /// What ought to leave in its place.
        expected: String,
        /// Clocks that it had for it.
        clocks: u64,
    },
    /// A port broke a rule of its protocol.
    #[error("{port}: {rule}; got {got}")]
    Protocol {
        /// The port.
        port: &'static str,
        /// The rule.
        rule: &'static str,
        /// What it showed.
        got: String,
    },
    /// A register held something else, or answered otherwise.
    #[error("register 0x{address:03x}: {what}: expected {expected}, got {got}")]
    Register {
        /// Its byte address.
        address: u32,
        /// Which access or value.
        what: &'static str,
        /// What the model says.
        expected: String,
        /// What the device said.
        got: String,
    },
    /// The device failed.
    #[error("{0}")]
    Device(DeviceError),
}

/// Why a run did not end well.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// Device and model differ, or a rule was broken.
    #[error("clock {clock}: {problem} (seed {seed}){waveform}")]
    Failed {
        /// The clock, from 0.
        clock: u64,
        /// What was wrong.
        problem: Box<Problem>,
        /// Seed of the run.
        seed: u64,
        /// The clocks before it.
        waveform: Waveform,
    },
    /// The specification has no `[packet]` section, or not one of the filter that was given.
    #[error("{name}: no packet path to run; add [packet] to the specification")]
    NoPath {
        /// Name of the filter.
        name: String,
    },
    /// The design could not be built, opened, or lacks a port.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
    /// A capture could not be written.
    #[error("cannot write the capture {}: {why}", path.display())]
    Capture {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
}

impl PathError {
    /// The clock and what was wrong in it, of a run that failed.
    pub fn failed(&self) -> Option<(u64, &Problem)> {
        match self {
            PathError::Failed { clock, problem, .. } => Some((*clock, problem)),
            _ => None,
        }
    }
}

/// The bytes of a frame, the first few of a long one.
pub fn hexadecimal(bytes: &[u8]) -> String {
    const MOST: usize = 160;
    let digits: String = bytes
        .iter()
        .take(MOST)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let rest = if bytes.len() > MOST { ".." } else { "" };
    format!("{} bytes {digits}{rest}", bytes.len())
}
