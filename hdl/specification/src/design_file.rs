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
        match is_manifest(file) {
            true => Design::from_manifest(&manifest_text(file)?, file),
            false => Ok(FilterSpec::load(file)?.design()?),
        }
    }

    /// The design of a manifest's text; `file` is named in errors.
    ///
    /// # Errors
    /// [`DesignError`].
    pub fn from_manifest(text: &str, file: &Path) -> Result<Design, DesignError> {
        let manifest = parsed(text, file)?;
        let spec = FilterSpec::from_toml(text_in(&manifest, "specification", file)?, file)?;
        let solved = manifest["geometry"]["threshold"].as_u64();
        let design = spec.design_with(|_, _| {
            solved.ok_or_else(|| SpecError::Auto {
                file: file.to_owned(),
            })
        })?;
        let (said, made) = (
            text_in(&manifest, "geometry_hash", file)?,
            design.geometry_hash(),
        );
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

/// Whether a file is taken for a manifest, and not for a specification: by the ending of its name.
pub fn is_manifest(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "json")
}

/// The specification's text in the manifest `file`.
pub fn specification_in(file: &Path) -> Result<String, SpecError> {
    let manifest = parsed(&manifest_text(file)?, file)?;
    Ok(text_in(&manifest, "specification", file)?.to_owned())
}

fn manifest_text(file: &Path) -> Result<String, SpecError> {
    files::text(file, MOST_MANIFEST_BYTES).map_err(|error| no_manifest(file, error))
}

fn parsed(text: &str, file: &Path) -> Result<Value, SpecError> {
    serde_json::from_str(text).map_err(|error| no_manifest(file, error))
}

fn text_in<'a>(manifest: &'a Value, name: &str, file: &Path) -> Result<&'a str, SpecError> {
    let text = manifest[name].as_str();
    text.ok_or_else(|| no_manifest(file, format!("it has no text `{name}`")))
}

fn no_manifest(file: &Path, why: impl ToString) -> SpecError {
    SpecError::Manifest {
        file: file.to_owned(),
        why: why.to_string(),
    }
}
