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
    let mut keys: Vec<Vec<usize>> = Vec::new();
    // the keys at each position, once for each time that it is one of theirs
    let mut at: Vec<Vec<u32>> = vec![Vec::new(); all];
    for h1 in 0..range {
        for h2 in 0..range {
            let own = positions(range, h1, h2);
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
            let own: Vec<usize> = own.into_iter().map(|place| place as usize).collect();
            own.iter()
                .for_each(|place| at[*place].push(keys.len() as u32));
            keys.push(own);
        }
    }
    // whose positions all differ
    let plain: Vec<bool> = keys
        .iter()
        .map(|key| (1..k).all(|i| !key[..i].contains(&key[i])))
        .collect();
    let mut masks = vec![0_u16; keys.len()];
    let mut met: Vec<u32> = Vec::new();
    let (mut one, mut more) = (0_u64, 0_u64);
    // single collisions by the key's position
    let mut there = vec![0_u64; k];
    let mut rate = Sum::default();
    let asked = match shape.moves_with_h1 {
        // h1 is the slower of the two
        true => range as usize,
        false => keys.len(),
    };
    for key in &keys[..asked] {
        for (bit, place) in key.iter().enumerate() {
            for other in &at[*place] {
                if masks[*other as usize] == 0 {
                    met.push(*other);
                }
                masks[*other as usize] |= 1 << bit;
            }
        }
        let mut within = vec![0_u64; 1 << k];
        let times = |of: &[usize], place: usize| of.iter().filter(|p| **p == place).count();
        // how often the key has each of its positions, said at the first of them
        let often: Vec<usize> = (0..k)
            .map(|bit| match key[..bit].contains(&key[bit]) {
                true => 0,
                false => times(key, key[bit]),
            })
            .collect();
        let those = |of: &dyn Fn(usize) -> bool| {
            (0..k).fold(0, |set, bit| set | u16::from(of(often[bit])) << bit)
        };
        let (firsts, repeated) = (those(&|times| times > 0), those(&|times| times > 1));
        for other in met.drain(..) {
            let mask = std::mem::take(&mut masks[other as usize]);
            within[usize::from(mask)] += 1;
            // |C| as a multiset: each position as often as it is in both
            let item = &keys[other as usize];
            let mut collisions = (mask & firsts).count_ones() as usize;
            if mask & repeated != 0 && !plain[other as usize] {
                collisions += (0..k)
                    .filter(|bit| mask & repeated & 1 << bit != 0)
                    .map(|bit| often[bit].min(times(item, key[bit])) - 1)
                    .sum::<usize>();
            }
            match collisions {
                1 => {
                    one += 1;
                    there[mask.trailing_zeros() as usize] += 1;
                }
                _ => more += 1,
            }
        }
        rate.add(covered(within, keys.len() as f64, items));
    }
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
