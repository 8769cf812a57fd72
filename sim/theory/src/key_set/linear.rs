use super::rank::rank;
use super::touching::Term;

/// Ranks of every set of functions on the free key bits.
#[derive(Debug, Clone)]
pub(super) struct Linear {
    /// By the set of functions, bit i for function i.
    ranks: Vec<u32>,
    terms: Vec<Term>,
}

impl Linear {
    pub(super) fn new(free_bits: u32, functions: &[Vec<u64>]) -> Self {
        let ranks: Vec<u32> = (0..1_usize << functions.len())
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
        let terms = terms(free_bits, &ranks);
        Self { ranks, terms }
    }

    /// The set of all functions.
    pub(super) fn all(&self) -> usize {
        self.ranks.len() - 1
    }

    pub(super) fn rank(&self, functions: usize) -> u32 {
        self.ranks[functions]
    }

    /// The terms of a key, all keys being alike.
    pub(super) fn terms(&self) -> &[Term] {
        &self.terms
    }
}

/// Other keys touch a set of positions if they share those of some non-empty set S of functions, counted by inclusion and exclusion.
fn terms(free_bits: u32, ranks: &[u32]) -> Vec<Term> {
    // a key that is alone on a position is never a false positive: its terms cancel
    let alone = |function: usize| ranks[1 << function] == free_bits;
    if (0..ranks.len().ilog2() as usize).any(alone) {
        return Vec::new();
    }
    let mut touching: Vec<f64> = (0..ranks.len())
        .map(|set| {
            if set == 0 {
                return 0.0;
            }
            let sharing = f64::from(free_bits - ranks[set]).exp2() - 1.0;
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
    let mut terms: Vec<Term> = touching
        .into_iter()
        .enumerate()
        .map(|(set, h)| (h, if set.count_ones() % 2 == 0 { 1.0 } else { -1.0 }))
        .collect();
    terms.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    terms.dedup_by(|later, first| {
        let same = later.0 == first.0;
        first.1 += if same { later.1 } else { 0.0 };
        same
    });
    terms
}
