use super::draws::Draws;
use super::linear::Linear;
use super::listed::Listed;
use super::touching::Term;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::sum::Sum;

pub(super) const NAME: &str = "rate on a set of keys";
/// Most probes of an item: there are 2^k subsets of them.
pub(super) const MOST_HASHES: u32 = 16;
/// Standard deviations of a sample that are stated as its error.
const DEVIATIONS: f64 = 5.0;

/// Keys under given hash functions.
#[derive(Debug, Clone)]
pub struct KeySet {
    hashes: u32,
    pub(super) keys: f64,
    /// Positions reached, and the keys on each of them, over all functions.
    pub(super) cells: Vec<(f64, f64)>,
    /// Positions reached by each function; a single number where all share an array.
    reached: Vec<f64>,
    /// Keys that no other key shares all positions with, counted once each.
    distinct: f64,
    pub(super) source: Source,
}

/// How the keys meet each other.
#[derive(Debug, Clone)]
pub(super) enum Source {
    Linear(Linear),
    Listed(Listed),
}

impl KeySet {
    /// All keys that differ in `free_bits` bits alone, under linear functions, each with positions of its own.
    ///
    /// `functions[i][j]` is what key bit j of the free ones adds to position i (its row of the H3 function, cut to the index
    /// bits); the other key bits and the offset do not matter. Two keys share the positions of a set S of functions if their
    /// difference is in the kernel of all of S, which has `2^(d - rank(S))` elements: that is all there is to know.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless there are 1 to 16 functions of `free_bits` rows, and 1 to 120 bits.
    pub fn linear(free_bits: u32, functions: &[Vec<u64>]) -> Result<Self, TheoryError> {
        TheoryError::check_range(NAME, "free bits", free_bits.into(), (1, 120))?;
        check_hashes(functions.len())?;
        if let Some(wrong) = functions
            .iter()
            .find(|rows| rows.len() != free_bits as usize)
        {
            let expected = format!("{free_bits}, one for each free bit");
            return Err(TheoryError::domain(NAME, "rows", expected, wrong.len()));
        }
        let linear = Linear::new(free_bits, functions);
        let keys = f64::from(free_bits).exp2();
        let reached: Vec<f64> = (0..functions.len())
            .map(|function| f64::from(linear.rank(1 << function)).exp2())
            .collect();
        Ok(Self {
            hashes: functions.len() as u32,
            keys,
            cells: reached.iter().map(|cells| (*cells, keys / cells)).collect(),
            distinct: f64::from(linear.rank(linear.all())).exp2(),
            reached,
            source: Source::Linear(linear),
        })
    }

    /// Any different keys by their probe positions, `hashes` numbers a key. With `shared` the positions of all functions are
    /// in one array, else each function has positions of its own. Rates are exact as long as the keys that share a position with
    /// each key are looked at quickly; beyond that those of a random sample of the keys are, and the stated error has its share.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless there are 1 to 16 positions a key and 2 keys to 2^32 - 1 positions in all.
    pub fn listed(positions: &[u32], hashes: u32, shared: bool) -> Result<Self, TheoryError> {
        check_hashes(hashes as usize)?;
        let keys = positions.len() / hashes as usize;
        TheoryError::check_range(NAME, "keys", keys as u64, (2, u64::from(u32::MAX / hashes)))?;
        let listed = Listed::new(positions, hashes as usize, shared);
        Ok(Self {
            hashes,
            keys: keys as f64,
            cells: listed.cells.clone(),
            reached: listed.reached.clone(),
            distinct: listed.groups as f64,
            source: Source::Listed(listed),
        })
    }

    /// Keys of the set.
    pub fn keys(&self) -> f64 {
        self.keys
    }

    /// Positions that the keys reach, function by function; a single number for the layout of one array.
    pub fn reached(&self) -> &[f64] {
        &self.reached
    }

    /// Different combinations of positions among the keys.
    pub fn distinct(&self) -> f64 {
        self.distinct
    }

    /// The rank of the functions of a set (bit i: function i) on the keys' differences; `None` for listed keys.
    pub fn rank(&self, functions: u32) -> Option<u32> {
        match &self.source {
            Source::Linear(linear) => Some(linear.rank(functions as usize & linear.all())),
            Source::Listed(_) => None,
        }
    }

    /// The false-positive rate of a filter that holds `items` of the keys, drawn without order, for another of the keys.
    ///
    /// Source: derivation of this project. A key is taken for one of the filter's if each of its positions is covered; by
    /// inclusion and exclusion over the subsets T of positions, `sum_T (-1)^|T| C(N-1-h(T), n) / C(N-1, n)` with h(T) the other
    /// keys that touch T, averaged over the keys. Exact; the stated error is that of rounding. Where the rate is no more than rounding,
    /// that is given in its place, as a bound.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `items` are fewer than the keys.
    pub fn static_rate(&self, items: u64) -> Result<Figure, TheoryError> {
        let others = self.keys - 1.0;
        if items as f64 > others {
            let expected = format!("at most {others}, so that a key is left to ask for");
            return Err(TheoryError::domain(NAME, "items", expected, items));
        }
        let mut draws = Draws::new(others, items as f64);
        let rate = self.mean(&mut |terms| sum_of(terms, |h| draws.none(h)));
        Ok(self.figure(
            rate,
            "sum_T (-1)^|T| C(N-1-h(T), n) / C(N-1, n), h(T) other keys that touch positions T (this project)",
            0.0,
        ))
    }

    /// A rate with the error of rounding, of the sample, and of its model if it has one.
    pub(super) fn figure(&self, rate: Mean, formula: &str, model: f64) -> Figure {
        let terms = f64::from(self.hashes).exp2();
        if rate.impossible {
            return Figure::new(0.0, formula, Accuracy::exact(0.0));
        }
        let absolute = terms * 1e-14;
        let value = rate.value.max(0.0);
        if value < absolute && rate.deviation.is_none() {
            let most = 2.0 * absolute * (1.0 + model);
            return Figure::new(most, format!("{formula}, at most this"), Accuracy::bound());
        }
        let value = value.max(f64::MIN_POSITIVE);
        let rounding = 1e-12 + absolute / value;
        let sampled = DEVIATIONS * rate.deviation.unwrap_or(0.0) / value;
        let accuracy = if model > 0.0 || rate.deviation.is_some() || rounding > 1e-3 {
            Accuracy::approximation(model + sampled + rounding)
        } else {
            Accuracy::exact(rounding)
        };
        Figure::new(value, formula, accuracy)
    }

    /// The mean over the keys of a function of their terms: exact, or from a sample with its deviation.
    pub(super) fn mean(&self, of: &mut dyn FnMut(&[Term]) -> f64) -> Mean {
        let listed = match &self.source {
            Source::Linear(linear) => {
                let terms = linear.terms();
                return Mean {
                    value: of(terms),
                    deviation: None,
                    impossible: terms.is_empty(),
                };
            }
            Source::Listed(listed) => listed,
        };
        let mut parts: Vec<(Sum, f64)> = Vec::new();
        let mut impossible = true;
        listed.each_class(&mut |part, weight, terms| {
            impossible &= terms.is_empty();
            parts.resize(parts.len().max(part + 1), (Sum::default(), 0.0));
            parts[part].0.add(weight * of(terms));
            parts[part].1 += weight;
        });
        let means: Vec<f64> = parts
            .iter()
            .map(|(sum, weight)| sum.value() / weight)
            .collect();
        let number = means.len() as f64;
        let value = means.iter().sum::<f64>() / number;
        let squares: f64 = means.iter().map(|mean| (mean - value).powi(2)).sum();
        Mean {
            value,
            deviation: (means.len() > 1).then(|| (squares / (number - 1.0) / number).sqrt()),
            impossible: impossible && means.len() == 1,
        }
    }
}

/// A mean over the keys.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mean {
    pub(super) value: f64,
    /// Its standard deviation if it is of a sample of the keys.
    deviation: Option<f64>,
    /// Whether no key is ever a false positive, whatever else is in the filter: an exact 0.
    impossible: bool,
}

/// `sum_T (-1)^|T| f(h(T))`, over all subsets.
pub(super) fn sum_of(terms: &[Term], mut f: impl FnMut(f64) -> f64) -> f64 {
    let mut sum = Sum::default();
    terms.iter().for_each(|(h, sign)| sum.add(sign * f(*h)));
    sum.value()
}

fn check_hashes(hashes: usize) -> Result<(), TheoryError> {
    TheoryError::check_range(NAME, "hashes", hashes as u64, (1, MOST_HASHES.into()))
}
