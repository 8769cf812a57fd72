//! Errors of a formal proof.

use bloomline_toolchain::ToolchainError;
use std::path::PathBuf;

/// Why a proof could not be attempted. That a property fails is no error: see [`super::Verdict`].
#[derive(Debug, thiserror::Error)]
pub enum FormalError {
    /// A tool is missing or does not start.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// The Verilog has no module that an observer belongs into.
    #[error("{property}: the emitted Verilog has no module {module}, which the property observes; the property's file and the gateware disagree")]
    NoModule {
        /// The property.
        property: &'static str,
        /// The module's name, or the start of it and `*`.
        module: String,
    },
    /// The solver or the checker cannot manage the geometry.
    #[error("{property}: {why}; prove the same structure at a reduced geometry (`--reduced`)")]
    NotReduced {
        /// The property.
        property: &'static str,
        /// What it cannot manage.
        why: String,
    },
    /// sby or yosys stopped without a result.
    #[error("{property}: {tool} gave no result ({status}); it said:\n{log}\nrun `bloomline tools doctor`; if all tools are ready this is a fault of the property's file")]
    NoResult {
        /// The property.
        property: &'static str,
        /// Which tool.
        tool: &'static str,
        /// Its exit status.
        status: String,
        /// The end of its output.
        log: String,
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

impl FormalError {
    /// Whether a reduced geometry would avoid it.
    pub fn is_of_geometry(&self) -> bool {
        matches!(self, FormalError::NotReduced { .. })
    }
}
