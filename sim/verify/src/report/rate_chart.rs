//! The measured rate with its interval as the run went on, beside the prediction.

use super::axes::Axes;
use super::theme::{failed, short, MEASURED, PREDICTED, SOFT};
use super::{RateSeries, ReportError};
use crate::pixels::{units, PIXEL};
use plotters::prelude::*;

const CHART: &str = "the false-positive rate";

pub(super) fn draw(series: &RateSeries) -> Result<String, ReportError> {
    let points = &series.points;
    let left = points.first().map_or(0.0, |point| point.items as f64);
    let right = points
        .last()
        .map_or(1.0, |point| point.items as f64)
        .max(left + 1.0);
    let (bottom, top) = range(series);
    let inside = |value: f64| value.clamp(bottom, top);
    let upper = points
        .iter()
        .map(|point| (point.items as f64, inside(point.high)));
    let lower = points
        .iter()
        .rev()
        .map(|point| (point.items as f64, inside(point.low)));
    let band: Vec<(f64, f64)> = upper.chain(lower).collect();
    let decimals = (-(top - bottom).log10().floor()).clamp(0.0, 10.0) as usize;

    let axes = Axes {
        what: CHART,
        label: "Measured false-positive rate with its confidence interval, and the predicted rate",
        x: ("items", 8),
        y: "false-positive rate",
        x_text: &short,
        y_text: &|y| format!("{:.decimals$} %", 100.0 * y),
        y_room: 98,
        logarithmic: false,
        spans: (left..right, bottom..top),
    };
    axes.draw(|chart| {
        chart
            .draw_series([Polygon::new(band, SOFT.mix(0.35).filled())])
            .map_err(failed(CHART))?;
        chart
            .draw_series(LineSeries::new(
                points
                    .iter()
                    .map(|point| (point.items as f64, inside(point.rate))),
                MEASURED.stroke_width(2 * PIXEL),
            ))
            .map_err(failed(CHART))?;
        let predicted = inside(series.predicted);
        chart
            .draw_series(DashedLineSeries::new(
                [(left, predicted), (right, predicted)],
                units(7),
                units(5),
                PREDICTED.stroke_width(2 * PIXEL),
            ))
            .map_err(failed(CHART))?;
        Ok(())
    })
}

/// The rates to show: all of the last three quarters of the run with room around, so that the wide intervals of the
/// first items do not flatten the rest.
fn range(series: &RateSeries) -> (f64, f64) {
    let settled = &series.points[series.points.len() / 4..];
    let values = settled
        .iter()
        .flat_map(|point| [point.low, point.high, point.rate])
        .chain([series.predicted]);
    let finite: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    let low = finite.iter().copied().fold(f64::INFINITY, f64::min);
    let high = finite.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if finite.is_empty() {
        return (0.0, 1.0);
    }
    let room = ((high - low) * 0.15).max(high.abs() * 1e-3).max(1e-12);
    ((low - room).max(0.0), high + room)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::RatePoint;

    #[test]
    fn the_range_holds_the_settled_rates_and_the_prediction() {
        let point = |items, rate, half: f64| RatePoint {
            items,
            rate,
            low: rate - half,
            high: rate + half,
        };
        let points = vec![
            point(1, 0.5, 0.5),
            point(2, 0.02, 0.01),
            point(3, 0.02, 0.004),
            point(4, 0.019, 0.003),
        ];
        let (bottom, top) = range(&RateSeries {
            points,
            predicted: 0.04,
            bound: false,
            confidence: 0.99,
        });
        assert!(
            (0.0..0.01).contains(&bottom) && (0.04..0.05).contains(&top),
            "{bottom} {top}"
        );
        assert_eq!(
            range(&RateSeries {
                points: vec![],
                predicted: f64::NAN,
                bound: false,
                confidence: 0.99
            }),
            (0.0, 1.0)
        );
    }
}
