use super::items;
use super::keys::Source;
use crate::output::Output;
use bloomline_spec::CellOperation;
use std::path::PathBuf;

/// Arguments of `remove`.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "bloomline device <URL> remove [OPTIONS] <SPEC> <KEY|--keys <FILE:COLUMN>>"
)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
    #[command(flatten)]
    source: Source,
}

impl Cmd {
    /// Takes the keys out once each and prints what is left.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let operation = (CellOperation::Remove, 1);
        items::run(url, &self.spec, &self.source, operation, output)
    }
}
