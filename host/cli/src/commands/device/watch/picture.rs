//! A screen of the terminal as an SVG, for the documentation.

use super::screen::{Colour, Screen};
use std::fmt::Write;

const CELL: (f64, f64) = (8.0, 17.0);

/// The drawing: words of one colour, each as wide as its cells.
pub fn svg(screen: &Screen) -> String {
    let area = screen.area();
    let (width, height) = (
        area.columns as f64 * CELL.0 + 16.0,
        area.rows as f64 * CELL.1 + 12.0,
    );
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"bloomline device watch in a terminal\" \
         font-family=\"DejaVu Sans Mono,Menlo,Consolas,monospace\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#16191c\"/>\n"
    );
    for (row, cells) in screen.rows().enumerate() {
        let mut runs: Vec<(usize, (Colour, bool), String)> = Vec::new();
        for (column, cell) in cells.iter().enumerate() {
            let style = (cell.colour, cell.bold);
            // Blanks end a run: viewers differ in what they make of them.
            let blank = cell.symbol == ' ';
            match runs.last_mut() {
                Some((first, same, run))
                    if *same == style && *first + run.chars().count() == column && !blank =>
                {
                    run.push(cell.symbol);
                }
                _ if blank => {}
                _ => runs.push((column, style, cell.symbol.to_string())),
            }
        }
        for (column, (colour, bold), run) in runs {
            let escaped = run
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            let weight = if bold { " font-weight=\"bold\"" } else { "" };
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\" fill=\"{}\"{weight} textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\">{escaped}</text>",
                8.0 + column as f64 * CELL.0,
                6.0 + row as f64 * CELL.1 + 13.0,
                shown(colour),
                run.chars().count() as f64 * CELL.0,
            );
        }
    }
    text + "</svg>\n"
}

/// Colours of the terminal as a dark one shows them.
fn shown(colour: Colour) -> &'static str {
    match colour {
        Colour::Cyan => "#4fc4d9",
        Colour::Blue => "#6c9ef8",
        Colour::Green => "#62c073",
        Colour::Red => "#f2777a",
        Colour::Yellow => "#e5c07b",
        Colour::Magenta => "#d58fd6",
        Colour::Grey => "#8a929c",
        _ => "#dfe3e8",
    }
}
