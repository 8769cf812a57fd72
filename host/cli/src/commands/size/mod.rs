//! `size`: from what is wanted to the sizes of a filter, for every kind that theory covers.

mod count_min;
mod counting;
mod recycling;
mod sheet;
mod sliding;
mod static_filter;

use crate::output::{Ending, Output};

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
        output.result(&sheet, || sheet.to_string())?;
        Ok(Ending::Good)
    }
}
