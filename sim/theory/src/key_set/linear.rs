use super::rank::rank;
use super::set::Touching;

/// Ranks of every set of functions on the free key bits.
#[derive(Debug, Clone)]
pub(super) struct Linear {
    free_bits: u32,
    /// By the set of functions, bit i for function i.
    ranks: Vec<u32>,
}

impl Linear {
    pub(super) fn new(free_bits: u32, functions: &[Vec<u64>]) -> Self {
        let ranks = (0..1_usize << functions.len())
            .map(|set| {
                let chosen =
                    || (0..functions.len()).filter(move |function| set >> function & 1 == 1);
                rank((0..free_bits as usize).map(|bit| {
                    chosen()
                        .map(|function| functions[function][bit])
                        .collect::<Vec<u64>>()
                }))
            })
            .collect();
        Self { free_bits, ranks }
    }

    pub(super) fn hashes(&self) -> u32 {
        self.ranks.len().trailing_zeros()
    }

    /// The set of all functions.
    pub(super) fn all(&self) -> usize {
        self.ranks.len() - 1
    }

    pub(super) fn rank(&self, functions: usize) -> u32 {
        self.ranks[functions]
    }

    /// Other keys that touch a set of positions: those that share the positions of some non-empty set S of functions, by
    /// inclusion and exclusion.
    pub(super) fn touching(&self) -> Touching {
        let mut touching: Touching = (0..self.ranks.len())
            .map(|set| {
                if set == 0 {
                    return 0.0;
                }
                let sharing = f64::from(self.free_bits - self.ranks[set]).exp2() - 1.0;
                match set.count_ones() % 2 {
                    1 => sharing,
                    _ => -sharing,
                }
            })
            .collect();
        // sums over subsets
        let mut bit = 1;
        while bit < touching.len() {
            for set in (0..touching.len()).filter(|set| set & bit != 0) {
                touching[set] += touching[set ^ bit];
            }
            bit <<= 1;
        }
        touching
    }
}
