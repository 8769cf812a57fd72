//! Clocks from an item to its verdict, as bars.

use super::axes::Axes;
use super::theme::{failed, grouped, short, FONT, INK, MEASURED};
use super::{LatencyHistogram, ReportError};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const CHART: &str = "latency";

/// Up to so many bars carry their counts.
const MAX_LABELLED: usize = 12;

/// At least so many places on the axis: a pipeline of fixed latency has a single bar, which must not fill the chart.
const LEAST_SPAN: f64 = 8.0;

pub(super) fn draw(histogram: &LatencyHistogram) -> Result<String, ReportError> {
    let bars: Vec<(f64, u64)> = histogram
        .items_by_clocks
        .iter()
        .map(|(&clocks, &items)| (clocks as f64, items))
        .collect();
    let first = bars.first().map_or(0.0, |bar| bar.0);
    let last = bars.last().map_or(0.0, |bar| bar.0);
    let room = ((LEAST_SPAN - (last - first)) / 2.0).ceil().max(1.0);
    let (left, right) = ((first - room).max(-0.5), last + room);
    let top = bars.iter().map(|bar| bar.1 as f64).fold(1.0, f64::max) * 1.15;

    // Ticks between whole clocks mean nothing.
    let whole = |x: f64| {
        if x.fract() == 0.0 && x >= 0.0 {
            short(x)
        } else {
            String::new()
        }
    };
    let axes = Axes {
        what: CHART,
        label: "Items by clocks from item to verdict",
        x: ("clocks from item to verdict", 10),
        y: "items",
        x_text: &whole,
        y_text: &short,
        y_room: 82,
        logarithmic: false,
        spans: (left..right, 0.0..top),
    };
    axes.draw(|chart| {
        let rectangle = |&(clocks, items): &(f64, u64)| {
            Rectangle::new(
                [(clocks - 0.36, 0.0), (clocks + 0.36, items as f64)],
                MEASURED.filled(),
            )
        };
        chart
            .draw_series(bars.iter().map(rectangle))
            .map_err(failed(CHART))?;
        if bars.len() <= MAX_LABELLED {
            let style = ("sans-serif", FONT)
                .into_font()
                .color(&INK)
                .pos(Pos::new(HPos::Center, VPos::Bottom));
            let label = |&(clocks, items): &(f64, u64)| {
                Text::new(
                    grouped(items),
                    (clocks, items as f64 + top * 0.012),
                    style.clone(),
                )
            };
            chart
                .draw_series(bars.iter().map(label))
                .map_err(failed(CHART))?;
        }
        Ok(())
    })
}
