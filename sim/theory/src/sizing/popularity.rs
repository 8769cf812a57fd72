//! Popularity and reuse of keys, which decide how much a recycling filter forgets.

use crate::error::TheoryError;

const NAME: &str = "Zipf popularity";
/// Ranks that are kept one by one; beyond, they are grouped geometrically.
const SINGLE_RANKS: u64 = 128;
/// Most steps to the number of requests.
const MOST_STEPS: u32 = 200;
/// Groups per factor of e in rank.
const GROUPS_PER_E: f64 = 24.0;

/// Independent requests with Zipf popularity: the key of rank i is asked for with probability `i^-s / sum_j j^-s`.
///
/// Sums over ranks are exact up to rank 128 and grouped beyond, each group of ranks within a factor of `e^(1/24)` at
/// its mean probability: a relative error below 10^-4, tested against the whole sum.
#[derive(Debug, Clone, PartialEq)]
pub struct Zipf {
    exponent: f64,
    universe: u64,
    /// Probability of a key, and the number of keys of the group.
    groups: Vec<(f64, f64)>,
    /// `ln(1 - p)` of each group.
    missed: Vec<f64>,
}

impl Zipf {
    /// `universe` keys with exponent `exponent` (0 is uniform).
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `0 <= exponent <= 10` and `1 <= universe < 2^53`.
    pub fn new(exponent: f64, universe: u64) -> Result<Self, TheoryError> {
        if !(0.0..=10.0).contains(&exponent) {
            return Err(TheoryError::domain(NAME, "exponent", "0 to 10", exponent));
        }
        if !(1..1 << 53).contains(&universe) {
            return Err(TheoryError::domain(
                NAME,
                "universe",
                "1 to 2^53 - 1 keys",
                universe,
            ));
        }
        let single = universe.min(SINGLE_RANKS);
        let mut groups: Vec<(f64, f64)> = (1..=single)
            .map(|rank| ((rank as f64).powf(-exponent), 1.0))
            .collect();
        let mut first = single + 1;
        while first <= universe {
            let last = ((first as f64 * (1.0 / GROUPS_PER_E).exp()) as u64).clamp(first, universe);
            let (low, high) = (first as f64 - 0.5, last as f64 + 0.5);
            let count = high - low;
            // the integral of i^-s over the group's ranks
            let total = if (exponent - 1.0).abs() < 1e-9 {
                (high / low).ln()
            } else {
                (high.powf(1.0 - exponent) - low.powf(1.0 - exponent)) / (1.0 - exponent)
            };
            groups.push((total / count, count));
            first = last + 1;
        }
        let whole: f64 = groups.iter().map(|(weight, count)| weight * count).sum();
        groups.iter_mut().for_each(|(weight, _)| *weight /= whole);
        let missed = groups
            .iter()
            .map(|(p, _)| (-p.min(1.0 - 1e-16)).ln_1p())
            .collect();
        Ok(Self {
            exponent,
            universe,
            groups,
            missed,
        })
    }

    /// The exponent s.
    pub fn exponent(&self) -> f64 {
        self.exponent
    }

    /// Number of keys.
    pub fn universe(&self) -> u64 {
        self.universe
    }

    /// Probability of a key and number of such keys, the most popular first.
    pub(crate) fn groups(&self) -> &[(f64, f64)] {
        &self.groups
    }

    /// Whether several keys stand for a mean one somewhere.
    pub(crate) fn is_grouped(&self) -> bool {
        self.universe > SINGLE_RANKS
    }

    /// Mean number of distinct keys among `requests` requests, `sum_i 1 - (1 - p_i)^n`.
    pub fn distinct(&self, requests: f64) -> f64 {
        self.distinct_and_slope(requests).0
    }

    /// The same, and how much one request more adds to it.
    fn distinct_and_slope(&self, requests: f64) -> (f64, f64) {
        let (mut sum, mut slope) = (0.0, 0.0);
        for ((_, count), missed) in self.groups.iter().zip(&self.missed) {
            let seen = -(requests * missed).exp_m1();
            sum += count * seen;
            slope -= count * (1.0 - seen) * missed;
        }
        (sum, slope)
    }

    /// The distinct keys among so many requests.
    pub(super) fn seen(&self, requests: f64) -> Seen {
        let mut of_all = Seen::default();
        for ((_, count), missed) in self.groups.iter().zip(&self.missed) {
            let seen = -(requests * missed).exp_m1();
            let unseen = 1.0 - seen;
            of_all.keys += count * seen;
            of_all.slope -= count * unseen * missed;
            of_all.curve += count * unseen * missed * missed;
            of_all.variance += count * unseen * seen;
        }
        of_all
    }

    /// By how much, relatively, the requests up to a number of distinct keys lie above those that hold it on the mean, where that number has
    /// the standard deviation `keys`: second order, `T''/2 (variance of the keys, and of the distinct keys among so many requests) / T`.
    pub(super) fn spread_of_requests(&self, requests: f64, keys: f64) -> f64 {
        let seen = self.seen(requests);
        0.5 * seen.curve / seen.slope.powi(3) * (keys * keys + seen.variance) / requests
    }

    /// The number of requests with `distinct` distinct keys on the mean; infinite when the universe has no more keys.
    pub fn requests_with(&self, distinct: f64) -> f64 {
        if distinct >= self.universe as f64 {
            return f64::INFINITY;
        }
        // Newton's method on logarithms, in which the mean is nearly straight; inside a bracket
        let (mut low, mut high) = (distinct.ln(), 690.0);
        let mut at = low;
        for _ in 0..MOST_STEPS {
            let (reached, slope) = self.distinct_and_slope(at.exp());
            if reached < distinct {
                low = at;
            } else {
                high = at;
            }
            let step = (distinct / reached).ln() * reached / (at.exp() * slope);
            let next = at + step;
            if step.abs() <= 1e-11 {
                break;
            }
            at = if next > low && next < high {
                next
            } else {
                0.5 * (low + high)
            };
            if low > 689.0 {
                return f64::INFINITY;
            }
        }
        at.exp()
    }
}

/// Distinct keys among a number of requests.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    /// Their mean number.
    pub(super) keys: f64,
    /// What one request more adds to it.
    pub(super) slope: f64,
    /// By how much the slope falls with a request.
    pub(super) curve: f64,
    /// At most the variance of their number.
    pub(super) variance: f64,
}

/// What is known of the reuse of keys.
#[derive(Debug, Clone, PartialEq)]
pub enum Reuse {
    /// Independent requests of a popularity law, in a stream that has gone on long enough for every key to have come.
    Zipf(Zipf),
    /// A histogram of a recorded trace: new messages since the previous arrival of the key, and how often.
    Distances(Vec<(u64, f64)>),
}
