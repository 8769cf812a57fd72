//! Result of the verification of a recycling filter.

use super::{Forgotten, Statistics};
use crate::found::{FirstMismatch, Latency, Rate, StateResult};
use crate::judge::state_result;
use crate::latency::LatencyProbe;
use crate::plan::Plan;
use crate::report::{BitsSetSeries, Claim, Fact, LatencyHistogram, Prediction, ReportData};
use crate::rows::{latency_claim, mismatch_claim, none, rate_claim, rate_series, row, state_claim};
use crate::session::speed;
use crate::stats::{judge, wilson, Evidence, Interval, RatioEstimator, Verdict, MINIMUM_EVENTS};
use crate::text::{interval_text, percent, whole, with_error};
use crate::{Keys, VerifyError, CONFIDENCE};
use bloomline_bench::lockstep::{LockstepError, Outcome};
use serde::Serialize;

/// The result of a verification of a recycling filter.
#[derive(Debug, Clone, Serialize)]
pub struct RecyclingVerification {
    /// Fail when anything that was tested differs, else pass.
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
    /// What the predicted rate may be off by; beside the interval.
    pub fpr_model_error: f64,
    /// The same false positives counted in the papers' two other ways.
    pub fpr_by_arrivals: ByArrivals,
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

/// False positives over all arrivals of whole cycles, repeats included (RBF II-E); count-instance, over first arrivals, is
/// [`RecyclingVerification::fpr`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ByArrivals {
    /// Whole cycles; none after fewer than two, and then there are no shares.
    pub cycles: u64,
    /// count-first: only the first arrival of a key in a cycle can be a false positive.
    pub count_first: Option<ArrivalShare>,
    /// count-each: every arrival of a key that was taken for known at first is one.
    pub count_each: Option<ArrivalShare>,
}

/// A measured share with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ArrivalShare {
    /// The share.
    pub measured: f64,
    /// Lower end of its interval.
    pub ci_low: f64,
    /// Upper end.
    pub ci_high: f64,
    /// Confidence of the interval.
    pub confidence: f64,
}

impl ArrivalShare {
    fn of(ratio: &RatioEstimator) -> Result<Option<ArrivalShare>, VerifyError> {
        Ok(share(ratio)?.map(|(measured, interval)| ArrivalShare {
            measured,
            ci_low: interval.low,
            ci_high: interval.high,
            confidence: CONFIDENCE,
        }))
    }

    /// The share with its interval, as people read it.
    pub fn text(&self) -> String {
        interval_text(self.measured, self.ci_low, self.ci_high)
    }
}

/// The share that arrivals in whole cycles have, with its interval: by how it varies from cycle to cycle; where so few events came that
/// this says nothing, as if arrivals were independent. `None` with fewer than two cycles.
fn share(ratio: &RatioEstimator) -> Result<Option<(f64, Interval)>, VerifyError> {
    let (Some(measured), Some(interval)) = (ratio.ratio(), ratio.interval(CONFIDENCE)?) else {
        return Ok(None);
    };
    match ratio.events() < MINIMUM_EVENTS {
        true => of_independent(ratio.events(), ratio.arrivals()).map(Some),
        false => Ok(Some((measured, interval))),
    }
}

fn of_independent(events: u64, arrivals: u64) -> Result<(f64, Interval), VerifyError> {
    let arrivals = arrivals.max(1);
    let interval = wilson(events, arrivals, CONFIDENCE)?;
    Ok((events as f64 / arrivals as f64, interval))
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
) -> Result<RecyclingVerification, VerifyError> {
    let ratio = &statistics.ratios.instance;
    let evidence = Evidence {
        cycles: ratio.cycles(),
        events: ratio.events(),
    };
    let (events, trials) = match evidence.cycles >= 2 {
        true => (ratio.events(), ratio.arrivals()),
        false => (statistics.false_positives, statistics.counted),
    };
    let (measured, interval) = match share(ratio)? {
        Some(share) => share,
        None => of_independent(events, trials)?,
    };
    let verdict = match plan.predicted {
        _ if statistics.counted == 0 => Verdict::NotApplicable,
        Some(predicted) if plan.keys == Keys::RandomNew => {
            judge(&interval, predicted, plan.predicted_error, evidence)
        }
        _ => Verdict::NotApplicable,
    };
    let reason = match verdict {
        Verdict::Pass => String::new(),
        Verdict::Fail => "the interval does not hold the prediction".to_owned(),
        Verdict::Inconclusive if plan.lanes.is_some() && evidence.cycles == 0 => {
            "some lane has no whole cycle behind its first ones; give more --items or fewer --lanes"
                .to_owned()
        }
        Verdict::Inconclusive => evidence.still_needed(statistics.items, "items"),
        Verdict::NotApplicable if statistics.counted == 0 => "no new key came".to_owned(),
        Verdict::NotApplicable if plan.predicted.is_none() => {
            "there is no prediction for this filter".to_owned()
        }
        Verdict::NotApplicable => {
            "the prediction is for random new keys, and these may come again".to_owned()
        }
    };
    let fpr = Rate {
        measured,
        events,
        trials,
        ci_low: interval.low,
        ci_high: interval.high,
        confidence: CONFIDENCE,
        predicted: plan.predicted,
        at_most: false,
        verdict,
        reason,
    };
    let state_test = state_result(&statistics.state);
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
    let mut result = RecyclingVerification {
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
        fpr_model_error: plan.predicted_error,
        fpr_by_arrivals: ByArrivals {
            cycles: statistics.ratios.instance.cycles(),
            count_first: ArrivalShare::of(&statistics.ratios.first)?,
            count_each: ArrivalShare::of(&statistics.ratios.each)?,
        },
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
    result: &RecyclingVerification,
    statistics: &Statistics,
    latency: LatencyProbe,
) -> Result<ReportData, VerifyError> {
    let fpr = &result.fpr;
    let mut results = vec![
        none(
            "Clocks or items that differ from the model",
            result.mismatches,
        ),
        none("Stored keys not found", result.lost_keys),
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
        state_claim("False positives, state test", &result.state_test),
        rate_claim(
            "False-positive rate, model test",
            fpr,
            fpr.predicted
                .map_or_else(String::new, |rate| with_error(rate, result.fpr_model_error)),
        ),
        by_arrivals_row("count-first", result.fpr_by_arrivals.count_first),
        by_arrivals_row("count-each", result.fpr_by_arrivals.count_each),
        row(
            "Repeats forgotten",
            format!("{} of {}", result.forgotten, result.repeats),
            String::new(),
            None,
        ),
        forgetting_row(&result.forgetting),
        latency_claim(&result.latency),
    ];
    results.extend(mismatch_claim(result.first_mismatch.as_ref()));
    Ok(ReportData {
        summary: format!(
            "{} items from {}, clock for clock against the model.",
            whole(result.items as f64),
            result.source
        ),
        verdict: Some(result.verdict),
        highlights: vec![
            Fact::new("mismatches", result.mismatches.to_string()),
            Fact::new("items a clock", format!("{:.4}", result.items_per_cycle)),
            Fact::new("recycles", result.recycles.to_string()),
            Fact::new("false-positive rate", percent(fpr.measured)),
        ],
        predictions: Vec::<Prediction>::new(),
        results,
        bits_set: Some(BitsSetSeries {
            points: statistics.bits.clone(),
            recycles: statistics.recycled_at.clone(),
            threshold: statistics.threshold,
        }),
        // the curve is of what the number is measured over: whole cycles after the warm-up, or else everything
        rate: rate_series(
            statistics.running.iter().map(|point| {
                let whole_cycles = statistics.ratios.instance.cycles() >= 2;
                let (counted, hits) = if whole_cycles { point.warm } else { point.all };
                (point.items, counted, hits)
            }),
            fpr.predicted.unwrap_or(fpr.measured),
        )?,
        latency: Some(LatencyHistogram {
            items_by_clocks: latency.items_by_clocks,
        }),
        ..ReportData::default()
    })
}

/// False positives over all arrivals. They depend on how keys come again; `plan --zipf` predicts them for a law of popularity.
fn by_arrivals_row(way: &str, share: Option<ArrivalShare>) -> Claim {
    let measured = share.map_or_else(String::new, |share| {
        format!(
            "{}, {} % confidence",
            share.text(),
            100.0 * share.confidence
        )
    });
    row(
        &format!("False positives over all arrivals, {way}"),
        measured,
        String::new(),
        None,
    )
}

/// The share of forgotten repeats; where there is no verdict, why.
fn forgetting_row(forgetting: &Forgotten) -> Claim {
    let measured = match forgetting.repeats {
        0 => String::new(),
        _ => format!(
            "{}, {} % confidence",
            interval_text(forgetting.measured, forgetting.ci_low, forgetting.ci_high),
            100.0 * forgetting.confidence,
        ),
    };
    let expected = match forgetting.predicted {
        Some(rate) if forgetting.repeats > 0 => with_error(rate, forgetting.model_error),
        _ => String::new(),
    };
    Claim::new(
        "Forgotten share of repeats, in whole cycles",
        measured,
        expected,
        Some(forgetting.verdict),
    )
    .within(forgetting.ci_low, forgetting.ci_high)
    .because(forgetting.inconclusive.clone().unwrap_or_default())
}
