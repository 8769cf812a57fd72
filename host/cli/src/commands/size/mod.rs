//! `size`: from what is wanted to the sizes of a filter, for every kind that theory covers.

mod count_min;
mod counting;
mod recycling;
mod sliding;
mod static_filter;

use crate::output::{wrapped, Ending, Output};
use bloomline_toolkit::forecast::{format_number, stated};
use bloomline_toolkit::sizing::Sheet;
use comfy_table::{presets, Table};

/// Arguments of `size`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    #[command(subcommand)]
    kind: Kind,
}

/// Which filter.
#[derive(Debug, clap::Subcommand)]
enum Kind {
    /// A recycling filter: from any sufficient of memory, rate, capacity, hashes, threshold and false negatives
    Recycling(recycling::Cmd),
    /// A filter filled once: two of bits, items and rate; the exact best number of hashes
    Static(static_filter::Cmd),
    /// Counters against a threshold: the best number of hashes, or the counters for a rate
    Counting(counting::Cmd),
    /// A Count-Min sketch with two hash functions: width and depth for an error and a failure probability
    CountMin(count_min::Cmd),
    /// The last n elements with a slack: generations, cells and bits, beside the lower bound
    Sliding(sliding::Cmd),
}

impl Cmd {
    /// Solves and prints.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let sheet = match self.kind {
            Kind::Recycling(cmd) => cmd.sheet()?,
            Kind::Static(cmd) => cmd.sheet()?,
            Kind::Counting(cmd) => cmd.sheet()?,
            Kind::CountMin(cmd) => cmd.sheet()?,
            Kind::Sliding(cmd) => cmd.sheet()?,
        };
        output.result(&sheet, || as_text(&sheet))?;
        Ok(Ending::Good)
    }
}

/// A table of the numbers, and their formulas.
fn as_text(sheet: &Sheet) -> String {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_header(["quantity", "value", "unit", "accuracy"]);
    let mut formulas = String::new();
    for row in sheet.rows() {
        let accuracy = row.accuracy.map_or(row.formula.clone(), stated);
        table.add_row([
            row.key,
            &format_number(row.value, row.ln),
            row.unit,
            &accuracy,
        ]);
        if row.accuracy.is_some() {
            formulas += &wrapped(&format!("{}: {}", row.key, row.formula));
        }
    }
    format!(
        "{}\n\n{}\n\nFormulas\n\n{formulas}",
        sheet.title(),
        table.trim_fmt()
    )
}
