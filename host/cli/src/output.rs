//! Output and exit code of a command.

use serde::Serialize;
use std::io::{ErrorKind, Write};

/// How results are printed: one switch for every verb.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Output {
    /// Print the result as JSON.
    #[arg(long, global = true)]
    json: bool,
}

/// How a verb that could do its work ended; the exit code follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Exit code 0.
    Good,
    /// Exit code 1: what was to be checked does not hold.
    CheckFailed,
}

impl Output {
    /// Prints a result on stdout: `value` as JSON if that was asked for, else `text`.
    pub fn result(
        self,
        value: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        let printed = if self.json {
            serde_json::to_string_pretty(value)?
        } else {
            text()
        };
        print(&printed).map(|_| ())
    }

    /// Prints one of many results, each on a line of its own. False when nobody reads them any more.
    pub fn line(
        self,
        value: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<bool> {
        let printed = if self.json {
            serde_json::to_string(value)?
        } else {
            text()
        };
        print(&printed)
    }

    /// Whether JSON was asked for.
    pub fn is_json(self) -> bool {
        self.json
    }
}

/// Prints a result; false when nobody reads it.
fn print(printed: &str) -> anyhow::Result<bool> {
    write_bytes(format!("{}\n", printed.trim_end()).as_bytes())
}

/// Writes to stdout as it is; false when nobody reads it.
///
/// # Errors
/// That stdout cannot be written.
pub fn write_bytes(bytes: &[u8]) -> anyhow::Result<bool> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        // The reader has seen enough (`bloomline plan .. | head`).
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(anyhow::anyhow!(
            "cannot write the result to stdout: {error}"
        )),
        Ok(()) => Ok(true),
    }
}

/// Columns that the text keeps within.
pub const COLUMNS: u16 = 100;

/// Breaks the lines of running text; those of tables fit already.
pub fn wrapped(text: &str) -> String {
    let mut result = String::new();
    for line in text.lines() {
        let mut column = 0;
        if line.chars().count() <= usize::from(COLUMNS) {
            result += line;
        } else {
            for word in line.split(' ') {
                let width = word.chars().count();
                if column > 0 && column + 1 + width > usize::from(COLUMNS) {
                    result.push('\n');
                    column = 0;
                } else if column > 0 {
                    result.push(' ');
                    column += 1;
                }
                result += word;
                column += width;
            }
        }
        result.push('\n');
    }
    result
}
