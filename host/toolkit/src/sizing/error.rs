use bloomline_stimulus::StimulusError;
use bloomline_theory::TheoryError;

/// Why no sizes can be given. Options that are named are those of `bloomline size`; `new` asks for sizes too, and has others.
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
    #[error("{items} items: no filter of at most 2^32 bits and 16 hashes that can be built meets this; ask for fewer items, a higher rate or more bits, or see the papers' number with `bloomline size ... --theory`")]
    NotBuildable {
        /// Items that were wanted.
        items: u64,
    },
    /// A given memory is too small for the partitions that can be built.
    #[error("--memory {memory}: a partition that can be built has at least 128 bits; give more memory or fewer hashes, or see the papers' number with `bloomline size recycling ... --theory`")]
    SmallMemory {
        /// Bits that were given.
        memory: u64,
    },
    /// More hashes than can be built.
    #[error("--hashes {hashes}: at most 16 hashes can be built; give fewer, or see the papers' number with `bloomline size ... --theory`")]
    TooManyHashes {
        /// The number.
        hashes: u64,
    },
    /// A recycling filter has more bits than can be built.
    #[error("{wants}: {why} (at most 4294967295 bits a half); {next_step}, or see the papers' number with `bloomline size recycling ... --theory`")]
    LargeHalf {
        /// What was asked for.
        wants: String,
        /// What is too large.
        why: &'static str,
        /// What may do.
        next_step: String,
    },
    /// The floor that two hash functions put under the rate is too large a part of it.
    #[error("two hash functions add {percent:.1}% of the rate {rate:e}, of which at most 10% is taken; give more memory, or take independent functions (`bloomline size recycling ... --independent`)")]
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
