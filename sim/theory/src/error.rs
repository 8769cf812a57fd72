//! The one error type of the crate.

/// Why a prediction could not be made. Every variant carries the quantity it concerns, so that a caller can map it
/// back to a key of its own input.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TheoryError {
    /// An argument lies outside the domain of the formula.
    #[error("{formula}: {argument} = {got} is outside the domain, expected {expected}; change {argument}")]
    OutOfDomain {
        /// The formula or function that was asked for.
        formula: &'static str,
        /// The argument at fault.
        argument: &'static str,
        /// What the formula accepts.
        expected: String,
        /// What it was given.
        got: String,
    },
    /// A memory does not divide into equal halves and partitions.
    #[error(
        "geometry: {memory_bits} bits do not divide into {phases} halves of {parts} equal parts; \
         use a multiple of {multiple} bits"
    )]
    Indivisible {
        /// Total data bits.
        memory_bits: u64,
        /// Halves asked for.
        phases: u32,
        /// Parts of a half (the number of hashes when partitioned, 1 when shared).
        parts: u32,
        /// The memory must be a multiple of this.
        multiple: u64,
    },
    /// No threshold reaches the target rate.
    #[error(
        "threshold: no threshold reaches a rate of {target:e}; the smallest legal threshold {smallest} gives \
         {best:e}; raise the target, the memory or the number of hashes"
    )]
    TargetUnreachable {
        /// The rate asked for.
        target: f64,
        /// The smallest legal threshold.
        smallest: u64,
        /// The rate there.
        best: f64,
    },
    /// The floor that two hash functions put under the rate is too large a part of it.
    #[error(
        "two-hash floor: double hashing adds {excess:e}, {percent:.1}% of the predicted rate {rate:e} (at most 10% \
         is accepted unasked); use independent hashes, enlarge the memory, or accept the floor explicitly"
    )]
    TwoHashFloor {
        /// What double hashing adds to the average rate.
        excess: f64,
        /// The predicted average rate, the excess included.
        rate: f64,
        /// The excess as a percentage of the rate.
        percent: f64,
    },
    /// Nothing meets the requirements.
    #[error("{wanted}: best is {best}; give it more memory, or ask for less")]
    Infeasible {
        /// What was asked for, as a sentence without its end.
        wanted: String,
        /// The nearest there is.
        best: String,
    },
    /// The requirements leave too much open.
    #[error("design: {missing}; add what is missing")]
    Underdetermined {
        /// What is missing.
        missing: &'static str,
    },
    /// The numbers are legal but the evaluation would take too long.
    #[error("{formula}: {quantity} = {got} exceeds the limit {limit} that keeps the evaluation short; {next_step}")]
    TooLarge {
        /// The formula asked for.
        formula: &'static str,
        /// The quantity that is too large.
        quantity: &'static str,
        /// Its value.
        got: u64,
        /// The largest accepted value.
        limit: u64,
        /// What to do instead.
        next_step: &'static str,
    },
}

impl TheoryError {
    /// An [`TheoryError::OutOfDomain`] from displayable parts.
    pub(crate) fn domain(
        formula: &'static str,
        argument: &'static str,
        expected: impl Into<String>,
        got: impl std::fmt::Display,
    ) -> Self {
        Self::OutOfDomain {
            formula,
            argument,
            expected: expected.into(),
            got: got.to_string(),
        }
    }

    /// [`TheoryError::OutOfDomain`] unless `0 < value < 1`.
    pub(crate) fn check_fraction(
        formula: &'static str,
        argument: &'static str,
        value: f64,
    ) -> Result<(), Self> {
        if value > 0.0 && value < 1.0 {
            return Ok(());
        }
        let expected = "more than 0 and less than 1";
        Err(Self::domain(formula, argument, expected, value))
    }

    /// [`TheoryError::OutOfDomain`] with the nearest legal value, unless `low <= value <= high`.
    pub(crate) fn check_range(
        formula: &'static str,
        argument: &'static str,
        value: u64,
        (low, high): (u64, u64),
    ) -> Result<(), Self> {
        if (low..=high).contains(&value) {
            return Ok(());
        }
        let expected = format!("{low} to {high} (nearest: {})", value.clamp(low, high));
        Err(Self::domain(formula, argument, expected, value))
    }
}
