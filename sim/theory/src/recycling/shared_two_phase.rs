//! Shared array, threshold on bits, two phases: the rate without RBF (26)'s assumption that a match in one half says nothing of
//! the other.
//!
//! A colliding message whose k draws fall on few positions matches either half more easily, and it is the same message that meets
//! both. Given the number j of its positions the halves are independent, so with a_j and b_j the rates of a match of j positions in
//! the active and the frozen half, the rate is `a + b - sum_j P(j) a_j b_j`.

use std::ops::ControlFlow;

use super::half::SharedHalf;
use super::restart::Restart;
use super::retained::{self, distinct_counts};
use super::shared_bits::{check_sigma, is_settled, law_from, retained_law, walk_from};
use super::shared_settled;
use crate::accuracy::Figure;
use crate::error::TheoryError;
use crate::numeric::sum::Sum;

/// The average rate of a two-phase, non-retaining filter of two such halves.
///
/// Source: derivation of this project, for what RBF (26) leaves out. Exact, relative error below 1e-12, for messages that are all
/// new; above some 10^6 operations by the closed form of the settled chain, with its stated error. With distinct probes or one
/// hash it is RBF (26).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < M`.
pub fn two_phase_bits_set_rate(half: SharedHalf, sigma: u64) -> Result<Figure, TheoryError> {
    check_sigma(half, sigma)?;
    let k = half.hashes() as usize;
    let share = positions_of_a_key(half);
    let settled = is_settled(half, sigma, 2 * u64::from(half.hashes()));
    let law = if settled {
        shared_settled::law(half, sigma, Restart::Forget)
    } else {
        law_from(half, &[1.0], sigma).0
    };
    let tail = if settled {
        shared_settled::tail(half, sigma)
    } else {
        law_from(half, &[1.0], sigma).1
    };
    let active = covered_sums(half, sigma, 0, settled);
    let mut frozen = vec![Sum::default(); k + 1];
    for (behind, visits) in tail.iter().rev().enumerate() {
        let set = sigma - behind as u64;
        let freezes = visits * overflow(half, set, behind as u64);
        let mut matches = 1.0;
        for (j, sum) in frozen.iter_mut().enumerate().skip(1) {
            let position = j as u64 - 1;
            matches *= set.saturating_sub(position) as f64 / (half.bits() - position) as f64;
            sum.add(freezes * matches);
        }
    }
    let both: f64 = (1..=k)
        .map(|j| share[j] * active[j] / law.mean_arrivals * frozen[j].value())
        .sum();
    Ok(Figure::new(
        law.active_rate + law.frozen_rate - both,
        "RBF (18), (25), halves joined by the positions of a message",
        law.accuracy,
    ))
}

/// The average rate of a two-phase filter of two such halves that retains the message which trips.
///
/// Source: derivation of this project. The retained message x has set bits of the half that it opens, and at least one of its bits
/// is clear in the half that it freezes. Given its numbers of bits in and outside the frozen half, the number of positions of a
/// key, and how many of them are bits of x, the halves are independent. Exact, relative error below 1e-11; above some 10^6
/// operations by the closed form of the settled chain, with its stated error.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < M`.
pub fn two_phase_retaining_rate(half: SharedHalf, sigma: u64) -> Result<Figure, TheoryError> {
    check_sigma(half, sigma)?;
    let k = half.hashes() as usize;
    let settled = is_settled(
        half,
        sigma,
        u64::from(half.hashes()) * (u64::from(half.hashes()) + 8),
    );
    let (law, tail) = if settled {
        let law = shared_settled::law(half, sigma, Restart::Retain);
        (law, shared_settled::tail(half, sigma))
    } else {
        let (law, start) = retained_law(half, sigma);
        (law, law_from(half, &start, sigma).1)
    };
    let share = positions_of_a_key(half);
    let covered: Vec<Vec<f64>> = (0..=k)
        .map(|opening| match opening {
            0 => Vec::new(),
            _ if half.distinct() && opening < k => Vec::new(),
            _ => covered_sums(half, sigma, opening as u64, settled),
        })
        .collect();
    // matches in the frozen half less those in both, over a cycle: how long it is depends on the bits of x as well
    let mut frozen_alone = Sum::default();
    for (behind, visits) in tail.iter().rev().enumerate() {
        let set = sigma - behind as u64;
        let joint = retained::joint_counts(half, set);
        let frozen = half.rate_at(set).0;
        let among: Vec<Vec<f64>> = (0..k - behind)
            .map(|old| shared_with_opening(half, set, old))
            .collect();
        for new in behind + 1..=k {
            for old in 0..=k - new {
                let trips = visits * joint[new * (k + 1) + old];
                if trips < NEGLIGIBLE {
                    continue;
                }
                let sums = &covered[new + old];
                frozen_alone.add(trips * sums[0] * frozen);
                for (j, share) in share.iter().enumerate().filter(|(_, p)| **p > NEGLIGIBLE) {
                    let shared = &among[old][j * (k + 1)..][..=j];
                    for (v, mass) in shared.iter().enumerate() {
                        frozen_alone.add(-trips * share * mass * sums[j - v]);
                    }
                }
            }
        }
    }
    Ok(Figure::new(
        law.active_rate + frozen_alone.value() / law.mean_arrivals,
        "RBF (18), (25), halves joined by the retained message and the positions of a key (derivation of this project)",
        law.accuracy,
    ))
}

/// Probabilities that j given distinct positions all lie in a half with `set` bits, v of them on `old` given bits of it: entry
/// `j (k + 1) + v`. Exact.
fn shared_with_opening(half: SharedHalf, set: u64, old: usize) -> Vec<f64> {
    let k = half.hashes() as usize;
    let (width, set, old) = (k + 1, set as f64, old as f64);
    let mut shared = vec![0.0; width * width];
    shared[0] = 1.0;
    for drawn in 0..k {
        let left = half.bits() as f64 - drawn as f64;
        let (before, after) = shared.split_at_mut((drawn + 1) * width);
        let before = &before[drawn * width..];
        for (v, mass) in before[..=drawn].iter().enumerate() {
            let own = (old - v as f64).max(0.0);
            let other = (set - old - (drawn - v) as f64).max(0.0);
            after[v] += mass * other / left;
            after[v + 1] += mass * own / left;
        }
    }
    shared
}

/// Shares below this are left out.
const NEGLIGIBLE: f64 = 1e-18;

/// Distribution of the number of distinct positions of a key.
fn positions_of_a_key(half: SharedHalf) -> Vec<f64> {
    let k = half.hashes() as usize;
    if half.distinct() {
        (0..=k).map(|j| f64::from(u8::from(j == k))).collect()
    } else {
        distinct_counts(half)
    }
}

/// The sums over a cycle that starts with `opening` bits of the probability that r given other bits are set, r = 0 to k.
fn covered_sums(half: SharedHalf, sigma: u64, opening: u64, settled: bool) -> Vec<f64> {
    let k = half.hashes();
    if settled {
        return (0..=k)
            .map(|r| match r {
                0 => shared_settled::arrivals_from(half, sigma, opening),
                _ => shared_settled::covered_sum(half, sigma, opening, r),
            })
            .collect();
    }
    let mut start = vec![0.0; opening as usize + 1];
    start[opening as usize] = 1.0;
    let mut sums = vec![Sum::default(); k as usize + 1];
    walk_from(half, &start, sigma, |point| {
        let mut covered = point.visits;
        for (r, sum) in sums.iter_mut().enumerate() {
            sum.add(covered);
            let taken = opening + r as u64;
            if point.sigma <= taken {
                break;
            }
            covered *= (point.sigma - taken) as f64 / (half.bits() - taken) as f64;
        }
        ControlFlow::Continue(())
    });
    sums.iter().map(|sum| sum.value()).collect()
}

/// The probability that a message sets more than `room` bits beside the `set` ones.
fn overflow(half: SharedHalf, set: u64, room: u64) -> f64 {
    let k = half.hashes();
    if room >= u64::from(k) {
        return 0.0;
    }
    let mut new_bits = vec![0.0; k as usize + 2];
    new_bits[0] = 1.0;
    for draw in 0..k {
        for bits in (0..=draw as usize).rev() {
            let here = new_bits[bits];
            let b = set as f64 + bits as f64;
            new_bits[bits + 1] += here * half.set_one(b, draw);
            new_bits[bits] = here * half.stay(b, draw);
        }
    }
    new_bits[room as usize + 1..].iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recycling::bits_set_law;

    /// The filter itself, as a chain over the contents of both halves; every draw of a new message.
    fn enumerated(bits: u32, k: u32, sigma: u32) -> f64 {
        let states = 1usize << (2 * bits);
        let messages = u64::from(bits).pow(k);
        let weight = 1.0 / messages as f64;
        let masks: Vec<usize> = (0..messages)
            .map(|draw| {
                let position = |i: u32| draw / u64::from(bits).pow(i) % u64::from(bits);
                (0..k).fold(0, |mask, i| mask | 1 << position(i))
            })
            .collect();
        let mut mass = vec![0.0; states];
        mass[0] = 1.0;
        let mut rate = f64::NAN;
        for _ in 0..400 {
            let mut next = vec![0.0; states];
            rate = 0.0;
            for (state, &here) in mass.iter().enumerate().filter(|(_, here)| **here > 0.0) {
                let (active, frozen) = (state >> bits, state & ((1 << bits) - 1));
                for &mask in &masks {
                    if active & mask == mask || frozen & mask == mask {
                        rate += here * weight;
                    }
                    let after = active | mask;
                    let to = if after.count_ones() > sigma {
                        active
                    } else {
                        after << bits | frozen
                    };
                    next[to] += here * weight;
                }
            }
            // half of the mass waits, which makes the chain aperiodic and leaves its stationary law
            mass.iter_mut()
                .zip(next)
                .for_each(|(mass, next)| *mass = 0.5 * (*mass + next));
        }
        rate
    }

    #[test]
    fn the_rate_is_that_of_the_chain_over_contents() {
        for (bits, k, sigma) in [(4, 2, 2), (5, 2, 3), (5, 3, 3), (5, 3, 4)] {
            let half = SharedHalf::new(bits, k, false).expect("legal half");
            let rate = two_phase_bits_set_rate(half, sigma)
                .expect("legal threshold")
                .value;
            let exact = enumerated(bits as u32, k, sigma as u32);
            assert!(
                (rate / exact - 1.0).abs() < 1e-9,
                "{bits} {k} {sigma}: {rate} {exact}"
            );
            let paper = bits_set_law(half, sigma, Restart::Forget)
                .expect("legal")
                .two_phase_rate();
            assert!(paper > rate && paper < 1.05 * rate, "{paper} {rate}");
        }
    }

    #[test]
    fn distinct_probes_and_one_hash_give_the_papers_rate() {
        for (k, distinct) in [(1, false), (4, true)] {
            let half = SharedHalf::new(500, k, distinct).expect("legal half");
            let rate = two_phase_bits_set_rate(half, 250)
                .expect("legal threshold")
                .value;
            let paper = bits_set_law(half, 250, Restart::Forget)
                .expect("legal")
                .two_phase_rate();
            assert!((rate / paper - 1.0).abs() < 1e-12, "{rate} {paper}");
        }
    }
}
