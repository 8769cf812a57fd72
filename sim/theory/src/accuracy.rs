//! Accuracy of a number (exact, approximation or bound), carried beside the number.

use serde::Serialize;

/// What stands between a number and the quantity it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccuracyKind {
    /// Only rounding, and truncations below it.
    Exact,
    /// A model error, estimated or measured.
    Approximation,
    /// The true value is this or a better one: for a rate, this or less.
    Bound,
    /// The true value is this or a worse one: for a rate, this or more, and how much more is not known.
    LowerBound,
}

/// The kind of a number and the size of its error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Accuracy {
    /// Exact, approximation or bound.
    pub kind: AccuracyKind,
    /// Relative error, a fraction of the value. For an exact number the rounding that tests allow it; for an
    /// approximation the stated (estimated and tested) model error; for a bound 0, as nothing is said of its slack.
    pub relative_error: f64,
}

impl Accuracy {
    /// A number free of model error, with the rounding that its tests allow.
    pub const fn exact(relative_error: f64) -> Self {
        Self {
            kind: AccuracyKind::Exact,
            relative_error,
        }
    }

    /// An approximation with its stated relative error; one that no double holds is stated as the greatest double.
    pub const fn approximation(relative_error: f64) -> Self {
        Self {
            kind: AccuracyKind::Approximation,
            relative_error: relative_error.min(f64::MAX),
        }
    }

    /// A bound.
    pub const fn bound() -> Self {
        Self {
            kind: AccuracyKind::Bound,
            relative_error: 0.0,
        }
    }

    /// A lower bound of a rate.
    pub const fn lower_bound() -> Self {
        Self {
            kind: AccuracyKind::LowerBound,
            relative_error: 0.0,
        }
    }

    /// The accuracy of a value made from two: the weaker kind and the sum of the errors.
    pub fn and(self, other: Self) -> Self {
        use AccuracyKind::{Approximation, Bound, Exact, LowerBound};
        let kind = match (self.kind, other.kind) {
            (Exact, Exact) => Exact,
            (LowerBound, _) | (_, LowerBound) => LowerBound,
            (Bound, _) | (_, Bound) => Bound,
            _ => Approximation,
        };
        Self {
            kind,
            relative_error: (self.relative_error + other.relative_error).min(f64::MAX),
        }
    }
}

/// A predicted number with its source and its accuracy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// The number; the field that holds the figure names its unit.
    pub value: f64,
    /// The formula the number comes from: paper and equation, or the name of a derivation in this crate.
    pub formula: String,
    /// How good it is.
    pub accuracy: Accuracy,
    /// Natural logarithm of the number where doubles end: below 1e-300 `value` loses digits, and below 5e-324 it is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ln: Option<f64>,
}

impl Figure {
    /// A figure from its three parts.
    pub fn new(value: f64, formula: impl Into<String>, accuracy: Accuracy) -> Self {
        Self {
            value,
            formula: formula.into(),
            accuracy,
            ln: None,
        }
    }

    /// The same with the logarithm of its number, which is kept where doubles end.
    pub(crate) fn with_ln(self, ln: f64) -> Self {
        Self {
            ln: Some(ln).filter(|ln| self.value < SMALLEST && ln.is_finite()),
            ..self
        }
    }
}

/// Values below this come with their logarithm.
const SMALLEST: f64 = 1e-300;
