//! Checks a Verilog text with other tools: Verilator's lint, Icarus Verilog, yosys.

use super::library::write_sources;
use super::{design, VerilatorError};
use bloomline_toolchain::{Log, Program, Toolchain};

/// One message of Verilator's lint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The message's code, for example `WIDTHEXPAND`; empty for a plain error.
    pub code: String,
    /// An error, not a warning.
    pub is_error: bool,
    /// `file:line:column`, empty when it is about no place.
    pub place: String,
    /// The text.
    pub message: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {}", self.code, self.place, self.message)
    }
}

/// All messages of `verilator --lint-only -Wall` about the texts with `top` as top module; empty when it has none. A text
/// that does not parse gives messages with [`Warning::is_error`].
///
/// # Errors
/// When Verilator is missing or ends badly without saying why.
pub fn lint(
    toolchain: &Toolchain,
    sources: &[(String, String)],
    top: &str,
) -> Result<Vec<Warning>, VerilatorError> {
    let folder = source_folder(sources, top)?;
    let log = toolchain.try_run(Program::Verilator, |c| {
        c.current_dir(folder.path()).args([
            "--lint-only",
            "-Wall",
            "--no-timing",
            "--top-module",
            top,
        ]);
        c.args(sources.iter().map(|(name, _)| name));
    })?;
    let text = log.text();
    let warnings: Vec<Warning> = text.lines().filter_map(warning_of_line).collect();
    if warnings.is_empty() && !log.success {
        return Err(VerilatorError::Verilate {
            top: top.to_string(),
            log: text,
        });
    }
    Ok(warnings)
}

/// Reads `%Warning-CODE: file:line:column: message` and `%Error: message`; summary lines say nothing new.
fn warning_of_line(line: &str) -> Option<Warning> {
    let (head, rest) = line.strip_prefix('%')?.split_once(": ")?;
    let (kind, code) = head.split_once('-').unwrap_or((head, ""));
    let is_error = match kind {
        "Warning" => false,
        "Error" => true,
        _ => return None,
    };
    if rest.starts_with("Exiting due to") {
        return None;
    }
    let looks_like_a_place = |text: &str| {
        text.split(':')
            .skip(1)
            .all(|part| part.parse::<u32>().is_ok())
            && text.contains(':')
    };
    let (place, message) = match rest.split_once(": ") {
        Some((place, message)) if looks_like_a_place(place) => (place, message),
        _ => ("", rest),
    };
    Some(Warning {
        code: code.to_string(),
        is_error,
        place: place.to_string(),
        message: message.trim().to_string(),
    })
}

/// Parses and elaborates the texts as Verilog-2005 with Icarus Verilog (`iverilog -g2005 -t null`); returns what it prints.
///
/// # Errors
/// [`NotFound`](bloomline_toolchain::ToolchainError::NotFound) without Icarus, [`Failed`](bloomline_toolchain::ToolchainError::Failed) with its messages when it refuses the texts.
pub fn icarus_accepts(
    toolchain: &Toolchain,
    sources: &[(String, String)],
    top: &str,
) -> Result<Log, VerilatorError> {
    let folder = source_folder(sources, top)?;
    let log = toolchain.run(Program::Iverilog, |c| {
        c.current_dir(folder.path())
            .args(["-g2005", "-Wall", "-t", "null", "-s", top]);
        c.args(sources.iter().map(|(name, _)| name));
    })?;
    Ok(log)
}

fn source_folder(
    sources: &[(String, String)],
    top: &str,
) -> Result<tempfile::TempDir, VerilatorError> {
    if let Some((name, _)) = sources
        .iter()
        .find(|(name, _)| !design::is_source_name(name))
    {
        let problem = format!(
            "source name {name:?} must be a file name that ends in .v or .sv, without a folder"
        );
        return Err(VerilatorError::Design {
            top: top.to_string(),
            problem,
        });
    }
    let folder = tempfile::tempdir().map_err(VerilatorError::io(
        "make a temporary folder in",
        std::env::temp_dir(),
    ))?;
    write_sources(folder.path(), sources)?;
    Ok(folder)
}
