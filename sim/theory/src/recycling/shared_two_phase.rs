//! Shared array, threshold on bits, two phases: the rate without RBF (26)'s assumption that a match in one half says nothing of
//! the other.
//!
//! A colliding message whose k draws fall on few positions matches either half more easily, and it is the same message that meets
//! both. Given the number j of its positions the halves are independent, so with a_j and b_j the rates of a match of j positions in
//! the active and the frozen half, the rate is `a + b - sum_j P(j) a_j b_j`.

use std::ops::ControlFlow;

use super::half::SharedHalf;
use super::retained::distinct_counts;
use super::shared_bits::{check_sigma, walk};
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::sum::Sum;

/// The average rate of a two-phase, non-retaining filter of two such halves.
///
/// Source: derivation of this project, for what RBF (26) leaves out. Exact, relative error below 1e-12, for messages that are all
/// new. With distinct probes or one hash it is RBF (26). Time O(M k^2), memory O(k).
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `k <= sigma < M`.
pub fn two_phase_bits_set_rate(half: SharedHalf, sigma: u64) -> Result<Figure, TheoryError> {
    check_sigma(half, sigma)?;
    let k = half.hashes() as usize;
    let share = if half.distinct() {
        (0..=k).map(|j| f64::from(u8::from(j == k))).collect()
    } else {
        distinct_counts(half)
    };
    let mut active = vec![Sum::default(); k + 1];
    let mut frozen = vec![Sum::default(); k + 1];
    let mut arrivals = Sum::default();
    walk(half, sigma, |point| {
        let set = point.sigma;
        arrivals.add(point.visits);
        let freezes = point.visits * overflow(half, set, sigma - set);
        let mut matches = 1.0;
        for j in 1..=k {
            let position = j as u64 - 1;
            matches *= set.saturating_sub(position) as f64 / (half.bits() - position) as f64;
            active[j].add(point.visits * matches);
            frozen[j].add(freezes * matches);
        }
        ControlFlow::Continue(())
    });
    let mut rate = Sum::default();
    for j in 1..=k {
        let a = active[j].value() / arrivals.value();
        let b = frozen[j].value();
        rate.add(share[j] * (a + b - a * b));
    }
    Ok(Figure::new(
        rate.value(),
        "RBF (18), (25), halves joined by the positions of a message",
        Accuracy::exact(1e-12),
    ))
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
    use crate::recycling::{bits_set_law, Restart};

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
