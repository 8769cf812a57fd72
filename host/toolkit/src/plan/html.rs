//! The plan of a filter as one HTML page with curves, each with the specification's point marked.
//!
//! The curves are plans too: the specification is varied and planned again, so that a curve goes through the numbers that `plan` prints.

use super::summary::value;
use super::Comparison;
use crate::forecast::whole;
use crate::sizing::window_memory_bits;
use crate::{Error, Filter};
use bloomline_spec::{CellKind, FilterSpec, Threshold, MIN_WINDOW};
use bloomline_theory::recycling::false_negative;
use bloomline_verify::report::{self, Curves, Fact, Prediction, ReportData};
use std::path::Path;

/// Points of a curve that is a closed formula.
const POINTS: u64 = 120;
/// Shares of the own threshold or load at which the specification is planned again.
const SHARES: [f64; 13] = [
    0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0, 1.15, 1.3, 1.6, 2.0, 2.5,
];

/// Points of a curve: x and y.
type Points = Vec<(f64, f64)>;

/// A variant of a specification with x, and how it differs.
type Variant<'a> = (f64, Box<dyn Fn(&mut FilterSpec) + 'a>);

impl Filter {
    /// Writes the plan as a page with curves; with a comparison, those of the other structures too.
    ///
    /// # Errors
    /// As [`Filter::plan`]; [`Error::Report`] when the page cannot be written.
    pub fn write_plan(&self, path: &Path, comparison: Option<&Comparison>) -> Result<(), Error> {
        let summary = self.planned().summary()?;
        let spec = FilterSpec::from_toml(self.text(), self.file())?;
        let facts = summary.lines();
        let mut charts = self.charts(&spec);
        charts.extend(comparison.into_iter().flat_map(Comparison::charts));
        let data = ReportData {
            kind: "Filter plan".to_owned(),
            title: self.design().name().to_owned(),
            summary: format!(
                "A {} filter as theory predicts it, before anything is built.",
                spec.filter.kind.word()
            ),
            notes: facts.map(|(name, text)| Fact::new(name, text)).to_vec(),
            charts,
            predictions: self
                .lines()
                .iter()
                .map(Prediction::from)
                .chain(comparison.into_iter().flat_map(Comparison::predictions))
                .collect(),
            specification: self.text().to_owned(),
            provenance: vec![Fact::new("bloomline", env!("CARGO_PKG_VERSION"))],
            ..ReportData::default()
        };
        Ok(report::write(&data, path)?)
    }

    fn charts(&self, spec: &FilterSpec) -> Vec<Curves> {
        if let Some(cells) = self.design().cells() {
            let (key, name) = match cells.cell_kind() {
                CellKind::Static => ("fpr", "false-positive rate"),
                CellKind::Counting => ("false_report_absent", "rate of false reports"),
                CellKind::CountMin => ("error_1pct", "error of all but 1 % of the keys"),
            };
            return self.cell_charts(spec, key, name);
        }
        let mut charts = self.recycling_charts(spec);
        charts.extend(self.sliding_charts(spec));
        charts
    }

    /// A predicted number of this filter.
    fn number(&self, key: &str) -> f64 {
        value(self.lines(), key).unwrap_or(f64::NAN)
    }

    fn recycling_charts(&self, spec: &FilterSpec) -> Vec<Curves> {
        let Some(geometry) = self.design().recycling() else {
            return Vec::new();
        };
        let (own, other) = (geometry.phases(), 3 - geometry.phases());
        let (least, most) = geometry.thresholds();
        let thresholds = SHARES.map(|share| {
            let threshold = (share * geometry.threshold() as f64) as u64;
            threshold.clamp(least, most * 9 / 10)
        });
        let rates = |phases: u32| {
            let variants = thresholds.iter().map(|&threshold| -> Variant<'_> {
                let change = move |spec: &mut FilterSpec| {
                    if let Some(recycle) = &mut spec.filter.recycle {
                        // one half of the whole memory has twice the bits
                        let scale = u64::from(own) * threshold / u64::from(phases);
                        recycle.threshold = Threshold::Fixed(scale.max(1));
                        recycle.phases = phases.into();
                    }
                };
                (f64::NAN, Box::new(change))
            });
            let planned = planned(spec, variants);
            pairs(&planned, "messages_per_cycle", "fpr_average")
        };
        let cycle = self.number("messages_per_cycle");
        let rate = self.number("fpr_average");
        let mut charts = vec![Curves {
            heading: "Rate against the length of a cycle, one phase beside two".into(),
            x: "new keys a cycle".into(),
            y: "average false-positive rate".into(),
            logarithmic: true,
            measured_name: format!("{}, this memory", phases_in_words(own)),
            measured: rates(own),
            predicted_name: format!("{}, this memory", phases_in_words(other)),
            predicted: rates(other),
            marks: vec![(cycle, rate)],
        }];
        let sizes = (0..7).map(|power| -> Variant<'_> {
            let bits = move |bits: u64| (bits << power) >> 3;
            let change = move |spec: &mut FilterSpec| {
                spec.filter.memory_bits = bits(spec.filter.memory_bits);
                if let Some(recycle) = &mut spec.filter.recycle {
                    recycle.threshold = Threshold::Auto;
                    recycle.target_fpr = Some(rate);
                }
            };
            (bits(spec.filter.memory_bits) as f64, Box::new(change))
        });
        let sizes = planned(spec, sizes);
        charts.push(Curves {
            heading: "Length of a cycle against memory, at the same rate".into(),
            x: "memory in bits".into(),
            y: "new keys a cycle".into(),
            logarithmic: true,
            measured_name: format!("k = {}", geometry.hashes()),
            measured: along(&sizes, "messages_per_cycle"),
            marks: vec![(geometry.memory_bits() as f64, cycle)],
            ..Curves::default()
        });
        let hashes = (0..5).map(|power| -> Variant<'_> {
            let change = move |spec: &mut FilterSpec| {
                spec.filter.hashes = 1 << power;
                if let Some(recycle) = &mut spec.filter.recycle {
                    recycle.threshold = Threshold::Auto;
                    recycle.target_fpr = Some(rate);
                }
            };
            (f64::from(1 << power), Box::new(change))
        });
        charts.push(Curves {
            heading: "Length of a cycle against the number of hashes, at the same rate".into(),
            x: "hashes, k".into(),
            y: "new keys a cycle".into(),
            measured_name: "those that can be built in this memory".into(),
            measured: along(&planned(spec, hashes), "messages_per_cycle"),
            marks: vec![(geometry.hashes().into(), cycle)],
            ..Curves::default()
        });
        let at_the_rate = move |spec: &mut FilterSpec| {
            if let Some(recycle) = &mut spec.filter.recycle {
                recycle.phases = other.into();
                recycle.threshold = Threshold::Auto;
                recycle.target_fpr = Some(rate);
            }
        };
        let beside: Variant<'_> = (f64::NAN, Box::new(at_the_rate));
        let beside = planned(spec, std::iter::once(beside));
        let other_cycle = beside
            .first()
            .map(|(_, filter)| filter.number("messages_per_cycle"));
        charts.extend([
            fill_over_cycles(
                cycle,
                geometry.range() as f64,
                geometry.layout().word(),
                geometry.hashes(),
            ),
            forgetting((own, cycle), other_cycle, geometry.retain()),
        ]);
        charts
    }

    fn cell_charts(&self, spec: &FilterSpec, key: &str, y: &str) -> Vec<Curves> {
        let Some(geometry) = self.design().cells() else {
            return Vec::new();
        };
        let items = geometry.window().unwrap_or(geometry.items());
        let own = self.number(key);
        let loads = SHARES.iter().map(|share| -> Variant<'_> {
            let least = geometry.window().map_or(1, |_| MIN_WINDOW);
            let load = ((share * items as f64) as u64).max(least);
            let change = move |spec: &mut FilterSpec| match &mut spec.filter.counting {
                Some(counting) if counting.window.is_some() => counting.window = Some(load),
                _ => spec.filter.items = Some(load),
            };
            (load as f64, Box::new(change))
        });
        let sizes = (0..6).map(|power| -> Variant<'_> {
            let bits = move |bits: u64| (bits << power) >> 2;
            let change = move |spec: &mut FilterSpec| {
                spec.filter.memory_bits = bits(spec.filter.memory_bits);
                spec.filter.range = None;
            };
            (bits(spec.filter.memory_bits) as f64, Box::new(change))
        });
        let hashes = (0..5).map(|power| -> Variant<'_> {
            let change = move |spec: &mut FilterSpec| {
                spec.filter.hashes = 1 << power;
                spec.filter.range = None;
            };
            (f64::from(1 << power), Box::new(change))
        });
        let mut name = y.to_owned();
        name[..1].make_ascii_uppercase();
        let load = match geometry.cell_kind() {
            CellKind::CountMin => "sum of the amounts",
            _ if geometry.window().is_some() => "insertions of a window",
            _ => "insertions",
        };
        let chart = |against: &str, x: &str, points: Points, mark: f64| Curves {
            heading: format!("{name} against {against}"),
            x: x.into(),
            y: y.into(),
            logarithmic: true,
            measured_name: "this filter, varied".to_owned(),
            measured: points,
            marks: vec![(mark, own)],
            ..Curves::default()
        };
        vec![
            chart(
                "load",
                load,
                along(&planned(spec, loads), key),
                items as f64,
            ),
            chart(
                "memory",
                "memory in bits",
                along(&planned(spec, sizes), key),
                geometry.memory_bits() as f64,
            ),
            chart(
                "the number of hashes, those that can be built in this memory",
                "hashes, k",
                along(&planned(spec, hashes), key),
                geometry.hashes().into(),
            ),
        ]
    }

    fn sliding_charts(&self, spec: &FilterSpec) -> Vec<Curves> {
        let Some((section, target)) = spec.filter.sliding.as_ref().zip(self.design().target_fpr())
        else {
            return Vec::new();
        };
        let rates = (0..9).map(|power| -> Variant<'_> {
            let rate = target * f64::from(1 << power) / 16.0;
            let change = move |spec: &mut FilterSpec| {
                if let Some(sliding) = &mut spec.filter.sliding {
                    sliding.target_fpr = rate;
                    sliding.fingerprint_bits = None;
                    sliding.generation_bits = None;
                }
                if let Ok(bits) = window_memory_bits(spec) {
                    spec.filter.memory_bits = bits;
                }
            };
            (rate, Box::new(change))
        });
        let memory: Points = planned(spec, rates)
            .iter()
            .map(|(rate, filter)| (*rate, filter.design().memory_bits() as f64))
            .collect();
        vec![Curves {
            heading: "Memory against the greatest false-positive rate".into(),
            x: "target_fpr".into(),
            y: "memory in bits".into(),
            logarithmic: true,
            measured_name: format!("window of {}", whole(section.window as f64)),
            measured: memory,
            marks: vec![(target, self.design().memory_bits() as f64)],
            ..Curves::default()
        }]
    }
}

/// The variants of a specification that can be built, each with its x.
fn planned<'a>(
    spec: &FilterSpec,
    variants: impl Iterator<Item = Variant<'a>>,
) -> Vec<(f64, Filter)> {
    let plan = |(x, change): Variant<'a>| {
        let mut varied = spec.clone();
        change(&mut varied);
        let filter = Filter::from_text(&spec.file, varied.to_toml()).ok()?;
        Some((x, filter))
    };
    variants.filter_map(plan).collect()
}

/// A predicted number against x.
fn along(filters: &[(f64, Filter)], key: &str) -> Points {
    filters
        .iter()
        .map(|(x, filter)| (*x, filter.number(key)))
        .collect()
}

/// A number of phases as words.
fn phases_in_words(phases: u32) -> &'static str {
    match phases {
        1 => "1 phase",
        _ => "2 phases",
    }
}

/// A predicted number against another, by the first.
fn pairs(filters: &[(f64, Filter)], x: &str, y: &str) -> Points {
    let mut points: Points = filters
        .iter()
        .map(|(_, filter)| (filter.number(x), filter.number(y)))
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

/// Mean fill of the active half over two cycles: `1 - (1 - 1/range)^n` of each position after n new keys.
fn fill_over_cycles(cycle: f64, range: f64, layout: &str, hashes: u32) -> Curves {
    let probes = if layout == "shared" {
        f64::from(hashes)
    } else {
        1.0
    };
    let fill = |n: f64| 1.0 - (probes * n * (-1.0 / range).ln_1p()).exp();
    let steps = (0..=2 * POINTS).map(|step| {
        let n = cycle * step as f64 / POINTS as f64;
        (n, fill(n % cycle))
    });
    Curves {
        heading: "Fill of the active half over two cycles".into(),
        x: "new keys".into(),
        y: "share of bits set".into(),
        measured_name: "mean fill, emptied at each recycle".into(),
        measured: steps.collect(),
        marks: vec![(cycle, fill(cycle))],
        ..Curves::default()
    }
}

/// The share of keys that are forgotten when they return, by how many new keys came in between: with the own number of phases, and with
/// the other in the same memory at the same rate.
fn forgetting((phases, cycle): (u32, f64), other_cycle: Option<f64>, retain: bool) -> Curves {
    let most = 3.0 * cycle.max(other_cycle.unwrap_or(0.0) / 2.0);
    let curve = |phases: u32, cycle: f64| -> Points {
        let points = (0..=POINTS).filter_map(|step| {
            let distance = 1 + (most * step as f64 / POINTS as f64) as u64;
            let share = false_negative(distance, cycle, phases, retain).ok()?;
            Some((distance as f64, share))
        });
        points.collect()
    };
    let at_own = false_negative(cycle as u64, cycle, phases, retain);
    Curves {
        heading: "Forgetting against the distance between two occurrences".into(),
        x: "new keys between two occurrences of a key".into(),
        y: "share that is forgotten".into(),
        measured_name: format!("{}, this filter", phases_in_words(phases)),
        measured: curve(phases, cycle),
        predicted_name: format!("{}, same memory and rate", phases_in_words(3 - phases)),
        predicted: other_cycle.map_or_else(Vec::new, |cycle| curve(3 - phases, cycle)),
        marks: vec![(cycle, at_own.unwrap_or(0.0))],
        ..Curves::default()
    }
}
