//! The six lines that a plan begins with, and the papers behind its acronyms.

use crate::forecast::{things, whole, Line};
use bloomline_spec::{Common, Design};
use bloomline_theory::AccuracyKind;
use bloomline_verify::text::{per_second, percent};
use serde::Serialize;

/// A filter in six lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// What it remembers, and how it forgets.
    pub remembers: String,
    /// How often it errs.
    pub errs: String,
    /// Memory, and how it is divided.
    pub memory: String,
    /// Items a second.
    pub throughput: String,
    /// Time from an item to its verdict.
    pub latency: String,
    /// What to watch when it runs.
    pub watch: String,
}

impl Summary {
    /// The lines, each under its name.
    pub fn lines(&self) -> [(&'static str, &str); 6] {
        [
            ("Remembers", &self.remembers),
            ("Errs", &self.errs),
            ("Memory", &self.memory),
            ("Throughput", &self.throughput),
            ("Latency", &self.latency),
            ("Watch", &self.watch),
        ]
    }

    /// With a throughput that is not reached by every stream of items.
    pub(super) fn at_most(self) -> Summary {
        Summary {
            throughput: format!("up to {}", self.throughput),
            ..self
        }
    }

    /// The lines that are the same for every kind; `errs` and the rest come from the kind.
    pub(super) fn new(
        common: &Common,
        design: &Design,
        lines: &[Line],
        banks: String,
        [remembers, errs, watch]: [String; 3],
    ) -> Summary {
        let clock_hz = common.clock_hz() as f64;
        let megahertz = clock_hz / 1e6;
        let items = value(lines, "items_per_second").unwrap_or(clock_hz);
        let each = match clock_hz / items {
            clocks if clocks < 1.001 => "one item a clock cycle".to_owned(),
            clocks if (clocks - clocks.round()).abs() < 1e-9 => {
                format!("one item in {clocks:.0} clock cycles")
            }
            clocks => format!("{:.3} items a clock cycle", 1.0 / clocks),
        };
        let latency = f64::from(design.timing().latency_clocks());
        Summary {
            remembers,
            errs,
            memory: format!("{}: {banks}", bits(design.memory_bits())),
            throughput: format!(
                "{} items a second at {megahertz} MHz: {each}",
                per_second(items)
            ),
            latency: format!(
                "{latency} clock cycles from an item to its verdict: {:.0} ns at {megahertz} MHz",
                1e9 * latency / clock_hz
            ),
            watch,
        }
    }
}

/// A predicted number by its key.
pub(super) fn value(lines: &[Line], key: &str) -> Option<f64> {
    lines
        .iter()
        .find(|line| line.key == key)
        .map(|line| line.value)
}

/// A predicted rate by its key, as people read it.
pub(super) fn rate(lines: &[Line], key: &str) -> String {
    let Some(line) = lines.iter().find(|line| line.key == key) else {
        return "an unknown share".to_owned();
    };
    let rate = match line.ln {
        Some(_) => crate::forecast::format_number(line.value, line.ln),
        None => percent(line.value),
    };
    match line.accuracy.kind {
        AccuracyKind::LowerBound => format!("at least {rate}"),
        _ => rate,
    }
}

/// A whole number of things by its key.
pub(super) fn count(lines: &[Line], key: &str) -> String {
    value(lines, key).map_or_else(|| "?".to_owned(), whole)
}

fn bits(bits: u64) -> String {
    let bytes = bits as f64 / 8.0;
    let large = match bytes {
        n if n >= 1048576.0 => format!("{:.1} MiB", n / 1048576.0),
        n if n >= 1024.0 => format!("{:.1} KiB", n / 1024.0),
        _ => return things(bits, "bit"),
    };
    format!(
        "{} bits ({})",
        whole(bits as f64),
        large.replace(".0 ", " ")
    )
}

/// The papers behind the acronyms of a text.
pub fn references(text: &str) -> String {
    const PAPERS: [(&str, &str); 5] = [
        ("RBF", "K. Dozier, L. Salamatian, D. Rubenstein, \"Technical Report: Modeling Average False Positive Rates of Recycling Bloom Filters\" (recycling Bloom filters)"),
        ("KM", "A. Kirsch, M. Mitzenmacher, \"Less Hashing, Same Performance: Building a Better Bloom Filter\" (two hash functions, Count-Min)"),
        ("OCC", "J. Burns, \"On Occupancy Moments and Bloom Filter Efficiency\" (exact rates of static filters)"),
        ("SBF", "M. Naor, E. Yogev, \"Tight Bounds for Sliding Bloom Filters\" (sliding-window filters)"),
        ("CBF", "K. Kim, Y. Jeong, Y. Lee, S. Lee, \"Analysis of Counting Bloom Filters Used for Count Thresholding\" (counting filters)"),
    ];
    let named = |acronym: &str| {
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| word == acronym)
    };
    let papers = PAPERS.iter().filter(|(acronym, _)| named(acronym));
    papers
        .map(|(acronym, paper)| format!("{acronym}: {paper}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_acronym_has_its_paper_and_only_those_that_stand_there() {
        let text = references("shortest mean cycle, RBF (26), by KM 9.1");
        assert!(text.starts_with("RBF: K. Dozier") && text.contains("KM: A. Kirsch"));
        assert_eq!(text.lines().count(), 2);
        assert_eq!(references("KMS and RBFs"), "");
    }

    #[test]
    fn memory_is_in_bits_and_bytes() {
        assert_eq!(bits(131_072), "131,072 bits (16 KiB)");
        assert_eq!(bits(256), "256 bits");
        assert_eq!(bits(16_777_216), "16,777,216 bits (2 MiB)");
    }
}
