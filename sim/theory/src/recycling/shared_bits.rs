//! Shared array, threshold on bits: the Markov chain of RBF IV over the number of set bits, for every threshold in one
//! pass.
//!
//! The chain is walked draw by draw instead of message by message: the state is (bits set, draws of the present message
//! done). Mass then moves up by one bit at a time, so a column needs only the one before it. That is O(M k) time and
//! O(k) memory, and since the visits to a state below the threshold do not depend on the threshold, one pass gives the
//! numbers of every threshold on its way.

use std::ops::ControlFlow;

use super::cycle::CycleLaw;
use super::half::SharedHalf;
use crate::accuracy::Accuracy;
use crate::error::TheoryError;
use crate::numeric::sum::Sum;

const NAME: &str = "RBF bits-set chain";

/// Which chain of RBF IV.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restart {
    /// The tripping message is forgotten; the next cycle starts empty.
    Forget,
    /// The tripping message opens the next cycle.
    Retain,
}

/// One column of the walk: everything about the threshold `sigma`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ThresholdPoint {
    /// The threshold on set bits; a message that would exceed it trips.
    pub sigma: u64,
    /// The law of the half with that threshold.
    pub law: CycleLaw,
    /// Expected visits of new arrivals to the state with exactly `sigma` bits; over `law.mean_arrivals` this is the
    /// stationary probability pi of RBF (15).
    pub visits: f64,
}

/// Walks the non-retaining chain upwards and calls `at` with every threshold until it breaks or `last` is done.
///
/// Source: RBF (4)-(8), (11)-(13), (15), (17), (18), (24)-(26). Exact; relative error below 1e-12 on chains of up to
/// 10^6 states. Erratum of RBF IV-C2: state 0 is visited after every recycle of the non-retaining chain, only states
/// 0 < b < k of the non-colliding one are empty. Thresholds below k trip on the first message and are reported too.
pub fn walk(half: SharedHalf, last: u64, at: impl FnMut(ThresholdPoint) -> ControlFlow<()>) {
    walk_from(half, &[1.0], last, at);
}

/// The same walk with a distribution of the number of bits set at the start of a cycle.
pub(crate) fn walk_from(
    half: SharedHalf,
    start: &[f64],
    last: u64,
    mut at: impl FnMut(ThresholdPoint) -> ControlFlow<()>,
) {
    let k = half.hashes() as usize;
    let bits = half.bits() as f64;
    let outside: Vec<f64> = (0..k).map(|t| half.removed(t as u32)).collect();
    let left: Vec<f64> = outside
        .iter()
        .map(|removed| 1.0 / (bits - removed))
        .collect();
    let mut inflow = vec![0.0; k + 1]; // of visits, from the column below, by draws done
    let mut inflow_rated = vec![0.0; k + 1]; // the same, weighted by the rate at the message's first bit count
    let mut arrivals = Sum::default();
    let mut positives = Sum::default();
    for set in 0..=last.min(half.bits()) {
        let b = set as f64;
        let mut all = 1.0;
        let mut some_new = 0.0;
        let mut arriving = 0.0;
        for t in 0..k {
            let stay = ((b - outside[t]) * left[t]).max(0.0);
            arriving = arriving * stay + inflow[t + 1];
            some_new += all * ((bits - b) * left[t]).min(1.0);
            all *= stay;
        }
        arriving += start.get(set as usize).copied().unwrap_or(0.0);
        let visits = arriving / some_new;
        arrivals.add(visits);
        positives.add(visits * all);
        let mut mass = visits;
        let mut rated = visits * all;
        let mut frozen = 0.0;
        let mut below = 0.0;
        let mut below_rated = 0.0;
        for t in 0..k {
            let stay = ((b - outside[t]) * left[t]).max(0.0);
            let up = ((bits - b) * left[t]).min(1.0);
            let leaving = mass * up;
            let leaving_rated = rated * up;
            frozen += leaving_rated;
            mass = mass * stay + inflow[t + 1];
            rated = rated * stay + inflow_rated[t + 1];
            inflow[t] = below;
            inflow_rated[t] = below_rated;
            below = leaving;
            below_rated = leaving_rated;
        }
        inflow[k] = below;
        inflow_rated[k] = below_rated;
        let mean_arrivals = arrivals.value();
        let law = CycleLaw {
            mean_arrivals,
            active_rate: positives.value() / mean_arrivals,
            frozen_rate: frozen,
            accuracy: Accuracy::exact(1e-12),
        };
        if at(ThresholdPoint {
            sigma: set,
            law,
            visits,
        })
        .is_break()
        {
            return;
        }
        if set == half.bits() - 1 {
            return; // a full half never trips
        }
    }
}

/// Checks a threshold on bits of a shared half.
pub(crate) fn check_sigma(half: SharedHalf, sigma: u64) -> Result<(), TheoryError> {
    let k = u64::from(half.hashes());
    if sigma < k || sigma >= half.bits() {
        let expected = format!(
            "{k} (the hashes) to {} (one less than the bits of a half)",
            half.bits() - 1
        );
        return Err(TheoryError::domain(NAME, "sigma", expected, sigma));
    }
    Ok(())
}

/// The law of a half that recycles when a message would set more than `sigma` bits.
///
/// Source: RBF (18) and (24), (25); see [`walk`]. With [`Restart::Retain`] the chain is that of the retained
/// message: its number of distinct bits given that it tripped, not a fresh draw as in RBF (10); for the latter apply
/// [`CycleLaw::retaining`] to the non-retaining law. The two differ by a relative k^2/(M L).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < M`.
pub fn bits_set_law(
    half: SharedHalf,
    sigma: u64,
    restart: Restart,
) -> Result<CycleLaw, TheoryError> {
    check_sigma(half, sigma)?;
    let forgetting = law_from(half, &[1.0], sigma).0;
    if restart == Restart::Forget {
        return Ok(forgetting);
    }
    if half.distinct() || half.hashes() == 1 {
        return Ok(forgetting.retaining());
    }
    if half.bits() * u64::from(half.hashes()) > RETAINED_CHAIN_LIMIT {
        let k = f64::from(half.hashes());
        let error = k * k / (half.bits() as f64 * forgetting.mean_arrivals);
        return Ok(CycleLaw {
            accuracy: Accuracy::approximation(error.max(1e-12)),
            ..forgetting.retaining()
        });
    }
    let mut start = super::retained::distinct_counts(half);
    for _ in 0..4 {
        let tail = law_from(half, &start, sigma).1;
        start = super::retained::tripping_distinct_counts(half, sigma, &tail);
    }
    Ok(law_from(half, &start, sigma).0)
}

/// Above this M k the retained start is not iterated: the difference is below 1e-9 of the rate.
const RETAINED_CHAIN_LIMIT: u64 = 1 << 22;

/// The law, and the visits to the last k states before the threshold (the last entry belongs to sigma).
fn law_from(half: SharedHalf, start: &[f64], sigma: u64) -> (CycleLaw, Vec<f64>) {
    let keep = (half.hashes() as usize).min(sigma as usize + 1);
    let first_kept = sigma + 1 - keep as u64;
    let mut tail = Vec::with_capacity(keep);
    let mut law = None;
    walk_from(half, start, sigma, |point| {
        if point.sigma >= first_kept {
            tail.push(point.visits);
        }
        law = Some(point.law);
        ControlFlow::Continue(())
    });
    (law.expect("a walk visits at least state 0"), tail)
}

/// RBF (15): the stationary distribution pi over 0..=sigma set bits, as seen by new arrivals.
///
/// Exact. Memory O(sigma).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < M`.
pub fn stationary(half: SharedHalf, sigma: u64) -> Result<Vec<f64>, TheoryError> {
    check_sigma(half, sigma)?;
    let mut visits = Vec::with_capacity(sigma as usize + 1);
    walk(half, sigma, |point| {
        visits.push(point.visits);
        ControlFlow::Continue(())
    });
    let total: f64 = visits.iter().sum();
    visits.iter_mut().for_each(|value| *value /= total);
    Ok(visits)
}
