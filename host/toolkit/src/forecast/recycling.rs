//! Forecast of a recycling filter.

use super::line::{chosen_keys, few_keys, Line, LINEAR_HASH, PUBLIC_SECRET};
use super::{path, queue, rates, speed};
use crate::error::by_threshold;
use crate::Error;
use bloomline_spec::{Design, HashFamily, RecyclingGeometry};
use bloomline_theory::sizing::Prediction;
use bloomline_theory::TheoryError;
use std::path::Path;

/// Every predicted number of a recycling filter.
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
                rates::lines(geometry, prediction),
                rates::warnings(geometry, prediction),
            ),
            Err(source @ TheoryError::TwoHashFloor { .. }) => {
                return Err(Error::TwoHashFloor {
                    file: file.to_owned(),
                    hashing: geometry.hashing(),
                    source: source.clone(),
                })
            }
            Err(error) => (
                Vec::new(),
                vec![format!("no rates are predicted: {}", by_threshold(error))],
            ),
        };
        lines.extend(speed::lines(geometry));
        warnings.extend(speed::warnings(geometry, &lines));
        warnings.extend(queue::warning(&Design::from(geometry).timing()));
        if let Ok(prediction) = &rates {
            let keys = prediction.cycle_arrivals.value;
            let what = format!("the {} new keys of a cycle", super::whole(keys));
            warnings.extend(few_keys(geometry, &what, keys));
        }
        warnings.extend(path::warnings(&Design::from(geometry), &lines));
        warnings.splice(0..0, chosen_keys(geometry));
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
