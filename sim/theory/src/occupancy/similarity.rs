//! The inverse problem of two filters: how many items they have in common, from the urns that each and both occupy.

use super::cardinality::Throw;
use crate::error::TheoryError;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

const NAME: &str = "similarity from occupancy";
/// Steps of a bisection: an end is good to 2^-60 of its range.
const STEPS: u32 = 60;

/// One group of urns under two filters with a common hash: how many are occupied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// Urns that the first filter occupies.
    pub one: u64,
    /// Urns that the other filter occupies.
    pub other: u64,
    /// Urns that both occupy.
    pub both: u64,
}

/// A number and the interval that the observation leaves it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Interval {
    /// Estimate.
    pub value: f64,
    /// Least value that the observation does not contradict.
    pub low: f64,
    /// Greatest value that the observation does not contradict.
    pub high: f64,
}

/// What two filters of one geometry have in common.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Similarity {
    /// Different items of the first filter.
    pub one: f64,
    /// Different items of the other filter.
    pub other: f64,
    /// Different items of both together, each counted once.
    pub either: f64,
    /// Items that the filters have in common.
    pub common: Interval,
    /// Jaccard index, from 0 to 1: items in common over items in either. Without an item in either it is not known: 0 to 1.
    pub jaccard: Interval,
    /// Urns that both occupy, all groups together.
    pub overlap: u64,
    /// Expected number of such urns, if filters of as many occupied urns have no item in common.
    pub overlap_by_chance: f64,
    /// Standard deviation of that number.
    pub overlap_deviation: f64,
    /// Confidence of the intervals, from 0 to 1.
    pub confidence: f64,
    /// Where the numbers come from.
    pub formula: &'static str,
}

/// Items in common and Jaccard index of two filters, from groups of `urns` urns each; `None` where every urn is occupied, so that
/// any greater number of items explains it too.
///
/// The items of each filter and of both together follow from the urns that stay empty (OCC 46, all groups summed), and what is in
/// common is the excess of the two over the union (inclusion and exclusion). The overlap by chance is exact: given the occupied urns
/// of two independent filters, the urns that both occupy are hypergeometric (OCC 37; its mean over the occupied urns is Corollary 21,
/// 49).
///
/// The intervals hold every value that the observation does not contradict at the confidence (score intervals, of Fieller's form for
/// the Jaccard index): under the value that is tested, estimates are normal, with the exact covariances of the three numbers of
/// empty urns. Derivation of this project; asymptotic in their coverage, which the tests measure, also for filters with nothing and
/// with everything in common.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] without a group, for fewer than 4 or more than 2^40 urns, for balls above half of the urns, for more
/// than one group under [`Throw::Independent`] and [`Throw::Distinct`], for counts that cannot be and a confidence outside 0 to 1.
pub fn similarity(
    urns: u64,
    groups: &[Overlap],
    throw: Throw,
    confidence: f64,
) -> Result<Option<Similarity>, TheoryError> {
    check(urns, groups, throw, confidence)?;
    let pair = Pair::new(urns, groups.len(), throw);
    let sum = |count: fn(&Overlap) -> u64| groups.iter().map(count).sum::<u64>();
    let (one, other, overlap) = (sum(|g| g.one), sum(|g| g.other), sum(|g| g.both));
    let either = one + other - overlap;
    let all = urns * groups.len() as u64;
    if either >= all {
        return Ok(None);
    }
    let [one, other, either] = [one, other, either].map(|occupied| pair.items(all - occupied));
    let z = Normal::standard().inverse_cdf(0.5 + 0.5 * confidence);
    let common = one + other - either;
    // Sizes of the filters under a value that is tested: for the items in common the nearest ones in the sense of the covariances
    // (generalised least squares), for the Jaccard index those with as many items in both together as were found.
    let found = Sizes([one, other, either]);
    let towards = pair.regression(found, [1.0, 1.0, -1.0]);
    let of_common = |tested: f64| {
        let [one, other, either] =
            [0, 1, 2].map(|i| (found.0[i] - towards[i] * (common - tested)).max(0.0));
        let either = either.min(one + other);
        Sizes([one.min(either), other.min(either), either])
    };
    let of_jaccard = |jaccard: f64| {
        let total = (1.0 + jaccard) * either;
        let difference = (one - other).clamp(jaccard * either - either, either - jaccard * either);
        Sizes([
            0.5 * (total + difference),
            0.5 * (total - difference),
            either,
        ])
    };
    let excess = |tested: f64| {
        let deviation = pair.deviation(of_common(tested), [1.0, 1.0, -1.0]);
        (common - tested, z * deviation)
    };
    let ratio = |tested: f64| {
        let deviation = pair.deviation(of_jaccard(tested), [1.0, 1.0, -1.0 - tested]);
        (common - tested * either, z * deviation)
    };
    // No more items explain one of the filters.
    let most = 2.0 * one.min(other) + 10.0 * z * z;
    let common_interval = match one.min(other) > 0.0 {
        true => interval(common.clamp(0.0, one.min(other)), most, excess),
        false => Interval::default(),
    };
    let jaccard = if either > 0.0 {
        interval((common / either).clamp(0.0, 1.0), 1.0, ratio)
    } else {
        Interval {
            value: 0.0,
            low: 0.0,
            high: 1.0,
        }
    };
    let chance = groups.iter().map(|group| {
        let (r, a, b) = (urns as f64, group.one as f64, group.other as f64);
        let mean = a * b / r;
        (mean, mean * (1.0 - a / r) * (r - b) / (r - 1.0))
    });
    let (mean, variance) = chance.fold((0.0, 0.0), |sum, group| (sum.0 + group.0, sum.1 + group.1));
    Ok(Some(Similarity {
        one,
        other,
        either,
        common: common_interval,
        jaccard,
        overlap,
        overlap_by_chance: mean,
        overlap_deviation: variance.sqrt(),
        confidence,
        formula: "OCC (46) for each filter and their union; score intervals by exact covariances (this project)",
    }))
}

fn check(urns: u64, groups: &[Overlap], throw: Throw, confidence: f64) -> Result<(), TheoryError> {
    let refuse = |argument, requirement: String, got: String| {
        Err(TheoryError::domain(NAME, argument, requirement, got))
    };
    if !(4..=1 << 40).contains(&urns) {
        return refuse("urns", "4 to 2^40".to_owned(), urns.to_string());
    }
    let balls = match throw {
        Throw::OneEach => 1,
        Throw::Independent(balls) | Throw::Distinct(balls) => u64::from(balls),
    };
    if balls == 0 || balls > urns / 2 {
        return refuse(
            "balls of an item",
            format!("1 to {}", urns / 2),
            balls.to_string(),
        );
    }
    let one_group = throw != Throw::OneEach;
    if groups.is_empty() || (one_group && groups.len() > 1) {
        let requirement = if one_group { "1" } else { "at least 1" };
        return refuse("groups", requirement.to_owned(), groups.len().to_string());
    }
    let possible = |g: &&Overlap| {
        g.both <= g.one.min(g.other)
            && g.one.max(g.other) <= urns
            && g.one + g.other - g.both <= urns
    };
    if let Some(wrong) = groups.iter().find(|group| !possible(group)) {
        return refuse(
            "occupied urns",
            format!("counts of two sets among {urns} urns"),
            format!("{}, {} and {} in both", wrong.one, wrong.other, wrong.both),
        );
    }
    TheoryError::check_fraction(NAME, "confidence", confidence)
}

/// Items of the first filter, of the other and of both together.
#[derive(Debug, Clone, Copy)]
struct Sizes([f64; 3]);

impl Sizes {
    /// Items that two of the three sets have in common, and items that are in one of these two only.
    fn shared(&self, i: usize, j: usize) -> (f64, f64) {
        let [one, other, either] = self.0;
        let common = match (i, j) {
            (0, 1) | (1, 0) => (one + other - either).max(0.0),
            // a filter is within the union
            _ => self.0[i].min(self.0[j]),
        };
        (common, self.0[i] + self.0[j] - 2.0 * common)
    }
}

/// The law of empty urns under two filters.
struct Pair {
    urns: f64,
    groups: f64,
    /// Logarithm of the probability that an item misses a given urn, all its balls.
    ln_missed: f64,
    /// Logarithm of the probability that it misses two given urns, over the square of that.
    ln_together: f64,
}

impl Pair {
    fn new(urns: u64, groups: usize, throw: Throw) -> Self {
        let r = urns as f64;
        let (balls, size) = match throw {
            Throw::OneEach => (1.0, 1.0),
            Throw::Independent(balls) => (f64::from(balls), 1.0),
            Throw::Distinct(balls) => (1.0, f64::from(balls)),
        };
        Self {
            urns: r,
            groups: groups as f64,
            ln_missed: balls * (-size / r).ln_1p(),
            ln_together: balls * (-size / ((r - 1.0) * (r - size))).ln_1p(),
        }
    }

    /// Items by the number of urns that stay empty.
    fn items(&self, empty: u64) -> f64 {
        // the sum makes 0 of -0, the quotient where every urn is empty
        0.0 + (empty as f64 / (self.urns * self.groups)).ln() / self.ln_missed
    }

    /// Covariance of the empty urns of two sets of items, exact:
    /// `r q^|S u T| + r (r-1) q2^|S n T| q^|S x T| - r^2 q^(|S|+|T|)`, S x T the items in one of them only.
    fn covariance(&self, common: f64, single: f64) -> f64 {
        let (r, product) = (self.urns, (self.ln_missed * (2.0 * common + single)).exp());
        let same = r * (self.ln_missed * (common + single)).exp();
        let together = self.ln_together * common;
        self.groups * (same - r * product * together.exp() + r * r * product * together.exp_m1())
    }

    /// Covariance of each of the three estimates of items with their weighted sum (delta method).
    fn covariances(&self, sizes: Sizes, weights: [f64; 3]) -> [f64; 3] {
        // d items / d empty urns
        let slope = |i: usize| {
            let empty = self.groups * self.urns * (self.ln_missed * sizes.0[i]).exp();
            1.0 / (self.ln_missed * empty)
        };
        let of = |i: usize, j: usize| {
            let (common, single) = sizes.shared(i, j);
            slope(i) * slope(j) * self.covariance(common, single)
        };
        [0, 1, 2].map(|i| (0..3).map(|j| weights[j] * of(i, j)).sum())
    }

    /// Standard deviation of the weighted sum of the three estimates.
    fn deviation(&self, sizes: Sizes, weights: [f64; 3]) -> f64 {
        let covariances = self.covariances(sizes, weights);
        let variance: f64 = (0..3).map(|i| weights[i] * covariances[i]).sum();
        variance.max(0.0).sqrt()
    }

    /// By how much each estimate moves, where the weighted sum moves by one.
    fn regression(&self, sizes: Sizes, weights: [f64; 3]) -> [f64; 3] {
        let variance = self.deviation(sizes, weights).powi(2);
        match variance > 0.0 {
            true => self.covariances(sizes, weights).map(|of| of / variance),
            false => [0.0; 3],
        }
    }
}

/// The values from 0 to `most` at which a difference is within what is allowed, by bisection on each side of the estimate.
fn interval(value: f64, most: f64, test: impl Fn(f64) -> (f64, f64)) -> Interval {
    let allowed = |tested: f64| {
        let (difference, allowed) = test(tested);
        difference.abs() <= allowed
    };
    let end = |limit: f64| {
        if allowed(limit) {
            return limit;
        }
        let (mut inside, mut outside) = (value, limit);
        for _ in 0..STEPS {
            let middle = 0.5 * (inside + outside);
            if allowed(middle) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    };
    Interval {
        value,
        low: end(0.0),
        high: end(most),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// All ways in which items throw their balls into one group: sums over equally likely ways.
    fn ways(urns: usize, throw: Throw) -> Vec<u32> {
        match throw {
            Throw::OneEach => (0..urns).map(|urn| 1 << urn).collect(),
            Throw::Independent(2) => (0..urns * urns)
                .map(|pair| 1 << (pair % urns) | 1 << (pair / urns))
                .collect(),
            Throw::Distinct(balls) => (0_u32..1 << urns)
                .filter(|set| set.count_ones() == balls)
                .collect(),
            Throw::Independent(_) => unreachable!("the tests enumerate two balls"),
        }
    }

    #[test]
    fn covariances_are_those_of_every_way_to_throw() {
        let cases = [
            (5, Throw::OneEach, [1, 2, 1]),
            (4, Throw::OneEach, [2, 0, 3]),
            (4, Throw::Independent(2), [1, 1, 1]),
            (5, Throw::Distinct(2), [1, 1, 1]),
            (6, Throw::Distinct(3), [2, 1, 0]),
        ];
        for (urns, throw, [common, first, second]) in cases {
            let ways = ways(urns, throw);
            let items = common + first + second;
            let (mut count, mut sums) = (0.0, [0.0; 3]);
            let mut at = vec![0; items];
            'all: loop {
                let occupied = |from: usize, to: usize| {
                    at[from..to].iter().fold(0, |set, &way| set | ways[way])
                };
                let shared = occupied(0, common);
                let one = shared | occupied(common, common + first);
                let other = shared | occupied(common + first, items);
                let [one, other] =
                    [one, other].map(|set: u32| urns as f64 - f64::from(set.count_ones()));
                count += 1.0;
                sums = [sums[0] + one, sums[1] + other, sums[2] + one * other];
                for place in &mut at {
                    *place += 1;
                    if *place < ways.len() {
                        continue 'all;
                    }
                    *place = 0;
                }
                break;
            }
            let [one, other, product] = sums.map(|sum| sum / count);
            let pair = Pair::new(urns as u64, 1, throw);
            let got = pair.covariance(common as f64, (first + second) as f64);
            let right = product - one * other;
            assert!(
                (got - right).abs() < 1e-12,
                "{urns} {throw:?}: {got}, {right}"
            );
        }
    }

    /// Fills two filters with these items and gives what they tell at 95%.
    fn observed(
        urns: u64,
        groups: usize,
        throw: Throw,
        [common, first, second]: [u64; 3],
        random: &mut ChaCha8Rng,
    ) -> Similarity {
        let mut filters = vec![vec![0_u8; urns as usize]; groups];
        for item in 0..common + first + second {
            let of = match item {
                item if item < common => 3,
                item if item < common + first => 1,
                _ => 2,
            };
            match throw {
                Throw::OneEach => {
                    for group in &mut filters {
                        group[random.random_range(0..urns as usize)] |= of;
                    }
                }
                Throw::Independent(balls) => {
                    for _ in 0..balls {
                        filters[0][random.random_range(0..urns as usize)] |= of;
                    }
                }
                Throw::Distinct(balls) => {
                    let drawn = rand::seq::index::sample(random, urns as usize, balls as usize);
                    drawn.iter().for_each(|place| filters[0][place] |= of);
                }
            }
        }
        let groups = filters.iter().map(|group| {
            let count = |mask: u8| group.iter().filter(|&&cell| cell & mask == mask).count() as u64;
            Overlap {
                one: count(1),
                other: count(2),
                both: count(3),
            }
        });
        let groups: Vec<_> = groups.collect();
        let got = similarity(urns, &groups, throw, 0.95).expect("legal");
        got.expect("not full")
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        const TRIALS: u32 = 1_000;
        // 50 misses are expected of 1000, 25 with nothing in common (one side), and none of the Jaccard index 1; 99% for 14 counts:
        // 3.4 deviations of 6.9, and of 4.9.
        let cases = [
            (1024, 4, Throw::OneEach, [200, 300, 100], [(27, 73); 2]),
            (1024, 4, Throw::OneEach, [10, 400, 400], [(27, 73); 2]),
            (512, 2, Throw::OneEach, [250, 20, 10], [(27, 73); 2]),
            (
                2048,
                1,
                Throw::Independent(4),
                [150, 100, 150],
                [(27, 73); 2],
            ),
            (2048, 1, Throw::Distinct(4), [150, 100, 150], [(27, 73); 2]),
            (1024, 4, Throw::OneEach, [0, 300, 500], [(9, 41); 2]),
            (1024, 4, Throw::OneEach, [400, 0, 0], [(27, 73), (0, 0)]),
        ];
        for (seed, (urns, groups, throw, items, bounds)) in cases.into_iter().enumerate() {
            let mut random = ChaCha8Rng::seed_from_u64(seed as u64 + 20);
            let [common, first, second] = items.map(|items| items as f64);
            let jaccard = common / (common + first + second);
            let mut missed = [0_u32; 2];
            for _ in 0..TRIALS {
                let got = observed(urns, groups, throw, items, &mut random);
                let outside = |of: Interval, truth: f64| {
                    u32::from(truth < of.low - 1e-9 || truth > of.high + 1e-9)
                };
                missed[0] += outside(got.common, common);
                missed[1] += outside(got.jaccard, jaccard);
            }
            for (missed, (least, most)) in missed.into_iter().zip(bounds) {
                assert!(
                    (least..=most).contains(&missed),
                    "{throw:?} {items:?}, seed {}: {missed} of {TRIALS}",
                    seed + 20
                );
            }
        }
    }

    #[test]
    fn the_overlap_by_chance_is_that_of_independent_filters() {
        // Mean over 4,000 pairs within 3.3 of its standard errors (99.9 %), the deviation within 4 %.
        let mut random = ChaCha8Rng::seed_from_u64(40);
        let mut scores = Vec::new();
        for _ in 0..4_000 {
            let got = observed(256, 2, Throw::OneEach, [0, 100, 150], &mut random);
            scores.push((got.overlap as f64 - got.overlap_by_chance) / got.overlap_deviation);
        }
        let count = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / count;
        let square = scores.iter().map(|score| score * score).sum::<f64>() / count;
        assert!(mean.abs() < 3.3 / count.sqrt(), "{mean}");
        assert!((square.sqrt() - 1.0).abs() < 0.04, "{square}");
    }

    #[test]
    fn what_cannot_be_is_refused_and_full_filters_tell_nothing() {
        let group = |one, other, both| Overlap { one, other, both };
        let full = similarity(8, &[group(8, 3, 3)], Throw::OneEach, 0.9).expect("legal");
        assert_eq!(full, None);
        let empty = similarity(8, &[group(0, 0, 0)], Throw::OneEach, 0.9).expect("legal");
        let empty = empty.expect("not full");
        assert_eq!((empty.common.high, empty.jaccard.high), (0.0, 1.0));
        let items = [empty.one, empty.other, empty.either];
        assert!(items.iter().all(|items| items.is_sign_positive()));
        for (urns, groups, throw, confidence) in [
            (3, &[group(1, 1, 1)][..], Throw::OneEach, 0.9),
            (8, &[], Throw::OneEach, 0.9),
            (8, &[group(2, 3, 3)], Throw::OneEach, 0.9),
            (8, &[group(7, 7, 5)], Throw::OneEach, 0.9),
            (8, &[group(9, 7, 7)], Throw::OneEach, 0.9),
            (8, &[group(1, 1, 1); 2], Throw::Distinct(2), 0.9),
            (8, &[group(1, 1, 1)], Throw::Independent(5), 0.9),
            (8, &[group(1, 1, 1)], Throw::Independent(0), 0.9),
            (8, &[group(1, 1, 1)], Throw::OneEach, 1.0),
        ] {
            let got = similarity(urns, groups, throw, confidence);
            assert!(
                matches!(got, Err(TheoryError::OutOfDomain { .. })),
                "{groups:?}"
            );
        }
    }
}
