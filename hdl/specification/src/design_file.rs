//! Reads a design from a manifest or from a specification.

use crate::design::Design;
use crate::error::SpecError;
use crate::files;
use crate::specification::FilterSpec;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Longest manifest, in bytes: those that `emit` writes are below one hundredth of it.
const MOST_MANIFEST_BYTES: u64 = 1 << 26;

/// Why a file gives no design.
#[derive(Debug, thiserror::Error)]
pub enum DesignError {
    /// The specification is wrong, or cannot be read.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The manifest cannot be read, or is none.
    #[error("{file}: no manifest of a filter: {why}; give the manifest.json that `emit` wrote")]
    Manifest {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The manifest is of a release with another idea of its specification.
    #[error("{file}: the manifest says geometry hash {said}, this version makes 0x{made:x} of its specification; use the release that emitted the filter")]
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
            true => match files::text(file, MOST_MANIFEST_BYTES) {
                Ok(text) => Design::from_manifest(&text, file),
                Err(error) => Err(no_manifest(file, error)),
            },
            false => Ok(FilterSpec::load(file)?.design()?),
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
        let solved = manifest["geometry"]["threshold"].as_u64();
        let design = spec.design_with(|_, _| {
            solved.ok_or_else(|| SpecError::Auto {
                file: file.to_owned(),
            })
        })?;
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
