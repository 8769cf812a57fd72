use super::link::{identified, NO_DEVICE};
use super::snapshot::read;
use crate::numbers;
use crate::output::Output;
use anyhow::bail;
use bloomline_driver::{snapshot, Snapshot};
use bloomline_theory::occupancy::Cardinality;
use bloomline_toolkit::forecast::format_value;
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `estimate`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the device (TOML) or, with `-` in the place of the URL, a snapshot file
    source: PathBuf,
    /// Confidence of the interval, such as 0.95 or 95%
    #[arg(long, value_name = "P", value_parser = numbers::confidence, default_value = "95%")]
    confidence: f64,
}

/// What an array tells.
#[derive(Serialize)]
struct Estimate {
    filter: String,
    #[serde(flatten)]
    told: Told,
    /// Probability that a key which was never inserted gets the verdict seen: meets cells above 0 only, in a recycling filter
    /// in the active half or in the frozen one.
    fresh_key_seen: f64,
}

/// Of what the keys are estimated.
#[derive(Serialize)]
#[serde(untagged)]
enum Told {
    Array(Part),
    /// A recycling filter: its halves, the active one first, and with two halves under one secret the keys in either, each
    /// counted once.
    Halves {
        halves: Vec<Half>,
        #[serde(skip_serializing_if = "Option::is_none")]
        either: Option<Part>,
    },
}

/// A half of a recycling filter.
#[derive(Serialize)]
struct Half {
    half: &'static str,
    #[serde(flatten)]
    part: Part,
}

/// What the banks of an array, or of a half, tell.
#[derive(Serialize)]
struct Part {
    /// Different keys: the most likely number, and the interval.
    keys: Cardinality,
    /// For each bank, cells above 0.
    occupied: Vec<u64>,
    /// For each bank, the share of its cells above 0.
    fill: Vec<f64>,
}

impl From<snapshot::Part> for Part {
    fn from(part: snapshot::Part) -> Part {
        Part {
            keys: part.keys,
            occupied: part.occupied,
            fill: part.fill,
        }
    }
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
    let got = snapshot.estimate(confidence)?;
    let mut parts = got.parts.into_iter().peekable();
    let told = match parts.next_if(|part| part.half.is_none()) {
        Some(array) => Told::Array(array.into()),
        None => Told::Halves {
            halves: parts
                .filter_map(|part| {
                    Some(Half {
                        half: part.half?.word(),
                        part: part.into(),
                    })
                })
                .collect(),
            either: got.either.map(Part::from),
        },
    };
    Ok(Estimate {
        filter: snapshot.shape().name.clone(),
        told,
        fresh_key_seen: got.fresh_key_seen,
    })
}

fn as_text(estimate: &Estimate) -> String {
    let told = match &estimate.told {
        Told::Array(part) => part_as_text(part),
        Told::Halves { halves, either } => {
            let half = |half: &Half| format!("{} half\n{}", half.half, part_as_text(&half.part));
            let halves = halves.iter().map(half);
            let either = either.iter();
            let either =
                either.map(|part| format!("either half, each key once\n{}", part_as_text(part)));
            halves.chain(either).collect::<Vec<_>>().join("\n")
        }
    };
    format!(
        "{}\n{told}\nfresh key seen   {}",
        estimate.filter,
        format_value(estimate.fresh_key_seen)
    )
}

fn part_as_text(part: &Part) -> String {
    let keys = &part.keys;
    let or = |number: Option<u64>, none: &str| {
        number.map_or_else(|| none.to_owned(), |number| number.to_string())
    };
    let fill = part.fill.iter().map(|fill| format!("{:.3}%", 100.0 * fill));
    format!(
        "different keys   {}\ninterval         {} to {}, {}% confidence\nformula          {}\nfill             {}",
        or(keys.items, "too many to tell: every cell is above 0"),
        keys.low,
        or(keys.high, "no limit"),
        100.0 * keys.confidence,
        keys.formula,
        fill.collect::<Vec<_>>().join(", "),
    )
}
