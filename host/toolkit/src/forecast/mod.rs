//! What theory, and the pipeline's own arithmetic, say of a geometry.

mod alternatives;
mod cells;
mod rates;
mod shared;
mod sliding;
mod speed;

pub use alternatives::{cycle_of, why_threshold, Alternative, Alternatives};
pub use bloomline_verify::text::{format_number, format_value, short, whole};
pub use cells::CellForecast;
pub use rates::solve;
pub use shared::{Probes, Variants};
pub use sliding::SlidingForecast;

use crate::Error;
use bloomline_spec::{HashFamily, RecyclingGeometry};
use bloomline_theory::sizing::Prediction;
use bloomline_theory::{Accuracy, AccuracyKind, TheoryError};
use std::path::Path;

/// What a linear hash does, for every kind of filter.
const LINEAR_HASH: &str =
    "hash.family = \"h3\" is linear: structured keys (consecutive addresses, ports) see a rate that varies \
     widely with the seed; \"h3-sbox\" costs the same logic and does not";

/// What a keyed hash does not do by itself, for every kind of filter.
const PUBLIC_SECRET: &str =
    "the hash is keyed, but its secret is the specification's, as public as hash.seed, until the host loads another one: write \
     HASH_KEY_0 to HASH_KEY_3, then CONTROL bit 1 (rekey)";

/// A predicted number.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its key in JSON.
    pub key: &'static str,
    /// The number, in `unit`.
    pub value: f64,
    /// Unit of the number; empty for a ratio.
    pub unit: &'static str,
    /// Where it comes from.
    pub formula: String,
    /// How good it is.
    pub accuracy: Accuracy,
    /// Its natural logarithm where doubles end.
    pub ln: Option<f64>,
}

/// Every predicted number of a geometry.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    lines: Vec<Line>,
    warnings: Vec<String>,
    rates: Result<Prediction, TheoryError>,
}

impl Forecast {
    /// Predicts. A legal geometry whose rates theory does not cover has no rates, and says so in a warning.
    ///
    /// # Errors
    /// Two hash functions that put too high a floor under the rate, unless the specification accepts it.
    pub fn of(file: &Path, geometry: &RecyclingGeometry) -> Result<Forecast, Error> {
        let rates = rates::predict(geometry);
        let (mut lines, mut warnings) = match &rates {
            Ok(prediction) => (
                rates::lines(prediction),
                rates::warnings(geometry, prediction),
            ),
            Err(source @ TheoryError::TwoHashFloor { .. }) => {
                return Err(Error::TwoHashFloor {
                    file: file.to_owned(),
                    hashing: geometry.hashing(),
                    source: source.clone(),
                })
            }
            Err(error) => (Vec::new(), vec![format!("no rates are predicted: {error}")]),
        };
        lines.extend(speed::lines(geometry));
        warnings.extend(speed::warnings(geometry, &lines));
        if geometry.family() == HashFamily::H3 {
            warnings.push(LINEAR_HASH.to_owned());
        }
        if geometry.hash().secret.is_some() {
            warnings.push(PUBLIC_SECRET.to_owned());
        }
        Ok(Forecast {
            lines,
            warnings,
            rates,
        })
    }

    /// The numbers, in the order to show them.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// What the user should know before building this.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The prediction of theory, or why there is none.
    pub fn rates(&self) -> Result<&Prediction, &TheoryError> {
        self.rates.as_ref()
    }
}

/// An accuracy in a few words.
pub fn stated(accuracy: Accuracy) -> String {
    match accuracy.kind {
        AccuracyKind::Exact => "exact".to_owned(),
        AccuracyKind::Bound => "bound".to_owned(),
        AccuracyKind::Approximation if accuracy.relative_error > 10.0 => {
            "an estimate, error not bounded".to_owned()
        }
        AccuracyKind::Approximation => {
            format!("within {}", percent(accuracy.relative_error))
        }
    }
}

/// A relative error as a percentage.
fn percent(share: f64) -> String {
    let percentage = 100.0 * share;
    if percentage >= 0.1 {
        format!("{percentage:.1}%")
    } else if percentage >= 0.001 {
        format!("{percentage:.3}%")
    } else {
        format!("{percentage:.0e}%")
    }
}
