//! Common part of the plans of sliding-window filters, however the window is stored.

use super::summary::rate;
use super::values::Values;
use super::{card, features, Page, Plan, Summary, Table};
use crate::forecast::{format_value, stated, whole, SlidingForecast};
use bloomline_spec::Design;
use serde_json::{json, Map, Value};

/// A sliding-window filter as its plan shows it.
pub struct Window<'a> {
    pub design: Design,
    pub forecast: &'a SlidingForecast,
    /// n, in elements.
    pub window: u64,
    /// m, in elements.
    pub slack: u64,
    /// Whole numbers and words as such, in the place of the predicted ones of the same keys.
    pub stated: Value,
    /// Name and sizes, at the head of the page.
    pub heading: String,
    /// How memory is divided.
    pub banks: String,
    /// Data bits with the bits that protect them.
    pub stored_bits: u64,
    /// What is stored beside the data, in sentences.
    pub protection: Vec<String>,
    /// Title of the table of other numbers of generations.
    pub others: &'static str,
    /// What to watch where there is no warning.
    pub watch: &'static str,
}

impl Window<'_> {
    pub fn plan(&self) -> Plan {
        Plan::new(self.as_json(), self.summary(), self.page())
    }

    fn as_json(&self) -> Map<String, Value> {
        let forecast = self.forecast;
        Values {
            design: self.design.clone(),
            stated: self.stated.clone(),
            stored_bits: self.stored_bits,
            lines: forecast.lines(),
            reasons: forecast.reasons().to_vec(),
            alternatives: json!({ "by_generations": forecast.alternatives() }),
            warnings: forecast.warnings(),
        }
        .into_json()
    }

    /// The six lines that the plan begins with.
    pub fn summary(&self) -> Summary {
        let lines = self.forecast.lines();
        let remembers = format!(
            "always the last {} elements, perhaps some of the {} before them; older ones expire",
            whole(self.window as f64),
            whole(self.slack as f64)
        );
        let errs = format!(
            "any other element is taken for one of them in {} of cases on average, {} while the most elements are live",
            rate(lines, "fpr"),
            rate(lines, "fpr_peak")
        );
        let warning = self.forecast.warnings().first().cloned();
        let watch = warning.unwrap_or_else(|| self.watch.to_owned());
        Summary::new(
            &self.design,
            &self.design,
            lines,
            self.banks.clone(),
            [remembers, errs, watch],
        )
    }

    fn page(&self) -> Page {
        let forecast = self.forecast;
        let mut numbers = Table::new(["quantity", "value", "unit", "accuracy"]);
        for line in forecast.lines() {
            numbers.add_row([
                line.key,
                &format_value(line.value),
                line.unit,
                &stated(line.accuracy),
            ]);
        }
        let mut page = Page::default();
        page.text(self.heading.clone());
        page.table(numbers);
        page.text("\n");
        for protection in &self.protection {
            page.briefly(protection.clone());
        }
        features::describe(&mut page, &self.design);
        if let Some(card) = card::text(&self.design, forecast.lines()) {
            page.briefly(format!("\n{card}\n"));
        }
        for (key, reason) in forecast.reasons() {
            page.briefly(format!("\nWhy these {key}: {reason}\n"));
        }
        page.text(format!("\n{}\n\n", self.others));
        page.table(self.alternatives());
        page.text("\n\n> the specification\n\nFormulas\n\n");
        for line in forecast.lines() {
            page.text(format!("{}: {}\n", line.key, line.formula));
        }
        page
    }

    fn alternatives(&self) -> Table {
        let mut table = Table::of_numbers([
            "",
            "c",
            "elements each",
            "live",
            "slack used",
            "bits an element",
        ]);
        for alternative in self.forecast.alternatives() {
            table.add_row([
                if alternative.own { ">" } else { "" }.to_owned(),
                alternative.generations.to_string(),
                whole(alternative.generation_items as f64),
                whole(alternative.live_items as f64),
                whole(alternative.slack_used as f64),
                format!("{:.2}", alternative.bits_per_element),
            ]);
        }
        table
    }
}
