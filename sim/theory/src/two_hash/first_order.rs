//! Two hash functions on one array in first order: for more hashes than subsets of positions can be summed for.
//!
//! The rate is that of k positions which n items fill independently, `F^k` with `F = 1 - (1 - d/m)^n` and d the mean number of
//! distinct positions of an item, and what one item changes, n times: an item that puts h probes on h positions of a key counts
//! `F^(k-h) - F^k - h (1-F) F^(k-1)`, less the pairs that independent positions have too. The items with h > 1, averaged over keys:
//!
//! * Probes i, j meet positions s, t for `m gcd(i-j, s-t, m)` of the m^2 pairs of strides, with one start each.
//! * Probe i meets position s for a whole chain of (i, s). Double hashing: steps (q, p) in lowest terms, any p other than 0.
//!   `f = i^2`: steps (1, 1) and (1, -1) from any place. `f = i^3`: i = s, and three probes of
//!   a chain of steps (q, p) whose numbers have `q^2 (i + i' + i'') = p^2 (s + s' + s'')`. Each step also r times, for every
//!   divisor r of m, with `phi(r)` strides a key.
//!
//! Keys of j < k distinct positions add `F^j - F^k` each.

use super::extension::Extension;
use super::meetings::{coincident_strides, covariance_of_meeting};
use super::patterns::short_orders;
use crate::numeric::fill_sum::occupied_fraction;
use crate::numeric::primes::gcd;
use crate::numeric::quadrature;

/// The first-order law of an array.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FirstOrder {
    bits: f64,
    hashes: i32,
    mean_distinct: f64,
    /// By j: share of the keys with j < k distinct positions.
    own: Vec<f64>,
    /// By h: the probability that an item puts h probes on a key, on average over keys.
    meetings: Vec<f64>,
    /// A key whose stride has an order r below k has r positions, and an item whose stride has the same order covers all of them if it
    /// covers one. The share of such keys times such items in what all items that cover a whole key add; the first order leaves it out.
    special: f64,
}

impl FirstOrder {
    /// `bits` (m), `hashes` (k).
    pub(super) fn new(bits: u64, hashes: u32, extension: Extension) -> Self {
        let own: Vec<f64> = coincident_strides(bits, hashes, extension)
            .into_iter()
            .map(|strides| strides as f64 / bits as f64)
            .collect();
        let lost = own.iter().enumerate();
        let lost: f64 = lost
            .map(|(distinct, share)| share * (f64::from(hashes) - distinct as f64))
            .sum();
        let k = i64::from(hashes);
        let square = (bits as f64).powi(2);
        let mut meetings = vec![0.0; hashes as usize + 1];
        // pairs of probes on pairs of positions
        let mut pairs = 0.0;
        for probes in 1..k {
            for positions in 1..k {
                let ways = 2 * (k - probes) * (k - positions);
                let strides = gcd(gcd(probes as u64, positions as u64), bits);
                pairs += (ways as u64 * strides) as f64;
            }
        }
        let mut special = 0.0;
        for (order, strides) in short_orders(bits, hashes) {
            // a share phi(r)/m of the keys, each covered by r phi(r) items of that order; other keys are covered by 2
            special += 0.5 * (strides * strides) as f64 * f64::from(order) / bits as f64;
            let mut met = |probes: usize, ways: usize| {
                let items = strides as f64 * ways as f64;
                meetings[probes] += items / square;
                pairs -= items * (probes * (probes - 1) / 2) as f64;
            };
            for (q, p) in steps(k) {
                let step = (q * i64::from(order), p * i64::from(order));
                for ((i, s), length) in chains(k, step).filter(|(_, length)| *length > 2) {
                    let whole = match extension {
                        Extension::None => true,
                        Extension::Square => q == 1 && p.abs() == 1,
                        Extension::Cube => q == 1 && p == 1 && i == s,
                    };
                    if whole {
                        met(length, 1);
                    } else if extension == Extension::Cube && (q, p) != (1, 1) {
                        met(3, triples((i, s), step, (q, p), length as i64));
                    }
                }
            }
        }
        if hashes > 1 {
            meetings[2] = pairs.max(0.0) / square;
        }
        Self {
            bits: bits as f64,
            hashes: hashes as i32,
            mean_distinct: f64::from(hashes) - lost,
            own,
            meetings,
            special,
        }
    }

    /// The rate after `items`, any real number of them.
    pub(super) fn at(&self, items: f64) -> f64 {
        let k = self.hashes;
        let fill = self.fill(items);
        let rate =
            fill.powi(k) + self.of_own(fill) + items * self.of_an_item(self.fill(items - 1.0));
        rate.clamp(0.0, 1.0)
    }

    /// The sum of the rates after 0, 1, .. `arrivals` - 1 items.
    pub(super) fn sum_to(&self, arrivals: f64) -> f64 {
        quadrature::sum(0.0, arrivals, &|items| self.at(items.max(0.0)))
    }

    /// What keys whose own positions coincide add to the covariance of two arrays, as of
    /// [`SingleArray::covariance`](super::SingleArray).
    pub(super) fn covariance(&self, arrivals: f64, items: f64) -> f64 {
        let own = self.own.iter().enumerate();
        own.filter(|(_, share)| **share > 0.0)
            .map(|(distinct, share)| {
                let more = |items: f64| self.more(distinct, self.fill(items.max(0.0)));
                share * quadrature::sum(0.0, arrivals, &more) / arrivals * more(items)
            })
            .sum()
    }

    /// Stated relative error at a rate: that of the second order, for the share of the rate that the first order adds, and of the spread
    /// of the positions in use.
    pub(super) fn error(&self, rate: f64) -> f64 {
        let k = f64::from(self.hashes);
        let fill = rate.clamp(f64::MIN_POSITIVE, 1.0).powf(1.0 / k);
        let items = -(-fill.min(1.0 - 1e-12)).ln_1p() * self.bits / k;
        let base = fill.powi(self.hashes);
        let first = (items * self.of_an_item(fill)).abs();
        let share = first / (base + first);
        let spread = k * k / self.bits;
        SECOND_ORDER * (share * (spread + self.special) + spread * spread)
    }

    /// As [`SingleArray::pairs_variance`](super::SingleArray).
    pub(super) fn pairs_variance(&self, reached: f64) -> f64 {
        let k = self.hashes as u32;
        let meetings = (0..=k).zip(&self.meetings).skip(2);
        let of_hits =
            |(hits, share): (u32, &f64)| share * covariance_of_meeting(2 * k, hits, reached);
        meetings.map(of_hits).sum::<f64>().max(0.0)
    }

    fn fill(&self, items: f64) -> f64 {
        occupied_fraction(self.bits / self.mean_distinct, items)
    }

    /// How much likelier a key of so many distinct positions is covered than one of k.
    fn more(&self, distinct: usize, fill: f64) -> f64 {
        fill.powi(distinct as i32) - fill.powi(self.hashes)
    }

    /// What keys of fewer than k distinct positions add.
    fn of_own(&self, fill: f64) -> f64 {
        let own = self.own.iter().enumerate();
        own.map(|(distinct, share)| share * self.more(distinct, fill))
            .sum()
    }

    /// What one item changes where the others fill a share `fill` of the positions.
    fn of_an_item(&self, fill: f64) -> f64 {
        let k = self.hashes;
        let empty = 1.0 - fill;
        let (all, one) = (fill.powi(k), empty * fill.powi((k - 1).max(0)));
        let met: f64 = (2..=k)
            .map(|h| {
                let change = fill.powi(k - h) - all - f64::from(h) * one;
                self.meetings[h as usize] * change
            })
            .sum();
        let hit = f64::from(k) / self.bits;
        let apart =
            0.5 * f64::from(k * (k - 1)) * (hit * empty).powi(2) * fill.powi((k - 2).max(0));
        met - apart
    }
}

/// The stated error over the terms of second order: twice the largest difference from the law of subsets that was found for k from 4 on.
const SECOND_ORDER: f64 = 4.0;

/// Steps of chains in lowest terms: q > 0 probes to p positions.
fn steps(k: i64) -> impl Iterator<Item = (i64, i64)> {
    (1..k)
        .flat_map(move |q| (1..k).map(move |p| (q, p)))
        .filter(|(q, p)| gcd(*q as u64, *p as u64) == 1)
        .flat_map(|(q, p)| [(q, p), (q, -p)])
}

/// The chains of a step within k probes and k positions: where they begin, and their lengths.
fn chains(k: i64, (q, p): (i64, i64)) -> impl Iterator<Item = ((i64, i64), usize)> {
    let inside = move |i: i64, s: i64| (0..k).contains(&i) && (0..k).contains(&s);
    let all = (0..k).flat_map(move |i| (0..k).map(move |s| (i, s)));
    let first = all.filter(move |(i, s)| !inside(i - q, s - p));
    first.map(move |(i, s)| {
        let along = |at: i64, step: i64| match step {
            step if step > 0 => (k - 1 - at) / step,
            step => at / -step,
        };
        ((i, s), 1 + along(i, q).min(along(s, p)) as usize)
    })
}

/// In how many ways three links of a chain meet under `f = i^3`.
fn triples((i, s): (i64, i64), step: (i64, i64), (q, p): (i64, i64), length: i64) -> usize {
    let sum = |links: i64, first: i64, step: i64| 3 * first + links * step;
    let meets = |links: i64| q * q * sum(links, i, step.0) == p * p * sum(links, s, step.1);
    let mut ways = 0;
    for a in 0..length {
        for b in a + 1..length {
            ways += (b + 1..length).filter(|c| meets(a + b + c)).count();
        }
    }
    ways
}
