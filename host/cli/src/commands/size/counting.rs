use bloomline_toolkit::sizing::{self, Sheet};

/// Arguments of `size counting`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Insertions of other keys
    #[arg(long, value_name = "N")]
    insertions: u64,
    /// Count at which a key is reported
    #[arg(long, value_name = "THETA")]
    threshold: u64,
    /// Counters of the filter
    #[arg(long, value_name = "M", required_unless_present = "rate")]
    counters: Option<u64>,
    /// Largest rate of false alarms: solves for the counters
    #[arg(long, value_name = "P", conflicts_with = "counters")]
    rate: Option<f64>,
    /// Number of hashes [default: the best]
    #[arg(long, value_name = "K")]
    hashes: Option<u64>,
    /// True count of the key asked about, below the threshold
    #[arg(long, value_name = "R", default_value_t = 0)]
    true_count: u64,
}

impl Cmd {
    /// Solves.
    pub fn sheet(self) -> anyhow::Result<Sheet> {
        let Cmd {
            insertions,
            threshold,
            counters,
            rate,
            hashes,
            true_count,
        } = self;
        Ok(sizing::Counting {
            insertions,
            threshold,
            counters,
            rate,
            hashes,
            true_count,
        }
        .sheet()?)
    }
}
