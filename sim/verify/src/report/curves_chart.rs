//! A measured curve beside a predicted one.

use super::axes::Axes;
use super::theme::{failed, short, MEASURED, PREDICTED};
use super::{Curves, ReportError};
use crate::pixels::{units, PIXEL};
use plotters::prelude::*;

const CHART: &str = "measured and predicted curves";

pub(super) fn draw(curves: &Curves) -> Result<String, ReportError> {
    let place = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        let placed = points.iter().map(|&(x, y)| match curves.logarithmic {
            true => (x.log10(), y.log10()),
            false => (x, y),
        });
        placed
            .filter(|(x, y)| x.is_finite() && y.is_finite())
            .collect()
    };
    let (measured, predicted) = (place(&curves.measured), place(&curves.predicted));
    let marks = place(&curves.marks);
    let all = || measured.iter().chain(&predicted).chain(&marks);
    let (left, right) = span(all().map(|point| point.0));
    let (bottom, top) = span(all().map(|point| point.1));
    let room = 0.04 * (top - bottom);
    let text = |value: f64| match curves.logarithmic {
        true => power(value),
        false => short(value),
    };
    let of_shares = curves.y.starts_with("share") || curves.y.ends_with("rate");
    let y_text = |value: f64| match (of_shares, curves.logarithmic) {
        (true, true) => percent(10f64.powf(value)),
        (true, false) => percent(value),
        (false, _) => text(value),
    };
    let axes = Axes {
        what: CHART,
        label: &curves.heading.replace(['<', '>', '&', '"'], " "),
        x: (&curves.x, 8),
        y: &curves.y,
        x_text: &text,
        y_text: &y_text,
        y_room: 98,
        logarithmic: curves.logarithmic,
        spans: (left..right, bottom - room..top + room),
    };
    axes.draw(|chart| {
        chart
            .draw_series(DashedLineSeries::new(
                predicted.iter().copied(),
                units(7),
                units(5),
                PREDICTED.stroke_width(2 * PIXEL),
            ))
            .map_err(failed(CHART))?;
        chart
            .draw_series(LineSeries::new(
                measured.iter().copied(),
                MEASURED.stroke_width(2 * PIXEL),
            ))
            .map_err(failed(CHART))?;
        let dots = marks
            .iter()
            .map(|&mark| Circle::new(mark, units(6), PREDICTED.filled()));
        chart.draw_series(dots).map_err(failed(CHART))?;
        Ok(())
    })
}

/// Least and greatest, apart from each other.
fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low > high {
        (0.0, 1.0)
    } else if high - low < 1e-12 * high.abs().max(1e-12) {
        (low - 0.5, high + 0.5)
    } else {
        (low, high)
    }
}

/// A share in percent, with two digits.
fn percent(share: f64) -> String {
    let value = 100.0 * share;
    if value.abs() < 1e-9 {
        return "0 %".to_owned();
    }
    if value.abs() < 0.01 {
        return format!("{value:.0e} %");
    }
    let decimals = (1.0 - value.abs().log10().floor()).max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => format!("{} %", text.trim_end_matches('0').trim_end_matches('.')),
        false => format!("{text} %"),
    }
}

/// A number from its logarithm, with two digits.
fn power(logarithm: f64) -> String {
    let value = 10f64.powf(logarithm);
    if (-3.0..0.0).contains(&logarithm) {
        let decimals = (1.0 - logarithm.floor()) as usize;
        format!("{value:.decimals$}")
    } else if logarithm < 0.0 {
        format!("{value:.0e}")
    } else {
        let unit = 10f64.powf((logarithm.floor() - 1.0).max(0.0));
        short((value / unit).round() * unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_in_percent() {
        let cases = [
            (0.0, "0 %"),
            (0.01, "1 %"),
            (0.0032, "0.32 %"),
            (0.125, "12 %"),
            (1.0, "100 %"),
            (1e-6, "1e-4 %"),
        ];
        for (share, text) in cases {
            assert_eq!(percent(share), text);
        }
    }

    #[test]
    fn numbers_of_logarithmic_axes_have_two_digits() {
        let cases = [
            (-4.0, "1e-4"),
            (-1.5, "0.032"),
            (0.0, "1"),
            (1.5, "32"),
            (2.5, "320"),
            (6.0, "1 M"),
        ];
        for (logarithm, text) in cases {
            assert_eq!(power(logarithm), text);
        }
    }
}
