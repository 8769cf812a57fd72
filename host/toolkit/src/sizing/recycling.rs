use super::{Sheet, SizeError};
use bloomline_stimulus::{reuse_distances, CsvColumn};
use bloomline_theory::sizing::{
    design, Design, FalseNegativeBudget, Hashing, On, Ranges, Requirements, Reuse,
};
use bloomline_theory::TheoryError;
use std::collections::BTreeMap;
use std::path::Path;

/// What is wanted of a filter; what is not given is solved for.
#[derive(Debug, Clone, PartialEq)]
pub struct Recycling {
    /// Data bits of all halves together.
    pub memory: Option<u64>,
    /// Largest average false-positive rate.
    pub rate: Option<f64>,
    /// Least mean number of new messages in a cycle.
    pub messages: Option<f64>,
    /// Number of hashes [default: 1 to 16 are tried].
    pub hashes: Option<u32>,
    /// Halves, 1 or 2 [default: 1, or the better one under --false-negatives].
    pub phases: Option<u32>,
    /// Threshold of a half.
    pub threshold: Option<u64>,
    /// The threshold counts bit-setting messages, not bits.
    pub on_messages: bool,
    /// One hash function a probe, not two for all.
    pub independent: bool,
    /// The message that trips a recycle is forgotten.
    pub forget_tripping: bool,
    /// Partitions of a power of two only: less logic and a shorter pipeline for more memory.
    pub powers_of_two: bool,
    /// Largest share of repeats that may be missed, and how keys return.
    pub false_negatives: Option<FalseNegativeBudget>,
}

impl Recycling {
    /// Looks at the numbers that theory has under other names.
    pub(super) fn check(&self) -> Result<(), SizeError> {
        SizeError::unless_share("rate", self.rate)?;
        let messages = self.messages.unwrap_or(1.0);
        SizeError::unless(
            messages >= 1.0 && messages.is_finite(),
            "messages",
            messages,
            "1 or more",
        )
    }

    /// Finds the filter, as theory has it.
    ///
    /// # Errors
    /// [`SizeError`], with the nearest there is where nothing meets the wants.
    pub fn sheet(self) -> Result<Sheet, SizeError> {
        self.check()?;
        let found = self.clone().design(Ranges::Any, u64::MAX)?.chosen;
        let (params, numbers) = (&found.params, &found.prediction);
        let solved = |given: bool| if given { "given" } else { "solved" };
        let partition = params.memory_bits / u64::from(params.phases * params.hashes);
        let sheet = Sheet::new("recycling filter, partitioned: one bank a hash")
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

    /// Finds it among filters with partitions of these sizes, or of a power of two where only those are wanted, of at most so many bits
    /// where no memory is given.
    pub(super) fn design(self, ranges: Ranges, most_memory_bits: u64) -> Result<Design, SizeError> {
        design(&Requirements {
            memory_bits: self.memory,
            most_memory_bits,
            hashes: self.hashes,
            phases: self.phases,
            threshold: self.threshold,
            target_fpr: self.rate,
            capacity: self.messages,
            false_negatives: self.false_negatives,
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
            ranges: match self.powers_of_two {
                true => Ranges::PowersOfTwo,
                false => ranges,
            },
            ..Requirements::open()
        })
        .map_err(|error| match error {
            TheoryError::TwoHashFloor { rate, percent, .. } => {
                SizeError::TwoHashFloor { rate, percent }
            }
            error => error.into(),
        })
    }
}

fn threshold_unit(on: On) -> &'static str {
    match on {
        On::BitsSet => "bits set",
        On::Messages => "messages",
    }
}

/// How keys return in a column of a table; `None` where none comes twice.
///
/// # Errors
/// [`SizeError::Stimulus`].
pub fn reuse_of(file: &Path, column: &str) -> Result<Option<Reuse>, SizeError> {
    let keys: Vec<u64> = CsvColumn::open(file, column)?.collect::<Result<_, _>>()?;
    let mut classes = BTreeMap::new();
    for (distance, count) in reuse_distances(keys) {
        *classes.entry(class(distance)).or_insert(0.0) += count as f64;
    }
    Ok((!classes.is_empty()).then(|| Reuse::Distances(classes.into_iter().collect())))
}

/// A distance to ten binary digits, the middle of those that share them: thousands of classes instead of a trace's length.
fn class(distance: u64) -> u64 {
    let dropped = (u64::BITS - distance.leading_zeros()).saturating_sub(10);
    (distance >> dropped << dropped) + ((1 << dropped) >> 1)
}
