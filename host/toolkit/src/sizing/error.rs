use bloomline_stimulus::StimulusError;
use bloomline_theory::TheoryError;

/// Why no sizes can be given. What was wanted is named as on the command line.
#[derive(Debug, thiserror::Error)]
pub enum SizeError {
    /// Theory does not cover it, or nothing meets it.
    #[error(transparent)]
    Theory(#[from] TheoryError),
    /// A recorded stream cannot be read.
    #[error(transparent)]
    Stimulus(#[from] StimulusError),
    /// A static filter needs two numbers of three.
    #[error("size static: two of --bits, --items and --rate are needed; the third is solved for")]
    TwoOfThree,
    /// Hashes are solved for where a rate is.
    #[error(
        "--hashes: goes with --bits and --items; with --rate the best number of hashes is taken"
    )]
    HashesBesideRate,
    /// A counting filter needs its counters or a rate.
    #[error("size counting: --counters or --rate is needed")]
    CountersOrRate,
    /// A rate is between 0 and 1.
    #[error("--rate {rate}: must be above 0 and below 1; take the rate of false alarms you can live with")]
    Rate {
        /// The number.
        rate: f64,
    },
    /// No filter of a size that is tried meets the rate.
    #[error("--rate {rate}: no filter of at most {counters} counters reaches it")]
    NoFilter {
        /// The rate.
        rate: f64,
        /// Most counters that were tried.
        counters: u64,
        /// Why theory went no further, where it did not.
        source: Option<Box<SizeError>>,
    },
    /// No filter that can be built meets it.
    #[error("{items} items: no filter of at most 2^32 bits and 16 hashes that can be built meets this; ask for fewer items, a higher rate or more bits, or see the papers' number with --theory")]
    NotBuildable {
        /// Items that were wanted.
        items: u64,
    },
    /// A given memory is too small for the partitions that can be built.
    #[error("--memory {memory}: a partition that can be built has at least 128 bits; give more memory or fewer --hashes, or see the papers' number with --theory")]
    SmallMemory {
        /// Bits that were given.
        memory: u64,
    },
    /// A given memory is larger than can be built.
    #[error("--memory {memory}: at most 2^32 bits can be built; give less, or see the papers' number with --theory")]
    GivenMemory {
        /// Bits that were given.
        memory: u64,
    },
    /// More hashes than can be built.
    #[error("--hashes {hashes}: at most 16 hashes can be built; give fewer, or see the papers' number with --theory")]
    TooManyHashes {
        /// The number.
        hashes: u64,
    },
    /// The smallest recycling filter that meets this has more bits than can be built.
    #[error("{wants}: the smallest filter takes {memory} bits, and at most 2^32 can be built; raise --rate or lower --messages, or see the papers' number with --theory")]
    LargeMemory {
        /// Options that were given.
        wants: String,
        /// Bits that it would take.
        memory: u64,
    },
    /// The floor that two hash functions put under the rate is too large a part of it.
    #[error("two hash functions add {percent:.1}% of the rate {rate:e}, of which at most 10% is taken; add --independent, or give more --memory")]
    TwoHashFloor {
        /// The rate, with what two hash functions add.
        rate: f64,
        /// What they add, as a percentage of it.
        percent: f64,
    },
    /// The sizes that were found make no specification.
    #[error(
        "{0}\nother wants may do; `bloomline size` with --theory prints the papers' number alone"
    )]
    Planned(Box<crate::Error>),
    /// What was wanted is outside what a specification may say.
    #[error(transparent)]
    Spec(#[from] bloomline_spec::SpecError),
}

#[cfg(test)]
mod tests {
    use crate::sizing::{Form, Recycling, Static};

    #[test]
    fn what_cannot_be_built_is_refused_by_its_option() {
        let wants = Static {
            bits: Some(11_653_742),
            items: Some(423),
            rate: None,
            hashes: Some(742),
            distinct: false,
        };
        let error = wants.built(&Form::default()).expect_err("too many hashes");
        assert!(error.to_string().starts_with("--hashes 742: "), "{error}");

        let wants = Recycling {
            memory: None,
            rate: Some(1e-15),
            messages: Some(10_000.0),
            hashes: None,
            phases: None,
            threshold: None,
            on_messages: false,
            independent: false,
            forget_tripping: false,
            powers_of_two: false,
            false_negatives: None,
        };
        let error = wants
            .clone()
            .built(&Form::default())
            .expect_err("too large")
            .to_string();
        assert!(
            error.starts_with("--messages 10000 --rate 1e-15: "),
            "{error}"
        );

        let given = Recycling {
            memory: Some(1 << 33),
            messages: Some(1e6),
            rate: None,
            ..wants.clone()
        };
        let error = given.built(&Form::default()).expect_err("too large");
        let error = error.to_string();
        assert!(error.starts_with("--memory 8589934592: "), "{error}");

        let floor = Recycling {
            memory: Some(4096),
            rate: None,
            messages: None,
            hashes: Some(4),
            threshold: Some(100),
            ..wants
        };
        let error = floor
            .built(&Form::default())
            .expect_err("a floor")
            .to_string();
        assert!(error.contains("add --independent"), "{error}");
    }
}
