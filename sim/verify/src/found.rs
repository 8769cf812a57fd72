//! Results of a verification, under the same names for every kind.

use crate::latency::LatencyProbe;
use crate::stats::Verdict;
use crate::text::interval_text;
use bloomline_bench::lockstep::LockstepError;
use serde::Serialize;

/// The measured rate beside the predicted one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rate {
    /// False positives over counted absent arrivals, in whole cycles where there are some.
    pub measured: f64,
    /// The false positives that it was measured from.
    pub events: u64,
    /// The arrivals among which they were counted.
    pub trials: u64,
    /// Lower end of its interval.
    pub ci_low: f64,
    /// Upper end.
    pub ci_high: f64,
    /// Confidence of the interval.
    pub confidence: f64,
    /// Predicted average rate for random new keys.
    pub predicted: Option<f64>,
    /// `predicted` is an upper bound: only a rate above it disagrees.
    #[serde(skip_serializing_if = "is_false")]
    pub at_most: bool,
    /// Model test; does not apply to traffic that repeats keys; too little evidence with too few cycles or events.
    pub verdict: Verdict,
    /// Why it is not a pass; empty where it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// The state test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StateResult {
    /// Sum of the arrivals' probabilities.
    pub expected: f64,
    /// False positives.
    pub observed: u64,
    /// Distance in standard deviations, [`Self::allowed`] included.
    pub z: f64,
    /// Standard deviation of `expected` where the probabilities are approximate because rows share two hash functions: to first order, not a
    /// bound. 0 where they are exact.
    #[serde(skip_serializing_if = "is_zero")]
    pub allowed: f64,
    /// Pass when its probability under the model is at least 1 %.
    pub verdict: Verdict,
    /// Why it is not a pass; empty where it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl Rate {
    /// The measured rate with its interval, as people read it.
    pub fn measured_text(&self) -> String {
        interval_text(self.measured, self.ci_low, self.ci_high)
    }

    /// The verdict with its reason.
    pub fn judged(&self) -> String {
        self.verdict.because(&self.reason)
    }
}

impl StateResult {
    /// Found and expected, and whether chance explains the difference.
    pub fn text(&self) -> String {
        format!(
            "{} false positives, {:.1} expected{}, {:.1} standard deviations apart: {}",
            self.observed,
            self.expected,
            self.approximately(),
            self.z.abs(),
            self.verdict.because(&self.reason)
        )
    }

    /// The standard deviation of `expected` as text; empty where that is exact.
    pub fn approximately(&self) -> String {
        match self.allowed {
            0.0 => String::new(),
            little if little < 0.1 => {
                " within less than 0.1 (to first order, not a bound)".to_owned()
            }
            allowed => format!(" within {allowed:.1} (to first order, not a bound)"),
        }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// Clocks from an item's acceptance to its verdict, at the device's ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Latency {
    /// Least; 0 when no verdict came.
    pub minimum_clocks: u64,
    /// Greatest; 0 when no verdict came.
    pub maximum_clocks: u64,
    /// What the contract says where nobody holds a verdict up: F + D + 3.
    pub contract_clocks: u64,
    /// Pass when the least is the contract's; does not apply when no verdict came.
    pub verdict: Verdict,
}

impl Latency {
    /// The range of clock cycles beside the contract's, and the verdict.
    pub fn text(&self) -> String {
        let reason = match self.verdict {
            Verdict::Fail => "the least is another than the contract's",
            _ => "no verdict came",
        };
        format!(
            "{} to {} clock cycles, {} by contract: {}",
            self.minimum_clocks,
            self.maximum_clocks,
            self.contract_clocks,
            self.verdict.because(reason)
        )
    }

    pub(crate) fn of(probe: &LatencyProbe) -> Self {
        let contract_clocks = probe.contract_clocks;
        let least = probe.items_by_clocks.keys().next().copied();
        let most = probe.items_by_clocks.keys().next_back().copied();
        Self {
            minimum_clocks: least.unwrap_or(0),
            maximum_clocks: most.unwrap_or(0),
            contract_clocks,
            verdict: match least {
                None => Verdict::NotApplicable,
                Some(clocks) if clocks == contract_clocks => Verdict::Pass,
                Some(_) => Verdict::Fail,
            },
        }
    }
}

/// Where device and model first differed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FirstMismatch {
    /// Clock.
    pub cycle: u64,
    /// Port.
    pub port: String,
    /// Model.
    pub expected: String,
    /// Device.
    pub got: String,
    /// The whole message, with the waveform's path.
    pub message: String,
}

impl FirstMismatch {
    pub(crate) fn of(error: &LockstepError) -> Self {
        let error_of_run = match error {
            LockstepError::Lane { source, .. } => source,
            other => other,
        };
        let (port, expected, got) = match error_of_run {
            LockstepError::Mismatch {
                port,
                expected,
                got,
                ..
            } => (port.clone(), expected.clone(), got.clone()),
            _ => (String::new(), String::new(), String::new()),
        };
        Self {
            cycle: error.cycle().unwrap_or(0),
            port,
            expected,
            got,
            message: error.to_string(),
        }
    }
}
