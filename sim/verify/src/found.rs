//! What verifications of every kind find, under the same names.

use crate::latency::LatencyProbe;
use crate::stats::Verdict;
use bloomline_bench::lockstep::LockstepError;
use serde::Serialize;

/// The measured rate beside the predicted one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rate {
    /// False positives over counted absent arrivals, in whole cycles where there are some.
    pub measured: f64,
    /// Lower end of its interval.
    pub ci_low: f64,
    /// Upper end.
    pub ci_high: f64,
    /// Confidence of the interval.
    pub confidence: f64,
    /// Predicted average rate for random new keys.
    pub predicted: Option<f64>,
    /// Model test; inconclusive on traffic that repeats keys, and with too few cycles or events.
    pub verdict: Verdict,
}

/// The state test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StateResult {
    /// Sum of the arrivals' probabilities.
    pub expected: f64,
    /// False positives.
    pub observed: u64,
    /// Distance in standard deviations.
    pub z: f64,
    /// Pass when its probability under the model is at least 1 %.
    pub verdict: Verdict,
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
    /// Pass when the least is the contract's; inconclusive when no verdict came.
    pub verdict: Verdict,
}

impl Latency {
    pub(crate) fn of(probe: &LatencyProbe) -> Self {
        let contract_clocks = probe.contract_clocks;
        let least = probe.items_by_clocks.keys().next().copied();
        let most = probe.items_by_clocks.keys().next_back().copied();
        Self {
            minimum_clocks: least.unwrap_or(0),
            maximum_clocks: most.unwrap_or(0),
            contract_clocks,
            verdict: match least {
                None => Verdict::Inconclusive,
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
        let (port, expected, got) = match error {
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
