//! Position of a fault in the text of a specification, with the line and a caret under the fault.

use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Most characters of a line that an error quotes.
const EXCERPT_CHARACTERS: usize = 100;

/// Position of a fault in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// Characters that the fault spans; 0 if it does not lie within one line.
    pub width: usize,
    /// The line as written, if the fault lies within one line; else empty.
    pub excerpt: String,
}

impl Place {
    /// Position of a span of bytes (clamped to the text).
    pub(crate) fn of_span(text: &str, span: Range<usize>) -> Place {
        let (line, column) = line_and_column(text, span.start);
        // A table missing from the whole text is marked as the empty span at its start.
        let whole_text = span == (0..0);
        let marked = text
            .get(span)
            .filter(|marked| !whole_text && !marked.contains('\n'));
        let written = text.lines().nth(line - 1).filter(|_| marked.is_some());
        Place {
            line,
            column,
            width: marked.map_or(0, |marked| marked.chars().count().max(1)),
            excerpt: written.map_or_else(String::new, |line| line.trim_end().replace('\t', " ")),
        }
    }

    /// Position of the value of a key such as `filter.hashes`; of the table that it is missing from; `None` if there is neither.
    pub(crate) fn of_key(text: &str, key: &str) -> Option<Place> {
        let root = DeTable::parse(text).ok()?;
        let mut table = root.get_ref();
        let mut span = None;
        for word in key.split('.') {
            let Some((written, value)) = table.get_key_value(word) else {
                break;
            };
            match value.get_ref() {
                DeValue::Table(inner) => {
                    span = Some(written.span());
                    table = inner;
                }
                _ => {
                    span = Some(value.span());
                    break;
                }
            }
        }
        span.map(|span| Place::of_span(text, span))
    }

    /// Line and column behind a file's name: `:4:15`.
    pub(crate) fn position(&self) -> String {
        format!(":{}:{}", self.line, self.column)
    }

    /// The line with a caret under the fault, on lines of their own; empty if the fault spans lines.
    pub(crate) fn shown(&self) -> String {
        let Place {
            line,
            column,
            width,
            excerpt,
        } = self;
        let reach = column - 1 + width;
        if excerpt.is_empty() || reach > EXCERPT_CHARACTERS {
            return String::new();
        }
        let number = line.to_string();
        let quoted: String = excerpt.chars().take(EXCERPT_CHARACTERS).collect();
        format!(
            "\n  {number} | {quoted}\n  {:gutter$} | {:indent$}{}",
            "",
            "",
            "^".repeat(*width),
            gutter = number.len(),
            indent = column - 1,
        )
    }
}

/// Line and column, both from 1, of a byte offset (clamped to the text, moved back to a character boundary).
fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name = \"a\"\n[filter]\nhashes = 99\n[filter.recycle]\nphases = 2\n";

    #[test]
    fn a_key_is_found_where_its_value_stands_and_a_missing_one_at_its_table() {
        let place = |key| Place::of_key(TEXT, key).map(|place| (place.line, place.column));
        assert_eq!(place("filter.hashes"), Some((3, 10)));
        assert_eq!(place("filter.recycle.phases"), Some((5, 10)));
        assert_eq!(place("filter.recycle.on"), Some((4, 9)));
        assert_eq!(place("filter.memory_bits"), Some((2, 2)));
        assert_eq!(place("key.bits"), None);
        assert_eq!(Place::of_key("=", "filter"), None);
    }

    #[test]
    fn the_caret_stands_under_the_fault() {
        let place = Place::of_key(TEXT, "filter.hashes").expect("is there");
        assert_eq!(place.shown(), "\n  3 | hashes = 99\n    |          ^^");
        let lines = Place::of_span(TEXT, 0..20);
        assert_eq!((lines.line, lines.shown().as_str()), (1, ""));
        let beyond = Place::of_span(TEXT, 1000..1001);
        assert_eq!(beyond.shown(), "");
    }
}
