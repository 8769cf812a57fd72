//! Parts of a report that several kinds of filter share.

use crate::report::{Claim, RatePoint, RateSeries};
use crate::stats::{wilson, Verdict};
use crate::{FirstMismatch, Latency, Rate, StateResult};
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
        bound: false,
        confidence: CONFIDENCE,
    }))
}

/// A rate beside what it is held against.
pub(super) fn rate_claim(name: &str, rate: &Rate, expected: String) -> Claim {
    let measured = format!(
        "{}, {} % confidence",
        rate.measured_text(),
        100.0 * rate.confidence
    );
    row(name, measured, expected, Some(rate.verdict))
        .within(rate.ci_low, rate.ci_high)
        .because(rate.reason.clone())
}

/// The state test.
pub(super) fn state_claim(name: &str, test: &StateResult) -> Claim {
    row(
        name,
        format!(
            "{} ({:.1} standard deviations away)",
            test.observed,
            test.z.abs()
        ),
        format!("{:.1}", test.expected),
        Some(test.verdict),
    )
    .because(test.reason.clone())
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

/// The first difference between gateware and model, where there is one.
pub(super) fn mismatch_claim(mismatch: Option<&FirstMismatch>) -> Option<Claim> {
    let message = mismatch?.message.clone();
    let verdict = Some(Verdict::Fail);
    Some(row("First mismatch", message, String::new(), verdict))
}
