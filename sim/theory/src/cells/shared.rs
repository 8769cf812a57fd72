//! One array that all k probes of an item share: what is known of it, scheme by scheme.
//!
//! Every probe of an insertion raises its cell by one (sets its bit), a cell that is probed twice twice.

use super::concentration::{by_cells, by_items, by_queries, check_chance, Item};
use crate::accuracy::{Accuracy, AccuracyKind, Figure};
use crate::counting::CountingFilter;
use crate::error::TheoryError;
use crate::numeric::chernoff::share_exceeded_by;
use crate::numeric::memo::Memo;
use crate::numeric::search::{first_above_near, first_true};
use crate::numeric::tail::{binomials_between, poisson_at};
use crate::occupancy::{Batches, Union};
use crate::recycling::half::MAX_HASHES;
use crate::static_filter::{Probes, StaticFilter};
use crate::two_hash::{
    ln_sum, mean_distinct, multinomial_ln_reaches, Extension, SharedCounters, SingleArray,
};
use statrs::distribution::{Binomial, DiscreteCDF};
use std::rc::Rc;

pub(super) const NAME: &str = "shared array";
const MOST_ITEMS: u64 = 1 << 40;
/// Most independent hashes, greatest threshold and multiplications of the multinomial law.
const MOST_PATTERNS_OF: u32 = 16;
const MOST_MULTINOMIAL: u64 = 4096;
const MOST_MULTINOMIAL_WORK: f64 = 4e6;
/// What [`SharedArray::counting_work`] may come to in a search: some 10 ms.
const MOST_COUNTING_WORK: f64 = 1e6;
/// Largest array whose capacity is searched for: every step of the search is a sum over its items.
const MOST_SEARCHED: u64 = 1 << 22;

/// How the k positions of an item are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// k independent draws, which may coincide: the standard filter (OCC).
    Independent,
    /// k distinct positions: the classic filter (OCC).
    Distinct,
    /// `h1 + i h2 + f(i)` (KM 5.2).
    TwoHash(Extension),
}

/// An array of m cells (bits, counters) with k probes an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedArray {
    range: u64,
    hashes: u32,
    draw: Draw,
}

impl SharedArray {
    /// `range` (m) cells that `hashes` (k) probes choose from.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `1 <= hashes <= 64` and `2 <= range < 2^40`, and range is at least hashes.
    pub fn new(range: u64, hashes: u32, draw: Draw) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "hashes", hashes.into(), (1, MAX_HASHES.into()))?;
        let least = u64::from(hashes).max(2);
        TheoryError::check_range(NAME, "range", range, (least, (1 << 40) - 1))?;
        Ok(Self {
            range,
            hashes,
            draw,
        })
    }

    /// Cells that are probed (m).
    pub fn range(&self) -> u64 {
        self.range
    }

    /// Probes of an item (k).
    pub fn hashes(&self) -> u32 {
        self.hashes
    }

    /// How positions are drawn.
    pub fn draw(&self) -> Draw {
        self.draw
    }

    /// Share of the cells that `items` (n) insertions probe, on average: `1-(1-q)^n`, q the probability that an item probes a
    /// given cell. Exact: q is the mean number of distinct positions of an item over m.
    pub fn fill(&self, items: u64) -> Figure {
        let m = self.range as f64;
        let k = f64::from(self.hashes);
        let (missed, formula) = match self.draw {
            Draw::Independent => (k * (-1.0 / m).ln_1p(), "mean share of bits set: 1-(1-1/m)^(kn)"),
            Draw::Distinct => ((-k / m).ln_1p(), "mean share of bits set: 1-(1-k/m)^n"),
            Draw::TwoHash(extension) => (
                (-mean_distinct(self.range, self.hashes, extension) / m).ln_1p(),
                "mean share of bits set: 1-(1-q)^n, q = mean number of distinct positions of an item / m",
            ),
        };
        // an item may probe every cell, and none does so no more than any other number
        let missed = match items {
            0 => 0.0,
            _ => items as f64 * missed,
        };
        Figure::new(-missed.exp_m1(), formula, Accuracy::exact(1e-11))
    }

    /// The false-positive rate of a filter of bits that holds `items` (n) keys.
    ///
    /// Independent draws: OCC (56), exact. Distinct: OCC (60), exact. Two hash functions: [`SingleArray::rate`].
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] for more than 2^40 items; for two hash functions below 2 k^2 cells;
    /// [`TheoryError::TooLarge`] as of [`StaticFilter::rate`].
    pub fn rate(&self, items: u64) -> Result<Figure, TheoryError> {
        TheoryError::check_range(NAME, "items", items, (0, MOST_ITEMS))?;
        match self.draw {
            Draw::Independent => self.standard(items, Probes::Independent)?.rate(),
            Draw::Distinct => self.standard(items, Probes::Distinct)?.rate(),
            Draw::TwoHash(extension) => Ok(self.two_hash(extension)?.rate(items)),
        }
    }

    /// The law of bits under two hash functions.
    fn two_hash(&self, extension: Extension) -> Result<Rc<SingleArray>, TheoryError> {
        SingleArray::known(self.range, self.hashes, extension)
    }

    fn standard(&self, items: u64, probes: Probes) -> Result<StaticFilter, TheoryError> {
        StaticFilter::new(self.range, items, self.hashes.into(), probes)
    }

    /// What two hash functions add to the rate of k independent ones (OCC 56); 0 for other draws. Contained in [`Self::rate`].
    ///
    /// # Errors
    /// As [`Self::rate`].
    pub fn two_hash_excess(&self, items: u64) -> Result<Figure, TheoryError> {
        if !matches!(self.draw, Draw::TwoHash(_)) {
            return Ok(Figure::new(
                0.0,
                "k independent functions",
                Accuracy::exact(0.0),
            ));
        }
        let (rate, independent) = (
            self.rate(items)?,
            self.standard(items, Probes::Independent)?.rate()?,
        );
        let excess = rate.value - independent.value;
        let lost = rate.value * (rate.accuracy.relative_error + 1e-13);
        let error = if excess == 0.0 {
            0.0
        } else {
            (lost / excess.abs()).min(f64::MAX)
        };
        Ok(Figure::new(
            excess,
            "two hash functions on one array less OCC (56)",
            Accuracy::approximation(error),
        ))
    }

    /// Standard deviation, over the choice of the hash functions, of the rate that one filled filter has.
    ///
    /// The number of bits set is an occupancy number, whose variance is exact (OCC 43, 45); a rate of `(b/m)^k` deviates k times
    /// as much, relatively: first order. Two hash functions are taken as distinct draws, which have the same expected number of
    /// coincidences with any two cells.
    ///
    /// # Errors
    /// As [`Self::rate`].
    pub fn rate_deviation(&self, items: u64) -> Result<Figure, TheoryError> {
        // two positions of two hash functions are independent
        let draw = match self.draw {
            Draw::TwoHash(_) if self.hashes <= 2 => Draw::Independent,
            draw => draw,
        };
        let batch = match draw {
            Draw::Independent => Batches {
                count: items.saturating_mul(self.hashes.into()),
                size: 1,
            },
            Draw::Distinct | Draw::TwoHash(_) => Batches {
                count: items,
                size: self.hashes.into(),
            },
        };
        let occupied = Union::new(self.range, &[batch])?;
        let (mean, variance) = (occupied.mean().value, occupied.variance().value);
        let relative = if mean > 0.0 {
            f64::from(self.hashes) * variance.max(0.0).sqrt() / mean
        } else {
            0.0
        };
        let rate = self.rate(items)?.value;
        let (k, m) = (f64::from(self.hashes), self.range as f64);
        // a power of a small number of bits is no straight line between one number and the next
        let few = if mean > 0.0 { (k - 1.0) / mean } else { 0.0 };
        let (pairs, left_out) = match draw {
            Draw::Independent | Draw::Distinct => (0.0, 0.0),
            Draw::TwoHash(extension) => {
                let two = self.two_hash_excess(items)?.value / rate;
                let pairs = self.two_hash(extension)?.pairs_variance(mean / m);
                (pairs, if rate > 0.0 { two.abs() } else { 0.0 })
            }
        };
        Ok(Figure::new(
            ((rate * relative).powi(2) + pairs).sqrt(),
            "deviation of (b/m)^k between filters: k times that of the bits set (OCC 43, 45), first order; with two hash functions that of \
             their pairs, too",
            Accuracy::approximation(relative + few + 2.0 * k / m + left_out),
        ))
    }

    /// A rate that one filter of `items` keys exceeds with a probability of at most `chance`, over the choice of the hash functions:
    /// a bound, as that of [`super::PartitionedStatic::rate_exceeded_by`].
    ///
    /// # Errors
    /// As [`Self::rate`], and unless the chance lies between 0 and 1.
    pub fn rate_exceeded_by(&self, items: u64, chance: f64) -> Result<Figure, TheoryError> {
        check_chance(chance)?;
        let (m, k) = (self.range as f64, f64::from(self.hashes));
        // an item sets at most k cells, each of which a key probes with a probability of at most k/m
        let item = Item {
            change: k * k / m,
            critical: k,
        };
        Ok(match self.draw {
            Draw::Independent | Draw::Distinct => {
                by_cells(m, self.fill(items).value, self.hashes, chance)
            }
            Draw::TwoHash(_) => {
                let (rate, deviation) = (self.rate(items)?, self.rate_deviation(items)?);
                by_items(&rate, Some(&deviation), items as f64, item, chance)
            }
        })
    }

    /// A share of false positives among `queries` keys that one filter of `items` keys exceeds with a probability of at most `chance`:
    /// a bound, as that of [`super::PartitionedStatic::observed_exceeded_by`].
    ///
    /// # Errors
    /// As [`Self::rate_exceeded_by`], and without queries.
    pub fn observed_exceeded_by(
        &self,
        items: u64,
        queries: u64,
        chance: f64,
    ) -> Result<Figure, TheoryError> {
        check_chance(chance)?;
        TheoryError::check_range(NAME, "queries", queries, (1, u64::MAX))?;
        let rate = self.rate_exceeded_by(items, 0.5 * chance)?;
        Ok(by_queries(&rate, queries, chance))
    }

    /// The most items at a rate of at most `rate`. Exact where the rate is: it grows with every item.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless the rate lies between 0 and 1 and one item meets it, and for arrays of more than 2^22
    /// cells, in which the search takes too long; as [`Self::rate`].
    pub fn most_items(&self, rate: f64) -> Result<Figure, TheoryError> {
        TheoryError::check_fraction(NAME, "rate", rate)?;
        TheoryError::check_range(NAME, "range of a search", self.range, (2, MOST_SEARCHED))?;
        let k = f64::from(self.hashes);
        let guess = -(self.range as f64) / k * (-rate.powf(1.0 / k)).ln_1p();
        // the coincidences of two hash functions are counted once
        let law = match self.draw {
            Draw::TwoHash(extension) => Some(self.two_hash(extension)?),
            Draw::Independent | Draw::Distinct => None,
        };
        let at = |items| match &law {
            Some(law) => Ok(law.rate(items)),
            None => self.rate(items),
        };
        let mut above = |items| Ok::<_, TheoryError>(at(items)?.value > rate);
        match first_true((1, MOST_ITEMS), guess as u64, &mut above)? {
            Some(first) if first > 1 => Ok(Figure::new(
                (first - 1) as f64,
                "greatest n whose rate is at most the target",
                at(first - 1)?.accuracy,
            )),
            _ => Err(TheoryError::domain(
                NAME,
                "rate",
                "one that a filter of one item meets",
                rate,
            )),
        }
    }

    /// Counters: the probability that a query reports a key of true count `count` < `threshold` after `insertions` (n) of other
    /// keys, each once.
    ///
    /// The verdict of the key's last arrival itself may be lower: of a position that its probes meet twice it takes the count after the
    /// first of them. The law of that arrival is [`super::CountingStream`]'s.
    ///
    /// Independent draws: where it is short, the exact law of the kn draws of other keys on the key's positions, which are as
    /// many as its draws leave and count a draw that repeats twice (a derivation of this project); else CBF (2) at each of these
    /// positions with the threshold that is left to it, an approximation or an upper bound. Distinct draws:
    /// `P(Binomial(n, k/m) >= theta - r)^k`, an upper bound: the counters are negatively associated, as every item's positions
    /// are (a derivation of this project). Two hash functions: [`SharedCounters::reported`], an approximation.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] when the count is not below the threshold; as [`CountingFilter::new`], and for two hash
    /// functions as [`SharedCounters::new`] and [`SharedCounters::reported`].
    pub fn reported(
        &self,
        insertions: u64,
        threshold: u64,
        count: u64,
    ) -> Result<Figure, TheoryError> {
        CountingFilter::new(self.range, insertions, self.hashes.into(), threshold)?
            .for_true_count(count)?;
        match self.draw {
            Draw::Independent => Ok(self
                .independent_reported(insertions, threshold, count)
                .unwrap_or_else(|| self.by_independent_counters(insertions, threshold, count))),
            Draw::Distinct => Ok(Figure::new(
                self.distinct_reaches(insertions, threshold - count)
                    .powi(self.hashes as i32),
                "upper bound, distinct draws: P(Binomial(n, k/m) >= theta - r)^k",
                Accuracy::bound(),
            )),
            Draw::TwoHash(extension) => self
                .two_hash_counters(extension)?
                .reported(insertions, threshold, count),
        }
    }

    /// A probability of being reported, for keys of true count `count` < theta, that one filter exceeds with a probability of at most
    /// `chance`: a bound, as that of [`super::PartitionedCounting::reported_exceeded_by`].
    ///
    /// Independent draws: a position that the key itself raises twice as often needs less of others. Chernoff's bound holds for the
    /// share of the counters that reach what positions of one, two, .. own draws need, each with its part of the chance; the sum is over
    /// the ways in which the key's draws coincide. Derivation of this project.
    ///
    /// # Errors
    /// As [`Self::reported`], unless the chance lies between 0 and 1, and for two hash functions where the mean is a lower bound.
    pub fn reported_exceeded_by(
        &self,
        insertions: u64,
        threshold: u64,
        count: u64,
        chance: f64,
    ) -> Result<Figure, TheoryError> {
        check_chance(chance)?;
        let mean = self.reported(insertions, threshold, count)?;
        let (m, k) = (self.range as f64, f64::from(self.hashes));
        let need = threshold - count;
        match self.draw {
            Draw::Independent => {
                self.independent_exceeded_by(insertions, (threshold, count), chance)
            }
            Draw::Distinct => {
                let share = self.distinct_reaches(insertions, need);
                Ok(by_cells(m, share, self.hashes, chance))
            }
            Draw::TwoHash(_) if mean.accuracy.kind == AccuracyKind::LowerBound => {
                let expected = "one whose mean has an upper bound";
                Err(TheoryError::domain(NAME, "threshold", expected, threshold))
            }
            Draw::TwoHash(_) => {
                // at most k counters of an insertion, each probed with a probability of at most k/m; the insertions of a counter that
                // holds just what is needed
                let item = Item {
                    change: k * k / m,
                    critical: k * need as f64,
                };
                Ok(by_items(&mean, None, insertions as f64, item, chance))
            }
        }
    }

    fn independent_exceeded_by(
        &self,
        insertions: u64,
        (threshold, count): (u64, u64),
        chance: f64,
    ) -> Result<Figure, TheoryError> {
        let (m, k) = (self.range as f64, self.hashes);
        let need = |own: u32| threshold.saturating_sub(count * u64::from(own));
        let most = if count == 0 { 1 } else { k };
        let levels = (1..=most).filter(|own| need(*own) > 0).count() as f64;
        // by a position's own draws: the logarithm of the share of the counters that do for it
        let shares = (1..=most)
            .map(|own| match need(own) {
                0 => Ok(0.0),
                need => {
                    let mean = self.counter_reaches(insertions, need)?.value;
                    Ok(share_exceeded_by(m, mean, chance / levels).ln())
                }
            })
            .collect::<Result<Vec<f64>, TheoryError>>()?;
        let all = f64::from(k) * shares[0];
        let rates: Vec<_> = if most == 1 {
            vec![(1.0, all)]
        } else if k > MOST_PATTERNS_OF {
            // any two draws that coincide
            let pairs = f64::from(k) * f64::from(k - 1) / (2.0 * m);
            vec![(1.0, all), (pairs, 0.0)]
        } else {
            own_patterns(k)
                .iter()
                .map(|pattern| {
                    let ln = pattern.iter().map(|own| shares[*own as usize - 1]).sum();
                    (self.share_of_pattern(pattern), ln)
                })
                .collect()
        };
        let ln = ln_sum(&rates);
        let figure = Figure::new(
            ln.exp().min(1.0),
            format!(
                "exceeded with a probability of at most {chance}: Chernoff bound of the counters that reach what is needed, the key's own \
                 coincidences counted"
            ),
            Accuracy::bound(),
        );
        Ok(figure.with_ln(ln))
    }

    /// The exact probability for independent draws: over the ways in which the key's own draws coincide, that a multinomial
    /// law of the others' draws fills what each of its positions still needs. `None` where that takes long.
    fn independent_reported(&self, insertions: u64, threshold: u64, count: u64) -> Option<Figure> {
        let k = self.hashes;
        if k > MOST_PATTERNS_OF || threshold > MOST_MULTINOMIAL {
            return None;
        }
        let trials = insertions.checked_mul(k.into())?;
        let mean = trials as f64 / self.range as f64;
        let window = 12.0 * mean.sqrt() + 40.0;
        let patterns = own_patterns(k);
        let work = patterns.len() as f64 * (f64::from(k) * window).powi(2);
        if work > MOST_MULTINOMIAL_WORK {
            return None;
        }
        let each = 1.0 / self.range as f64;
        let mut rates = Vec::new();
        for pattern in patterns {
            let share = self.share_of_pattern(&pattern);
            let needs: Vec<_> = pattern
                .iter()
                .map(|own| threshold.saturating_sub(count * u64::from(*own)))
                .filter(|need| *need > 0)
                .map(|need| (need, each))
                .collect();
            rates.push((share, multinomial_ln_reaches(&needs, trials)));
        }
        let ln = ln_sum(&rates);
        let figure = Figure::new(
            ln.exp().min(1.0),
            "kn draws of other keys on the positions of a key, multinomial, its own coincidences counted (derivation of this project)",
            Accuracy::exact(1e-10),
        );
        Some(figure.with_ln(ln))
    }

    /// The same with the counters of a key's positions taken as independent. The sum over the ways in which its draws coincide is
    ///
    /// ```text
    /// k! m^-k [z^k] (1 + sum_j q_j z^j / j!)^m,   q_j = P(Binomial(kn, 1/m) >= theta - r j)
    /// ```
    ///
    /// The counters of a multinomial law are negatively associated, so this is an upper bound. The stated relative error is the leading
    /// term of what it has too much, `k(k-1)/2 load P(theta-r-1)^2 / (m q_1^2)`; where that passes one half the bound alone is left.
    /// Derivation of this project.
    fn by_independent_counters(&self, insertions: u64, threshold: u64, count: u64) -> Figure {
        const LARGEST_ERROR: f64 = 0.5;
        let (m, k) = (self.range as f64, self.hashes as usize);
        let trials = insertions * u64::from(self.hashes);
        // the most draws on one position that leave it something to need, and what these need
        let levels = match count {
            0 => 1,
            count => u64::from(self.hashes).min((threshold - 1) / count),
        };
        let least = threshold - count * levels;
        let tails = binomials_between(trials, self.range, (least, threshold - count));
        let tail = |own: usize| match count {
            0 => Some(tails[0]),
            count => threshold
                .checked_sub(count * own as u64)
                .filter(|need| *need > 0)
                .map(|need| tails[(need - least) as usize]),
        };
        // coefficients of the power, as logarithms: n a_n = sum_j (j m - (n - j)) p_j a_(n-j), all of whose terms are positive
        let mut ln_each = 0.0;
        let each: Vec<f64> = (1..=k)
            .map(|own| {
                ln_each -= (m * own as f64).ln();
                ln_each + tail(own).map_or(0.0, |tail| tail.ln())
            })
            .collect();
        let mut powers = vec![0.0];
        for n in 1..=k {
            let parts: Vec<_> = (1..=n)
                .map(|j| {
                    let factor = (j as f64 * m - (n - j) as f64) / n as f64;
                    (factor, each[j - 1] + powers[n - j])
                })
                .collect();
            powers.push(ln_sum(&parts));
        }
        let ln = powers[k] + (1..=k).map(|own| (own as f64).ln()).sum::<f64>();
        let load = trials as f64 / m;
        let error = (1..=levels as usize)
            .filter_map(|own| Some((threshold - count * own as u64, tail(own)?)))
            .find(|(_, tail)| !tail.is_zero())
            .map_or(0.0, |(need, tail)| {
                let ratio = poisson_at(load, need - 1).over(tail).value();
                let leading = 0.5 * (k * (k - 1)) as f64 * load * ratio * ratio / m;
                leading * (1.0 + leading + k as f64 / m)
            });
        let (formula, accuracy) = match error <= LARGEST_ERROR {
            true => ("", Accuracy::approximation(error.max(1e-10))),
            false => (", an upper bound", Accuracy::bound()),
        };
        let formula = format!(
            "CBF (2) at each position of a key, its own coincidences counted (derivation of this project){formula}"
        );
        Figure::new(ln.exp().min(1.0), formula, accuracy).with_ln(ln)
    }

    /// The probability that k independent draws fall on positions so many times each.
    fn share_of_pattern(&self, pattern: &[u32]) -> f64 {
        let (m, k) = (self.range as f64, self.hashes);
        let ways = |of: u32| (1..=of).map(f64::from).product::<f64>();
        let positions: f64 = (0..pattern.len()).map(|i| 1.0 - i as f64 / m).product();
        let repeated = m.powi(pattern.len() as i32 - k as i32);
        let alike: f64 = pattern
            .chunk_by(|a, b| a == b)
            .map(|equal| ways(equal.len() as u32))
            .product();
        let own: f64 = pattern.iter().map(|own| ways(*own)).product();
        positions * repeated * ways(k) / (own * alike)
    }

    /// The law of counters under two hash functions; that of the same array as last is given again.
    fn two_hash_counters(&self, extension: Extension) -> Result<Rc<SharedCounters>, TheoryError> {
        thread_local! {
            static LAST: Memo<SharedArray, Rc<SharedCounters>> = const { Memo::new() };
        }
        let made = || SharedCounters::new(self.range, self.hashes, extension).map(Rc::new);
        LAST.with(|last| last.or_compute(*self, made))
    }

    /// Share of the counters that `insertions` raise to `count` or more. Exact; under two hash functions as exact as
    /// [`SharedCounters::reaches`] says.
    ///
    /// # Errors
    /// As [`Self::reported`].
    pub fn counter_reaches(&self, insertions: u64, count: u64) -> Result<Figure, TheoryError> {
        let filter = CountingFilter::new(self.range, insertions, self.hashes.into(), count)?;
        match self.draw {
            Draw::Independent => Ok(filter.share_reached()),
            Draw::Distinct => Ok(Figure::new(
                self.distinct_reaches(insertions, count),
                "P(Binomial(n, k/m) >= c), a counter of the array",
                Accuracy::exact(1e-9),
            )),
            Draw::TwoHash(extension) => self
                .two_hash_counters(extension)?
                .reaches(insertions, count),
        }
    }

    fn distinct_reaches(&self, insertions: u64, count: u64) -> f64 {
        let hit = f64::from(self.hashes) / self.range as f64;
        match (count, Binomial::new(hit, insertions)) {
            (0, _) => 1.0,
            (_, Ok(law)) => law.sf(count - 1),
            (_, Err(_)) => 1.0,
        }
    }

    /// The most insertions after which a key of true count `count` is reported with a probability of at most `rate`.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless the rate lies between 0 and 1; as [`Self::reported`].
    pub fn most_insertions(
        &self,
        threshold: u64,
        count: u64,
        rate: f64,
    ) -> Result<Figure, TheoryError> {
        TheoryError::check_fraction(NAME, "rate", rate)?;
        // the coincidences of two hash functions are counted once
        let law = match self.draw {
            Draw::TwoHash(extension) => Some(self.two_hash_counters(extension)?),
            Draw::Independent | Draw::Distinct => None,
        };
        let at = |insertions| match &law {
            Some(law) => law.reported(insertions, threshold, count),
            None => self.reported(insertions, threshold, count),
        };
        let guess = self.independent_capacity(threshold, count, rate)?;
        let unknown = || {
            let expected =
                "one that keys reach at this rate while hardly any insertion shares two cells with them";
            TheoryError::domain(NAME, "threshold", expected, threshold)
        };
        if let Some(law) = &law {
            if self.counting_work(guess) > MOST_COUNTING_WORK {
                return self.capacity_by_independent_counters(law, (threshold, count), rate, guess);
            }
            // far from an answer it need not be looked for
            if law.meets_too_often(guess) || at(guess)?.accuracy.kind == AccuracyKind::LowerBound {
                return Err(unknown());
            }
        }
        // where the law ends the search does
        let beyond = |insertions| {
            law.as_ref()
                .is_some_and(|law| law.meets_too_often(insertions))
        };
        let mut reported = |insertions| match beyond(insertions) {
            true => Ok(1.0),
            false => at(insertions).map(|figure| figure.value),
        };
        let close = (guess, guess as f64 / 1024.0);
        let first = first_above_near((1, MOST_ITEMS), close, rate, &mut reported)?;
        let most = first.map_or(MOST_ITEMS, |first| first - 1);
        let accuracy = at(most)?.accuracy;
        if law.is_some() && accuracy.kind == AccuracyKind::LowerBound {
            return Err(unknown());
        }
        Ok(Figure::new(
            most as f64,
            "greatest n whose rate is at most the target",
            accuracy,
        ))
    }

    /// Operations, in some unit, of the law of two hash functions with so many insertions.
    fn counting_work(&self, insertions: u64) -> f64 {
        let k = f64::from(self.hashes);
        let mean = k * insertions as f64 / self.range as f64;
        (k * (17.0 * mean.sqrt() + 30.0)).powi(2)
    }

    /// Whether the law of this many insertions of counters is evaluated in a few milliseconds.
    pub fn counts_quickly(&self, insertions: u64) -> bool {
        !matches!(self.draw, Draw::TwoHash(_))
            || self.counting_work(insertions) <= MOST_COUNTING_WORK
    }

    /// The capacity by CBF (2) where the law of two hash functions takes long: the probability is off by no more than that of a meeting and
    /// that of a key whose own probes coincide, and CBF (2)'s own error.
    fn capacity_by_independent_counters(
        &self,
        law: &SharedCounters,
        (threshold, count): (u64, u64),
        rate: f64,
        most: u64,
    ) -> Result<Figure, TheoryError> {
        let at = |insertions| {
            CountingFilter::new(self.range, insertions, self.hashes.into(), threshold)?
                .for_true_count(count)
        };
        let model = at(most)?.rate();
        let apart = 1 + most / 1024;
        let (here, beyond) = (
            at(most)?.log2_rate().value,
            at(most + apart)?.log2_rate().value,
        );
        // of the logarithm of the rate, by that of the insertions
        let slope = (beyond - here) * std::f64::consts::LN_2 * most as f64 / apart as f64;
        let off = law.differs_by(most) / rate + model.accuracy.relative_error;
        // certainly within the rate where CBF (2) has this share less
        let error = -(-off.min(1.0)).ln_1p() / slope.max(1e-9) + 1.0 / most as f64;
        if model.accuracy.kind == AccuracyKind::LowerBound || error >= 1.0 {
            let expected = "one that is reached at this rate while hardly any insertion shares two cells with a key";
            return Err(TheoryError::domain(NAME, "threshold", expected, threshold));
        }
        Ok(Figure::new(
            most as f64,
            "greatest n whose rate is at most the target, CBF (2)",
            Accuracy::approximation(error),
        ))
    }

    /// The most insertions by CBF (2), the law of independent counters.
    fn independent_capacity(
        &self,
        threshold: u64,
        count: u64,
        rate: f64,
    ) -> Result<u64, TheoryError> {
        let below = self.range.saturating_mul(threshold - count.min(threshold));
        let guess = (below / (2 * u64::from(self.hashes))).clamp(1, MOST_ITEMS);
        let mut meets = |insertions| {
            let filter =
                CountingFilter::new(self.range, insertions, self.hashes.into(), threshold)?;
            Ok::<_, TheoryError>(!filter.for_true_count(count)?.meets(rate))
        };
        let first = first_true((1, MOST_ITEMS), guess, &mut meets)?;
        Ok(first.unwrap_or(MOST_ITEMS))
    }
}

/// The ways in which k draws fall on positions: how often on each, in falling order.
fn own_patterns(hashes: u32) -> Vec<Vec<u32>> {
    fn extend(left: u32, most: u32, so_far: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
        if left == 0 {
            all.push(so_far.clone());
        }
        for next in (1..=most.min(left)).rev() {
            so_far.push(next);
            extend(left - next, next, so_far, all);
            so_far.pop();
        }
    }
    let mut all = Vec::new();
    extend(hashes, hashes, &mut Vec::new(), &mut all);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const TWO_HASH: [Extension; 3] = [Extension::None, Extension::Square, Extension::Cube];

    fn array(range: u64, hashes: u32, draw: Draw) -> SharedArray {
        SharedArray::new(range, hashes, draw).expect("in the domain")
    }

    #[test]
    fn two_positions_of_two_functions_deviate_as_independent_ones() {
        for items in [1, 2, 8, 100] {
            let deviation = |draw| {
                array(233, 2, draw)
                    .rate_deviation(items)
                    .expect("legal")
                    .value
            };
            let independent = deviation(Draw::Independent);
            for extension in TWO_HASH {
                let two = deviation(Draw::TwoHash(extension));
                assert!(
                    (two / independent - 1.0).abs() < 1e-9,
                    "{items} {extension:?}"
                );
            }
        }
    }

    #[test]
    fn distinct_positions_of_two_functions_equal_those_counted_one_by_one() {
        for (range, hashes) in [(64, 4), (61, 5), (48, 7), (32, 2), (97, 1)] {
            for (extension, power) in TWO_HASH.into_iter().zip([0, 2, 3]) {
                let f = |i: u64| if power == 0 { 0 } else { i.pow(power) };
                let counted: usize = (0..range)
                    .map(|stride| {
                        let positions = (0..u64::from(hashes)).map(|i| (i * stride + f(i)) % range);
                        positions.collect::<BTreeSet<_>>().len()
                    })
                    .sum();
                let stated = mean_distinct(range, hashes, extension);
                let mean = counted as f64 / range as f64;
                assert!(
                    (stated - mean).abs() < 1e-12,
                    "{range} {hashes} {extension:?}"
                );
            }
        }
    }

    #[test]
    fn two_functions_add_to_the_rate_whatever_the_range() {
        for range in [4093, 4096, 4000] {
            for extension in TWO_HASH {
                let array = array(range, 4, Draw::TwoHash(extension));
                let (rate, excess) = (array.rate(500), array.two_hash_excess(500));
                let (rate, excess) = (rate.expect("a law").value, excess.expect("a law").value);
                assert!(excess > 0.0 && excess < 0.2 * rate, "{excess} {rate}");
            }
        }
    }

    #[test]
    fn one_insertion_short_of_the_threshold_a_counting_filter_is_a_static_one() {
        // P(Binomial(n, k/m) >= 1)^k bounds OCC (60) from above, and by little
        let distinct = array(4096, 4, Draw::Distinct);
        let (exact, bound) = (distinct.rate(500), distinct.reported(500, 3, 2));
        let (exact, bound) = (exact.expect("a law").value, bound.expect("a law").value);
        assert!(bound > exact && bound < 1.02 * exact, "{bound} {exact}");
        // independent draws: the same event, where the key has no insertions of its own that coincide
        let independent = array(4096, 4, Draw::Independent);
        let (exact, counted) = (independent.rate(500), independent.reported(500, 1, 0));
        let (exact, counted) = (exact.expect("a law").value, counted.expect("a law").value);
        assert!((counted / exact - 1.0).abs() < 1e-9, "{counted} {exact}");
        let coinciding = independent.reported(500, 3, 2).expect("a law").value;
        assert!(coinciding > exact && coinciding < 1.01 * exact);
    }

    #[test]
    fn independent_counters_count_the_coincidences_of_a_key_itself() {
        // simulated: hashes, counters, insertions, count, mean of several 10^5 filters and its 99 % interval
        for (k, m, items, count, simulated, interval) in [
            (16, 128, 20, 2, 0.2964, 0.0019),
            (16, 128, 20, 1, 0.00759, 0.0003),
            (8, 256, 96, 2, 0.6731, 0.002),
            (32, 128, 12, 2, 0.2750, 0.003),
        ] {
            let array = array(m, k, Draw::Independent);
            let found = array.reported(items, 3, count).expect("in the domain");
            let allowed = found.value * found.accuracy.relative_error + interval;
            assert!(
                (found.value - simulated).abs() < allowed,
                "k = {k}: {found:?} instead of {simulated}"
            );
        }
    }

    #[test]
    fn independent_counters_differ_from_their_exact_law_by_less_than_is_stated() {
        for (k, m, items) in [
            (4, 64, 10),
            (7, 100, 20),
            (6, 4096, 2000),
            (2, 32, 40),
            (7, 300, 5),
        ] {
            for threshold in 1..6 {
                for count in 0..threshold {
                    let array = array(m, k, Draw::Independent);
                    let exact = array.independent_reported(items, threshold, count);
                    let exact = exact.expect("a short sum").value;
                    let near = array.by_independent_counters(items, threshold, count);
                    let above = near.value / exact - 1.0;
                    let what = format!("{k} {m} {items} {threshold} {count}: {above}, {near:?}");
                    assert!(above > -1e-9, "{what}");
                    if near.accuracy.kind == AccuracyKind::Approximation {
                        assert!(above <= near.accuracy.relative_error + 1e-9, "{what}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_capacity_is_the_last_number_of_items_within_the_rate() {
        let distinct = array(4096, 4, Draw::Distinct);
        let most = distinct.most_items(0.01).expect("a law").value as u64;
        let rate = |items| distinct.rate(items).expect("a law").value;
        assert!(rate(most) <= 0.01 && rate(most + 1) > 0.01);
    }
}
