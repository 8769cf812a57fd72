//! The second tier of tests: every claim of the page "How we know" at full strength, as `cargo run --release -p bloomline-tests --bin claims`
//! runs them.
//!
//! `tests/claims.toml` is the table of claims. A claim names tests of the workspace, which are the same binaries that `cargo test` runs, and
//! commands. Each of its checks runs in a process of its own, so that a panic, a hang or a lack of memory ends that check alone, and its result is
//! written to a journal at once, so that a run that was killed goes on where it stopped.

mod checks;
mod journal;
mod order;
mod report;
mod run;
mod table;
mod tree;

pub use checks::{expand, Binaries, Check, Step};
pub use journal::{Entry, Journal, Verdict};
pub use order::{most_urgent_first, shard};
pub use report::{markdown, result_of};
pub use run::{run, Manner, Place, Summary};
pub use table::{Claim, Strength, Table};
pub use tree::{changed_files, fingerprint};

/// What keeps claims from being run; each says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ClaimsError {
    /// The table is not one.
    #[error("tests/claims.toml: {0}")]
    Table(String),
    /// An option names nothing.
    #[error("{0}")]
    Usage(String),
    /// The tests could not be built.
    #[error("{command} failed ({status}): the tests do not compile; run it by itself to see why")]
    Build {
        /// The command.
        command: String,
        /// How it ended.
        status: String,
    },
    /// A program could not be started.
    #[error("{program} does not start: {source}")]
    Start {
        /// Its name.
        program: String,
        /// The system's reason.
        #[source]
        source: std::io::Error,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// The file.
        path: std::path::PathBuf,
        /// The system's reason.
        #[source]
        source: std::io::Error,
    },
}

impl ClaimsError {
    fn file(path: impl Into<std::path::PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }
}
