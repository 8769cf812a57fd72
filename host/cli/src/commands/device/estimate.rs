use super::link::{identified, NO_DEVICE};
use super::snapshot::read;
use crate::forecast::format_value;
use crate::output::Output;
use anyhow::bail;
use bloomline_driver::Snapshot;
use bloomline_spec::{HalfRole, Layout};
use bloomline_theory::occupancy::{cardinality, Cardinality, Throw};
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
    let shape = snapshot.shape();
    let throw = match (shape.layout(), shape.distinct) {
        (Layout::Partitioned, _) => Throw::OneEach,
        (Layout::Shared, false) => Throw::Independent(shape.hashes),
        (Layout::Shared, true) => Throw::Distinct(shape.hashes),
    };
    let part = |occupied: &[u64]| -> anyhow::Result<Part> {
        Ok(Part {
            keys: cardinality(shape.range, occupied, throw, confidence)?,
            fill: occupied
                .iter()
                .map(|&cells| cells as f64 / shape.range as f64)
                .collect(),
            occupied: occupied.to_vec(),
        })
    };
    let seen = |occupied: &[u64]| fresh_key_seen(shape.range, occupied, throw);
    let occupied = snapshot.occupied();
    let filter = shape.name.clone();
    if snapshot.cycle().is_none() {
        return Ok(Estimate {
            filter,
            told: Told::Array(part(&occupied)?),
            fresh_key_seen: seen(&occupied),
        });
    }
    // A key has the same positions in both halves (or, behind a rekey, others, of which the array does not tell): the bits
    // set in both are a filter that it meets if it meets either half's.
    let halves = occupied.chunks(shape.banks as usize);
    let (either, both) = (
        snapshot.bits_of_both(|a, b| a | b),
        snapshot.bits_of_both(|a, b| a & b),
    );
    let both_seen = if both.is_empty() { 0.0 } else { seen(&both) };
    let fresh_key_seen = halves.clone().map(seen).sum::<f64>() - both_seen;
    let halves = HalfRole::of(shape.halves)
        .iter()
        .zip(halves)
        .map(|(role, banks)| {
            Ok(Half {
                half: role.word(),
                part: part(banks)?,
            })
        });
    Ok(Estimate {
        filter,
        told: Told::Halves {
            halves: halves.collect::<anyhow::Result<_>>()?,
            either: match either.is_empty() || shape.keyed {
                true => None,
                false => Some(part(&either)?),
            },
        },
        fresh_key_seen,
    })
}

/// Probability that k positions, each uniform, fall on occupied cells only.
fn fresh_key_seen(range: u64, occupied: &[u64], throw: Throw) -> f64 {
    let share = |cells: u64, taken: u32| {
        let taken = f64::from(taken);
        (cells as f64 - taken).max(0.0) / (range as f64 - taken)
    };
    let all = |probes: u32, distinct: bool| {
        let one = |cells: &u64| -> f64 {
            let taken = |probe: u32| if distinct { probe } else { 0 };
            (0..probes)
                .map(|probe| share(*cells, taken(probe)))
                .product()
        };
        occupied.iter().map(one).product()
    };
    match throw {
        Throw::OneEach => all(1, false),
        Throw::Independent(probes) => all(probes, false),
        Throw::Distinct(probes) => all(probes, true),
    }
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
