//! The paper's own figures for a threshold on messages: worst case, oracle and lower bound (RBF II-B and III).
//!
//! For the rate of the filter itself see [`messages_law`](super::messages_law) and
//! [`partitioned_messages_law`](super::partitioned_messages_law).

use super::half::SharedHalf;
use crate::error::TheoryError;
use crate::numeric::sum::Sum;

/// Longest sum over messages that is taken.
const LONGEST: u64 = 1 << 27;

/// RBF (1): `f_w = [1-(1-1/M)^(kn)]^k`, the rate after `messages` messages; with distinct probes the mean fill is
/// `1-(1-k/M)^n`.
///
/// The k-th power of the mean fill is a lower bound of the mean rate (Jensen) with colliding probes, an approximation with
/// distinct ones. Any `messages`.
pub fn worst_case_rate(half: SharedHalf, messages: u64) -> f64 {
    let (bits, k, n) = (
        half.bits() as f64,
        f64::from(half.hashes()),
        messages as f64,
    );
    let kept = if half.distinct() {
        n * (-k / bits).ln_1p()
    } else {
        n * k * (-1.0 / bits).ln_1p()
    };
    (-kept.exp_m1()).powi(half.hashes() as i32)
}

/// RBF (2): `f_o = 1/N sum_i f_i` with f_i from (1), the average rate of an oracle that recycles after N new messages.
///
/// Lower bound of the rate of the N-bounded filter. The i-th arrival is tested against the i-1 before it. Time N.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `1 <= messages`, [`TheoryError::TooLarge`] above 2^27.
pub fn oracle_rate(half: SharedHalf, messages: u64) -> Result<f64, TheoryError> {
    check("RBF (2)", messages)?;
    let mut sum = Sum::default();
    (0..messages).for_each(|stored| sum.add(worst_case_rate(half, stored)));
    Ok(sum.value() / messages as f64)
}

/// RBF (3): `f_a = sum_i f_i/(1-f_i) / sum_i 1/(1-f_i)`, the average rate with N bit-setting messages at the fills of (1).
///
/// Lower bound of the rate of the N-bounded filter, above [`oracle_rate`]. Time N.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `1 <= messages`, [`TheoryError::TooLarge`] above 2^27.
pub fn average_rate_bound(half: SharedHalf, messages: u64) -> Result<f64, TheoryError> {
    check("RBF (3)", messages)?;
    let (mut unset, mut all) = (Sum::default(), Sum::default());
    for stored in 0..messages {
        let rate = worst_case_rate(half, stored);
        unset.add(rate / (1.0 - rate));
        all.add(1.0 / (1.0 - rate));
    }
    Ok(unset.value() / all.value())
}

fn check(formula: &'static str, messages: u64) -> Result<(), TheoryError> {
    if messages == 0 {
        return Err(TheoryError::domain(
            formula,
            "messages",
            "at least 1",
            messages,
        ));
    }
    if messages > LONGEST {
        return Err(TheoryError::TooLarge {
            formula,
            quantity: "messages",
            got: messages,
            limit: LONGEST,
            next_step: "use the law of the N-bounded filter",
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_figures_match_the_check_values() {
        let half = SharedHalf::new(1000, 4, false).expect("legal half");
        let oracle = oracle_rate(half, 173).expect("legal");
        let bound = average_rate_bound(half, 173).expect("legal");
        assert!((oracle - 0.0154275493).abs() < 0.6e-10, "{oracle}");
        assert!((bound - 0.0157586458).abs() < 0.6e-10, "{bound}");
        assert!(oracle_rate(half, 0).is_err() && average_rate_bound(half, u64::MAX).is_err());
    }
}
