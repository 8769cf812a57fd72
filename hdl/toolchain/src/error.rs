//! Errors of finding, installing and running tools.

use std::path::PathBuf;

/// What can go wrong with an external tool. Every message names the tool, where it was looked for and the next step.
#[derive(Debug, thiserror::Error)]
pub enum ToolchainError {
    /// No place holds the tool.
    #[error("{tool} was not found (looked at {looked}); {next}", looked = looked.join(", "))]
    NotFound {
        /// The tool's usual name.
        tool: &'static str,
        /// Every place that was looked at, in order.
        looked: Vec<String>,
        /// What to do about it.
        next: String,
    },
    /// An environment variable names something that is not the tool.
    #[error("{variable} = {} does not name a usable {tool}: {why}; correct it or unset it", path.display())]
    BadOverride {
        /// The environment variable.
        variable: &'static str,
        /// Its value.
        path: PathBuf,
        /// The tool it should name.
        tool: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// The program on `PATH` is of a version that is not known to work.
    #[error("{tool} at {} says {said:?}; {oldest} is the oldest that works: update it, or use the pinned one", path.display())]
    TooOld {
        /// The tool's usual name.
        tool: &'static str,
        /// Where it was found.
        path: PathBuf,
        /// What it says about its version.
        said: String,
        /// The oldest version that works.
        oldest: &'static str,
    },
    /// The tool is there but does not work.
    #[error("{tool} at {} does not work: {why}; {next}", path.display())]
    Broken {
        /// The tool's usual name.
        tool: &'static str,
        /// Where it was found.
        path: PathBuf,
        /// What happened when it was tried.
        why: String,
        /// What to do about it.
        next: String,
    },
    /// A package could not be installed.
    #[error(
        "installing {package} into {} failed while {step}:\n{log}\ncorrect the cause (network, disk, python3-venv) and run `bloomline tools install` again; \
         finished packages are kept", folder.display()
    )]
    Install {
        /// The package as `name==version`.
        package: String,
        /// The folder it was to be installed into.
        folder: PathBuf,
        /// What was being done.
        step: &'static str,
        /// The last lines of the output.
        log: String,
    },
    /// A tool ran and failed.
    #[error("{tool} failed ({status}): {arguments}\n{log}")]
    Failed {
        /// The tool's usual name.
        tool: &'static str,
        /// Exit status.
        status: String,
        /// Its arguments.
        arguments: String,
        /// The last lines of its output.
        log: String,
    },
    /// Neither the usual folder nor one in the temporary folder can hold the tools.
    #[error("the tools folder cannot be written, and {} cannot take its place: {why}; set BLOOMLINE_TOOLS to a folder of your choice", folder.display())]
    NoFolder {
        /// The folder in the temporary folder.
        folder: PathBuf,
        /// Why it cannot be used.
        why: String,
    },
    /// A file or folder could not be read or written.
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

impl ToolchainError {
    /// An [`ToolchainError::Io`] builder for `map_err`.
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
