//! Parts of a report that several kinds of filter share.

use super::{VerifyError, CONFIDENCE};
use crate::report::{RatePoint, RateSeries, ResultRow};
use crate::stats::{wilson, Verdict};

/// A measured quantity.
pub(super) fn row(
    name: &str,
    measured: String,
    expected: String,
    verdict: Option<Verdict>,
) -> ResultRow {
    ResultRow {
        name: name.into(),
        measured,
        expected,
        verdict,
    }
}

/// A count of what must not be.
pub(super) fn none(name: &str, count: u64) -> ResultRow {
    let verdict = if count == 0 {
        Verdict::Pass
    } else {
        Verdict::Fail
    };
    row(name, count.to_string(), "0".into(), Some(verdict))
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
