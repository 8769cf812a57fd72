//! Errors of a line card's run.

use bloomline_bench::lockstep::{SimulatorError, Waveform};
use bloomline_bench::path::Problem;
use bloomline_bench::verilator::VerilatorError;
use bloomline_hdl::emit::EmitError;

/// Why a run did not end well.
#[derive(Debug, thiserror::Error)]
pub enum LineCardError {
    /// Device and model differ, or a rule was broken.
    #[error("clock {clock}{}: {problem} (seed {seed}){waveform}", direction(*lane))]
    Failed {
        /// The clock of the card, from 0.
        clock: u64,
        /// The lane in which it was, if it was in one: lane i is from port i to port 1 - i.
        lane: Option<usize>,
        /// What was wrong.
        problem: Box<Problem>,
        /// Seed of the run.
        seed: u64,
        /// The clocks before it.
        waveform: Waveform,
    },
    /// The specification is not that of a line card.
    #[error("{name}: no line card to run; say ports = \"rgmii\" in [packet] of the specification")]
    NoLineCard {
        /// Name of the filter.
        name: String,
    },
    /// The specification has no host port.
    #[error("{name}: no host port to serve; add [packet.host] to the specification")]
    NoHostPort {
        /// Name of the filter.
        name: String,
    },
    /// The filter does not come out of its reset, or its host port does not answer.
    #[error("{name}: over Ethernet no STATUS said that it runs, {clocks} clocks after power-up; simulate the card (bloomline verify) to find out why")]
    NotRunning {
        /// Name of the filter.
        name: String,
        /// Clocks since power-up.
        clocks: u64,
    },
    /// The gateware cannot be printed.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The design could not be built, opened, or lacks a port.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
    /// The simulator does not take the design, or the simulation has ended.
    #[error(transparent)]
    Simulator(#[from] SimulatorError),
}

impl LineCardError {
    /// The clock, the lane and what was wrong, of a run that failed.
    pub fn failed(&self) -> Option<(u64, Option<usize>, &Problem)> {
        match self {
            LineCardError::Failed {
                clock,
                lane,
                problem,
                ..
            } => Some((*clock, *lane, problem)),
            _ => None,
        }
    }
}

/// From where to where a lane goes, for a message.
fn direction(lane: Option<usize>) -> String {
    match lane {
        Some(lane) => format!(", port {lane} to port {}", 1 - lane),
        None => String::new(),
    }
}
