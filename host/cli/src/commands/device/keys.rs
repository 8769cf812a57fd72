//! Key sources: the command line, a column of a table, or stdin.

use crate::table;
use anyhow::{anyhow, bail, Context};
use bloomline_spec::{Common, Key};
use bloomline_stimulus::LimitedLines;
use bloomline_verify::Keys;
use std::io::{BufRead, BufReader, ErrorKind};

/// Most keys that are read from stdin before the first is offered: it may have no end, and they are kept in memory.
const MOST_KEYS: usize = 1 << 24;

/// Keys, one way or the other.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub struct Source {
    /// Keys, decimal or hexadecimal after 0x; `-` reads one a line from stdin
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
    /// A column of a table, by the name in its first line or by its position (trace.csv:#1); its keys have at most 128 bits, those
    /// of stdin as many as the filter's
    #[arg(long = "keys", value_name = "FILE:COLUMN")]
    column: Option<String>,
}

impl Source {
    /// The keys, for a filter.
    ///
    /// # Errors
    /// That a text is no key of the filter's width, that a source cannot be read, or that there is no key.
    pub fn load(&self, common: &Common) -> anyhow::Result<Vec<Key>> {
        let keys = match &self.column {
            Some(text) => {
                let (file, column) = table::column("--keys", text)?;
                let source = Keys::Column { file, column };
                source.load(common, u64::MAX, 0)?.keys
            }
            None if self.keys == ["-"] => from_stdin(common.key_bits())?,
            None => self
                .keys
                .iter()
                .map(|text| Key::from_text(text, common.key_bits()))
                .collect::<Result<_, _>>()?,
        };
        match keys.is_empty() {
            true => bail!("there is no key; give at least one"),
            false => Ok(keys),
        }
    }
}

fn from_stdin(bits: u32) -> anyhow::Result<Vec<Key>> {
    let mut keys = Vec::new();
    let stdin = BufReader::new(LimitedLines::new(std::io::stdin().lock()));
    for (line, text) in (1..).zip(stdin.lines()) {
        let text = text.map_err(|error| match error.kind() {
            ErrorKind::InvalidData => anyhow!(
                "stdin, line {line}: is no text in UTF-8; give one key a line, decimal or hexadecimal after 0x"
            ),
            _ => anyhow!("stdin cannot be read: {error}"),
        })?;
        // Editors and spreadsheets may begin a text with a byte order mark.
        let text = match line {
            1 => text.strip_prefix('\u{feff}').unwrap_or(&text),
            _ => &text,
        };
        if text.trim().is_empty() {
            continue;
        }
        if keys.len() == MOST_KEYS {
            bail!("stdin, line {line}: more than {MOST_KEYS} keys, and none was offered yet; give fewer at once, for example by `split -l`");
        }
        keys.push(Key::from_text(text, bits).with_context(|| format!("stdin, line {line}"))?);
    }
    Ok(keys)
}
