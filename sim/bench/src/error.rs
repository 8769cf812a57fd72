//! The crate's error.

use crate::build::BuildError;
use crate::device::CardError;
use crate::figures::FigureError;
use crate::formal::FormalError;
use crate::lockstep::LockstepError;
use crate::report::ReportError;
use crate::stats::StatsError;
use crate::stimulus::StimulusError;
use crate::toolchain::ToolchainError;
use crate::verilator::VerilatorError;

/// Any error of this crate, for callers that go through several of its modules.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Finding, installing or running a tool.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// Building, loading or running a model.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
    /// A lockstep run.
    #[error(transparent)]
    Lockstep(#[from] LockstepError),
    /// A source of keys.
    #[error(transparent)]
    Stimulus(#[from] StimulusError),
    /// A statistic.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// A figure of a paper.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// A formal proof.
    #[error(transparent)]
    Formal(Box<FormalError>),
    /// Building for a board.
    #[error(transparent)]
    Build(Box<BuildError>),
    /// A report.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A simulated card.
    #[error(transparent)]
    Card(Box<CardError>),
}

impl From<CardError> for BenchError {
    fn from(error: CardError) -> Self {
        Self::Card(Box::new(error))
    }
}

impl From<FormalError> for BenchError {
    fn from(error: FormalError) -> Self {
        Self::Formal(Box::new(error))
    }
}

impl From<BuildError> for BenchError {
    fn from(error: BuildError) -> Self {
        Self::Build(Box::new(error))
    }
}
