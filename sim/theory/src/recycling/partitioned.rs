//! The partitioned layout, threshold on bits: the exact law of a half, by whichever of two methods suits its size.

use super::cycle::CycleLaw;
use super::partitioned_half::PartitionedHalf;
use super::{partitioned_contour, partitioned_convolution};
use crate::error::TheoryError;

const FORMULA: &str = "partitioned bits-set law";

/// How the law of a partitioned half is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Convolution where it is quick (below about 4*10^5 multiplications, or 25 times
    /// that where a cycle is below some 40 messages), the contour integral elsewhere.
    Auto,
    /// k-fold convolution of the occupancy law for every number of messages: positive terms only.
    Convolution,
    /// Cauchy and Fourier integrals by the trapezoidal rule, whose error falls off exponentially.
    Contour,
}

/// Work that [`Method::Auto`] allows a convolution, in multiplications.
const CONVOLUTION_BUDGET: f64 = 4e5;
/// The same below some 40 messages a cycle, where the integrals run over whole circles.
const SHORT_CYCLE_BUDGET: f64 = 1e7;
/// Messages of a short cycle.
const SHORT_CYCLE: f64 = 40.0;
/// Work above which even an explicit convolution is refused.
const CONVOLUTION_LIMIT: f64 = 2e10;

/// The non-retaining law of a partitioned half that recycles when a message would set more than `sigma` bits; for the
/// retaining filter apply [`CycleLaw::retaining`], which is exact here.
///
/// Source: derivation of this project: given the number n of new arrivals the partitions are independent,
/// so `rate = sum_n E[prod b_i/m'; sum b_i <= sigma] / sum_n P(sum b_i <= sigma)`, and the frozen half has
/// `sum_n [E(prod b_i(n)/m'; b_n <= sigma) - E(prod b_i(n)/m'; b_(n+1) <= sigma)]`. Exact by either method: relative
/// error below 1e-11 by convolution and 1e-9 by contour, but above 98% of a half of over 10^4 bits an approximation within 1e-13 of
/// its bits (tested against each other and against rational arithmetic).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < k m'`; [`TheoryError::TooLarge`] when a convolution is asked for
/// that would take minutes.
pub fn partitioned_bits_set_law(
    half: PartitionedHalf,
    sigma: u64,
    method: Method,
) -> Result<CycleLaw, TheoryError> {
    Ok(match evaluation(half, sigma, method)? {
        Method::Convolution => partitioned_convolution::law(half, sigma),
        Method::Auto | Method::Contour => partitioned_contour::law(half, sigma),
    })
}

/// The method that [`Method::Auto`] stands for, or the one asked for.
pub(super) fn evaluation(
    half: PartitionedHalf,
    sigma: u64,
    method: Method,
) -> Result<Method, TheoryError> {
    let k = u64::from(half.hashes());
    if sigma < k || sigma >= half.bits() {
        let expected = format!(
            "{k} (the hashes) to {} (one less than the bits of a half)",
            half.bits() - 1
        );
        return Err(TheoryError::domain(FORMULA, "sigma", expected, sigma));
    }
    let work = partitioned_convolution::work(half, sigma);
    // long tails near a full half cost a convolution more than its estimate
    let slack = if sigma as f64 > 0.9 * half.bits() as f64 {
        0.1
    } else {
        1.0
    };
    let budget = if partitioned_convolution::messages(half, sigma) < SHORT_CYCLE {
        SHORT_CYCLE_BUDGET
    } else {
        CONVOLUTION_BUDGET
    };
    match method {
        Method::Convolution if work > CONVOLUTION_LIMIT => Err(TheoryError::TooLarge {
            formula: FORMULA,
            quantity: "multiplications",
            got: work as u64,
            limit: CONVOLUTION_LIMIT as u64,
            next_step: "use Method::Auto or Method::Contour",
        }),
        Method::Auto if work <= budget * slack => Ok(Method::Convolution),
        Method::Convolution => Ok(Method::Convolution),
        Method::Auto | Method::Contour => Ok(Method::Contour),
    }
}
