use super::link::{identified, Link};
use super::progress::Progress;
use crate::output::Output;
use crate::written_file::{may_write, Format};
use bloomline_driver::{Cycle, Device, Snapshot};
use bloomline_spec::{HalfRole, RecycleOn};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments of `snapshot`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// What a snapshot is, in short.
#[derive(Serialize)]
pub struct Summary {
    file: PathBuf,
    filter: String,
    kind: &'static str,
    geometry_hash: String,
    words: usize,
    /// Share of the cells that are above 0.
    fill: f64,
    /// Absent where a cell is one bit.
    #[serde(skip_serializing_if = "Option::is_none")]
    saturated_cells: Option<u64>,
    /// The counter ITEMS before and after the array was read; of a union the sum over its arrays; absent of an intersection.
    #[serde(flatten)]
    items: Option<Items>,
    /// Absent of a union or intersection, which is the array of no instant.
    #[serde(skip_serializing_if = "Option::is_none")]
    of_one_instant: Option<bool>,
    /// How many arrays a union or intersection was made of, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    combined_from: Option<usize>,
    /// Of a recycling filter.
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle: Option<CycleSummary>,
}

/// The counter ITEMS.
#[derive(Serialize)]
struct Items {
    items_before: u64,
    items_after: u64,
}

impl Items {
    fn of(snapshot: &Snapshot) -> Items {
        let [items_before, items_after] = snapshot.items();
        Items {
            items_before,
            items_after,
        }
    }
}

/// The cycle that the halves of a recycling filter were read in.
#[derive(Serialize)]
struct CycleSummary {
    recycle_on: RecycleOn,
    threshold: u64,
    messages: u32,
    recycles: u64,
    /// The active one first.
    halves: Vec<HalfSummary>,
}

/// A half.
#[derive(Serialize)]
struct HalfSummary {
    half: &'static str,
    /// Which of the two it was.
    number: u32,
    bits: u64,
    /// Share of the bits that probes go to that are set.
    fill: f64,
}

impl CycleSummary {
    fn of(snapshot: &Snapshot, cycle: &Cycle) -> CycleSummary {
        let shape = snapshot.shape();
        let reached = f64::from(shape.banks) * shape.range as f64;
        let bits = snapshot.bits_of_halves().into_iter();
        let roles = HalfRole::of(shape.halves).iter();
        let halves = roles.zip(bits).map(|(role, bits)| HalfSummary {
            half: role.word(),
            number: cycle.active_half ^ *role as u32,
            bits,
            fill: bits as f64 / reached,
        });
        CycleSummary {
            recycle_on: cycle.on,
            threshold: cycle.threshold,
            messages: cycle.messages,
            recycles: cycle.recycles,
            halves: halves.collect(),
        }
    }

    /// In lines.
    fn as_text(&self) -> String {
        let half = |half: &HalfSummary| {
            let HalfSummary {
                half,
                number,
                bits,
                fill,
            } = half;
            format!(
                "{half} half    number {number}, {bits} bits set, {:.4}%\n",
                100.0 * fill
            )
        };
        let halves: String = self.halves.iter().map(half).collect();
        format!(
            "{halves}cycle          behind recycle {}, {} messages, threshold {} {}\n",
            self.recycles,
            self.messages,
            self.threshold,
            self.recycle_on.word()
        )
    }
}

impl Summary {
    /// Of a snapshot and the file it is in.
    pub fn of(snapshot: &Snapshot, file: &Path) -> Summary {
        let shape = snapshot.shape();
        let items = Items::of(snapshot);
        Summary {
            file: file.to_owned(),
            filter: shape.name.clone(),
            kind: shape.kind.word(),
            geometry_hash: format!("{:016x}", shape.geometry_hash),
            words: snapshot.words().len(),
            fill: snapshot.fill(),
            saturated_cells: (shape.cell_bits > 1).then(|| snapshot.saturated()),
            // a file does not say whether it is a union or an intersection, of which such a sum has no meaning
            items: (!snapshot.is_combined()).then_some(items),
            of_one_instant: (!snapshot.is_combined()).then(|| snapshot.is_of_one_instant()),
            combined_from: None,
            cycle: snapshot
                .cycle()
                .map(|cycle| CycleSummary::of(snapshot, cycle)),
        }
    }

    /// The same of a union or intersection of so many arrays, whose items are not told apart.
    pub fn of_arrays(mut self, combined: &Snapshot, arrays: usize) -> Summary {
        if combined.is_combined() {
            self.combined_from = Some(arrays);
            self.items = None;
        }
        self
    }

    /// What is said of items.
    fn items_as_text(&self) -> String {
        let from = match self.combined_from {
            Some(arrays) => format!("{arrays} arrays"),
            None => "several arrays".to_owned(),
        };
        match (&self.items, self.of_one_instant) {
            (Some(items), Some(true)) => {
                format!("of one instant, after {} items", items.items_before)
            }
            (Some(items), Some(false)) => format!(
                "items {} to {} came in while it was read: some are in it, some are not",
                items.items_before, items.items_after
            ),
            (_, None) | (None, _) => format!("combined from {from}"),
        }
    }

    /// In lines.
    pub fn as_text(&self) -> String {
        let instant = self.items_as_text();
        let cycle = self.cycle.as_ref().map(CycleSummary::as_text);
        format!(
            "{}: {} ({}), {} words\nfill           {:.4}% of the cells above 0\n{}{instant}",
            self.file.display(),
            self.filter,
            self.kind,
            self.words,
            100.0 * self.fill,
            cycle.unwrap_or_default(),
        )
    }
}

/// The array of a device, with a bar.
///
/// # Errors
/// Those of the device.
pub fn read(device: &Device<Link>) -> anyhow::Result<Snapshot> {
    let words = device.design().array().map(|shape| shape.words());
    let mut progress = Progress::new("words", words.unwrap_or(0));
    Ok(device.snapshot(|done| progress.at(done))?)
}

impl Cmd {
    /// Reads the array and writes the file.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        may_write("--out", &self.out, Format::Snapshot, &[&self.spec])?;
        Snapshot::may_save(&self.out)?;
        let snapshot = read(&identified(url, &self.spec)?)?;
        snapshot.save(&self.out)?;
        let summary = Summary::of(&snapshot, &self.out);
        output.result(&summary, || summary.as_text())
    }
}
