use super::draws::Draws;
use super::linear::Linear;
use super::listed::Listed;
use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::sum::Sum;

pub(super) const NAME: &str = "rate on a set of keys";
/// Most probes of an item: there are 2^k subsets of them.
pub(super) const MOST_HASHES: u32 = 16;
/// Most draws that a probability is multiplied from.
const MOST_DRAWS: u64 = 1 << 24;

/// Keys under given hash functions.
#[derive(Debug, Clone)]
pub struct KeySet {
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

/// The other keys that meet a key: for each subset of its positions (bit i: position i) how many touch one of the subset.
pub(super) type Touching = Vec<f64>;

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
            keys,
            cells: reached.iter().map(|cells| (*cells, keys / cells)).collect(),
            distinct: f64::from(linear.rank(linear.all())).exp2(),
            reached,
            source: Source::Linear(linear),
        })
    }

    /// Any different keys by their probe positions, `hashes` numbers a key. With `shared` the positions of all functions are
    /// in one array, else each function has positions of its own.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless there are 1 to 16 positions a key and 2 to 2^32 keys; [`TheoryError::TooLarge`]
    /// where the keys have so many neighbours that to count them takes long.
    pub fn listed(positions: &[u32], hashes: u32, shared: bool) -> Result<Self, TheoryError> {
        check_hashes(hashes as usize)?;
        let keys = positions.len() / hashes as usize;
        TheoryError::check_range(NAME, "keys", keys as u64, (2, 1 << 32))?;
        let listed = Listed::new(positions, hashes as usize, shared)?;
        Ok(Self {
            keys: keys as f64,
            cells: listed.cells(),
            reached: listed.reached(),
            distinct: listed.groups() as f64,
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
    /// keys that touch T, averaged over the keys. Exact; the stated error is that of rounding.
    ///
    /// # Errors
    /// [`TheoryError::OutOfDomain`] unless `items` are fewer than the keys.
    pub fn static_rate(&self, items: u64) -> Result<Figure, TheoryError> {
        let others = self.keys - 1.0;
        if items as f64 > others {
            let expected = format!("at most {others}, so that a key is left to ask for");
            return Err(TheoryError::domain(NAME, "items", expected, items));
        }
        check_draws(items)?;
        let mut draws = Draws::from(others);
        let mut rate = Sum::default();
        self.each_class(&mut |share, touching| {
            rate.add(share * alternating(touching, |h| draws.none(h, items as f64)));
        });
        Ok(self.figure(
            rate.value(),
            "sum_T (-1)^|T| C(N-1-h(T), n) / C(N-1, n), h(T) other keys that touch positions T (this project)",
            0.0,
        ))
    }

    /// A rate with the error of rounding, and of its model if it has one.
    pub(super) fn figure(&self, rate: f64, formula: &str, model: f64) -> Figure {
        let terms = f64::from(self.hashes()).exp2();
        let rate = rate.max(0.0);
        let rounding = 1e-12 + terms * 1e-14 / rate.max(f64::MIN_POSITIVE);
        let accuracy = if model > 0.0 || rounding > 1e-3 {
            Accuracy::approximation(model + rounding)
        } else {
            Accuracy::exact(rounding)
        };
        Figure::new(rate, formula, accuracy)
    }

    pub(super) fn hashes(&self) -> u32 {
        match &self.source {
            Source::Linear(linear) => linear.hashes(),
            Source::Listed(listed) => listed.hashes() as u32,
        }
    }

    /// Calls `each` with the share of the keys that have these neighbours, until all keys had their turn.
    pub(super) fn each_class(&self, each: &mut dyn FnMut(f64, &Touching)) {
        match &self.source {
            Source::Linear(linear) => each(1.0, &linear.touching()),
            Source::Listed(listed) => listed.each_class(each),
        }
    }
}

/// `sum_T (-1)^|T| f(h(T))`, over all subsets.
pub(super) fn alternating(touching: &Touching, mut f: impl FnMut(f64) -> f64) -> f64 {
    let mut sum = Sum::default();
    for (subset, h) in touching.iter().enumerate() {
        let term = f(*h);
        sum.add(match subset.count_ones() % 2 {
            0 => term,
            _ => -term,
        });
    }
    sum.value()
}

pub(super) fn check_draws(draws: u64) -> Result<(), TheoryError> {
    if draws > MOST_DRAWS {
        return Err(TheoryError::TooLarge {
            formula: NAME,
            quantity: "keys in the filter",
            got: draws,
            limit: MOST_DRAWS,
            next_step: "ask for a smaller filter",
        });
    }
    Ok(())
}

fn check_hashes(hashes: usize) -> Result<(), TheoryError> {
    TheoryError::check_range(NAME, "hashes", hashes as u64, (1, MOST_HASHES.into()))
}
