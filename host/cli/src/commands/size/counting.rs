use crate::numbers;
use bloomline_toolkit::sizing::{self, Wants};

/// Arguments of `size counting`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Insertions of other keys
    #[arg(long, value_name = "N", required_unless_present = "window", conflicts_with = "window", value_parser = numbers::count)]
    insertions: Option<u64>,
    /// Insertions over which occurrences count, in place of those since the last clear
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    window: Option<u64>,
    /// Count at which a key is reported
    #[arg(long, value_name = "THETA", value_parser = numbers::count)]
    threshold: u64,
    /// Counters of the filter
    #[arg(long, value_name = "M", required_unless_present = "rate", value_parser = numbers::count)]
    counters: Option<u64>,
    /// Largest rate of false alarms, of keys that occurred --true-count times: solves for the counters
    #[arg(long, value_name = "P", conflicts_with = "counters", value_parser = numbers::rate)]
    rate: Option<f64>,
    /// Number of hashes [default: the best]
    #[arg(long, value_name = "K", value_parser = numbers::count)]
    hashes: Option<u64>,
    /// True count of the key asked about, below the threshold
    #[arg(long, value_name = "R", default_value_t = 0, value_parser = numbers::whole)]
    true_count: u64,
}

impl Cmd {
    /// What is wanted.
    pub fn wants(self) -> anyhow::Result<Wants> {
        let Cmd {
            insertions,
            window,
            threshold,
            counters,
            rate,
            hashes,
            true_count,
        } = self;
        Ok(Wants::Counting(sizing::Counting {
            // clap has seen to it that one is given
            insertions: window.or(insertions).unwrap_or(1),
            window: window.is_some(),
            threshold,
            counters,
            rate,
            hashes,
            true_count,
        }))
    }
}
