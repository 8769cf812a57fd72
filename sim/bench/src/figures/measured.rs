//! Points with intervals from the counts of repetitions.

use super::{FigureError, Point, Results};
use crate::stats::{clopper_pearson, RatioEstimator};

/// Below this many events the trials count as independent, and the exact binomial interval is taken: the linearised one needs
/// more, and events so rare hardly depend on each other.
const FEW_EVENTS: u64 = 100;

/// The rate of `events` among `trials` (places in the counts) at one point of an experiment, with a two-sided interval over
/// its repetitions: a ratio of sums over parts, which are independent.
///
/// # Errors
/// [`FigureError::Stats`] for a confidence outside (0, 1).
pub fn rate(
    results: &Results,
    point: u32,
    (trials, events): (usize, usize),
    x: f64,
    confidence: f64,
) -> Result<Point, FigureError> {
    let mut ratio = RatioEstimator::of_independent_units();
    for (_, counts) in results.iter().filter(|(unit, _)| unit.point == point) {
        ratio.push(counts.0[events], counts.0[trials]);
    }
    let counts = (ratio.arrivals(), ratio.events());
    let interval = if counts.0 == 0 {
        None
    } else if counts.1 < FEW_EVENTS {
        Some(clopper_pearson(counts.1, counts.0, confidence)?)
    } else {
        ratio.interval(confidence)?
    };
    Ok(Point {
        x,
        y: ratio.ratio().unwrap_or(f64::NAN),
        interval,
        counts: Some(counts),
    })
}
