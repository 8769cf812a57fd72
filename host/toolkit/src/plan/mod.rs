//! Plan of a filter as data: one object for programs, texts and tables for people.

mod area;
mod by_arrivals;
mod caching;
pub(crate) mod card;
pub(crate) mod cells;
mod compare;
pub(crate) mod cuckoo;
mod erasing;
mod features;
mod html;
mod latency;
mod on_keys;
pub(crate) mod recycling;
pub(crate) mod sliding;
mod summary;
mod values;
mod window;

pub use area::PartSize;
pub use by_arrivals::FprByArrivals;
pub use caching::{CacheLoad, Caching};
pub use compare::Comparison;
pub use on_keys::{ChosenKeys, OnKeys};
pub use summary::{references, Summary};

use crate::forecast::whole;
use bloomline_spec::{ecc, EPOCH_BITS, WORD_BITS};
use serde::{Serialize, Serializer};
use serde_json::{json, Map, Value};

/// What the error-correcting code of memory words (`memory.ecc`) stores, and does.
fn corrected(stored_bits: u64) -> String {
    format!(
        "\nError correction: {} bits are stored, in words of {WORD_BITS} data bits, {EPOCH_BITS} epoch bits and {} check bits; \
         one flipped bit of a word is corrected, two are detected\n",
        whole(stored_bits as f64),
        ecc::check_bits(WORD_BITS + EPOCH_BITS)
    )
}

/// The same of the cells of a sliding window's tables.
fn corrected_cells(stored_bits: u64, [fingerprint_bits, generation_bits]: [u32; 2]) -> String {
    format!(
        "\nError correction: {} bits are stored in the tables, in cells of {fingerprint_bits} + {generation_bits} bits and {} check bits; \
         one flipped bit of a cell is corrected, two are detected\n",
        whole(stored_bits as f64),
        ecc::check_bits(fingerprint_bits + generation_bits)
    )
}

/// Every predicted number of a filter, with formula and accuracy, why its sizes are as they are, and what other sizes would do.
///
/// Serialises as the object that `plan --json` prints.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    values: Map<String, Value>,
    summary: Summary,
    page: Page,
}

impl Plan {
    pub(crate) fn new(mut values: Map<String, Value>, summary: Summary, page: Page) -> Plan {
        values.insert("summary".to_owned(), json!(summary));
        Plan {
            values,
            summary,
            page,
        }
    }

    /// The filter in six lines.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// A value of the object by its key, such as `fpr_average`.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// Adds a comparison with other structures, under the key `comparison` and at the end of the page.
    pub fn add(&mut self, comparison: &Comparison) {
        self.values
            .insert("comparison".to_owned(), json!(comparison));
        self.page.parts.extend(comparison.page().parts);
    }

    /// Adds the rates over all arrivals, under the key `fpr_by_arrivals` and at the end of the page.
    pub fn add_by_arrivals(&mut self, rates: &FprByArrivals) {
        self.values
            .insert("fpr_by_arrivals".to_owned(), json!(rates));
        self.page.parts.extend(rates.page().parts);
    }

    /// Adds what a cache gains, under the key `cache` and at the end of the page.
    pub fn add_caching(&mut self, caching: &Caching) {
        self.values.insert("cache".to_owned(), json!(caching));
        self.page.parts.extend(caching.page().parts);
    }

    /// Adds the rate on a set of keys, under the key `on_keys` and at the end of the page.
    pub fn add_keys(&mut self, on_keys: &OnKeys) {
        self.values.insert("on_keys".to_owned(), json!(on_keys));
        self.page.parts.extend(on_keys.page().parts);
    }

    /// Everything for people: numbers, reasons, alternatives, formulas.
    pub fn page(&self) -> &Page {
        &self.page
    }
}

impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.values.serialize(serializer)
    }
}

/// Texts and tables, one after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    parts: Vec<Part>,
    brief: String,
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Running text, with its own line ends.
    Text(String),
    /// A table without a line end behind it.
    Table(Table),
}

/// A table of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub header: Vec<String>,
    /// Cells, row by row.
    pub rows: Vec<Vec<String>>,
    /// All columns but the first hold numbers: they are flush right.
    pub numbers: bool,
}

impl Page {
    /// Its parts in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// What a reader wants after the six lines: parity, the card, the reasons. It is in the parts too.
    pub fn brief(&self) -> &str {
        &self.brief
    }

    /// Adds text that belongs to the brief too.
    pub(crate) fn briefly(&mut self, text: impl AsRef<str>) {
        self.brief.push_str(text.as_ref());
        self.text(text);
    }

    pub(crate) fn text(&mut self, text: impl AsRef<str>) {
        match self.parts.last_mut() {
            Some(Part::Text(before)) => before.push_str(text.as_ref()),
            _ => self.parts.push(Part::Text(text.as_ref().to_owned())),
        }
    }

    pub(crate) fn table(&mut self, table: Table) {
        self.parts.push(Part::Table(table));
    }
}

impl Table {
    /// A table of words.
    pub(crate) fn new<T: Into<String>>(header: impl IntoIterator<Item = T>) -> Table {
        Table {
            header: header.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
            numbers: false,
        }
    }

    /// A table whose columns hold numbers but for the first.
    pub(crate) fn of_numbers<T: Into<String>>(header: impl IntoIterator<Item = T>) -> Table {
        Table {
            numbers: true,
            ..Table::new(header)
        }
    }

    pub(crate) fn add_row<T: Into<String>>(&mut self, row: impl IntoIterator<Item = T>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }
}
