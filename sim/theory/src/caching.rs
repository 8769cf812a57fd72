//! Value of "cache on the second request": hit ratio and writes of a cache whose admission asks a recycling filter.
//!
//! An object that misses is stored only if the filter says that it was requested before (RBF I names this use). Requests are
//! independent, from a popularity law; the cache is least recently used (LRU). Derivation of this project: the characteristic
//! time of H. Che, Y. Tung, Z. Wang, "Hierarchical Web Caching Systems", JSAC 20, 2002, with the memory of a recycling
//! filter as the condition of admission. An approximation, held by simulation, of the steady state; a cache of one or two objects without a
//! filter is summed exactly.
//!
//! Sizes that have nothing to do with popularity leave the law as it is: the byte hit ratio is the hit ratio, and a
//! capacity in bytes over the mean size is one in objects. Depends on [`crate::sizing::Zipf`] alone.
//!
//! ```
//! use bloomline_theory::caching::{caching, Memory};
//! use bloomline_theory::sizing::Zipf;
//!
//! let law = Zipf::new(0.8, 1_000_000)?;
//! let all = caching(&law, 10_000.0, Memory::None)?;
//! let filter = Memory::Filter { cycle_arrivals: 20_000.0, fpr: 0.01, phases: 2 };
//! let second = caching(&law, 10_000.0, filter)?;
//! assert!(second.hit_ratio.value > 1.2 * all.hit_ratio.value);
//! assert!(second.writes.value < 0.2 * all.writes.value);
//! # Ok::<(), bloomline_theory::TheoryError>(())
//! ```

use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::sum::Sum;
use crate::sizing::Zipf;

const NAME: &str = "cache on the second request";
/// Stated relative errors of hit ratios and of writes, whose parts were found against exact sums (caches of up to 200 objects, Zipf laws with
/// exponents of 0 to 10) and simulations (cycles of 1 to 9,900 messages, caches of 1 to 60 objects).
const HITS_ERROR: Error = Error {
    least: 0.01,
    of_cycle: 0.75,
    of_cache: 0.15,
    of_one_phase: 0.15,
};
const WRITES_ERROR: Error = Error {
    least: 0.05,
    of_cycle: 3.5,
    of_cache: 0.1,
    of_one_phase: 0.1,
};
/// Relative error of sums over grouped ranks.
const GROUPED: f64 = 1e-4;

/// A relative error, by its causes.
struct Error {
    least: f64,
    /// Over the new messages of a cycle, as all cycles are taken to be as long.
    of_cycle: f64,
    /// Of hits over the objects of the cache, of writes over the variance of how many are held for a characteristic time: that time is taken
    /// to be as long for every object.
    of_cache: f64,
    /// Of one phase, which knows nothing at the beginning of a cycle: that is taken to come at random.
    of_one_phase: f64,
}

/// What decides whether a missing object is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Memory {
    /// Nothing: every one is.
    None,
    /// A recycling filter that is told of every request.
    Filter {
        /// Mean new messages a cycle.
        cycle_arrivals: f64,
        /// Average false-positive rate.
        fpr: f64,
        /// 1 or 2.
        phases: u32,
    },
}

/// A cache under a popularity law.
#[derive(Debug, Clone, PartialEq)]
pub struct Caching {
    /// Share of the requests whose object is in the cache.
    pub hit_ratio: Figure,
    /// Objects stored, a request.
    pub writes: Figure,
}

/// The filter's memory at gaps of a key of probability p: integrals over the gap, an exponential one.
#[derive(Debug, Clone, Copy)]
struct Seen {
    /// Requests a cycle.
    requests: f64,
    fpr: f64,
    phases: u32,
}

/// `1 - (1 - e^-y) / y`.
fn ramp(y: f64) -> f64 {
    match y {
        y if y < 1e-4 => y * (0.5 - y * (1.0 / 6.0 - y / 24.0)),
        y => 1.0 + (-y).exp_m1() / y,
    }
}

impl Seen {
    /// The probability that a gap is longer than `from` and the filter says seen after it.
    fn beyond(&self, p: f64, from: f64) -> f64 {
        let longer = (-p * from).exp();
        let t = self.requests;
        // one phase: 1 - g/T up to T
        let one = |from: f64| match from < t {
            true => (-p * from).exp() * (1.0 - from / t) * ramp(p * (t - from)),
            false => 0.0,
        };
        // two phases: 1 up to T, then 2 - g/T up to 2 T
        let remembered = match (self.phases, from < t) {
            _ if t.is_infinite() => longer,
            (1, _) => one(from),
            (_, true) => longer - (-p * t).exp() + (-p * t).exp() * one(0.0),
            (_, false) => (-p * t).exp() * one(from - t),
        };
        remembered + self.fpr * (longer - remembered)
    }
}

/// An object's hits and writes at its requests, for a cache that drops it `time` requests after its last one.
fn object(p: f64, time: f64, seen: Option<Seen>) -> (f64, f64) {
    let within = -(-p * time).exp_m1();
    let Some(seen) = seen else {
        return (within, 1.0 - within);
    };
    // stored after a request: it was and the gap was short, or the filter knew it
    let (late, always) = (seen.beyond(p, time), seen.beyond(p, 0.0));
    let stored = always / (1.0 - within - late + always);
    (stored * within, stored * late + (1.0 - stored) * always)
}

/// What a cache does whose objects are dropped a time after their last request.
#[derive(Debug, Default)]
struct Held {
    /// Mean objects in it, and their variance.
    objects: f64,
    variance: f64,
    hits: f64,
    writes: f64,
}

/// The hit ratio of an LRU cache of one object, `sum p_i^2`, or of two: `sum p_i^2 + sum_i p_i / (1 - p_i) sum_(j != i) p_j^2`.
fn exact_hit_ratio(law: &Zipf, two: bool) -> f64 {
    let sum = |of: &dyn Fn(f64) -> f64| {
        let mut sum = Sum::default();
        let groups = law.groups().iter();
        groups.for_each(|(p, count)| sum.add(count * of(*p)));
        sum.value()
    };
    let latest = sum(&|p| p * p);
    match two {
        false => latest,
        true => latest + sum(&|p| p / (1.0 - p) * (latest - p * p)),
    }
}

/// Hit ratio and writes of an LRU cache of `objects` objects, in the long run.
///
/// Source: derivation of this project (see the module). Approximation: the memory of the filter at one request is taken as
/// independent of that at the one before. Without a filter a cache of one or two objects is exact, up to the grouping of [`Zipf`].
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless `1 <= objects` below the number of keys, the cycle is at least 1 and finite, the rate
/// is from 0 to 1, and phases are 1 or 2.
pub fn caching(law: &Zipf, objects: f64, memory: Memory) -> Result<Caching, TheoryError> {
    check_objects(law, objects)?;
    let seen = match memory {
        Memory::None => None,
        Memory::Filter {
            cycle_arrivals,
            fpr,
            phases,
        } => {
            TheoryError::check_range(NAME, "phases", phases.into(), (1, 2))?;
            if !(cycle_arrivals >= 1.0 && cycle_arrivals.is_finite()) {
                let expected = "a finite length of at least 1";
                return Err(TheoryError::domain(
                    NAME,
                    "cycle_arrivals",
                    expected,
                    cycle_arrivals,
                ));
            }
            if !(0.0..=1.0).contains(&fpr) {
                return Err(TheoryError::domain(NAME, "fpr", "0 to 1", fpr));
            }
            Some(Seen {
                requests: law.requests_with(cycle_arrivals),
                fpr,
                phases,
            })
        }
    };
    // a filter that always says seen changes nothing
    let seen = seen.filter(|seen| seen.requests.is_finite() && seen.fpr < 1.0);
    if seen.is_none() && (objects == 1.0 || objects == 2.0) {
        let hits = exact_hit_ratio(law, objects == 2.0);
        let figure = |value| {
            let accuracy = match law.is_grouped() {
                true => Accuracy::approximation(GROUPED),
                false => Accuracy::exact(1e-9),
            };
            Figure::new(value, "LRU cache of one or two objects (King)", accuracy)
        };
        return Ok(Caching {
            hit_ratio: figure(hits),
            writes: figure(1.0 - hits),
        });
    }
    let sums = |time: f64| {
        let mut sums = [(); 4].map(|()| Sum::default());
        for (p, count) in law.groups() {
            let (hit, write) = object(*p, time, seen);
            let parts = [hit, hit * (1.0 - hit), p * hit, p * write];
            for (sum, part) in sums.iter_mut().zip(parts) {
                sum.add(count * part);
            }
        }
        let [objects, variance, hits, writes] = sums.map(|sum| sum.value());
        Held {
            objects,
            variance,
            hits,
            writes,
        }
    };
    // an object is in the cache as often as at its requests, since these come at any moment alike
    let (held, _) = characteristic(objects, sums);
    let formula = match memory {
        Memory::None => "characteristic time of an LRU cache (Che)",
        Memory::Filter { .. } => {
            "characteristic time of an LRU cache that stores what the filter remembers at the gap (Che; this project)"
        }
    };
    let (cycle, one_phase) = match (memory, seen) {
        (Memory::Filter { cycle_arrivals, .. }, Some(seen)) => {
            (cycle_arrivals, f64::from(u8::from(seen.phases == 1)))
        }
        _ => (f64::INFINITY, 0.0),
    };
    let figure = |value, error: Error, cache: f64, one_phase: f64| {
        let of_cache = error.of_cache / cache.max(f64::MIN_POSITIVE);
        let relative = error.least + (1.0 + error.of_cycle / cycle) * (1.0 + of_cache) - 1.0;
        let relative = relative + error.of_one_phase * one_phase;
        Figure::new(value, formula, Accuracy::approximation(relative))
    };
    // what a cache hits that is not small beside a cycle is stored in all of it
    let small = one_phase / (1.0 + 10.0 * objects / cycle);
    Ok(Caching {
        hit_ratio: figure(held.hits, HITS_ERROR, objects, small),
        writes: figure(held.writes, WRITES_ERROR, held.variance, one_phase),
    })
}

/// The sums at the time at which `objects` are held, and the logarithm of that time: the secant method inside a bracket
/// (Illinois), on logarithms, in which the mean is nearly straight.
fn characteristic(objects: f64, sums: impl Fn(f64) -> Held) -> (Held, f64) {
    let off = |at: f64| {
        let found = sums(at.exp());
        ((found.objects / objects).max(1e-300).ln(), found)
    };
    // no cache holds an object that was not requested within the time
    let (mut low, mut high) = (objects.ln() - 1e-9, objects.ln() + 1.0);
    let (mut below, mut found) = off(low);
    let (mut above, _) = off(high);
    while above < 0.0 && high < 700.0 {
        (low, below) = (high, above);
        high += 1.0;
        (above, found) = off(high);
    }
    let mut at = high;
    for _ in 0..60 {
        at = (low * above - high * below) / (above - below);
        if !(at > low && at < high) {
            at = 0.5 * (low + high);
        }
        let error;
        (error, found) = off(at);
        if error.abs() < 1e-12 || high - low < 1e-12 {
            break;
        }
        if error < 0.0 {
            (low, below) = (at, error);
            above *= 0.5;
        } else {
            (high, above) = (at, error);
            below *= 0.5;
        }
    }
    (found, at)
}

/// The hit ratio of the `objects` most popular objects, which no cache exceeds in the long run: a bound.
///
/// # Errors
/// As [`caching`].
pub fn most_popular(law: &Zipf, objects: f64) -> Result<Figure, TheoryError> {
    check_objects(law, objects)?;
    let (mut left, mut hits) = (objects, Sum::default());
    for (p, count) in law.groups() {
        let held = count.min(left);
        hits.add(held * p);
        left -= held;
    }
    Ok(Figure::new(
        hits.value(),
        "popularity of as many of the most popular objects",
        Accuracy::bound(),
    ))
}

fn check_objects(law: &Zipf, objects: f64) -> Result<(), TheoryError> {
    if objects >= 1.0 && objects < law.universe() as f64 {
        return Ok(());
    }
    let expected = format!("1 to {}, fewer than there are keys", law.universe() - 1);
    Err(TheoryError::domain(NAME, "objects", expected, objects))
}
