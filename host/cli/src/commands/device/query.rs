use super::items;
use super::keys::Source;
use crate::output::Output;
use bloomline_spec::CellOperation;
use std::path::PathBuf;

/// Arguments of `query`.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "bloomline device <URL> query [OPTIONS] <SPEC> <KEY|--keys <FILE:COLUMN>>"
)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
    #[command(flatten)]
    source: Source,
}

impl Cmd {
    /// Looks the keys up and prints their verdicts.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let operation = (CellOperation::Query, 1);
        items::run(url, &self.spec, &self.source, operation, output)
    }
}
