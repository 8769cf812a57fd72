//! Coincidences of an item's k positions `h1 + i h2 + f(i) mod m` with those of a key, in one array of any size.
//!
//! Only the strides h2 of an item with `(i-j) h2 = (Q_s - Q_t) - (f(i) - f(j)) mod m` for some probes i, j and positions Q_s, Q_t of
//! the key put two probes on the key; each has a few solutions, and each solution is looked at one by one. Keys come in classes
//! that are alike:
//!
//! * double hashing: the strides e of the key with the same `gcd(e, m)`, for a unit of Z_m times e turns the items around and
//!   leaves their number as it is. The classes are exact.
//! * extended: every stride for which the key's own positions coincide, by itself and exactly; and all others with the same
//!   remainder for the few divisors of m that are below k, which decide what is soluble. Of these a stride is taken in
//!   `Z_(m P)`, P a large prime: the same divisors below k, and no coincidence by chance. Leaving those out is an approximation.

use super::extension::Extension;
use crate::numeric::primes::{divisors, gcd};
use itertools::Itertools;
use std::collections::{BTreeMap, BTreeSet};

/// P, for m below 2^31 and for larger ones: Mersenne primes.
const LARGE_PRIMES: [u64; 2] = [(1 << 31) - 1, (1 << 19) - 1];
/// A number like any other, from which general strides are made.
const GENERAL: u64 = 0x0234_5678_9abc_def1;

/// An item puts two probes or more on a key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Meeting {
    /// Probes on each distinct position of the key.
    pub(crate) hits: Vec<u8>,
    /// How many of the m^2 items do just this.
    pub(crate) items: u64,
}

/// Keys that are alike.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Class {
    /// Share of the keys.
    pub(crate) weight: f64,
    /// Of the key's own probes, how many fall on each of its distinct positions.
    pub(crate) own: Vec<u8>,
    /// Every way to meet it with two probes or more.
    pub(crate) meetings: Vec<Meeting>,
}

/// A ring of positions and the scheme.
#[derive(Debug, Clone, Copy)]
struct Scheme {
    modulus: u64,
    hashes: u64,
    extension: Extension,
}

/// The classes of keys of an array of `range` (m) cells, by falling weight.
pub(crate) fn classes(range: u64, hashes: u32, extension: Extension) -> Vec<Class> {
    let scheme = Scheme::new(range, hashes, extension);
    let m = range as f64;
    let mut found: BTreeMap<(Vec<u8>, Vec<Meeting>), f64> = BTreeMap::new();
    let mut add = |scheme: Scheme, stride: u64, weight: f64| {
        let (own, meetings) = scheme.class_of(stride);
        *found.entry((own, meetings)).or_default() += weight;
    };
    if extension == Extension::None {
        for (divisor, totient) in divisors(range) {
            add(scheme, range / divisor % range, totient as f64 / m);
        }
    } else {
        let own = scheme.strides(&[0]);
        for stride in &own {
            add(scheme, *stride, 1.0 / m);
        }
        let orders = (1..hashes.into()).map(|d| gcd(d, range));
        let residues = orders.fold(1, |all, d| all / gcd(all, d) * d);
        let prime = LARGE_PRIMES[usize::from(range >= 1 << 31)];
        let general = Scheme {
            modulus: range * prime,
            ..scheme
        };
        for residue in 0..residues {
            let special = own.iter().filter(|e| **e % residues == residue).count();
            let stride = GENERAL % general.modulus / residues * residues + residue;
            let weight = 1.0 / residues as f64 - special as f64 / m;
            if weight > 0.0 {
                add(general, stride % general.modulus, weight);
            }
        }
    }
    let mut classes: Vec<Class> = found
        .into_iter()
        .map(|((own, meetings), weight)| Class {
            weight,
            own,
            meetings,
        })
        .collect();
    classes.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    classes
}

/// What two keys of so many cells each, added up, `shared` of them cells of both, have in common beside what each cell by itself does.
pub(crate) fn covariance_of_meeting(cells: u32, shared: u32, reached: f64) -> f64 {
    let all = |cells: u32| reached.powi(cells as i32);
    let apart = all(cells);
    all(cells - shared) - apart - f64::from(shared) * (all(cells - 1) - apart)
}

/// Cells of a key of `own` cells and of an item, added up, and those of both, where the item's probes hit the key's cells so often:
/// its other probes count as cells of their own.
pub(crate) fn cells_of_meeting(
    own: usize,
    hashes: u32,
    hits: impl Iterator<Item = u8>,
) -> (u32, u32) {
    let (mut cells, mut shared) = (own as u32 + hashes, 0);
    for hits in hits.filter(|hits| *hits > 0) {
        cells -= u32::from(hits) - 1;
        shared += 1;
    }
    (cells, shared)
}

/// Every way in which an item puts two probes or more on one given cell. Exact.
pub(crate) fn cell_meetings(range: u64, hashes: u32, extension: Extension) -> Vec<Meeting> {
    Scheme::new(range, hashes, extension).meetings(&[0])
}

/// Mean number of distinct positions of an item. Exact.
pub(crate) fn mean_distinct(range: u64, hashes: u32, extension: Extension) -> f64 {
    let coincident = coincident_strides(range, hashes, extension);
    let lost: u64 = coincident
        .iter()
        .enumerate()
        .map(|(distinct, strides)| (u64::from(hashes) - distinct as u64) * strides)
        .sum();
    f64::from(hashes) - lost as f64 / range as f64
}

/// How many of the m strides put an item on so many distinct positions, for 0 to k - 1 of them: only strides with
/// `(i-j) stride = f(j) - f(i) mod m` for some i and j make two positions coincide. Exact.
pub(super) fn coincident_strides(range: u64, hashes: u32, extension: Extension) -> Vec<u64> {
    let scheme = Scheme::new(range, hashes, extension);
    let mut counted = vec![0; hashes as usize];
    for stride in scheme.strides(&[0]) {
        let probes = 0..scheme.hashes;
        let distinct: BTreeSet<u64> = probes.map(|i| scheme.probe(stride, i)).collect();
        counted[distinct.len()] += 1;
    }
    counted
}

impl Scheme {
    fn new(modulus: u64, hashes: u32, extension: Extension) -> Scheme {
        Scheme {
            modulus,
            hashes: hashes.into(),
            extension,
        }
    }

    fn class_of(self, stride: u64) -> (Vec<u8>, Vec<Meeting>) {
        let mut own: BTreeMap<u64, u8> = BTreeMap::new();
        for i in 0..self.hashes {
            *own.entry(self.probe(stride, i)).or_default() += 1;
        }
        let positions: Vec<u64> = own.keys().copied().collect();
        let meetings = self.meetings(&positions);
        (own.into_values().collect(), meetings)
    }

    /// Position of probe i of an item of start 0.
    fn probe(self, stride: u64, i: u64) -> u64 {
        let (product, modulus) = (u128::from(stride) * u128::from(i), u128::from(self.modulus));
        ((product + u128::from(self.extension.at(i))) % modulus) as u64
    }

    fn subtract(self, a: u64, b: u64) -> u64 {
        (a + (self.modulus - b % self.modulus)) % self.modulus
    }

    /// The position of a number below twice the modulus.
    fn reduced(self, number: u64) -> u64 {
        match number >= self.modulus {
            true => number - self.modulus,
            false => number,
        }
    }

    /// The strides of items with two probes on these positions.
    fn strides(self, positions: &[u64]) -> BTreeSet<u64> {
        self.pairs(positions).map(|(stride, ..)| stride).collect()
    }

    /// Stride of every item two probes of which stand on these positions, the number of one of them, and where it stands.
    fn pairs(self, positions: &[u64]) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let probes = (0..self.hashes).flat_map(|i| (0..i).map(move |j| (i, j)));
        let of_positions = move |(i, j)| {
            let rise = self.extension.at(i) - self.extension.at(j);
            let of_two = move |(from, to): (&u64, &u64)| {
                let from = *from;
                let distance = self.subtract(self.subtract(from, *to), rise);
                let strides = self.solutions(i - j, distance);
                strides.map(move |stride| (stride, i, from))
            };
            positions
                .iter()
                .cartesian_product(positions)
                .flat_map(of_two)
        };
        probes.flat_map(of_positions)
    }

    /// Every d with `factor d = right`.
    fn solutions(self, factor: u64, right: u64) -> impl Iterator<Item = u64> {
        let common = gcd(factor, self.modulus);
        let reduced = self.modulus / common;
        let first = right.is_multiple_of(common).then(|| {
            let product =
                u128::from(right / common) * u128::from(inverse(factor / common, reduced));
            (product % u128::from(reduced)) as u64
        });
        first
            .into_iter()
            .flat_map(move |first| (0..common).map(move |t| first + t * reduced))
    }

    fn meetings(self, positions: &[u64]) -> Vec<Meeting> {
        // stride and start of every item of which two probes fall on two positions
        let mut items: Vec<(u64, u64)> = self
            .pairs(positions)
            .map(|(stride, i, from)| (stride, self.subtract(from, self.probe(stride, i))))
            .collect();
        items.sort_unstable();
        items.dedup();
        let hits_of = |(stride, start): (u64, u64)| {
            let mut hits = vec![0; positions.len()];
            let mut at = start;
            for i in 0..self.hashes {
                // both are below 2^63
                let probe = at + self.extension.at(i) % self.modulus;
                if let Ok(s) = positions.binary_search(&self.reduced(probe)) {
                    hits[s] += 1;
                }
                at = self.reduced(at + stride);
            }
            hits
        };
        let mut hits: Vec<Vec<u8>> = items.into_iter().map(hits_of).collect();
        hits.sort_unstable();
        hits.chunk_by(|a, b| a == b)
            .map(|alike| Meeting {
                hits: alike[0].clone(),
                items: alike.len() as u64,
            })
            .collect()
    }
}

/// The inverse of a unit, by Euclid's algorithm; 0 modulo 1.
fn inverse(value: u64, modulus: u64) -> u64 {
    let (mut r, mut next_r) = (i128::from(modulus), i128::from(value));
    let (mut t, mut next_t) = (0i128, 1i128);
    while next_r != 0 {
        let quotient = r / next_r;
        (r, next_r) = (next_r, r - quotient * next_r);
        (t, next_t) = (next_t, t - quotient * next_t);
    }
    t.rem_euclid(i128::from(modulus)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENSIONS: [Extension; 3] = [Extension::None, Extension::Square, Extension::Cube];

    #[test]
    fn classes_hold_every_key_once() {
        for extension in EXTENSIONS {
            for (range, hashes) in [(101, 4), (128, 5), (60, 5), (1 << 17, 4), (1 << 39, 3)] {
                let classes = classes(range, hashes, extension);
                let sum: f64 = classes.iter().map(|class| class.weight).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{extension:?} {range} {hashes}");
                let probes = |class: &Class| class.own.iter().map(|p| u32::from(*p)).sum::<u32>();
                assert!(classes.iter().all(|class| probes(class) == hashes));
                assert!(classes[0].own.iter().all(|probes| *probes == 1));
            }
        }
    }

    #[test]
    fn meetings_of_double_hashing_are_those_counted_one_by_one() {
        for (range, hashes) in [(53u64, 4u64), (64, 4), (60, 3), (72, 5)] {
            let mut counted: BTreeMap<(Vec<u8>, Vec<Meeting>), f64> = BTreeMap::new();
            for key in 0..range {
                let mut own: BTreeMap<u64, u8> = BTreeMap::new();
                (0..hashes).for_each(|i| *own.entry(i * key % range).or_default() += 1);
                let positions: Vec<u64> = own.keys().copied().collect();
                let mut hits: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
                for start in 0..range {
                    for stride in 0..range {
                        let mut met = vec![0; positions.len()];
                        for i in 0..hashes {
                            let probe = (start + i * stride) % range;
                            if let Ok(s) = positions.binary_search(&probe) {
                                met[s] += 1;
                            }
                        }
                        if met.iter().sum::<u8>() > 1 {
                            *hits.entry(met).or_default() += 1;
                        }
                    }
                }
                let meetings = hits
                    .into_iter()
                    .map(|(hits, items)| Meeting { hits, items });
                let class = (own.into_values().collect(), meetings.collect());
                *counted.entry(class).or_default() += 1.0 / range as f64;
            }
            // a unit times a key turns its positions around: the same number of items for every total of hits
            let totals = |weight: f64, own: &[u8], meetings: &[Meeting]| {
                let mut by_hits: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
                for meeting in meetings {
                    let mut hits = meeting.hits.clone();
                    hits.sort_unstable();
                    *by_hits.entry(hits).or_default() += meeting.items;
                }
                (own.to_vec(), by_hits, weight)
            };
            let mut expected: BTreeMap<_, f64> = BTreeMap::new();
            for ((own, meetings), weight) in &counted {
                let (own, hits, weight) = totals(*weight, own, meetings);
                *expected.entry((own.len(), hits)).or_default() += weight;
            }
            let mut stated: BTreeMap<_, f64> = BTreeMap::new();
            for class in classes(range, hashes as u32, Extension::None) {
                let (own, hits, weight) = totals(class.weight, &class.own, &class.meetings);
                *stated.entry((own.len(), hits)).or_default() += weight;
            }
            assert_eq!(
                expected.keys().collect::<Vec<_>>(),
                stated.keys().collect::<Vec<_>>()
            );
            for (class, weight) in &expected {
                assert!((weight - stated[class]).abs() < 1e-12, "{range} {hashes}");
            }
        }
    }
}
