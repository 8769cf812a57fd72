use super::set::{Touching, NAME};
use crate::error::TheoryError;
use std::collections::{BTreeMap, HashMap};

/// Most pairs of neighbours that are looked at.
const MOST_PAIRS: u64 = 1 << 30;

/// Keys by their cells: a cell is a position of a function, or of the one array.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    hashes: usize,
    shared: bool,
    keys: u64,
    /// The different cells of each group of keys that share all positions, and how many keys those are.
    groups: Vec<(Vec<u32>, u64)>,
    /// The groups on each cell that is reached, and the function of the cell (0 in one array).
    lists: Vec<(usize, Vec<u32>)>,
}

impl Listed {
    pub(super) fn new(positions: &[u32], hashes: usize, shared: bool) -> Result<Self, TheoryError> {
        let mut found: HashMap<&[u32], u64> = HashMap::new();
        let mut keys = 0;
        for key in positions.chunks_exact(hashes) {
            *found.entry(key).or_insert(0) += 1;
            keys += 1;
        }
        let mut sorted: Vec<(&[u32], u64)> = found.into_iter().collect();
        sorted.sort_unstable();
        let mut cells: HashMap<(usize, u32), u32> = HashMap::new();
        let mut lists: Vec<(usize, Vec<u32>)> = Vec::new();
        let mut groups = Vec::with_capacity(sorted.len());
        for (place, (key, number)) in (0u32..).zip(sorted) {
            let mut own: Vec<u32> = Vec::with_capacity(hashes);
            for (function, position) in key.iter().enumerate() {
                let function = if shared { 0 } else { function };
                let cell = *cells.entry((function, *position)).or_insert_with(|| {
                    lists.push((function, Vec::new()));
                    lists.len() as u32 - 1
                });
                if !own.contains(&cell) {
                    own.push(cell);
                    lists[cell as usize].1.push(place);
                }
            }
            groups.push((own, number));
        }
        let pairs: u64 = lists
            .iter()
            .map(|(_, list)| (list.len() as u64).pow(2))
            .sum();
        if pairs > MOST_PAIRS {
            return Err(TheoryError::TooLarge {
                formula: NAME,
                quantity: "pairs of keys that share a position",
                got: pairs,
                limit: MOST_PAIRS,
                next_step: "give fewer keys",
            });
        }
        Ok(Self {
            hashes,
            shared,
            keys,
            groups,
            lists,
        })
    }

    pub(super) fn hashes(&self) -> usize {
        self.hashes
    }

    pub(super) fn groups(&self) -> usize {
        self.groups.len()
    }

    pub(super) fn reached(&self) -> Vec<f64> {
        let mut reached = vec![0.0; if self.shared { 1 } else { self.hashes }];
        for (function, _) in &self.lists {
            reached[*function] += 1.0;
        }
        reached
    }

    /// Numbers of cells by the number of keys on them.
    pub(super) fn cells(&self) -> Vec<(f64, f64)> {
        let mut numbers: BTreeMap<u64, f64> = BTreeMap::new();
        for (_, list) in &self.lists {
            let keys = list
                .iter()
                .map(|group| self.groups[*group as usize].1)
                .sum();
            *numbers.entry(keys).or_insert(0.0) += 1.0;
        }
        numbers
            .into_iter()
            .map(|(keys, cells)| (cells, keys as f64))
            .collect()
    }

    pub(super) fn each_class(&self, each: &mut dyn FnMut(f64, &Touching)) {
        let mut masks = vec![0_u32; self.groups.len()];
        let mut neighbours: Vec<u32> = Vec::new();
        // neighbours alike give the same rate, so each kind is looked at once
        let mut classes: HashMap<Vec<u64>, u64> = HashMap::new();
        for (own, number) in &self.groups {
            for (bit, cell) in own.iter().enumerate() {
                for group in &self.lists[*cell as usize].1 {
                    let mask = &mut masks[*group as usize];
                    if *mask == 0 {
                        neighbours.push(*group);
                    }
                    *mask |= 1 << bit;
                }
            }
            let mut within = vec![0_u64; 1 << own.len()];
            for group in neighbours.drain(..) {
                let mask = std::mem::take(&mut masks[group as usize]) as usize;
                within[mask] += self.groups[group as usize].1;
            }
            // the key itself touches all of its own positions and is no other
            let all = within.len() - 1;
            within[all] -= 1;
            *classes.entry(within).or_insert(0) += number;
            if classes.len() > MOST_CLASSES {
                self.give(&mut classes, each);
            }
        }
        self.give(&mut classes, each);
    }

    fn give(&self, classes: &mut HashMap<Vec<u64>, u64>, each: &mut dyn FnMut(f64, &Touching)) {
        let mut sorted: Vec<(Vec<u64>, u64)> = classes.drain().collect();
        sorted.sort_unstable();
        for (within, number) in sorted {
            each(number as f64 / self.keys as f64, &touching(within));
        }
    }
}

/// Kinds of neighbours that are kept before they are looked at.
const MOST_CLASSES: usize = 1 << 16;

/// From the number of keys that touch exactly a set of positions to the number that touches some of a set.
fn touching(mut within: Vec<u64>) -> Touching {
    let mut bit = 1;
    while bit < within.len() {
        for set in (0..within.len()).filter(|set| set & bit != 0) {
            within[set] += within[set ^ bit];
        }
        bit <<= 1;
    }
    let all = within.len() - 1;
    (0..within.len())
        .map(|set| (within[all] - within[all ^ set]) as f64)
        .collect()
}
