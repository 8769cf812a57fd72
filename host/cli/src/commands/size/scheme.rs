use crate::numbers;
use bloomline_toolkit::sizing::{self, Sheet};

/// Arguments of `size scheme`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Terms f(0),f(1),.. of the k positions
    #[arg(long, value_name = "F0,F1,..", value_delimiter = ',', required = true, value_parser = numbers::whole)]
    f: Vec<u64>,
    /// Bits of the filter for each item, c
    #[arg(long, value_name = "C", value_parser = numbers::mean, default_value = "8")]
    bits_an_item: f64,
}

impl Cmd {
    /// The conditions, counted.
    pub fn sheet(self) -> anyhow::Result<Sheet> {
        let Cmd { f, bits_an_item } = self;
        Ok(sizing::Scheme { f, bits_an_item }.sheet()?)
    }
}
