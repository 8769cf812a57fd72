//! Text without a line that would take memory without end.

use std::io::{self, Read};

/// A reader of lines that ends with an error in a line of more than [`LimitedLines::LONGEST`] bytes, before it is kept in memory.
///
/// A line break within quotes, as a field of a CSV file may have one, does not end a line.
#[derive(Debug)]
pub struct LimitedLines<R> {
    inner: R,
    line: u64,
    length: usize,
    place: Place,
}

/// A line is longer than [`LimitedLines::LONGEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line {line} {}", self.why())]
pub(crate) struct LongLine {
    /// Its number, from 1.
    pub line: u64,
}

impl LongLine {
    /// What is wrong with it, without its number.
    pub fn why(self) -> String {
        let most = LimitedLines::<&[u8]>::LONGEST;
        format!("has more than {most} bytes; give a text with a line break behind each record, and a quote behind each quoted field")
    }
}

/// Where in a line of CSV a byte stands, as far as quotes matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    FieldStart,
    Plain,
    Quoted,
    /// Behind a quote that ends the field, or is the first of two that stand for one.
    QuoteEnd,
}

impl<R> LimitedLines<R> {
    /// Most bytes of a line.
    pub const LONGEST: usize = 1 << 20;

    /// Over `inner`, from its first line on.
    pub fn new(inner: R) -> Self {
        LimitedLines {
            inner,
            line: 1,
            length: 0,
            place: Place::FieldStart,
        }
    }

    fn pass(&mut self, byte: u8) -> io::Result<()> {
        self.place = match (self.place, byte) {
            (Place::FieldStart | Place::QuoteEnd, b'"') => Place::Quoted,
            (Place::Quoted, b'"') => Place::QuoteEnd,
            (Place::Quoted, _) => Place::Quoted,
            (_, b',' | b'\n' | b'\r') => Place::FieldStart,
            _ => Place::Plain,
        };
        self.length += 1;
        if byte == b'\n' && self.place == Place::FieldStart {
            self.line += 1;
            self.length = 0;
        }
        if self.length <= Self::LONGEST {
            return Ok(());
        }
        let error = LongLine { line: self.line };
        Err(io::Error::new(io::ErrorKind::InvalidData, error))
    }
}

impl<R: Read> Read for LimitedLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        buffer[..got].iter().try_for_each(|&byte| self.pass(byte))?;
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: usize = LimitedLines::<&[u8]>::LONGEST;

    /// How many bytes of the text pass, or the error.
    fn read(text: &[u8]) -> Result<usize, String> {
        let mut bytes = Vec::new();
        let read = LimitedLines::new(text).read_to_end(&mut bytes);
        read.map_err(|error| error.to_string())
    }

    #[test]
    fn the_longest_line_passes_and_a_byte_more_is_an_error_with_its_line() {
        let line = |length: usize| [vec![b'7'; length - 1], vec![b'\n']].concat();
        let text = [line(LONGEST), line(LONGEST)].concat();
        assert_eq!(read(&text), Ok(2 * LONGEST));
        let error = read(&[line(5), line(LONGEST + 2)].concat()).expect_err("it is longer");
        assert!(
            error.contains("line 2 has more than 1048576 bytes"),
            "{error}"
        );
    }

    #[test]
    fn line_breaks_in_quotes_are_within_a_line_and_quotes_in_a_plain_field_are_not() {
        let broken = |field: &str| field.repeat(LONGEST / field.len() + 1);
        let open = format!("a,\"{}", broken("line\n"));
        assert!(read(open.as_bytes()).is_err());
        let doubled = format!("\"{}", broken("\"\"\n"));
        assert!(read(doubled.as_bytes()).is_err());
        for text in [
            broken("5\" disk\n"),
            broken("\"quoted\",1\n"),
            broken("\"\",\"\"\"\"\r\n"),
        ] {
            assert_eq!(read(text.as_bytes()), Ok(text.len()));
        }
    }
}
