//! Curves of a history against time, with axes.

use super::history::{short, History, Point};
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis, Block, Chart, Dataset, GraphType};
use ratatui::Frame;

/// A number that is reached or aimed at, drawn across a chart.
const LEVEL: Color = Color::Yellow;
const AXIS: Color = Color::DarkGray;

/// Points of a chart, seconds and value.
type Points = Vec<(f64, f64)>;

/// Colour of the active half's bar and curve.
pub const ACTIVE: Color = Color::Cyan;
/// Colour of the frozen half's bar and curve.
pub const FROZEN: Color = Color::Blue;

/// A chart: lines over the same time.
pub struct Curve {
    title: Vec<Span<'static>>,
    lines: Vec<(Color, Points)>,
    /// Drawn from side to side.
    level: Option<f64>,
    /// Text of a value at the axis.
    text: fn(f64) -> String,
}

/// What is drawn of a history: the fill of the halves and the rate predicted from it where there are halves; items a second.
pub fn of(history: &History) -> Vec<Curve> {
    let of = |value: &dyn Fn(&Point) -> Option<f64>| -> Points {
        let points = history.points.iter();
        points
            .filter_map(|point| Some((point.seconds, value(point)?)))
            .collect()
    };
    let now = history.now.as_ref();
    let mut curves = Vec::new();
    let halves = now.map_or(&[][..], |now| &now.halves);
    if !halves.is_empty() {
        let threshold = now.and_then(|now| now.threshold);
        let filled = halves.iter().find(|half| half.fill > 0.0);
        let level = threshold
            .zip(filled)
            .map(|(threshold, half)| threshold as f64 * half.fill / half.bits_set as f64);
        let mut title = vec!["fill: ".into(), "active".fg(ACTIVE)];
        let mut lines = vec![(ACTIVE, of(&|point| point.fills[0]))];
        if halves.len() > 1 {
            title.extend([" ".into(), "frozen".fg(FROZEN)]);
            lines.push((FROZEN, of(&|point| point.fills[1])));
        }
        // With messages as what is counted the threshold is no fill.
        let level = level.filter(|level| level.is_finite() && (0.0..=1.0).contains(level));
        if level.is_some() {
            title.extend([" ".into(), "threshold".fg(LEVEL)]);
        }
        curves.push(Curve {
            title,
            lines,
            level,
            text: percent,
        });
        let target = now.and_then(|now| now.target_fpr);
        let mut title = vec![Span::from("rate from the fill")];
        if target.is_some() {
            title.extend([" ".into(), "target".fg(LEVEL)]);
        }
        curves.push(Curve {
            title,
            lines: vec![(Color::Magenta, of(&|point| point.predicted))],
            level: target,
            text: percent,
        });
    }
    let rates = of(&|point| point.rate);
    let last = rates.last().map_or(0.0, |(_, rate)| *rate);
    curves.push(Curve {
        title: vec![format!("items/s: {}", short(last)).into()],
        lines: vec![(Color::Green, rates)],
        level: None,
        text: short,
    });
    curves
}

/// A share in percent, with two digits or so.
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        0.0 => "0 %".to_owned(),
        small if small < 0.001 => format!("{small:.1e} %"),
        small if small < 0.1 => format!("{small:.3} %"),
        small if small < 1.0 => format!("{small:.2} %"),
        small if small < 9.95 => format!("{small:.1} %"),
        large => format!("{large:.0} %"),
    }
}

impl Curve {
    /// Draws it with its axes: the time up to now, and values from 0.
    pub fn draw(&self, frame: &mut Frame<'_>, area: Rect) {
        let all = || self.lines.iter().flat_map(|(_, points)| points);
        let (from, to) = all().fold((f64::MAX, f64::MIN), |(from, to), (seconds, _)| {
            (from.min(*seconds), to.max(*seconds))
        });
        let (from, to) = match to > from {
            true => (from, to),
            false => (0.0, 1.0),
        };
        let most = all()
            .map(|(_, value)| *value)
            .chain(self.level)
            .fold(0.0, f64::max);
        let most = if most > 0.0 { 1.1 * most } else { 1.0 };
        let level = self.level.map(|level| [(from, level), (to, level)]);
        let line = |colour: Color, points| {
            Dataset::default()
                .marker(Marker::Braille)
                .graph_type(GraphType::Line)
                .style(Style::new().fg(colour))
                .data(points)
        };
        let datasets = level
            .iter()
            .map(|points| line(LEVEL, points.as_slice()))
            .chain(
                self.lines
                    .iter()
                    .map(|(colour, points)| line(*colour, points)),
            );
        let axis = Style::new().fg(AXIS);
        let values = [0.0, 0.5 * most, most].map(|value| Line::from((self.text)(value)));
        let times = [format!("-{:.0} s", to - from), "now".to_owned()].map(Line::from);
        let chart = Chart::new(datasets.collect())
            .block(Block::bordered().title(Line::from(self.title.clone())))
            .legend_position(None)
            .x_axis(
                Axis::default()
                    .bounds([from, to])
                    .labels(times)
                    .labels_alignment(Alignment::Left)
                    .style(axis),
            )
            .y_axis(
                Axis::default()
                    .bounds([0.0, most])
                    .labels(values)
                    .style(axis),
            );
        frame.render_widget(chart, area);
    }
}
