//! Result of the verification of a sliding-window filter.

use crate::report::ReportData;
use crate::stats::Verdict;
use crate::{FirstMismatch, Latency, Rate, StateResult};
use serde::{Serialize, Serializer};

/// The result of a verification of a sliding-window filter. What it shares with those of the other kinds has the same names.
#[derive(Debug, Clone, Serialize)]
pub struct SlidingVerification {
    /// Pass or fail, over all that was tested.
    pub verdict: Verdict,
    /// `sliding`.
    pub kind: bloomline_spec::FilterKind,
    /// Source of the keys.
    pub source: String,
    /// Items decided: elements and questions.
    pub items: u64,
    /// Keys of the source, tested and inserted.
    pub elements: u64,
    /// Keys asked for between them.
    pub questions: u64,
    /// Records without a key.
    pub skipped: u64,
    /// Clocks that differed (the run ends at the first) plus items on which pipeline and functional model differ.
    pub mismatches: u64,
    /// Clocks simulated.
    pub cycles: u64,
    /// Items over clocks, from the first acceptance to the last.
    pub items_per_cycle: f64,
    /// Clocks not ready between them, for the scan (on cuckoo tables also for the stash).
    pub scan_stall_cycles: u64,
    /// What took them, in words.
    #[serde(skip)]
    pub held_by: &'static str,
    /// Clocks not ready between them, for clear or reset.
    pub control_stall_cycles: u64,
    /// Whether a bucket was left alone for longer than ages can be told apart. A failure.
    pub scan_late: bool,
    /// Speed of the lockstep.
    pub cycles_per_second: f64,
    /// Keys within the window that got a no though they were stored. Any is a failure.
    pub lost_keys: u64,
    /// Keys within the window.
    pub window: WindowFound,
    /// Keys neither within window nor slack, that got a yes. Predicted: of distinct elements.
    pub fpr: Rate,
    /// What `fpr.verdict` says.
    pub fpr_test: RateTest,
    /// Allowed to `fpr.predicted` beside the interval: the prediction's own error.
    pub fpr_model_error: f64,
    /// eps of the specification.
    pub target_fpr: f64,
    /// The same keys against the live cells that they met.
    pub state_test: StateResult,
    /// Keys within the slack.
    pub slack: SlackFound,
    /// Where insertions went.
    pub overflow: OverflowFound,
    /// From item to verdict.
    pub latency: Latency,
    /// The first mismatch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_mismatch: Option<FirstMismatch>,
    /// Series for the report.
    #[serde(skip)]
    pub report: ReportData,
}

/// What the rate is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RateTest {
    /// The prediction, two-sided: elements are distinct, and the rate is that of whole generations of the steady state.
    Prediction,
    /// The specification's eps, which the rate of any stream must not exceed.
    AtMostTarget,
}

/// Keys within the window: the exact truth keeps how far back each lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WindowFound {
    /// Arrivals and questions.
    pub asked: u64,
    /// Of those, with verdict seen.
    pub seen: u64,
    /// Keys that got a no, in window or slack, since their last element was lost.
    pub forgotten_after_loss: u64,
}

/// Keys within the slack.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SlackFound {
    /// Eighths of the part in which cells are still live, nearest first, and the rest of the slack.
    pub bands: Vec<SlackBand>,
    /// Stored keys of a live generation, in window or slack, that got a no. Any is a failure.
    pub live_unseen: u64,
    /// Pass when every band does. Does not apply to traffic that may keep step with the generations.
    pub verdict: Verdict,
}

/// A part of the slack.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SlackBand {
    /// Least elements back.
    pub from: u64,
    /// Most.
    pub to: u64,
    /// Keys of that age.
    pub asked: u64,
    /// Of those, with verdict seen.
    pub seen: u64,
    /// Their share.
    pub measured: f64,
    /// Lower end of its interval.
    pub ci_low: f64,
    /// Upper end.
    pub ci_high: f64,
    /// Confidence of the interval: all bands together have 0.99.
    pub confidence: f64,
    /// Mean of `min(1, ((c + 1) g - d) / g)` over the ages d, and an equal fingerprint else.
    pub predicted: f64,
    /// The most that it is, given where the elements stood: a cell that has expired is found again where an element of its identity comes.
    pub predicted_most: f64,
    /// Whether the interval holds a part of what is predicted.
    pub verdict: Verdict,
}

impl SlackBand {
    /// What is predicted, in words.
    pub(super) fn expected(&self) -> String {
        let [least, most] =
            [self.predicted, self.predicted_most].map(|share| format!("{share:.4}"));
        if least == most {
            least
        } else {
            format!("{least} to {most}")
        }
    }
}

/// Where insertions went.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverflowFound {
    /// Elements that took an empty cell or found none.
    pub insertions: u64,
    /// Shares of them, in the steady state, that found the first places full, nearest first; by key in JSON.
    #[serde(flatten, serialize_with = "by_key")]
    pub shares: Vec<Share>,
    /// Elements that found no empty cell: what LOST counts.
    pub lost: u64,
    /// The predicted share times all insertions, with the most elements live.
    pub lost_expected: f64,
    /// Fail when there are losses where none is predicted; does not apply where some are.
    pub verdict: Verdict,
}

/// Writes shares as a map.
fn by_key<S: Serializer>(shares: &[Share], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(shares.iter().map(|share| (share.key, share)))
}

/// A share of the insertions that went further, and what theory says of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// Key in JSON.
    #[serde(skip)]
    pub key: &'static str,
    /// Where they went, in words.
    #[serde(skip)]
    pub place: &'static str,
    /// Measured.
    pub measured: f64,
    /// Predicted, with the most elements live; on cuckoo tables on average.
    pub predicted: f64,
}
