//! Report data of a sliding-window filter.

use super::outcome::{RateTest, Share, SlidingVerification};
use crate::latency::LatencyProbe;
use crate::report::{Claim, Curves, Fact, LatencyHistogram, RateSeries, ReportData};
use crate::rows::{latency_claim, mismatch_claim, none, rate_claim, rate_series, row, state_claim};
use crate::text::{percent, whole, with_error};
use crate::VerifyError;

pub(super) fn report(
    result: &SlidingVerification,
    running: &[(u64, u64, u64)],
    latency: LatencyProbe,
) -> Result<ReportData, VerifyError> {
    let mut results = rows(result);
    results.extend(mismatch_claim(result.first_mismatch.as_ref()));
    Ok(ReportData {
        summary: format!(
            "A sliding-window filter: {} elements from {}, {} questions between them, clock for clock against the model.",
            whole(result.elements as f64), result.source, whole(result.questions as f64)
        ),
        verdict: Some(result.verdict),
        highlights: vec![
            Fact::new("mismatches", result.mismatches.to_string()),
            Fact::new(
                "seen within the window",
                format!("{} of {}", result.window.seen, result.window.asked),
            ),
            Fact::new("items a clock", format!("{:.4}", result.items_per_cycle)),
            Fact::new(
                "false-positive rate",
                percent(result.fpr.measured),
            ),
        ],
        results,
        rate: rate_curve(result, running)?,
        curves: slack_curves(result),
        latency: Some(LatencyHistogram {
            items_by_clocks: latency.items_by_clocks,
        }),
        ..ReportData::default()
    })
}

/// The rate beside what it is held against: the prediction, or the target as a bound.
fn rate_curve(
    result: &SlidingVerification,
    running: &[(u64, u64, u64)],
) -> Result<Option<RateSeries>, VerifyError> {
    let bound = result.fpr_test == RateTest::AtMostTarget;
    let against = match (bound, result.fpr.predicted) {
        (false, Some(predicted)) => predicted,
        _ => result.target_fpr,
    };
    let series = rate_series(running.iter().copied(), against)?;
    Ok(series.map(|series| RateSeries { bound, ..series }))
}

fn rows(result: &SlidingVerification) -> Vec<Claim> {
    let (fpr, overflow) = (&result.fpr, &result.overflow);
    let mut rows = vec![
        none(
            "Clocks or items that differ from the model",
            result.mismatches,
        ),
        none("Stored keys of the window not seen", result.lost_keys),
        none(
            "Stored keys of a live generation not seen",
            result.slack.live_unseen,
        ),
        none("Buckets scanned too late", result.scan_late.into()),
        row(
            "Items a clock",
            format!("{:.6}", result.items_per_cycle),
            String::new(),
            None,
        ),
        row(
            &format!("Clocks lost to {}", result.held_by),
            result.scan_stall_cycles.to_string(),
            String::new(),
            None,
        ),
        state_claim(
            "False positives given the cells, state test",
            &result.state_test,
        ),
        rate_claim(
            "False-positive rate outside window and slack",
            fpr,
            match (result.fpr_test, fpr.predicted) {
                (RateTest::Prediction, Some(predicted)) => {
                    with_error(predicted, result.fpr_model_error)
                }
                _ => format!("at most {}", percent(result.target_fpr)),
            },
        ),
    ];
    rows.extend(result.slack.bands.iter().map(|band| {
        row(
            &format!("Seen, {} to {} elements back", band.from, band.to),
            format!(
                "{:.4} ({:.4} to {:.4}), {} keys",
                band.measured, band.ci_low, band.ci_high, band.asked
            ),
            band.expected(),
            Some(band.verdict),
        )
    }));
    let share = |share: &Share| {
        row(
            &format!("Insertions to the {}", share.place),
            percent(share.measured),
            format!("{:.3e} with the most live", share.predicted),
            None,
        )
    };
    rows.extend(overflow.shares.iter().map(share));
    rows.extend([
        row(
            "Insertions lost",
            format!("{} of {}", overflow.lost, overflow.insertions),
            format!("{:.1e}", overflow.lost_expected),
            Some(overflow.verdict),
        ),
        latency_claim(&result.latency),
    ]);
    rows
}

/// The share seen over the age in the slack.
fn slack_curves(result: &SlidingVerification) -> Option<Curves> {
    let bands = || result.slack.bands.iter().filter(|band| band.asked > 0);
    let middle = |from: u64, to: u64| (from as f64 + to as f64) / 2.0;
    bands().next().is_some().then(|| Curves {
        heading: "Seen in the slack".into(),
        x: "elements back".into(),
        y: "share seen".into(),
        logarithmic: false,
        measured_name: "measured".into(),
        measured: bands()
            .map(|band| (middle(band.from, band.to), band.measured))
            .collect(),
        predicted_name: "expected over the place in the generation".into(),
        predicted: bands()
            .map(|band| (middle(band.from, band.to), band.predicted))
            .collect(),
        ..Curves::default()
    })
}
