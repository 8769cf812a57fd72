use super::link::{identified, specification, NO_DEVICE};
use super::snapshot::{read, Summary};
use crate::output::Output;
use crate::written_file::{may_write, Format};
use anyhow::{bail, Context};
use bloomline_driver::Snapshot;
use std::path::PathBuf;

/// Arguments of `union`.
///
/// A union is what one filter would hold that had met the items of all: bits or-ed, counters added up to their greatest value.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Snapshot files of one geometry
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Specification of the device, whose array is combined too; not with `-` in the place of the URL
    #[arg(long, value_name = "SPEC")]
    spec: Option<PathBuf>,
    /// Intersection: cell by cell the least, for bits those set in all
    #[arg(long)]
    intersect: bool,
}

impl Cmd {
    /// Combines and writes.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let inputs: Vec<_> = self
            .files
            .iter()
            .chain(&self.spec)
            .map(PathBuf::as_path)
            .collect();
        may_write("--out", &self.out, Format::Snapshot, &inputs)?;
        Snapshot::may_save(&self.out)?;
        let mut parts = Vec::new();
        for file in &self.files {
            parts.push((file.display().to_string(), Snapshot::load(file)?));
        }
        match (specification(url, self.spec), url) {
            (None, NO_DEVICE) => {}
            (Some(_), NO_DEVICE) => bail!("--spec goes with a device; `-` in the place of the URL is none"),
            (Some(spec), _) => parts.push((url.to_owned(), read(&identified(url, &spec)?)?)),
            (None, _) => bail!("--spec SPEC is needed to read the device at {url}; write `-` in its place to combine files alone"),
        }
        let arrays = parts.len();
        let mut parts = parts.into_iter();
        let (name, mut combined) = parts
            .next()
            .context("there is no snapshot; give at least one")?;
        for (other, part) in parts {
            let both = match self.intersect {
                true => combined.intersection(&part),
                false => combined.union(&part),
            };
            combined = both.with_context(|| format!("{other} with {name}"))?;
        }
        if combined.shape().keyed {
            note!("warning: the hash is keyed: this means something only if all were filled under one secret, which no file tells");
        }
        combined.save(&self.out)?;
        let summary = Summary::of(&combined, &self.out).of_arrays(&combined, arrays);
        output.result(&summary, || summary.as_text())
    }
}
