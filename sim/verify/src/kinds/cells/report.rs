//! Report data of a filter of cells.

use super::alarms::POINTS;
use super::law::Law;
use super::outcome::{CellVerification, ConservativeFound, CountMinFound, CountingFound, Details};
use super::statistics::{errors, CellStatistics};
use crate::latency::LatencyProbe;
use crate::report::{Claim, Curves, Fact, LatencyHistogram, ReportData};
use crate::rows::{latency_claim, mismatch_claim, none, rate_claim, rate_series, row};
use crate::stats::Verdict;
use crate::text::{percent, whole, with_error};
use crate::VerifyError;
use bloomline_spec::CellGeometry;

pub(super) fn report(
    result: &CellVerification,
    statistics: &CellStatistics,
    law: Law,
    geometry: &CellGeometry,
    latency: LatencyProbe,
) -> Result<ReportData, VerifyError> {
    let mut results = common_rows(result, geometry);
    let mut data = ReportData::default();
    let what = match &result.details {
        Details::Static(_) => "static filter",
        Details::Counting(_) => "counting filter",
        Details::CountMin(_) => "Count-Min sketch",
    };
    match &result.details {
        Details::Static(found) => {
            results.push(row(
                "Absent keys seen",
                format!("{} of {}", found.false_positives, found.queried),
                String::new(),
                None,
            ));
            data.highlights
                .push(Fact::new("items inserted", found.inserted.to_string()));
            let running = statistics.running.iter();
            data.rate = rate_series(
                running.map(|&(asked, hits)| (asked, asked, hits)),
                result.fpr.predicted.unwrap_or(result.fpr.measured),
            )?;
        }
        Details::Counting(found) => {
            results.extend(counting_rows(found));
            data.highlights.push(Fact::new(
                "hot keys found",
                format!("{} of {}", found.hot_keys_found, found.hot_keys),
            ));
            data.curves = alarm_curves(statistics, result.conservative.is_some());
        }
        Details::CountMin(found) => {
            results.extend(count_min_rows(found));
            data.highlights.push(Fact::new(
                "heavy keys reported",
                format!("{} of {}", found.heavy_keys_found, found.heavy_keys),
            ));
            data.curves = Some(error_curves(statistics, law)?);
        }
    }
    if let Some(found) = &result.conservative {
        results.extend(conservative_rows(found));
    }
    results.extend(mismatch_claim(result.first_mismatch.as_ref()));
    data.highlights.extend([
        Fact::new("mismatches", result.mismatches.to_string()),
        Fact::new("items a clock", format!("{:.4}", result.items_per_cycle)),
        Fact::new("false-positive rate", percent(result.fpr.measured)),
    ]);
    Ok(ReportData {
        summary: format!(
            "A {what}: {} items from {}, clock for clock against the model.",
            whole(result.items as f64),
            result.source
        ),
        verdict: Some(result.verdict),
        results,
        latency: Some(LatencyHistogram {
            items_by_clocks: latency.items_by_clocks,
        }),
        ..data
    })
}

fn common_rows(result: &CellVerification, geometry: &CellGeometry) -> Vec<Claim> {
    let fpr = &result.fpr;
    vec![
        none(
            "Clocks or items that differ from the model",
            result.mismatches,
        ),
        none("Answers below the truth", result.lost_keys),
        row(
            "Items a clock",
            format!("{:.6}", result.items_per_cycle),
            match (geometry.window(), geometry.timing().initiation_interval()) {
                (Some(window), _) => {
                    let turn = u64::from(geometry.timing().turn_clocks());
                    format!("{:.6}", window as f64 / (window + turn) as f64)
                }
                (None, 1) => "1".into(),
                (None, interval) => format!("1/{interval}"),
            },
            None,
        ),
        row(
            "False positives given the cells, state test",
            if result.state_tested {
                format!(
                    "{} (z = {:.2})",
                    result.state_test.observed, result.state_test.z
                )
            } else {
                "left out: the cells do not give the rate of two hash functions on one array".into()
            },
            format!(
                "{:.1}{}",
                result.state_test.expected,
                result.state_test.approximately()
            ),
            Some(result.state_test.verdict),
        ),
        rate_claim(
            "False-positive rate",
            fpr,
            fpr.predicted.map_or_else(String::new, |predicted| {
                let side = if result.conservative.is_some() {
                    "at most "
                } else {
                    ""
                };
                format!("{side}{}", with_error(predicted, result.fpr_model_error))
            }),
        ),
        latency_claim(&result.latency),
    ]
}

fn counting_rows(found: &CountingFound) -> Vec<Claim> {
    let all = if found.hot_keys == found.hot_keys_found {
        Verdict::Pass
    } else {
        Verdict::Fail
    };
    let mut rows = vec![
        row(
            &match found.window {
                None => format!("Keys that came {} times or more, reported", found.threshold),
                Some(window) => format!(
                    "Keys that came {} times or more in a window of {}, once a turn, reported",
                    found.threshold,
                    whole(window as f64)
                ),
            },
            found.hot_keys_found.to_string(),
            found.hot_keys.to_string(),
            Some(all),
        ),
        row(
            "Keys reported below the threshold",
            format!(
                "{}, {} of which never reach it",
                found.false_alarms, found.never_hot
            ),
            found
                .false_alarms_predicted
                .map_or_else(String::new, |expected| format!("{expected:.1}")),
            None,
        ),
        Claim {
            measured: format!("{} of {} removals", found.underflows, found.removed),
            ..none("Underflows", found.underflows)
        },
        row(
            "Arrivals at a full counter",
            found.saturated.to_string(),
            String::new(),
            None,
        ),
    ];
    rows.extend(found.top.iter().map(|key| {
        row(
            &format!("Key {}", key.key),
            String::new(),
            format!("{} arrivals", key.count),
            None,
        )
    }));
    rows
}

fn conservative_rows(found: &ConservativeFound) -> Vec<Claim> {
    let mut rows = vec![
        none(
            "Estimates above those of the plain update",
            found.above_plain,
        ),
        row(
            "Mean overestimate of the keys asked for, beside the plain update's",
            format!("{:.3}", found.mean_overestimate),
            format!("at most {:.3}", found.mean_overestimate_plain),
            None,
        ),
    ];
    rows.extend(found.false_alarms_plain.map(|alarms| {
        row(
            "Keys that the plain update reports below the threshold",
            alarms.to_string(),
            String::new(),
            None,
        )
    }));
    rows
}

fn count_min_rows(found: &CountMinFound) -> Vec<Claim> {
    let mut rows = vec![
        row(
            &format!("Keys of {} or more: precision, recall", found.threshold),
            format!("{}, {}", share(found.precision), share(found.recall)),
            String::new(),
            None,
        ),
        row(
            "Estimates that are a counter's greatest value (the sums may be larger)",
            found.saturated.to_string(),
            String::new(),
            None,
        ),
    ];
    rows.extend(found.mean_error.map(|error| {
        row(
            "Mean error of an estimate",
            format!("{error:.1} of {}", found.total),
            String::new(),
            None,
        )
    }));
    rows.extend(found.bounds.iter().map(|bound| {
        row(
            &format!(
                "Share of keys with an error of {:.3e} N or more",
                bound.epsilon
            ),
            percent(bound.measured),
            format!("at most {}", bound.failure),
            Some(bound.verdict),
        )
    }));
    rows.extend(found.top.iter().map(|key| {
        row(
            &format!("Key {}", key.key),
            key.estimate
                .map_or_else(String::new, |estimate| estimate.to_string()),
            key.count.to_string(),
            None,
        )
    }));
    rows
}

fn share(of: Option<f64>) -> String {
    of.map_or("none".into(), |share| format!("{share:.4}"))
}

/// Keys reported falsely as the stream went on, beside their expectation.
fn alarm_curves(statistics: &CellStatistics, conservative: bool) -> Option<Curves> {
    let alarms = statistics.alarms.as_ref()?;
    let running = &alarms.running;
    let measured = running
        .iter()
        .map(|&(at, alarmed, _)| (at as f64, alarmed as f64));
    let predicted = running
        .iter()
        .map(|&(at, _, expected)| (at as f64, expected));
    Some(Curves {
        heading: "Keys reported below the threshold".into(),
        x: "arrivals".into(),
        y: "keys".into(),
        logarithmic: false,
        measured_name: "reported so far".into(),
        measured: measured.collect(),
        predicted_name: if conservative {
            "expected of the plain update, given the counts of all keys".into()
        } else {
            "expected, given the counts of all keys".into()
        },
        predicted: if alarms.predicted() {
            predicted.collect()
        } else {
            Vec::new()
        },
        ..Curves::default()
    })
}

/// The share of keys by the least error, beside the bound.
fn error_curves(statistics: &CellStatistics, law: Law) -> Result<Curves, VerifyError> {
    let total = statistics.total_a_filter().max(1);
    let errors = errors(statistics, u32::MAX);
    let keys = errors.len() as f64;
    let every = (errors.len() as u64 / POINTS).max(1) as usize;
    let measured: Vec<(f64, f64)> = errors
        .iter()
        .enumerate()
        // the rarest errors are the interesting ones
        .filter(|(below, _)| below % every == 0 || errors.len() - below < POINTS as usize / 4)
        .map(|(below, error)| (*error as f64, (keys - below as f64) / keys))
        .collect();
    let (least, most) = (
        law.counter_error(total)?.max(1.0),
        errors.last().copied().unwrap_or(1) as f64,
    );
    let steps = 100;
    let predicted = (0..=steps).map(|step| {
        let error =
            least * (most.max(2.0 * least) / least).powf(f64::from(step) / f64::from(steps));
        let bound = law.failure_bound(total, error / total as f64)?;
        Ok(bound.map(|bound| (error, bound)))
    });
    Ok(Curves {
        heading: "Errors of the estimates".into(),
        x: "error".into(),
        y: "share of keys with that error or more".into(),
        logarithmic: true,
        measured_name: "measured".into(),
        measured,
        predicted_name: "bound".into(),
        predicted: predicted
            .filter_map(Result::transpose)
            .collect::<Result<_, VerifyError>>()?,
        ..Curves::default()
    })
}
