//! The chain of RBF IV for one threshold, in as few operations as it takes: O(sigma k) time, O(k) memory.
//!
//! As in [`shared_bits::walk`](super::shared_bits::walk) the chain is walked draw by draw. Here mass that entered a
//! column from below and mass that starts a message in it are kept apart: the first needs no result of this column, so
//! only the last two operations of a column wait for the one before.

use super::half::{SharedHalf, MAX_HASHES};
use crate::numeric::sum::Sum;

/// What one walk leaves.
pub(crate) struct Walked {
    /// Expected new arrivals of a cycle.
    pub(crate) arrivals: f64,
    /// Expected false positives of a cycle.
    pub(crate) positives: f64,
    /// Expected visits to the last states, at most k, the last entry's is `sigma`.
    pub(crate) tail: Vec<f64>,
}

const WIDTH: usize = MAX_HASHES as usize + 1;

/// Columns between two corrections of the flow; more than the most bits a cycle can start with.
const RENORMALISE: u64 = 1024;

/// Walks the chain from a distribution of the bits set at the start of a cycle.
pub(crate) fn walk(half: SharedHalf, start: &[f64], sigma: u64) -> Walked {
    // known numbers of probes let the compiler unroll
    match half.hashes() as usize {
        1 => walk_columns(half, 1, start, sigma),
        2 => walk_columns(half, 2, start, sigma),
        3 => walk_columns(half, 3, start, sigma),
        4 => walk_columns(half, 4, start, sigma),
        5 => walk_columns(half, 5, start, sigma),
        6 => walk_columns(half, 6, start, sigma),
        7 => walk_columns(half, 7, start, sigma),
        8 => walk_columns(half, 8, start, sigma),
        k => walk_columns(half, k, start, sigma),
    }
}

#[inline(always)]
fn walk_columns(half: SharedHalf, k: usize, start: &[f64], sigma: u64) -> Walked {
    let bits = half.bits() as f64;
    let (mut outside, mut left) = ([0.0; WIDTH], [0.0; WIDTH]);
    for t in 0..k {
        outside[t] = half.removed(t as u32);
        left[t] = 1.0 / (bits - outside[t]);
    }
    let mut inflow = [0.0; WIDTH]; // into draw t + 1 of this column, from draw t of the one below
    let mut entered = [0.0; WIDTH];
    let mut untouched = [0.0; WIDTH];
    let mut ups = [0.0; WIDTH];
    let (mut arrivals, mut positives) = (Sum::default(), Sum::default());
    let kept = k.min(sigma as usize + 1);
    let first_kept = sigma + 1 - kept as u64;
    let mut tail = Vec::with_capacity(kept);
    for set in 0..=sigma {
        let b = set as f64;
        let empty = bits - b;
        let mut all = 1.0;
        let mut some_new = 0.0;
        let mut mass = 0.0;
        for t in 0..k {
            // with distinct probes negative only below t bits, where no mass is
            let stay = (b - outside[t]) * left[t];
            let up = empty * left[t];
            entered[t] = mass;
            untouched[t] = all;
            ups[t] = up;
            some_new += all * up;
            mass = mass * stay + inflow[t];
            all *= stay;
        }
        mass += start.get(set as usize).copied().unwrap_or(0.0);
        let visits = mass * (1.0 / some_new);
        for t in 0..k {
            inflow[t] = (entered[t] + visits * untouched[t]) * ups[t];
        }
        if set % RENORMALISE == RENORMALISE - 1 {
            // one message a cycle passes every number of bits: rounding would drift from that
            let passing: f64 = inflow[..k].iter().sum();
            inflow[..k].iter_mut().for_each(|flow| *flow /= passing);
        }
        arrivals.add(visits);
        positives.add(visits * all);
        if set >= first_kept {
            tail.push(visits);
        }
    }
    Walked {
        arrivals: arrivals.value(),
        positives: positives.value(),
        tail,
    }
}
