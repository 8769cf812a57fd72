//! A counting filter in partitions, after insertions of distinct keys.

use super::concentration::{by_cells, by_items, check_chance, Item};
use super::partitions::{check_two_hash_floor, excess_of_item, Partitions};
use crate::accuracy::{Accuracy, AccuracyKind, Figure};
use crate::error::TheoryError;
use crate::numeric::search::first_above;
use crate::numeric::sum::Sum;
use crate::numeric::tail;
use crate::numeric::wide::Wide;
use crate::sizing::Hashing;
use crate::two_hash::PartitionedDoubleHashing;
use std::cell::RefCell;
use std::collections::HashMap;

const NAME: &str = "partitioned counting filter";
const MOST_INSERTIONS: u64 = 1 << 46;
const MOST_THRESHOLD: u64 = 1_000_000;
/// Rates below this are formed of logarithms.
const SMALLEST: f64 = 1e-280;
/// What the tests against rational arithmetic allow.
const ACCURACY: f64 = 1e-12;
/// Share of the last term of a sum over a stream below which terms are left out.
const NEGLIGIBLE: f64 = 1e-20;
/// Terms of a sum over a stream that are taken one by one; above, Simpson's rule on as many places.
const PLACES: u64 = 1024;

/// k partitions of m' counters after n insertions of other keys, each once, asked for a count of theta.
///
/// Keys that come again make counters more uneven, and false alarms more frequent: [`super::CountingStream`] takes their counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartitionedCounting {
    partitions: Partitions,
    insertions: u64,
    threshold: u64,
}

impl PartitionedCounting {
    /// `insertions` (n, of other keys, 0 to 2^46), `threshold` (theta, 1 to 10^6).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] outside this domain.
    pub fn new(
        partitions: Partitions,
        insertions: u64,
        threshold: u64,
    ) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "insertions", insertions, (0, MOST_INSERTIONS))?;
        TheoryError::check_range(NAME, "threshold", threshold, (1, MOST_THRESHOLD))?;
        Ok(Self {
            partitions,
            insertions,
            threshold,
        })
    }

    /// Insertions (n).
    pub(super) fn insertions(&self) -> u64 {
        self.insertions
    }

    fn tail(&self, count: u64) -> Wide {
        tail::binomial(self.insertions, self.partitions.range(), count)
    }

    /// `P(Binomial(n, 1/m') >= count)`: the share of counters that the insertions raise to `count` or more. Exact: every
    /// insertion raises one counter of each partition, uniformly drawn, under two hash functions too.
    pub fn counter_reaches(&self, count: u64) -> Figure {
        Figure::new(
            self.tail(count).value(),
            "P(Binomial(n, 1/m') >= c), a counter of a partition",
            Accuracy::exact(ACCURACY),
        )
        .with_ln(self.tail(count).ln())
    }

    /// The probability that a key of true count `count` < theta (this arrival included) is reported:
    /// `P(Binomial(n, 1/m') >= theta - r)^k`.
    ///
    /// The partitioned analogue of CBF (2), for a key's own r insertions raise each of its counters by r. There it is an
    /// approximation, because counters of one array share the insertions; here each partition receives all n insertions, at
    /// positions independent of those in the others, so with k functions it is exact.
    ///
    /// Two functions add what items that meet the key in several partitions at once do, in first order: n times the excess of
    /// one item. With one insertion short of the threshold the exact law of a static filter applies. The stated relative
    /// error is the share of the excess times the expected number of such items, and what two such items and more add at most.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] when the count is not below the threshold: the report is then right.
    pub fn reported(&self, count: u64) -> Result<Figure, TheoryError> {
        self.reported_by(count, &|filter, need| filter.tail(need))
    }

    /// [`Self::reported`] by tails that are known: of this filter, and of the one with an insertion less.
    pub(super) fn reported_by(
        &self,
        count: u64,
        tail: &impl Fn(&Self, u64) -> Wide,
    ) -> Result<Figure, TheoryError> {
        let need = self.need(count)?;
        let independent = tail(self, need).powu(self.partitions.hashes().into());
        let excess = self.two_hash_excess_by(count, tail)?;
        if self.partitions.hashing() == Hashing::Independent {
            return Ok(Figure::new(
                independent.value(),
                "partitioned analogue of CBF (2): P(Binomial(n, 1/m') >= theta - r)^k",
                Accuracy::exact(ACCURACY),
            )
            .with_ln(independent.ln()));
        }
        let rate = independent.value() + excess.value;
        // of the logarithms, where the numbers are below the range of doubles
        let (plain, more) = (independent.ln(), ln_of(&excess));
        let in_range = rate > 0.0 && excess.ln.is_none();
        let share = match (in_range, more > f64::NEG_INFINITY) {
            (true, _) => excess.value / rate,
            (false, true) => 1.0 / (1.0 + (plain - more).exp()),
            (false, false) => 0.0,
        };
        let ln = match (in_range, share < 0.5) {
            (true, _) => rate.ln(),
            (false, true) => plain - (-share).ln_1p(),
            (false, false) => more - share.ln(),
        };
        Ok(Figure::new(
            rate,
            "P(Binomial(n, 1/m') >= theta - r)^k + excess of double hashing (derivation of this project)",
            match excess.accuracy.kind {
                AccuracyKind::Exact => Accuracy::exact(1e-11),
                _ => Accuracy::approximation(share * excess.accuracy.relative_error),
            },
        )
        .with_ln(ln))
    }

    /// A probability of being reported, for keys of true count `count` < theta, that one filled filter exceeds with a probability
    /// of at most `chance`: a bound, as that of [`super::PartitionedStatic::rate_exceeded_by`].
    ///
    /// # Errors
    /// As [`Self::reported`], and unless the chance lies between 0 and 1.
    pub fn reported_exceeded_by(&self, count: u64, chance: f64) -> Result<Figure, TheoryError> {
        check_chance(chance)?;
        let need = self.need(count)?;
        let (range, hashes) = (self.partitions.range() as f64, self.partitions.hashes());
        let k = f64::from(hashes);
        // each of the insertions of a counter that holds just what is needed
        let item = Item {
            change: k / range,
            critical: k * need as f64,
        };
        Ok(match self.partitions.hashing() {
            Hashing::Independent => by_cells(k * range, self.tail(need).value(), hashes, chance),
            Hashing::Double => {
                let mean = self.reported(count)?;
                by_items(&mean, None, self.insertions as f64, item, chance)
            }
        })
    }

    /// What two hash functions add to [`Self::reported`]; 0 for k functions.
    ///
    /// # Errors
    /// As [`Self::reported`].
    pub fn two_hash_excess(&self, count: u64) -> Result<Figure, TheoryError> {
        self.two_hash_excess_by(count, &|filter, need| filter.tail(need))
    }

    fn two_hash_excess_by(
        &self,
        count: u64,
        tail: &impl Fn(&Self, u64) -> Wide,
    ) -> Result<Figure, TheoryError> {
        let need = self.need(count)?;
        let (range, hashes) = (self.partitions.range(), self.partitions.hashes());
        if self.partitions.hashing() == Hashing::Independent || self.insertions == 0 {
            return Ok(Figure::new(
                0.0,
                "k independent functions",
                Accuracy::exact(0.0),
            ));
        }
        if need == 1 {
            let law = PartitionedDoubleHashing::new(range, hashes)?;
            let n = self.insertions as f64;
            return Ok(Figure::new(
                law.excess(n),
                "partitioned double hashing less k functions, one insertion short",
                law.accuracy(n),
            ));
        }
        let meeting = self.partitions.meeting_excess();
        let others = Self {
            insertions: self.insertions - 1,
            ..*self
        };
        let (with, without) = (tail(&others, need - 1), tail(&others, need));
        // homogeneous of degree k in both, so that it is formed of their ratio
        let k = self.partitions.hashes();
        let scale = without.powu(k.into());
        let of_ratio = if scale.value() < SMALLEST && !without.is_zero() {
            excess_of_item(&meeting, with.over(without).value(), 1.0)
        } else {
            f64::INFINITY
        };
        let (of_item, ln) = if of_ratio.is_finite() {
            // rounding, too, can make it negative: then it has no logarithm
            let ln = (of_ratio.abs() * self.insertions as f64).ln() + scale.ln();
            let of_item = ln.exp().copysign(of_ratio) / self.insertions as f64;
            (of_item, if of_ratio > 0.0 { ln } else { f64::NAN })
        } else {
            let of_item = excess_of_item(&meeting, with.value(), without.value());
            (of_item, f64::NAN)
        };
        let n = self.insertions as f64;
        let multiple: f64 = meeting.iter().skip(2).map(|excess| excess.abs()).sum();
        let first = if ln.is_nan() { (n * of_item).ln() } else { ln };
        let more = match first.is_finite() {
            true => (self.ln_of_several(&meeting, need, [without, with]) - first).exp(),
            false => 0.0,
        };
        Ok(Figure::new(
            n * of_item,
            "double hashing, n items that meet the key in several partitions, first order (derivation of this project)",
            Accuracy::approximation(more + n * multiple + 1.0 / range as f64),
        )
        .with_ln(ln))
    }

    /// Logarithms of the probabilities that the insertions but one reach what is needed, one less, .. `most` less: from the first two, as
    /// each number of hits is `t / (n - t) (m' - 1)` times as likely as one more.
    fn ln_reached(&self, need: u64, tails: [Wide; 2], most: u64) -> Vec<f64> {
        let mut reached: Vec<f64> = tails.iter().map(|tail| tail.ln()).collect();
        let (n, range) = (self.insertions as f64, self.partitions.range() as f64);
        // of just one hit less than is needed
        let mut exactly = reached[1] + (-(reached[0] - reached[1]).exp()).ln_1p();
        for fewer in 2..=most {
            let hits = (need - fewer + 1) as f64;
            exactly += (hits / (n - hits).max(1.0) * (range - 1.0)).ln();
            let (before, more) = (reached[fewer as usize - 1], exactly);
            let greater = before.max(more);
            reached.push((greater + (-(before - more).abs()).exp().ln_1p()).min(0.0));
        }
        reached
    }

    /// Logarithm of what two items and more that meet a key in several partitions add, at most: two by the numbers of partitions in
    /// which they do, with as few in common as there can be (the tails of a binomial number are log-concave, so that adds most), more
    /// by those that meet it in all.
    ///
    /// Where few insertions are on the filter, they are what makes a counter reach a threshold of two or more. `tails` are the
    /// probabilities that the others reach what is needed, and one less.
    fn ln_of_several(&self, meeting: &[f64], need: u64, tails: [Wide; 2]) -> f64 {
        const MOST: u64 = 12;
        let (n, k) = (self.insertions as f64, meeting.len() - 1);
        let reached = self.ln_reached(need, tails, MOST.min(need));
        let reached = |fewer: u64| reached[fewer.min(need) as usize];
        let [none, one, two] = [0, 1, 2].map(reached);
        let mut terms = Vec::new();
        for (a, of_a) in meeting.iter().enumerate().skip(2) {
            for (b, of_b) in meeting.iter().enumerate().skip(2) {
                let common = (a + b).saturating_sub(k);
                let (singly, neither) = (a + b - 2 * common, k + common - a - b);
                let powers = [(two, common), (one, singly), (none, neither)];
                let all: f64 = powers
                    .iter()
                    .filter(|(_, power)| *power > 0)
                    .map(|(ln, power)| ln * *power as f64)
                    .sum();
                terms.push((0.5 * n * n * (of_a * of_b).abs()).ln() + all);
            }
        }
        let mut pairs = (0.5 * (n * meeting[k]).powi(2)).ln();
        for items in 3..=need.min(MOST) {
            pairs += (n * meeting[k] / items as f64).ln();
            terms.push(pairs + k as f64 * reached(items));
        }
        let greatest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if greatest == f64::NEG_INFINITY || greatest.is_nan() {
            return f64::NEG_INFINITY;
        }
        greatest
            + terms
                .iter()
                .map(|term| (term - greatest).exp())
                .sum::<f64>()
                .ln()
    }

    fn need(&self, count: u64) -> Result<u64, TheoryError> {
        if count >= self.threshold {
            return Err(TheoryError::domain(
                NAME,
                "true count",
                format!(
                    "less than the threshold {} (nearest: {})",
                    self.threshold,
                    self.threshold - 1
                ),
                count,
            ));
        }
        Ok(self.threshold - count)
    }

    /// Refuses a filter in which two hash functions add over 10% to the probability that a key of true count `count` is
    /// reported.
    ///
    /// # Errors
    /// [`TheoryError::TwoHashFloor`] above 10%; as [`Self::reported`].
    pub fn check_two_hash_floor(&self, count: u64) -> Result<(), TheoryError> {
        check_two_hash_floor(
            self.two_hash_excess(count)?.value,
            self.reported(count)?.value,
        )
    }

    /// The expected number of keys reported at their first arrival, along a stream of n keys that each come once:
    /// `sum_{i=0}^{n-1} P(reported after i insertions of others, r = 1)`; with theta = 1 every report is right, and it is 0.
    ///
    /// Term by term up to 1024 insertions, above by Simpson's rule with the end correction of Euler and Maclaurin (1e-6 of
    /// the result).
    ///
    /// # Errors
    /// None but those of the laws it sums.
    pub fn false_alarms_of_new_keys(&self) -> Result<Figure, TheoryError> {
        const FORMULA: &str = "sum over the stream of P(reported | r = 1), every key once";
        if self.threshold < 2 {
            return Ok(Figure::new(0.0, FORMULA, Accuracy::exact(0.0)));
        }
        // the rate grows along the stream: terms are shares of the last, and what comes before they count is left out
        let last = self.reported(1)?;
        let ln_last = ln_of(&last);
        if ln_last == f64::NEG_INFINITY {
            return Ok(Figure::new(0.0, FORMULA, last.accuracy));
        }
        // terms and their errors are summed over the same places
        let asked: RefCell<HashMap<u64, (f64, f64)>> = RefCell::default();
        let with_error = |insertions: u64| -> Result<(f64, f64), TheoryError> {
            if let Some(known) = asked.borrow().get(&insertions) {
                return Ok(*known);
            }
            let term = Self {
                insertions,
                ..*self
            }
            .reported(1)?;
            let share = match last.value < SMALLEST {
                true => (ln_of(&term) - ln_last).exp(),
                false => term.value / last.value,
            };
            let both = (share, term.accuracy.relative_error * share);
            asked.borrow_mut().insert(insertions, both);
            Ok(both)
        };
        let at = |insertions| with_error(insertions).map(|(share, _)| share);
        let (mut before, mut counts) = (0, self.insertions);
        while counts - before > 1 + self.insertions / PLACES {
            let middle = before + (counts - before) / 2;
            if at(middle)? < NEGLIGIBLE {
                before = middle;
            } else {
                counts = middle;
            }
        }
        // over the places that count alone: with a high threshold the rate grows by orders of magnitude in a share of the stream
        let sum = sum_over_insertions(self.insertions - before, PLACES, |behind| {
            at(before + behind)
        })?;
        // few insertions have the greater errors
        let of_terms = match last.accuracy.kind {
            AccuracyKind::Exact => last.accuracy,
            _ if sum == 0.0 => last.accuracy,
            _ => {
                let errors = sum_over_insertions(self.insertions - before, PLACES, |behind| {
                    with_error(before + behind).map(|(_, error)| error)
                })?;
                Accuracy::approximation(errors / sum)
            }
        };
        let accuracy = of_terms.and(Accuracy::exact(1e-6));
        Ok(Figure::new(sum * last.value, FORMULA, accuracy).with_ln(sum.ln() + ln_last))
    }

    /// The probability that at least one of a key's k counters stands at `max` or above because of others:
    /// `1 - (1 - P(Binomial(n, 1/m') >= max))^k`. Exact for k functions; for two it is below, by less than the excess of
    /// double hashing.
    pub fn saturated(&self, max: u64) -> Figure {
        let tail = self.tail(max);
        let share = tail.value();
        let hashes = f64::from(self.partitions.hashes());
        let figure = Figure::new(
            -(hashes * (-share).ln_1p()).exp_m1(),
            "1 - (1 - P(Binomial(n, 1/m') >= max))^k",
            match self.partitions.hashing() {
                Hashing::Independent => Accuracy::exact(1e-11),
                Hashing::Double => Accuracy::bound(),
            },
        );
        figure.with_ln(tail.ln() + hashes.ln())
    }

    /// The most insertions after which a key of true count `count` is reported with a probability of at most `rate`.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless the rate lies between 0 and 1; as [`Self::reported`].
    pub fn most_insertions(
        partitions: Partitions,
        threshold: u64,
        count: u64,
        rate: f64,
    ) -> Result<Figure, TheoryError> {
        TheoryError::check_fraction(NAME, "rate", rate)?;
        let guess = partitions
            .range()
            .saturating_mul(threshold - count.min(threshold))
            / 2;
        let mut reported = |insertions| -> Result<f64, TheoryError> {
            let filter = Self::new(partitions, insertions, threshold)?;
            Ok(filter.reported(count)?.value)
        };
        let guess = guess.min(1 << 40);
        let first = first_above((1, MOST_INSERTIONS), guess, rate, &mut reported)?;
        let most = first.map_or(MOST_INSERTIONS, |first| first - 1);
        let law = Self::new(partitions, most, threshold)?.reported(count)?;
        Ok(Figure::new(
            most as f64,
            "greatest n whose rate is at most the target",
            law.accuracy,
        ))
    }
}

/// Natural logarithm of a figure; minus infinity for 0 and less.
fn ln_of(figure: &Figure) -> f64 {
    figure.ln.unwrap_or(figure.value.max(0.0).ln())
}

/// `sum_{i=0}^{n-1} f(i)`: term by term below two times so many places (an even number of them), above by Simpson's rule on them with
/// the end correction of Euler and Maclaurin; the terms that are left over behind the last place, fewer
/// than places, likewise on a finer grid.
pub(super) fn sum_over_insertions(
    insertions: u64,
    places: u64,
    mut at: impl FnMut(u64) -> Result<f64, TheoryError>,
) -> Result<f64, TheoryError> {
    /// Places for the terms that are left over.
    const FINER: u64 = 32;
    let mut sum = Sum::default();
    let mut first = simpson(&mut sum, 0, insertions, places, &mut at)?;
    let coarse = first / places;
    if coarse > 2 * FINER && insertions - first > 2 * FINER {
        first = simpson(&mut sum, first, insertions, FINER, &mut at)?;
    }
    for insertions in first..insertions {
        sum.add(at(insertions)?);
    }
    Ok(sum.value())
}

/// Adds the terms from `first` on by Simpson's rule on so many places, where they are two apart or more; what is left over begins at
/// the number that is returned.
fn simpson(
    sum: &mut Sum,
    first: u64,
    insertions: u64,
    places: u64,
    at: &mut impl FnMut(u64) -> Result<f64, TheoryError>,
) -> Result<u64, TheoryError> {
    let step = (insertions - first) / places;
    if step < 2 {
        return Ok(first);
    }
    let end = first + step * places;
    let (start, last) = (at(first)?, at(end)?);
    let mut simpson = start + last;
    for place in 1..places {
        simpson += at(first + place * step)? * if place % 2 == 1 { 4.0 } else { 2.0 };
    }
    sum.add(simpson * step as f64 / 3.0);
    let rising = match first {
        0 => 0.0,
        first => start - at(first - 1)?,
    };
    sum.add(0.5 * (start - last) + (last - at(end - 1)? - rising) / 12.0);
    Ok(end)
}
