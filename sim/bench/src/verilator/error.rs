//! Errors of building, loading and running a model.

use bloomline_toolchain::ToolchainError;
use std::path::PathBuf;

/// What can go wrong between a Verilog text and a running model.
#[derive(Debug, thiserror::Error)]
pub enum VerilatorError {
    /// A tool is missing or failed to start.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// The [`super::Design`] contradicts itself.
    #[error("design {top}: {problem}")]
    Design {
        /// Top module.
        top: String,
        /// The rule that is broken and the value that breaks it.
        problem: String,
    },
    /// Verilator refused the Verilog.
    #[error("design {top}: verilator refused it:\n{log}")]
    Verilate {
        /// Top module.
        top: String,
        /// Verilator's messages.
        log: String,
    },
    /// g++ refused the generated C++; most often the compiler is too old or extra flags are wrong.
    #[error("design {top}: the C++ compiler refused the generated model:\n{log}")]
    Compile {
        /// Top module, or "the Verilated runtime".
        top: String,
        /// The compiler's messages.
        log: String,
    },
    /// A declared port is not in the built model.
    #[error("design {top}: port {port} is declared but the model has none of that name; it has {available}")]
    PortMissing {
        /// Top module.
        top: String,
        /// The declared port.
        port: String,
        /// The model's ports.
        available: String,
    },
    /// A declared port differs from the built model's.
    #[error("design {top}: port {port} is declared as {declared}, the built model has {built}")]
    PortMismatch {
        /// Top module.
        top: String,
        /// The port.
        port: String,
        /// Direction and width of the declaration.
        declared: String,
        /// Direction and width of the built model.
        built: String,
    },
    /// The built model has a port that nobody would drive or read.
    #[error("design {top}: the model's port {port} ({built}) is not declared; declare it or take it off the module")]
    PortUndeclared {
        /// Top module.
        top: String,
        /// The port.
        port: String,
        /// Its direction and width.
        built: String,
    },
    /// A built library could not be opened.
    #[error("cannot load the model {}: {why}; remove that folder to have it rebuilt", path.display())]
    Load {
        /// The library.
        path: PathBuf,
        /// The loader's reason.
        why: String,
    },
    /// A buffer does not have as many words as the design's ports.
    #[error("design {top}: {what} needs {expected} words, got {got}")]
    Buffer {
        /// Top module.
        top: String,
        /// Which buffer.
        what: &'static str,
        /// Words needed.
        expected: usize,
        /// Words given.
        got: usize,
    },
    /// `$fatal`, `$stop`, a failing assertion or an internal check stopped the model.
    #[error("design {top} stopped in clock {cycle}: {reason}")]
    Stopped {
        /// Top module.
        top: String,
        /// The clock in which it stopped, from 0.
        cycle: u64,
        /// What the model said.
        reason: String,
    },
    /// The design executed `$finish`.
    #[error("design {top} executed $finish in clock {cycle}")]
    Finished {
        /// Top module.
        top: String,
        /// The clock in which it ended, from 0.
        cycle: u64,
    },
    /// The library was built without what was asked of it.
    #[error("design {top} was built without {feature}; set BuildOptions::{feature}")]
    NotBuilt {
        /// Top module.
        top: String,
        /// The field of [`super::BuildOptions`].
        feature: &'static str,
    },
    /// A waveform or coverage file could not be written.
    #[error("cannot write {}; does its folder exist and may it be written?", path.display())]
    OutputFile {
        /// The file.
        path: PathBuf,
    },
    /// A file is not what Verilator writes as coverage.
    #[error("line {line} of the coverage file is no coverage point: {text:?}; was it written by Sim::write_coverage?")]
    CoverageFormat {
        /// The line, from 1.
        line: usize,
        /// Its text.
        text: String,
    },
    /// A file or folder of the cache could not be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
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

impl VerilatorError {
    /// An [`VerilatorError::Io`] builder for `map_err`.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}
