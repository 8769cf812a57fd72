//! Verification with the prediction at hand, and its report.

use crate::forecast::{format_value, Line};
use crate::{Error, Filter};
use bloomline_theory::{Accuracy, AccuracyKind};
use bloomline_toolchain::whole_file;
use bloomline_verify::report::{self, Fact, Prediction, ReportData};
use bloomline_verify::{verify, Keys, Plan, Simulator, Verification, Watch};
use std::path::{Path, PathBuf};

impl Filter {
    /// Runs the gateware on `keys`, at most `items` of them, clock for clock against the model, and holds its rates against theory.
    /// `seed` is that of drawn keys, of what is asked for, and of the simulation's start values; `watch` hears how far it is.
    ///
    /// # Errors
    /// [`Error::Verify`] when it cannot be run. A mismatch is no error: it is in the result.
    pub fn verify(
        &self,
        keys: Keys,
        items: u64,
        seed: u64,
        simulator: Simulator,
        watch: &Watch<'_>,
    ) -> Result<Verification, Error> {
        self.verify_as(Plan::new(keys, items, seed, simulator), watch)
    }

    /// Verifies by a plan, whose prediction is this filter's.
    ///
    /// # Errors
    /// As [`Filter::verify`].
    pub fn verify_as(&self, plan: Plan, watch: &Watch<'_>) -> Result<Verification, Error> {
        let plan = match self.planned().rates() {
            Some(rates) => Plan {
                predicted: Some(rates.fpr_average.value),
                predicted_error: rates.fpr_average.value
                    * rates.fpr_average.accuracy.relative_error,
                two_hash_excess: rates.two_hash_excess.value,
                ..plan
            },
            None => plan,
        };
        Ok(verify(self.design(), &plan, watch)?)
    }

    /// Writes NAME.html and NAME.json of a verification with that seed into `folder`; returns the page's path.
    ///
    /// # Errors
    /// [`Error::Report`], [`Error::Write`].
    pub fn write_report(
        &self,
        result: &Verification,
        folder: &Path,
        seed: u64,
    ) -> Result<PathBuf, Error> {
        let name = self.design().name();
        let (fact, value) = self.planned().provenance();
        let data = ReportData {
            title: name.into(),
            predictions: self.lines().iter().map(Prediction::from).collect(),
            specification: self.text().to_owned(),
            provenance: [
                Fact::new("bloomline", env!("CARGO_PKG_VERSION")),
                Fact::new("keys", result.source()),
                Fact::new("seed", seed.to_string()),
                Fact::new(fact, value),
            ]
            .into_iter()
            .chain(result.report().provenance.iter().cloned())
            .collect(),
            ..result.report().clone()
        };
        let path = folder.join(format!("{name}.html"));
        report::write(&data, &path)?;
        let json = folder.join(format!("{name}.json"));
        let text = serde_json::to_string_pretty(result)?;
        whole_file::write(&json, &text).map_err(|source| Error::Write { path: json, source })?;
        Ok(path)
    }
}

impl From<&Line> for Prediction {
    fn from(line: &Line) -> Prediction {
        Prediction {
            name: line.key.into(),
            value: format!("{} {}", format_value(line.value), line.unit)
                .trim_end()
                .into(),
            formula: line.formula.clone(),
            source: accuracy(&line.accuracy),
        }
    }
}

/// How good a predicted number is, in words.
fn accuracy(accuracy: &Accuracy) -> String {
    match accuracy.kind {
        AccuracyKind::Exact => "exact".into(),
        AccuracyKind::Bound => "bound".into(),
        AccuracyKind::LowerBound => "lower bound".into(),
        AccuracyKind::Approximation => format!(
            "approximation, relative error up to {:.1e}",
            accuracy.relative_error
        ),
    }
}
