//! The number of hashes with the smallest rate (OCC 3.4).

use serde::Serialize;

use super::filter::{Probes, StaticFilter, NAME};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::search::minimum;
use crate::occupancy::covered::MAX_TARGETS;

/// The best number of hashes and what it gives.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Optimum {
    /// k*, the smallest of equals.
    pub hashes: u64,
    /// Binary logarithm of the rate at k*.
    pub log2_rate: Figure,
}

/// `k_S*` or `k_C*`: the number of hashes, from 1 to m, with the smallest exact rate for n items in m bits.
///
/// An exact search: a k is left out only where a proven lower bound of its rate (M, or Jensen's for the classic filter)
/// exceeds the best rate found. Costs the exact rates of the k near the optimum: 0.1 ms in all for m = 2^20, n = 10^5, where
/// they are few; half a second for m = 1024, n = 5, where k is above 100 and they are many.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] for no items or bits; [`TheoryError::TooLarge`] when hashes above 800 or evaluations of
/// more than seconds cannot be ruled out.
pub fn optimal_hashes(bits: u64, items: u64, probes: Probes) -> Result<Optimum, TheoryError> {
    optimal_hashes_within(bits, items, probes, &mut Steps(u64::MAX))
}

/// [`optimal_hashes`] where that takes a tenth of a second or so.
///
/// # Errors
/// Those of [`optimal_hashes`]; [`TheoryError::TooLarge`] where exact rates take more than 14 million elementary steps, about a tenth of a second.
pub fn optimal_hashes_soon(bits: u64, items: u64, probes: Probes) -> Result<Optimum, TheoryError> {
    optimal_hashes_within(bits, items, probes, &mut Steps(SOON))
}

/// Elementary steps of exact rates that a user of the command waits for, about a tenth of a second.
pub(super) const SOON: u64 = 14_000_000;

/// Elementary steps that a search may still take.
pub(super) struct Steps(pub(super) u64);

impl Steps {
    fn take(&mut self, steps: u64) -> Result<(), TheoryError> {
        self.0 = self.0.checked_sub(steps).ok_or(TheoryError::TooLarge {
            formula: "optimal number of hashes",
            quantity: "elementary steps",
            got: steps.saturating_add(SOON - self.0.min(SOON)),
            limit: SOON,
            next_step: "store more items in fewer bits, or use the estimates",
        })?;
        Ok(())
    }
}

pub(super) fn optimal_hashes_within(
    bits: u64,
    items: u64,
    probes: Probes,
    left: &mut Steps,
) -> Result<Optimum, TheoryError> {
    if items == 0 {
        return Err(TheoryError::domain(NAME, "items", "at least 1", items));
    }
    let first = hashes_estimate(bits, items)?.value.round();
    let most = bits.min(MAX_TARGETS);
    let first = (first as u64).min(most).max(1);
    StaticFilter::new(bits, items, first, probes)?;
    let at = |hashes| StaticFilter {
        bits,
        items,
        hashes,
        probes,
    };
    let (hashes, log2_rate) = minimum(
        (1, bits),
        first,
        &|lo, hi| at(lo).ln_floor(hi) / std::f64::consts::LN_2,
        &mut |hashes| {
            if hashes > MAX_TARGETS {
                return Err(TheoryError::TooLarge {
                    formula: "optimal number of hashes",
                    quantity: "hashes",
                    got: hashes,
                    limit: MAX_TARGETS,
                    next_step: "store more items in fewer bits",
                });
            }
            let filter = at(hashes);
            left.take(filter.steps())?;
            Ok(filter.wide_rate()?.log2())
        },
    )?;
    let formula = match probes {
        Probes::Independent => "log2 of OCC (56) f_S at k_S*, by exact search",
        Probes::Distinct => "log2 of OCC (60) f_C at k_C*, by exact search",
    };
    Ok(Optimum {
        hashes,
        log2_rate: Figure::new(log2_rate, formula, Accuracy::exact(super::filter::ACCURACY)),
    })
}

/// The number of hashes that minimises a lower bound of the rate: for filters with so many bits an item that [`optimal_hashes`]
/// takes too long. The number itself is an approximation; its rate is bounded from below by M (OCC 57), for the classic filter by
/// Theorem 15.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] for no items, or more than 2^46 bits.
pub fn hashes_by_bound(bits: u64, items: u64, probes: Probes) -> Result<Optimum, TheoryError> {
    let estimate = match probes {
        Probes::Independent => hashes_estimate(bits, items)?,
        Probes::Distinct => classic_hashes_estimate(bits, items)?,
    };
    StaticFilter::new(bits, items, 1, probes)?;
    let hashes = (estimate.value.round() as u64).clamp(1, bits);
    let filter = StaticFilter {
        bits,
        items,
        hashes,
        probes,
    };
    let formula = match probes {
        Probes::Independent => "log2 of M (OCC 57) at the estimated optimum",
        Probes::Distinct => "log2 of the bound of OCC Theorem 15 at the estimated optimum",
    };
    let log2 = filter.ln_floor(hashes) / std::f64::consts::LN_2;
    Ok(Optimum {
        hashes,
        log2_rate: Figure::new(log2, formula, Accuracy::bound()),
    })
}

/// `m/n ln 2` (OCC 67), the textbook's optimum. An approximation: in the tested range the true optima lie between
/// `floor(m/2n)` and the ceiling of this (conjecture 24, rounded), so the stated error is `1 - 1/(2 ln 2)` and one hash.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] for no items.
pub fn hashes_estimate(bits: u64, items: u64) -> Result<Figure, TheoryError> {
    if items == 0 {
        return Err(TheoryError::domain(NAME, "items", "at least 1", items));
    }
    let value = bits as f64 / items as f64 * std::f64::consts::LN_2;
    Ok(Figure::new(
        value,
        "OCC (67) m/n ln 2",
        Accuracy::approximation(1.0 - 0.5 / std::f64::consts::LN_2 + 1.0 / value),
    ))
}

/// `m ln 2/(n + ln 2)` (OCC 77), the classic filter's optimum for small n. An approximation found by the paper's
/// experiments, 22% low for a single item. The stated relative error, `0.222/n` and one hash, was found by exact search for
/// m from 100 to 700 and n up to 64, and is tested there.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] for no items.
pub fn classic_hashes_estimate(bits: u64, items: u64) -> Result<Figure, TheoryError> {
    if items == 0 {
        return Err(TheoryError::domain(NAME, "items", "at least 1", items));
    }
    let ln2 = std::f64::consts::LN_2;
    let value = bits as f64 * ln2 / (items as f64 + ln2);
    Ok(Figure::new(
        value,
        "OCC (77) m ln 2/(n + ln 2)",
        Accuracy::approximation(0.222 / items as f64 + 1.0 / value),
    ))
}
