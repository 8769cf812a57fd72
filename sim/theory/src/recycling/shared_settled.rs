//! Shared array, threshold on bits: the chain of RBF IV in closed form, for filters too large to walk.
//!
//! Walk the chain draw by draw and let `v_t(b)` be the expected number of times that draw t (0..k) of a message is made
//! with b bits set. With `w_t = 1/(M-t)` for distinct and `1/M` for colliding probes, and `S = sum_t w_t`,
//!
//! ```text
//! v_t(b) = 1 / ((M - b) S)    for every t
//! ```
//!
//! solves the recursion between neighbouring b and t exactly, and carries exactly one message a cycle over every b. A
//! cycle starts at draw 0, not at a uniformly mixed draw, so the true `v_t` differ from it near an empty filter; every
//! repeated bit shifts the draw at which the next new bit comes, so the difference dies out exponentially in the number
//! of repeats. Once it has (`b` settled), with `h(n) = H_M - H_(M-n)` the harmonic difference:
//!
//! * the draw that sets bit sigma + 1 is draw t of its message with probability `w_t/S`;
//! * `E[h(bits)]` grows by exactly `w_t` with draw t, so by optional stopping the mean cycle is
//!   `L = h(sigma+1)/S + (1 - sum w_t^2/S^2)/2`, less `E[h(d)]/S` when a retained message of d bits opens the cycle;
//! * false positives a cycle: `1/S sum_{b<=sigma} rho(b)/(M-b)`, the difference near b = 0 weighted by `rho`, of order
//!   `(k/sigma)^(k+1)` of the sum.
//!
//! For distinct probes the sum is `sum_{j>k} (sigma+1)^(j) / (j M^(j))` exactly (falling factorials), for colliding ones
//! it is taken by Euler and Maclaurin about `sigma + 1/2`. So there is no expansion in 1/M: what is left falls
//! exponentially with M. The derivation is this project's; it is tested against the walked chain.

use super::cycle::CycleLaw;
use super::half::SharedHalf;
use super::restart::Restart;
use super::retained;
use crate::accuracy::Accuracy;
use crate::numeric::sum::Sum;

/// Rounding of the closed forms.
const ROUNDING: f64 = 1e-12;

/// The stated relative error of [`law`]: what is left of the draw's memory at the threshold, times the share of the
/// last k states; the terms of Euler and Maclaurin that are left out; and rounding.
pub(crate) fn stated_error(half: SharedHalf, sigma: u64) -> f64 {
    let (k, s) = (f64::from(half.hashes()), sigma as f64);
    let room = (half.bits() - sigma) as f64;
    let edge = 0.01 * room.powi(-4) + 1e-3 * (k / s).powi(4) * (k / s).powi(2);
    let start = if half.hashes() == 1 {
        0.0
    } else {
        // |zeta(-k)| k^(k+1) (k+1) / sigma^(k+1), with the magnitude of zeta at negative arguments, times 4
        let factorial: f64 = (1..=half.hashes()).map(|i| f64::from(i).ln()).sum();
        let log = 8f64.ln() + factorial - (k + 1.0) * std::f64::consts::TAU.ln()
            + (k + 1.0) * (k / s).ln()
            + (k + 1.0).ln();
        log.exp()
    };
    ROUNDING + unsettled(half, sigma).min(1.0) * k * (k + 1.0) / s + edge + start
}

/// What is left at `sigma` of the draw at which a cycle starts: the sum over the k - 1 non-trivial k-th roots of unity
/// of the modulus of the characteristic function of the draws needed, `prod_i (1 + 2 p_i (1-cos)/(1-p_i)^2)^(-1/2)`
/// with `p_i = i/M`. A bound for colliding probes, an estimate for distinct ones.
fn unsettled(half: SharedHalf, sigma: u64) -> f64 {
    const PANELS: u32 = 64;
    let k = half.hashes();
    let own = if half.distinct() { f64::from(k) } else { 0.0 };
    let bits = half.bits() as f64;
    let last = ((sigma as f64 - own) / bits).max(0.0);
    let mut total = 0.0;
    for j in 1..k {
        let turn = 1.0 - (std::f64::consts::TAU * f64::from(j) / f64::from(k)).cos();
        let step = last / f64::from(PANELS);
        let integral: f64 = (0..PANELS)
            .map(|i| {
                let fill = f64::from(i) * step; // the left end: a lower bound of a growing integrand
                let empty = 1.0 - fill;
                (2.0 * fill * turn / (empty * empty)).ln_1p() * step
            })
            .sum();
        total += (-0.5 * bits * integral).exp();
    }
    total
}

fn weights(half: SharedHalf) -> impl Iterator<Item = f64> {
    (0..half.hashes()).map(move |t| 1.0 / (half.bits() as f64 - half.removed(t)))
}

/// Visits to the last k states, those to `sigma` last.
pub(crate) fn tail(half: SharedHalf, sigma: u64) -> Vec<f64> {
    let all: f64 = weights(half).sum();
    let states = u64::from(half.hashes()).min(sigma + 1);
    (sigma + 1 - states..=sigma)
        .map(|set| 1.0 / ((half.bits() - set) as f64 * all))
        .collect()
}

/// Mean arrivals of a cycle that starts with `opening` bits.
pub(crate) fn arrivals_from(half: SharedHalf, sigma: u64, opening: u64) -> f64 {
    let all: f64 = weights(half).sum();
    let squares: f64 = weights(half).map(|w| (w / all) * (w / all)).sum();
    let passed = |bits| harmonic_difference(half.bits(), bits);
    (passed(sigma + 1) - passed(opening)) / all + 0.5 * (1.0 - squares)
}

/// The sum over the arrivals of a cycle of the probability that `positions` given bits beside `opening` ones, all set when
/// it started, are set: the sum of the module's text over falling factorials, for at least one position.
pub(crate) fn covered_sum(half: SharedHalf, sigma: u64, opening: u64, positions: u32) -> f64 {
    let all: f64 = weights(half).sum();
    falling_sum(half.bits() - opening, sigma - opening, positions) / all
}

/// The law of a half in closed form; its stated error is [`stated_error`].
pub(crate) fn law(half: SharedHalf, sigma: u64, restart: Restart) -> CycleLaw {
    let error = stated_error(half, sigma);
    let accuracy = if error <= 2.0 * ROUNDING {
        Accuracy::exact(error)
    } else {
        Accuracy::approximation(error)
    };
    law_with(half, sigma, restart, accuracy, true)
}

/// The numbers of the closed form alone, for searches that check what they find: no error is stated.
/// The frozen rate is 0 unless it is asked for.
pub(crate) fn unstated_law(half: SharedHalf, sigma: u64, frozen: bool) -> CycleLaw {
    let unstated = Accuracy::approximation(1.0);
    law_with(half, sigma, Restart::Forget, unstated, frozen)
}

fn law_with(
    half: SharedHalf,
    sigma: u64,
    restart: Restart,
    accuracy: Accuracy,
    frozen: bool,
) -> CycleLaw {
    let weights: Vec<f64> = weights(half).collect();
    let all: f64 = weights.iter().sum();
    let full = arrivals_from(half, sigma, 0);
    let positives = weighted_rates(half, sigma) / all;
    let tail = tail(half, sigma);
    let frozen_rate = match frozen {
        true => frozen_rate(half, sigma, &tail),
        false => 0.0,
    };
    let mean_arrivals = match restart {
        Restart::Forget => full,
        Restart::RetainRedrawn => full - 1.0,
        Restart::Retain => {
            let opening = retained::tripping_distinct_counts(half, sigma, &tail);
            let skipped: f64 = opening
                .iter()
                .enumerate()
                .map(|(d, share)| share * harmonic_difference(half.bits(), d as u64))
                .sum();
            full - skipped / all
        }
    };
    CycleLaw {
        mean_arrivals,
        active_rate: positives / mean_arrivals,
        frozen_rate,
        accuracy,
    }
}

/// The mean rate of a half as it is frozen: RBF (24)-(26), from the visits to its last states (the last entry's is
/// `sigma`).
pub(crate) fn frozen_rate(half: SharedHalf, sigma: u64, tail: &[f64]) -> f64 {
    let mut rate = 0.0;
    let mut new = vec![0.0; half.hashes() as usize + 1];
    let bits = half.bits() as f64;
    // by draw: the bits that have left the urn, and one over those in it
    let urn: Vec<(f64, f64)> = (0..half.hashes())
        .map(|drawn| half.removed(drawn))
        .map(|removed| (removed, 1.0 / (bits - removed)))
        .collect();
    for (behind, visits) in tail.iter().rev().enumerate() {
        let set = sigma - behind as u64;
        new.fill(0.0);
        new[0] = 1.0;
        for (drawn, (removed, share)) in urn.iter().enumerate() {
            for n in (0..=drawn).rev() {
                let now = (set + n as u64) as f64;
                let mass = new[n];
                new[n + 1] += mass * ((bits - now) * share).min(1.0);
                new[n] = mass * ((now - removed) * share).max(0.0);
            }
        }
        let overflow: f64 = new[behind + 1..].iter().sum();
        rate += visits * overflow * half.rate_at(set).0;
    }
    rate
}

/// `H_M - H_(M-n)`, relative error of some roundings.
fn harmonic_difference(bits: u64, n: u64) -> f64 {
    const DIRECT: u64 = 64;
    if n <= DIRECT {
        return (0..n).map(|i| 1.0 / (bits - i) as f64).sum();
    }
    let left = bits - n;
    if left < DIRECT {
        let end: f64 = (left + 1..=DIRECT).map(|i| 1.0 / i as f64).sum();
        return end + harmonic_difference(bits, bits - DIRECT);
    }
    // H_n = ln(n + 1/2) + gamma + 1/24 (n+1/2)^-2 - 7/960 (n+1/2)^-4 + ...
    let corrections = |n: u64| {
        let square = 1.0 / ((n as f64 + 0.5) * (n as f64 + 0.5));
        square * (1.0 / 24.0 - square * (7.0 / 960.0 - square * 31.0 / 8064.0))
    };
    (n as f64 / (left as f64 + 0.5)).ln_1p() + (corrections(bits) - corrections(left))
}

/// `sum_{b<=sigma} rho(b)/(M-b)`.
fn weighted_rates(half: SharedHalf, sigma: u64) -> f64 {
    if half.distinct() {
        falling_sum(half.bits(), sigma, half.hashes())
    } else {
        colliding_weighted_rates(half, sigma)
    }
}

/// Fill up to which a sum is taken as the tail of its series; above, as the whole less its head.
const SERIES_FILL: f64 = 0.9;

/// `sum_{b<=sigma} b^(k)/M^(k)/(M-b)`, falling factorials.
fn falling_sum(total: u64, sigma: u64, hashes: u32) -> f64 {
    let (bits, top) = (total as f64, sigma as f64 + 1.0);
    let k = f64::from(hashes);
    let mut power = 1.0; // (sigma+1)^(j) / M^(j)
    let mut head = Sum::default();
    let mut j = 0.0;
    while j < k {
        power *= (top - j) / (bits - j);
        j += 1.0;
        head.add(power / j);
    }
    if top > SERIES_FILL * bits {
        return harmonic_difference(total, sigma + 1) - head.value();
    }
    let mut tail = 0.0;
    while j < top {
        power *= (top - j) / (bits - j);
        j += 1.0;
        tail += power / j;
        if power <= 1e-17 * tail {
            break;
        }
    }
    tail
}

fn colliding_weighted_rates(half: SharedHalf, sigma: u64) -> f64 {
    let (bits, k) = (half.bits() as f64, half.hashes());
    let fill = (sigma as f64 + 0.5) / bits;
    let empty = (bits - sigma as f64 - 0.5) / bits;
    let mut power = 1.0;
    let mut head = Sum::default();
    for j in 1..=k {
        power *= fill;
        head.add(power / f64::from(j));
    }
    let integral = if fill > SERIES_FILL {
        -empty.ln() - head.value()
    } else {
        let (mut tail, mut j) = (0.0, f64::from(k));
        loop {
            power *= fill;
            j += 1.0;
            tail += power / j;
            if power <= 1e-17 * tail {
                break tail;
            }
        }
    };
    // derivatives of x^k/(1-x) over x^k/(1-x): with a = k/x and u = 1/(1-x)
    let (kf, u) = (f64::from(k), 1.0 / empty);
    let value = fill.powi(k as i32) * u;
    let (a1, a2, a3) = (
        kf / fill,
        kf * (kf - 1.0) / (fill * fill),
        kf * (kf - 1.0) * (kf - 2.0) / (fill * fill * fill),
    );
    let first = a1 + u;
    let third = a3 + 3.0 * a2 * u + 6.0 * a1 * u * u + 6.0 * u * u * u;
    let square = 1.0 / (bits * bits);
    // the empty end gives zeta(-k) M^-k, which the start of the cycle alters for k > 1 (a part of the stated error)
    let empty_end = if k == 1 { -square / 12.0 } else { 0.0 };
    integral + value * square * (-first / 24.0 + 7.0 / 5760.0 * third * square) + empty_end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmonic_differences_equal_their_sums() {
        for (bits, n) in [
            (1000u64, 65u64),
            (1000, 999),
            (1000, 1000),
            (100_000, 70_000),
        ] {
            let mut sum = Sum::default();
            (0..n).for_each(|i| sum.add(1.0 / (bits - i) as f64));
            let closed = harmonic_difference(bits, n);
            assert!(
                (closed / sum.value() - 1.0).abs() < 1e-14,
                "{bits} {n}: {closed}"
            );
        }
    }
}
