//! Value of "cache on the second request": hit ratio and writes of a cache whose admission asks a recycling filter.
//!
//! An object that misses is stored only if the filter says that it was requested before (RBF I names this use). Requests are
//! independent, from a popularity law; the cache is least recently used (LRU). Derivation of this project: the characteristic
//! time of H. Che, Y. Tung, Z. Wang, "Hierarchical Web Caching Systems", JSAC 20, 2002, with the memory of a recycling
//! filter as the condition of admission. An approximation, held by simulation.
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
/// Stated relative errors of hit ratios and of writes, and what is added to either over the new messages of a cycle and over the objects
/// of the cache: the characteristic time is taken to be as long for every object, and a cycle, too.
const HITS_ERROR: [f64; 3] = [0.01, 0.5, 0.05];
const WRITES_ERROR: [f64; 3] = [0.05, 3.0, 0.05];

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

/// Hit ratio and writes of an LRU cache of `objects` objects.
///
/// Source: derivation of this project (see the module). Approximation: the memory of the filter at one request is taken as
/// independent of that at the one before.
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
    let sums = |time: f64| {
        let (mut held, mut hits, mut writes) = (Sum::default(), Sum::default(), Sum::default());
        for (p, count) in law.groups() {
            let (hit, write) = object(*p, time, seen);
            held.add(count * hit);
            hits.add(count * p * hit);
            writes.add(count * p * write);
        }
        (held.value(), hits.value(), writes.value())
    };
    // an object is in the cache as often as at its requests, since these come at any moment alike
    let ((_, hits, writes), _) = characteristic(objects, sums);
    let formula = match memory {
        Memory::None => "characteristic time of an LRU cache (Che)",
        Memory::Filter { .. } => {
            "characteristic time of an LRU cache that stores what the filter remembers at the gap (Che; this project)"
        }
    };
    let cycle = match memory {
        Memory::None => f64::INFINITY,
        Memory::Filter { cycle_arrivals, .. } => cycle_arrivals,
    };
    let figure = |value, [least, of_cycle, of_objects]: [f64; 3]| {
        let error = least + of_cycle / cycle + of_objects / objects;
        Figure::new(value, formula, Accuracy::approximation(error))
    };
    Ok(Caching {
        hit_ratio: figure(hits, HITS_ERROR),
        writes: figure(writes, WRITES_ERROR),
    })
}

/// The sums at the time at which `objects` are held, and the logarithm of that time: the secant method inside a bracket
/// (Illinois), on logarithms, in which the mean is nearly straight.
fn characteristic(objects: f64, sums: impl Fn(f64) -> (f64, f64, f64)) -> ((f64, f64, f64), f64) {
    let off = |at: f64| {
        let found = sums(at.exp());
        ((found.0 / objects).max(1e-300).ln(), found)
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
