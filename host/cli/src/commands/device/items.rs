//! From keys to items of a card, and from their verdicts to text.

use super::keys::Source;
use super::link::identified;
use super::progress::Progress;
use crate::output::Output;
use bloomline_driver::{Item, Verdict};
use bloomline_spec::{CellOperation, Key};
use serde::Serialize;
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
#[derive(Serialize)]
#[serde(untagged)]
enum Words {
    Recycling {
        in_active: bool,
        in_frozen: bool,
        tripped: bool,
    },
    Static {},
    Counted {
        seen: bool,
        underflow: bool,
        saturated: bool,
        estimate: u32,
    },
    Sliding {
        lost: bool,
    },
}

/// Offers every key with `operation` and prints what came back.
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
    let keys = source.load(design.common())?;
    let device = identified(url, spec)?;
    let item = |key: &Key| Item {
        key: *key,
        operation,
        amount,
    };
    let items: Vec<Item> = keys.iter().map(item).collect();
    let mut progress = Progress::new("items", items.len() as u64);
    let verdicts = device.apply_all(&items, |done| progress.at(done.len() as u64))?;
    drop(progress);
    let lines = keys.iter().zip(&verdicts).filter_map(|(key, verdict)| {
        verdict.map(|verdict| Line {
            key: key.to_string(),
            positive: verdict.is_positive(),
            verdict: words(&verdict),
        })
    });
    let lines: Vec<Line> = lines.collect();
    let positive = lines.iter().filter(|line| line.positive).count();
    let done = Done {
        filter: design.common().name().to_owned(),
        operation: word(operation),
        items: items.len(),
        positive: operation.has_verdict().then_some(positive),
        verdicts: lines,
    };
    output.result(&done, || as_text(&done))
}

fn word(operation: CellOperation) -> &'static str {
    match operation {
        CellOperation::Query => "query",
        CellOperation::Insert => "insert",
        CellOperation::TestAndInsert => "test-and-insert",
        CellOperation::Remove => "remove",
    }
}

fn words(verdict: &Verdict) -> Words {
    match *verdict {
        Verdict::Recycling(flags) => Words::Recycling {
            in_active: flags.in_active,
            in_frozen: flags.in_frozen,
            tripped: flags.tripped,
        },
        Verdict::Static { .. } => Words::Static {},
        Verdict::Counted(verdict) => Words::Counted {
            seen: verdict.seen,
            underflow: verdict.underflow,
            saturated: verdict.saturated,
            estimate: verdict.estimate,
        },
        Verdict::Sliding(verdict) => Words::Sliding { lost: verdict.lost },
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
    let seen = if line.positive { "seen" } else { "not seen" };
    let flag = |set: bool, word: &'static str| set.then_some(word);
    let (first, flags) = match &line.verdict {
        Words::Recycling {
            in_active,
            in_frozen,
            tripped,
        } => (
            seen.to_owned(),
            [
                flag(*in_active, "in the active half"),
                flag(*in_frozen, "in the frozen half"),
                flag(*tripped, "tripped a recycle"),
            ],
        ),
        Words::Static {} => (seen.to_owned(), [None; 3]),
        Words::Counted {
            underflow,
            saturated,
            estimate,
            ..
        } => (
            format!("{estimate} times"),
            [
                flag(line.positive, "reaches the threshold"),
                flag(*underflow, "was not there to be removed"),
                flag(*saturated, "at the greatest count"),
            ],
        ),
        Words::Sliding { lost } => (
            seen.to_owned(),
            [flag(*lost, "lost: no room for it"), None, None],
        ),
    };
    let flags = flags.into_iter().flatten().map(str::to_owned);
    std::iter::once(first)
        .chain(flags)
        .collect::<Vec<_>>()
        .join(", ")
}
