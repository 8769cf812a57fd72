//! Capacity or memory of a static filter at a given rate (OCC 68).

use serde::Serialize;

use super::filter::{Probes, StaticFilter, NAME};
use super::optimum::{optimal_hashes_within, Optimum, Steps, SOON};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::search::first_true;

/// A size found by exact rates, beside the textbook's estimate of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Capacity {
    /// The exact answer: items or bits.
    pub exact: u64,
    /// The best number of hashes there, and its rate.
    pub optimum: Optimum,
    /// The estimate (OCC 68), with its relative error against the exact answer.
    pub estimate: Figure,
}

/// n_max: the most items that m bits hold at a rate of at most `rate`, with the best number of hashes.
///
/// Exact: the rate grows with every item for each k, so the best rate does. The estimate beside it is
/// `-m ln 2/log2 p` (OCC 68).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless the rate lies between 0 and 1 and one item meets it; those of
/// [`optimal_hashes_soon`](super::optimal_hashes_soon), for half as many steps in the whole search.
pub fn most_items(bits: u64, rate: f64, probes: Probes) -> Result<Capacity, TheoryError> {
    let log2 = check_rate(rate)?;
    let left = &mut Steps(SOON / 2);
    StaticFilter::new(bits, 1, 1, probes)?;
    let estimate = bits as f64 * std::f64::consts::LN_2 / -log2;
    let mut too_many = |items| {
        Ok(optimal_hashes_within(bits, items, probes, left)?
            .log2_rate
            .value
            > log2)
    };
    let limit = bits.saturating_mul(64);
    let first = first_true((1, limit), estimate as u64, &mut too_many)?;
    let exact = match first {
        Some(1) => {
            let best = optimal_hashes_within(bits, 1, probes, left)?
                .log2_rate
                .value;
            return Err(TheoryError::domain(
                NAME,
                "rate",
                format!("at least 2^{best:.2}, the best that {bits} bits give one item"),
                rate,
            ));
        }
        Some(items) => items - 1,
        None => {
            return Err(TheoryError::domain(
                NAME,
                "rate",
                "small enough to be passed by 64 items a bit",
                rate,
            ))
        }
    };
    Ok(Capacity {
        exact,
        optimum: optimal_hashes_within(bits, exact, probes, left)?,
        estimate: estimated(estimate, exact, "OCC (68) n_max ~ -m ln 2/log2 p"),
    })
}

/// m_min: the fewest bits that hold n items at a rate of at most `rate`, with the best number of hashes.
///
/// Exact, given that the best rate falls with every further bit (tested, not proven). The estimate beside it is
/// `-n log2 p/ln 2` (OCC 68).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless the rate lies between 0 and 1 and there are items; those of
/// [`optimal_hashes_soon`](super::optimal_hashes_soon), for half as many steps in the whole search.
pub fn fewest_bits(items: u64, rate: f64, probes: Probes) -> Result<Capacity, TheoryError> {
    let log2 = check_rate(rate)?;
    let left = &mut Steps(SOON / 2);
    let estimate = items as f64 * -log2 / std::f64::consts::LN_2;
    let mut enough = |bits| {
        Ok(optimal_hashes_within(bits, items, probes, left)?
            .log2_rate
            .value
            <= log2)
    };
    let limit = 1u64 << 46;
    let exact = first_true((1, limit), estimate.ceil() as u64, &mut enough)?
        .ok_or_else(|| TheoryError::domain(NAME, "items", "few enough for 2^46 bits", items))?;
    Ok(Capacity {
        exact,
        optimum: optimal_hashes_within(exact, items, probes, left)?,
        estimate: estimated(estimate, exact, "OCC (68) m_min ~ -n log2 p/ln 2"),
    })
}

/// The items that m bits hold at a rate (OCC 68), `-m ln 2/log2 p`: for rates at which [`most_items`] takes too long. How far it is
/// off is not known there.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless the rate lies between 0 and 1.
pub fn items_estimate(bits: u64, rate: f64) -> Result<Figure, TheoryError> {
    let value = bits as f64 * std::f64::consts::LN_2 / -check_rate(rate)?;
    let formula = "OCC (68) n_max ~ -m ln 2/log2 p";
    Ok(Figure::new(
        value,
        formula,
        Accuracy::approximation(f64::MAX),
    ))
}

/// The bits that hold n items at a rate (OCC 68), `-n log2 p/ln 2`: for rates at which [`fewest_bits`] takes too long. How far it is
/// off is not known there.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless the rate lies between 0 and 1.
pub fn bits_estimate(items: u64, rate: f64) -> Result<Figure, TheoryError> {
    let value = items as f64 * -check_rate(rate)? / std::f64::consts::LN_2;
    let formula = "OCC (68) m_min ~ -n log2 p/ln 2";
    Ok(Figure::new(
        value,
        formula,
        Accuracy::approximation(f64::MAX),
    ))
}

fn estimated(value: f64, exact: u64, formula: &str) -> Figure {
    let error = (value - exact as f64).abs() / value;
    Figure::new(value, formula, Accuracy::approximation(error))
}

/// The binary logarithm of a rate in (0, 1).
fn check_rate(rate: f64) -> Result<f64, TheoryError> {
    TheoryError::check_fraction(NAME, "rate", rate)?;
    Ok(rate.log2())
}
