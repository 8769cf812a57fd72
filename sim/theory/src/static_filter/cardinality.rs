//! Estimates from the number of set bits (OCC 2.4.2).

use super::filter::{Probes, NAME};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::double_double::Dd;
use crate::occupancy::{Batches, Union};

/// How many items a filter of `bits` bits holds, from the number of bits set: `ln(1-b/m)/ln(1-k/m)` for a classic filter
/// (OCC 46), `ln(1-b/m)/(k ln(1-1/m))` for a standard one.
///
/// An approximation; the stated relative error is one standard deviation of the estimate (delta method, from the
/// variance OCC 43, 45 at the estimate).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless some bit is set and some is clear, and k is 1 to m - 1.
pub fn items_from_set(
    bits: u64,
    set: u64,
    hashes: u64,
    probes: Probes,
) -> Result<Figure, TheoryError> {
    if hashes == 0 || hashes >= bits {
        return Err(TheoryError::domain(
            NAME,
            "hashes",
            "at least 1 and less than the bits",
            hashes,
        ));
    }
    if set == 0 || set >= bits {
        return Err(TheoryError::domain(
            NAME,
            "set bits",
            format!("1 to {}, as a full filter tells nothing", bits - 1),
            set,
        ));
    }
    let m = bits as f64;
    let (decay, formula, size) = match probes {
        Probes::Distinct => ((-(hashes as f64) / m).ln_1p(), "OCC (46), classic", hashes),
        Probes::Independent => (
            hashes as f64 * (-1.0 / m).ln_1p(),
            "OCC (46), standard: ln(1-b/m)/(k ln(1-1/m))",
            1,
        ),
    };
    let value = (-(set as f64) / m).ln_1p() / decay;
    let count = (value * hashes as f64 / size as f64).round().max(1.0) as u64;
    let spread = Union::new(bits, &[Batches { count, size }])?
        .variance()
        .value
        .sqrt();
    let error = spread / ((m - set as f64) * -decay) / value;
    Ok(Figure::new(value, formula, Accuracy::approximation(error)))
}

/// How many urns (bits) there are, from the number occupied by n batches of k: the unbiased estimate of least variance
/// (OCC 47; its two cases for k = 1, OCC 48, are one). The value is exact for the formula; the stated error is one
/// standard deviation relative to it (delta method), so it is an approximation of m.
///
/// Evaluated as `b + (m-b+1) P(b-1)/P(b)` with the occupancy distribution for any m, here one near the estimate. Costs
/// balls times urns.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless the occupied urns lie between k and nk; [`TheoryError::TooLarge`] beyond about
/// a second.
pub fn bits_from_set(items: u64, hashes: u64, set: u64) -> Result<Figure, TheoryError> {
    let balls = items.saturating_mul(hashes);
    if hashes == 0 || items == 0 {
        let argument = if items == 0 { "items" } else { "hashes" };
        return Err(TheoryError::domain(NAME, argument, "at least 1", 0));
    }
    if set < hashes || set > balls {
        return Err(TheoryError::domain(
            NAME,
            "set bits",
            format!("{hashes} to {balls} after {items} items of {hashes} bits"),
            set,
        ));
    }
    let near = urns_by_mean(items, hashes, set);
    let union = Union::new(
        near,
        &[Batches {
            count: items,
            size: hashes,
        }],
    )?;
    let pmf = union.pmf()?;
    let (here, below) = (
        pmf.probabilities[set as usize],
        pmf.probabilities[set as usize - 1],
    );
    let b = set as f64;
    let value = b + (near as f64 - b + 1.0) * Dd::ratio(below, here).value();
    let slope = mean_slope(near, items, hashes);
    let error = union.variance().value.sqrt() / slope / value;
    Ok(Figure::new(
        value,
        "OCC (47)",
        Accuracy::approximation(error),
    ))
}

/// The urns at which the expected number occupied is `set`, at most twice the square of `set`.
fn urns_by_mean(items: u64, hashes: u64, set: u64) -> u64 {
    let mean = |m: f64| -m * (items as f64 * (-(hashes as f64) / m).ln_1p()).exp_m1();
    let (mut lo, mut hi) = (
        set,
        set.saturating_mul(set)
            .saturating_mul(2)
            .min(1 << 20)
            .max(set),
    );
    while hi - lo > 1 {
        let middle = lo + (hi - lo) / 2;
        if mean(middle as f64) < set as f64 {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    hi
}

/// Derivative of the mean occupancy by the number of urns.
fn mean_slope(urns: u64, items: u64, hashes: u64) -> f64 {
    let (m, n, k) = (urns as f64, items as f64, hashes as f64);
    let clear = (n * (-k / m).ln_1p()).exp();
    (1.0 - clear - n * k / (m - k).max(1.0) * clear).max(f64::MIN_POSITIVE)
}
