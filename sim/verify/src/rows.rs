//! Parts of a report that several kinds of filter share.

use crate::report::{Claim, RatePoint, RateSeries};
use crate::stats::{wilson, Verdict, MINIMUM_CYCLES, MINIMUM_EVENTS};
use crate::{Latency, Rate, StateResult};
use crate::{VerifyError, CONFIDENCE};

/// A claim.
pub(super) fn row(
    name: &str,
    measured: String,
    expected: String,
    verdict: Option<Verdict>,
) -> Claim {
    Claim::new(name, measured, expected, verdict)
}

/// A count of what must not be.
pub(super) fn none(name: &str, count: u64) -> Claim {
    let verdict = if count == 0 {
        Verdict::Pass
    } else {
        Verdict::Fail
    };
    row(name, count.to_string(), "0".into(), Some(verdict)).because("a single one is a failure")
}

/// The rate as the run went on, from (items, absent keys, of those seen); none without absent keys.
pub(super) fn rate_series(
    running: impl Iterator<Item = (u64, u64, u64)>,
    predicted: f64,
) -> Result<Option<RateSeries>, VerifyError> {
    let mut points = Vec::new();
    for (items, absent, hits) in running.filter(|point| point.1 > 0) {
        let band = wilson(hits, absent, CONFIDENCE)?;
        points.push(RatePoint {
            items,
            rate: hits as f64 / absent as f64,
            low: band.low,
            high: band.high,
        });
    }
    Ok((!points.is_empty()).then_some(RateSeries {
        points,
        predicted,
        confidence: CONFIDENCE,
    }))
}

/// A rate beside what it is held against.
pub(super) fn rate_claim(name: &str, rate: &Rate, expected: String) -> Claim {
    let measured = format!(
        "{:.4e} ({:.4e} to {:.4e} at {} %)",
        rate.measured,
        rate.ci_low,
        rate.ci_high,
        100.0 * rate.confidence
    );
    let reason = match (rate.verdict, rate.predicted) {
        (Verdict::Fail, _) => "the interval does not hold what was expected".to_owned(),
        (_, None) => "there is no prediction for this filter and these keys".to_owned(),
        (_, Some(_)) => format!(
            "the keys are of another kind than the prediction's, or there are fewer than {MINIMUM_EVENTS} false positives or \
             {MINIMUM_CYCLES} cycles"
        ),
    };
    row(name, measured, expected, Some(rate.verdict))
        .within(rate.ci_low, rate.ci_high)
        .because(reason)
}

/// The state test.
pub(super) fn state_claim(name: &str, test: &StateResult) -> Claim {
    let reason = match test.verdict {
        Verdict::Fail => "its probability is below 1 %".to_owned(),
        _ => format!("there are fewer than {MINIMUM_EVENTS} false positives"),
    };
    row(
        name,
        format!("{} (z = {:.2})", test.observed, test.z),
        format!("{:.1}", test.expected),
        Some(test.verdict),
    )
    .because(reason)
}

/// The latency beside the contract's.
pub(super) fn latency_claim(latency: &Latency) -> Claim {
    let reason = match latency.verdict {
        Verdict::Fail => "the least latency is another than the contract's",
        _ => "no verdict came",
    };
    row(
        "Clocks from item to verdict, at least",
        latency.minimum_clocks.to_string(),
        latency.contract_clocks.to_string(),
        Some(latency.verdict),
    )
    .because(reason)
}
