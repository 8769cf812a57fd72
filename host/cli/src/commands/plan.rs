mod card;
mod cells;
mod recycling;
mod sliding;

use crate::output::{Ending, Output, COLUMNS};
use crate::resolve::Filter;
use comfy_table::{presets, ContentArrangement, Table};
use std::path::PathBuf;

/// Arguments of `plan`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification (TOML)
    spec: PathBuf,
}

impl Cmd {
    /// Predicts and prints.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        match Filter::load(&self.spec)? {
            Filter::Recycling(resolved) => recycling::run(&resolved, output),
            Filter::Cells(resolved) => cells::run(&resolved, output),
            Filter::Sliding(resolved) => sliding::run(&resolved, output),
        }
    }
}

fn table<I: IntoIterator<Item = T>, T: Into<comfy_table::Cell>>(header: I) -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(COLUMNS)
        .set_header(header);
    table
}
