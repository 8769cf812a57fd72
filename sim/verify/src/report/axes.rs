//! The frame that every chart draws in.

use super::theme::{failed, finish, FONT, GRID, INK, SIZE};
use super::ReportError;
use plotters::chart::ChartContext;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;

/// A drawing on plain axes.
pub(super) type Chart<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

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
    pub y_room: u32,
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
        {
            let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            let mut chart = ChartBuilder::on(&area)
                .margin(10)
                .margin_right(24)
                .x_label_area_size(50)
                .y_label_area_size(self.y_room)
                .build_cartesian_2d(self.spans.0, self.spans.1)
                .map_err(failed(self.what))?;
            chart
                .configure_mesh()
                .disable_x_mesh()
                .light_line_style(TRANSPARENT)
                .bold_line_style(GRID)
                .axis_style(GRID)
                .label_style(("sans-serif", FONT).into_font().color(&INK))
                .axis_desc_style(("sans-serif", FONT).into_font().color(&INK))
                .x_desc(self.x.0)
                .y_desc(self.y)
                .x_labels(self.x.1)
                .y_labels(5)
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
