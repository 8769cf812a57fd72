//! Points with confidence intervals, from the counts of repetitions.

use super::{Counts, FigureError, Point, Results, Unit};
use crate::stats::{clopper_pearson, RatioEstimator};

/// Below this many events the trials count as independent, and the exact binomial interval is taken: the linearised one needs
/// more, and events so rare hardly depend on each other.
const FEW_EVENTS: u64 = 100;

/// The rate of `events` among `trials` (places in the counts) at one point of an experiment, with a two-sided interval over
/// its repetitions: a ratio of sums over parts, which are independent.
///
/// # Errors
/// [`FigureError::Counts`] if a damaged journal gave them, [`FigureError::Stats`] for a confidence outside (0, 1).
pub fn rate(
    results: &Results,
    point: u32,
    (trials, events): (usize, usize),
    x: f64,
    confidence: f64,
) -> Result<Point, FigureError> {
    let mut ratio = RatioEstimator::of_independent_units();
    for (unit, Counts(counts)) in results.iter().filter(|(unit, _)| unit.point == point) {
        match (counts.get(events), counts.get(trials)) {
            (Some(&events), Some(&trials)) if events <= trials => ratio.push(events, trials),
            _ => return Err(impossible(*unit, counts)),
        }
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

/// Counts of a damaged journal.
pub fn impossible(unit: Unit, counts: &[u64]) -> FigureError {
    FigureError::Counts {
        point: unit.point,
        part: unit.part,
        found: counts.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_no_simulation_gives_are_an_error() {
        for counts in [vec![], vec![10], vec![10, 11]] {
            let unit = Unit { point: 3, part: 4 };
            let results = Results::from([(unit, Counts(counts))]);
            let error = rate(&results, 3, (0, 1), 0.0, 0.99).expect_err("impossible");
            assert!(
                matches!(error, FigureError::Counts { part: 4, .. }),
                "{error}"
            );
        }
    }
}
