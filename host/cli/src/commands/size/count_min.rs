use crate::numbers;
use bloomline_toolkit::sizing::{self, Wants};

/// Arguments of `size count-min`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Error eps: an estimate is too high by at most eps times the sum of all counts
    #[arg(long, value_name = "EPS", value_parser = numbers::rate)]
    error: f64,
    /// Probability delta of a larger error
    #[arg(long, value_name = "DELTA", value_parser = numbers::rate)]
    failure: f64,
    /// Copies of the sketch, each with two hash functions of its own: so many, instead of the number that takes the least memory
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16))]
    copies: Option<u32>,
    /// Sum of all amounts between two clears
    #[arg(long, value_name = "N", value_parser = numbers::count, default_value_t = 100_000_000)]
    total: u64,
    /// Bits of a counter, from 8 to 32
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u64).range(8..=32), default_value_t = 32)]
    counter_bits: u64,
    /// Bits of the amount that an item adds [default: 16, or as many as narrower counters have]
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u64).range(1..=32))]
    amount_bits: Option<u64>,
}

impl Cmd {
    /// What is wanted.
    pub fn wants(self) -> anyhow::Result<Wants> {
        let Cmd {
            error,
            failure,
            copies,
            total,
            counter_bits,
            amount_bits,
        } = self;
        let amounts = sizing::Amounts {
            total,
            counter_bits,
            amount_bits,
        };
        Ok(Wants::CountMin(
            sizing::CountMin {
                error,
                failure,
                copies,
            },
            amounts,
        ))
    }
}
