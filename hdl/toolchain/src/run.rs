//! Runs tools and captures their output.

use super::{Found, Program, Toolchain, ToolchainError};
use std::path::Path;
use std::process::Command;

/// What a tool printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Whether the exit status was zero.
    pub success: bool,
    /// The exit status in words.
    pub status: String,
}

impl Log {
    /// Both streams, output first.
    pub fn text(&self) -> String {
        match (self.stdout.is_empty(), self.stderr.is_empty()) {
            (_, true) => self.stdout.clone(),
            (true, false) => self.stderr.clone(),
            (false, false) => format!("{}\n{}", self.stdout.trim_end(), self.stderr),
        }
    }

    /// At most the last `lines` lines of [`Log::text`].
    pub fn tail(&self, lines: usize) -> String {
        tail(&self.text(), lines)
    }
}

/// At most the last `lines` lines of `text`.
pub(crate) fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.trim_end().lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

/// Lines of a failed tool's output that an error carries.
const ERROR_LINES: usize = 30;

impl Toolchain {
    /// Runs `program` with the arguments (and folder, variables) that `prepare` gives it and waits for it. An exit status
    /// other than zero is not an error here: see [`Log::success`].
    ///
    /// # Errors
    /// When the tool is not found or cannot be started.
    pub fn try_run(
        &self,
        program: Program,
        prepare: impl FnOnce(&mut Command),
    ) -> Result<Log, ToolchainError> {
        let found = self.find(program)?;
        let mut command = found.command();
        prepare(&mut command);
        collect(&found, command)
    }

    /// As [`Toolchain::try_run`], but a failing tool is an error that carries the end of its output.
    ///
    /// # Errors
    /// When the tool is not found, cannot be started or fails.
    pub fn run(
        &self,
        program: Program,
        prepare: impl FnOnce(&mut Command),
    ) -> Result<Log, ToolchainError> {
        let found = self.find(program)?;
        let mut command = found.command();
        prepare(&mut command);
        run_checked(&found, command)
    }
}

/// Runs `command`, which starts `found`, and fails when it fails.
pub(crate) fn run_checked(found: &Found, command: Command) -> Result<Log, ToolchainError> {
    let arguments = command
        .get_args()
        .map(|a| a.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ");
    let log = collect(found, command)?;
    if log.success {
        return Ok(log);
    }
    Err(ToolchainError::Failed {
        tool: found.program.name(),
        status: log.status.clone(),
        arguments,
        log: log.tail(ERROR_LINES),
    })
}

/// Runs `command`, which starts `found`, and keeps what it prints.
///
/// # Errors
/// [`ToolchainError::Broken`] where it cannot be started; a bad exit status is none.
pub fn collect(found: &Found, mut command: Command) -> Result<Log, ToolchainError> {
    let output = command.output().map_err(|error| ToolchainError::Broken {
        tool: found.program.name(),
        path: found.path.clone(),
        why: error.to_string(),
        next: found.remedy(),
    })?;
    Ok(Log {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        success: output.status.success(),
        status: output.status.to_string(),
    })
}

/// Runs a yosys script in `folder` (its `read_verilog` and `write_json` paths are relative to that) and returns its log.
///
/// # Errors
/// When yosys is missing, or [`ToolchainError::Failed`] with the end of its log.
pub fn run_yosys_script(
    toolchain: &Toolchain,
    folder: &Path,
    script: &str,
) -> Result<Log, ToolchainError> {
    toolchain.run(Program::Yosys, |c| {
        c.current_dir(folder).args(["-p", script]);
    })
}
