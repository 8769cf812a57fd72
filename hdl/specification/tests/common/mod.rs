//! A small specification for the tests to vary.

mod tiny;

use bloomline_spec::{
    CellGeometry, Design, FilterSpec, RecyclingGeometry, SpecError, ThresholdSetting,
};
use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;
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
    pub name: String,
    pub text: String,
    pub error: SpecError,
}

/// The cases of a list of `broken.toml`: `text` edits the base text of the list's page, `read` must refuse what comes of it.
pub fn broken<T>(
    list: &str,
    text: impl Fn(&[(&str, &str)]) -> String,
    read: impl Fn(&str) -> Result<T, SpecError>,
) -> Vec<Broken> {
    static LISTS: LazyLock<HashMap<String, Vec<Vec<String>>>> =
        LazyLock::new(|| toml::from_str(include_str!("../broken.toml")).expect("lists of strings"));
    let case = |row: &Vec<String>| {
        let (name, edits) = row.split_first().expect("a name");
        let edits: Vec<(&str, &str)> = edits
            .chunks_exact(2)
            .map(|pair| (&pair[0][..], &pair[1][..]))
            .collect();
        assert_eq!(1 + 2 * edits.len(), row.len(), "{name}: pairs");
        let (name, text) = (name.clone(), text(&edits));
        match read(&text) {
            Ok(_) => panic!("{name}: must be an error"),
            Err(error) => Broken { name, text, error },
        }
    };
    LISTS[list].iter().map(case).collect()
}

/// The errors, each under its name.
pub fn listing(cases: &[Broken]) -> String {
    let line = |Broken { name, error, .. }: &Broken| format!("[{name}]\n{error}\n");
    cases.iter().map(line).collect()
}

/// The errors, each under its name; all must be of broken rules.
pub fn listing_of_rules(cases: Vec<Broken>) -> String {
    for Broken { name, error, .. } in &cases {
        assert!(matches!(error, SpecError::Rule { .. }), "{name}: {error}");
    }
    listing(&cases)
}

/// Puts each nearest legal value that an error offers in its place, and counts them. It must be legal for its key: another key
/// may no longer fit the repaired one.
pub fn legal_values_offered<T>(
    cases: Vec<Broken>,
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
