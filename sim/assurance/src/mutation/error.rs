//! Errors of mutation testing.

use crate::lanes::LanesError;
use bloomline_toolchain::ToolchainError;
use std::path::PathBuf;

/// Why mutants could not be made or run. A mutant that is killed is no error: see [`super::Fate`].
#[derive(Debug, thiserror::Error)]
pub enum MutationError {
    /// A tool is missing or refuses the text.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// The mutated text cannot be simulated, or differs from the reference without any mutant.
    #[error(transparent)]
    Lanes(#[from] LanesError),
    /// yosys printed a line that is not known.
    #[error("yosys printed {line:?}, which cannot be rewritten for the built-in simulator; report it with the specification")]
    Text {
        /// The line.
        line: String,
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
