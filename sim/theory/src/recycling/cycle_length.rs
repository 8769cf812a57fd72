//! Closed forms and the backward recursion of RBF IV-D and IV-F.

use super::half::SharedHalf;
use super::restart::Restart;
use super::shared_bits::{bits_set_law, check_sigma};
use crate::error::TheoryError;

/// RBF (19): the average rate for one colliding probe, non-retaining, one phase. Exact.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `1 <= sigma < bits`.
pub fn single_hash_rate(bits: u64, sigma: u64) -> Result<f64, TheoryError> {
    if sigma == 0 || sigma >= bits {
        return Err(TheoryError::domain(
            "RBF (19)",
            "sigma",
            format!("1 to {}", bits.saturating_sub(1)),
            sigma,
        ));
    }
    let m = bits as f64;
    let (mut top, mut bottom) = (0.0, 0.0);
    for i in 0..=sigma {
        top += i as f64 / (m * (bits - i) as f64);
        bottom += 1.0 / (bits - i) as f64;
    }
    Ok(top / bottom)
}

/// RBF (20)-(23) with the boundary corrected: mean new arrivals of a cycle that recycles when `b > sigma`.
///
/// Erratum: RBF prints `N_b = 0` for `b >= sigma`, though the filter recycles when `b > sigma`; with `N_b = 0` for
/// `b > sigma`, E\[N_0\] is the mean cycle length. Exact. Equals [`CycleLaw::mean_arrivals`](super::CycleLaw).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < M`.
pub fn mean_cycle_arrivals(half: SharedHalf, sigma: u64) -> Result<f64, TheoryError> {
    Ok(bits_set_law(half, sigma, Restart::Forget)?.mean_arrivals)
}

/// RBF (20)-(23) as printed, with `N_b = 0` for `b >= sigma`: kept to compare with the paper's figures. It is the
/// mean number of messages until `sigma` bits or more are set, not the length of a cycle.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < M`.
pub fn mean_messages_printed_boundary(half: SharedHalf, sigma: u64) -> Result<f64, TheoryError> {
    check_sigma(half, sigma)?;
    Ok(backward_mean(half, sigma - 1))
}

/// The backward recursion (21) with `N_b = 0` for `b > last`, draw by draw: O(M k) time, O(k) memory.
pub(crate) fn backward_mean(half: SharedHalf, last: u64) -> f64 {
    let k = half.hashes() as usize;
    // above[t]: expected further messages with one bit more than now, t draws of the present message done
    let mut above = vec![0.0; k + 1];
    let mut mean = 0.0;
    for set in (0..=last).rev() {
        let b = set as f64;
        // here[t] = constant[t] + factor[t] * mean, backwards from here[k] = mean at the message's end
        let (mut constant, mut factor) = (0.0, 1.0);
        for t in (0..k as u32).rev() {
            let (stay, up) = (half.stay(b, t), half.set_one(b, t));
            constant = constant * stay + above[t as usize + 1] * up;
            factor *= stay;
        }
        let (_, some_new) = half.rate_at(set);
        mean = (1.0 + constant) / some_new;
        debug_assert!((factor + some_new - 1.0).abs() < 1e-9);
        let mut here = mean;
        let mut row = vec![0.0; k + 1];
        row[k] = mean;
        for t in (0..k as u32).rev() {
            here = here * half.stay(b, t) + above[t as usize + 1] * half.set_one(b, t);
            row[t as usize] = here;
        }
        above = row;
    }
    mean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backward_recursion_equals_forward_visits() {
        for distinct in [false, true] {
            let half = SharedHalf::new(300, 5, distinct).expect("legal half");
            let forward = mean_cycle_arrivals(half, 170).expect("legal threshold");
            let backward = backward_mean(half, 170);
            assert!(
                (forward / backward - 1.0).abs() < 1e-12,
                "{distinct}: {forward} {backward}"
            );
        }
    }
}
