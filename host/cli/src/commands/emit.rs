use crate::output::{Ending, Output};
use crate::package::{write_folder, Package};
use crate::resolve::Filter;
use serde::Serialize;
use std::path::PathBuf;

/// Arguments of `emit`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification (TOML)
    spec: PathBuf,
    /// Folder to write; it must not exist, be empty, or (with --force) hold an earlier emission
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace an earlier emission
    #[arg(long)]
    force: bool,
}

/// The result, as `--json` prints it.
#[derive(Serialize)]
struct Report {
    name: String,
    out: PathBuf,
    files: Vec<String>,
    /// Where the kind has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<u64>,
    geometry_hash: String,
    warnings: Vec<String>,
}

impl Cmd {
    /// Makes the whole package in memory, then writes it in one step: a folder is there whole or not at all.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let filter = Filter::load(&self.spec)?;
        for warning in filter.warnings() {
            eprintln!("warning: {warning}");
        }
        let package = Package::build(&filter)?;
        write_folder(&self.out, package.files(), self.force)?;
        let (name, threshold, geometry_hash) = match &filter {
            Filter::Recycling(resolved) => {
                let geometry = &resolved.geometry;
                (
                    geometry.name(),
                    Some(geometry.threshold()),
                    geometry.geometry_hash(),
                )
            }
            Filter::Cells(resolved) => {
                let geometry = &resolved.geometry;
                let threshold = u64::from(geometry.threshold());
                (geometry.name(), Some(threshold), geometry.geometry_hash())
            }
            Filter::Sliding(resolved) => {
                let geometry = &resolved.geometry;
                (geometry.name(), None, geometry.geometry_hash())
            }
        };
        let report = Report {
            name: name.to_owned(),
            out: self.out,
            files: package
                .files()
                .iter()
                .map(|file| file.name.clone())
                .collect(),
            threshold,
            geometry_hash: format!("0x{geometry_hash:016x}"),
            warnings: filter.warnings().to_vec(),
        };
        output.result(&report, || {
            let files = report
                .files
                .iter()
                .map(|file| report.out.join(file).display().to_string());
            files.collect::<Vec<_>>().join("\n")
        })?;
        Ok(Ending::Good)
    }
}
