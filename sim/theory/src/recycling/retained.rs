//! Number of distinct bits of a retained message, for probes that may collide.

use super::half::SharedHalf;

/// Distribution of the number of distinct bits of a fresh message; entry d for d bits. Exact.
pub(crate) fn distinct_counts(half: SharedHalf) -> Vec<f64> {
    let k = half.hashes();
    let mut counts = vec![0.0; k as usize + 1];
    counts[0] = 1.0;
    for drawn in 0..k {
        for d in (0..=drawn as usize).rev() {
            let mass = counts[d];
            counts[d + 1] += mass * half.set_one(d as f64, drawn);
            counts[d] = mass * half.stay(d as f64, drawn);
        }
    }
    counts
}

/// Probabilities that a message has `new` distinct bits outside the `set` ones and `old` among them: entry
/// `new * (k + 1) + old`. Exact.
pub(crate) fn joint_counts(half: SharedHalf, set: u64) -> Vec<f64> {
    let width = half.hashes() as usize + 1;
    let bits = half.bits() as f64;
    let mut mass = vec![0.0; width * width];
    mass[0] = 1.0;
    for drawn in 0..half.hashes() as usize {
        let urn = bits - half.removed(drawn as u32);
        for new in (0..=drawn).rev() {
            for old in (0..=drawn - new).rev() {
                let here = std::mem::take(&mut mass[new * width + old]);
                if here == 0.0 {
                    continue;
                }
                let own = if half.distinct() {
                    0.0
                } else {
                    (new + old) as f64
                };
                mass[(new + 1) * width + old] += here * (bits - set as f64 - new as f64) / urn;
                mass[new * width + old + 1] += here * (set as f64 - old as f64).max(0.0) / urn;
                mass[new * width + old] += here * own / urn;
            }
        }
    }
    mass
}

/// Distribution of the distinct bits of a message given the bits `new` it must at least set, with `set` bits set
/// before it: unnormalised, the total is the probability of the condition. Exact.
pub(crate) fn joint_distinct_counts(half: SharedHalf, set: u64, at_least_new: u32) -> Vec<f64> {
    let k = half.hashes() as usize;
    let mass = joint_counts(half, set);
    let mut counts = vec![0.0; k + 1];
    for new in at_least_new as usize..=k {
        for old in 0..=k - new {
            counts[new + old] += mass[new * (k + 1) + old];
        }
    }
    counts
}

/// Distribution of the distinct bits of the message that trips a threshold on bits; `tail` holds the visits to the
/// states up to and including `sigma`, in order. Exact.
pub(crate) fn tripping_distinct_counts(half: SharedHalf, sigma: u64, tail: &[f64]) -> Vec<f64> {
    let mut counts = vec![0.0; half.hashes() as usize + 1];
    for (behind, visits) in tail.iter().rev().enumerate() {
        let joint = joint_distinct_counts(half, sigma - behind as u64, behind as u32 + 1);
        for (total, part) in counts.iter_mut().zip(joint) {
            *total += visits * part;
        }
    }
    let total: f64 = counts.iter().sum();
    counts.iter_mut().for_each(|value| *value /= total);
    counts
}
