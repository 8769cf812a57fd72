//! The text format of Prometheus (exposition format 0.0.4).

use super::path_and_ports::{class_of, Path, Port};
use super::readings::Readings;
use serde_json::Value;
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
            "public_secret",
            "1 while the hash has the specification's secret, which is public, as after power-up.",
            readings
                .public_secret
                .map(|public| f64::from(u8::from(public))),
        ),
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
            "max_age_seconds",
            "The same in seconds, by the clock of the specification.",
            readings.max_age_ms.map(|ms| ms / 1e3),
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
            "covered",
            "1 while every word of memory has the present epoch.",
            readings.covered.map(|covered| f64::from(u8::from(covered))),
        ),
        (
            "spare_half_empty",
            "1 while the spare half is erased, so that a recycle would not wait.",
            readings
                .spare_half_empty
                .map(|empty| f64::from(u8::from(empty))),
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
    if !stalls.is_empty() {
        page.counter(
            "stall_clocks_total",
            "Clocks in which the filter took no items, by cause, since reset.",
            &stalls,
        );
    }
    paths(&mut page, &readings.paths);
    ports(&mut page, &readings.ports);
    if let Some(host) = &readings.host {
        let label = format!(",port=\"{}\"", host.at);
        for (name, value) in &host.counters {
            let help = format!(
                "Counter {} of the host port since reset.",
                name.to_uppercase()
            );
            page.counter(
                &format!("host_{name}_total"),
                &help,
                &[(label.clone(), value)],
            );
        }
    }
    page.text
}

/// Packet paths: the lane is a label, and so is the class of frames.
fn paths(page: &mut Page, paths: &[Path]) {
    let Some(first) = paths.first() else { return };
    let of_each = |of: fn(&Path) -> f64| -> Vec<(String, f64)> {
        paths
            .iter()
            .map(|path| (lane_label(path), of(path)))
            .collect()
    };
    let learn = of_each(|path| f64::from(u8::from(path.learn)));
    page.gauge(
        "path_learn",
        "1 while keys of frames are inserted.",
        &borrowed(&learn),
    );
    let longest = of_each(|path| f64::from(path.max_frame_bytes));
    page.gauge(
        "path_max_frame_bytes",
        "Bytes of the longest frame that is not oversize.",
        &borrowed(&longest),
    );
    let mut policies = Vec::new();
    for path in paths {
        for (class, policy) in &path.policies {
            let policy = policy.as_str().unwrap_or_default();
            let labels = format!(",class=\"{class}\",policy=\"{policy}\"");
            policies.push((lane_label(path) + &labels, 1.0));
        }
    }
    page.gauge(
        "path_policy",
        "1 for the policy of each class of frames.",
        &borrowed(&policies),
    );
    let class = |name: &str| Some(format!(",class=\"{}\"", class_of(name)?));
    let frames = of_paths(paths, class);
    page.counter(
        "path_frames_total",
        "Frames of each class that reached their policy, since reset.",
        &frames,
    );
    for name in first
        .counters
        .keys()
        .filter(|name| class_of(name).is_none())
    {
        let of_lanes = of_paths(paths, |other| (other == name).then(String::new));
        let help = format!(
            "Counter {} of a packet path since reset.",
            name.to_uppercase()
        );
        page.counter(&format!("path_{name}_total"), &help, &of_lanes);
    }
}

fn lane_label(path: &Path) -> String {
    format!(",lane=\"{}\"", path.name)
}

/// The counters of every packet path that `more` has further labels for.
fn of_paths(paths: &[Path], more: impl Fn(&str) -> Option<String>) -> Vec<(String, &Value)> {
    let mut lines = Vec::new();
    for path in paths {
        for (name, value) in &path.counters {
            lines.extend(more(name).map(|more| (lane_label(path) + &more, value)));
        }
    }
    lines
}

/// Ethernet ports: the port is a label.
fn ports(page: &mut Page, ports: &[Port]) {
    let Some(first) = ports.first() else { return };
    let label = |port: &Port| format!(",port=\"{}\"", port.name);
    let up: Vec<_> = ports
        .iter()
        .map(|port| (label(port), f64::from(u8::from(port.up))))
        .collect();
    page.gauge(
        "port_link_up",
        "1 while the PHY tells of a link.",
        &borrowed(&up),
    );
    let speeds = ports.iter().filter(|port| port.up);
    let speeds: Vec<_> = speeds
        .filter_map(|port| Some((label(port), 1e6 * f64::from(port.megabits?))))
        .collect();
    page.gauge(
        "port_link_bits_per_second",
        "Speed of the link.",
        &borrowed(&speeds),
    );
    for name in first.counters.keys() {
        let of_ports: Vec<_> = ports
            .iter()
            .map(|port| (label(port), &port.counters[name]))
            .collect();
        let help = format!(
            "Counter {} of an Ethernet port since reset.",
            name.to_uppercase()
        );
        page.counter(&format!("port_{name}_total"), &help, &of_ports);
    }
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

    fn counter(&mut self, name: &str, help: &str, values: &[(String, &Value)]) {
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
