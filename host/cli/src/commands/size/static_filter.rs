use crate::numbers;
use bloomline_toolkit::sizing::{self, Wants};

/// Arguments of `size static`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Bits of the filter
    #[arg(long, value_name = "M", value_parser = numbers::count)]
    bits: Option<u64>,
    /// Items stored
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    items: Option<u64>,
    /// Largest false-positive rate
    #[arg(long, value_name = "P", value_parser = numbers::rate)]
    rate: Option<f64>,
    /// Number of hashes, with --bits and --items [default: the best]
    #[arg(long, value_name = "K", value_parser = numbers::count)]
    hashes: Option<u64>,
    /// k different bits an item (a classic filter), not k draws
    #[arg(long)]
    distinct: bool,
}

impl Cmd {
    /// What is wanted.
    pub fn wants(self) -> anyhow::Result<Wants> {
        let Cmd {
            bits,
            items,
            rate,
            hashes,
            distinct,
        } = self;
        Ok(Wants::Static(sizing::Static {
            bits,
            items,
            rate,
            hashes,
            distinct,
        }))
    }
}
