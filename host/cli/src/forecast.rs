//! What theory, and the pipeline's own arithmetic, say of a geometry.

mod alternatives;
mod cells;
mod rates;
mod shared;
mod sliding;
mod speed;

pub use alternatives::{cycle_of, short, whole, why_threshold, Alternative, Alternatives};
pub use cells::{latency_clocks as cell_latency_clocks, CellForecast};
pub use rates::solve;
pub use shared::{Probes, Variants};
pub use sliding::{latency_clocks as sliding_latency_clocks, SlidingForecast};

use bloomline_spec::{Geometry, HashFamily};
use bloomline_theory::sizing::Prediction;
use bloomline_theory::{Accuracy, AccuracyKind, TheoryError};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
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

/// Every predicted number of a geometry; serialises as one object, a number a key.
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
    pub fn of(file: &Path, geometry: &Geometry) -> anyhow::Result<Forecast> {
        let rates = rates::predict(geometry);
        let (mut lines, mut warnings) = match &rates {
            Ok(prediction) => (
                rates::lines(prediction),
                rates::warnings(geometry, prediction),
            ),
            Err(error @ TheoryError::TwoHashFloor { .. }) => {
                anyhow::bail!(
                    "{}: filter.hashing = \"{}\": {error} (filter.hashing = \"independent\", or \
                     filter.accept_two_hash_floor = true)",
                    file.display(),
                    geometry.hashing()
                )
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

impl Serialize for Forecast {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.lines.len()))?;
        for line in &self.lines {
            map.serialize_entry(line.key, &line.value)?;
        }
        map.end()
    }
}

/// A number for a table: whole numbers in full, others with six significant digits.
pub fn format_value(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 {
        format!("{value:.0}")
    } else if (1e-3..1e6).contains(&value.abs()) {
        let decimals = (5 - value.abs().log10().floor() as i32).max(0) as usize;
        format!("{value:.decimals$}")
    } else {
        format!("{value:.5e}")
    }
}

/// A number for a table, from its logarithm where doubles end.
pub fn format_number(value: f64, ln: Option<f64>) -> String {
    let Some(ln) = ln else {
        return format_value(value);
    };
    let log10 = ln / std::f64::consts::LN_10;
    let exponent = log10.floor();
    format!("{:.5}e{exponent:.0}", 10f64.powf(log10 - exponent))
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

#[cfg(test)]
mod tests {
    use super::format_value;

    #[test]
    fn values_keep_six_digits_and_whole_numbers_all() {
        let cases = [
            (0.0, "0"),
            (65_536.0, "65536"),
            (0.012_345_678, "0.0123457"),
            (8_710.123_456, "8710.12"),
            (250e6, "250000000"),
            (1.234_567_89e-7, "1.23457e-7"),
        ];
        for (value, expected) in cases {
            assert_eq!(format_value(value), expected);
        }
    }
}
