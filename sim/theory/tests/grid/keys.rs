//! What items do to the cells of a key, scheme by scheme, and the probability that all of them are reached.
//!
//! Keys whose positions are hit alike are a class. The items are independent given the key, so the counts of its cells follow item by
//! item, each as far as it matters.

use bloomline_theory::two_hash::Extension;
use std::collections::{BTreeMap, HashMap};

/// How positions are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// One in each partition, by k functions.
    Partitions,
    /// One in each partition, by two functions.
    DoublePartitions,
    /// k draws from one array.
    Independent,
    /// k different positions of one array.
    Distinct,
    /// `h1 + i h2 + f(i)` in one array.
    TwoHash(Extension),
}

/// f(i) of an extension.
pub fn added(extension: Extension, i: u64) -> u64 {
    match extension {
        Extension::None => 0,
        Extension::Square => i * i,
        Extension::Cube => i * i * i,
    }
}

/// Hits on each position of a key.
type Hits = Vec<u8>;

/// Keys that are alike.
#[derive(Debug)]
pub struct Class {
    /// Share of all keys.
    pub share: f64,
    /// The key's own probes of each of its positions.
    pub own: Vec<u8>,
    /// Throws of an item, each of which hits by this law; no hit is left out.
    throws: u64,
    hits: Vec<(Hits, f64)>,
}

/// The classes of keys in an array, or in partitions, of `range` positions.
pub fn classes(scheme: Scheme, range: u64, hashes: u64) -> Vec<Class> {
    let (m, k) = (range as f64, hashes as usize);
    let one_class = |hits| {
        vec![Class {
            share: 1.0,
            own: vec![1; k],
            throws: 1,
            hits,
        }]
    };
    let subsets = || (1..1u32 << k).map(|set| (0..k).map(|i| (set >> i & 1) as u8).collect());
    match scheme {
        Scheme::Partitions => one_class(
            subsets()
                .map(|hits: Hits| {
                    let each = hits.iter().map(|hit| match hit {
                        1 => 1.0 / m,
                        _ => 1.0 - 1.0 / m,
                    });
                    let share = each.product();
                    (hits, share)
                })
                .collect(),
        ),
        Scheme::DoublePartitions => {
            // by the differences of the hash values of an item from those of the key
            let mut hits: BTreeMap<Hits, f64> = BTreeMap::new();
            for step in 0..range {
                for start in 0..range {
                    let meets = (0..hashes).map(|i| u8::from((start + i * step) % range == 0));
                    let meets: Hits = meets.collect();
                    *hits.entry(meets).or_default() += 1.0 / (m * m);
                }
            }
            hits.remove(&vec![0; k]);
            one_class(hits.into_iter().collect())
        }
        Scheme::Distinct => one_class(
            subsets()
                .map(|hits: Hits| {
                    // the probes one after the other, each on the next position that is hit or on none of the key's
                    let on = hits.iter().map(|hit| u64::from(*hit)).sum::<u64>();
                    let off = hashes - on;
                    let ways: f64 = (0..on)
                        .map(|i| (hashes - i) as f64 / (on - i) as f64)
                        .product();
                    let onto: f64 = (0..on).map(|i| (on - i) as f64 / (m - i as f64)).product();
                    let others: f64 = (0..off)
                        .map(|i| (m - k as f64 - i as f64).max(0.0) / (m - (on + i) as f64))
                        .product();
                    (hits, ways * onto * others)
                })
                .collect(),
        ),
        Scheme::Independent => {
            let mut patterns: BTreeMap<Vec<u8>, f64> = BTreeMap::from([(Vec::new(), 1.0)]);
            for _ in 0..k {
                let mut after: BTreeMap<Vec<u8>, f64> = BTreeMap::new();
                for (pattern, share) in patterns {
                    for at in 0..pattern.len() {
                        let mut again = pattern.clone();
                        again[at] += 1;
                        again.sort_unstable();
                        *after.entry(again).or_default() += share / m;
                    }
                    let clear = (m - pattern.len() as f64) / m;
                    let mut new = pattern;
                    new.insert(0, 1);
                    *after.entry(new).or_default() += share * clear;
                }
                patterns = after;
            }
            let class = |(own, share): (Vec<u8>, f64)| {
                let hit = |at: usize| (0..own.len()).map(|i| u8::from(i == at)).collect();
                let hits = (0..own.len()).map(|at| (hit(at), 1.0 / m)).collect();
                Class {
                    share,
                    own,
                    throws: hashes,
                    hits,
                }
            };
            patterns.into_iter().map(class).collect()
        }
        Scheme::TwoHash(extension) => two_hash(range, hashes, extension),
    }
}

fn two_hash(range: u64, hashes: u64, extension: Extension) -> Vec<Class> {
    let probe = |step: u64, i: u64| (i * step + added(extension, i)) % range;
    type Alike = (Vec<u8>, Vec<(Hits, u64)>);
    let mut alike: BTreeMap<Alike, u64> = BTreeMap::new();
    for step in 0..range {
        let mut own: BTreeMap<u64, u8> = BTreeMap::new();
        for i in 0..hashes {
            *own.entry(probe(step, i)).or_default() += 1;
        }
        let positions: Vec<u64> = own.keys().copied().collect();
        let mut hits: BTreeMap<Hits, u64> = BTreeMap::new();
        for item in 0..range {
            // starts of an item with this step that hit the key at all
            let mut met: BTreeMap<u64, Hits> = BTreeMap::new();
            for (at, position) in positions.iter().enumerate() {
                for i in 0..hashes {
                    let start = (position + range - probe(item, i)) % range;
                    met.entry(start).or_insert_with(|| vec![0; positions.len()])[at] += 1;
                }
            }
            for hit in met.into_values() {
                *hits.entry(hit).or_default() += 1;
            }
        }
        let class = (own.into_values().collect(), hits.into_iter().collect());
        *alike.entry(class).or_default() += 1;
    }
    let m = range as f64;
    alike
        .into_iter()
        .map(|((own, hits), steps)| Class {
            share: steps as f64 / m,
            own,
            throws: 1,
            hits: hits
                .into_iter()
                .map(|(hit, items)| (hit, items as f64 / (m * m)))
                .collect(),
        })
        .collect()
}

impl Class {
    /// The law of the counts of a key's positions, each as far as `need`, after each item; an item adds its amount with every hit.
    fn follow(
        &self,
        need: &[u64],
        amounts: impl Iterator<Item = u64>,
        mut after_each: impl FnMut(&[f64]),
    ) {
        let states = need.iter().map(|need| need + 1).product::<u64>() as usize;
        let missed = 1.0 - self.hits.iter().map(|(_, share)| share).sum::<f64>();
        let mut law = vec![0.0; states];
        law[0] = 1.0;
        after_each(&law);
        let mut tables: HashMap<u64, Vec<Vec<usize>>> = HashMap::new();
        for amount in amounts {
            let table = tables.entry(amount).or_insert_with(|| {
                let of_hit = |(hit, _): &(Hits, f64)| leads_to(need, hit, amount, states);
                self.hits.iter().map(of_hit).collect()
            });
            for _ in 0..self.throws {
                let mut after: Vec<f64> = law.iter().map(|mass| mass * missed).collect();
                for ((_, share), to) in self.hits.iter().zip(table.iter()) {
                    for (mass, to) in law.iter().zip(to) {
                        after[*to] += mass * share;
                    }
                }
                law = after;
            }
            after_each(&law);
        }
    }

    /// Probabilities that the least count of a key's positions is 0, 1, .. `most` or more.
    pub fn least(&self, most: u64, amounts: impl Iterator<Item = u64>) -> Vec<f64> {
        let need = vec![most; self.own.len()];
        let mut last = Vec::new();
        self.follow(&need, amounts, |law| last = law.to_vec());
        let mut least = vec![0.0; most as usize + 1];
        for (state, mass) in last.iter().enumerate() {
            let digits = need.iter().scan(state as u64, |left, need| {
                let digit = *left % (need + 1);
                *left /= need + 1;
                Some(digit)
            });
            let lowest = digits.min().unwrap_or(0);
            least[..=lowest as usize]
                .iter_mut()
                .for_each(|sum| *sum += mass);
        }
        least
    }
}

/// From every state, where a hit leads: counts as digits, none above what is needed.
fn leads_to(need: &[u64], hit: &[u8], amount: u64, states: usize) -> Vec<usize> {
    (0..states)
        .map(|state| {
            let (mut left, mut to, mut weight) = (state as u64, 0, 1);
            for (need, hit) in need.iter().zip(hit) {
                let count = left % (need + 1);
                left /= need + 1;
                to += (count + u64::from(*hit) * amount).min(*need) * weight;
                weight *= need + 1;
            }
            to as usize
        })
        .collect()
}

/// Probabilities that every position of a key has what it needs, after none and after each item; what is needed depends on the key's
/// own probes of the position.
pub fn reached(
    classes: &[Class],
    need: impl Fn(u64) -> u64,
    amounts: impl Iterator<Item = u64> + Clone,
) -> Vec<f64> {
    let mut sums: Vec<f64> = Vec::new();
    for class in classes {
        let need: Vec<u64> = class.own.iter().map(|own| need(u64::from(*own))).collect();
        let mut item = 0;
        class.follow(&need, amounts.clone(), |law| {
            if item == sums.len() {
                sums.push(0.0);
            }
            sums[item] += class.share * law[law.len() - 1];
            item += 1;
        });
    }
    sums
}

/// The law of the least count over all classes, as of [`Class::least`].
pub fn least(classes: &[Class], most: u64, amounts: impl Iterator<Item = u64> + Clone) -> Vec<f64> {
    let mut sums = vec![0.0; most as usize + 1];
    for class in classes {
        let of_class = class.least(most, amounts.clone());
        for (sum, least) in sums.iter_mut().zip(of_class) {
            *sum += class.share * least;
        }
    }
    sums
}
