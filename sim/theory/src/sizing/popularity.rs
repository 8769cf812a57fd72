//! Reuse distances of keys, which decide how much a recycling filter forgets.

use crate::error::TheoryError;

const NAME: &str = "Zipf popularity";
/// Ranks that are kept one by one; beyond, they are grouped geometrically.
const SINGLE_RANKS: u64 = 128;
/// Most steps to the number of requests.
const MOST_STEPS: u32 = 200;
/// Sums that run beside each other.
const LANES: usize = 8;
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

    /// By how much, relatively, the requests up to a number of distinct keys lie above those that hold it on the mean, where that number has
    /// the standard deviation `keys`: second order, `T''/2 (variance of the keys, and of the distinct keys among so many requests) / T`.
    pub(super) fn spread_of_requests(&self, requests: f64, keys: f64) -> f64 {
        let (mut slope, mut curve, mut variance) = (0.0, 0.0, 0.0);
        for ((_, count), missed) in self.groups.iter().zip(&self.missed) {
            let unseen = (requests * missed).exp();
            slope -= count * unseen * missed;
            curve += count * unseen * missed * missed;
            variance += count * unseen * (1.0 - unseen);
        }
        0.5 * curve / slope.powi(3) * (keys * keys + variance) / requests
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

    /// Reuse distances in new messages, with their probabilities, for a filter with a mean cycle of `cycle_arrivals`
    /// new messages.
    ///
    /// Source: derivation of this project. A state approximation: a cycle lasts as many requests T as hold
    /// `cycle_arrivals` distinct keys ([`Self::requests_with`]; every key is new once a cycle), and within it new messages
    /// are spread evenly over the requests, so a gap of g requests holds `g L/T` of them. Gaps are geometric,
    /// `p_i (1-p_i)^(g-1)` for the key of rank i, which comes with weight `p_i`. Gaps above 2T, after which neither one
    /// nor two phases remember, are one entry. A filter whose cycle holds the whole universe never recycles: all
    /// distances are 0.
    ///
    /// Tested against a simulated stream: the share of repeats forgotten agrees within 0.01.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless the cycle is finite and at least 1.
    pub fn reuse_distances(&self, cycle_arrivals: f64) -> Result<Vec<(u64, f64)>, TheoryError> {
        if !(cycle_arrivals >= 1.0 && cycle_arrivals.is_finite()) {
            let expected = "a finite length of at least 1 new message";
            return Err(TheoryError::domain(
                NAME,
                "cycle_arrivals",
                expected,
                cycle_arrivals,
            ));
        }
        let requests = self.requests_with(cycle_arrivals);
        if requests.is_infinite() {
            return Ok(vec![(0, 1.0)]);
        }
        const STEPS: u32 = 200;
        let longest = 2.2 * requests;
        // P(gap > g), over the keys of a request, step by step: each key's share falls by a factor of its own
        let width = longest / f64::from(STEPS);
        let factors: Vec<f64> = self.missed.iter().map(|m| (width * m).exp()).collect();
        let mut shares: Vec<f64> = self.groups.iter().map(|(p, count)| p * count).collect();
        let mut distances = Vec::with_capacity(STEPS as usize + 1);
        let mut left = 1.0;
        for step in 0..STEPS {
            // in lanes, as one running sum would wait for each addition
            let mut lanes = [0.0; LANES];
            for (shares, factors) in shares.chunks_mut(LANES).zip(factors.chunks(LANES)) {
                for ((share, factor), lane) in shares.iter_mut().zip(factors).zip(&mut lanes) {
                    *share *= factor;
                    *lane += *share;
                }
            }
            let after: f64 = lanes.iter().sum();
            let distance = (f64::from(step) + 0.5) * width * cycle_arrivals / requests;
            distances.push((distance.round() as u64, left - after));
            left = after;
        }
        distances.push((
            (longest * cycle_arrivals / requests).ceil() as u64 + 1,
            left,
        ));
        Ok(distances)
    }
}

/// What is known of the reuse of keys.
#[derive(Debug, Clone, PartialEq)]
pub enum Reuse {
    /// Independent requests of a popularity law.
    Zipf(Zipf),
    /// A histogram of a recorded trace: new messages since the previous arrival of the key, and how often.
    Distances(Vec<(u64, f64)>),
}

impl Reuse {
    /// The distances and their weights for a filter of that mean cycle, in new messages.
    ///
    /// # Errors
    /// Those of [`Zipf::reuse_distances`].
    pub fn distances(&self, cycle_arrivals: f64) -> Result<Vec<(u64, f64)>, TheoryError> {
        match self {
            Self::Zipf(zipf) => zipf.reuse_distances(cycle_arrivals),
            Self::Distances(distances) => Ok(distances.clone()),
        }
    }
}
