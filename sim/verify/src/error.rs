use crate::stats::StatsError;
use bloomline_bench::built_in::EngineError;
use bloomline_bench::lockstep::LockstepError;
use bloomline_bench::verilator::VerilatorError;
use bloomline_hdl::emit::EmitError;
use bloomline_spec::KeyError;
use bloomline_stimulus::StimulusError;
use bloomline_toolchain::ToolchainError;
use thiserror::Error;

/// Why a verification could not be made.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// Finding, installing or running a tool.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// Building a model for Verilator.
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
    /// A key that does not fit.
    #[error("{source_name}: record {number}: {source}")]
    Key {
        /// The source.
        source_name: String,
        /// The record, from 0.
        number: u64,
        /// What is wrong with it.
        source: KeyError,
    },
    /// More keys than there is memory for.
    #[error("--items {items}: takes about {gigabytes:.0} GB of memory, of which {free_gigabytes:.0} GB are free; give at most {most} items, or make several runs with seeds of their own (`bloomline campaign`)")]
    Memory {
        /// Items asked for.
        items: u64,
        /// What they take.
        gigabytes: f64,
        /// What is free.
        free_gigabytes: f64,
        /// Most items that there is memory for.
        most: u64,
    },
    /// More distinct keys than are told apart.
    #[error("more than 2^32 distinct keys; give fewer --items")]
    TooManyKeys,
    /// The filter lies outside what theory covers.
    #[error("no prediction for this filter: {0}")]
    Theory(#[from] bloomline_theory::TheoryError),
    /// A source without keys.
    #[error("{source_name}: no record has the field that is the key; choose another source or another [key] source")]
    NoKeys {
        /// The source.
        source_name: String,
    },
    /// A source without records.
    #[error("{source_name}: holds no records; name a file that does")]
    NoRecords {
        /// The source.
        source_name: String,
    },
    /// Lanes that cannot be had.
    #[error("--lanes {lanes}: {problem}")]
    Lanes {
        /// Lanes asked for.
        lanes: usize,
        /// Why not, and what to do.
        problem: &'static str,
    },
    /// The gateware cannot be printed.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The built-in simulator does not take the Verilog.
    #[error(transparent)]
    BuiltIn(#[from] EngineError),
    /// A result cannot be written as JSON, which is a fault of this crate.
    #[error("a result cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}
