//! A small specification for the tests to vary.
#![allow(
    dead_code,
    unused_imports,
    reason = "each test crate uses a part of this"
)]

mod tiny;

use bloomline_spec::{FilterSpec, Geometry, SpecError, ThresholdSetting};
use std::path::Path;
pub use tiny::{edited, BASE};

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
