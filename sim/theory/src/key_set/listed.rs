use super::touching::{Neighbours, Term};
use std::collections::BTreeMap;

/// Steps that the keys' terms may take; beyond it a sample of the keys stands for all.
const MOST_STEPS: u64 = 1 << 23;
/// Parts of a sample, from whose means its error is estimated.
const PARTS: u64 = 64;

/// Any keys, by their terms.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    /// Different combinations of positions.
    pub(super) groups: usize,
    /// Positions reached by each function; a single number in one array.
    pub(super) reached: Vec<f64>,
    /// Numbers of positions by the number of keys on them.
    pub(super) cells: Vec<(f64, f64)>,
    /// What the keys have in common, in parts of a sample; a single part has all keys.
    parts: Vec<Vec<Class>>,
    terms: Vec<Term>,
}

/// Keys with the same terms.
#[derive(Debug, Clone, Copy)]
struct Class {
    keys: u64,
    /// The end of their terms, which begin at the end of those before.
    end: usize,
}

impl Listed {
    pub(super) fn new(positions: &[u32], hashes: usize, shared: bool) -> Self {
        let keys = Keys::new(positions, hashes, shared);
        let mut listed = Self {
            groups: keys.until.len(),
            reached: keys.reached.clone(),
            cells: keys.cells(),
            parts: Vec::new(),
            terms: Vec::new(),
        };
        let mut looker = Looker::new(&keys);
        for part in keys.chosen() {
            let classes = part.into_iter().map(|(group, keys)| {
                looker.look(group, &mut listed.terms);
                let end = listed.terms.len();
                Class { keys, end }
            });
            listed.parts.push(classes.collect());
        }
        listed
    }

    /// Calls `each` with the number of keys and the terms of the keys that are looked at, part by part, with the number of the part.
    pub(super) fn each_class(&self, each: &mut dyn FnMut(usize, f64, &[Term])) {
        let mut start = 0;
        for (part, classes) in self.parts.iter().enumerate() {
            for class in classes {
                each(part, class.keys as f64, &self.terms[start..class.end]);
                start = class.end;
            }
        }
    }
}

/// Keys by their cells: a cell is a position of a function, or of the one array.
struct Keys {
    hashes: usize,
    /// How many keys the groups up to each one have, itself among them. A group are the keys that share all positions; groups
    /// are in an order that has nothing to do with the keys', so that a sample at even distances is a random one.
    until: Vec<u64>,
    /// The cells of each group in succession, one a function.
    own: Vec<u32>,
    /// The groups on each cell that is reached, cell by cell, and where each cell's end.
    on: Vec<u32>,
    ends: Vec<usize>,
    reached: Vec<f64>,
}

impl Keys {
    fn new(positions: &[u32], hashes: usize, shared: bool) -> Self {
        let of = |key: u32| &positions[key as usize * hashes..][..hashes];
        let mut sorted: Vec<(u64, u32)> = (0..(positions.len() / hashes) as u32)
            .map(|key| (fingerprint(of(key)), key))
            .collect();
        sorted.sort_unstable_by(|(a, x), (b, y)| a.cmp(b).then_with(|| of(*x).cmp(of(*y))));
        let (mut firsts, mut until) = (Vec::new(), Vec::new());
        for run in sorted.chunk_by(|(a, x), (b, y)| a == b && of(*x) == of(*y)) {
            firsts.push(run[0].1);
            until.push(until.last().unwrap_or(&0) + run.len() as u64);
        }
        let mut keys = Self {
            hashes,
            own: vec![0; firsts.len() * hashes],
            on: Vec::with_capacity(firsts.len() * hashes),
            until,
            ends: Vec::new(),
            reached: Vec::new(),
        };
        // functions whose positions are in one array
        let together = if shared { hashes } else { 1 };
        let mut placed: Vec<(u64, u32)> = Vec::with_capacity(firsts.len() * together);
        for first in (0..hashes).step_by(together) {
            placed.clear();
            for (group, key) in (0_u64..).zip(&firsts) {
                for function in first..first + together {
                    let position = u64::from(of(*key)[function]);
                    placed.push((position << 32 | group, function as u32));
                }
            }
            placed.sort_unstable();
            let before = keys.ends.len();
            for cell in placed.chunk_by(|(a, _), (b, _)| a >> 32 == b >> 32) {
                let start = keys.on.len();
                for (code, function) in cell {
                    let group = *code as u32;
                    keys.own[group as usize * hashes + *function as usize] = keys.ends.len() as u32;
                    // two functions of a key may meet in one array
                    if keys.on[start..].last() != Some(&group) {
                        keys.on.push(group);
                    }
                }
                keys.ends.push(keys.on.len());
            }
            keys.reached.push((keys.ends.len() - before) as f64);
        }
        keys
    }

    /// Keys of a group.
    fn number(&self, group: u32) -> u64 {
        let group = group as usize;
        self.until[group] - group.checked_sub(1).map_or(0, |before| self.until[before])
    }

    fn on_cell(&self, cell: u32) -> &[u32] {
        let cell = cell as usize;
        let start = cell.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.on[start..self.ends[cell]]
    }

    fn cells(&self) -> Vec<(f64, f64)> {
        let mut numbers: BTreeMap<u64, f64> = BTreeMap::new();
        for cell in 0..self.ends.len() as u32 {
            let groups = self.on_cell(cell).iter();
            let keys = groups.map(|group| self.number(*group)).sum();
            *numbers.entry(keys).or_insert(0.0) += 1.0;
        }
        let numbers = numbers.into_iter();
        numbers.map(|(keys, cells)| (cells, keys as f64)).collect()
    }

    /// Groups to look at, each with its keys: all in one part if that takes no more than [`MOST_STEPS`], else those of a random
    /// sample in [`PARTS`] parts.
    fn chosen(&self) -> Vec<Vec<(u32, u64)>> {
        let mut looker = Looker::new(self);
        let mut terms = Vec::new();
        let mut steps = 0;
        for (group, _) in self.sample(PARTS).into_iter().flatten() {
            steps += looker.look(group, &mut terms);
            terms.clear();
        }
        let each = steps / PARTS + 1;
        if each.saturating_mul(self.until.len() as u64) <= MOST_STEPS {
            let groups = 0..self.until.len() as u32;
            return vec![groups.map(|group| (group, self.number(group))).collect()];
        }
        self.sample((MOST_STEPS / each / PARTS).max(1) * PARTS)
    }

    /// The groups of so many keys at even distances, dealt out to [`PARTS`] parts.
    fn sample(&self, size: u64) -> Vec<Vec<(u32, u64)>> {
        let all = self.until.last().copied().unwrap_or(0);
        let mut parts = vec![Vec::new(); PARTS as usize];
        for number in 0..size {
            let key = (u128::from(number) * u128::from(all) / u128::from(size)) as u64;
            let group = self.until.partition_point(|until| *until <= key);
            parts[(number % PARTS) as usize].push((group as u32, 1));
        }
        parts
    }
}

/// Looks at the neighbours of one key after the other.
struct Looker<'a> {
    keys: &'a Keys,
    /// The positions of the present key that each group touches.
    masks: Vec<u16>,
    touching: Vec<u32>,
    neighbours: Neighbours,
}

impl<'a> Looker<'a> {
    fn new(keys: &'a Keys) -> Self {
        Self {
            keys,
            masks: vec![0; keys.until.len()],
            touching: Vec::new(),
            neighbours: Neighbours::default(),
        }
    }

    /// Writes the terms of a key of a group, and gives the number of steps.
    fn look(&mut self, group: u32, terms: &mut Vec<Term>) -> u64 {
        let keys = self.keys;
        let own = &keys.own[group as usize * keys.hashes..][..keys.hashes];
        // a key that is alone on a position is never a false positive: its terms cancel
        if keys.number(group) == 1 && own.iter().any(|cell| keys.on_cell(*cell).len() == 1) {
            return keys.hashes as u64;
        }
        let mut positions = 0;
        for (place, cell) in own.iter().enumerate() {
            if own[..place].contains(cell) {
                continue;
            }
            for group in keys.on_cell(*cell) {
                let mask = &mut self.masks[*group as usize];
                if *mask == 0 {
                    self.touching.push(*group);
                }
                *mask |= 1 << positions;
            }
            positions += 1;
        }
        let looked_at = self.touching.len() as u64;
        self.neighbours.clear(positions);
        for other in self.touching.drain(..) {
            let mask = std::mem::take(&mut self.masks[other as usize]);
            // the key itself is no other
            let number = keys.number(other) - u64::from(other == group);
            self.neighbours.add(mask.into(), number);
        }
        looked_at + self.neighbours.terms(terms)
    }
}

/// A number that mixes all positions of a key.
fn fingerprint(positions: &[u32]) -> u64 {
    positions
        .iter()
        .fold(0x9e37_79b9_7f4a_7c15, |mark: u64, position| {
            let mixed = (mark ^ u64::from(*position)).wrapping_mul(0xd6e8_feb8_6659_fd93);
            mixed ^ mixed >> 32
        })
}
