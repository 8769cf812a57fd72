//! Conversion of keys to items of a card, and of their verdicts to text.

use super::keys::Source;
use super::link::identified;
use super::progress::Progress;
use crate::output::Output;
use anyhow::bail;
use bloomline_driver::{Flag, Item};
use bloomline_spec::{CellOperation, Key};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::path::Path;

/// What became of the items.
#[derive(Serialize)]
struct Done {
    filter: String,
    operation: &'static str,
    items: usize,
    /// Of those with a verdict, how many have bit 0 set: seen, or reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    verdicts: Vec<Line>,
    /// Why no more of them were done; absent where all were.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The verdict of one key.
#[derive(Serialize)]
struct Line {
    key: String,
    positive: bool,
    #[serde(flatten)]
    verdict: Words,
}

/// What the kind's verdict says beyond that.
struct Words {
    flags: Vec<Flag>,
    estimate: Option<u32>,
}

impl Serialize for Words {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for flag in &self.flags {
            map.serialize_entry(flag.name, &flag.set)?;
        }
        if let Some(estimate) = self.estimate {
            map.serialize_entry("estimate", &estimate)?;
        }
        map.end()
    }
}

/// Offers every key with `operation` and prints what came back: where an item fails, of those before it, which no other run can tell again.
///
/// # Errors
/// Those of the keys, checked before the device is opened for them; those of the device.
pub fn run(
    url: &str,
    spec: &Path,
    source: &Source,
    (operation, amount): (CellOperation, u32),
    output: Output,
) -> anyhow::Result<()> {
    let design = super::link::design(spec)?;
    if design.common().card().is_none() {
        bail!(
            "{}: has no [card], so the gateware has no item port for the keys of a host; add a line `[card]`, then emit or build it again (`bloomline explain card`)",
            spec.display()
        );
    }
    let keys = source.load(design.common())?;
    let device = identified(url, spec)?;
    let item = |key: &Key| Item {
        key: *key,
        operation,
        amount,
    };
    let items: Vec<Item> = keys.iter().map(item).collect();
    let mut progress = Progress::new("items", items.len() as u64);
    let mut verdicts = Vec::with_capacity(items.len());
    let ended = device.apply_all(&items, |done| {
        verdicts.extend_from_slice(&done[verdicts.len()..]);
        progress.at(done.len() as u64);
    });
    drop(progress);
    let failed = match ended {
        Err(error) if verdicts.is_empty() => return Err(error.into()),
        ended => ended.err(),
    };
    let lines = keys.iter().zip(&verdicts).filter_map(|(key, verdict)| {
        verdict.map(|verdict| Line {
            key: key.to_string(),
            positive: verdict.is_positive(),
            verdict: Words {
                flags: verdict.flags(),
                estimate: verdict.estimate(),
            },
        })
    });
    let lines: Vec<Line> = lines.collect();
    let positive = lines.iter().filter(|line| line.positive).count();
    let done = Done {
        filter: design.common().name().to_owned(),
        operation: word(operation),
        items: verdicts.len(),
        positive: operation.has_verdict().then_some(positive),
        verdicts: lines,
        error: failed.as_ref().map(ToString::to_string),
    };
    output.result(&done, || as_text(&done))?;
    failed.map_or(Ok(()), |error| Err(error.into()))
}

fn word(operation: CellOperation) -> &'static str {
    match operation {
        CellOperation::Query => "query",
        CellOperation::Insert => "insert",
        CellOperation::TestAndInsert => "test-and-insert",
        CellOperation::Remove => "remove",
    }
}

fn as_text(done: &Done) -> String {
    if done.positive.is_none() {
        return format!("{}: {} inserted", done.filter, done.items);
    }
    let width = done.verdicts.iter().map(|line| line.key.len()).max();
    let width = width.unwrap_or(0);
    let line = |line: &Line| format!("{:width$}  {}", line.key, in_words(line));
    done.verdicts
        .iter()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}

fn in_words(line: &Line) -> String {
    let reached = (line.positive, "reaches the threshold");
    let (first, reached) = match (line.verdict.estimate, line.positive) {
        (Some(times), _) => (format!("{times} times"), Some(reached)),
        (None, true) => ("seen".to_owned(), None),
        (None, false) => ("not seen".to_owned(), None),
    };
    let flags = line.verdict.flags.iter();
    let flags = flags.map(|flag| (flag.set && !flag.words.is_empty(), flag.words));
    let said = reached.into_iter().chain(flags);
    let said = said.filter(|(set, _)| *set);
    let said = said.map(|(_, words)| words.to_owned());
    std::iter::once(first)
        .chain(said)
        .collect::<Vec<_>>()
        .join(", ")
}
