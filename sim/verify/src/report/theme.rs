//! Colours and fonts of charts.
//!
//! plotters writes colours as numbers. Each role has a number of its own here, and [`finish`] replaces the numbers by the page's
//! style variables, so that charts follow light and dark mode with the text around them.

use super::ReportError;
use crate::pixels::PIXEL;
use plotters::prelude::*;

/// Size of every chart in units; the page scales it.
pub(super) const SIZE: (u32, u32) = (960 * PIXEL, 340 * PIXEL);

/// Text and axes.
pub(super) const INK: RGBColor = RGBColor(1, 1, 1);
/// Grid lines.
pub(super) const GRID: RGBColor = RGBColor(2, 2, 2);
/// What was measured.
pub(super) const MEASURED: RGBColor = RGBColor(3, 3, 3);
/// What was predicted, and thresholds.
pub(super) const PREDICTED: RGBColor = RGBColor(4, 4, 4);
/// Uncertainty and marks.
pub(super) const SOFT: RGBColor = RGBColor(5, 5, 5);

const ROLES: [(&str, &str); 5] = [
    ("#010101", "var(--muted)"),
    ("#020202", "var(--line)"),
    ("#030303", "var(--measured)"),
    ("#040404", "var(--predicted)"),
    ("#050505", "var(--soft)"),
];

/// Units of the fonts.
pub(super) const FONT: u32 = 15 * PIXEL;

/// Turns a drawing into an inline element of the page: named for readers of the page's text, scaled by it, coloured by it.
pub(super) fn finish(svg: &str, label: &str) -> String {
    let (width, height) = SIZE;
    let body = svg
        .find("<svg")
        .and_then(|start| Some((start, start + svg[start..].find('>')?)));
    let inner = match body {
        Some((_, end)) => &svg[end + 1..],
        None => svg,
    };
    let opening =
        format!(r#"<svg viewBox="0 0 {width} {height}" role="img" aria-label="{label}">"#);
    ROLES
        .iter()
        .fold(opening + inner.trim(), |text, (number, role)| {
            text.replace(number, role)
        })
}

/// A drawing error as a report error.
pub(super) fn failed<E: std::fmt::Display>(chart: &'static str) -> impl Fn(E) -> ReportError {
    move |error| ReportError::Chart {
        chart,
        why: error.to_string(),
    }
}

/// A count with thousands separated by thin spaces.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A count for an axis: 1500000 is "1.5 M".
pub(super) fn short(number: f64) -> String {
    let (scaled, unit) = match number {
        n if n >= 1e9 => (n / 1e9, " G"),
        n if n >= 1e6 => (n / 1e6, " M"),
        n if n >= 1e4 => (n / 1e3, " k"),
        n => (n, ""),
    };
    let text = format!("{scaled:.2}");
    format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(short(1_500_000.0), "1.5 M");
        assert_eq!(short(9000.0), "9000");
        assert_eq!(short(20_000.0), "20 k");
        assert_eq!(short(0.0), "0");
    }
}
