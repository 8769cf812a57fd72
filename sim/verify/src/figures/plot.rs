//! A chart as a standalone SVG.

use super::{Chart, FigureError, Point, Role, Series};
use crate::pixels::{units, PIXEL};
use itertools::{Itertools, MinMaxResult};
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;

/// Width and height without the legend.
const SIZE: (u32, u32) = (960 * PIXEL, 580 * PIXEL);
/// Height of a row of the legend.
const LEGEND_ROW: u32 = 24 * PIXEL;
const FONT: u32 = 16 * PIXEL;
/// Half the width of the bar that ends an interval.
const CAP: i32 = units(4);
const INK: RGBColor = RGBColor(38, 38, 38);
const GRID: RGBColor = RGBColor(224, 224, 224);

/// Colours that stay apart for colour-blind readers (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(60, 60, 60),
];

/// The drawing.
///
/// # Errors
/// [`FigureError::Chart`] if there is nothing to draw.
pub fn svg(figure: &str, chart: &Chart) -> Result<String, FigureError> {
    let failed = |why: String| FigureError::Chart {
        figure: figure.to_owned(),
        why,
    };
    let x = range(chart, true).ok_or_else(|| failed("it has no point".into()))?;
    let y = range(chart, false).ok_or_else(|| failed("it has no point".into()))?;
    let legend = legend(chart);
    let columns = legend_columns(&legend);
    let rows = legend.len().div_ceil(columns) as u32;
    let mut text = String::new();
    let size = (SIZE.0, SIZE.1 + rows * LEGEND_ROW + LEGEND_ROW / 2);
    {
        let whole = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let (area, below) = whole.split_vertically(SIZE.1);
        let drawn = whole
            .fill(&WHITE)
            .map_err(|error| error.to_string())
            .and_then(|()| draw_legend(&below, &legend, columns))
            .and_then(|()| match (chart.x.log, chart.y.log) {
                (false, false) => draw(&area, chart, x.0..x.1, y.0..y.1),
                (false, true) => draw(&area, chart, x.0..x.1, (y.0..y.1).log_scale()),
                (true, false) => draw(&area, chart, (x.0..x.1).log_scale(), y.0..y.1),
                (true, true) => draw(&area, chart, (x.0..x.1).log_scale(), (y.0..y.1).log_scale()),
            })
            .and_then(|()| whole.present().map_err(|error| error.to_string()));
        drawn.map_err(failed)?;
    }
    Ok(themed(&text, size))
}

/// Colours of a chart on a dark page, by those on a light one.
const DARK: [(RGBColor, &str); 6] = [
    (WHITE, "#16191c"),
    (INK, "#e8e8e8"),
    (GRID, "#33383d"),
    (COLOURS[0], "#5aa9e6"),
    (COLOURS[1], "#ff8a4c"),
    (COLOURS[6], "#c9c9c9"),
];

/// The drawing of this size in units, with the fonts of the system, and with other colours where the reader prefers a dark page.
fn themed(svg: &str, (width, height): (u32, u32)) -> String {
    let rules = DARK.iter().map(|(light, dark)| {
        let RGBColor(red, green, blue) = light;
        let light = format!("#{red:02X}{green:02X}{blue:02X}");
        format!("[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}")
    });
    let style = format!(
        "<style>text{{font-family:system-ui,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif}}\
         @media (prefers-color-scheme:dark){{{}}}</style>",
        rules.format("")
    );
    let opening = format!(
        r#"<svg width="{}" height="{}" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">"#,
        width / PIXEL,
        height / PIXEL
    );
    let content = svg.split_once('>').map_or("", |(_, content)| content);
    format!("{opening}\n{style}{content}")
}

/// The range of an axis, with a margin.
fn range(chart: &Chart, horizontal: bool) -> Option<(f64, f64)> {
    let axis = if horizontal { &chart.x } else { &chart.y };
    let points = chart.series.iter().flat_map(|series| {
        let shift = series.shift;
        series.points.iter().map(move |point| (point, shift))
    });
    let values = points.flat_map(|(point, shift)| {
        if horizontal {
            vec![point.x * shift]
        } else {
            let ends = point
                .interval
                .as_ref()
                .map(|interval| [interval.low, interval.high]);
            [point.y]
                .into_iter()
                .chain(ends.into_iter().flatten())
                .collect()
        }
    });
    let shown = values.filter(|value| value.is_finite() && (!axis.log || *value > 0.0));
    let (low, high) = match shown.minmax() {
        MinMaxResult::NoElements => return None,
        MinMaxResult::OneElement(one) => (one, one),
        MinMaxResult::MinMax(low, high) => (low, high),
    };
    Some(if axis.log {
        let margin = (high / low).powf(0.04).max(1.05);
        (low / margin, high * margin)
    } else {
        let margin = ((high - low) * 0.04).max(f64::MIN_POSITIVE.max(high.abs() * 1e-6));
        // An axis that begins near zero begins at zero.
        let low = if low >= 0.0 && low < 0.3 * high {
            0.0
        } else {
            low - margin
        };
        (low, high + margin)
    })
}

fn draw<X, Y>(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    chart: &Chart,
    x: X,
    y: Y,
) -> Result<(), String>
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    fn text<E: std::fmt::Display>(error: E) -> String {
        error.to_string()
    }
    let font = |size: u32| ("sans-serif", size).into_font().color(&INK);
    let above = units(7);
    let body = area
        .margin(above, 0, 0, 0)
        .titled(&chart.title, font(FONT + 3 * PIXEL))
        .map_err(text)?
        .margin(above, 0, 0, 0)
        .titled(&chart.setting, font(FONT - 2 * PIXEL))
        .map_err(text)?;
    let mut canvas = ChartBuilder::on(&body)
        .margin(units(12))
        .margin_right(units(28))
        .x_label_area_size(units(48))
        .y_label_area_size(units(84))
        .build_cartesian_2d(x, y)
        .map_err(text)?;
    canvas
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID.stroke_width(PIXEL))
        .axis_style(INK.stroke_width(PIXEL))
        .set_all_tick_mark_size(units(5))
        .label_style(font(FONT - PIXEL))
        .axis_desc_style(font(FONT))
        .x_desc(&chart.x.label)
        .y_desc(&chart.y.label)
        .x_label_formatter(&|value| label(*value, chart.x.log))
        .y_label_formatter(&|value| label(*value, chart.y.log))
        .draw()
        .map_err(text)?;
    for series in &chart.series {
        let colour = colour(series);
        let points = visible(chart, series);
        let line = points.iter().map(|point| (point.x * series.shift, point.y));
        match series.role {
            Role::Predicted => {
                let line = LineSeries::new(line, colour.stroke_width(2 * PIXEL));
                canvas.draw_series(line).map_err(text)?;
            }
            Role::Bound => {
                let line = DashedLineSeries::new(
                    line.collect_vec(),
                    units(6),
                    units(4),
                    colour.stroke_width(2 * PIXEL),
                );
                canvas.draw_series(line).map_err(text)?;
            }
            Role::Marked => {
                let dots = line.map(|place| Circle::new(place, units(5), colour.filled()));
                canvas.draw_series(dots).map_err(text)?;
            }
            Role::Measured => {
                let bars = points.iter().filter_map(|point| {
                    let interval = point.interval.as_ref()?;
                    let x = point.x * series.shift;
                    // An interval that reaches to zero ends at the axis.
                    let low = if chart.y.log {
                        interval.low.max(point.y * 1e-2)
                    } else {
                        interval.low
                    };
                    Some(PathElement::new(
                        [(x, low), (x, interval.high)],
                        colour.stroke_width(PIXEL),
                    ))
                });
                canvas.draw_series(bars).map_err(text)?;
                let caps = points.iter().filter_map(|point| {
                    let interval = point.interval.as_ref()?;
                    let x = point.x * series.shift;
                    let low =
                        (!chart.y.log || interval.low > point.y * 1e-2).then_some(interval.low);
                    Some(low.into_iter().chain([interval.high]).map(move |y| (x, y)))
                });
                let caps = caps.flatten().map(|place| {
                    EmptyElement::at(place)
                        + PathElement::new([(-CAP, 0), (CAP, 0)], colour.stroke_width(PIXEL))
                });
                canvas.draw_series(caps).map_err(text)?;
                let dots = line.map(|place| Circle::new(place, units(3), colour.filled()));
                canvas.draw_series(dots).map_err(text)?;
            }
        }
    }
    Ok(())
}

fn colour(series: &Series) -> RGBColor {
    COLOURS[series.group % COLOURS.len()]
}

/// One series for each entry of the legend.
fn legend(chart: &Chart) -> Vec<&Series> {
    chart
        .series
        .iter()
        .unique_by(|series| (&series.legend, series.role))
        .collect()
}

/// Entries of a row: a line beside its simulation where every line has one.
fn legend_columns(entries: &[&Series]) -> usize {
    let measured = entries
        .iter()
        .filter(|series| series.role == Role::Measured)
        .count();
    if 2 * measured == entries.len() {
        2
    } else {
        3
    }
}

/// Row by row below the chart.
fn draw_legend(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    entries: &[&Series],
    columns: usize,
) -> Result<(), String> {
    let font = ("sans-serif", FONT - 2 * PIXEL).into_font().color(&INK);
    let width = (SIZE.0 - 60 * PIXEL) as usize / columns;
    for (index, series) in entries.iter().enumerate() {
        let x = units(48) + (index % columns * width) as i32;
        let y = (index / columns) as i32 * LEGEND_ROW as i32 + units(12);
        let style = colour(series).stroke_width(2 * PIXEL);
        let dash = |from: i32, to: i32| {
            area.draw(&PathElement::new(
                [(x + units(from), y), (x + units(to), y)],
                style,
            ))
        };
        let drawn = match series.role {
            Role::Predicted => dash(0, 24),
            Role::Bound => dash(0, 6)
                .and_then(|()| dash(10, 16))
                .and_then(|()| dash(20, 24)),
            Role::Marked => area.draw(&Circle::new((x + units(12), y), units(5), style.filled())),
            Role::Measured => area.draw(&Circle::new((x + units(12), y), units(3), style.filled())),
        };
        drawn
            .and_then(|()| {
                area.draw(&Text::new(
                    series.legend.clone(),
                    (x + units(32), y - units(7)),
                    font.clone(),
                ))
            })
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn visible<'s>(chart: &Chart, series: &'s Series) -> Vec<&'s Point> {
    let shown = |value: f64, log: bool| value.is_finite() && (!log || value > 0.0);
    series
        .points
        .iter()
        .filter(|point| shown(point.x, chart.x.log) && shown(point.y, chart.y.log))
        .collect()
}

/// The text at a grid line. A logarithmic axis of few decades has lines at 1, 2, ... 9, 10: the text of 1, 2 and 5 has room.
fn label(value: f64, log: bool) -> String {
    let leading = value / 10f64.powf((value.log10() + 1e-9).floor());
    let shown = [1.0, 2.0, 5.0]
        .iter()
        .any(|digit| (leading - digit).abs() < 1e-6);
    if log && !shown {
        String::new()
    } else {
        number(value)
    }
}

/// A number for an axis: plain where that is short, else with an exponent.
fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".into()
    } else if (1e-3..1e5).contains(&size) {
        let text = format!("{value:.4}");
        text.trim_end_matches('0').trim_end_matches('.').into()
    } else {
        let text = format!("{value:.1e}");
        text.replace(".0e", "e")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::{Axis, Chart};

    #[test]
    fn numbers_on_axes_are_short() {
        let cases = [
            (0.0, "0"),
            (0.25, "0.25"),
            (1000.0, "1000"),
            (1e-7, "1e-7"),
            (2.5e9, "2.5e9"),
        ];
        for (value, expected) in cases {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn a_logarithmic_axis_has_room_between_its_numbers() {
        let labels = |log| {
            (1..=10)
                .map(|digit| label(f64::from(digit) * 1e-3, log))
                .collect_vec()
        };
        assert!(labels(false).iter().all(|text| !text.is_empty()));
        assert_eq!(
            labels(true),
            ["0.001", "0.002", "", "", "0.005", "", "", "", "", "0.01"]
        );
        assert_eq!(label(1e-10, true), "1e-10");
    }

    #[test]
    fn every_series_is_drawn_and_named_on_every_kind_of_axis() {
        for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
            let axis = |label: &str, log| Axis {
                label: label.into(),
                log,
            };
            let chart = Chart {
                title: "Title".into(),
                setting: "Setting".into(),
                x: axis("across", x),
                y: axis("upwards", y),
                series: vec![
                    Series::computed("alpha", Role::Predicted, 0, [(1.0, 0.1), (10.0, 0.01)]),
                    Series::computed("beta", Role::Bound, 1, [(1.0, 0.2), (10.0, 0.02)]),
                    Series::computed("gamma", Role::Measured, 0, [(1.0, 0.1), (10.0, 0.0)]),
                    Series::computed("delta", Role::Marked, 2, [(2.0, 0.1)]),
                ],
                checks: Vec::new(),
            };
            let text = svg("test", &chart).expect("drawn");
            for word in [
                "Title", "Setting", "across", "upwards", "alpha", "beta", "gamma", "delta",
            ] {
                assert!(text.contains(word), "{word}");
            }
            assert!(!text.contains("NaN"));
        }
    }

    #[test]
    fn a_chart_without_points_is_an_error_that_names_it() {
        let chart = Chart {
            title: String::new(),
            setting: String::new(),
            x: Axis::linear("x"),
            y: Axis::log("y"),
            series: vec![Series::computed("none", Role::Predicted, 0, [(1.0, 0.0)])],
            checks: Vec::new(),
        };
        let error = svg("rbf-0", &chart).expect_err("empty").to_string();
        assert!(error.contains("rbf-0"), "{error}");
    }
}
