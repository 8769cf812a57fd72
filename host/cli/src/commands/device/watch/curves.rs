//! Curves of a history against time, with axes.

use super::history::{short, History, Point};
use super::screen::{Area, Colour, Line, Screen, Span};

/// A number that is reached or aimed at, drawn across a chart.
const LEVEL: Colour = Colour::Yellow;
const AXIS: Colour = Colour::Grey;
/// Dots of a braille character, from the left and from the top: the bit of each.
const DOTS: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
const NO_DOTS: u32 = 0x2800;

/// Points of a chart, seconds and value.
type Points = Vec<(f64, f64)>;

/// Colour of the active half's bar and curve.
pub const ACTIVE: Colour = Colour::Cyan;
/// Colour of the frozen half's bar and curve.
pub const FROZEN: Colour = Colour::Blue;

/// A chart: lines over the same time.
pub struct Curve {
    title: Line,
    lines: Vec<(Colour, Points)>,
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
        let mut title = vec!["fill: ".into(), Span::coloured("active", ACTIVE)];
        let mut lines = vec![(ACTIVE, of(&|point| point.fills[0]))];
        if halves.len() > 1 {
            title.extend([" ".into(), Span::coloured("frozen", FROZEN)]);
            lines.push((FROZEN, of(&|point| point.fills[1])));
        }
        // With messages as what is counted the threshold is no fill.
        let level = level.filter(|level| level.is_finite() && (0.0..=1.0).contains(level));
        if level.is_some() {
            title.extend([" ".into(), Span::coloured("threshold", LEVEL)]);
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
            title.extend([" ".into(), Span::coloured("target", LEVEL)]);
        }
        curves.push(Curve {
            title,
            lines: vec![(Colour::Magenta, of(&|point| point.predicted))],
            level: target,
            text: percent,
        });
    }
    let rates = of(&|point| point.rate);
    let last = rates.last().map_or(0.0, |(_, rate)| *rate);
    curves.push(Curve {
        title: vec![format!("items/s: {}", short(last)).into()],
        lines: vec![(Colour::Green, rates)],
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
    pub fn draw(&self, screen: &mut Screen, area: Area) {
        let inside = screen.frame(area, &self.title);
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
        let values = [most, 0.5 * most, 0.0].map(self.text);
        let width = values.iter().map(|text| text.chars().count()).max();
        let width = width.unwrap_or(0);
        if inside.rows < 3 || inside.columns < width + 2 {
            return;
        }
        let last = inside.rows - 3;
        for (row, text) in [0, last / 2, last].into_iter().zip(values) {
            screen.write(inside, row, 0, &[Span::coloured(text, AXIS)]);
        }
        for row in 0..=last {
            screen.set(inside, row, width, '│', AXIS);
        }
        let axis = format!("└{}", "─".repeat(inside.columns - width - 1));
        screen.write(inside, last + 1, width, &[Span::coloured(axis, AXIS)]);
        let begin = format!("-{:.0} s", to - from);
        let place = (width + 1).saturating_sub(begin.len());
        screen.write(inside, last + 2, place, &[Span::coloured(begin, AXIS)]);
        let place = inside.columns.saturating_sub("now".len());
        screen.write(inside, last + 2, place, &[Span::coloured("now", AXIS)]);

        let mut dots = Dots::new(last + 1, inside.columns - width - 1);
        let place = |(seconds, value): (f64, f64)| ((seconds - from) / (to - from), value / most);
        if let Some(level) = self.level {
            dots.line([(0.0, level / most), (1.0, level / most)], LEVEL);
        }
        for (colour, points) in &self.lines {
            if let [point] = points[..] {
                dots.line([place(point); 2], *colour);
            }
            for ends in points.windows(2) {
                dots.line([place(ends[0]), place(ends[1])], *colour);
            }
        }
        dots.draw(screen, inside, width + 1);
    }
}

/// Lines of dots, two to a character across and four down.
struct Dots {
    columns: usize,
    rows: usize,
    cells: Vec<(u32, Colour)>,
}

impl Dots {
    fn new(rows: usize, columns: usize) -> Self {
        Self {
            columns,
            rows,
            cells: vec![(0, Colour::Plain); rows * columns],
        }
    }

    /// A line between two places, from 0 to 1 each, with the ordinate upwards; its colour covers what was there.
    fn line(&mut self, ends: [(f64, f64); 2], colour: Colour) {
        let (width, height) = ((2 * self.columns - 1) as f64, (4 * self.rows - 1) as f64);
        let [(x, y), (to_x, to_y)] = ends.map(|(x, y)| (x * width, (1.0 - y) * height));
        let steps = (to_x - x).abs().max((to_y - y).abs()).ceil().max(1.0);
        for step in 0..=steps as usize {
            let share = step as f64 / steps;
            let across = (x + share * (to_x - x)).round() as usize;
            let down = (y + share * (to_y - y)).round() as usize;
            let (column, row) = (across / 2, down / 4);
            if column < self.columns && row < self.rows {
                let (dots, last) = &mut self.cells[row * self.columns + column];
                *dots |= DOTS[across % 2][down % 4];
                *last = colour;
            }
        }
    }

    fn draw(&self, screen: &mut Screen, area: Area, left: usize) {
        for (place, (dots, colour)) in self
            .cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| cell.0 != 0)
        {
            let (row, column) = (place / self.columns, left + place % self.columns);
            let symbol = char::from_u32(NO_DOTS + dots).unwrap_or(' ');
            screen.set(area, row, column, symbol, *colour);
        }
    }
}
