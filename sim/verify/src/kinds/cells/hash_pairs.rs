//! Pairs of hash values under double hashing.
//!
//! The k cells of a key follow from two values, `h1` and `h2`, of which there are w^2 pairs, w being the positions of a row. The cells that
//! stand at a level therefore do not give the probability that a fresh key meets nothing but such cells: the number of pairs that do,
//! over w^2, is exact, and the product of the rows' shares deviates from it, in narrow rows by more than the keys of a run do. Copies have
//! values of their own, so their probabilities multiply.

use super::law::Law;
use bloomline_spec::{CellGeometry, Hashing, Layout};
use bloomline_theory::cells::PairsDeviation;

/// Most pairs of cells and steps that are looked at for one filter.
const MOST_WORK: u64 = 1 << 27;
/// Likewise for each of its items: where there are fewer, the deviation is small beside theirs.
const WORK_AN_ITEM: u64 = 64;

/// The number of pairs all of whose cells are met, kept up to date from cell to cell.
#[derive(Debug, Clone)]
pub(super) struct HashPairs {
    range: usize,
    /// Probes of one copy.
    rows: usize,
    layout: Layout,
    /// `f(i)` modulo the range.
    extension: Vec<usize>,
    /// By bank and position.
    met: Vec<Vec<bool>>,
    /// By copy.
    pairs: Vec<u64>,
}

impl HashPairs {
    /// No cell is met. `None` for independent functions, and where so many pairs would take long beside a run of so many items.
    pub fn new(geometry: &CellGeometry, items: u64) -> Option<HashPairs> {
        let probing = geometry.probing();
        let range = geometry.range();
        let work = range.checked_mul(range)?;
        let work = work.checked_mul(geometry.hashes().into())?;
        if geometry.hashing() == Hashing::Independent
            || work > MOST_WORK.min(items.saturating_mul(WORK_AN_ITEM))
        {
            return None;
        }
        let rows = (geometry.hashes() / geometry.copies()) as usize;
        let extension = (0..rows as u64).map(|i| (probing.extension(i) % range) as usize);
        Some(HashPairs {
            range: range as usize,
            rows,
            layout: geometry.layout(),
            extension: extension.collect(),
            met: vec![vec![false; range as usize]; geometry.banks() as usize],
            pairs: vec![0; geometry.copies() as usize],
        })
    }

    /// One more cell is met.
    pub fn meet(&mut self, bank: usize, position: usize) {
        if std::mem::replace(&mut self.met[bank][position], true) {
            return;
        }
        let (copy, probes) = match self.layout {
            Layout::Partitioned => (bank / self.rows, bank % self.rows..bank % self.rows + 1),
            Layout::Shared => (0, 0..self.rows),
        };
        for probe in probes {
            let offset = position + self.range - self.extension[probe];
            let pairs = (0..self.range).filter(|&step| {
                let first = (offset + probe * (self.range - step)) % self.range;
                self.all_met(copy, first, step, (probe, position))
            });
            self.pairs[copy] += pairs.count() as u64;
        }
    }

    /// Every cell that `is_met` is met.
    pub fn meet_all(&mut self, is_met: impl Fn(usize, u32) -> bool) {
        for bank in 0..self.met.len() {
            for position in 0..self.range {
                if is_met(bank, position as u32) {
                    self.meet(bank, position);
                }
            }
        }
    }

    /// Whether all cells of a pair are met, of which probe `at.0` has position `at.1`. In one array a pair is counted at the first probe
    /// with that position.
    fn all_met(&self, copy: usize, first: usize, step: usize, at: (usize, usize)) -> bool {
        let mut sum = first;
        (0..self.rows).all(|probe| {
            let position = self.wrapped(sum + self.extension[probe]);
            sum = self.wrapped(sum + step);
            match self.layout {
                Layout::Partitioned => self.met[copy * self.rows + probe][position],
                Layout::Shared => self.met[0][position] && (probe >= at.0 || position != at.1),
            }
        })
    }

    fn wrapped(&self, sum: usize) -> usize {
        if sum >= self.range {
            sum - self.range
        } else {
            sum
        }
    }

    /// The probability that a fresh key meets nothing but such cells, exact for values that are uniform.
    pub fn probability(&self) -> f64 {
        let all = (self.range * self.range) as f64;
        self.pairs.iter().map(|&pairs| pairs as f64 / all).product()
    }
}

/// The deviation of probabilities that are taken to be products of the rows' shares, while a filter keeps its cells.
///
/// It is the same for all keys that meet the same cells. The cells change as keys are inserted, so the deviations of one filter are taken
/// to go together, as they do at most: their sum is squared.
#[derive(Debug, Clone)]
pub(super) struct ProductDeviation {
    of_copy: PairsDeviation,
    copies: f64,
    sum: f64,
}

impl ProductDeviation {
    /// None where products are exact: under independent functions.
    pub fn new(geometry: &CellGeometry, law: &Law) -> Option<Self> {
        let two_hashes = geometry.hashing() != Hashing::Independent;
        let of_copy = law.one_copy().filter(|_| two_hashes);
        of_copy.map(|of_copy| Self {
            of_copy: PairsDeviation::new(&of_copy),
            copies: geometry.copies().into(),
            sum: 0.0,
        })
    }

    /// One more key with this probability; by how much it adds to the variance of their sum.
    pub fn add(&mut self, probability: f64) -> f64 {
        if probability <= 0.0 {
            return 0.0;
        }
        let of_copy = probability.powf(1.0 / self.copies);
        let relative = self.of_copy.of(of_copy) / of_copy;
        let before = self.sum;
        self.sum += probability * relative * self.copies.sqrt();
        self.sum.powi(2) - before.powi(2)
    }

    /// The cells are others from now on.
    pub fn begin_another(&mut self) {
        self.sum = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_spec::{Design, FilterSpec};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::path::Path;

    fn geometry(filter: &str) -> CellGeometry {
        let text = format!(
            "name = \"tiny\"\n[filter]\nkind = \"count-min\"\n{filter}\nitems = 100\n[filter.count-min]\ncounter_bits = 16\n\
             amount_bits = 4\nthreshold = 50\n[key]\nbits = 64\n",
        );
        let spec = FilterSpec::from_toml(&text, Path::new("tiny.toml")).expect("TOML");
        match spec.design().expect("legal") {
            Design::Cells(geometry) => geometry,
            other => unreachable!("{other:?}"),
        }
    }

    #[test]
    fn pairs_counted_cell_by_cell_are_all_that_there_are() {
        let mut random = ChaCha8Rng::seed_from_u64(28);
        for filter in [
            "memory_bits = 1024\nhashes = 4\nhashing = \"double\"",
            "memory_bits = 4096\nhashes = 4\nhashing = \"double\"\nrange = 61",
            "memory_bits = 3072\nhashes = 6\nhashing = \"double\"\ncopies = 2",
            "memory_bits = 1024\nhashes = 4\nhashing = \"double\"\nlayout = \"shared\"",
            "memory_bits = 1024\nhashes = 4\nhashing = \"extended-double-2\"\nlayout = \"shared\"\nrange = 61",
            "memory_bits = 1024\nhashes = 3\nhashing = \"extended-double-3\"\nlayout = \"shared\"",
        ] {
            let geometry = geometry(&format!("{filter}\naccept_two_hash_floor = true"));
            let (range, hashes) = (geometry.range(), u64::from(geometry.hashes()));
            let (copies, probing) = (u64::from(geometry.copies()), geometry.probing());
            let rows = hashes / copies;
            let mut pairs = HashPairs::new(&geometry, 1_000_000).expect("few pairs");
            let mut met = vec![vec![false; range as usize]; geometry.banks() as usize];
            for _ in 0..met.len() * range as usize {
                let bank = random.random_range(0..met.len());
                let position = random.random_range(0..range as usize);
                met[bank][position] = true;
                pairs.meet(bank, position);
            }
            let mut expected = 1.0;
            for copy in 0..copies {
                let all_met = |first: u64, step: u64| {
                    (0..rows).all(|row| {
                        let position = (first + row * step + probing.extension(row)) % range;
                        let bank = match geometry.layout() {
                            Layout::Partitioned => copy * rows + row,
                            Layout::Shared => 0,
                        };
                        met[bank as usize][position as usize]
                    })
                };
                let found = (0..range * range)
                    .filter(|pair| all_met(pair / range, pair % range))
                    .count();
                expected *= found as f64 / (range * range) as f64;
            }
            let found = pairs.probability();
            assert!(expected > 0.01 && expected < 0.9, "{filter}: {expected}");
            assert!((found - expected).abs() < 1e-12, "{filter}: {found} {expected}");
        }
    }

    #[test]
    fn what_would_take_long_is_not_counted() {
        let wide = geometry("memory_bits = 4194304\nhashes = 4\nhashing = \"double\"");
        let narrow = geometry("memory_bits = 4096\nhashes = 4\nhashing = \"double\"");
        let independent = geometry("memory_bits = 4096\nhashes = 4\nhashing = \"independent\"");
        assert!(HashPairs::new(&wide, 1 << 40).is_none());
        assert!(HashPairs::new(&narrow, 10).is_none() && HashPairs::new(&narrow, 10_000).is_some());
        assert!(HashPairs::new(&independent, 10_000).is_none());
    }
}
