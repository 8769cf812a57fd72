//! The text format of Prometheus (exposition format 0.0.4).

use super::readings::Readings;
use std::fmt::Write;

/// What the exporter says of its contents.
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";
const STALL: &str = "stall_";

/// Every number of a device, with names, types and a line of help each.
pub fn as_text(readings: &Readings) -> String {
    let mut page = Page {
        labels: format!(
            "filter=\"{}\",kind=\"{}\",geometry=\"{}\"",
            readings.filter, readings.kind, readings.geometry_hash
        ),
        text: String::new(),
    };
    let running = f64::from(u8::from(readings.running));
    page.gauge(
        "running",
        "1 while the filter takes items.",
        &[("", running)],
    );
    let gauges = [
        (
            "threshold",
            "Threshold in force, in the unit of the specification.",
            readings.threshold.map(|value| value as f64),
        ),
        (
            "max_age_ticks",
            "Longest time a half stays active, in ticks of 1024 clocks; 0: no limit.",
            readings.max_age_ticks.map(f64::from),
        ),
        (
            "messages",
            "Bit-setting messages of this cycle.",
            readings.messages.map(|value| value as f64),
        ),
        (
            "spare_epochs",
            "Epoch values free to be issued.",
            readings.spare_epochs.map(f64::from),
        ),
        (
            "fpr_from_fill_ratio",
            "Rate at which fresh keys are seen, predicted from the fill.",
            readings.fpr_from_fill,
        ),
        (
            "target_fpr_ratio",
            "Rate that the specification aims at.",
            readings.target_fpr,
        ),
    ];
    for (name, help, value) in gauges {
        if let Some(value) = value {
            page.gauge(name, help, &[("", value)]);
        }
    }
    let of_halves = |number: fn(&super::readings::Half) -> f64| -> Vec<(String, f64)> {
        let of_half = |half| (half_label(half), number(half));
        readings.halves.iter().map(of_half).collect()
    };
    let bits = of_halves(|half| half.bits_set as f64);
    let fill = of_halves(|half| half.fill);
    if !readings.halves.is_empty() {
        page.gauge("bits_set", "Bits set in a half.", &borrowed(&bits));
        page.gauge(
            "fill_ratio",
            "Share of a half's bits that are set.",
            &borrowed(&fill),
        );
    }
    let (stalls, events): (Vec<_>, Vec<_>) = readings
        .counters
        .iter()
        .partition(|(name, _)| name.starts_with(STALL));
    for (name, value) in events {
        let help = format!("Counter {} since reset.", name.to_uppercase());
        page.counter(&format!("{name}_total"), &help, &[(String::new(), value)]);
    }
    let stalls: Vec<_> = stalls
        .into_iter()
        .map(|(name, value)| (format!(",cause=\"{}\"", &name[STALL.len()..]), value))
        .collect();
    page.counter(
        "stall_clocks_total",
        "Clocks in which the filter took no items, by cause, since reset.",
        &stalls,
    );
    page.text
}

fn half_label(half: &super::readings::Half) -> String {
    format!(",half=\"{}\"", half.name)
}

fn borrowed(values: &[(String, f64)]) -> Vec<(&str, f64)> {
    values
        .iter()
        .map(|(label, value)| (label.as_str(), *value))
        .collect()
}

struct Page {
    labels: String,
    text: String,
}

impl Page {
    fn gauge(&mut self, name: &str, help: &str, values: &[(&str, f64)]) {
        self.head(name, help, "gauge");
        for (label, value) in values {
            self.line(name, label, value);
        }
    }

    fn counter(&mut self, name: &str, help: &str, values: &[(String, &serde_json::Value)]) {
        self.head(name, help, "counter");
        for (label, value) in values {
            self.line(name, label, value);
        }
    }

    fn head(&mut self, name: &str, help: &str, kind: &str) {
        self.put(format_args!(
            "# HELP bloomline_{name} {help}\n# TYPE bloomline_{name} {kind}\n"
        ));
    }

    fn line(&mut self, name: &str, label: &str, value: impl std::fmt::Display) {
        let labels = self.labels.clone();
        self.put(format_args!(
            "bloomline_{name}{{{labels}{label}}} {value}\n"
        ));
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        self.text
            .write_fmt(text)
            .expect("a string takes what is written");
    }
}
