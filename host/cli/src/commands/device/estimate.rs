use super::link::{identified, NO_DEVICE};
use super::snapshot::read;
use crate::forecast::format_value;
use crate::output::Output;
use anyhow::bail;
use bloomline_driver::Snapshot;
use bloomline_theory::occupancy::Cardinality;
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `estimate`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the device (TOML) or, with `-` in the place of the URL, a snapshot file
    source: PathBuf,
    /// Confidence of the interval, between 0 and 1
    #[arg(long, value_name = "P", default_value_t = 0.95)]
    confidence: f64,
}

/// What an array tells.
#[derive(Serialize)]
struct Estimate {
    filter: String,
    /// Different keys: the most likely number, and the interval.
    keys: Cardinality,
    /// For each bank, cells above 0.
    occupied: Vec<u64>,
    /// For each bank, the share of its cells above 0.
    fill: Vec<f64>,
    /// Probability that a key which was never inserted meets cells above 0 only.
    fresh_key_seen: f64,
}

impl Cmd {
    /// Estimates and prints.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            bail!(
                "--confidence {}: must be between 0 and 1, for example 0.95",
                self.confidence
            );
        }
        let snapshot = match url {
            NO_DEVICE => Snapshot::load(&self.source)?,
            _ => read(&identified(url, &self.source)?)?,
        };
        let estimate = estimate(&snapshot, self.confidence)?;
        output.result(&estimate, || as_text(&estimate))
    }
}

fn estimate(snapshot: &Snapshot, confidence: f64) -> anyhow::Result<Estimate> {
    let estimate = snapshot.estimate(confidence)?;
    Ok(Estimate {
        filter: snapshot.shape().name.clone(),
        keys: estimate.keys,
        occupied: estimate.occupied,
        fill: estimate.fill,
        fresh_key_seen: estimate.fresh_key_seen,
    })
}

fn as_text(estimate: &Estimate) -> String {
    let keys = &estimate.keys;
    let or = |number: Option<u64>, none: &str| {
        number.map_or_else(|| none.to_owned(), |number| number.to_string())
    };
    let fill: Vec<_> = estimate
        .fill
        .iter()
        .map(|fill| format!("{:.3}%", 100.0 * fill))
        .collect();
    format!(
        "{}\ndifferent keys   {}\ninterval         {} to {}, {}% confidence\nformula          {}\nfill             {}\nfresh key seen   {}",
        estimate.filter,
        or(keys.items, "too many to tell: every cell is above 0"),
        keys.low,
        or(keys.high, "no limit"),
        100.0 * keys.confidence,
        keys.formula,
        fill.join(", "),
        format_value(estimate.fresh_key_seen),
    )
}
