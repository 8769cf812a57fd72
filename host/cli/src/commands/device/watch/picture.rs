//! A screen of the terminal as an SVG, for the documentation.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};
use std::fmt::Write;

const CELL: (f64, f64) = (8.0, 17.0);

/// The drawing: words of one colour, each as wide as its cells.
pub fn svg(buffer: &Buffer) -> String {
    let area = buffer.area;
    let (width, height) = (
        f64::from(area.width) * CELL.0 + 16.0,
        f64::from(area.height) * CELL.1 + 12.0,
    );
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"bloomline device watch in a terminal\" \
         font-family=\"DejaVu Sans Mono,Menlo,Consolas,monospace\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#16191c\"/>\n"
    );
    for row in 0..area.height {
        let mut runs: Vec<(u16, (Color, bool), String, u16)> = Vec::new();
        for column in 0..area.width {
            let cell = &buffer[(column, row)];
            let style = (cell.fg, cell.modifier.contains(Modifier::BOLD));
            // Blanks end a run: viewers differ in what they make of them.
            let blank = cell.symbol().trim().is_empty();
            match runs.last_mut() {
                Some((first, same, run, cells))
                    if *same == style && *first + *cells == column && !blank =>
                {
                    run.push_str(cell.symbol());
                    *cells += 1;
                }
                _ if blank => {}
                _ => runs.push((column, style, cell.symbol().to_owned(), 1)),
            }
        }
        for (column, (colour, bold), run, cells) in runs {
            let escaped = run
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            let weight = if bold { " font-weight=\"bold\"" } else { "" };
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\" fill=\"{}\"{weight} textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\">{escaped}</text>",
                8.0 + f64::from(column) * CELL.0,
                6.0 + f64::from(row) * CELL.1 + 13.0,
                shown(colour),
                f64::from(cells) * CELL.0,
            );
        }
    }
    text + "</svg>\n"
}

/// Colours of the terminal as a dark one shows them.
fn shown(colour: Color) -> &'static str {
    match colour {
        Color::Cyan => "#4fc4d9",
        Color::Blue => "#6c9ef8",
        Color::Green => "#62c073",
        Color::Red => "#f2777a",
        Color::Yellow => "#e5c07b",
        Color::Magenta => "#d58fd6",
        Color::DarkGray => "#8a929c",
        _ => "#dfe3e8",
    }
}
