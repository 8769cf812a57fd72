//! Counters in one array under two hash functions: every probe of an insertion raises its counter by one.
//!
//! A derivation of this project. For a key of one of the classes of `meetings`, the insertions of other keys are independent
//! vectors of hits on its positions: none, one hit (probability p each, so that the mean of a counter is `kn/m`), or a meeting
//! v with several hits. The key is reported when every counter has what it still needs. Given that J of the n insertions are
//! meetings, the others are a multinomial law: `P(all reached) = sum over J of C(n,J) E[(1-q)^(n-J) G(needs - v_1 - .. - v_J)]`, q the
//! share of meetings and G the probability that the multinomial law fills what is left. G is exact: independent Poisson numbers,
//! truncated from below and convolved, given their sum. J is taken up to 2; meetings are so rare (`n q` is about `k^3/m`) that the rest is
//! small, and it is stated.

use super::extension::Extension;
use super::meetings::{
    cell_meetings, cells_of_meeting, classes, covariance_of_meeting, Class, Meeting,
};
use super::single_array::check_domain;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::sum::Sum;
use statrs::function::gamma::ln_gamma;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

const NAME: &str = "counters in one array, two hash functions";
/// Most hashes whose meetings are counted, and taken in pairs, in a fraction of a second: double, extended.
const MOST_HASHES: (u64, u64) = (14, 8);
/// Greatest threshold less count: the laws of all sums up to some of it are convolved.
const MOST_NEED: u64 = 4096;
/// Meetings of a class up to which all pairs of them are taken.
const MOST_PAIRED: usize = 600;
/// Probability of two meetings over what none and one come to, below which they are left out.
const RARE: f64 = 1e-3;
/// Mean number of meetings above which two or fewer are as good as impossible.
const MOST_MEETINGS: f64 = 60.0;
/// Share of the greatest term below which others are left out.
const NEGLIGIBLE: f64 = 1e-17;
/// What taking the positions of a key as alike may change a need's probability by, relatively, for one meeting to be counted so.
const LARGEST_BLEND: f64 = 0.02;

/// One array of m counters that the k positions of an item share, with two hash functions.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedCounters {
    range: u64,
    hashes: u32,
    extension: Extension,
    /// By falling weight.
    groups: Vec<Group>,
    /// One counter by itself.
    cell: Group,
}

/// Hits on the positions of a key: (kind of the position, hits), sorted.
type Hits = Vec<(u8, u8)>;

/// What tells positions apart.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    /// The key's own probes on it.
    own: u8,
    /// Probability that an insertion hits it once and no other.
    single: f64,
}

/// Keys of one class, and what insertions do to them.
#[derive(Debug, Clone, PartialEq)]
struct Group {
    weight: f64,
    /// Kinds of positions; those of `two` have the mean probability of a hit.
    places: Vec<Place>,
    /// The kind of every position.
    positions: Hits,
    /// Sum over the positions of the squared relative distance of that probability from its mean.
    uneven: f64,
    /// The greatest such distance.
    most_uneven: f64,
    /// `positions` and `one` with positions of the mean probability.
    blended: (Hits, Vec<(Hits, f64)>),
    /// Probability of a meeting of any kind.
    meets: f64,
    /// Most hits of an insertion.
    most_hits: u32,
    /// Meetings with their probabilities.
    one: Vec<(Hits, f64)>,
    /// Two meetings, in either order; `None` where there are too many kinds.
    two: Option<Vec<(Hits, f64)>>,
}

impl SharedCounters {
    /// `range` (m) counters, `hashes` (k).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless m is 2 k^2 to 2^40 - 1 and k is 1 to 14 (extended: 8).
    pub fn new(range: u64, hashes: u32, extension: Extension) -> Result<Self, TheoryError> {
        check_domain(range, hashes)?;
        let most = match extension {
            Extension::None => MOST_HASHES.0,
            Extension::Square | Extension::Cube => MOST_HASHES.1,
        };
        TheoryError::check_range(NAME, "hashes", hashes.into(), (1, most))?;
        let groups = classes(range, hashes, extension);
        let cell = Class {
            weight: 1.0,
            own: vec![1],
            meetings: cell_meetings(range, hashes, extension),
        };
        Ok(Self {
            range,
            hashes,
            extension,
            groups: groups
                .iter()
                .map(|class| Group::new(class, range, hashes))
                .collect(),
            cell: Group::new(&cell, range, hashes),
        })
    }

    /// The probability that a query reports a key of true count `count` < `threshold` after `insertions` (n) of other keys, each once.
    /// A key whose own probes coincide raises its counters faster, which is part of it; the verdict of its last arrival itself takes
    /// the count of such a counter after the first of these probes.
    ///
    /// Approximation; the stated relative error is that of more than two meetings (extended schemes: and of chance coincidences, as
    /// of [`SingleArray::rate`](super::SingleArray::rate)), tested against enumeration in whole numbers.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `count < threshold`, threshold less count at most 4096, n at most 2^40, and on average at most 60 of
    /// the insertions share two cells with a key.
    pub fn reported(
        &self,
        insertions: u64,
        threshold: u64,
        count: u64,
    ) -> Result<Figure, TheoryError> {
        if count >= threshold {
            let expected = format!("less than the threshold {threshold}");
            return Err(TheoryError::domain(NAME, "true count", expected, count));
        }
        check(insertions, threshold - count)?;
        self.check_meetings(insertions)?;
        let of_groups = self.groups.iter().map(|group| {
            let reached = group.reached(insertions, |own| {
                threshold.saturating_sub(count.saturating_mul(own.into()))
            });
            (group.weight, reached)
        });
        let (rates, errors): (Vec<_>, Vec<_>) = of_groups
            .map(|(weight, (rate, error))| ((weight, rate), (weight, error)))
            .unzip();
        Ok(self.figure(
            ln_sum(&rates),
            ln_sum(&errors),
            "two hash functions on one array of counters, up to two meetings of key and insertions",
        ))
    }

    /// Share of the counters that `insertions` (n) raise to `count` or more. As exact as [`Self::reported`].
    ///
    /// # Errors
    /// As [`Self::reported`].
    pub fn reaches(&self, insertions: u64, count: u64) -> Result<Figure, TheoryError> {
        check(insertions, count)?;
        self.check_meetings(insertions)?;
        let (share, error) = self.cell.reached(insertions, |_| count);
        Ok(self.figure(
            share,
            error,
            "a counter of one array, two hash functions: hits of an insertion on it counted",
        ))
    }

    /// Bound on how far the probability that a key is reported lies from that of independent counters: that of a meeting with any of so
    /// many insertions, and of a key whose own probes coincide.
    pub(crate) fn differs_by(&self, insertions: u64) -> f64 {
        let of_group = |group: &Group| match group.coincides() {
            true => group.weight,
            false => group.weight * insertions as f64 * group.meets,
        };
        self.groups.iter().map(of_group).sum()
    }

    /// Whether so many insertions meet a key too often for the law of up to two meetings.
    pub(crate) fn meets_too_often(&self, insertions: u64) -> bool {
        let groups = self.groups.iter().chain([&self.cell]);
        let most = groups.map(|group| group.meets).fold(0.0, f64::max);
        insertions as f64 * most > MOST_MEETINGS
    }

    fn check_meetings(&self, insertions: u64) -> Result<(), TheoryError> {
        if !self.meets_too_often(insertions) {
            return Ok(());
        }
        let expected = format!(
            "so few that at most {MOST_MEETINGS} of them share two cells with a key on average"
        );
        Err(TheoryError::domain(
            NAME,
            "insertions",
            expected,
            insertions,
        ))
    }

    /// The figure of a number and its error, both as logarithms.
    fn figure(&self, ln: f64, ln_error: f64, formula: &str) -> Figure {
        let chance = self.extension.chance(self.range, self.hashes);
        let relative = match ln_error == f64::NEG_INFINITY {
            true => 0.0,
            false => (ln_error - ln).exp(),
        };
        let error = 1e-10 + chance + relative;
        if error < 1.0 {
            return Figure::new(ln.exp().min(1.0), formula, Accuracy::approximation(error))
                .with_ln(ln);
        }
        let formula = format!("{formula}: a lower bound, more meetings add to it");
        Figure::new(ln.exp().min(1.0), formula, Accuracy::lower_bound()).with_ln(ln)
    }

    /// What one insertion adds, in first order, to the probability that all counters of a key are reached, over that of k counters
    /// that each insertion hits independently with probability k/m. `reached(h)` is the probability that a counter is reached
    /// which the insertion hits h times.
    pub(crate) fn item_excess(&self, reached: impl Fn(u8) -> f64) -> f64 {
        let k = self.hashes as i32;
        let (none, raised) = (reached(0), reached(1) - reached(0));
        let hit = f64::from(k) / self.range as f64;
        let apart =
            0.5 * f64::from(k * (k - 1)) * (hit * raised).powi(2) * none.powi((k - 2).max(0));
        let mut sum = 0.0;
        for group in self.groups.iter().filter(|group| !group.coincides()) {
            let met: f64 = group
                .one
                .iter()
                .map(|(hits, share)| {
                    let all: f64 = hits.iter().map(|(_, h)| reached(*h)).product();
                    let linear: f64 = hits.iter().map(|(_, h)| f64::from(*h)).sum();
                    share * (all - none.powi(k) - linear * raised * none.powi(k - 1))
                })
                .sum();
            sum += group.weight * (met - apart);
        }
        sum
    }

    /// What keys whose own probes coincide add to `reached(1)^k`, the probability that all counters of other keys are reached;
    /// `reached(c)` is that of a counter which the key itself hits c times an insertion.
    pub(crate) fn own_excess(&self, reached: impl Fn(u8) -> f64) -> f64 {
        let plain = reached(1).powi(self.hashes as i32);
        self.groups
            .iter()
            .filter(|group| group.coincides())
            .map(|group| {
                let all: f64 = group.own().map(&reached).product();
                group.weight * (all - plain)
            })
            .sum()
    }

    /// As [`SingleArray::pairs_variance`](super::SingleArray), `reached` being the probability that a counter is reached.
    pub(crate) fn pairs_variance(&self, reached: f64) -> f64 {
        let of_group = |group: &Group| {
            let own = group.positions.len();
            let of_one = |(hits, share): &(Hits, f64)| {
                let hits = hits.iter().map(|(_, hits)| *hits);
                let (cells, shared) = cells_of_meeting(own, self.hashes, hits);
                share * covariance_of_meeting(cells, shared, reached)
            };
            group.weight * group.one.iter().map(of_one).sum::<f64>()
        };
        self.groups.iter().map(of_group).sum::<f64>().max(0.0)
    }
}

fn check(insertions: u64, need: u64) -> Result<(), TheoryError> {
    TheoryError::check_range(NAME, "insertions", insertions, (0, 1 << 40))?;
    TheoryError::check_range(NAME, "threshold less count", need, (0, MOST_NEED))
}

impl Group {
    fn new(class: &Class, range: u64, hashes: u32) -> Self {
        let (m, k) = (range as f64, f64::from(hashes));
        let square = m * m;
        let share = |meeting: &Meeting| meeting.items as f64 / square;
        // whole numbers of items, so that equal positions are equal
        let met = |s: usize| -> u64 {
            let hits = class.meetings.iter();
            hits.map(|met| met.items * u64::from(met.hits[s])).sum()
        };
        let single = |items: f64| k / m - items / square;
        let mets: Vec<u64> = (0..class.own.len()).map(met).collect();
        let mean_met = mets.iter().sum::<u64>() as f64 / mets.len() as f64;
        let mean = single(mean_met);
        let exact: BTreeSet<(u8, u64)> = class.own.iter().copied().zip(mets.clone()).collect();
        let blended: BTreeSet<u8> = class.own.iter().copied().collect();
        let mut places: Vec<Place> = exact
            .iter()
            .map(|(own, met)| Place {
                own: *own,
                single: single(*met as f64),
            })
            .collect();
        places.extend(blended.iter().map(|own| Place {
            own: *own,
            single: mean,
        }));
        let kind = |s: usize| exact.range(..(class.own[s], mets[s])).count() as u8;
        let blend = |s: usize| (exact.len() + blended.range(..class.own[s]).count()) as u8;
        let sorted = |kind: &dyn Fn(usize) -> u8, hits: &mut dyn Iterator<Item = u8>| {
            let mut hits: Hits = hits.enumerate().map(|(s, h)| (kind(s), h)).collect();
            hits.sort_unstable();
            hits
        };
        let one_by = |kind: &dyn Fn(usize) -> u8| {
            let mut one: BTreeMap<Hits, f64> = BTreeMap::new();
            for meeting in &class.meetings {
                let hits = sorted(kind, &mut meeting.hits.iter().copied());
                *one.entry(hits).or_default() += share(meeting);
            }
            one
        };
        let (one, blended_one) = (one_by(&kind), one_by(&blend));
        let few = class.meetings.len() <= MOST_PAIRED;
        // a position in a byte: its kind, of which there are up to 4, and up to 24 hits
        let kinds: Vec<u8> = (0..class.own.len())
            .map(|s| (blend(s) - exact.len() as u8) << 5)
            .collect();
        let unpacked = |byte: u8| ((byte >> 5) + exact.len() as u8, byte & 0x1f);
        let two = few.then(|| {
            let mut two = Vec::new();
            let mut hits = [0u8; 16];
            for (i, first) in class.meetings.iter().enumerate() {
                for (j, second) in class.meetings[..=i].iter().enumerate() {
                    let both = first.hits.iter().zip(&second.hits);
                    for ((hit, kind), (a, b)) in hits.iter_mut().zip(&kinds).zip(both) {
                        *hit = kind | (a + b);
                    }
                    hits[..kinds.len()].sort_unstable();
                    let orders = if i == j { 1.0 } else { 2.0 };
                    let share = orders * share(first) * share(second);
                    two.push((u128::from_be_bytes(hits), share));
                }
            }
            two.sort_unstable_by_key(|(hits, _)| *hits);
            let alike = two.chunk_by(|a, b| a.0 == b.0);
            alike
                .map(|alike| {
                    let hits = &alike[0].0.to_be_bytes()[..kinds.len()];
                    let hits = hits.iter().map(|byte| unpacked(*byte)).collect();
                    (hits, alike.iter().map(|(_, share)| share).sum())
                })
                .collect()
        });
        Self {
            weight: class.weight,
            positions: sorted(&kind, &mut class.own.iter().map(|_| 0)),
            places,
            uneven: mets
                .iter()
                .map(|met| (single(*met as f64) / mean - 1.0).powi(2))
                .sum(),
            most_uneven: mets
                .iter()
                .map(|met| (single(*met as f64) / mean - 1.0).abs())
                .fold(0.0, f64::max),
            blended: (
                sorted(&blend, &mut class.own.iter().map(|_| 0)),
                blended_one.into_iter().collect(),
            ),
            meets: class.meetings.iter().map(share).sum(),
            most_hits: hashes,
            one: one.into_iter().collect(),
            two,
        }
    }

    /// The key's own probes on each position.
    fn own(&self) -> impl Iterator<Item = u8> + '_ {
        self.positions
            .iter()
            .map(|(kind, _)| self.places[usize::from(*kind)].own)
    }

    fn coincides(&self) -> bool {
        self.own().any(|own| own > 1)
    }

    /// Logarithms of the probability that every counter has what it needs, by the key's own probes on it, and of how far it may be off.
    fn reached(&self, insertions: u64, need: impl Fn(u8) -> u64) -> (f64, f64) {
        let total = self.own().map(|own| u128::from(need(own))).sum::<u128>();
        if total > u128::from(insertions) * u128::from(self.most_hits) {
            return (f64::NEG_INFINITY, f64::NEG_INFINITY);
        }
        let each = |kind: u8| self.places[usize::from(kind)].single / (1.0 - self.meets);
        // by the number of meetings
        let mut laws =
            [0, 1, 2].map(|meetings| Multinomial::new(insertions.saturating_sub(meetings)));
        let mut needs: Vec<(u8, u64)> = Vec::new();
        let mut filled = |hits: &Hits, meetings: usize| {
            let left = |(kind, hits): &(u8, u8)| {
                let need = need(self.places[usize::from(*kind)].own);
                (*kind, need.saturating_sub((*hits).into()))
            };
            needs.clear();
            needs.extend(hits.iter().map(left).filter(|(_, need)| *need > 0));
            // positions without a hit come first: most of them are alike
            needs.sort_unstable_by_key(|(kind, need)| (std::cmp::Reverse(*need), *kind));
            laws[meetings].ln_reaches(needs.iter().map(|(kind, n)| (*n, each(*kind))).collect())
        };
        let n = insertions as f64;
        let none = |others: f64| others * (-self.meets).ln_1p();
        // positions by themselves, or as alike where that hardly changes the sum and saves much of the time
        let largest = self.own().map(&need).max().unwrap_or(0) as f64;
        let alike = largest * self.most_uneven;
        let blend = alike < LARGEST_BLEND;
        let (positions, of_one) = match blend {
            true => (&self.blended.0, &self.blended.1),
            false => (&self.positions, &self.one),
        };
        let zero = none(n) + filled(positions, 0);
        let mut sum = |kinds: &[(Hits, f64)], meetings| -> f64 {
            let part = |(hits, share): &(Hits, f64)| (*share, filled(hits, meetings));
            ln_sum(&kinds.iter().map(part).collect::<Vec<_>>())
        };
        let one = match insertions {
            0 => f64::NEG_INFINITY,
            _ => n.ln() + none(n - 1.0) + sum(of_one, 1),
        };
        let pairs = 0.5 * n * (n - 1.0);
        // two meetings are as good as left out where they are rare beside what is known already
        let rare = (pairs * self.meets.powi(2)).ln() < RARE.ln() + zero.max(one);
        let counted = self.two.as_ref().filter(|_| insertions >= 2 && !rare);
        let two = match counted {
            Some(two) => pairs.ln() + none(n - 2.0) + sum(two, 2),
            None => f64::NEG_INFINITY,
        };
        // from here on as shares of the greatest
        let greatest = zero.max(one).max(two);
        let greatest = if greatest.is_finite() { greatest } else { 0.0 };
        let share = |ln: f64| (ln - greatest).exp();
        let (zero, one, two, certain) = (share(zero), share(one), share(two), share(0.0));
        // each further meeting multiplies by what the one before did, twice that at most, as long as there is hardly more than one; and by
        // no more than its probability
        let (last, meetings, bound) = match counted {
            Some(_) => (
                two,
                3.0,
                pairs * (n - 2.0).max(0.0) / 3.0 * self.meets.powi(3),
            ),
            None => (one, 2.0, pairs * self.meets.powi(2)),
        };
        let further = if zero > 0.0 && n * self.meets < 1.0 {
            2.0 * last * one / zero / meetings
        } else {
            f64::INFINITY
        };
        let bound = if bound > 0.0 {
            bound.min(1.0) * certain
        } else {
            0.0
        };
        // the probability of a need changes by no more than the need times that of its place; over all positions the first order is 0
        let second_order = 0.5 * self.uneven * largest * largest;
        let blending = match blend {
            true => second_order * (zero + two) + (alike + second_order) * one,
            false => second_order * two,
        };
        let error = further.min(bound) + blending;
        ((zero + one + two).ln() + greatest, error.ln() + greatest)
    }
}

/// Logarithm of a sum of numbers, given as factors and logarithms.
pub(crate) fn ln_sum(parts: &[(f64, f64)]) -> f64 {
    let greatest = parts
        .iter()
        .map(|(_, ln)| *ln)
        .fold(f64::NEG_INFINITY, f64::max);
    if greatest == f64::NEG_INFINITY {
        return greatest;
    }
    let sum: f64 = parts
        .iter()
        .map(|(factor, ln)| factor * (ln - greatest).exp())
        .sum();
    sum.ln() + greatest
}

/// Law of a sum of Poisson numbers, each truncated from below: its first value, and the terms from there, the greatest of which is 1.
#[derive(Debug, Clone)]
struct Sums {
    first: u64,
    terms: Vec<f64>,
    /// Logarithm of what the terms are multiples of.
    ln_unit: f64,
}

impl Sums {
    /// Of no number.
    fn none() -> Sums {
        Sums {
            first: 0,
            terms: vec![1.0],
            ln_unit: 0.0,
        }
    }

    /// With one more number.
    fn with(&self, number: &Sums) -> Sums {
        let mut next = vec![0.0; self.terms.len() + number.terms.len() - 1];
        for (i, sum) in self.terms.iter().enumerate() {
            for (place, term) in next[i..].iter_mut().zip(&number.terms) {
                *place += sum * term;
            }
        }
        Sums {
            first: self.first + number.first,
            terms: next,
            ln_unit: self.ln_unit + number.ln_unit,
        }
        .trimmed()
    }

    /// Without negligible terms at either end, the greatest being 1.
    fn trimmed(mut self) -> Sums {
        let greatest = self.terms.iter().copied().fold(0.0, f64::max);
        let counts = |term: &f64| *term >= NEGLIGIBLE * greatest;
        let last = self.terms.iter().rposition(counts).unwrap_or(0);
        self.terms.truncate(last + 1);
        let low = self.terms.iter().position(counts).unwrap_or(0);
        self.terms.drain(..low);
        self.terms.iter_mut().for_each(|term| *term /= greatest);
        self.first += low as u64;
        self.ln_unit += greatest.ln();
        self
    }
}

/// Multinomial laws of so many trials, some of whose needs are alike.
#[derive(Debug)]
struct Multinomial {
    trials: u64,
    /// By the need and the bits of the probability: the number by itself.
    numbers: HashMap<(u64, u64), Rc<Sums>>,
    /// The same of several.
    known: HashMap<Vec<(u64, u64)>, Rc<Sums>>,
    /// By t: the logarithm of `n (n-1) .. (n-t+1) / n^t`, and its running sum.
    falling: Vec<f64>,
    fallen: Sum,
}

impl Multinomial {
    fn new(trials: u64) -> Self {
        Self {
            trials,
            numbers: HashMap::new(),
            known: HashMap::new(),
            falling: vec![0.0],
            fallen: Sum::default(),
        }
    }

    /// Logarithm of what [`multinomial_reaches`] gives. Needs that begin like those of a call before take what was convolved there.
    fn ln_reaches(&mut self, needs: Vec<(u64, f64)>) -> f64 {
        if needs.is_empty() {
            return 0.0;
        }
        let (total, all) = needs
            .iter()
            .fold((0, 0.0), |(total, all), (need, p)| (total + need, all + p));
        if total > self.trials || needs.iter().any(|(_, p)| *p <= 0.0) {
            return f64::NEG_INFINITY;
        }
        let n = self.trials as f64;
        if needs.iter().all(|(need, p)| *need as f64 <= begins(n * p)) {
            return 0.0;
        }
        let key: Vec<_> = needs.iter().map(|(need, p)| (*need, p.to_bits())).collect();
        let begun = (1..=key.len())
            .rev()
            .find(|length| self.known.contains_key(&key[..*length]));
        let begun = begun.unwrap_or(0);
        let mut sums = match begun {
            0 => Rc::new(Sums::none()),
            _ => Rc::clone(&self.known[&key[..begun]]),
        };
        for length in begun..key.len() {
            let (need, p) = needs[length];
            let trials = self.trials;
            let number = self
                .numbers
                .entry(key[length])
                .or_insert_with(|| Rc::new(poisson_from(trials as f64 * p, need, trials)));
            sums = Rc::new(sums.with(number));
            self.known.insert(key[..=length].to_vec(), Rc::clone(&sums));
        }
        self.ln_given_trials(&sums, all)
    }

    /// Logarithm of the probability that the multinomial law whose places have a probability of `all` together fills what the numbers
    /// were truncated to.
    fn ln_given_trials(&mut self, sums: &Sums, all: f64) -> f64 {
        let n = self.trials as f64;
        while self.falling.len() as u64 <= sums.first {
            self.fallen
                .add((-((self.falling.len() - 1) as f64) / n).ln_1p());
            self.falling.push(self.fallen.value());
        }
        let none = (-all).ln_1p();
        let at_first =
            n * (all + none) + self.falling[sums.first as usize] - sums.first as f64 * none;
        let each = 1.0 / (1.0 - all);
        let (mut total, mut weight) = (0.0, 1.0);
        for (t, sum) in (sums.first..=self.trials).zip(&sums.terms) {
            total += sum * weight;
            weight *= (1.0 - t as f64 / n) * each;
        }
        sums.ln_unit + at_first + total.ln()
    }
}

/// Logarithm of `P(S_i >= need_i for all i)` of a multinomial law of `trials` that fall on each of some places, given as (need,
/// probability), or on none of them.
///
/// Poisson numbers of mean `trials * probability`, truncated from below and convolved; each sum T is then weighted by
/// `P(Binomial(trials, p) = T) / P(Poisson(p trials) = T)`, p the sum of the probabilities. Exact: a relative error of the probability
/// below 1e-11.
pub(crate) fn multinomial_ln_reaches(needs: &[(u64, f64)], trials: u64) -> f64 {
    Multinomial::new(trials).ln_reaches(needs.to_vec())
}

/// Where the laws of Poisson and of binomial numbers of this mean begin to count: by Chernoff's bound they are less with a probability
/// below `e^-72`.
fn begins(mean: f64) -> f64 {
    mean - 12.0 * mean.sqrt() - 30.0
}

/// The law of Poisson from the greater of `least` and where it begins to count, up to where it ends.
fn poisson_from(mean: f64, least: u64, most: u64) -> Sums {
    let first = least.max(begins(mean).max(0.0) as u64);
    let at = first as f64;
    let ln_unit = at * mean.ln() - mean - ln_gamma(at + 1.0);
    // multiples of the first
    let (mut terms, mut greatest, mut term) = (Vec::new(), 1.0f64, 1.0);
    for number in first..=most {
        terms.push(term);
        greatest = greatest.max(term);
        if (number as f64) > mean && term <= NEGLIGIBLE * greatest {
            break;
        }
        term *= mean / (number + 1) as f64;
    }
    Sums {
        first,
        terms,
        ln_unit,
    }
    .trimmed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::AccuracyKind;

    #[test]
    fn needs_far_above_the_mean_end_at_once_and_keep_their_logarithm() {
        let each = 1.0 / (1 << 22) as f64;
        assert!(poisson_from(0.4, 200, 1_600_000).terms.len() < 20);
        let ln = multinomial_ln_reaches(&[(200, each); 4], 1_600_000);
        // four independent Poisson numbers, nearly
        let one = 200.0 * (1.6e6 * each).ln() - 1.6e6 * each - ln_gamma(201.0);
        assert!((ln / (4.0 * one) - 1.0).abs() < 1e-4, "{ln} {one}");
    }

    const EXTENSIONS: [Extension; 3] = [Extension::None, Extension::Square, Extension::Cube];

    /// Reports of keys with `count` of their own after `items` others, over all keys and items: whole numbers, so exact. A state
    /// holds what every distinct position of the key still needs.
    fn enumerated(
        range: u64,
        hashes: u32,
        extension: Extension,
        items: u32,
        (threshold, count): (u64, u64),
    ) -> f64 {
        let (m, k) = (range, u64::from(hashes));
        let mut reported = 0u128;
        for key in 0..m {
            let mut own: BTreeMap<u64, u64> = BTreeMap::new();
            (0..k).for_each(|i| *own.entry((i * key + extension.at(i)) % m).or_default() += 1);
            let positions: Vec<u64> = own.keys().copied().collect();
            let mut kinds: BTreeMap<Vec<u64>, u128> = BTreeMap::new();
            for start in 0..m {
                for stride in 0..m {
                    let mut hits = vec![0; positions.len()];
                    for i in 0..k {
                        let probe = (start + i * stride + extension.at(i)) % m;
                        if let Ok(s) = positions.binary_search(&probe) {
                            hits[s] += 1;
                        }
                    }
                    *kinds.entry(hits).or_default() += 1;
                }
            }
            let needs = own
                .values()
                .map(|own| threshold.saturating_sub(own * count));
            let mut states = BTreeMap::from([(needs.collect::<Vec<u64>>(), 1u128)]);
            for _ in 0..items {
                let mut next: BTreeMap<Vec<u64>, u128> = BTreeMap::new();
                for (needs, ways) in &states {
                    for (hits, items) in &kinds {
                        let left = needs
                            .iter()
                            .zip(hits)
                            .map(|(need, hit)| need.saturating_sub(*hit));
                        *next.entry(left.collect()).or_default() += ways * items;
                    }
                }
                states = next;
            }
            reported += states
                .into_iter()
                .filter(|(needs, _)| needs.iter().all(|need| *need == 0))
                .map(|(_, ways)| ways)
                .sum::<u128>();
        }
        let all = u128::from(m) * (u128::from(m) * u128::from(m)).pow(items);
        reported as f64 / all as f64
    }

    #[test]
    fn reports_are_those_enumerated_up_to_the_stated_error() {
        for extension in EXTENSIONS {
            for (range, hashes, items) in [
                (19, 3, 2),
                (19, 3, 6),
                (24, 3, 7),
                (32, 4, 8),
                (37, 4, 8),
                (36, 4, 7),
                (64, 3, 9),
            ] {
                let law = SharedCounters::new(range, hashes, extension).expect("in the domain");
                for (threshold, count) in [(1, 0), (2, 0), (2, 1), (3, 1)] {
                    let exact = enumerated(range, hashes, extension, items, (threshold, count));
                    let stated = law
                        .reported(items.into(), threshold, count)
                        .expect("in the domain");
                    if stated.accuracy.kind == AccuracyKind::LowerBound {
                        assert!(stated.value <= exact * (1.0 + 1e-9), "{exact} {stated:?}");
                        continue;
                    }
                    let error = (stated.value / exact - 1.0).abs();
                    println!("{extension:?} m={range} k={hashes} n={items} theta={threshold} r={count}: {exact:.4e} error {error:.2e} stated {:.2e}", stated.accuracy.relative_error);
                    assert!(
                        error <= stated.accuracy.relative_error,
                        "{exact} {stated:?}"
                    );
                }
            }
        }
    }
}
