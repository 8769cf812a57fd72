//! Text form of a result.

use super::outcome::{RateTest, Share, SlackBand, SlidingVerification};
use crate::kinds::{found, line};
use crate::report::Fact;
use crate::stats::Verdict;
use crate::text::{format_value, percent, with_error};

found!(SlidingVerification);

/// The result in lines.
fn lines(result: &SlidingVerification) -> Vec<Fact> {
    let (fpr, overflow) = (&result.fpr, &result.overflow);
    let held_against = match (result.fpr_test, fpr.predicted) {
        (RateTest::Prediction, Some(rate)) => {
            format!("predicted {}", with_error(rate, result.fpr_model_error))
        }
        _ => format!("at most {}", percent(result.target_fpr)),
    };
    let mut lines = vec![
        line("verdict", result.verdict.to_string()),
        line(
            "keys",
            format!(
                "{} ({} elements, {} questions, {} records without a key)",
                result.source, result.elements, result.questions, result.skipped
            ),
        ),
        line(
            "mismatches",
            format!("{} in {} clocks", result.mismatches, result.cycles),
        ),
        line(
            "items per cycle",
            format!(
                "{:.6}, {} clocks lost to {}",
                result.items_per_cycle, result.scan_stall_cycles, result.held_by
            ),
        ),
        line(
            "within the window",
            format!(
                "{} of {} seen, {} forgotten though stored",
                result.window.seen, result.window.asked, result.lost_keys
            ),
        ),
        line(
            "false-positive rate",
            format!("{}, {held_against}: {}", fpr.measured_text(), fpr.judged()),
        ),
        line("state test", result.state_test.text()),
    ];
    lines.extend(result.slack.bands.iter().map(band));
    lines.extend(overflow.shares.iter().map(share));
    lines.extend([
        line(
            "insertions lost",
            format!(
                "{} of {}, {} expected at most: {}",
                overflow.lost,
                overflow.insertions,
                format_value(overflow.lost_expected),
                overflow.verdict
            ),
        ),
        line("latency", result.latency.text()),
        line(
            "lockstep",
            format!("{:.0} clocks a second", result.cycles_per_second),
        ),
    ]);
    if result.window.forgotten_after_loss > 0 {
        lines.push(line(
            "forgotten after loss",
            format!("{} keys", result.window.forgotten_after_loss),
        ));
    }
    if result.scan_late {
        lines.push(line("scan", "came too late: differs".to_owned()));
    }
    if let Some(mismatch) = &result.first_mismatch {
        lines.push(line("first mismatch", mismatch.message.clone()));
    }
    lines
}

fn band(band: &SlackBand) -> Fact {
    line(
        &format!("{} to {} back", band.from, band.to),
        format!(
            "{:.4} of {} seen ({:.4} to {:.4}), expected {}: {}",
            band.measured,
            band.asked,
            band.ci_low,
            band.ci_high,
            band.expected(),
            band.verdict.because(match band.verdict {
                Verdict::Fail => "the interval holds nothing of what was expected",
                Verdict::Inconclusive => "fewer than 100 questions of that age",
                _ => "these keys come again, perhaps in step with the generations",
            })
        ),
    )
}

fn share(share: &Share) -> Fact {
    line(
        &format!("to the {}", share.place),
        format!(
            "{} of the insertions, {} predicted with the most live",
            format_value(share.measured),
            format_value(share.predicted)
        ),
    )
}
