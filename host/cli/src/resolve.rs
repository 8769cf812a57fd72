//! From a specification file to a complete geometry: theory solves `auto` here and nowhere else.

use crate::forecast::{self, CellForecast, Forecast, SlidingForecast};
use anyhow::bail;
use bloomline_driver::Design;
use bloomline_spec::{
    CellGeometry, Common, FilterKind, FilterSpec, Geometry, Sizing, SlidingGeometry, SpecError,
    ThresholdSetting, Validated,
};
use std::path::{Path, PathBuf};

/// A specification with everything settled, and what theory says of it.
pub struct Resolved<G, F> {
    /// The file.
    pub file: PathBuf,
    /// Its text, as read.
    pub text: String,
    /// The complete geometry.
    pub geometry: G,
    /// The prediction for it.
    pub forecast: F,
    /// What the user should know before building this.
    pub warnings: Vec<String>,
}

/// A recycling filter.
pub type Recycling = Resolved<Geometry, Forecast>;

/// A filter of cells: static, counting, count-min.
pub type Cells = Resolved<CellGeometry, CellForecast>;

/// A sliding-window filter.
pub type Sliding = Resolved<SlidingGeometry, SlidingForecast>;

/// A filter of any kind.
pub enum Filter {
    /// `recycling`.
    Recycling(Box<Recycling>),
    /// `static`, `counting`, `count-min`.
    Cells(Box<Cells>),
    /// `sliding`.
    Sliding(Box<Sliding>),
}

impl Filter {
    /// Reads, validates and completes a specification.
    ///
    /// # Errors
    /// Those of the specification; that no threshold reaches the target; that two hash functions put too high a floor under
    /// the rate and the specification does not accept it.
    pub fn load(file: &Path) -> anyhow::Result<Filter> {
        let text = std::fs::read_to_string(file).map_err(|source| SpecError::Read {
            file: file.to_owned(),
            source,
        })?;
        Filter::from_text(file, text)
    }

    /// As [`Filter::load`], from a text that was read already; `file` is the name that errors show.
    ///
    /// # Errors
    /// As [`Filter::load`].
    pub fn from_text(file: &Path, text: String) -> anyhow::Result<Filter> {
        Ok(match FilterSpec::from_toml(&text, file)?.resolve()? {
            Validated::Recycling(sizing) => {
                Filter::Recycling(Box::new(recycling(file, text, &sizing)?))
            }
            Validated::Cells(geometry) => {
                let forecast = CellForecast::of(file, &geometry)?;
                Filter::Cells(Box::new(Resolved {
                    file: file.to_owned(),
                    text,
                    warnings: forecast.warnings().to_vec(),
                    geometry,
                    forecast,
                }))
            }
            Validated::Sliding(geometry) => {
                let forecast = SlidingForecast::of(file, &geometry)?;
                Filter::Sliding(Box::new(Resolved {
                    file: file.to_owned(),
                    text,
                    warnings: forecast.warnings().to_vec(),
                    geometry,
                    forecast,
                }))
            }
        })
    }

    /// The complete design, as a driver or a simulated card takes it.
    pub fn design(&self) -> Design {
        match self {
            Filter::Recycling(resolved) => Design::from(&resolved.geometry),
            Filter::Cells(resolved) => Design::from(&resolved.geometry),
            Filter::Sliding(resolved) => Design::from(&resolved.geometry),
        }
    }

    /// What all kinds have.
    pub fn common(&self) -> &Common {
        match self {
            Filter::Recycling(resolved) => &resolved.geometry,
            Filter::Cells(resolved) => &resolved.geometry,
            Filter::Sliding(resolved) => &resolved.geometry,
        }
    }

    /// What the user should know before building this.
    pub fn warnings(&self) -> &[String] {
        match self {
            Filter::Recycling(resolved) => &resolved.warnings,
            Filter::Cells(resolved) => &resolved.warnings,
            Filter::Sliding(resolved) => &resolved.warnings,
        }
    }

    /// The recycling filter that `verb` works on.
    ///
    /// # Errors
    /// That the verb does not take filters of this kind.
    pub fn recycling(self, verb: &str) -> anyhow::Result<Recycling> {
        let (file, kind) = match self {
            Filter::Recycling(resolved) => return Ok(*resolved),
            Filter::Cells(resolved) => (resolved.file, resolved.geometry.kind()),
            Filter::Sliding(resolved) => (resolved.file, FilterKind::Sliding),
        };
        bail!(
            "{}: filter.kind = \"{kind}\": `{verb}` takes \"{}\" only; plan, emit, verify and prove take this kind too",
            file.display(),
            FilterKind::Recycling,
        )
    }
}

fn recycling(file: &Path, text: String, sizing: &Sizing) -> anyhow::Result<Recycling> {
    let threshold = match sizing.threshold_setting() {
        ThresholdSetting::Fixed(threshold) => threshold,
        ThresholdSetting::Auto { target_fpr } => forecast::solve(file, sizing, target_fpr)?,
    };
    let geometry = sizing.with_threshold(threshold)?;
    let forecast = Forecast::of(file, &geometry)?;
    Ok(Resolved {
        file: file.to_owned(),
        text,
        warnings: forecast.warnings().to_vec(),
        geometry,
        forecast,
    })
}
