use crate::output::{wrapped, Ending, Output, COLUMNS};
use bloomline_toolkit::plan::{self, Page, Part};
use bloomline_toolkit::Filter;
use comfy_table::{presets, CellAlignment, ContentArrangement, Table};
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
        let filter = Filter::read(&self.spec)?;
        let plan = filter.plan()?;
        for warning in filter.warnings() {
            eprintln!("warning: {warning}");
        }
        output.result(&plan, || printed(plan.page()))?;
        Ok(Ending::Good)
    }
}

/// A page in columns.
fn printed(page: &Page) -> String {
    let parts = page.parts().iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Table(columns) => table(columns),
    });
    wrapped(&parts.collect::<String>())
}

fn table(columns: &plan::Table) -> String {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(COLUMNS)
        .set_header(&columns.header);
    if columns.numbers {
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.add_rows(&columns.rows);
    table.trim_fmt()
}
