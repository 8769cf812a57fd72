//! A chart as data: what the drawing and the table are made from.

use crate::stats::Interval;

/// A figure ready to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// In a line: paper, figure, what it shows.
    pub title: String,
    /// Parameters that hold for the whole chart.
    pub setting: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What is shown.
    pub series: Vec<Series>,
    /// What the figure claims.
    pub checks: Vec<Check>,
}

/// An axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// Quantity and unit.
    pub label: String,
    /// Logarithmic; then points at or below zero are left out of the drawing (never of the table).
    pub log: bool,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: &str) -> Axis {
        Axis {
            label: label.to_owned(),
            log: false,
        }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Axis {
        Axis {
            label: label.to_owned(),
            log: true,
        }
    }
}

/// What a series is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A line from a formula.
    Predicted,
    /// A bound or an approximation, drawn as a broken line.
    Bound,
    /// Single points of a formula.
    Marked,
    /// Points from a simulation, with intervals.
    Measured,
}

impl Role {
    /// The word in the table.
    pub fn word(self) -> &'static str {
        match self {
            Role::Predicted => "predicted",
            Role::Bound => "bound",
            Role::Marked => "marked",
            Role::Measured => "measured",
        }
    }
}

/// One series.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// As in the table; for a prediction with its formula.
    pub name: String,
    /// As in the legend, where series of the same legend and role appear once.
    pub legend: String,
    /// What it is.
    pub role: Role,
    /// Series of one group share a colour.
    pub group: usize,
    /// Factor on x in the drawing, so that intervals at one x do not hide each other.
    pub shift: f64,
    /// By rising x.
    pub points: Vec<Point>,
}

/// One point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Horizontal.
    pub x: f64,
    /// Vertical.
    pub y: f64,
    /// Of a measured point.
    pub interval: Option<Interval>,
    /// Trials and events of a measured point.
    pub counts: Option<(u64, u64)>,
}

impl Point {
    /// A computed point.
    pub fn new(x: f64, y: f64) -> Point {
        Point {
            x,
            y,
            interval: None,
            counts: None,
        }
    }
}

impl Series {
    /// A series from a formula.
    pub fn computed(
        name: impl Into<String>,
        role: Role,
        group: usize,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Series {
        let name = name.into();
        Series {
            legend: name.clone(),
            name,
            role,
            group,
            shift: 1.0,
            points: points.into_iter().map(|(x, y)| Point::new(x, y)).collect(),
        }
    }
}

impl Series {
    /// A series from a simulation.
    pub fn measured(name: impl Into<String>, group: usize, points: Vec<Point>) -> Series {
        let name = name.into();
        Series {
            legend: name.clone(),
            name,
            role: Role::Measured,
            group,
            shift: 1.0,
            points,
        }
    }

    /// The series drawn with its positions multiplied by `shift`, beside another one.
    pub fn shifted(self, shift: f64) -> Series {
        Series { shift, ..self }
    }

    /// The series with a legend of its own.
    pub fn legend(self, legend: impl Into<String>) -> Series {
        Series {
            legend: legend.into(),
            ..self
        }
    }
}

/// A claim of a figure and whether it holds here.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Check {
    /// What should hold.
    pub claim: String,
    /// Whether it does.
    pub holds: bool,
    /// The numbers behind it.
    pub evidence: String,
}

impl Check {
    /// That each measured point has an interval and that it holds the prediction.
    pub fn inside(what: &str, pairs: &[(Point, f64)]) -> Check {
        let outside: Vec<String> = pairs
            .iter()
            .filter_map(|(point, predicted)| {
                let interval = point.interval?;
                (!interval.contains(*predicted)).then(|| {
                    format!(
                        "x = {}: predicted {predicted:.6e}, measured {:.6e} ({:.6e} to {:.6e})",
                        point.x, point.y, interval.low, interval.high
                    )
                })
            })
            .collect();
        let judged = pairs
            .iter()
            .filter(|(point, _)| point.interval.is_some())
            .count();
        Check {
            claim: format!(
                "{what}: predictions inside intervals that are 99 % for the whole figure"
            ),
            holds: outside.is_empty() && judged > 0 && judged == pairs.len(),
            evidence: if outside.is_empty() {
                format!("{judged} of {} inside", pairs.len())
            } else {
                format!(
                    "{} of {judged} outside: {}",
                    outside.len(),
                    outside.join("; ")
                )
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prediction_outside_or_a_point_without_interval_fails_the_check() {
        let interval = Interval {
            low: 0.1,
            high: 0.3,
            confidence: 0.99,
        };
        let measured = Point {
            interval: Some(interval),
            ..Point::new(1.0, 0.2)
        };
        let bare = Point::new(2.0, 0.2);
        let holds = |pairs: &[(Point, f64)]| Check::inside("x", pairs).holds;
        assert!(holds(&[(measured, 0.25), (measured, 0.15)]));
        assert!(!holds(&[(measured, 0.25), (measured, 0.35)]), "outside");
        assert!(!holds(&[(measured, 0.25), (bare, 0.2)]), "no interval");
        assert!(!holds(&[]), "nothing judged");
    }
}
