//! The report as a page.

use super::statistics::{Merged, PooledRate, Spread};
use super::{Group, Report};
use bloomline_verify::stats::Verdict;
use bloomline_verify::text::{format_value, interval_text, percent, things};
use std::fmt::Write;

const STYLE: &str = "\
:root { color-scheme: light dark; --fine: #1a6; --bad: #c33; --line: #8886; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
table { margin: .5rem 0 1rem; }
th, td { text-align: left; padding: .2rem 1.2rem .2rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n, th.n { text-align: right; }
.scroll { overflow-x: auto; }
svg { width: 100%; max-width: 44rem; height: auto; }
";

/// Text of HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The page.
pub(super) fn page(report: &Report) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{name}</title><style>{STYLE}</style></head><body><main>\n<h1>Campaign {name}</h1>\n",
        name = escaped(&report.name)
    );
    let missing = report.units - report.done;
    let _ = writeln!(
        page,
        "<p>{} of {} units have a result{}; the check failed in {}.</p>",
        report.done,
        report.units,
        match missing {
            0 => String::new(),
            1 => ": this report is incomplete, 1 is missing".into(),
            _ => format!(": this report is incomplete, {missing} are missing"),
        },
        report.check_failed
    );
    for damage in &report.damaged {
        let _ = writeln!(page, "<p>{}</p>", escaped(&damage.problem));
    }
    for group in &report.groups {
        let _ = writeln!(page, "<h2>{}</h2>", escaped(&group.group));
        section(&mut page, group);
    }
    page.push_str("</main></body></html>\n");
    page
}

fn section(page: &mut String, group: &Group) {
    let _ = writeln!(
        page,
        "<p>{} of {} units{}.</p>",
        group.done,
        group.units,
        match group.check_failed {
            0 => String::new(),
            failed => format!(", the check failed in {failed}"),
        }
    );
    match &group.merged {
        Merged::Verify {
            sums,
            rate,
            state_test,
            verdicts,
        } => {
            let _ = writeln!(
                page,
                "<p>All runs together: <strong>{}</strong>.</p>",
                escaped(&group.verdict.because(&group.reason))
            );
            if let Some(rate) = rate {
                interval(page, rate);
                let _ = writeln!(
                    page,
                    "<p>Each run is judged at {:.0} % confidence, so that a few of many differ by chance; the figures of all runs together decide.</p>",
                    100.0 * rate.confidence
                );
            }
            if let Some(test) = state_test {
                let _ = writeln!(
                    page,
                    "<p>State test: {} false positives, {} expected from the filters' fill, {:.1} standard deviations apart: <strong>{}</strong>.</p>",
                    format_value(test.observed), format_value(test.expected), test.z.abs(), escaped(&test.verdict.because(match test.verdict {
                        Verdict::Inconclusive => &test.reason,
                        _ => "",
                    }))
                );
            }
            let rows = sums
                .iter()
                .map(|(key, sum)| vec![key.replace('_', " "), format_value(*sum)]);
            table(page, &["counted", "in all"], 1, rows);
            verdict_table(page, "claim", verdicts);
        }
        Merged::Build {
            timing_met,
            spreads,
            best,
            fmax_mhz,
        } => {
            let _ = write!(
                page,
                "<p>{timing_met} of {} meet their clock.",
                fmax_mhz.len()
            );
            if let Some(best) = best {
                let seed = best
                    .seed
                    .map(|seed| format!(" of seed {seed}"))
                    .unwrap_or_default();
                let _ = write!(page, " Best: {:.1} MHz{seed}", best.fmax_mhz);
                if let Some(file) = &best.bitstream {
                    let file = escaped(&file.to_string_lossy());
                    let _ = write!(page, ", <a href=\"{file}\">{file}</a>");
                }
                page.push('.');
            }
            page.push_str("</p>\n");
            strip(page, fmax_mhz);
            spread_table(page, spreads.iter());
        }
        Merged::Prove { verdicts } => verdict_table(page, "property", verdicts),
        Merged::Other { spreads } if spreads.is_empty() => {}
        Merged::Other { spreads } => spread_table(page, spreads.iter()),
    }
}

/// A table whose last `numbers` columns are numbers.
fn table(
    page: &mut String,
    head: &[&str],
    numbers: usize,
    rows: impl Iterator<Item = Vec<String>>,
) {
    let class = |column: usize| match column + numbers >= head.len() {
        true => " class=\"n\"",
        false => "",
    };
    page.push_str("<div class=\"scroll\" tabindex=\"0\"><table><tr>");
    for (column, name) in head.iter().enumerate() {
        let _ = write!(page, "<th scope=\"col\"{}>{name}</th>", class(column));
    }
    page.push_str("</tr>\n");
    for row in rows {
        page.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(page, "<td{}>{}</td>", class(column), escaped(cell));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
}

fn spread_table<'a>(page: &mut String, spreads: impl Iterator<Item = (&'a String, &'a Spread)>) {
    let rows = spreads.map(|(key, spread)| {
        let numbers = [spread.least, spread.median, spread.mean, spread.greatest];
        let mut row = vec![key.replace('_', " ")];
        row.extend(numbers.map(format_value));
        row.push(format_value(spread.deviation));
        row
    });
    let head = [
        "",
        "least",
        "median",
        "mean",
        "greatest",
        "standard deviation",
    ];
    table(page, &head, 5, rows);
}

fn verdict_table(
    page: &mut String,
    what: &str,
    verdicts: &std::collections::BTreeMap<String, std::collections::BTreeMap<String, usize>>,
) {
    if verdicts.is_empty() {
        return;
    }
    let rows = verdicts.iter().map(|(name, counts)| {
        let counts: Vec<String> = counts
            .iter()
            .map(|(verdict, count)| format!("{count} {}", word(verdict)))
            .collect();
        vec![name.clone(), counts.join(", ")]
    });
    table(page, &[what, "verdicts"], 0, rows);
}

/// A verdict of `verify --json` as its text says it; others as they are.
fn word(verdict: &str) -> &str {
    match verdict {
        "pass" => "agree",
        "fail" => "differ",
        "inconclusive" => "have too little evidence",
        "not-applicable" => "do not apply",
        other => other,
    }
}

/// The pooled rate in words, and its interval beside the prediction.
fn interval(page: &mut String, rate: &PooledRate) {
    let _ = writeln!(
        page,
        "<p>False-positive rate, {}: {} at {:.0} % confidence, predicted {}{}: <strong>{}</strong>.</p>",
        things(rate.runs as u64, "run"),
        interval_text(rate.measured, rate.ci_low, rate.ci_high),
        100.0 * rate.confidence,
        if rate.at_most { "at most " } else { "" },
        percent(rate.predicted),
        escaped(&rate.verdict.because(&rate.reason))
    );
    let low = rate.ci_low.min(rate.predicted);
    let high = rate.ci_high.max(rate.predicted);
    let margin = (high - low).max(f64::MIN_POSITIVE) / 6.0;
    let x = |value: f64| 20.0 + 660.0 * (value - low + margin) / (high - low + 2.0 * margin);
    let _ = writeln!(
        page,
        "<svg viewBox=\"0 0 700 60\" role=\"img\" aria-label=\"interval of the rate, and the prediction\">\
         <line x1=\"20\" x2=\"680\" y1=\"30\" y2=\"30\" stroke=\"var(--line)\"/>\
         <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"30\" y2=\"30\" stroke=\"currentColor\" stroke-width=\"6\"/>\
         <circle cx=\"{:.1}\" cy=\"30\" r=\"6\" fill=\"currentColor\"/>\
         <line x1=\"{p:.1}\" x2=\"{p:.1}\" y1=\"12\" y2=\"48\" stroke=\"{}\" stroke-width=\"3\"/>\
         <text x=\"{p:.1}\" y=\"10\" font-size=\"12\" fill=\"currentColor\" text-anchor=\"middle\">predicted</text></svg>",
        x(rate.ci_low),
        x(rate.ci_high),
        x(rate.measured),
        match rate.verdict {
            Verdict::Pass => "var(--fine)",
            Verdict::Fail => "var(--bad)",
            _ => "currentColor",
        },
        p = x(rate.predicted),
    );
}

/// The clocks of the seeds as points on a line.
fn strip(page: &mut String, clocks: &[f64]) {
    let Some(spread) = Spread::of(clocks) else {
        return;
    };
    let width = (spread.greatest - spread.least).max(1.0);
    let x = |value: f64| 60.0 + 580.0 * (value - spread.least) / width;
    let mut points = String::new();
    for clock in clocks {
        let _ = write!(
            points,
            "<circle cx=\"{:.1}\" cy=\"24\" r=\"6\" fill=\"currentColor\" fill-opacity=\".45\"/>",
            x(*clock)
        );
    }
    let label = |value: f64, anchor: &str| {
        format!(
            "<text x=\"{:.1}\" y=\"52\" font-size=\"12\" fill=\"currentColor\" text-anchor=\"{anchor}\">{value:.1} MHz</text>",
            x(value)
        )
    };
    let greatest = match spread.greatest > spread.least {
        true => label(spread.greatest, "end"),
        false => String::new(),
    };
    let _ = writeln!(
        page,
        "<svg viewBox=\"0 0 700 60\" role=\"img\" aria-label=\"clock of each seed\">\
         <line x1=\"40\" x2=\"660\" y1=\"24\" y2=\"24\" stroke=\"var(--line)\"/>{points}{}{greatest}</svg>",
        label(spread.least, "start")
    );
}
