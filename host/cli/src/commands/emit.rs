use crate::output::{Ending, Output};
use bloomline_toolkit::Filter;
use std::path::PathBuf;

/// Arguments of `emit`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification (TOML)
    spec: PathBuf,
    /// Folder to write; new, empty, or (with --force) holding an earlier emission
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace an earlier emission
    #[arg(long)]
    force: bool,
}

impl Cmd {
    /// Makes the whole package in memory, then writes it in one step: a folder is there whole or not at all.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let filter = Filter::read(&self.spec)?;
        for warning in filter.warnings() {
            note!("warning: {warning}");
        }
        let report = filter.emit_to(&self.out, self.force)?;
        output.result(&report, || {
            let files = report
                .files
                .iter()
                .map(|file| self.out.join(file).display().to_string());
            files.collect::<Vec<_>>().join("\n")
        })?;
        Ok(Ending::Good)
    }
}
