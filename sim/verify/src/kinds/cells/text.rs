//! Text form of a result.

use super::outcome::{CellVerification, ConservativeFound, CountMinFound, CountingFound, Details};
use crate::kinds::{found, line};
use crate::report::Fact;
use crate::text::{format_value, whole, with_error};

found!(CellVerification);

/// The result in lines.
fn lines(result: &CellVerification) -> Vec<Fact> {
    let fpr = &result.fpr;
    let predicted = fpr.predicted.map_or("no prediction".into(), |rate| {
        format!(
            "predicted {}{}",
            side(result),
            with_error(rate, result.fpr_model_error)
        )
    });
    let mut lines = vec![
        line("verdict", result.verdict.to_string()),
        line(
            "keys",
            format!(
                "{} ({} distinct, {} items, {} records without a key)",
                result.source, result.distinct_keys, result.items, result.skipped
            ),
        ),
        line(
            "mismatches",
            format!("{} in {} clocks", result.mismatches, result.cycles),
        ),
        line("items per cycle", format!("{:.6}", result.items_per_cycle)),
        line("answers below truth", result.lost_keys.to_string()),
    ];
    lines.extend(match &result.details {
        Details::Static(found) => vec![
            line("inserted", format!("{} keys", found.inserted)),
            line(
                "absent keys seen",
                format!("{} of {}", found.false_positives, found.queried),
            ),
        ],
        Details::Counting(found) => counting(found, result),
        Details::CountMin(found) => count_min(found),
    });
    lines.extend(result.conservative.iter().flat_map(conservative));
    lines.extend([
        line(
            "false-positive rate",
            format!("{}, {predicted}: {}", fpr.measured_text(), fpr.judged()),
        ),
        line(
            "state test",
            if result.state_tested {
                result.state_test.text()
            } else {
                "left out: the cells do not give the rate of two hash functions on one array".into()
            },
        ),
        line("latency", result.latency.text()),
        line(
            "lockstep",
            format!("{:.0} clocks a second", result.cycles_per_second),
        ),
    ]);
    if let Some(mismatch) = &result.first_mismatch {
        lines.push(line("first mismatch", mismatch.message.clone()));
    }
    lines
}

/// What stands before a predicted number: of counters that are updated conservatively it is the plain filter's.
fn side(result: &CellVerification) -> &'static str {
    match result.conservative {
        Some(_) => "at most ",
        None => "",
    }
}

fn conservative(found: &ConservativeFound) -> Vec<Fact> {
    let plainly = found.false_alarms_plain.map_or(String::new(), |keys| {
        format!(", which reports {keys} keys too early")
    });
    vec![
        line(
            "beside plain update",
            format!("{} estimates above it{plainly}", found.above_plain),
        ),
        line(
            "mean overestimate",
            format!(
                "{:.3}, {:.3} with plain update",
                found.mean_overestimate, found.mean_overestimate_plain
            ),
        ),
    ]
}

fn counting(found: &CountingFound, result: &CellVerification) -> Vec<Fact> {
    let expected = found
        .false_alarms_predicted
        .map_or("no prediction".into(), |keys| {
            format!("{}{keys:.1} expected", side(result))
        });
    let mut lines = vec![
        line(
            "hot keys",
            format!(
                "{} came {} times or more{}, {} of them reported",
                found.hot_keys,
                found.threshold,
                match found.window {
                    None => String::new(),
                    Some(window) => format!(
                        " within the last {} insertions or up to twice as many (each counted once in {})",
                        whole(window as f64),
                        whole(window as f64)
                    ),
                },
                found.hot_keys_found
            ),
        ),
        line(
            "false alarms",
            format!(
                "{} keys reported too early, {expected}; {} of them never came so often",
                found.false_alarms, found.never_hot
            ),
        ),
        line(
            "at full counters",
            format!("{} of {} arrivals", found.saturated, found.arrivals),
        ),
    ];
    if result.conservative.is_none() && found.window.is_none() {
        let text = format!("{} keys, {} underflows", found.removed, found.underflows);
        lines.insert(2, line("removed", text));
    }
    lines
}

fn share(of: Option<f64>) -> String {
    of.map_or("-".into(), |share| format!("{share:.4}"))
}

fn count_min(found: &CountMinFound) -> Vec<Fact> {
    let mut lines = vec![
        line(
            "amounts",
            format!(
                "{} in {} arrivals, {} cut",
                whole(found.total as f64),
                found.arrivals,
                found.clipped
            ),
        ),
        line(
            "heavy keys",
            format!(
                "{} of {} or more, {} reported: precision {}, recall {}",
                found.heavy_keys,
                whole(found.threshold.into()),
                found.reported_keys,
                share(found.precision),
                share(found.recall)
            ),
        ),
    ];
    if found.saturated > 0 {
        lines.push(line(
            "saturated",
            format!(
                "{} estimates are a counter's greatest value: the sums may be larger, and no error is counted",
                found.saturated
            ),
        ));
    }
    lines.extend(
        found
            .mean_error
            .map(|error| line("mean error", format!("{error:.1}"))),
    );
    for quantile in &found.quantiles {
        lines.push(line(
            &format!("error, {} % of keys", 100.0 * quantile.share),
            format!(
                "at most {} ({} of all)",
                whole(quantile.error as f64),
                format_value(quantile.error_share)
            ),
        ));
    }
    for bound in &found.bounds {
        lines.push(line(
            "error bound",
            format!(
                "{} of the keys are off by {} of all or more, at most {} by theory: {}",
                format_value(bound.measured),
                format_value(bound.epsilon),
                bound.failure,
                bound.verdict
            ),
        ));
    }
    lines
}
