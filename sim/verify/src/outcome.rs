//! What a verification found.

use super::latency::LatencyProbe;
use super::{speed, Forgotten, Plan, Statistics, VerifyError, CONFIDENCE};
use crate::report::{
    BitsSetSeries, Fact, LatencyHistogram, Prediction, RatePoint, RateSeries, ReportData, ResultRow,
};
use crate::stats::{judge, wilson, Evidence, Verdict};
use bloomline_bench::lockstep::{LockstepError, Outcome};
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
    pub(super) fn of(probe: &LatencyProbe) -> Self {
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
    pub(super) fn of(error: &LockstepError) -> Self {
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

/// The result of a verification.
#[derive(Debug, Clone, Serialize)]
pub struct Verification {
    /// Pass, fail or inconclusive, over all that was tested.
    pub verdict: Verdict,
    /// Source of the keys.
    pub source: String,
    /// Items decided.
    pub items: u64,
    /// Records without a key.
    pub skipped: u64,
    /// Clocks that differed (the run ends at the first) plus items on which pipeline and functional model differ.
    pub mismatches: u64,
    /// Clocks simulated.
    pub cycles: u64,
    /// Items over clocks, from the first acceptance to the last.
    pub items_per_cycle: f64,
    /// Recycles by items.
    pub recycles: u64,
    /// Clocks not ready for a recycle's sake (waiting for an epoch, or one item at a time).
    pub recycle_stall_cycles: u64,
    /// Clocks not ready for ageing.
    pub control_stall_cycles: u64,
    /// Speed of the lockstep.
    pub cycles_per_second: f64,
    /// Stored keys that were not found; any is a failure.
    pub lost_keys: u64,
    /// Repeats, and how many of them had been forgotten.
    pub repeats: u64,
    /// See `repeats`.
    pub forgotten: u64,
    /// The rate.
    pub fpr: Rate,
    /// The state test.
    pub state_test: StateResult,
    /// Forgotten repeats against theory.
    pub forgetting: Forgotten,
    /// From item to verdict.
    pub latency: Latency,
    /// The first mismatch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_mismatch: Option<FirstMismatch>,
    /// Series for the report.
    #[serde(skip)]
    pub report: ReportData,
}

/// Draws the conclusions.
pub(super) fn conclude(
    plan: &Plan,
    skipped: u64,
    finished: Option<Outcome>,
    mismatch: Option<LockstepError>,
    (span, recycle_stalls, control_stalls): (u64, u64, u64),
    latency: LatencyProbe,
    statistics: &Statistics,
) -> Result<Verification, VerifyError> {
    let by_cycles = statistics.ratio.interval(CONFIDENCE)?;
    let interval = match by_cycles.filter(|_| statistics.ratio.cycles() >= 2) {
        Some(interval) => interval,
        None => wilson(
            statistics.false_positives,
            statistics.counted.max(1),
            CONFIDENCE,
        )?,
    };
    let measured = statistics
        .ratio
        .ratio()
        .filter(|_| statistics.ratio.cycles() >= 2)
        .unwrap_or(if statistics.counted == 0 {
            0.0
        } else {
            statistics.false_positives as f64 / statistics.counted as f64
        });
    let evidence = Evidence {
        cycles: statistics.ratio.cycles(),
        events: statistics.ratio.events(),
    };
    let fpr = Rate {
        measured,
        ci_low: interval.low,
        ci_high: interval.high,
        confidence: CONFIDENCE,
        predicted: plan.predicted,
        verdict: match plan.predicted {
            Some(predicted) if plan.keys == super::Keys::RandomNew => {
                judge(&interval, predicted, evidence)
            }
            _ => Verdict::Inconclusive,
        },
    };
    let state_test = StateResult {
        expected: statistics.state.expected(),
        observed: statistics.state.observed(),
        z: statistics.state.z(),
        verdict: if statistics.state.p_value() >= 1.0 - CONFIDENCE {
            Verdict::Pass
        } else {
            Verdict::Fail
        },
    };
    let first_mismatch = mismatch.as_ref().map(FirstMismatch::of);
    let forgetting = statistics.forgetting.conclude(CONFIDENCE)?;
    let clocks_to_verdict = Latency::of(&latency);
    let mismatches = statistics.differing + u64::from(first_mismatch.is_some());
    let failed = mismatches > 0
        || statistics.lost > 0
        || fpr.verdict == Verdict::Fail
        || state_test.verdict == Verdict::Fail
        || forgetting.verdict == Verdict::Fail
        || clocks_to_verdict.verdict == Verdict::Fail;
    let mut result = Verification {
        verdict: if failed { Verdict::Fail } else { Verdict::Pass },
        source: plan.keys.name(),
        items: statistics.items,
        skipped,
        mismatches,
        cycles: finished.map_or(0, |outcome| outcome.clocks),
        items_per_cycle: if span == 0 {
            0.0
        } else {
            statistics.items as f64 / span as f64
        },
        recycles: statistics.recycles,
        recycle_stall_cycles: recycle_stalls,
        control_stall_cycles: control_stalls,
        cycles_per_second: speed(finished),
        lost_keys: statistics.lost,
        repeats: statistics.repeats,
        forgotten: statistics.forgotten,
        fpr,
        state_test,
        forgetting,
        latency: clocks_to_verdict,
        first_mismatch,
        report: ReportData::default(),
    };
    result.report = report(&result, statistics, latency)?;
    Ok(result)
}

/// The report's data, but for title, specification and predictions, which the caller knows.
fn report(
    result: &Verification,
    statistics: &Statistics,
    latency: LatencyProbe,
) -> Result<ReportData, VerifyError> {
    let row =
        |name: &str, measured: String, expected: String, verdict: Option<Verdict>| ResultRow {
            name: name.into(),
            measured,
            expected,
            verdict,
        };
    let none = |count: u64| {
        Some(if count == 0 {
            Verdict::Pass
        } else {
            Verdict::Fail
        })
    };
    let fpr = &result.fpr;
    let mut results = vec![
        row(
            "Clocks or items that differ from the model",
            result.mismatches.to_string(),
            "0".into(),
            none(result.mismatches),
        ),
        row(
            "Stored keys not found",
            result.lost_keys.to_string(),
            "0".into(),
            none(result.lost_keys),
        ),
        row(
            "Items a clock",
            format!("{:.6}", result.items_per_cycle),
            "1".into(),
            None,
        ),
        row(
            "Clocks lost to recycles",
            result.recycle_stall_cycles.to_string(),
            "0".into(),
            None,
        ),
        row(
            "False positives, state test",
            format!(
                "{} (z = {:.2})",
                result.state_test.observed, result.state_test.z
            ),
            format!("{:.1}", result.state_test.expected),
            Some(result.state_test.verdict),
        ),
        row(
            "False-positive rate, model test",
            format!(
                "{:.4e} ({:.4e} to {:.4e} at {} %)",
                fpr.measured,
                fpr.ci_low,
                fpr.ci_high,
                100.0 * fpr.confidence
            ),
            fpr.predicted
                .map_or_else(String::new, |p| format!("{p:.4e}")),
            Some(fpr.verdict),
        ),
        row(
            "Repeats forgotten",
            format!("{} of {}", result.forgotten, result.repeats),
            String::new(),
            None,
        ),
        forgetting_row(&result.forgetting),
        row(
            "Clocks from item to verdict, at least",
            result.latency.minimum_clocks.to_string(),
            result.latency.contract_clocks.to_string(),
            Some(result.latency.verdict),
        ),
    ];
    if let Some(mismatch) = &result.first_mismatch {
        results.push(row(
            "First mismatch",
            mismatch.message.clone(),
            String::new(),
            Some(Verdict::Fail),
        ));
    }
    let mut points = Vec::new();
    for &(items, counted, hits) in statistics.running.iter().filter(|point| point.1 > 0) {
        let band = wilson(hits, counted, CONFIDENCE)?;
        points.push(RatePoint {
            items,
            rate: hits as f64 / counted as f64,
            low: band.low,
            high: band.high,
        });
    }
    Ok(ReportData {
        summary: format!(
            "{} items from {}, clock for clock against the model.",
            result.items, result.source
        ),
        verdict: Some(result.verdict),
        highlights: vec![
            Fact::new("mismatches", result.mismatches.to_string()),
            Fact::new("items a clock", format!("{:.4}", result.items_per_cycle)),
            Fact::new("recycles", result.recycles.to_string()),
            Fact::new("false-positive rate", format!("{:.4e}", fpr.measured)),
        ],
        predictions: Vec::<Prediction>::new(),
        results,
        bits_set: Some(BitsSetSeries {
            points: statistics.bits.clone(),
            recycles: statistics.recycled_at.clone(),
            threshold: statistics.threshold,
        }),
        rate: (!points.is_empty()).then(|| RateSeries {
            points,
            predicted: fpr.predicted.unwrap_or(fpr.measured),
            confidence: CONFIDENCE,
        }),
        latency: Some(LatencyHistogram {
            items_by_clocks: latency.items_by_clocks,
        }),
        ..ReportData::default()
    })
}

/// The share of forgotten repeats; where there is no verdict, why.
fn forgetting_row(forgetting: &Forgotten) -> ResultRow {
    let why = match &forgetting.inconclusive {
        Some(why) => format!(" ({why})"),
        None => String::new(),
    };
    ResultRow {
        name: format!("Forgotten share of repeats, in whole cycles{why}"),
        measured: match forgetting.repeats {
            0 => String::new(),
            _ => format!(
                "{:.4} ({:.4} to {:.4} at {} %)",
                forgetting.measured,
                forgetting.ci_low,
                forgetting.ci_high,
                100.0 * forgetting.confidence,
            ),
        },
        expected: match forgetting.predicted {
            Some(rate) if forgetting.repeats > 0 => {
                format!("{rate:.4} \u{b1} {:.4}", forgetting.model_error)
            }
            _ => String::new(),
        },
        verdict: Some(forgetting.verdict),
    }
}
