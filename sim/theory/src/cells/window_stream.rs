//! A counting filter over a window along a stream in which keys come again.

use super::partitions::{excess_of_item, pairs_variance, Partitions};
use super::stream::Alarm;
use crate::error::TheoryError;

const NAME: &str = "counting stream over a window";
/// Greatest threshold: an arrival costs time in proportion to its square.
pub const MOST_WINDOW_STREAM_THRESHOLD: u32 = 32;

/// Follows the exact counts of all keys in both panes, and gives each arrival's probability of being a false alarm.
///
/// A counter of partition i in the two panes receives from the other keys `(S, T) = sum_j (a_j, f_j) B_j`: a_j and f_j are a key's
/// counts in the active and in the frozen pane, and `P(B_j = 1) = 1/m'` is one event for both, since a key has the same positions in both.
/// Partitions are independent, so `P(min A >= a, min B >= b) = G(a, b)^k` with `G(a, b) = P(S >= a, T >= b)`, and a key of r occurrences
/// in the panes is reported with probability `G(s, 0)^k + sum_{a<s} [G(a, s - a)^k - G(a + 1, s - a)^k]`, s = theta - r (a derivation of
/// this project). Exact for k functions. For two, the excess of items that meet the key in several partitions is added to each power in
/// first order.
///
/// The joint law of (S, T) below theta is kept as coefficients of the product of `(1 - 1/m') + y^a z^f / m'` over the other keys.
#[derive(Debug, Clone)]
pub struct WindowStream {
    range: f64,
    hashes: u32,
    threshold: usize,
    /// `P(S = a, T = b)`, a and b below theta, row by row.
    joint: Vec<f64>,
    /// `P(S = a)` and `P(T = b)`.
    active: Vec<f64>,
    frozen: Vec<f64>,
    /// Of a number of keys, by (a, f), each at most theta.
    keys_by_counts: Vec<u64>,
    meeting: Option<Vec<f64>>,
}

impl WindowStream {
    /// Empty panes with this `threshold` (theta).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless the threshold is 1 to [`MOST_WINDOW_STREAM_THRESHOLD`].
    pub fn new(partitions: Partitions, threshold: u32) -> Result<Self, TheoryError> {
        let legal = (1, MOST_WINDOW_STREAM_THRESHOLD.into());
        TheoryError::check_range(NAME, "threshold", threshold.into(), legal)?;
        let meeting = partitions.meeting_excess();
        let size = threshold as usize;
        let certain = |length: usize| {
            let mut law = vec![0.0; length];
            law[0] = 1.0;
            law
        };
        Ok(Self {
            range: partitions.range() as f64,
            hashes: partitions.hashes(),
            threshold: size,
            joint: certain(size * size),
            active: certain(size),
            frozen: certain(size),
            keys_by_counts: vec![0; (size + 1) * (size + 1)],
            meeting: meeting
                .iter()
                .any(|excess| *excess != 0.0)
                .then_some(meeting),
        })
    }

    /// A key arrives once more that has come `active` times since the panes changed places and `frozen` times in the window before.
    /// Gives its probability of being reported falsely; `None` when its count now reaches the threshold and a report is right.
    pub fn arrive(&mut self, active: u64, frozen: u64) -> Option<Alarm> {
        let cut = |count: u64| {
            usize::try_from(count).map_or(self.threshold, |count| count.min(self.threshold))
        };
        let (a, f) = (cut(active), cut(frozen));
        self.forget(a, f);
        let own = active.saturating_add(frozen).saturating_add(1);
        let alarm = (own < self.threshold as u64).then(|| self.alarm(own as usize));
        self.remember((a + 1).min(self.threshold), f);
        alarm
    }

    /// The panes change places: what was active is frozen, and the other is empty.
    pub fn turn(&mut self) {
        let size = self.threshold;
        self.frozen = self.active.clone();
        self.active.fill(0.0);
        self.active[0] = 1.0;
        self.joint.fill(0.0);
        self.joint[..size].copy_from_slice(&self.frozen);
        let before = std::mem::replace(&mut self.keys_by_counts, vec![0; (size + 1) * (size + 1)]);
        for (place, keys) in before.into_iter().enumerate() {
            let active = place / (size + 1);
            if active > 0 {
                self.keys_by_counts[active] += keys;
            }
        }
    }

    /// `P(S >= a, T >= b)` for a and b up to theta, row by row, from its complement: S below a, or T below b.
    fn reaches(&self) -> Vec<f64> {
        let size = self.threshold;
        let below = |law: &[f64]| -> Vec<f64> {
            let sums = law.iter().scan(0.0, |sum, term| {
                *sum += term;
                Some(*sum)
            });
            std::iter::once(0.0).chain(sums).collect()
        };
        let (below_a, below_b) = (below(&self.active), below(&self.frozen));
        let mut both = vec![0.0; size + 1];
        let mut reaches = Vec::with_capacity((size + 1) * (size + 1));
        for (a, below_a) in below_a.iter().enumerate() {
            if a > 0 {
                let row = below(&self.joint[(a - 1) * size..][..size]);
                both.iter_mut().zip(row).for_each(|(sum, row)| *sum += row);
            }
            let of_row = (0..=size).map(|b| 1.0 - below_a - below_b[b] + both[b]);
            reaches.extend(of_row.map(|reach| reach.max(0.0)));
        }
        reaches
    }

    fn alarm(&self, own: usize) -> Alarm {
        let (k, need) = (self.hashes as i32, self.threshold - own);
        let reaches = self.reaches();
        // of the levels (a, need - a), and (a + 1, need - a)
        let levels = (0..need).flat_map(|a| [(a, need - a, 1.0), (a + 1, need - a, -1.0)]);
        let (mut plain, mut excess, mut deviation) = (0.0, 0.0, 0.0);
        for (a, b, sign) in levels.chain([(need, 0, 1.0)]) {
            let without = reaches[a * (self.threshold + 1) + b];
            plain += sign * without.powi(k);
            if let Some(meeting) = &self.meeting {
                excess += sign * self.excess(meeting, &reaches, (a, b));
            }
            if without > 0.0 {
                // as in one pane: indicators of the counters of a partition are negatively associated
                let relative = (1.0 - without) / (without * self.range);
                let spread = (f64::from(self.hashes) * relative.ln_1p()).exp_m1();
                let pairs = self
                    .meeting
                    .as_deref()
                    .map_or(0.0, |meeting| pairs_variance(meeting, without));
                deviation += (without.powi(2 * k) * spread + pairs).sqrt();
            }
        }
        Alarm {
            probability: (plain + excess).clamp(0.0, 1.0),
            deviation,
            two_hash_excess: excess,
        }
    }

    fn excess(&self, meeting: &[f64], reaches: &[f64], (a, b): (usize, usize)) -> f64 {
        let size = self.threshold + 1;
        let without = reaches[a * size + b];
        let of_counts = self
            .keys_by_counts
            .iter()
            .enumerate()
            .filter(|(_, keys)| **keys > 0);
        of_counts
            .map(|(place, keys)| {
                let (a, b) = (
                    a.saturating_sub(place / size),
                    b.saturating_sub(place % size),
                );
                let with = reaches[a * size + b];
                *keys as f64 * excess_of_item(meeting, with, without)
            })
            .sum()
    }

    fn remember(&mut self, a: usize, f: usize) {
        if a == 0 && f == 0 {
            return;
        }
        self.keys_by_counts[a * (self.threshold + 1) + f] += 1;
        let (hit, size) = (1.0 / self.range, self.threshold);
        let miss = 1.0 - hit;
        for row in (0..size).rev() {
            for column in (0..size).rev() {
                let raised = match row >= a && column >= f {
                    true => self.joint[(row - a) * size + column - f],
                    false => 0.0,
                };
                let place = row * size + column;
                self.joint[place] = miss * self.joint[place] + hit * raised;
            }
        }
        for (law, count) in [(&mut self.active, a), (&mut self.frozen, f)] {
            for sum in (0..size).rev().filter(|_| count > 0) {
                let raised = if sum >= count { law[sum - count] } else { 0.0 };
                law[sum] = miss * law[sum] + hit * raised;
            }
        }
    }

    fn forget(&mut self, a: usize, f: usize) {
        if a == 0 && f == 0 {
            return;
        }
        self.keys_by_counts[a * (self.threshold + 1) + f] -= 1;
        let (hit, size) = (1.0 / self.range, self.threshold);
        let miss = 1.0 - hit;
        for row in 0..size {
            for column in 0..size {
                let raised = match row >= a && column >= f {
                    true => self.joint[(row - a) * size + column - f],
                    false => 0.0,
                };
                let place = row * size + column;
                self.joint[place] = (self.joint[place] - hit * raised) / miss;
            }
        }
        for (law, count) in [(&mut self.active, a), (&mut self.frozen, f)] {
            for sum in (0..size).filter(|_| count > 0) {
                let raised = if sum >= count { law[sum - count] } else { 0.0 };
                law[sum] = (law[sum] - hit * raised) / miss;
            }
        }
    }
}
