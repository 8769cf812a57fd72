//! Output and exit code of a command.

use serde::Serialize;
use std::io::{ErrorKind, Write};

/// Exit code of a command that Ctrl-C ended, as shells give it.
pub const INTERRUPTED: i32 = 130;

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
    let mut stdout = std::io::stdout().lock();
    let line = format!("{}\n", printed.trim_end());
    match stdout
        .write_all(line.as_bytes())
        .and_then(|()| stdout.flush())
    {
        // The reader has seen enough (`bloomline plan .. | head`).
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(anyhow::anyhow!(
            "cannot write the result to stdout: {error}"
        )),
        Ok(()) => Ok(true),
    }
}

/// What the macro `note!` does.
pub fn note(text: std::fmt::Arguments) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Columns that the text keeps within.
pub const COLUMNS: u16 = 100;

/// Breaks the lines of running text; those of tables fit already.
pub fn wrapped(text: &str) -> String {
    text.lines().map(|line| hanging(line, 0)).collect()
}

/// A line broken where it is too long, what follows indented so far.
pub fn hanging(line: &str, indent: usize) -> String {
    if line.chars().count() <= usize::from(COLUMNS) {
        return format!("{line}\n");
    }
    let head: String = line.chars().take(indent).collect();
    let (mut result, mut column) = (head, indent);
    for word in line.get(result.len()..).unwrap_or_default().split(' ') {
        let width = word.chars().count();
        if column > indent && column + 1 + width > usize::from(COLUMNS) {
            result.push('\n');
            result += &" ".repeat(indent);
            column = indent;
        } else if column > indent {
            result.push(' ');
            column += 1;
        }
        result += word;
        column += width;
    }
    result + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words_and_hang_from_their_column() {
        assert_eq!(wrapped("short\n  indented"), "short\n  indented\n");
        let line = format!("name  {}", "word ".repeat(30).trim_end());
        let broken = hanging(&line, 6);
        let lines: Vec<&str> = broken.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.len() <= 100), "{broken}");
        assert!(lines[0].starts_with("name  word") && lines[1].starts_with("      word"));
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(words(&broken), words(&line));
        assert_eq!(words(&wrapped(&line)), words(&line));
    }
}
