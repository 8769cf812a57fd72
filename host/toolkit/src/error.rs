use crate::package::FolderError;
use bloomline_driver::ConnectError;
use bloomline_engine::EngineError;
use bloomline_hdl::emit::EmitError;
use bloomline_spec::{DesignError, Hashing, SpecError};
use bloomline_stimulus::StimulusError;
use bloomline_theory::TheoryError;
use bloomline_verify::report::ReportError;
use bloomline_verify::VerifyError;
use std::path::PathBuf;

/// Why something could not be done with a specification.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The specification cannot be read, or is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A manifest gives no design.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// No threshold reaches the target of `threshold = "auto"`.
    #[error("{}: filter.recycle.threshold = \"auto\": {source}", file.display())]
    Threshold {
        /// The specification.
        file: PathBuf,
        /// Why.
        source: TheoryError,
    },
    /// Two hash functions put too high a floor under the rate, and the specification does not accept it.
    #[error("{}: filter.hashing = \"{hashing}\": {source} (filter.hashing = \"independent\", or filter.accept_two_hash_floor = true)", file.display())]
    TwoHashFloor {
        /// The specification.
        file: PathBuf,
        /// How its positions come from hash functions.
        hashing: Hashing,
        /// How high the floor is.
        source: TheoryError,
    },
    /// Theory does not cover that many items.
    #[error("{}: filter.items = {items}: {source}", file.display())]
    Items {
        /// The specification.
        file: PathBuf,
        /// Its items.
        items: u64,
        /// Why not.
        source: TheoryError,
    },
    /// Theory does not cover these sizes.
    #[error("{}: {}", file.display(), by_threshold(source))]
    Theory {
        /// The specification.
        file: PathBuf,
        /// Why not.
        source: TheoryError,
    },
    /// There is no prediction to plan with.
    #[error("{}: filter.recycle.threshold = {threshold}: no rates can be predicted: {}", file.display(), by_threshold(source))]
    NoRates {
        /// The specification.
        file: PathBuf,
        /// Its threshold.
        threshold: u64,
        /// Why not.
        source: TheoryError,
    },
    /// A filter that forgets nothing by itself has no peers among those that do.
    #[error(
        "{}: filter.kind = \"{kind}\" forgets nothing until it is cleared, and --compare is about structures that forget by age; \
         it takes filters of kind recycling or sliding",
        file.display()
    )]
    NothingToCompare {
        /// The specification.
        file: PathBuf,
        /// Its kind.
        kind: String,
    },
    /// A kind of filter whose rate on given keys has no law.
    #[error(
        "{}: filter.kind = \"{kind}\" has no law for the rate on given keys; --keys and --varying take filters of kind recycling or static \
         (bloomline verify {} --keys FILE:COLUMN measures others)",
        file.display(), file.display()
    )]
    NoRateOnKeys {
        /// The specification.
        file: PathBuf,
        /// Its kind.
        kind: String,
    },
    /// A kind of filter without recycles.
    #[error(
        "{}: filter.kind = \"{kind}\", and --zipf is about the cycles of a recycling filter; it takes filters of kind recycling",
        file.display()
    )]
    NoCycles {
        /// The specification.
        file: PathBuf,
        /// Its kind.
        kind: String,
    },
    /// A kind of filter that is no memory of earlier requests.
    #[error(
        "{}: filter.kind = \"{kind}\", and --cache is about objects that a cache stores on their second request; it takes filters of kind recycling",
        file.display()
    )]
    NothingToCache {
        /// The specification.
        file: PathBuf,
        /// Its kind.
        kind: String,
    },
    /// A trace of requests that cannot be replayed.
    #[error("--trace {}: {why}", file.display())]
    Requests {
        /// The table.
        file: PathBuf,
        /// What is wrong, and what to do.
        why: String,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Stimulus(#[from] StimulusError),
    /// A set of keys that must be listed, and is too large for it.
    #[error(
        "{}: --varying with {free} bits: at most {most}, since these hash functions must be tried on every key; any number is taken by \
         hash.family = \"h3\" with filter.hashing = \"independent\" in the partitioned layout, on a power of two of positions",
        file.display()
    )]
    TooManyKeys {
        /// The specification.
        file: PathBuf,
        /// Bits that vary.
        free: u32,
        /// The most there may be.
        most: u32,
    },
    /// The gateware cannot be printed, which is a fault of its description.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The emitted text cannot be read for an estimate of its area, which is a fault of the reader.
    #[error("{}: the area cannot be estimated: {source}", file.display())]
    AreaText {
        /// The specification.
        file: PathBuf,
        /// What of the text was not understood.
        source: EngineError,
    },
    /// The built-in table behind estimates of area is damaged.
    #[error(
        "the built-in table for estimates of area (forecast/area.json) cannot be read: {source}"
    )]
    AreaTable {
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The emitted files cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The verification could not be made.
    #[error(transparent)]
    Verify(Box<VerifyError>),
    /// The report of a verification cannot be made.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A result cannot be written beside the report.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A value cannot be written as JSON, which is a fault of this library.
    #[error("cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The device cannot be opened, or is another than the design.
    #[error(transparent)]
    Connect(Box<ConnectError>),
}

impl From<VerifyError> for Error {
    fn from(error: VerifyError) -> Error {
        Error::Verify(Box::new(error))
    }
}

impl From<ConnectError> for Error {
    fn from(error: ConnectError) -> Error {
        Error::Connect(Box::new(error))
    }
}

/// What theory says of a recycling filter, with the key of the threshold for the name that a law has for it.
pub(crate) fn by_threshold(source: &TheoryError) -> String {
    match source {
        TheoryError::OutOfDomain {
            argument: "messages" | "sigma",
            formula,
            expected,
            got,
        } => format!("{formula}: {got} is outside the domain, expected {expected}; change filter.recycle.threshold"),
        source => source.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use crate::Filter;
    use std::path::Path;

    #[test]
    fn a_threshold_that_no_law_covers_is_told_by_its_key() {
        for (threshold, more) in [(65_000, ""), (1, ""), (1, "retain = false\n")] {
            let text = format!(
                "name = \"x\"\n[filter]\nkind = \"recycling\"\nmemory_bits = 131072\nhashes = 4\nhashing = \"independent\"\n\
                 [filter.recycle]\nphases = 2\non = \"messages\"\nthreshold = {threshold}\n{more}[key]\nbits = 104\n"
            );
            let said = match Filter::from_text(Path::new("x.toml"), text) {
                Ok(filter) => filter.warnings().join("\n"),
                Err(error) => error.to_string(),
            };
            let is_told = threshold == 1 || said.contains("change filter.recycle.threshold");
            assert!(is_told && !said.contains("change messages"), "{said}");
        }
    }
}
