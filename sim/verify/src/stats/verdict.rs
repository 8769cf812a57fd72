//! Verdict of a statistical test: pass, fail or inconclusive.

use super::Interval;
use serde::{Deserialize, Serialize};
use statrs::distribution::{DiscreteCDF, Poisson};

/// Fewer complete cycles than this decide nothing about a rate.
pub const MINIMUM_CYCLES: u64 = 200;

/// Fewer events than this decide nothing about a rate.
pub const MINIMUM_EVENTS: u64 = 100;

/// Whether a measurement agrees with its prediction. In JSON: `pass`, `fail`, `inconclusive`, `not-applicable`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The prediction lies in the interval, with its own error at both ends.
    Pass,
    /// It does not.
    Fail,
    /// There is too little evidence; never a pass.
    Inconclusive,
    /// There is nothing to compare: no prediction, or nothing of the kind happened; never a pass.
    NotApplicable,
}

impl Verdict {
    /// The word in JSON and in style sheets.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Inconclusive => "inconclusive",
            Verdict::NotApplicable => "not-applicable",
        }
    }

    /// The verdict as people read it, with the reason in parentheses unless there is none or they agree.
    pub fn because(self, reason: &str) -> String {
        match self {
            Verdict::Pass => self.to_string(),
            _ if reason.is_empty() => self.to_string(),
            _ => format!("{self} ({reason})"),
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Verdict::Pass => "agrees",
            Verdict::Fail => "differs",
            Verdict::Inconclusive => "too little evidence",
            Verdict::NotApplicable => "does not apply",
        })
    }
}

/// How much was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// Complete cycles.
    pub cycles: u64,
    /// Events (false positives) in them.
    pub events: u64,
}

impl Evidence {
    /// How many more of the `trials`, called `noun`, that gave this evidence a verdict takes, in words: in proportion, and at least twice as many where
    /// there was no event at all.
    pub fn still_needed(&self, trials: u64, noun: &str) -> String {
        let share = |found: u64, needed: u64| needed as f64 / found.max(1) as f64;
        let cycles = share(self.cycles, MINIMUM_CYCLES);
        let more = cycles.max(share(self.events, MINIMUM_EVENTS)) - 1.0;
        let trials = (trials.max(1) as f64 * more).max(1.0);
        // one significant digit, rounded up: it is an estimate
        let unit = 10f64.powf(trials.log10().floor());
        format!(
            "about {} more {noun} needed for a decision",
            crate::text::whole((trials / unit).ceil() * unit)
        )
    }
}

/// Compares a prediction, which may be off by `model_error`, with a measured interval: inconclusive below [`MINIMUM_CYCLES`] or
/// [`MINIMUM_EVENTS`], else whether the interval with that error at both ends holds the prediction.
pub fn judge(measured: &Interval, predicted: f64, model_error: f64, evidence: Evidence) -> Verdict {
    if evidence.cycles < MINIMUM_CYCLES || evidence.events < MINIMUM_EVENTS {
        Verdict::Inconclusive
    } else if measured.widened(model_error).contains(predicted) {
        Verdict::Pass
    } else {
        Verdict::Fail
    }
}

/// Whether a number of events lies within the two-sided interval of that confidence around its expectation, as a Poisson number.
pub fn is_likely(expected: f64, observed: u64, confidence: f64) -> bool {
    let Ok(law) = Poisson::new(expected) else {
        return observed == 0;
    };
    let above = match observed {
        0 => 1.0,
        _ => law.sf(observed - 1),
    };
    law.cdf(observed).min(above) >= (1.0 - confidence) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_still_needed_is_in_proportion_to_what_was_found() {
        let needed =
            |cycles, events, items| Evidence { cycles, events }.still_needed(items, "items");
        assert_eq!(
            needed(100, 1_000, 50_000),
            "about 50,000 more items needed for a decision"
        );
        assert_eq!(
            needed(1_000, 10, 1_000),
            "about 9,000 more items needed for a decision"
        );
        assert_eq!(
            needed(0, 0, 3_000),
            "about 600,000 more items needed for a decision"
        );
    }

    #[test]
    fn only_what_does_not_agree_has_a_reason() {
        assert_eq!(Verdict::Pass.because("x"), "agrees");
        assert_eq!(
            Verdict::NotApplicable.because("no recycle happened"),
            "does not apply (no recycle happened)"
        );
        assert_eq!(Verdict::Fail.because(""), "differs");
    }

    #[test]
    fn little_evidence_is_never_a_pass() {
        let interval = Interval {
            low: 0.1,
            high: 0.2,
            confidence: 0.99,
        };
        let with = |cycles, events, predicted| {
            judge(&interval, predicted, 0.0, Evidence { cycles, events })
        };
        assert_eq!(with(199, 1000, 0.15), Verdict::Inconclusive);
        assert_eq!(with(1000, 99, 0.5), Verdict::Inconclusive);
        assert_eq!(with(200, 100, 0.15), Verdict::Pass);
        assert_eq!(with(200, 100, 0.2), Verdict::Pass);
        assert_eq!(with(200, 100, 0.09), Verdict::Fail);
        assert_eq!(with(200, 100, f64::NAN), Verdict::Fail);
    }

    #[test]
    fn a_prediction_agrees_within_its_own_error_and_rounding() {
        let evidence = Evidence {
            cycles: 200,
            events: 100,
        };
        let of = |low, high, predicted, model_error| {
            let confidence = 0.99;
            let interval = Interval {
                low,
                high,
                confidence,
            };
            judge(&interval, predicted, model_error, evidence)
        };
        // a filter that reports every arrival leaves no width
        assert_eq!(of(1.0, 1.0, 1.0 + f64::EPSILON, 0.0), Verdict::Pass);
        assert_eq!(of(1.0, 1.0, 1.0 - 1e-9, 0.0), Verdict::Fail);
        assert_eq!(of(0.1, 0.2, 0.205, 0.01), Verdict::Pass);
        assert_eq!(of(0.1, 0.2, 0.095, 0.01), Verdict::Pass);
        assert_eq!(of(0.1, 0.2, 0.215, 0.01), Verdict::Fail);
    }
}
