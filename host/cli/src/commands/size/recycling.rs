use crate::numbers;
use crate::table;
use anyhow::Context;
use bloomline_theory::sizing::{FalseNegativeBudget, Reuse, Zipf};
use bloomline_toolkit::sizing::{self, Wants};

/// Arguments of `size recycling`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Enough are: a memory with a rate or a capacity; a rate with a capacity or a budget for false negatives, and \
                  no memory; a memory, hashes and a threshold."
)]
pub struct Cmd {
    /// Data bits of all halves together
    #[arg(long, value_name = "BITS", value_parser = numbers::count)]
    memory: Option<u64>,
    /// Largest average false-positive rate
    #[arg(long, value_name = "P", value_parser = numbers::rate)]
    rate: Option<f64>,
    /// Least mean number of new messages in a cycle
    #[arg(long, value_name = "N", value_parser = numbers::mean)]
    messages: Option<f64>,
    /// Number of hashes [default: 1 to 16 are tried]
    #[arg(long, value_name = "K", value_parser = numbers::few)]
    hashes: Option<u32>,
    /// Halves, 1 or 2 [default: 1, or the better one under --false-negatives]
    #[arg(long, value_name = "PHASES", value_parser = numbers::few)]
    phases: Option<u32>,
    /// Threshold of a half
    #[arg(long, value_name = "T", value_parser = numbers::count)]
    threshold: Option<u64>,
    /// The threshold counts bit-setting messages, not bits
    #[arg(long)]
    on_messages: bool,
    /// One hash function a probe, not two for all
    #[arg(long)]
    independent: bool,
    /// The message that trips a recycle is forgotten
    #[arg(long)]
    forget_tripping: bool,
    /// Partitions of a power of two only: less logic and a shorter pipeline, for more memory
    #[arg(long)]
    powers_of_two: bool,
    /// Largest share of repeats that may be missed; needs --zipf or --trace
    #[arg(long, value_name = "P", requires = "reuse", value_parser = numbers::rate)]
    false_negatives: Option<f64>,
    /// Repeats as independent requests of a Zipf law with exponent S over U keys
    #[arg(long, value_name = "S,U", group = "reuse")]
    zipf: Option<String>,
    /// Repeats as in a recorded stream
    #[arg(long, value_name = "F.csv:COLUMN", group = "reuse")]
    trace: Option<String>,
}

impl Cmd {
    /// What is wanted.
    pub fn wants(self) -> anyhow::Result<Wants> {
        self.is_enough()?;
        let budget = match (self.false_negatives, &self.zipf, &self.trace) {
            (Some(rate), Some(zipf), _) => Some((rate, Reuse::Zipf(parse_zipf(zipf)?))),
            (Some(rate), None, Some(trace)) => {
                note!(
                    "note: the share of repeats that are missed is the mean over all moments of a cycle at which this trace might begin; \
                     `bloomline verify FILE --keys {trace}` measures the one at which it does"
                );
                Some((rate, read_trace(trace)?))
            }
            (None, None, None) => None,
            _ => anyhow::bail!(
                "--zipf and --trace say how keys return: give --false-negatives with them"
            ),
        };
        let wanted = sizing::Recycling {
            memory: self.memory,
            rate: self.rate,
            messages: self.messages,
            hashes: self.hashes,
            phases: self.phases,
            threshold: self.threshold,
            on_messages: self.on_messages,
            independent: self.independent,
            forget_tripping: self.forget_tripping,
            powers_of_two: self.powers_of_two,
            false_negatives: budget.map(|(rate, reuse)| FalseNegativeBudget { rate, reuse }),
        };
        Ok(Wants::Recycling(wanted))
    }

    /// Says which options are missing, where theory would say which quantities are.
    fn is_enough(&self) -> anyhow::Result<()> {
        let missing = match (self.threshold, self.memory) {
            (Some(_), memory) => (memory.is_none() || self.hashes.is_none())
                .then_some("--threshold needs --memory and --hashes"),
            (None, Some(_)) => (self.rate.is_none() && self.messages.is_none())
                .then_some("--memory needs --rate or --messages, or --hashes with --threshold"),
            (None, None) => (self.rate.is_none()
                || (self.messages.is_none() && self.false_negatives.is_none()))
            .then_some("without --memory, give --rate with --messages or --false-negatives"),
        };
        missing.map_or(Ok(()), |missing| anyhow::bail!("size recycling: {missing}"))
    }
}

/// A popularity law: `EXPONENT,KEYS`.
pub fn parse_zipf(text: &str) -> anyhow::Result<Zipf> {
    let parts = text.split_once(',').and_then(|(exponent, universe)| {
        let exponent = exponent.trim().parse().ok()?;
        Some((exponent, numbers::count(universe.trim()).ok()?))
    });
    let (exponent, universe) = parts.with_context(|| {
        format!("--zipf {text}: must be EXPONENT,KEYS with at least 1 key, for example 0.9,1000000")
    })?;
    Ok(Zipf::new(exponent, universe)?)
}

fn read_trace(text: &str) -> anyhow::Result<Reuse> {
    let (file, column) = table::column("--trace", text)?;
    sizing::reuse_of(&file, &column)?.with_context(|| {
        format!("--trace {text}: no key comes twice, so there is nothing to forget")
    })
}
