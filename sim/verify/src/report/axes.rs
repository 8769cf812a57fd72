//! The frame that every chart draws in.

use super::theme::{failed, finish, FONT, GRID, INK, SIZE};
use super::ReportError;
use crate::pixels::{units, PIXEL};
use plotters::chart::ChartContext;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;

/// A drawing on plain axes.
pub(super) type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Axis, Axis>>;

/// A plain axis with ticks of its own.
pub(super) struct Axis {
    plain: RangedCoordf64,
    ticks: Vec<f64>,
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.plain.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.plain.range()
    }
}

/// Most ticks on an axis of logarithms.
const MOST_TICKS: usize = 8;

/// About how many ticks the vertical axis has.
const Y_TICKS: usize = 5;

/// What a chart says about itself and its axes.
pub(super) struct Axes<'a> {
    /// What it shows, for errors.
    pub what: &'static str,
    /// What it shows, for readers of the page's text.
    pub label: &'a str,
    /// Meaning of the horizontal axis, and about how many ticks it has.
    pub x: (&'a str, usize),
    /// Meaning of the vertical axis.
    pub y: &'a str,
    /// Numbers on the horizontal axis.
    pub x_text: &'a dyn Fn(f64) -> String,
    /// Numbers on the vertical axis.
    pub y_text: &'a dyn Fn(f64) -> String,
    /// Pixels left of the axis for those numbers.
    pub y_room: i32,
    /// Whether the axes are of decimal logarithms, with ticks at 1, 2 and 5 times the powers of ten.
    pub logarithmic: bool,
    /// What the axes span.
    pub spans: (Range<f64>, Range<f64>),
}

impl Axes<'_> {
    /// Draws the axes, then what `content` adds, as an inline element of the page.
    pub fn draw(
        self,
        content: impl FnOnce(&mut Chart<'_, '_>) -> Result<(), ReportError>,
    ) -> Result<String, ReportError> {
        let mut svg = String::new();
        let (x, y) = (
            axis(self.spans.0, self.x.1, self.logarithmic),
            axis(self.spans.1, Y_TICKS, self.logarithmic),
        );
        {
            let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            let mut chart = ChartBuilder::on(&area)
                .margin(units(10))
                .margin_right(units(24))
                .x_label_area_size(units(50))
                .y_label_area_size(units(self.y_room))
                .build_cartesian_2d(x, y)
                .map_err(failed(self.what))?;
            chart
                .configure_mesh()
                .disable_x_mesh()
                .light_line_style(TRANSPARENT)
                .bold_line_style(GRID.stroke_width(PIXEL))
                .axis_style(GRID.stroke_width(PIXEL))
                .set_all_tick_mark_size(units(5))
                .label_style(("sans-serif", FONT).into_font().color(&INK))
                .axis_desc_style(("sans-serif", FONT).into_font().color(&INK))
                .x_desc(self.x.0)
                .y_desc(self.y)
                .x_labels(self.x.1)
                .y_labels(Y_TICKS)
                .x_label_formatter(&|x| (self.x_text)(*x))
                .y_label_formatter(&|y| (self.y_text)(*y))
                .draw()
                .map_err(failed(self.what))?;
            content(&mut chart)?;
            area.present().map_err(failed(self.what))?;
        }
        Ok(finish(&svg, self.label))
    }
}

/// An axis over that span with about so many ticks.
fn axis(span: Range<f64>, ticks: usize, logarithmic: bool) -> Axis {
    let plain = RangedCoordf64::from(span.clone());
    let ticks = logarithmic
        .then(|| round_logarithms(&span))
        .flatten()
        .unwrap_or_else(|| plain.key_points(ticks));
    Axis { plain, ticks }
}

/// Logarithms of 1, 2 and 5 times the powers of ten within a span, or of the powers alone where those are too many; `None` where there are too few.
fn round_logarithms(span: &Range<f64>) -> Option<Vec<f64>> {
    let powers = || span.start.floor() as i32..=span.end.ceil() as i32;
    let within = |factors: &[f64]| -> Vec<f64> {
        powers()
            .flat_map(|power| factors.iter().map(move |x| x.log10() + f64::from(power)))
            .filter(|place| span.contains(place))
            .collect()
    };
    let ticks = [&[1.0, 2.0, 5.0][..], &[1.0][..]].map(within);
    ticks
        .into_iter()
        .find(|ticks| (2..=MOST_TICKS).contains(&ticks.len()))
}

#[cfg(test)]
mod tests {
    use super::round_logarithms;

    #[test]
    fn ticks_of_logarithms_stand_at_round_numbers() {
        let numbers = |low: f64, high: f64| {
            let ticks = round_logarithms(&(low.log10()..high.log10()))?;
            Some(
                ticks
                    .iter()
                    .map(|tick| 10f64.powf(*tick).round())
                    .collect::<Vec<_>>(),
            )
        };
        let ticks = numbers(1_500.0, 40_000.0).expect("a decade and more");
        assert_eq!(ticks, [2_000.0, 5_000.0, 10_000.0, 20_000.0]);
        assert_eq!(
            numbers(3.0, 3e4),
            Some(vec![10.0, 100.0, 1_000.0, 10_000.0])
        );
        assert_eq!(numbers(2_100.0, 4_900.0), None, "too few");
    }
}
