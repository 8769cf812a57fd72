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
            printable(&text())
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
            printable(&text())
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
    let text = printable(&text.to_string());
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// A text for a terminal: what it quotes of files, which others may have written, moves no cursor and sets no title.
fn printable(text: &str) -> String {
    let is_plain = |c: char| !c.is_control() || c == '\n' || c == '\t';
    text.chars()
        .map(|c| match is_plain(c) {
            true => c.to_string(),
            false => c.escape_default().to_string(),
        })
        .collect()
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
    fn what_a_text_quotes_of_files_sends_no_commands_to_a_terminal() {
        let quoted = "name = \"\u{1b}[31mred\u{1b}]0;title\u{7}\u{9b}2J\"\n\t€";
        let printed = "name = \"\\u{1b}[31mred\\u{1b}]0;title\\u{7}\\u{9b}2J\"\n\t€";
        assert_eq!(printable(quoted), printed);
    }

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
