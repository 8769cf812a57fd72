//! Key sources: the command line, a column of a table, or stdin.

use crate::table;
use anyhow::{anyhow, bail, Context};
use bloomline_spec::{Common, Key, KeyError, MAX_KEY_BITS};
use bloomline_stimulus::LimitedLines;
use bloomline_verify::Keys;
use std::io::{BufRead, BufReader, ErrorKind};

/// Most keys that are read from stdin before the first is offered: it may have no end, and they are kept in memory.
const MOST_KEYS: usize = 1 << 24;
/// Most hexadecimal digits that [`Key::from_text`] takes.
const SHORT_DIGITS: usize = 32;

/// Keys, one way or the other.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub struct Source {
    /// Keys, decimal or hexadecimal after 0x; `-` reads one a line from stdin
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
    /// A column of a table, by the name in its first line or by its position (trace.csv:#1); its keys have at most 64 bits, those
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
                .map(|text| parse(text, common.key_bits()))
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
        keys.push(parse(text, bits).with_context(|| format!("stdin, line {line}"))?);
    }
    Ok(keys)
}

/// As [`Key::from_text`]; hexadecimal digits may be as many as the widest key has.
fn parse(text: &str, bits: u32) -> Result<Key, KeyError> {
    let trimmed = text.trim();
    let digits = trimmed
        .strip_prefix("0x")
        .or_else(|| trimmed.strip_prefix("0X"))
        .filter(|digits| digits.chars().all(|digit| digit.is_ascii_hexdigit()))
        .map(|digits| digits.trim_start_matches('0'));
    match digits {
        Some(digits)
            if digits.len() > SHORT_DIGITS && digits.len() <= MAX_KEY_BITS as usize / 4 =>
        {
            let nibbles: Vec<u8> = digits
                .chars()
                .rev()
                .filter_map(|digit| digit.to_digit(16))
                .map(|digit| digit as u8)
                .collect();
            let byte = |pair: &[u8]| pair[0] | pair.get(1).copied().unwrap_or(0) << 4;
            let bytes: Vec<u8> = nibbles.chunks(2).map(byte).collect();
            Key::from_bytes(&bytes, bits)
        }
        _ => Key::from_text(text, bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_keys_are_hexadecimal() {
        let text = format!("0x1{}", "0".repeat(73));
        let key = parse(&text, 296).expect("293 bits");
        assert!(key.bit(292) && !key.bit(291));
        assert_eq!(key.to_string(), text);
        assert!(matches!(
            parse(&text, 292),
            Err(KeyError::DoesNotFit {
                highest_bit: 292,
                ..
            })
        ));
        assert_eq!(
            parse(&format!("0x{}7", "0".repeat(99)), 8),
            Key::from_integer(7, 8)
        );
        assert!(matches!(
            parse(&format!("0x{}", "f".repeat(129)), 512),
            Err(KeyError::NoInteger { .. })
        ));
        assert!(matches!(
            parse("0x12g4", 512),
            Err(KeyError::NoInteger { .. })
        ));
    }
}
