//! A small specification for the tests to vary.
#![allow(dead_code, reason = "each test crate uses a part of this")]

use bloomline_spec::{FilterSpec, Geometry, SpecError, ThresholdSetting};
use std::path::Path;

pub const BASE: &str = "\
name = \"tiny\"
[filter]
kind = \"recycling\"
memory_bits = 131072
hashes = 4
hashing = \"double\"
[filter.recycle]
phases = 2
on = \"bits-set\"
threshold = 20000
[key]
bits = 104
[hash]
family = \"h3-sbox\"
seed = 1
";

/// The text with each first occurrence replaced; every replacement must find its place.
pub fn edited(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "`{from}` is not in the text");
        text.replacen(from, to, 1)
    })
}

pub fn read(text: &str) -> Result<FilterSpec, SpecError> {
    FilterSpec::from_toml(text, Path::new("tiny.toml"))
}

/// The whole way; `auto` is completed with the greatest threshold.
pub fn complete(text: &str) -> Result<Geometry, SpecError> {
    let sizing = read(text)?.validate()?;
    match sizing.threshold_setting() {
        ThresholdSetting::Auto { .. } => sizing.with_threshold(sizing.half_bits()),
        ThresholdSetting::Fixed(threshold) => sizing.with_threshold(threshold),
    }
}

pub fn geometry(edits: &[(&str, &str)]) -> Geometry {
    complete(&edited(BASE, edits)).unwrap_or_else(|error| panic!("{error}"))
}
