//! `size`: from what is wanted to a filter that can be built, of every kind, with the papers' number beside it.

mod count_min;
mod counting;
mod recycling;
mod scheme;
mod sliding;
mod static_filter;

pub use recycling::parse_zipf;

use crate::output::{wrapped, Ending, Output};
use bloomline_toolkit::forecast::{format_number, stated};
use bloomline_toolkit::sizing::{Form, Sheet, Wants};
use comfy_table::{presets, Table};
use std::path::{Path, PathBuf};

/// Arguments of `size`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    #[command(subcommand)]
    kind: Kind,
    /// The papers' numbers alone, of filters that the gateware may not have
    #[arg(long, global = true)]
    theory: bool,
    /// Write a specification of the filter; the name is the file's
    #[arg(long, value_name = "FILE", global = true, conflicts_with = "theory")]
    write: Option<PathBuf>,
    /// Replace the file of --write
    #[arg(long, global = true, requires = "write")]
    force: bool,
    /// Width of the keys of the written specification
    #[arg(long, value_name = "BITS", global = true, value_parser = clap::value_parser!(u64).range(1..=512), default_value_t = 104)]
    key_bits: u64,
}

/// Which filter.
#[derive(Debug, clap::Subcommand)]
enum Kind {
    /// A recycling filter: from any sufficient combination of memory, rate, capacity, hashes, threshold and false negatives
    Recycling(recycling::Cmd),
    /// A filter filled once: from two of bits, items and rate, the third and the best number of hashes
    Static(static_filter::Cmd),
    /// Counters against a threshold: the best number of hashes, or the counters for a rate
    Counting(counting::Cmd),
    /// A Count-Min sketch with two hash functions: width and depth for an error and a failure probability
    CountMin(count_min::Cmd),
    /// The last n elements with a slack: generations, cells and bits, beside the lower bound
    Sliding(sliding::Cmd),
    /// A scheme of two hash functions with a term f(i) of one's own: whether its rate tends to that of independent functions
    Scheme(scheme::Cmd),
}

impl Kind {
    fn question(self) -> anyhow::Result<Question> {
        Ok(Question::Filter(match self {
            Kind::Scheme(cmd) => return Ok(Question::Scheme(cmd.sheet()?)),
            Kind::Recycling(cmd) => cmd.wants()?,
            Kind::Static(cmd) => cmd.wants()?,
            Kind::Counting(cmd) => cmd.wants()?,
            Kind::CountMin(cmd) => cmd.wants()?,
            Kind::Sliding(cmd) => cmd.wants()?,
        }))
    }
}

/// What is asked.
enum Question {
    /// A filter.
    Filter(Wants),
    /// The numbers of a scheme, which is no filter.
    Scheme(Sheet),
}

impl Cmd {
    /// Solves and prints.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let wants = match self.kind.question()? {
            Question::Filter(wants) => wants,
            Question::Scheme(sheet) => {
                if self.write.is_some() {
                    anyhow::bail!("--write: a scheme is no filter; leave it out");
                }
                output.result(&sheet, || as_text(&sheet))?;
                return Ok(Ending::Good);
            }
        };
        if let (true, Some(option)) = (self.theory, wants.of_gateware_alone()) {
            anyhow::bail!("{option}: the papers have no such filter; leave out --theory");
        }
        if self.theory {
            let sheet = wants.sheet()?;
            output.result(&sheet, || as_text(&sheet))?;
            return Ok(Ending::Good);
        }
        let form = Form {
            name: self.write.as_deref().map_or("sized".to_owned(), name_of),
            key: format!("bits = {}", self.key_bits),
            ..Form::default()
        };
        let built = wants.built(&form)?;
        if let Some(file) = &self.write {
            write_new(file, built.specification(), self.force)?;
            note!("written: {0}; next: bloomline plan {0}", file.display());
        }
        output.result(&built, || as_text(built.sheet()))?;
        Ok(Ending::Good)
    }
}

/// A legal name of a filter from that of its file.
pub fn name_of(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default();
    bloomline_spec::legal_name(&stem.to_string_lossy())
}

/// Writes a file that is not there yet, or replaces it.
pub fn write_new(file: &Path, text: &str, force: bool) -> anyhow::Result<()> {
    if file == Path::new("-") {
        anyhow::bail!("-: standard output is not possible; give the name of a file, which is the filter's name too");
    }
    if file.exists() && !force {
        anyhow::bail!(
            "{}: is there already; name another file, or add --force to replace it",
            file.display()
        );
    }
    std::fs::write(file, text).map_err(|error| {
        anyhow::anyhow!("{}: cannot be written: {error}; name a file in a folder that exists and can be written", file.display())
    })
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
