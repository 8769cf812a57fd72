use crate::output::{Ending, Output};
use bloomline_toolkit::package::write_folder;
use bloomline_toolkit::Filter;
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
        let filter = Filter::read(&self.spec)?;
        for warning in filter.warnings() {
            note!("warning: {warning}");
        }
        let package = filter.emit()?;
        write_folder(&self.out, package.files(), self.force)?;
        let design = filter.design();
        let report = Report {
            name: design.name().to_owned(),
            out: self.out,
            files: package
                .files()
                .iter()
                .map(|file| file.name.clone())
                .collect(),
            threshold: design.threshold(),
            geometry_hash: format!("0x{:016x}", design.geometry_hash()),
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
