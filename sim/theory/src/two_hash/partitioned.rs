//! Partitioned double hashing: probe i of partition i is `h1 + i h2 (+ f(i)) mod m'`.
//!
//! A key and a stored item meet in partition i when `a + i d = 0 mod m'`, with a and d the differences of their h1 and
//! h2; f(i) cancels, so extended double hashing has the same collisions. For a step d of order `r = m'/gcd(d,m')` at
//! least k the item meets the key in one partition at most. The few steps of lower order meet it in a whole residue
//! class of partitions mod r: these are the excess over independent hashes.
//!
//! With a Poisson number of items every class, and every single partition, is met independently of the others, and
//! where the orders form a chain (m' a power of two, or prime) the classes are a tree. So the probability that all
//! partitions are met follows by a recursion over the tree in positive terms, and a Cauchy integral turns the Poisson
//! number into exactly n. Where the orders form no chain and k is at most 8, the recursion runs over the sets of partitions
//! that the classes cover instead of over the tree. The sum over 2^k subsets, which alternates, loses rates below its
//! rounding error of about 1e-16 and serves only the tests.

use super::coverage::Coverage;
use super::patterns::short_orders;
use crate::accuracy::Accuracy;
use crate::error::TheoryError;
use crate::numeric::circle::Circle;
use crate::numeric::complex::Complex;
use crate::numeric::fill_sum::partitioned_rate;
use crate::numeric::quadrature::integral;
use std::collections::BTreeMap;

const NAME: &str = "partitioned double hashing";
/// Largest k for which a recursion over sets of partitions replaces the tree where orders form no chain.
const COVERAGE_HASHES: u32 = 8;

/// A partitioned filter whose k probes come from two hash functions.
#[derive(Debug, Clone, PartialEq)]
pub struct PartitionedDoubleHashing {
    range: u64,
    hashes: u32,
    /// Orders below k that divide each other in turn, with their number of steps.
    chain: Vec<(u32, u64)>,
    /// The remaining orders below k.
    loose: Vec<(u32, u64)>,
    /// What the classes of the remaining orders leave of the tree.
    left: Left,
    /// Where the orders form no chain and k is small enough: all classes, without approximation.
    coverage: Option<Coverage>,
}

impl PartitionedDoubleHashing {
    /// A filter of `hashes` partitions of `range` positions.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `1 <= hashes <= 64` and `2 <= range < 2^40`.
    pub fn new(range: u64, hashes: u32) -> Result<Self, TheoryError> {
        if hashes == 0 || hashes > crate::recycling::half::MAX_HASHES {
            return Err(TheoryError::domain(NAME, "hashes", "1 to 64", hashes));
        }
        if !(2..1 << 40).contains(&range) {
            return Err(TheoryError::domain(NAME, "range", "2 to 2^40 - 1", range));
        }
        let mut chain: Vec<(u32, u64)> = Vec::new();
        let mut loose = Vec::new();
        for order in short_orders(range, hashes) {
            match chain.last() {
                Some((last, _)) if order.0 % last != 0 => loose.push(order),
                _ => chain.push(order),
            }
        }
        let coverage = (!loose.is_empty() && hashes <= COVERAGE_HASHES).then(|| {
            let orders: Vec<(u32, u64)> = chain.iter().chain(&loose).copied().collect();
            Coverage::new(range, hashes, &orders)
        });
        Ok(Self {
            range,
            hashes,
            coverage,
            left: Left::new(&chain, &loose, hashes),
            chain,
            loose,
        })
    }

    /// How good [`Self::rate`] and [`Self::excess`] are at `items` items, relative to the excess.
    ///
    /// Exact where the orders below k form a chain, as for powers of two and primes, and for k up to 8. Otherwise
    /// the orders outside the chain enter in first order, an approximation whose error is half the expected number of
    /// items that meet a key in one of their classes.
    pub fn accuracy(&self, items: f64) -> Accuracy {
        if self.loose.is_empty() || self.coverage.is_some() {
            return Accuracy::exact(1e-6);
        }
        let square = (self.range as f64) * (self.range as f64);
        let classes: f64 = self
            .loose
            .iter()
            .map(|(r, steps)| f64::from(*r) * *steps as f64)
            .sum();
        Accuracy::approximation((0.5 * items * classes / square).max(1e-6))
    }

    /// The false-positive rate of a filter that holds exactly `items` items.
    ///
    /// Source: KM 5.1 defines the scheme; the formula is this project's (any m', exact for n items),
    /// evaluated in positive terms instead of its alternating sum. Exact, see [`Self::accuracy`]; relative error of the
    /// rate below 1e-11, however small the rate is.
    /// `items` may be fractional above 60 (an interpolation); below it is rounded.
    pub fn rate(&self, items: f64) -> f64 {
        let items = if items < 60.0 { items.round() } else { items };
        if items <= 0.0 {
            return 0.0;
        }
        if self.hashes == 1 {
            return partitioned_rate(self.range as f64, 1, items);
        }
        Circle::depoissonise(items, |x| self.poisson_rate(x))
    }

    /// What two hashes add to the rate of independent ones: [`Self::rate`] less `(1-(1-1/m')^n)^k`.
    pub fn excess(&self, items: f64) -> f64 {
        if self.hashes == 1 {
            return 0.0;
        }
        let items = if items < 60.0 { items.round() } else { items };
        self.rate(items) - partitioned_rate(self.range as f64, self.hashes, items)
    }

    /// The excess with a Poisson number of items instead, for searches that check what they find: no error is stated.
    pub(crate) fn rough_excess(&self, items: f64) -> f64 {
        if self.hashes == 1 || items <= 0.0 {
            return 0.0;
        }
        let independent = -(-items / self.range as f64).exp_m1();
        self.poisson_rate(Complex::new(items, 0.0)).re - independent.powi(self.hashes as i32)
    }

    /// Sum of the excess over `items` = 0 .. `arrivals`: what a cycle of `arrivals` new arrivals adds to its false
    /// positives. An integral above 60 items; it adds less than 1e-6 of the result.
    pub fn excess_sum(&self, arrivals: f64) -> f64 {
        sum_over_cycle(arrivals, |items| self.excess(items))
    }

    /// The rate with a Poisson number of items of mean x.
    fn poisson_rate(&self, x: Complex) -> Complex {
        match &self.coverage {
            Some(coverage) => coverage.poisson_rate(x),
            None => self.tree_rate(x),
        }
    }

    /// [`Self::poisson_rate`] by the tree; orders outside the chain enter in first order.
    fn tree_rate(&self, x: Complex) -> Complex {
        let square = (self.range as f64) * (self.range as f64);
        let missed = |steps: f64| x.scale(-steps / square).exp_m1(); // P(no item) - 1
        let short: u64 = self
            .chain
            .iter()
            .chain(&self.loose)
            .map(|(_, steps)| steps)
            .sum();
        let mut met = [Complex::ZERO; MOST_LEVELS];
        let mut before: Option<(u64, Complex)> = None;
        for (met, (_, steps)) in met.iter_mut().zip(&self.chain) {
            let none = match before {
                Some((last, none)) if *steps == last => none,
                Some((last, none)) if *steps == 2 * last => none * (none + Complex::ONE.scale(2.0)),
                _ => missed(*steps as f64),
            };
            before = Some((*steps, none));
            *met = Complex::ZERO - none;
        }
        let tree = Tree {
            chain: &self.chain,
            met,
            single: Complex::ZERO - missed(self.range as f64 - short as f64),
        };
        let none = tree.all_covered(0, self.hashes);
        if self.loose.is_empty() {
            return none;
        }
        let (covered, steps) = self.left.covered(&tree);
        none + (covered - none.scale(steps)) * x.scale(1.0 / square)
    }
}

/// `sum_{n=0}^{arrivals-1} f(n)` of a function that grows: term by term below 60, an integral above; a fractional last term
/// counts in part. Where the first 60 terms come to less than 1e-3 of the sum, Simpson's rule on eleven places takes their part.
fn sum_over_cycle(arrivals: f64, f: impl Fn(f64) -> f64) -> f64 {
    const DIRECT: f64 = 60.0;
    const FIRST_PANELS: usize = 10;
    const SMALL: f64 = 1e-3;
    let simpson = |from: f64, to: f64, panels: usize| {
        let step = (to - from) / panels as f64;
        let (first, last) = (f(from), f(to));
        let mut sum = first + last;
        for i in 1..panels {
            sum += f(from + i as f64 * step) * if i % 2 == 1 { 4.0 } else { 2.0 };
        }
        sum * step / 3.0 + 0.5 * (first - last)
    };
    let mut total = 0.0;
    if arrivals > DIRECT {
        total = integral(DIRECT, arrivals, &f) + 0.5 * (f(DIRECT) - f(arrivals));
        if (DIRECT * f(DIRECT)).abs() < SMALL * total.abs() {
            return total + simpson(0.0, DIRECT, FIRST_PANELS);
        }
    }
    let mut n = 0.0;
    while n < arrivals.min(DIRECT) {
        total += f(n) * (arrivals - n).min(1.0);
        n += 1.0;
    }
    total
}

/// Most orders below 64 of which each divides the next.
const MOST_LEVELS: usize = 8;

/// A residue class of partitions in the tree, of which some are met beforehand; what classes alike in number and shape have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    level: usize,
    /// At the last level: partitions that are left.
    left: u32,
    /// Classes of the next level by their places among all, alike ones together.
    children: Vec<(usize, u32)>,
}

/// What is left of the tree where a class of an order outside the chain is met, for each such class.
#[derive(Debug, Clone, PartialEq, Default)]
struct Left {
    /// Every class once, behind its children.
    classes: Vec<Class>,
    /// Whole trees by their places among the classes, each with its number of steps.
    trees: Vec<(usize, f64)>,
}

impl Left {
    fn new(chain: &[(u32, u64)], loose: &[(u32, u64)], hashes: u32) -> Self {
        let mut known = BTreeMap::new();
        let mut trees: BTreeMap<usize, f64> = BTreeMap::new();
        for (order, steps) in loose {
            for first in 0..*order {
                let place = Self::class(&mut known, chain, (0, 0), hashes, &|i| i % order == first);
                *trees.entry(place).or_default() += *steps as f64;
            }
        }
        let mut classes: Vec<(Class, usize)> = known.into_iter().collect();
        classes.sort_by_key(|(_, place)| *place);
        Self {
            classes: classes.into_iter().map(|(class, _)| class).collect(),
            trees: trees.into_iter().collect(),
        }
    }

    /// The place of the class of the partitions `first`, `first` + order, .. below `hashes`, but for those that are `met`.
    fn class(
        known: &mut BTreeMap<Class, usize>,
        chain: &[(u32, u64)],
        (level, first): (usize, u32),
        hashes: u32,
        met: &impl Fn(u32) -> bool,
    ) -> usize {
        let order = chain[level].0 as usize;
        let mut children: BTreeMap<usize, u32> = BTreeMap::new();
        let mut left = 0;
        match chain.get(level + 1) {
            Some((next, _)) => {
                for child in (first..(*next).min(hashes)).step_by(order) {
                    let child = Self::class(known, chain, (level + 1, child), hashes, met);
                    *children.entry(child).or_default() += 1;
                }
            }
            None => {
                let all = (first..hashes).step_by(order);
                left = all.filter(|i| !met(*i)).count() as u32;
            }
        }
        let class = Class {
            level,
            left,
            children: children.into_iter().collect(),
        };
        let places = known.len();
        *known.entry(class).or_insert(places)
    }

    /// The sum over all trees of their steps times the probability that every partition that is left is met, and of the steps alone.
    fn covered(&self, tree: &Tree) -> (Complex, f64) {
        let mut covered = Vec::with_capacity(self.classes.len());
        for class in &self.classes {
            let mut parts = tree.single.powu(class.left);
            for (child, count) in &class.children {
                let child: Complex = covered[*child];
                parts = parts * child.powu(*count);
            }
            covered.push(tree.or_met(class.level, parts));
        }
        self.trees
            .iter()
            .fold((Complex::ZERO, 0.0), |(sum, all), (place, steps)| {
                (sum + covered[*place].scale(*steps), all + steps)
            })
    }
}

/// The tree of residue classes.
struct Tree<'a> {
    chain: &'a [(u32, u64)],
    /// By level: probability that some item meets one given class of that order.
    met: [Complex; MOST_LEVELS],
    single: Complex,
}

impl Tree<'_> {
    /// Probability that every partition of a class of `size` partitions at `level` is met: classes of one size are alike.
    fn all_covered(&self, level: usize, size: u32) -> Complex {
        let parts = match self.chain.get(level + 1) {
            Some((next, _)) => {
                let classes = next / self.chain[level].0;
                let (each, larger) = (size / classes, size % classes);
                let mut parts = Complex::ONE;
                if larger > 0 {
                    parts = self.all_covered(level + 1, each + 1).powu(larger);
                }
                if each > 0 {
                    parts = parts * self.all_covered(level + 1, each).powu(classes - larger);
                }
                parts
            }
            None => self.single.powu(size),
        };
        self.or_met(level, parts)
    }

    /// Probability that a class is met, or all its `parts` are.
    fn or_met(&self, level: usize, parts: Complex) -> Complex {
        let met = self.met[level];
        met + (Complex::ONE - met) * parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The alternating sum over subsets of partitions that no item meets: exact, absolute error about 1e-14.
    fn rate_by_subsets(scheme: &PartitionedDoubleHashing, items: f64) -> f64 {
        let square = (scheme.range as f64) * (scheme.range as f64);
        let orders: Vec<(u32, u64)> = scheme.chain.iter().chain(&scheme.loose).copied().collect();
        let short: u64 = orders.iter().map(|(_, steps)| steps).sum();
        let mut sum = crate::numeric::sum::Sum::default();
        for subset in 0u64..1 << scheme.hashes {
            let mut met = (scheme.range - short) as f64 * f64::from(subset.count_ones());
            for (r, steps) in &orders {
                let mut classes = 0u64;
                for i in (0..scheme.hashes).filter(|i| subset >> i & 1 == 1) {
                    classes |= 1 << (i % r);
                }
                met += *steps as f64 * f64::from(classes.count_ones());
            }
            let sign = if subset.count_ones() % 2 == 0 {
                1.0
            } else {
                -1.0
            };
            sum.add(sign * (items * (-met / square).ln_1p()).exp());
        }
        sum.value()
    }

    #[test]
    fn tree_equals_the_subset_formula() {
        for (range, hashes) in [(64, 4), (256, 8), (61, 5), (32, 12), (96, 2)] {
            let scheme = PartitionedDoubleHashing::new(range, hashes).expect("legal scheme");
            assert!(scheme.loose.is_empty());
            for items in [1.0, 5.0, 40.0, 177.0] {
                let (tree, subsets) = (scheme.rate(items), rate_by_subsets(&scheme, items));
                assert!(
                    (tree - subsets).abs() < 1e-12,
                    "{range} {hashes} {items}: {tree} {subsets}"
                );
            }
        }
    }

    #[test]
    fn coverage_equals_the_subset_formula() {
        for (range, hashes) in [(6, 4), (12, 6), (60, 8), (420, 8), (105, 8), (1000, 6)] {
            let scheme = PartitionedDoubleHashing::new(range, hashes).expect("legal scheme");
            assert!(scheme.coverage.is_some());
            for items in [1.0, 5.0, 40.0, 177.0, 1000.5] {
                let (rate, subsets) = (scheme.rate(items), rate_by_subsets(&scheme, items));
                assert!(
                    (rate - subsets).abs() < 1e-12,
                    "{range} {hashes} {items}: {rate} {subsets}"
                );
            }
        }
    }

    #[test]
    fn loose_orders_in_first_order_keep_their_stated_error() {
        let scheme = PartitionedDoubleHashing::new(96 * 16, 12).expect("legal scheme");
        assert!(!scheme.loose.is_empty());
        for items in [100.0, 1000.0] {
            let first_order = Circle::depoissonise(items, |x| scheme.poisson_rate(x));
            let exact = rate_by_subsets(&scheme, items);
            let excess = exact - partitioned_rate(1536.0, 12, items);
            let wide = PartitionedDoubleHashing {
                hashes: 12,
                ..scheme.clone()
            };
            let square = 1536.0f64 * 1536.0;
            let classes: f64 = wide
                .loose
                .iter()
                .map(|(r, steps)| f64::from(*r) * *steps as f64)
                .sum();
            let stated = 0.5 * items * classes / square;
            assert!(
                ((first_order - exact) / excess).abs() < stated + 1e-6,
                "{items}: {first_order} {exact} {excess}"
            );
        }
    }
}
