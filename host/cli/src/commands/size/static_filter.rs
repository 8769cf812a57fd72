use bloomline_toolkit::sizing::{self, Sheet};

/// Arguments of `size static`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Bits of the filter
    #[arg(long, value_name = "M")]
    bits: Option<u64>,
    /// Items stored
    #[arg(long, value_name = "N")]
    items: Option<u64>,
    /// Largest false-positive rate
    #[arg(long, value_name = "P")]
    rate: Option<f64>,
    /// Number of hashes, with --bits and --items [default: the best]
    #[arg(long, value_name = "K")]
    hashes: Option<u64>,
    /// k different bits an item (a classic filter), not k draws
    #[arg(long)]
    distinct: bool,
}

impl Cmd {
    /// Solves.
    pub fn sheet(self) -> anyhow::Result<Sheet> {
        let Cmd {
            bits,
            items,
            rate,
            hashes,
            distinct,
        } = self;
        Ok(sizing::Static {
            bits,
            items,
            rate,
            hashes,
            distinct,
        }
        .sheet()?)
    }
}
