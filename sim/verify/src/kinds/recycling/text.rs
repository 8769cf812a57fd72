//! Text form of a result.

use super::{Forgotten, RecyclingVerification};
use crate::kinds::{found, line};
use crate::report::Fact;
use crate::text::{interval_text, percent, with_error};

found!(RecyclingVerification);

/// The result in lines.
fn lines(result: &RecyclingVerification) -> Vec<Fact> {
    let fpr = &result.fpr;
    let predicted = fpr.predicted.map_or("no prediction".into(), |rate| {
        format!("predicted {}", with_error(rate, result.fpr_model_error))
    });
    let mut lines = vec![
        line("verdict", result.verdict.to_string()),
        line(
            "keys",
            format!(
                "{} ({} items, {} records without a key)",
                result.source, result.items, result.skipped
            ),
        ),
        line(
            "mismatches",
            format!("{} in {} clocks", result.mismatches, result.cycles),
        ),
        line("items per cycle", format!("{:.6}", result.items_per_cycle)),
        line(
            "recycles",
            format!(
                "{}, {} clocks lost to them",
                result.recycles, result.recycle_stall_cycles
            ),
        ),
        line("stored keys not found", result.lost_keys.to_string()),
        line(
            "repeats forgotten",
            format!("{} of {}", result.forgotten, result.repeats),
        ),
        line(
            "false-positive rate",
            format!("{}, {predicted}: {}", fpr.measured_text(), fpr.judged()),
        ),
        line("state test", result.state_test.text()),
    ];
    let by_arrivals = &result.fpr_by_arrivals;
    if let (Some(first), Some(each), true) = (
        by_arrivals.count_first,
        by_arrivals.count_each,
        result.repeats > 0,
    ) {
        lines.push(line(
            "of all arrivals",
            format!("count-first {}, count-each {}", first.text(), each.text()),
        ));
    }
    lines.extend([
        forgetting_line(&result.forgetting),
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

/// The share of forgotten repeats; where there is no verdict, why.
fn forgetting_line(forgetting: &Forgotten) -> Fact {
    let judged = match (&forgetting.inconclusive, forgetting.predicted) {
        (Some(why), _) => forgetting.verdict.because(why),
        (None, Some(predicted)) => {
            format!("predicted {}: {}", percent(predicted), forgetting.verdict)
        }
        (None, None) => forgetting.verdict.to_string(),
    };
    line(
        "forgotten share",
        format!(
            "{}, {judged}",
            interval_text(forgetting.measured, forgetting.ci_low, forgetting.ci_high),
        ),
    )
}
