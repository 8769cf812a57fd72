use super::link::{identified, Link};
use super::progress::Progress;
use crate::output::Output;
use bloomline_driver::{ArrayShape, Device, Snapshot};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments of `snapshot`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification the device was emitted from (TOML)
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
    saturated_cells: u64,
    items_before: u64,
    items_after: u64,
    of_one_instant: bool,
}

impl Summary {
    /// Of a snapshot and the file it is in.
    pub fn of(snapshot: &Snapshot, file: &Path) -> Summary {
        let shape = snapshot.shape();
        let [items_before, items_after] = snapshot.items();
        Summary {
            file: file.to_owned(),
            filter: shape.name.clone(),
            kind: shape.kind.word(),
            geometry_hash: format!("{:016x}", shape.geometry_hash),
            words: snapshot.words().len(),
            fill: snapshot.fill(),
            saturated_cells: snapshot.saturated(),
            items_before,
            items_after,
            of_one_instant: snapshot.is_of_one_instant(),
        }
    }

    /// In lines.
    pub fn as_text(&self) -> String {
        let instant = match self.of_one_instant {
            true => format!("of one instant, after {} items", self.items_before),
            false => format!(
                "items {} to {} came in while it was read: some are in it, some are not",
                self.items_before, self.items_after
            ),
        };
        format!(
            "{}: {} ({}), {} words\nfill           {:.4}% of the cells above 0\n{instant}",
            self.file.display(),
            self.filter,
            self.kind,
            self.words,
            100.0 * self.fill,
        )
    }
}

/// The array of a device, with a bar.
///
/// # Errors
/// Those of the device.
pub fn read(device: &Device<Link>) -> anyhow::Result<Snapshot> {
    let words = device
        .design()
        .cells()
        .map(|cells| ArrayShape::of(cells).words());
    let mut progress = Progress::new("words", words.unwrap_or(0));
    Ok(device.snapshot(|done| progress.at(done))?)
}

impl Cmd {
    /// Reads the array and writes the file.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let snapshot = read(&identified(url, &self.spec)?)?;
        snapshot.save(&self.out)?;
        let summary = Summary::of(&snapshot, &self.out);
        output.result(&summary, || summary.as_text())
    }
}
