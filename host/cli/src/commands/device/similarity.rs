use super::link::{identified, specification, NO_DEVICE};
use super::snapshot::read;
use crate::numbers;
use crate::output::Output;
use anyhow::{bail, Context};
use bloomline_driver::Snapshot;
use bloomline_theory::occupancy::{Interval, Similarity};
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `similarity`.
///
/// Keys of a recycling filter are those in either half. The interval of the Jaccard index (keys in both over keys in either)
/// holds every value that the arrays do not contradict.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Snapshot files of one geometry: two with `-` in the place of the URL, or one and the device's --spec
    #[arg(required = true, num_args = 1..=2, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Specification of the device, whose array is the second
    #[arg(long, value_name = "SPEC")]
    spec: Option<PathBuf>,
    /// Confidence of the intervals, such as 0.95 or 95%
    #[arg(long, value_name = "P", value_parser = numbers::confidence, default_value = "95%")]
    confidence: f64,
}

/// What two arrays have in common.
#[derive(Serialize)]
struct Told {
    filter: String,
    #[serde(flatten)]
    similarity: Similarity,
}

impl Cmd {
    /// Compares and prints.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let mut arrays = Vec::new();
        for file in &self.files {
            arrays.push(Snapshot::load(file)?);
        }
        match (specification(url, self.spec), url) {
            (None, NO_DEVICE) => {}
            (Some(_), NO_DEVICE) => {
                bail!("--spec goes with a device; `-` in the place of the URL is none")
            }
            (Some(spec), _) => arrays.push(read(&identified(url, &spec)?)?),
            (None, _) => bail!("--spec SPEC is needed to read the device at {url}; write `-` in its place to compare two files"),
        }
        let [one, other] = &arrays[..] else {
            bail!("similarity compares two arrays and there are {}; give two files with `-`, or one file and --spec", arrays.len());
        };
        if one.shape().keyed {
            note!("warning: the hash is keyed: this means something only if both were filled under one secret, which no file tells");
        }
        let told = Told {
            filter: one.shape().name.clone(),
            similarity: one
                .similarity(other, self.confidence)?
                .context("similarity: every cell is above 0 in one array or the other, which tells nothing of their keys; take snapshots earlier, or of larger filters")?,
        };
        output.result(&told, || as_text(&told))
    }
}

fn as_text(told: &Told) -> String {
    let found = &told.similarity;
    let confidence = 100.0 * found.confidence;
    let number = |interval: &Interval, digits: usize| {
        format!(
            "{:.digits$} ({:.digits$} to {:.digits$}, {confidence}% confidence)",
            interval.value, interval.low, interval.high
        )
    };
    format!(
        "{}\nkeys in both     {}\nJaccard index    {}\nkeys             {:.0} and {:.0}, {:.0} in either\ncells in both    {}; without a common key {:.1}, standard deviation {:.1}\nformula          {}",
        told.filter,
        number(&found.common, 0),
        number(&found.jaccard, 4),
        found.one,
        found.other,
        found.either,
        found.overlap,
        found.overlap_by_chance,
        found.overlap_deviation,
        found.formula,
    )
}
