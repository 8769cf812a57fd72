//! One sketch and the bound of its failure.

use serde::Serialize;

use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::primes::{is_prime, next_prime};

pub(super) const NAME: &str = "Count-Min sketch";
pub(super) const MOST_WIDTH: u64 = 1 << 40;

/// A sketch of d rows of w counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CountMin {
    width: u64,
    depth: u64,
}

impl CountMin {
    /// `width` (w) counters in each of `depth` (d) rows.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless w is a prime below 2^40 (the next prime is named) and d is 1 to w.
    pub fn new(width: u64, depth: u64) -> Result<Self, TheoryError> {
        if width >= MOST_WIDTH {
            return Err(TheoryError::domain(
                NAME,
                "width",
                "a prime below 2^40",
                width,
            ));
        }
        if !is_prime(width) {
            let nearest = next_prime(width);
            return Err(TheoryError::domain(
                NAME,
                "width",
                format!("a prime (the next one: {nearest})"),
                width,
            ));
        }
        if depth == 0 || depth > width {
            return Err(TheoryError::domain(
                NAME,
                "depth",
                format!(
                    "1 to the width {width} (nearest: {})",
                    depth.clamp(1, width)
                ),
                depth,
            ));
        }
        Ok(Self { width, depth })
    }

    /// Counters in a row (w).
    pub fn width(&self) -> u64 {
        self.width
    }

    /// Rows (d).
    pub fn depth(&self) -> u64 {
        self.depth
    }

    /// Counters in all.
    pub fn counters(&self) -> u64 {
        self.width * self.depth
    }

    /// Upper bound of the probability that an estimate exceeds the true count by more than `excess` times the total
    /// count: `2/(eps w^2) + (2/(eps w))^d` (KM Theorem 9.1), at most 1.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless eps lies between 0 and 1.
    pub fn failure_bound(&self, excess: f64) -> Result<Figure, TheoryError> {
        check_fraction("eps", excess)?;
        Ok(Figure::new(
            self.bound(excess).min(1.0),
            "KM Theorem 9.1: 2/(eps w^2) + (2/(eps w))^d",
            Accuracy::bound(),
        ))
    }

    /// The same for the least estimate of `copies` independent sketches of this size, which must all fail: to the power of the
    /// copies (KM 9.2).
    ///
    /// # Errors
    /// As [`Self::failure_bound`].
    pub fn failure_bound_of_copies(&self, excess: f64, copies: u32) -> Result<Figure, TheoryError> {
        let one = self.failure_bound(excess)?;
        if copies == 1 {
            return Ok(one);
        }
        Ok(Figure::new(
            one.value.powi(copies as i32),
            "KM Theorem 9.1 to the power of the copies: (2/(eps w^2) + (2/(eps w))^d)^copies",
            Accuracy::bound(),
        ))
    }

    pub(super) fn bound(&self, excess: f64) -> f64 {
        let w = self.width as f64;
        let row = 2.0 / (excess * w);
        row / w + row.powf(self.depth as f64)
    }
}

pub(super) fn check_fraction(argument: &'static str, value: f64) -> Result<(), TheoryError> {
    TheoryError::check_fraction(NAME, argument, value)
}
