//! From a file to a design: the manifest that a filter was emitted with, or its specification.

use crate::design::Design;
use bloomline_spec::{FilterSpec, SpecError, ThresholdSetting, Validated};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Why a file gives no design.
#[derive(Debug, thiserror::Error)]
pub enum DesignError {
    /// The specification is wrong, or cannot be read.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The specification leaves the threshold to theory, which the driver does not know.
    #[error("{file}: filter.recycle.threshold = \"auto\": solved when the filter is emitted; give the manifest.json that `emit` wrote, or the number that it says")]
    Auto {
        /// The specification.
        file: PathBuf,
    },
    /// The manifest cannot be read, or is none.
    #[error("{file}: no manifest of a filter: {why}; give the manifest.json that `emit` wrote")]
    Manifest {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The manifest is of a release with another idea of its specification.
    #[error("{file}: the manifest says geometry hash {said}, this driver makes 0x{made:x} of its specification; use the release that emitted the filter")]
    Hash {
        /// The file.
        file: PathBuf,
        /// The hash in it.
        said: String,
        /// The hash of the specification in it.
        made: u64,
    },
}

impl Design {
    /// The design of a file: of a manifest that `emit` wrote (a name that ends in `.json`), or of a specification (any other),
    /// which must say its threshold where its kind has one.
    ///
    /// # Errors
    /// [`DesignError`].
    pub fn load(file: &Path) -> Result<Design, DesignError> {
        match file.extension().is_some_and(|ending| ending == "json") {
            true => match std::fs::read_to_string(file) {
                Ok(text) => Design::from_manifest(&text, file),
                Err(error) => Err(no_manifest(file, error)),
            },
            false => design(&FilterSpec::load(file)?, None),
        }
    }

    /// The design of a manifest's text; `file` is named in errors.
    ///
    /// # Errors
    /// [`DesignError`].
    pub fn from_manifest(text: &str, file: &Path) -> Result<Design, DesignError> {
        let manifest: Value =
            serde_json::from_str(text).map_err(|error| no_manifest(file, error))?;
        let text_of = |name: &str| match manifest[name].as_str() {
            Some(text) => Ok(text),
            None => Err(no_manifest(file, format!("it has no text `{name}`"))),
        };
        let spec = FilterSpec::from_toml(text_of("specification")?, file)?;
        let design = design(&spec, manifest["geometry"]["threshold"].as_u64())?;
        let (said, made) = (text_of("geometry_hash")?, design.geometry_hash());
        match said == format!("0x{made:x}") {
            true => Ok(design),
            false => Err(DesignError::Hash {
                file: file.to_owned(),
                said: said.to_owned(),
                made,
            }),
        }
    }
}

fn no_manifest(file: &Path, why: impl ToString) -> DesignError {
    DesignError::Manifest {
        file: file.to_owned(),
        why: why.to_string(),
    }
}

/// The design of a specification, with `solved` in the place of a threshold that it leaves open.
fn design(spec: &FilterSpec, solved: Option<u64>) -> Result<Design, DesignError> {
    Ok(match spec.resolve()? {
        Validated::Recycling(sizing) => {
            let threshold = match (sizing.threshold_setting(), solved) {
                (ThresholdSetting::Fixed(threshold), _) => threshold,
                (ThresholdSetting::Auto { .. }, Some(threshold)) => threshold,
                (ThresholdSetting::Auto { .. }, None) => {
                    return Err(DesignError::Auto {
                        file: spec.file.clone(),
                    })
                }
            };
            sizing.with_threshold(threshold)?.into()
        }
        Validated::Cells(geometry) => geometry.into(),
        Validated::Sliding(geometry) => geometry.into(),
    })
}
