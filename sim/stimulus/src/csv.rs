//! Reads keys from one column of a CSV file.

use super::limited_lines::LongLine;
use super::{input, LimitedLines, StimulusError};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The numbers of one column of a CSV file, plain or gzip, in the order of its lines.
///
/// The column is named as in the first line, or by its position: `#1` is the first. By position the file needs no header: a first line with a
/// number in that column is data.
///
/// A line has at most [`LimitedLines::LONGEST`] bytes. A number is decimal, or hexadecimal with `0x`, from 0 to 2^64 - 1, and to 2^128 - 1 as a key; spaces around it are ignored.
pub struct CsvColumn {
    path: PathBuf,
    name: String,
    index: usize,
    reader: csv::Reader<Box<dyn Read>>,
    record: csv::StringRecord,
    /// The first line holds a key, which has not been given yet.
    first: bool,
    ended: bool,
}

impl CsvColumn {
    /// Opens the file and finds the column by its name in the first line, or by its position (`#1`).
    ///
    /// # Errors
    /// When the file cannot be read, has no such column ([`StimulusError::NoColumn`] lists those it has) or several of that name.
    pub fn open(path: &Path, column: &str) -> Result<Self, StimulusError> {
        let (source, _) = input::open(path)?;
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(Box::new(LimitedLines::new(source)) as Box<dyn Read>);
        let headers = reader
            .headers()
            .map_err(|error| bad_line(path, 1, &error))?;
        let by_position = column
            .strip_prefix('#')
            .and_then(|digits| digits.parse::<usize>().ok()?.checked_sub(1))
            .filter(|index| *index < headers.len());
        let named = (1..).zip(headers).filter(|(_, name)| *name == column);
        let positions: Vec<usize> = named.map(|(position, _)| position).collect();
        if positions.len() > 1 {
            return Err(StimulusError::SameColumns {
                path: path.to_path_buf(),
                column: column.to_string(),
                positions,
            });
        }
        let by_name = positions.first().map(|position| position - 1);
        let Some(index) = by_name.or(by_position) else {
            return Err(StimulusError::NoColumn {
                path: path.to_path_buf(),
                column: column.to_string(),
                available: headers.iter().map(String::from).collect(),
            });
        };
        let record = headers.clone();
        let first = by_name.is_none() && record.get(index).and_then(number).is_some();
        Ok(Self {
            path: path.to_path_buf(),
            name: column.to_string(),
            index,
            reader,
            record,
            first,
            ended: false,
        })
    }
}

fn bad_line(path: &Path, line: u64, error: &csv::Error) -> StimulusError {
    let path = path.to_path_buf();
    if let csv::ErrorKind::Io(io) = error.kind() {
        let long = io.get_ref().and_then(|source| source.downcast_ref());
        if let Some(&long @ LongLine { line }) = long {
            let why = long.why();
            return StimulusError::BadLine { path, line, why };
        }
    }
    let line = error.position().map_or(line, csv::Position::line);
    let why = match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "is no text in UTF-8; save the table as UTF-8".to_owned(),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!(
            "number of fields is {len}, and {expected_len} in the first line; correct the line, or leave it out"
        ),
        csv::ErrorKind::Io(source) => format!("cannot be read: {source}; copy the file again"),
        _ => error.to_string(),
    };
    StimulusError::BadLine { path, line, why }
}

impl Iterator for CsvColumn {
    type Item = Result<u64, StimulusError>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.read(u64::BITS)?;
        Some(read.map(|number| number as u64))
    }
}

impl CsvColumn {
    /// The numbers of the column as keys, from 0 to 2^128 - 1.
    pub fn keys(mut self) -> impl Iterator<Item = Result<u128, StimulusError>> {
        std::iter::from_fn(move || self.read(u128::BITS))
    }

    /// The next number, below 2^bits.
    fn read(&mut self, bits: u32) -> Option<Result<u128, StimulusError>> {
        if self.ended {
            return None;
        }
        let read = match std::mem::take(&mut self.first) {
            true => Ok(true),
            false => self.reader.read_record(&mut self.record),
        };
        match read {
            Ok(true) => {}
            Ok(false) => {
                self.ended = true;
                return None;
            }
            Err(error) => {
                self.ended = true;
                return Some(Err(bad_line(
                    &self.path,
                    self.reader.position().line(),
                    &error,
                )));
            }
        }
        // The reader refuses lines of another length than the header, so the field is there.
        let text = self.record.get(self.index).unwrap_or_default();
        let number = number(text).filter(|number| *number <= u128::MAX >> (u128::BITS - bits));
        Some(number.ok_or_else(|| {
            self.ended = true;
            StimulusError::BadLine {
                path: self.path.clone(),
                line: self.record.position().map_or(0, csv::Position::line),
                why: format!("column {}: {text:?} is not a number from 0 to 2^{bits} - 1 (decimal, or hexadecimal with 0x); correct the line, or leave it out", self.name),
            }
        }))
    }
}

/// A number from 0 to 2^128 - 1, decimal, or hexadecimal with `0x`.
fn number(text: &str) -> Option<u128> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

impl std::fmt::Debug for CsvColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CsvColumn")
            .field("path", &self.path)
            .field("column", &self.name)
            .finish_non_exhaustive()
    }
}
