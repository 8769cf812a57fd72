use crate::place::Place;
use std::io::ErrorKind;
use std::path::PathBuf;

/// Why a specification cannot be used: what failed, where, what was expected, what was found, and the next step.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// The file could not be read.
    #[error("{}: cannot read the specification: {source}; {}", file.display(), read_next(source))]
    Read {
        /// File as named by the caller.
        file: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The manifest cannot be read, or is none.
    #[error("{}: no manifest of a filter: {why}; give the manifest.json that `emit` wrote", file.display())]
    Manifest {
        /// File as named by the caller.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The text is no TOML, or not the TOML of a specification (unknown key, missing key, wrong type, unknown word).
    #[error("{}{}: {message}{}", file.display(), at.position(), at.shown())]
    Syntax {
        /// File the text came from.
        file: PathBuf,
        /// Where the fault lies.
        at: Box<Place>,
        /// What the parser expected and found.
        message: String,
    },
    /// A value breaks a rule.
    #[error("{}{}: {key} = {value}: {rule}; {advice}{}", file.display(), position(at), shown(at))]
    Rule {
        /// File the specification came from.
        file: PathBuf,
        /// Dotted name of the key, such as `filter.hashes`.
        key: &'static str,
        /// The value as TOML would show it, or `(missing)`.
        value: String,
        /// The rule it breaks.
        rule: String,
        /// The nearest legal value, or the next step where no value is nearest.
        advice: String,
        /// Where the key stands, if the text was at hand.
        at: Option<Box<Place>>,
    },
    /// A value is a legal word of the format that this version's gateware does not offer.
    #[error("{}{}: {key} = {value}: not supported by this version: {reason}; {advice}{}", file.display(), position(at), shown(at))]
    Unsupported {
        /// File the specification came from.
        file: PathBuf,
        /// Dotted name of the key, such as `filter.layout`.
        key: &'static str,
        /// The value as TOML would show it.
        value: String,
        /// What is missing.
        reason: &'static str,
        /// The nearest supported choice.
        advice: String,
        /// Where the key stands, if the text was at hand.
        at: Option<Box<Place>>,
    },
    /// The threshold is left to theory, which this crate does not know.
    #[error("{}: filter.recycle.threshold = \"auto\": solved when the filter is emitted; give the manifest.json that `emit` wrote, or the number that it says", file.display())]
    Auto {
        /// File the specification came from.
        file: PathBuf,
    },
}

impl SpecError {
    /// The same error with the line of the text that the key stands in, where the error names a key.
    pub fn within(mut self, text: &str) -> SpecError {
        if let SpecError::Rule { key, at, .. } | SpecError::Unsupported { key, at, .. } = &mut self
        {
            *at = at.take().or_else(|| Place::of_key(text, key).map(Box::new));
        }
        self
    }
}

/// The next step where a file cannot be read.
fn read_next(source: &std::io::Error) -> &'static str {
    match source.kind() {
        ErrorKind::FileTooLarge => "name the TOML file of a specification, which takes a few KiB",
        ErrorKind::InvalidData => "save it as UTF-8, or name the TOML file of a specification",
        _ => "name an existing, readable TOML file",
    }
}

fn position(at: &Option<Box<Place>>) -> String {
    at.as_deref().map_or_else(String::new, Place::position)
}

fn shown(at: &Option<Box<Place>>) -> String {
    at.as_deref().map_or_else(String::new, Place::shown)
}
