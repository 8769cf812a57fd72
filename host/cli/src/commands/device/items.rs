//! Conversion of keys to items of a card, and of their verdicts to text.

use super::keys::Source;
use super::link::identified;
use super::progress::Progress;
use crate::numbers;
use crate::output::Output;
use crate::output::INTERRUPTED;
use anyhow::{anyhow, bail, Context};
use bloomline_driver::{DriverError, Flag, Item};
use bloomline_spec::{CellOperation, Key};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// Items between two looks whether Ctrl-C came.
const ITEMS_A_TURN: usize = 64;

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

/// Offers every key with `operation` and prints what came back: where an item fails or Ctrl-C comes, of those before, which no other run can tell again.
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
    let interrupted = interrupted_flag()?;
    let mut progress = Progress::new("items", items.len() as u64);
    let mut verdicts = Vec::with_capacity(items.len());
    let mut failed = None;
    for turn in items.chunks(ITEMS_A_TURN) {
        let before = verdicts.len();
        let ended = device.apply_all(turn, |done| {
            verdicts.extend_from_slice(&done[verdicts.len() - before..]);
            progress.at(verdicts.len() as u64);
        });
        failed = match ended {
            Err(error) => Some(anyhow!(of_all(error, before, items.len()))),
            Ok(_) if interrupted.load(Ordering::Relaxed) && verdicts.len() < items.len() => {
                let (done, of) = (verdicts.len(), items.len());
                Some(anyhow!("interrupted: {done} of {of} items were done, those that came first; go on with the others"))
            }
            Ok(_) => continue,
        };
        break;
    }
    drop(progress);
    let failed = match failed {
        Some(error) if verdicts.is_empty() => return Err(error),
        failed => failed,
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
    match failed {
        // As a shell says it of a program that Ctrl-C ended.
        Some(error) if interrupted.load(Ordering::Relaxed) => {
            note!("error: {error}");
            std::process::exit(INTERRUPTED)
        }
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// A flag that the first Ctrl-C sets, which ends the command after the items in progress; a second one ends the program at once.
fn interrupted_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        note!("stopping after the items in progress; Ctrl-C again ends at once");
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(flag)
}

/// An error of a turn with the item's place among all.
fn of_all(error: DriverError, before: usize, of: usize) -> DriverError {
    match error {
        DriverError::Bulk { place, source, .. } => DriverError::Bulk {
            place: before + place,
            of,
            source,
        },
        other => other,
    }
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
        (Some(times), _) => (numbers::times(times.into()), Some(reached)),
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
