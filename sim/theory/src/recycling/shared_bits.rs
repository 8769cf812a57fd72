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
use super::restart::Restart;
use super::{retained, shared_chain, shared_settled};
use crate::accuracy::Accuracy;
use crate::error::TheoryError;
use crate::numeric::sum::Sum;

const NAME: &str = "RBF bits-set chain";

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
pub(super) fn walk_from(
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

/// How the law of a shared half is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evaluation {
    /// The chain up to `sigma (k + 8)` = 2^21, the closed form above where its stated error is below 10^-6 (it is unless
    /// sigma/M is below some 10^-5, or sigma among the last ten bits) and from 2^23 on where that is below 2 %.
    Auto,
    /// The chain of RBF IV, state by state: O(k sigma) time, O(k) memory; 2^30 bits take seconds.
    Chain,
    /// The closed form of the settled chain, in no more than O(k^4) operations; see the result's accuracy.
    Settled,
}

/// `sigma (k + 8)` up to which [`Evaluation::Auto`] walks the chain: some milliseconds.
const CHAIN_WORK: u64 = 1 << 21;
/// Stated error above which it walks longer chains too.
const SETTLED_ERROR: f64 = 1e-6;
/// `sigma (k + 8)` from which a chain takes longer than a fraction of a second, and the stated error above which it is walked all the same.
const LONG_CHAIN_WORK: u64 = 1 << 23;
const LONG_CHAIN_ERROR: f64 = 0.02;

/// The law of a half that recycles when a message would set more than `sigma` bits, by [`Evaluation::Auto`].
///
/// See [`bits_set_law_by`].
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < M`.
pub fn bits_set_law(
    half: SharedHalf,
    sigma: u64,
    restart: Restart,
) -> Result<CycleLaw, TheoryError> {
    bits_set_law_by(half, sigma, restart, Evaluation::Auto)
}

/// The law of a half that recycles when a message would set more than `sigma` bits.
///
/// Source: RBF (18) and (24), (25). By the chain exact, relative error below 1e-12 at any size (its flow is
/// corrected for the drift of rounding). By the closed form of the settled chain (derivation of this project: the invariant
/// measure `1/((M-b) S)` of the draws, and optional stopping) the error is stated in the result; it falls
/// exponentially with M and is rounding alone from some 10^4 bits at a half-full threshold.
///
/// ```
/// use bloomline_theory::recycling::{bits_set_law_by, Evaluation, Restart};
/// use bloomline_theory::recycling::SharedHalf;
///
/// let half = SharedHalf::new(1 << 20, 8, false)?;
/// let walked = bits_set_law_by(half, 1 << 19, Restart::Forget, Evaluation::Chain)?;
/// let closed = bits_set_law_by(half, 1 << 19, Restart::Forget, Evaluation::Settled)?;
/// assert!((walked.active_rate / closed.active_rate - 1.0).abs() < 1e-11);
/// let huge = bits_set_law_by(SharedHalf::new(1 << 39, 8, false)?, 1 << 38, Restart::Forget, Evaluation::Auto)?;
/// assert!(huge.accuracy.relative_error < 1e-11);
/// # Ok::<(), bloomline_theory::TheoryError>(())
/// ```
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < M`.
pub fn bits_set_law_by(
    half: SharedHalf,
    sigma: u64,
    restart: Restart,
    evaluation: Evaluation,
) -> Result<CycleLaw, TheoryError> {
    check_sigma(half, sigma)?;
    let settled = match evaluation {
        Evaluation::Auto => is_settled(half, sigma, u64::from(half.hashes()) + 8),
        Evaluation::Chain => false,
        Evaluation::Settled => true,
    };
    if settled {
        return Ok(shared_settled::law(half, sigma, restart));
    }
    Ok(match restart {
        Restart::Retain => retained_law(half, sigma).0,
        Restart::Forget | Restart::RetainRedrawn => {
            law_from(half, &fresh_start(half, restart), sigma).0
        }
    })
}

/// Whether a walk of so many operations a state is long and the closed form is as good.
pub(super) fn is_settled(half: SharedHalf, sigma: u64, operations: u64) -> bool {
    let work = sigma.saturating_mul(operations);
    let most = match work <= LONG_CHAIN_WORK {
        true => SETTLED_ERROR,
        false => LONG_CHAIN_ERROR,
    };
    work > CHAIN_WORK && shared_settled::stated_error(half, sigma) <= most
}

/// The bits set at the start of a cycle that forgets the tripping message or draws it afresh.
fn fresh_start(half: SharedHalf, restart: Restart) -> Vec<f64> {
    match restart {
        Restart::Forget => vec![1.0],
        Restart::Retain | Restart::RetainRedrawn => retained::distinct_counts(half),
    }
}

/// The law whose cycles open with the message that tripped, and the start of a cycle: its bits depend on the cycle's
/// end, which hardly depends on its start. The end of the settled chain comes close, and is mostly the only one needed.
pub(super) fn retained_law(half: SharedHalf, sigma: u64) -> (CycleLaw, Vec<f64>) {
    const MOST_ROUNDS: usize = 40;
    const SETTLED: f64 = 1e-14;
    if half.distinct() || half.hashes() == 1 {
        let start = retained::distinct_counts(half);
        return (law_from(half, &start, sigma).0, start);
    }
    let opening = |tail: &[f64]| retained::tripping_distinct_counts(half, sigma, tail);
    let mut start = opening(&shared_settled::tail(half, sigma));
    let (mut law, mut tail) = law_from(half, &start, sigma);
    for _ in 0..MOST_ROUNDS {
        let next = opening(&tail);
        let moved: f64 = start.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        if moved < SETTLED {
            break;
        }
        start = next;
        (law, tail) = law_from(half, &start, sigma);
    }
    (law, start)
}

/// The law, and the visits to the last k states before the threshold (the last entry belongs to sigma).
pub(super) fn law_from(half: SharedHalf, start: &[f64], sigma: u64) -> (CycleLaw, Vec<f64>) {
    let walked = shared_chain::walk(half, start, sigma);
    let law = CycleLaw {
        mean_arrivals: walked.arrivals,
        active_rate: walked.positives / walked.arrivals,
        frozen_rate: shared_settled::frozen_rate(half, sigma, &walked.tail),
        accuracy: Accuracy::exact(1e-12),
    };
    (law, walked.tail)
}

/// RBF (15), (16): the stationary distribution pi over 0..=sigma set bits, as seen by new arrivals.
///
/// Exact. Memory O(sigma).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < M`.
pub fn stationary(half: SharedHalf, sigma: u64, restart: Restart) -> Result<Vec<f64>, TheoryError> {
    check_sigma(half, sigma)?;
    let start = match restart {
        Restart::Retain => retained_law(half, sigma).1,
        Restart::Forget | Restart::RetainRedrawn => fresh_start(half, restart),
    };
    let mut visits = Vec::with_capacity(sigma as usize + 1);
    walk_from(half, &start, sigma, |point| {
        visits.push(point.visits);
        ControlFlow::Continue(())
    });
    let total: f64 = visits.iter().sum();
    visits.iter_mut().for_each(|value| *value /= total);
    Ok(visits)
}
