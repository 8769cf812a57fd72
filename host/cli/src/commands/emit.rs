use crate::output::{Ending, Output};
use crate::package::{write_folder, Package};
use crate::resolve::Resolved;
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
    threshold: u64,
    geometry_hash: String,
    warnings: Vec<String>,
}

impl Cmd {
    /// Makes the whole package in memory, then writes it in one step: a folder is there whole or not at all.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let resolved = Resolved::load(&self.spec)?;
        for warning in &resolved.warnings {
            eprintln!("warning: {warning}");
        }
        let package = Package::build(&resolved)?;
        write_folder(&self.out, package.files(), self.force)?;
        let report = Report {
            name: resolved.geometry.name().to_owned(),
            out: self.out,
            files: package
                .files()
                .iter()
                .map(|file| file.name.clone())
                .collect(),
            threshold: resolved.geometry.threshold(),
            geometry_hash: format!("0x{:016x}", resolved.geometry.geometry_hash()),
            warnings: resolved.warnings,
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
