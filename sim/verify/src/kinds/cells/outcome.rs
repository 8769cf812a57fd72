//! Result of the verification of a filter of cells.

use crate::report::ReportData;
use crate::stats::Verdict;
use crate::{FirstMismatch, Latency, Rate, StateResult};
use serde::Serialize;

/// The result of a verification of a filter of cells. What it shares with that of a recycling filter has the same names.
#[derive(Debug, Clone, Serialize)]
pub struct CellVerification {
    /// Pass or fail, over all that was tested.
    pub verdict: Verdict,
    /// Kind of filter.
    pub kind: bloomline_spec::FilterKind,
    /// Source of the keys.
    pub source: String,
    /// Items decided, questions included.
    pub items: u64,
    /// Distinct keys of the source.
    pub distinct_keys: u64,
    /// Records without a key.
    pub skipped: u64,
    /// Clocks that differed (the run ends at the first) plus items on which pipeline and functional model differ.
    pub mismatches: u64,
    /// Clocks simulated.
    pub cycles: u64,
    /// Items over clocks, from the first acceptance to the last.
    pub items_per_cycle: f64,
    /// Clocks not ready between them.
    pub stall_cycles: u64,
    /// Speed of the lockstep.
    pub cycles_per_second: f64,
    /// Answers below the truth: stored keys that are not seen, estimates below the count. Any is a failure.
    pub lost_keys: u64,
    /// False positives. static: of the absent keys that were asked for. counting: keys reported below the threshold, of those
    /// that were there. count-min: keys below the threshold whose estimate reaches it.
    pub fpr: Rate,
    /// Allowed to `fpr.predicted` beside the interval: how much one filter differs from another, at the same confidence.
    pub fpr_model_error: f64,
    /// Absent keys (counting: first arrivals) against the cells that they met.
    pub state_test: StateResult,
    /// Whether that test was made: the cells of one array do not give the rate of two hash functions.
    pub state_tested: bool,
    /// From item to verdict.
    pub latency: Latency,
    /// Of counters that are updated conservatively. `fpr.predicted` is then the plain filter's, an upper bound: the verdict on it is
    /// one-sided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conservative: Option<ConservativeFound>,
    /// What this kind has besides.
    #[serde(flatten)]
    pub details: Details,
    /// The first mismatch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_mismatch: Option<FirstMismatch>,
    /// Series for the report.
    #[serde(skip)]
    pub report: ReportData,
}

/// What a kind has besides.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Details {
    /// `static`.
    Static(StaticFound),
    /// `counting`.
    Counting(CountingFound),
    /// `count-min`.
    CountMin(CountMinFound),
}

/// Of a static filter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StaticFound {
    /// Keys inserted.
    pub inserted: u64,
    /// Absent keys asked for.
    pub queried: u64,
    /// Of those, seen.
    pub false_positives: u64,
}

/// Of a counting filter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CountingFound {
    /// Arrivals inserted.
    pub arrivals: u64,
    /// The threshold.
    pub threshold: u32,
    /// Insertions of a window, over which occurrences count. Keys are then counted anew after each turn of the panes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// Keys that came so often.
    pub hot_keys: u64,
    /// Of those, reported.
    pub hot_keys_found: u64,
    /// Keys reported while their count was below the threshold.
    pub false_alarms: u64,
    /// What theory expects of that, for this stream; under conservative update an upper bound of it.
    pub false_alarms_predicted: Option<f64>,
    /// Of the keys reported falsely, those that never reached the threshold.
    pub never_hot: u64,
    /// Insertions taken back.
    pub removed: u64,
    /// Of those, that found a counter at 0; any is a failure.
    pub underflows: u64,
    /// Arrivals that met a counter at its greatest value.
    pub saturated: u64,
    /// The keys that came most often.
    pub top: Vec<HotKey>,
}

/// Of counters that are updated conservatively, beside the plain filter on the same items.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConservativeFound {
    /// Answers with an estimate above the plain filter's; any is a failure.
    pub above_plain: u64,
    /// Mean of what the keys asked for at the end are overestimated by; those whose plain estimate is the greatest value of a
    /// counter are left out.
    pub mean_overestimate: f64,
    /// The mean overestimate of the plain filter.
    pub mean_overestimate_plain: f64,
    /// Counting: keys that the plain filter reports while their count is below the threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub false_alarms_plain: Option<u64>,
}

/// A key and its count.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HotKey {
    /// The key, hexadecimal.
    pub key: String,
    /// Its exact count, or the sum of its amounts.
    pub count: u64,
    /// Its estimate; `None` where it was not asked for at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<u32>,
}

/// Of a Count-Min sketch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CountMinFound {
    /// Arrivals inserted.
    pub arrivals: u64,
    /// Sum of all amounts, N.
    pub total: u64,
    /// Amounts cut to what an item can carry.
    pub clipped: u64,
    /// The threshold.
    pub threshold: u32,
    /// Keys whose sum reaches the threshold.
    pub heavy_keys: u64,
    /// Keys whose estimate does.
    pub reported_keys: u64,
    /// Heavy keys that are reported.
    pub heavy_keys_found: u64,
    /// Heavy keys among the reported ones, as a share; `None` without any.
    pub precision: Option<f64>,
    /// Reported keys among the heavy ones, as a share; `None` without any.
    pub recall: Option<f64>,
    /// Mean error of the estimates; `None` where all are at the greatest value of a counter.
    pub mean_error: Option<f64>,
    /// Errors by the share of keys with at most that; none where there is no error to count.
    pub quantiles: Vec<Quantile>,
    /// Shares of keys with a large error, against the bound.
    pub bounds: Vec<Bound>,
    /// Estimates at the greatest value of a counter, which may be below the truth and are not counted as errors.
    pub saturated: u64,
    /// The level that fresh keys were compared with in the state test.
    pub fresh_level: Option<u32>,
    /// The heaviest keys.
    pub top: Vec<HotKey>,
}

/// An error that a share of the keys keeps within.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quantile {
    /// Share of the keys.
    pub share: f64,
    /// Error.
    pub error: u64,
    /// Error over N.
    pub error_share: f64,
}

/// A bound of the failure probability, and the share of keys that fail.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bound {
    /// The probability that theory bounds the failure by.
    pub failure: f64,
    /// The error over N that counts as one.
    pub epsilon: f64,
    /// Share of keys with that error or more.
    pub measured: f64,
    /// Lower end of its interval.
    pub ci_low: f64,
    /// Fail when the whole interval lies above the bound.
    pub verdict: Verdict,
}
