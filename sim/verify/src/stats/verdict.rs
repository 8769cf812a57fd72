//! Verdict of a statistical test: pass, fail or inconclusive.

use super::Interval;
use serde::{Deserialize, Serialize};

/// Fewer complete cycles than this decide nothing about a rate.
pub const MINIMUM_CYCLES: u64 = 200;

/// Fewer events than this decide nothing about a rate.
pub const MINIMUM_EVENTS: u64 = 100;

/// Whether a measurement agrees with its prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The prediction lies in the interval.
    Pass,
    /// It does not.
    Fail,
    /// There is too little evidence; never a pass.
    Inconclusive,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Inconclusive => "inconclusive",
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

/// Compares a prediction with a measured interval: inconclusive below [`MINIMUM_CYCLES`] or [`MINIMUM_EVENTS`], else whether
/// the interval holds the prediction.
pub fn judge(measured: &Interval, predicted: f64, evidence: Evidence) -> Verdict {
    if evidence.cycles < MINIMUM_CYCLES || evidence.events < MINIMUM_EVENTS {
        Verdict::Inconclusive
    } else if measured.contains(predicted) {
        Verdict::Pass
    } else {
        Verdict::Fail
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_evidence_is_never_a_pass() {
        let interval = Interval {
            low: 0.1,
            high: 0.2,
            confidence: 0.99,
        };
        let with =
            |cycles, events, predicted| judge(&interval, predicted, Evidence { cycles, events });
        assert_eq!(with(199, 1000, 0.15), Verdict::Inconclusive);
        assert_eq!(with(1000, 99, 0.5), Verdict::Inconclusive);
        assert_eq!(with(200, 100, 0.15), Verdict::Pass);
        assert_eq!(with(200, 100, 0.2), Verdict::Pass);
        assert_eq!(with(200, 100, 0.09), Verdict::Fail);
        assert_eq!(with(200, 100, f64::NAN), Verdict::Fail);
    }
}
