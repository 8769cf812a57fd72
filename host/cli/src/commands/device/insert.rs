use super::items;
use super::keys::Source;
use crate::numbers;
use crate::output::Output;
use bloomline_spec::CellOperation;
use std::path::PathBuf;

/// Arguments of `insert`.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "bloomline device <URL> insert [OPTIONS] <SPEC> <KEY|--keys <FILE:COLUMN>>"
)]
pub struct Cmd {
    /// Specification of the card (TOML), or the manifest.json of its emission; not needed with sim:SPEC
    spec: PathBuf,
    #[command(flatten)]
    source: Source,
    /// What each key adds, in a Count-Min sketch
    #[arg(long, value_name = "N", value_parser = numbers::amount, default_value_t = 1)]
    amount: u32,
    /// Test and insert: print the verdict of every key too
    #[arg(long)]
    test: bool,
}

impl Cmd {
    /// Inserts the keys.
    pub fn run(self, url: &str, output: Output) -> anyhow::Result<()> {
        let operation = match self.test {
            true => CellOperation::TestAndInsert,
            false => CellOperation::Insert,
        };
        let operation = (operation, self.amount);
        items::run(url, &self.spec, &self.source, operation, output)
    }
}
