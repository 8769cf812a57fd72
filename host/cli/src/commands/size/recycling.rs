use super::sheet::Sheet;
use anyhow::Context;
use bloomline_stimulus::{reuse_distances, CsvColumn};
use bloomline_theory::sizing::{
    design, FalseNegativeBudget, Hashing, On, Ranges, Requirements, Reuse, Zipf,
};
use std::collections::BTreeMap;
use std::path::Path;

/// Arguments of `size recycling`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Enough are: a memory with a rate or a capacity; a rate with a capacity or a budget for false negatives, and \
                  no memory; a memory, hashes and a threshold."
)]
pub struct Cmd {
    /// Data bits of all halves together
    #[arg(long, value_name = "BITS")]
    memory: Option<u64>,
    /// Largest average false-positive rate
    #[arg(long, value_name = "P")]
    rate: Option<f64>,
    /// Least mean number of new messages in a cycle
    #[arg(long, value_name = "N")]
    messages: Option<f64>,
    /// Number of hashes [default: 1 to 16 are tried]
    #[arg(long, value_name = "K")]
    hashes: Option<u32>,
    /// Halves, 1 or 2 [default: 1, or the better one under --false-negatives]
    #[arg(long, value_name = "PHASES")]
    phases: Option<u32>,
    /// Threshold of a half
    #[arg(long, value_name = "T")]
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
    /// Partitions of any size, not only powers of two (the gateware has these)
    #[arg(long)]
    any_partition: bool,
    /// Largest share of repeats that may be missed; needs --zipf or --trace
    #[arg(long, value_name = "P", requires = "reuse")]
    false_negatives: Option<f64>,
    /// Repeats as independent requests of a Zipf law with exponent S over U keys
    #[arg(long, value_name = "S,U", group = "reuse")]
    zipf: Option<String>,
    /// Repeats as in a recorded stream
    #[arg(long, value_name = "F.csv:COLUMN", group = "reuse")]
    trace: Option<String>,
}

impl Cmd {
    /// Finds the filter.
    pub fn sheet(self) -> anyhow::Result<Sheet> {
        let budget = match (self.false_negatives, &self.zipf, &self.trace) {
            (Some(rate), Some(zipf), _) => Some((rate, Reuse::Zipf(parse_zipf(zipf)?))),
            (Some(rate), None, Some(trace)) => Some((rate, read_trace(trace)?)),
            (None, None, None) => None,
            _ => anyhow::bail!(
                "--zipf and --trace say how keys return: give --false-negatives with them"
            ),
        };
        let found = design(&Requirements {
            memory_bits: self.memory,
            hashes: self.hashes,
            phases: self.phases,
            threshold: self.threshold,
            target_fpr: self.rate,
            capacity: self.messages,
            false_negatives: budget.map(|(rate, reuse)| FalseNegativeBudget { rate, reuse }),
            hashing: if self.independent {
                Hashing::Independent
            } else {
                Hashing::Double
            },
            on: if self.on_messages {
                On::Messages
            } else {
                On::BitsSet
            },
            retain: !self.forget_tripping,
            ranges: if self.any_partition {
                Ranges::Any
            } else {
                Ranges::PowersOfTwo
            },
            ..Requirements::open()
        })?
        .chosen;
        let (params, numbers) = (&found.params, &found.prediction);
        let solved = |given: bool| if given { "given" } else { "solved" };
        let partition = params.memory_bits / u64::from(params.phases * params.hashes);
        let sheet = Sheet::new("recycling filter, partitioned: one bank a hash, one item a clock")
            .whole(
                "memory_bits",
                params.memory_bits,
                "bits",
                solved(self.memory == Some(params.memory_bits)),
            )
            .whole(
                "phases",
                params.phases.into(),
                "",
                solved(self.phases.is_some()),
            )
            .whole(
                "hashes",
                params.hashes.into(),
                "",
                solved(self.hashes.is_some()),
            )
            .whole(
                "partition_bits",
                partition,
                "bits",
                "memory / (phases * hashes)",
            )
            .whole(
                "threshold",
                params.threshold,
                threshold_unit(params.on),
                solved(self.threshold.is_some()),
            )
            .figure("fpr_average", &numbers.fpr_average, "")
            .figure("fpr_worst_case", &numbers.fpr_worst_case, "")
            .figure("two_hash_excess", &numbers.two_hash_excess, "")
            .figure(
                "messages_per_cycle",
                &numbers.cycle_arrivals,
                "new messages",
            );
        Ok(match &found.false_negatives {
            Some(rate) => sheet.figure("false_negative_rate", rate, ""),
            None => sheet,
        })
    }
}

fn threshold_unit(on: On) -> &'static str {
    match on {
        On::BitsSet => "bits set",
        On::Messages => "messages",
    }
}

fn parse_zipf(text: &str) -> anyhow::Result<Zipf> {
    let parts = text.split_once(',').and_then(|(exponent, universe)| {
        Some((exponent.trim().parse().ok()?, universe.trim().parse().ok()?))
    });
    let (exponent, universe) = parts.with_context(|| {
        format!("--zipf {text}: must be EXPONENT,KEYS, for example 0.9,1000000")
    })?;
    Ok(Zipf::new(exponent, universe)?)
}

fn read_trace(text: &str) -> anyhow::Result<Reuse> {
    let (file, column) = text.rsplit_once(':').with_context(|| {
        format!("--trace {text}: must be FILE:COLUMN, for example trace.csv:lbn")
    })?;
    let keys: Vec<u64> = CsvColumn::open(Path::new(file), column)?.collect::<Result<_, _>>()?;
    let mut classes = BTreeMap::new();
    for (distance, count) in reuse_distances(keys) {
        *classes.entry(class(distance)).or_insert(0.0) += count as f64;
    }
    anyhow::ensure!(
        !classes.is_empty(),
        "--trace {text}: no key comes twice, so there is nothing to forget"
    );
    Ok(Reuse::Distances(classes.into_iter().collect()))
}

/// A distance to ten binary digits, the middle of those that share them: thousands of classes instead of a trace's length.
fn class(distance: u64) -> u64 {
    let dropped = (u64::BITS - distance.leading_zeros()).saturating_sub(10);
    (distance >> dropped << dropped) + ((1 << dropped) >> 1)
}
