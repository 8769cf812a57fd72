//! The general framework of KM Theorem 4.1 as a check of any scheme that makes positions from two hash functions.
//!
//! The theorem asks of the collisions C of a key with an item that, for n large, one of them comes with probability
//! `lambda/n + o(1/n)`, more with `o(1/n)`, and that a single one is at each position of the key alike, up to `o(1)`. Then
//! the rate tends to `(1 - e^(-lambda/k))^k`, that of k independent functions. [`check`] counts all of this exactly over every
//! pair of hash values, at growing sizes with the same items a position: what must vanish can be seen to vanish or not. That
//! is evidence and no proof, as every count of finite sizes.

use crate::accuracy::{Accuracy, Figure};
use crate::error::TheoryError;
use crate::numeric::sum::Sum;
use serde::Serialize;

const NAME: &str = "framework of two hash functions";
/// Most hashes: of any scheme, and of one whose positions move with h1, for which keys with h1 = 0 stand for all.
const MOST_HASHES: (u32, u32) = (5, 10);
/// Smallest ranges at which pairs are counted, for the same two; the others are twice and four times as large.
const LEAST_RANGE: (u64, u64) = (16, 32);
/// What must vanish is to fall at least by this factor when the size is doubled, or to be small already.
const FALLS: f64 = 0.75;
/// Small already: rounding.
const SMALL: f64 = 1e-9;

/// The conditions at one size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Conditions {
    /// Values of each hash function.
    pub range: u64,
    /// Items n.
    pub items: f64,
    /// `n Pr(|C| = 1)`, which is to tend to lambda (condition 3).
    pub one: f64,
    /// `n Pr(|C| > 1)`, which is to vanish (condition 3).
    pub more: f64,
    /// Greatest difference from 1/k of the probability that a single collision is at the i-th position of the key, over i; it is to
    /// vanish (condition 4, with positions named by their place in the key as in the paper's proof).
    pub uneven: f64,
    /// Rate of a filter of n items, exactly (n between whole numbers by the law itself).
    pub rate: f64,
}

/// What was found of a scheme.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Framework {
    /// `k^2 / c`, c positions an item.
    pub lambda: f64,
    /// `(1 - e^(-lambda/k))^k`, the rate for n large if the conditions hold.
    pub limit: Figure,
    /// From the smallest size to the greatest.
    pub sizes: Vec<Conditions>,
    /// Condition 3: one collision tends to lambda/n, and more than one vanish.
    pub collisions_hold: bool,
    /// Condition 4: a single collision is at each position alike.
    pub evenness_holds: bool,
}

impl Framework {
    /// Whether every condition is on its way.
    pub fn holds(&self) -> bool {
        self.collisions_hold && self.evenness_holds
    }
}

/// Checks a scheme: `positions(range, h1, h2)` gives the k positions of an item whose hash values are below `range`, out of
/// `range * arrays` positions in all, and `positions_an_item` is the filter's size for each of its items, c.
///
/// Source: KM Theorem 4.1. Exact counts over all pairs of hash values, with three ranges from 16 (32 for [`check_extension`]) or the power of two from k^2
/// on, each twice the one before. Conditions 1 and 2 (items alike and independent, k positions each) hold by the form of a
/// scheme. Conditions that must vanish are said to hold if they fall by a quarter or more from each size to the next.
///
/// # Errors
/// [`TheoryError::OutOfDomain`] unless k and the arrays are 1 to 5, all positions are within the arrays and c is 1/4 to 1e6.
pub fn check(
    hashes: u32,
    arrays: u64,
    positions_an_item: f64,
    positions: impl Fn(u64, u64, u64) -> Vec<u64>,
) -> Result<Framework, TheoryError> {
    let most = MOST_HASHES.0.into();
    TheoryError::check_range(NAME, "hashes", hashes.into(), (1, most))?;
    TheoryError::check_range(NAME, "arrays", arrays, (1, most))?;
    checked(hashes, arrays, positions_an_item, false, &positions)
}

fn checked(
    hashes: u32,
    arrays: u64,
    positions_an_item: f64,
    moves_with_h1: bool,
    positions: &impl Fn(u64, u64, u64) -> Vec<u64>,
) -> Result<Framework, TheoryError> {
    if !(0.25..=1e6).contains(&positions_an_item) {
        let expected = "0.25 to 1e6";
        return Err(TheoryError::domain(
            NAME,
            "positions an item",
            expected,
            positions_an_item,
        ));
    }
    let least = u64::from(hashes)
        .pow(2)
        .next_power_of_two()
        .max(if moves_with_h1 {
            LEAST_RANGE.1
        } else {
            LEAST_RANGE.0
        });
    let mut sizes = Vec::new();
    for range in [least, 2 * least, 4 * least] {
        let items = (range * arrays) as f64 / positions_an_item;
        let shape = Shape {
            hashes: hashes as usize,
            all: (range * arrays) as usize,
            moves_with_h1,
        };
        sizes.push(conditions(shape, range, items, positions)?);
    }
    let k = f64::from(hashes);
    let lambda = k * k / positions_an_item;
    let vanishes = |of: &dyn Fn(&Conditions) -> f64| {
        sizes.windows(2).all(|pair| {
            let (before, after) = (of(&pair[0]), of(&pair[1]));
            after <= SMALL || after <= FALLS * before
        })
    };
    let collisions_hold =
        vanishes(&|it| it.more) && vanishes(&|it| (it.one - lambda).abs() / lambda);
    let evenness_holds = vanishes(&|it| it.uneven);
    let limit = (-(-lambda / k).exp_m1()).powf(k);
    let off = sizes
        .last()
        .map_or(1.0, |size| (size.rate / limit - 1.0).abs());
    Ok(Framework {
        lambda,
        limit: Figure::new(
            limit,
            "KM Theorem 4.1: (1-e^(-lambda/k))^k for n large",
            Accuracy::approximation(off),
        ),
        collisions_hold,
        evenness_holds,
        sizes,
    })
}

/// What a scheme looks like at one size.
#[derive(Debug, Clone, Copy)]
struct Shape {
    hashes: usize,
    /// Positions in all.
    all: usize,
    /// Adding to h1 adds the same to every position.
    moves_with_h1: bool,
}

/// A scheme on one array, `h1 + i h2 + f(i) mod m` (KM 5.2), for any f.
///
/// # Errors
/// As [`check`], with 1 to 10 hashes.
pub fn check_extension(f: &[u64], positions_an_item: f64) -> Result<Framework, TheoryError> {
    let hashes = f.len().try_into().unwrap_or(u32::MAX);
    TheoryError::check_range(NAME, "hashes", hashes.into(), (1, MOST_HASHES.1.into()))?;
    checked(hashes, 1, positions_an_item, true, &|m, h1, h2| {
        let places = (0..).zip(f);
        places.map(|(i, f)| (h1 + i * h2 + f % m) % m).collect()
    })
}

fn conditions(
    shape: Shape,
    range: u64,
    items: f64,
    positions: &impl Fn(u64, u64, u64) -> Vec<u64>,
) -> Result<Conditions, TheoryError> {
    let Shape { hashes: k, all, .. } = shape;
    let values = range as usize;
    // of the keys with h2 = 0, then with 1 and so on: those of one h2 are looked at together, as many as the cache holds
    let mut positions_of = vec![0_usize; values * values * k];
    for h1 in 0..values {
        for h2 in 0..values {
            let own = positions(range, h1 as u64, h2 as u64);
            let wrong = own.iter().find(|place| **place >= all as u64);
            if own.len() != k || wrong.is_some() {
                let expected = format!("{k} of them, below {all}");
                return Err(TheoryError::domain(
                    NAME,
                    "positions",
                    expected,
                    format!("{own:?}"),
                ));
            }
            let to = &mut positions_of[(h2 * values + h1) * k..][..k];
            to.iter_mut()
                .zip(own)
                .for_each(|(to, place)| *to = place as usize);
        }
    }
    let keys: Vec<&[usize]> = positions_of.chunks_exact(k).collect();
    // whose positions all differ
    let plain: Vec<bool> = keys
        .iter()
        .map(|key| (1..k).all(|i| !key[..i].contains(&key[i])))
        .collect();
    let asked = match shape.moves_with_h1 {
        true => values,
        false => keys.len(),
    };
    let own: Vec<Own> = (0..asked)
        .map(|asked| Own::new(keys[asked % values * values + asked / values]))
        .collect();
    let mut masks = vec![0_u16; values];
    let mut met: Vec<u32> = Vec::new();
    // by the positions that are met, as bits
    let mut within = vec![0_u64; asked << k];
    // single collisions by the key's position; first those that are none, as the position is in both more than once
    let mut there = vec![0_u64; k];
    let mut repeated = vec![0_u64; k];
    for (others, plain) in keys.chunks(values).zip(plain.chunks(values)) {
        let at = At::new(others, all);
        for (own, within) in own.iter().zip(within.chunks_exact_mut(1 << k)) {
            for (bit, place) in own.key.iter().enumerate() {
                for other in at.keys(*place) {
                    if masks[*other as usize] == 0 {
                        met.push(*other);
                    }
                    masks[*other as usize] |= 1 << bit;
                }
            }
            for other in met.drain(..) {
                let mask = std::mem::take(&mut masks[other as usize]);
                within[usize::from(mask)] += 1;
                if mask & own.repeated != 0 && !plain[other as usize] {
                    if let Some(bit) = own.single(mask) {
                        let item = others[other as usize];
                        repeated[bit] += u64::from(times(item, own.key[bit]) > 1);
                    }
                }
            }
        }
    }
    let mut more = repeated.iter().sum::<u64>();
    let mut rate = Sum::default();
    for (own, within) in own.iter().zip(within.chunks_exact(1 << k)) {
        for (mask, items) in (0..).zip(within).skip(1) {
            match own.single(mask) {
                Some(bit) => there[bit] += items,
                None => more += items,
            }
        }
        rate.add(covered(within.to_vec(), keys.len() as f64, items));
    }
    there
        .iter_mut()
        .zip(&repeated)
        .for_each(|(there, repeated)| *there -= repeated);
    let one = there.iter().sum::<u64>();
    let pairs = keys.len() as f64 * asked as f64;
    let uneven = there
        .iter()
        .map(|there| (*there as f64 / one.max(1) as f64 - 1.0 / k as f64).abs());
    Ok(Conditions {
        range,
        items,
        one: items * one as f64 / pairs,
        more: items * more as f64 / pairs,
        uneven: uneven.fold(0.0, f64::max),
        rate: rate.value() / asked as f64,
    })
}

/// A key that is asked for.
struct Own<'a> {
    key: &'a [usize],
    /// The first of each position, as bits.
    firsts: u16,
    /// Of those the positions that it has more than once.
    repeated: u16,
}

impl<'a> Own<'a> {
    fn new(key: &'a [usize]) -> Self {
        let those = |of: &dyn Fn(usize) -> bool| {
            (0..key.len()).fold(0, |set, bit| set | u16::from(of(bit)) << bit)
        };
        let first = |bit: usize| !key[..bit].contains(&key[bit]);
        Self {
            key,
            firsts: those(&first),
            repeated: those(&|bit| first(bit) && times(key, key[bit]) > 1),
        }
    }

    /// The only position among those that are met, by its place in the key.
    fn single(&self, met: u16) -> Option<usize> {
        let met = met & self.firsts;
        met.is_power_of_two().then(|| met.trailing_zeros() as usize)
    }
}

fn times(of: &[usize], place: usize) -> usize {
    of.iter().filter(|p| **p == place).count()
}

/// The keys of one h2 at each position, once for each time that it is one of theirs.
struct At {
    keys: Vec<u32>,
    /// Where those of each position begin.
    first: Vec<u32>,
}

impl At {
    fn new(keys: &[&[usize]], positions: usize) -> Self {
        // the end of each position's keys, then their beginning as they are put there from behind
        let mut first = vec![0; positions + 1];
        let places = || {
            (0..)
                .zip(keys)
                .flat_map(|(number, key)| key.iter().map(move |at| (*at, number)))
        };
        places().for_each(|(place, _)| first[place] += 1);
        let mut end = 0;
        for place in &mut first {
            end += *place;
            *place = end;
        }
        let mut at = vec![0; end as usize];
        for (place, number) in places() {
            first[place] -= 1;
            at[first[place] as usize] = number;
        }
        Self { keys: at, first }
    }

    fn keys(&self, position: usize) -> &[u32] {
        &self.keys[self.first[position] as usize..self.first[position + 1] as usize]
    }
}

/// The probability that n items cover every position of a key, from the number of items that meet exactly a set of them.
fn covered(mut within: Vec<u64>, all: f64, items: f64) -> f64 {
    let mut bit = 1;
    while bit < within.len() {
        for set in (0..within.len()).filter(|set| set & bit != 0) {
            within[set] += within[set ^ bit];
        }
        bit <<= 1;
    }
    let last = within.len() - 1;
    let mut sum = Sum::default();
    for set in 0..within.len() {
        let touching = (within[last] - within[last ^ set]) as f64;
        let missed = (items * (-touching / all).ln_1p()).exp();
        sum.add(if set.count_ones() % 2 == 0 {
            missed
        } else {
            -missed
        });
    }
    sum.value()
}
