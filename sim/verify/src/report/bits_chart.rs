//! Bits set in the active half over the items, with the recycles.

use super::axes::Axes;
use super::theme::{failed, short, MEASURED, PREDICTED, SOFT};
use super::{BitsSetSeries, ReportError};
use crate::pixels::{units, PIXEL};
use plotters::prelude::*;

const CHART: &str = "bits set";

/// Points that a chart of this width can show.
const MAX_POINTS: usize = 2000;

/// The chart, and whether it shows fewer cycles than there were.
pub(super) fn draw(series: &BitsSetSeries) -> Result<(String, bool), ReportError> {
    let first = series.points.first().map_or(0, |point| point.0);
    let whole_end = series.points.last().map_or(0, |point| point.0);
    let end = match series.recycles.get(BitsSetSeries::SHOWN_CYCLES - 1) {
        Some(&recycle) if recycle > first => recycle.min(whole_end),
        _ => whole_end,
    };
    let shown: Vec<(f64, f64)> = series
        .points
        .iter()
        .take_while(|point| point.0 <= end)
        .map(|&(items, bits)| (items as f64, bits as f64))
        .collect();
    let shown = thinned(&shown);
    let top = shown
        .iter()
        .map(|point| point.1)
        .chain(series.threshold.map(|t| t as f64))
        .fold(1.0, f64::max)
        * 1.12;
    let (left, right) = (first as f64, (end as f64).max(first as f64 + 1.0));

    let axes = Axes {
        what: CHART,
        label: "Bits set in the active half over the items",
        x: ("items", 8),
        y: "bits set",
        x_text: &short,
        y_text: &short,
        y_room: 82,
        logarithmic: false,
        spans: (left..right, 0.0..top),
    };
    let drawn = axes.draw(|chart| {
        let recycles = series
            .recycles
            .iter()
            .map(|&items| items as f64)
            .filter(|items| (left..=right).contains(items));
        chart
            .draw_series(recycles.map(|items| {
                PathElement::new([(items, 0.0), (items, top)], SOFT.stroke_width(PIXEL))
            }))
            .map_err(failed(CHART))?;
        chart
            .draw_series(LineSeries::new(shown, MEASURED.stroke_width(2 * PIXEL)))
            .map_err(failed(CHART))?;
        if let Some(threshold) = series.threshold.map(|threshold| threshold as f64) {
            chart
                .draw_series(DashedLineSeries::new(
                    [(left, threshold), (right, threshold)],
                    units(7),
                    units(5),
                    PREDICTED.stroke_width(2 * PIXEL),
                ))
                .map_err(failed(CHART))?;
        }
        Ok(())
    })?;
    let more = series.recycles.len() > BitsSetSeries::SHOWN_CYCLES || end < whole_end;
    Ok((drawn, more))
}

/// At most [`MAX_POINTS`] points; of each group its lowest and highest in their order, so that no peak is lost.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() <= MAX_POINTS {
        return points.to_vec();
    }
    let group = points.len().div_ceil(MAX_POINTS / 2);
    let extremes = |group: &[(f64, f64)]| {
        let by_bits = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let low = group.iter().min_by(by_bits).copied();
        let high = group.iter().max_by(by_bits).copied();
        let mut pair: Vec<(f64, f64)> = low.into_iter().chain(high).collect();
        pair.sort_by(|a, b| a.0.total_cmp(&b.0));
        pair
    };
    points.chunks(group).flat_map(extremes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_peaks_and_order() {
        let points: Vec<(f64, f64)> = (0..100_000)
            .map(|i| (f64::from(i), f64::from(i % 997)))
            .collect();
        let thin = thinned(&points);
        assert!(
            thin.len() <= MAX_POINTS + 2 && thin.len() > MAX_POINTS / 2,
            "{}",
            thin.len()
        );
        assert!(thin.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        assert_eq!(thin.iter().map(|point| point.1).fold(0.0, f64::max), 996.0);
    }
}
