//! Clocks from an item to its verdict, as bars.

use super::theme::{failed, finish, grouped, short, FONT, GRID, INK, MEASURED, SIZE};
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

    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(10)
            .margin_right(24)
            .x_label_area_size(50)
            .y_label_area_size(82)
            .build_cartesian_2d(left..right, 0.0..top)
            .map_err(failed(CHART))?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(GRID)
            .label_style(("sans-serif", FONT).into_font().color(&INK))
            .axis_desc_style(("sans-serif", FONT).into_font().color(&INK))
            .x_desc("clocks from item to verdict")
            .y_desc("items")
            .x_labels(10)
            .y_labels(5)
            // Ticks between whole clocks mean nothing.
            .x_label_formatter(&|x| {
                if x.fract() == 0.0 && *x >= 0.0 {
                    short(*x)
                } else {
                    String::new()
                }
            })
            .y_label_formatter(&|y| short(*y))
            .draw()
            .map_err(failed(CHART))?;
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
        area.present().map_err(failed(CHART))?;
    }
    Ok(finish(&svg, "Items by clocks from item to verdict"))
}
