//! Errors of mutation testing.

use bloomline_bench::lockstep::LockstepError;
use bloomline_bench::verilator::VerilatorError;
use bloomline_toolchain::ToolchainError;
use std::path::PathBuf;

/// Why mutants could not be made or run. A mutant that is killed is no error: see [`super::Fate`].
#[derive(Debug, thiserror::Error)]
pub enum MutationError {
    /// A tool is missing or refuses the text.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// The mutated text cannot be built or opened.
    #[error(transparent)]
    Verilator(#[from] VerilatorError),
    /// A run ended with something else than a mismatch.
    #[error("mutant {number}: {source}")]
    Run {
        /// The mutant.
        number: u32,
        /// What the run said.
        #[source]
        source: LockstepError,
    },
    /// yosys listed something that is no mutation.
    #[error("yosys listed {line:?}, which is no mutation; expected `mutate -ctrl NAME WIDTH VALUE -mode ..`")]
    List {
        /// The line.
        line: String,
    },
    /// A file could not be written or read.
    #[error("cannot {action} {}: {source}; check the folder's space and rights", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: std::io::Error,
    },
}
