//! False positives over all arrivals when keys come again by a law of popularity (RBF II-E).
//!
//! Requests are independent, from a [`Zipf`] law. A cycle has T requests, as many as hold its new keys on the mean. Of them, request t
//! is the first for a key of probability p with probability `p (1-p)^(t-1)`, meets a half of as many keys as t - 1 requests hold, and
//! is followed by p (T - t) more for the same key. Popular keys come early in a cycle, when the half is nearly empty.
//!
//! With two phases a key counts unless it came in the cycle before, and then only if the half of that time stored nothing for it: it
//! is a false positive with the rate of either half at its first request, and at each later one if the active half itself matched.
//! A key that the frozen half alone matched is stored by the active one. Positions of a key are the same in every cycle: where popular keys
//! held them once, they do so again.

use super::params::{Hashing, On, RecyclingParams};
use super::popularity::Zipf;
use super::predict::Prediction;
use super::shared_independent::SharedParams;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::recycling::positives_count::Fill;
use crate::recycling::{uniform_requests, Averages};

const NAME: &str = "rates over all arrivals";
/// Largest step of a cycle, as a part of its requests.
const PART_OF_CYCLE: f64 = 1.0 / 200.0;
/// Largest step as a part of the requests before it; at least one request.
const PART_OF_BEFORE: f64 = 1.0 / 20.0;
/// Stated relative error of sums over ranks ([`Zipf`]) and steps.
const SUMS: f64 = 1e-3;
/// Elementary steps up to which the chain over keys and bits is followed: some 20 ms.
const MOST_CHAIN_STEPS: f64 = 5e6;

/// The three rates of RBF II-E, and the requests that a cycle has.
#[derive(Debug, Clone, PartialEq)]
pub struct ByArrivals {
    /// Mean requests between two recycles.
    pub requests_per_cycle: Figure,
    /// The rates.
    pub averages: Averages,
}

/// What the law takes from a filter.
struct Cycle<'a> {
    fill: Fill,
    hashes: u32,
    phases: u32,
    /// Keys in the half when a cycle begins.
    kept: f64,
    prediction: &'a Prediction,
    /// Standard deviation of the new keys of a cycle.
    spread: f64,
}

/// The rates over all arrivals of a filter in the partitioned layout, which `prediction` is of. `spread` is the standard deviation of the new keys of a
/// cycle, which decides about the errors alone.
///
/// Source: derivation of this project (see the module), scaled to the predicted average rate. An approximation: the sum over a cycle takes its
/// first requests one by one, later ones in steps. The stated error takes in the spread of keys and requests, what steps of twice the length
/// change, and what popular keys change that are late; held by simulation.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] where the law has too few keys for a cycle, and for the geometry.
pub fn by_arrivals(
    params: &RecyclingParams,
    prediction: &Prediction,
    spread: f64,
    law: &Zipf,
) -> Result<ByArrivals, TheoryError> {
    debug_assert!(params.hashing == Hashing::Double || prediction.two_hash_excess.value == 0.0);
    let cycle = Cycle {
        fill: Fill::partitioned(params.half()?),
        hashes: params.hashes,
        phases: params.phases,
        kept: f64::from(u8::from(params.retain)),
        prediction,
        spread,
    };
    cycle.by_arrivals(law)
}

/// The same in the shared layout. Small filters of one phase with a threshold on bits that forget their tripping message, and uniform
/// requests: exact, by [`uniform_requests`].
///
/// # Errors
/// As [`by_arrivals`].
pub fn shared_by_arrivals(
    params: &SharedParams,
    prediction: &Prediction,
    spread: f64,
    law: &Zipf,
) -> Result<ByArrivals, TheoryError> {
    let half = SharedParams {
        two_hash: None,
        ..*params
    }
    .half()?;
    let arrivals = &prediction.cycle_arrivals;
    let steps = params.threshold as f64 * f64::from(params.hashes) * arrivals.value;
    let chain = params.phases == 1
        && params.on == On::BitsSet
        && !params.retain
        && prediction.two_hash_excess.value == 0.0
        && law.exponent() == 0.0
        && steps <= MOST_CHAIN_STEPS;
    if chain {
        let averages = uniform_requests(half, params.threshold, law.universe())?;
        let requests = arrivals.value * averages.count_instance.value / averages.count_first.value;
        return Ok(ByArrivals {
            requests_per_cycle: Figure::new(
                requests,
                "new keys a cycle times count-instance over count-first",
                Accuracy::exact(1e-9).and(arrivals.accuracy),
            ),
            averages,
        });
    }
    let cycle = Cycle {
        fill: Fill::shared(half),
        hashes: params.hashes,
        phases: params.phases,
        kept: f64::from(u8::from(params.retain)),
        prediction,
        spread,
    };
    cycle.by_arrivals(law)
}

/// Successive requests of a cycle.
struct Step {
    /// Requests of the cycle before them.
    before: f64,
    requests: f64,
}

impl Step {
    /// A cycle of so many requests: one by one, then in steps that grow with the requests before them. `coarser` is the factor on the
    /// length of those steps.
    fn all(requests: f64, coarser: f64) -> Vec<Self> {
        let mut steps = Vec::new();
        let mut before = 0.0;
        while before < requests {
            let longest = (PART_OF_BEFORE * before).min(PART_OF_CYCLE * requests);
            let here = (coarser * longest).floor().max(1.0).min(requests - before);
            steps.push(Self {
                before,
                requests: here,
            });
            before += here;
        }
        steps
    }

    /// Mean requests before one of the step.
    fn mean_before(&self) -> f64 {
        self.before + 0.5 * (self.requests - 1.0).max(0.0)
    }

    /// Probability that the first request for a key falls into the step; `missed` is the logarithm of the probability that a request is not
    /// for it.
    fn has_first(&self, missed: f64) -> f64 {
        -(self.requests * missed).exp_m1() * (self.before * missed).exp()
    }
}

/// Probabilities at a step of a cycle that a new key is matched.
struct Matched {
    active: f64,
    /// By both halves.
    both: f64,
    /// By the active half, if it was matched at the same time of the cycle before.
    repeated: f64,
    /// By how much the spread of the keys in the half changes `active`, relatively and at most.
    uneven: f64,
}

/// Sums over a cycle.
#[derive(Default)]
struct Sums {
    /// First arrivals that count.
    counted: f64,
    /// False positives among them.
    first: f64,
    /// Those and all later arrivals of their keys.
    each: f64,
    /// Of `first`, what keys that both halves were asked for change.
    shared: f64,
    /// Of `each`, what the spread of the keys in the half changes, and that a popular key was late.
    uneven: f64,
}

impl Sums {
    /// By how much they differ from others, relatively.
    fn apart(&self, other: &Self) -> f64 {
        let apart = |a: f64, b: f64| (a / b - 1.0).abs();
        apart(self.counted, other.counted)
            .max(apart(self.first, other.first))
            .max(apart(self.each, other.each))
    }
}

impl Cycle<'_> {
    fn by_arrivals(&self, law: &Zipf) -> Result<ByArrivals, TheoryError> {
        let (arrivals, rate) = (
            &self.prediction.cycle_arrivals,
            &self.prediction.fpr_average,
        );
        let keys = arrivals.value + self.kept;
        let all = law.requests_with(keys);
        if !all.is_finite() {
            let expected = format!(
                "more than the {} new keys of a cycle (with fewer the filter never recycles)",
                keys.round()
            );
            return Err(TheoryError::domain(
                NAME,
                "universe",
                expected,
                law.universe(),
            ));
        }
        let requests = all - self.kept;
        let sums = self.sums(law, all, 1.0);
        let steps = sums.apart(&self.sums(law, all, 2.0));
        let spread = law.spread_of_requests(all, self.spread) + SUMS + 1.0 / arrivals.value;
        // one phase: the very rate, over first arrivals
        let first = match self.phases {
            1 => rate.value * arrivals.value / requests,
            _ => sums.first / requests,
        };
        let instance = match self.phases {
            1 => rate.value,
            _ => sums.first / sums.counted,
        };
        let each = first * sums.each / sums.first;
        let k = f64::from(self.hashes);
        let shape = 0.25 * (k + 1.0).powi(2) * (self.spread / arrivals.value).powi(2)
            + 1.0 / arrivals.value
            + 0.2 * self.prediction.two_hash_share()
            + steps
            + (sums.shared / sums.first).powi(2);
        let exactly = rate.accuracy.and(arrivals.accuracy);
        let approximation = |error: f64| exactly.and(Accuracy::approximation(error));
        let figure = |value, what: &str, accuracy| {
            let formula = format!("{what} at independent requests (derivation of this project)");
            Figure::new(value, formula, accuracy)
        };
        Ok(ByArrivals {
            requests_per_cycle: figure(
                requests,
                "requests that hold the new keys of a cycle on the mean",
                arrivals.accuracy.and(Accuracy::approximation(spread)),
            ),
            averages: Averages {
                count_instance: figure(
                    instance,
                    "false positives over first arrivals",
                    match self.phases {
                        1 => rate.accuracy,
                        _ => approximation(spread + shape),
                    },
                ),
                count_first: figure(
                    first,
                    "false positives over all arrivals",
                    match self.phases {
                        1 => approximation(spread),
                        _ => approximation(spread + shape),
                    },
                ),
                count_each: figure(
                    each,
                    "false positives and later arrivals of their keys over all arrivals",
                    approximation(spread + shape + sums.uneven / sums.each),
                ),
            },
        })
    }

    /// The rate of the active half after some arrivals, and of the frozen one, over the scale that gives the average rate.
    fn scaled(&self) -> (f64, f64) {
        let (arrivals, rate) = (
            self.prediction.cycle_arrivals.value,
            self.prediction.fpr_average.value,
        );
        let mean = self.fill.mean(arrivals + self.kept) / arrivals;
        let frozen = self.fill.rate(arrivals + self.kept - 1.0);
        if self.phases == 1 {
            return (rate / mean, 0.0);
        }
        // c (frozen + mean) - c^2 frozen mean = rate
        let (sum, product) = (frozen + mean, frozen * mean);
        let root = (sum * sum - 4.0 * product * rate).max(0.0).sqrt();
        let scale = 2.0 * rate / (sum + root);
        (scale, (scale * frozen).min(1.0))
    }

    /// The sums over a cycle of so many requests, in steps of `coarser` times their length.
    fn sums(&self, law: &Zipf, requests: f64, coarser: f64) -> Sums {
        let (scale, frozen) = self.scaled();
        let (two, k) = (self.phases == 2, f64::from(self.hashes));
        let stored = self.prediction.cycle_arrivals.value + self.kept - 1.0;
        let steps = Step::all(requests, coarser);
        let matched: Vec<Matched> = steps
            .iter()
            .map(|step| {
                let before = step.mean_before();
                let seen = law.seen(before);
                let keys = seen.keys;
                let active = (scale * self.fill.rate(keys)).clamp(0.0, 1.0);
                // halves that hold the same keys match together
                let apart = self.fill.share(keys) * self.fill.share(stored);
                let clear = |keys: f64| 1.0 - self.fill.share(keys);
                let likelier = match two && apart > 0.0 {
                    true => {
                        let union = clear(law.distinct(requests + before));
                        (1.0 + (union - clear(keys) * clear(stored)) / apart)
                            .powi(self.hashes as i32)
                    }
                    false => 1.0,
                };
                // a key whose positions were held at this time of the cycle before meets the same popular keys again
                let share = self.fill.share(keys);
                let held_twice = match two && share > 0.0 {
                    true => 1.0 - 2.0 * clear(keys) + clear(law.distinct(2.0 * before)),
                    false => 0.0,
                };
                let repeated = (held_twice / share.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
                // of a given number of requests
                let variance = (seen.variance - before * seen.slope.powi(2)).max(0.0);
                let uneven = 0.5 * k * (k - 1.0) * variance / keys.max(1.0).powi(2);
                Matched {
                    active,
                    both: (active * frozen * likelier).min(active.min(frozen)),
                    repeated: active.max(repeated.powi(self.hashes as i32)),
                    uneven: uneven.min(1.0),
                }
            })
            .collect();
        let mut sums = Sums::default();
        for (p, count) in law.groups() {
            let missed = (-p.min(1.0 - 1e-16)).ln_1p();
            let first: Vec<f64> = steps.iter().map(|step| step.has_first(missed)).collect();
            // in the cycle before: not requested, or requested and not stored
            let (absent, passed) = match two {
                true => {
                    let passed = first.iter().zip(&matched);
                    let passed = passed.map(|(first, matched)| first * matched.active);
                    ((requests * missed).exp(), passed.sum())
                }
                false => (1.0, 0.0),
            };
            // requests for others alone hold more keys
            let late = (k * p / (1.0 - p)).min(1.0);
            for ((step, first), matched) in steps.iter().zip(&first).zip(&matched) {
                let here = count * first;
                let later = p * (requests - step.mean_before() - 1.0).max(0.0);
                let seen = matched.active + frozen - matched.both;
                // not stored in the cycle before, in which the half before that knew it
                let again = passed * (1.0 - absent - passed).max(0.0);
                sums.counted += here * (absent + again);
                sums.first += here * (absent * seen + again);
                let together = (matched.both - matched.active * frozen).abs();
                sums.shared += here * (absent * together + again);
                let each = here * (absent * matched.active + passed * matched.repeated) * later;
                sums.each += here * (absent * seen + passed) + each;
                sums.uneven += each * (matched.uneven + late);
            }
        }
        sums
    }
}
