use super::link::identified;
use super::path_and_ports::{host_as_text, paths_as_text, ports_as_text};
use super::prometheus;
use super::readings::Readings;
use crate::output::Output;
use bloomline_toolkit::forecast::format_value;
use comfy_table::{presets, Table};
use std::path::PathBuf;

/// Arguments of `stats`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
    /// How to print; --json asks for the same in JSON
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// How the numbers are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A table
    Text,
    /// The text format of Prometheus, as `export` serves it
    Prometheus,
}

impl Cmd {
    /// Reads and prints.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let device = identified(url, &self.spec)?;
        let readings = Readings::of(device.design(), &device.sample()?);
        output.result(&readings, || match self.format {
            Format::Text => as_text(&readings),
            Format::Prometheus => prometheus::as_text(&readings),
        })
    }
}

fn as_text(readings: &Readings) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    let mut row = |name: &str, value: String| {
        table.add_row([name, &value]);
    };
    row("state", readings.state());
    if let Some(public) = readings.public_secret {
        let secret = match public {
            true => "the specification's, which is public; load one: device URL rekey SPEC",
            false => "loaded",
        };
        row("secret", secret.to_owned());
    }
    let numbers = [
        ("threshold", readings.threshold),
        ("messages", readings.messages),
    ];
    for (name, value) in numbers {
        if let Some(value) = value {
            row(name, value.to_string());
        }
    }
    if let (Some(ticks), Some(ms)) = (readings.max_age_ticks, readings.max_age_ms) {
        row(
            "max_age_ticks",
            match ticks {
                0 => "0 (no limit)".to_owned(),
                _ => format!("{ticks} ({ms:.3} ms)"),
            },
        );
    }
    for half in &readings.halves {
        let share = format!("{} ({:.2}% full)", half.bits_set, 100.0 * half.fill);
        row(&format!("bits_{}", half.name), share);
    }
    let rates = [
        ("fpr_from_fill", readings.fpr_from_fill),
        ("target_fpr", readings.target_fpr),
    ];
    for (name, value) in rates {
        if let Some(value) = value {
            row(name, format_value(value));
        }
    }
    if !readings.not_built.is_empty() {
        row("not built", readings.not_built.join(", "));
    }
    for (name, value) in &readings.counters {
        row(name, value.to_string());
    }
    format!(
        "{}\n{}{}{}{}",
        readings.filter,
        table.trim_fmt(),
        paths_as_text(&readings.paths),
        ports_as_text(&readings.ports),
        host_as_text(readings.host.as_ref())
    )
}
