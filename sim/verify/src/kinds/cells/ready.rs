//! Cells of two panes that a new key must meet to be reported.

use bloomline_model::CellFilter;
use bloomline_spec::{CellGeometry, Key};

/// The probability that a new key is reported, given the cells of a filter over a window: kept up to date from insertion to insertion.
///
/// A key that has not come is reported at its arrival if the least of its cells in the active pane, A, and in the frozen pane, B, come to
/// L = theta - 1 without it. For a below L, of each bank the cells with a <= A and L - a <= B are counted, and those with a < A of them:
/// the products of their shares over the banks are the probabilities of least cells of at least that, and their difference that of A = a.
pub(super) struct ReadyPanes {
    hashes: usize,
    range: u32,
    levels: usize,
    max: usize,
    /// By bank and level.
    reach: Vec<u64>,
    pass: Vec<u64>,
    /// By bank: cells with A >= L.
    alone: Vec<u64>,
    /// Cells of the item under way, before it: A and B of each bank.
    met: Vec<(usize, usize)>,
}

impl ReadyPanes {
    /// For empty panes.
    pub fn new(geometry: &CellGeometry) -> Self {
        let hashes = geometry.hashes() as usize;
        let levels = geometry.threshold() as usize - 1;
        let reached = if levels == 0 { geometry.range() } else { 0 };
        Self {
            hashes,
            range: geometry.range() as u32,
            levels,
            max: geometry.cell_max() as usize,
            reach: vec![0; hashes * levels],
            pass: vec![0; hashes * levels],
            alone: vec![reached; hashes],
            met: Vec::with_capacity(hashes),
        }
    }

    /// Takes one more cell of A = a and B = b into the counts of a bank.
    fn add(&mut self, bank: usize, a: usize, b: usize) {
        let levels = self.levels;
        let (a, first) = (a.min(levels), levels - b.min(levels));
        let of_bank = bank * levels;
        for level in first..levels.min(a + 1) {
            self.reach[of_bank + level] += 1;
            self.pass[of_bank + level] += u64::from(level < a);
        }
        self.alone[bank] += u64::from(a == levels);
    }

    /// Counts all cells anew.
    pub fn count(&mut self, filter: &CellFilter) {
        self.reach.fill(0);
        self.pass.fill(0);
        self.alone.fill(0);
        for bank in 0..self.hashes {
            for position in 0..self.range {
                let a = filter.cell(bank, position) as usize;
                let b = filter.frozen_cell(bank, position) as usize;
                self.add(bank, a, b);
            }
        }
    }

    /// Looks at the cells of a key that is about to arrive.
    pub fn before(&mut self, filter: &CellFilter, key: &Key) {
        self.met.clear();
        let probes = filter.hasher().probes(key);
        for (bank, &position) in probes.positions().iter().enumerate() {
            let (a, b) = (
                filter.cell(bank, position),
                filter.frozen_cell(bank, position),
            );
            self.met.push((a as usize, b as usize));
        }
    }

    /// Takes its arrival; the probability of its report given the cells before it, if it is `asked` for (else 0).
    pub fn after(&mut self, asked: bool) -> f64 {
        let probability = if asked { self.probability() } else { 0.0 };
        let levels = self.levels;
        for bank in 0..self.hashes {
            let (a, b) = self.met[bank];
            // one higher, unless it stays at its greatest value
            if a >= levels || a == self.max {
                continue;
            }
            let first = levels - b.min(levels);
            let of_bank = bank * levels;
            if a + 1 < levels && a + 1 >= first {
                self.reach[of_bank + a + 1] += 1;
            }
            if a >= first {
                self.pass[of_bank + a] += 1;
            }
            self.alone[bank] += u64::from(a + 1 == levels);
        }
        probability
    }

    fn probability(&self) -> f64 {
        let range = f64::from(self.range);
        let product = |counts: &dyn Fn(usize) -> u64| -> f64 {
            let shares = (0..self.hashes).map(|bank| counts(bank) as f64 / range);
            shares.product()
        };
        let levels = self.levels;
        let exactly = (0..levels).map(|level| {
            product(&|bank| self.reach[bank * levels + level])
                - product(&|bank| self.pass[bank * levels + level])
        });
        exactly.sum::<f64>() + product(&|bank| self.alone[bank])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_spec::{CellOperation, Design, FilterSpec};
    use std::path::Path;

    #[test]
    fn the_counts_kept_from_insertion_to_insertion_give_what_all_cells_give() {
        for threshold in [1, 2, 5] {
            let text = format!(
                "name = \"tiny\"\n[filter]\nkind = \"counting\"\nmemory_bits = {}\nhashes = 3\nrange = 127\n\
                 accept_two_hash_floor = true\n[filter.counting]\ncounter_bits = 3\nthreshold = {threshold}\nwindow = 150\n[key]\nbits = 64\n",
                2 * 3 * 128 * 3
            );
            let spec = FilterSpec::from_toml(&text, Path::new("tiny.toml")).expect("TOML");
            let Design::Cells(geometry) = spec.design().expect("legal") else {
                unreachable!("a filter of cells")
            };
            let mut filter = CellFilter::new(&geometry);
            let mut panes = ReadyPanes::new(&geometry);
            let mut between = 0;
            for insertion in 0..700_u64 {
                let key = Key::from_integer((insertion * insertion % 211).into(), 64);
                let key = key.expect("fits");
                let expected = filter.probability_at_least(threshold - 1);
                panes.before(&filter, &key);
                filter.apply(&key, CellOperation::Insert, 1);
                let found = panes.after(true);
                assert!(
                    (found - expected).abs() < 1e-12,
                    "{insertion}: {found} {expected}"
                );
                between += u32::from(found > 0.01 && found < 0.99);
                if (insertion + 1).is_multiple_of(150) {
                    panes.count(&filter);
                }
            }
            assert!(between > 50 || threshold == 1, "{threshold}: {between}");
        }
    }
}
