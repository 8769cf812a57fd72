//! From a specification file to a complete geometry: theory solves `auto` here and nowhere else.

use crate::forecast::{self, Forecast};
use bloomline_spec::{FilterSpec, Geometry, SpecError, ThresholdSetting};
use std::path::{Path, PathBuf};

/// A specification with its threshold settled, and what theory says of it.
pub struct Resolved {
    /// The file.
    pub file: PathBuf,
    /// Its text, as read.
    pub text: String,
    /// The complete geometry.
    pub geometry: Geometry,
    /// The prediction at that threshold.
    pub forecast: Forecast,
    /// What the user should know before building this.
    pub warnings: Vec<String>,
}

impl Resolved {
    /// Reads, validates and completes a specification.
    ///
    /// # Errors
    /// Those of the specification; that no threshold reaches the target; that two hash functions put too high a floor under
    /// the rate and the specification does not accept it.
    pub fn load(file: &Path) -> anyhow::Result<Resolved> {
        let text = std::fs::read_to_string(file).map_err(|source| SpecError::Read {
            file: file.to_owned(),
            source,
        })?;
        Resolved::from_text(file, text)
    }

    /// As [`Resolved::load`], from a text that was read already; `file` is the name that errors show.
    ///
    /// # Errors
    /// As [`Resolved::load`].
    pub fn from_text(file: &Path, text: String) -> anyhow::Result<Resolved> {
        let sizing = FilterSpec::from_toml(&text, file)?.validate()?;
        let threshold = match sizing.threshold_setting() {
            ThresholdSetting::Fixed(threshold) => threshold,
            ThresholdSetting::Auto { target_fpr } => forecast::solve(file, &sizing, target_fpr)?,
        };
        let geometry = sizing.with_threshold(threshold)?;
        let forecast = Forecast::of(file, &geometry)?;
        let warnings = forecast.warnings().to_vec();
        Ok(Resolved {
            file: file.to_owned(),
            text,
            geometry,
            forecast,
            warnings,
        })
    }
}
