//! Writes charts to disk: SVG and CSV per figure, and an index page.

use super::{all, csv, svg, Chart, FigureError};
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

/// Writes `<id>.svg` and `<id>.csv` for every figure and `index.html` for all, each whole or not at all. Figures that an earlier run left in the
/// folder stay on the page. `run` says in a line how the figures were made. Returns the page.
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
    let before = std::fs::read_to_string(&page).unwrap_or_default();
    write(&page, &index(folder, figures, run, &before))?;
    Ok(page)
}

const SECTION: &str = "<section id=\"";
const SECTION_END: &str = "</section>";

/// Sections of a page by the name of their figure, in its order.
fn sections(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.split(SECTION).skip(1).filter_map(|rest| {
        let (id, _) = rest.split_once('"')?;
        let (text, _) = rest.split_once(SECTION_END)?;
        Some((id, text))
    })
}

/// The page: the figures drawn now and those of the page before whose drawing is still there, in the order of [`all`].
fn index(folder: &Path, figures: &[Drawn], run: &str, before: &str) -> String {
    let drawn = figures
        .iter()
        .map(|figure| (figure.id.clone(), section(figure, run)));
    let kept = sections(before)
        .filter(|(id, _)| figures.iter().all(|figure| figure.id != *id))
        .filter(|(id, _)| folder.join(format!("{id}.svg")).is_file())
        .map(|(id, text)| (id.to_owned(), format!("{SECTION}{text}{SECTION_END}")));
    let order: Vec<&str> = all().iter().map(|experiment| experiment.id()).collect();
    let body = drawn
        .chain(kept)
        .sorted_by_key(|(id, _)| order.iter().position(|known| known == id))
        .map(|(_, section)| section)
        .join("\n");
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Bloomline: the papers' figures</title>\n<style>{STYLE}</style></head>\n\
         <body><main><h1>The papers' figures</h1>\n{body}\n</main></body></html>\n"
    )
}

const STYLE: &str = ":root{color-scheme:light dark;--ink:#262626;--muted:#5c5c5c;--ground:#fff;--line:#e0e0e0;--link:#005a9c}\
     @media (prefers-color-scheme:dark){:root{--ink:#e8e8e8;--muted:#a8a8a8;--ground:#16191c;--line:#33383d;--link:#7db8ee}}\
     body{font:16px/1.55 system-ui,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:var(--ink);background:var(--ground)}\
     h1{font-size:2rem;letter-spacing:-.02em}h2{font-size:1.15rem;margin:0 0 .75rem}a{color:var(--link)}\
     section{margin:2.5rem 0;padding-top:1.5rem;border-top:1px solid var(--line)}img{width:100%;height:auto}\
     .run{color:var(--muted);font-size:.85rem}";

fn section(Drawn { id, chart }: &Drawn, run: &str) -> String {
    let checks = chart
        .checks
        .iter()
        .map(|check| {
            let word = if check.holds {
                "holds"
            } else {
                "does not hold"
            };
            let (claim, evidence) = (escaped(&check.claim), escaped(&check.evidence));
            format!("<li>{claim}: <b>{word}</b> ({evidence})</li>")
        })
        .join("\n");
    let title = escaped(&chart.title);
    let checks = match checks.as_str() {
        "" => String::new(),
        checks => format!("<ul>{checks}</ul>\n"),
    };
    format!(
        "{SECTION}{id}\"><h2>{title}</h2>\n<img src=\"{id}.svg\" alt=\"{title}\">\n{checks}\
         <p class=\"run\">{}; numbers: <a href=\"{id}.csv\">{id}.csv</a></p>{SECTION_END}",
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::{Axis, Role, Series};

    fn figure(id: &str, title: &str) -> Drawn {
        let points = [(1.0, 0.1), (10.0, 0.01)];
        Drawn {
            id: id.into(),
            chart: Chart {
                title: title.into(),
                setting: String::new(),
                x: Axis::linear("x"),
                y: Axis::log("y"),
                series: vec![Series::computed("theory", Role::Predicted, 0, points)],
                checks: Vec::new(),
            },
        }
    }

    #[test]
    fn a_figure_drawn_by_itself_leaves_the_others_on_the_page() {
        let folder = tempfile::tempdir().expect("a folder");
        let ids: Vec<&str> = all().iter().map(|one| one.id()).collect();
        let both = [figure(ids[1], "Second"), figure(ids[0], "First")];
        write_gallery(folder.path(), &both, "full").expect("written");
        let again = [figure(ids[1], "Second <again>")];
        let page = write_gallery(folder.path(), &again, "quick").expect("written");
        let page = std::fs::read_to_string(page).expect("the page");
        let titles: Vec<&str> = page
            .split("<h2>")
            .skip(1)
            .filter_map(|rest| rest.split("</h2>").next())
            .collect();
        assert_eq!(titles, ["First", "Second &lt;again&gt;"]);
        assert!(page.contains("full; numbers") && page.contains("quick; numbers"));
        std::fs::remove_file(folder.path().join(format!("{}.svg", ids[0]))).expect("removed");
        let page = write_gallery(folder.path(), &again, "quick").expect("written");
        let page = std::fs::read_to_string(page).expect("the page");
        assert_eq!(
            page.matches("<h2>").count(),
            1,
            "no figure without its drawing"
        );
    }
}
