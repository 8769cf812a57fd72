//! The page.

use super::theme::grouped;
use super::{bits_chart, curves_chart, latency_chart, rate_chart};
use super::{
    BitsSetSeries, Claim, Curves, Fact, LatencyHistogram, Prediction, RateSeries, ReportData,
    ReportError,
};
use crate::stats::Verdict;
use crate::text::percent;
use itertools::Itertools;

/// What the state test is, for readers who meet it first here.
const STATE_TEST: &str = "<p class=\"note\">The state test adds up, for every key that comes for the first time, the probability that the bits then set \
    give it, and compares the sum with the false positives that came: it tests hash functions and memories without any formula for \
    how full the filter is.</p>";
const STYLE: &str = include_str!("style.css");

pub(super) fn page(data: &ReportData) -> Result<String, ReportError> {
    let sections = [
        highlights(&data.highlights),
        notes(&data.notes),
        results(&data.results),
        data.rate
            .as_ref()
            .filter(|rate| !rate.points.is_empty())
            .map(rate)
            .transpose()?,
        data.bits_set
            .as_ref()
            .filter(|bits| !bits.points.is_empty())
            .map(bits)
            .transpose()?,
        data.curves
            .as_ref()
            .filter(|curves| !curves.measured.is_empty())
            .map(curves)
            .transpose()?,
        match data
            .charts
            .iter()
            .map(curves)
            .collect::<Result<Vec<_>, _>>()?
        {
            charts if charts.is_empty() => None,
            charts => Some(charts.join("\n")),
        },
        data.latency
            .as_ref()
            .filter(|latency| latency.items_by_clocks.len() > 1)
            .map(latency)
            .transpose()?,
        predictions(&data.predictions),
        specification(&data.specification),
        provenance(&data.provenance),
    ];
    let title = escape(&data.title);
    let kind = match data.kind.as_str() {
        "" => "Filter verification".to_owned(),
        kind => escape(kind),
    };
    let badge = data.verdict.map(badge).unwrap_or_default();
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · {kind}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <header>\n<p class=\"kind\">{kind}</p>\n<h1>{title}{badge}</h1>\n<p>{}</p>\n</header>\n{}\n</main>\n</body>\n</html>\n",
        escape(&data.summary),
        sections.into_iter().flatten().join("\n"),
    ))
}

/// Text as HTML.
fn escape(text: &str) -> String {
    text.chars()
        .fold(String::with_capacity(text.len()), |mut out, c| {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                c => out.push(c),
            }
            out
        })
}

fn badge(verdict: Verdict) -> String {
    format!("<span class=\"badge {}\">{verdict}</span>", verdict.word())
}

/// A section with a heading; `None` for an empty body.
fn section(heading: &str, body: &str) -> Option<String> {
    (!body.is_empty()).then(|| format!("<section>\n<h2>{heading}</h2>\n{body}\n</section>"))
}

fn highlights(facts: &[Fact]) -> Option<String> {
    let cell = |fact: &Fact| {
        format!(
            "<div><dt>{}</dt><dd>{}</dd></div>",
            escape(&fact.name),
            escape(&fact.value)
        )
    };
    (!facts.is_empty()).then(|| {
        format!(
            "<section class=\"facts\">\n<dl>\n{}\n</dl>\n</section>",
            facts.iter().map(cell).join("\n")
        )
    })
}

/// Sentences, each under its name.
fn notes(facts: &[Fact]) -> Option<String> {
    let row = |fact: &Fact| {
        let (name, text) = (escape(&fact.name), escape(&fact.value));
        format!("<tr><th scope=\"row\">{name}</th><td>{text}</td></tr>")
    };
    let rows = facts.iter().map(row).join("\n");
    (!facts.is_empty()).then(|| {
        format!("<section>\n<table class=\"notes\"><tbody>\n{rows}\n</tbody></table>\n</section>")
    })
}

fn results(rows: &[Claim]) -> Option<String> {
    let row = |row: &Claim| {
        format!(
            "<tr><td>{}</td><td class=\"value\">{}</td><td>{}</td><td>{}</td></tr>",
            escape(&row.name),
            escape(&row.measured),
            escape(&row.expected),
            row.verdict.map_or_else(String::new, |verdict| {
                let why = match row.reason.as_str() {
                    "" => String::new(),
                    reason => format!("<span class=\"why\">{}</span>", escape(reason)),
                };
                format!("{}{why}", badge(verdict))
            })
        )
    };
    section(
        "Results",
        &match rows.is_empty() {
            true => String::new(),
            false => {
                table(
                    &["claim", "measured", "expected", "verdict"],
                    rows.iter().map(row),
                ) + STATE_TEST
            }
        },
    )
}

fn predictions(rows: &[Prediction]) -> Option<String> {
    let row = |row: &Prediction| {
        format!(
            "<tr><td>{}</td><td class=\"value\">{}</td><td class=\"formula\">{}</td><td class=\"source\">{}</td></tr>",
            escape(&row.name),
            escape(&row.value),
            escape(&row.formula),
            escape(&row.source)
        )
    };
    section(
        "Predictions",
        &table(
            &["quantity", "value", "formula", "source"],
            rows.iter().map(row),
        ),
    )
}

/// A table; empty without rows.
fn table(heads: &[&str], rows: impl Iterator<Item = String>) -> String {
    let rows = rows.collect_vec();
    if rows.is_empty() {
        return String::new();
    }
    let heads = heads.iter().map(|head| format!("<th>{head}</th>")).join("");
    format!("<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{}\n</tbody></table></div>", rows.join("\n"))
}

fn figure(heading: &str, chart: &str, legend: &[(&str, String)], caption: &str) -> String {
    let item = |(class, text): &(&str, String)| {
        format!("<span class=\"item\"><span class=\"key {class}\"></span>{text}</span>")
    };
    let legend = if legend.is_empty() {
        String::new()
    } else {
        format!(
            "<span class=\"legend\">{}</span>",
            legend.iter().map(item).join("")
        )
    };
    let lines = [legend.as_str(), caption]
        .into_iter()
        .filter(|line| !line.is_empty())
        .join("<br>");
    format!("<section>\n<h2>{heading}</h2>\n<figure tabindex=\"0\">\n{chart}\n<figcaption>{lines}</figcaption>\n</figure>\n</section>")
}

fn rate(series: &RateSeries) -> Result<String, ReportError> {
    let legend = [
        ("measured", "measured so far".to_string()),
        (
            "band",
            format!("{} % confidence interval", plain(series.confidence * 100.0)),
        ),
        (
            "predicted",
            match series.bound {
                true => format!("at most {} by theory", percent(series.predicted)),
                false => format!("predicted {}", percent(series.predicted)),
            },
        ),
    ];
    Ok(figure(
        "False-positive rate",
        &rate_chart::draw(series)?,
        &legend,
        "",
    ))
}

fn bits(series: &BitsSetSeries) -> Result<String, ReportError> {
    let (chart, cut) = bits_chart::draw(series)?;
    let mut legend = vec![
        ("measured", "bits set in the active half".to_string()),
        ("mark", "recycle".to_string()),
    ];
    if let Some(threshold) = series.threshold {
        legend.push(("predicted", format!("threshold {}", grouped(threshold))));
    }
    let caption = if cut {
        format!(
            "The first {} of {} recycles.",
            BitsSetSeries::SHOWN_CYCLES,
            grouped(series.recycles.len() as u64)
        )
    } else {
        String::new()
    };
    Ok(figure("Fill", &chart, &legend, &caption))
}

fn curves(curves: &Curves) -> Result<String, ReportError> {
    let legend = [
        ("measured", &curves.measured, &curves.measured_name),
        ("predicted", &curves.predicted, &curves.predicted_name),
    ];
    let shown = legend.iter().filter(|(_, points, _)| !points.is_empty());
    let mut legend: Vec<_> = shown
        .map(|(class, _, name)| (*class, escape(name)))
        .collect();
    if !curves.marks.is_empty() {
        legend.push(("dot", "the specification".to_owned()));
    }
    Ok(figure(
        &escape(&curves.heading),
        &curves_chart::draw(curves)?,
        &legend,
        "",
    ))
}

fn latency(histogram: &LatencyHistogram) -> Result<String, ReportError> {
    let items: u64 = histogram.items_by_clocks.values().sum();
    let weighted: f64 = histogram
        .items_by_clocks
        .iter()
        .map(|(&clocks, &items)| clocks as f64 * items as f64)
        .sum();
    let worst = histogram
        .items_by_clocks
        .keys()
        .last()
        .copied()
        .unwrap_or_default();
    let mean = plain(weighted / (items.max(1) as f64));
    let caption = format!(
        "{} items, mean {mean} clocks, longest {worst}.",
        grouped(items)
    );
    Ok(figure(
        "Latency",
        &latency_chart::draw(histogram)?,
        &[],
        &caption,
    ))
}

/// A number with four significant digits at most, without an exponent where that reads well.
fn plain(number: f64) -> String {
    if number != 0.0 && (number.abs() < 1e-4 || number.abs() >= 1e7) {
        return format!("{number:.3e}");
    }
    let before = if number == 0.0 {
        0
    } else {
        number.abs().log10().floor() as i32
    };
    let decimals = (3 - before).max(0) as usize;
    let text = format!("{number:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

fn specification(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    section(
        "Specification",
        &format!("<pre tabindex=\"0\">{}</pre>", escape(text)),
    )
}

fn provenance(facts: &[Fact]) -> Option<String> {
    let row = |fact: &Fact| {
        format!(
            "<tr><td>{}</td><td>{}</td></tr>",
            escape(&fact.name),
            escape(&fact.value)
        )
    };
    if facts.is_empty() {
        return None;
    }
    let rows = facts.iter().map(row).join("\n");
    section("How this was made", &format!("<div class=\"scroll\" tabindex=\"0\"><table class=\"provenance\"><tbody>\n{rows}\n</tbody></table></div>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits_at_most() {
        assert_eq!(plain(99.0), "99");
        assert_eq!(plain(99.9375), "99.94");
        assert_eq!(plain(0.0156588), "0.01566");
        assert_eq!(plain(100.0), "100");
        assert_eq!(plain(12345.6), "12346");
        assert_eq!(plain(0.0), "0");
        assert_eq!(plain(1.3e-6), "1.300e-6");
    }

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
    }
}
