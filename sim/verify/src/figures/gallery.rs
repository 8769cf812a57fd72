//! Writes charts to disk: SVG and CSV per figure, and an index page.

use super::{csv, svg, Chart, FigureError};
use bloomline_toolchain::whole_file;
use itertools::Itertools;
use std::path::{Path, PathBuf};

/// A figure with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// [`Experiment::id`](super::Experiment::id).
    pub id: String,
    /// The chart.
    pub chart: Chart,
}

/// Writes `<id>.svg` and `<id>.csv` for every figure and `index.html` for all, each whole or not at all. `run` says in a line
/// how the figures were made. Returns the page.
///
/// # Errors
/// [`FigureError::File`], [`FigureError::Chart`].
pub fn write_gallery(folder: &Path, figures: &[Drawn], run: &str) -> Result<PathBuf, FigureError> {
    for figure in figures {
        let text = svg(&figure.id, &figure.chart)?;
        write(&folder.join(format!("{}.svg", figure.id)), &text)?;
        let text = csv(&figure.id, &figure.chart, run)?;
        write(&folder.join(format!("{}.csv", figure.id)), &text)?;
    }
    let page = folder.join("index.html");
    write(&page, &index(figures, run))?;
    Ok(page)
}

fn index(figures: &[Drawn], run: &str) -> String {
    let body = figures
        .iter()
        .map(|Drawn { id, chart }| {
            let checks = chart
                .checks
                .iter()
                .map(|check| {
                    let word = if check.holds { "holds" } else { "does not hold" };
                    format!("<li>{}: <b>{word}</b> ({})</li>", escaped(&check.claim), escaped(&check.evidence))
                })
                .join("\n");
            format!(
                "<section id=\"{id}\"><h2>{}</h2>\n<img src=\"{id}.svg\" alt=\"{}\">\n<ul>{checks}</ul>\n\
                 <p><a href=\"{id}.csv\">{id}.csv</a></p></section>",
                escaped(&chart.title),
                escaped(&chart.title)
            )
        })
        .join("\n");
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Bloomline: the papers' figures</title>\n\
         <style>body{{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#262626}}\
         img{{max-width:100%}}h2{{font-size:1.1rem;margin-top:3rem}}</style></head>\n\
         <body><h1>The papers' figures</h1><p>{}</p>\n{body}\n</body></html>\n",
        escaped(run)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn write(path: &Path, text: &str) -> Result<(), FigureError> {
    whole_file::write(path, text).map_err(|source| file_error("write", path, source))
}

fn file_error(action: &'static str, path: &Path, source: std::io::Error) -> FigureError {
    FigureError::File {
        action,
        path: path.to_owned(),
        source,
    }
}
