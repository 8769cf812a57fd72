//! A small specification for the tests to vary.

mod tiny;

use bloomline_spec::{
    CellGeometry, Design, FilterSpec, RecyclingGeometry, SpecError, ThresholdSetting,
};
use std::path::Path;
pub use tiny::{edited, BASE};

pub fn read(text: &str) -> Result<FilterSpec, SpecError> {
    FilterSpec::from_toml(text, Path::new("tiny.toml"))
}

/// The whole way; `auto` is completed with the greatest threshold.
pub fn complete(text: &str) -> Result<RecyclingGeometry, SpecError> {
    let sizing = read(text)?.validate()?;
    match sizing.threshold_setting() {
        ThresholdSetting::Auto { .. } => sizing.with_threshold(sizing.thresholds().1),
        ThresholdSetting::Fixed(threshold) => sizing.with_threshold(threshold),
    }
}

/// A small static filter.
pub const STATIC: &str = "\
name = \"tiny\"
[filter]
kind = \"static\"
memory_bits = 131072
hashes = 4
items = 1000
[key]
bits = 104
";

/// A filter of cells, the whole way.
pub fn cells(text: &str) -> Result<CellGeometry, SpecError> {
    match read(text)?.design()? {
        Design::Cells(geometry) => Ok(geometry),
        other => panic!("a filter of cells was written: {other:?}"),
    }
}

/// The same, of a text that is legal.
pub fn legal(text: &str) -> CellGeometry {
    cells(text).unwrap_or_else(|error| panic!("{error}"))
}

/// A specification that breaks a rule, and what is said of it.
pub struct Broken {
    /// What the case is called.
    pub name: &'static str,
    pub text: String,
    pub error: SpecError,
}

impl Broken {
    /// A text that `read` must refuse.
    pub fn of<T>(
        name: &'static str,
        text: String,
        read: impl Fn(&str) -> Result<T, SpecError>,
    ) -> Broken {
        match read(&text) {
            Ok(_) => panic!("{name}: must be an error"),
            Err(error) => Broken { name, text, error },
        }
    }
}

/// The errors, each under its name; all must be of broken rules.
pub fn listing_of_rules(cases: impl Iterator<Item = Broken>) -> String {
    let line = |Broken { name, error, .. }: Broken| {
        assert!(matches!(error, SpecError::Rule { .. }), "{name}: {error}");
        format!("[{name}]\n{error}\n")
    };
    cases.map(line).collect()
}

/// Puts each nearest legal value that an error offers in its place, and counts them. It must be legal for its key: another key
/// may no longer fit the repaired one.
pub fn legal_values_offered<T>(
    cases: impl Iterator<Item = Broken>,
    read: impl Fn(&str) -> Result<T, SpecError>,
) -> usize {
    let mut offered = 0;
    for Broken { name, text, error } in cases {
        let SpecError::Rule {
            key, value, advice, ..
        } = error
        else {
            panic!("{name}: {error}")
        };
        let Some(advice) = advice.strip_prefix("nearest legal value ") else {
            continue;
        };
        let legal = match advice.split_once(']') {
            Some((list, _)) if list.starts_with('[') => format!("{list}]"),
            _ => advice.split(',').next().unwrap_or(advice).to_owned(),
        };
        let word = key.rsplit('.').next().unwrap_or(key);
        let repair = (format!("{word} = {value}"), format!("{word} = {legal}"));
        let repaired = edited(&text, &[(&repair.0, &repair.1)]);
        if let Err(SpecError::Rule { key: next, .. } | SpecError::Unsupported { key: next, .. }) =
            read(&repaired)
        {
            assert_ne!(next, key, "{name}: {repaired}");
        }
        offered += 1;
    }
    offered
}

pub fn geometry(edits: &[(&str, &str)]) -> RecyclingGeometry {
    complete(&edited(BASE, edits)).unwrap_or_else(|error| panic!("{error}"))
}
