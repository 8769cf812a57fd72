//! Sums of inputs that several outputs of a matrix of exclusive ORs have in common.

/// Inputs of the lookup table that sums are made for, those of the smallest in use; a part with larger ones merges several.
pub(super) const TABLE_INPUTS: usize = 4;

/// For each output the inputs that it is the sum of: those that it sums together with other outputs, and the rest. Each input is in one of these once.
///
/// A sum of t terms takes ceil((t - 1) / 3) lookup tables of four inputs. Where outputs share the sum of s of their inputs, each has s - 1 terms fewer, and the shared sum takes one table.
/// A sum is shared only among outputs that each need one table fewer for it, so at least two tables are saved for one. The search is greedy, since the least number of tables is a hard problem:
/// it takes the largest sum that two outputs can share, of equal ones that of the two outputs with the most inputs in common, and repeats.
pub(super) struct PartialSums {
    /// For each output, the sums that it shares.
    pub sums: Vec<Vec<Vec<usize>>>,
    /// For each output, the inputs that are in none of them.
    pub rest: Vec<Vec<usize>>,
}

impl PartialSums {
    /// `taps[j]` are the inputs of output `j`.
    pub fn of(taps: &[Vec<usize>]) -> Self {
        let outputs = taps.len();
        let mut search = Search::of(taps);
        let mut best: Vec<Option<Shared>> = (0..outputs).map(|j| search.best(j)).collect();
        let mut sums = vec![Vec::new(); outputs];
        // of equal ones the first, so that the text is always the same
        while let Some(found) = best.iter().flatten().copied().reduce(Shared::or) {
            let sum = search.left[found.high]
                .common(&search.left[found.low])
                .lowest(found.size);
            let changed = search.share(&sum);
            let mut stale = vec![false; outputs];
            for &output in &changed {
                sums[output].push(sum.clone());
                stale[output] = true;
            }
            for j in 0..outputs {
                best[j] = if stale[j] || best[j].is_some_and(|best| stale[best.low]) {
                    search.best(j)
                } else {
                    let anew = changed.iter().take_while(|&&k| k < j);
                    search.better(j, best[j], anew.copied())
                };
            }
        }
        let left = search.left;
        let rest = left.iter().map(|left| left.lowest(usize::MAX)).collect();
        Self { sums, rest }
    }
}

/// A sum that two outputs can share; the later output is the `high` one.
#[derive(Clone, Copy)]
struct Shared {
    size: usize,
    /// Inputs that the two have in common.
    common: usize,
    high: usize,
    low: usize,
}

impl Shared {
    /// The better of two, of equal ones that of the earlier outputs.
    fn or(self, other: Self) -> Self {
        if other.rank() > self.rank() {
            other
        } else {
            self
        }
    }

    /// Size, inputs in common, and the numbers of the outputs downwards, as one number: this crate is compiled without optimisation.
    const fn rank(&self) -> u64 {
        const LAST: usize = (1 << 20) - 1;
        (self.size as u64) << 60
            | (self.common as u64) << 40
            | ((LAST - self.high) as u64) << 20
            | (LAST - self.low) as u64
    }
}

/// Where the search stands.
struct Search {
    /// For each output, the inputs that are in no shared sum.
    left: Vec<Set>,
    /// For each output, its terms, a shared sum being one.
    terms: Vec<usize>,
    /// For each output, how many of the inputs left it has in common with each earlier one.
    common: Vec<Vec<usize>>,
}

impl Search {
    fn of(taps: &[Vec<usize>]) -> Self {
        let left: Vec<Set> = taps.iter().map(|taps| Set::of(taps)).collect();
        let common = (0..taps.len())
            .map(|j| (0..j).map(|k| left[j].common_count(&left[k])).collect())
            .collect();
        Self {
            left,
            terms: taps.iter().map(Vec::len).collect(),
            common,
        }
    }

    /// The largest sum that two outputs can share.
    fn of_pair(&self, high: usize, low: usize) -> Option<Shared> {
        let common = self.common[high][low];
        let most = common.min(TABLE_INPUTS);
        let mut size = most;
        while size >= 2 && !(saves(self.terms[high], size) && saves(self.terms[low], size)) {
            size -= 1;
        }
        (size >= 2).then_some(Shared {
            size,
            common,
            high,
            low,
        })
    }

    /// The best that an output can share with an earlier one.
    fn best(&self, high: usize) -> Option<Shared> {
        self.better(high, None, 0..high)
    }

    /// The best of what is known and what an output can share with some earlier ones.
    fn better(
        &self,
        high: usize,
        mut best: Option<Shared>,
        lows: impl Iterator<Item = usize>,
    ) -> Option<Shared> {
        for low in lows {
            // a sum has no more inputs than the two have in common
            let least = match best {
                Some(best) => best.size,
                None => 2,
            };
            if self.common[high][low] >= least {
                best = match (best, self.of_pair(high, low)) {
                    (Some(best), Some(found)) => Some(best.or(found)),
                    (known, found) => known.or(found),
                };
            }
        }
        best
    }

    /// Lets every output share a sum that takes a table less for it; which these are.
    fn share(&mut self, sum: &[usize]) -> Vec<usize> {
        let (summed, size) = (Set::of(sum), sum.len());
        let outputs = 0..self.left.len();
        let changed: Vec<usize> = outputs
            .filter(|&j| self.left[j].contains(&summed) && saves(self.terms[j], size))
            .collect();
        // an output that shares the sum has its inputs no longer in common with others
        let lost: Vec<usize> = self
            .left
            .iter()
            .map(|left| left.common_count(&summed))
            .collect();
        let mut done = vec![false; self.left.len()];
        for &j in &changed {
            done[j] = true;
            for (other, lost) in lost.iter().enumerate() {
                if !done[other] {
                    self.common[j.max(other)][j.min(other)] -= lost;
                }
            }
            self.left[j].remove(&summed);
            self.terms[j] -= size - 1;
        }
        changed
    }
}

/// Whether an output of so many terms takes a lookup table less where `size` of them become one.
const fn saves(terms: usize, size: usize) -> bool {
    tables(terms - (size - 1)) < tables(terms)
}

/// Lookup tables of a sum of so many terms.
const fn tables(terms: usize) -> usize {
    terms.saturating_sub(1).div_ceil(TABLE_INPUTS - 1)
}

/// A set of inputs, a bit each.
#[derive(Clone)]
struct Set(Vec<u64>);

impl Set {
    fn of(inputs: &[usize]) -> Self {
        let words = inputs.iter().max().map_or(0, |most| most / 64 + 1);
        let mut bits = vec![0; words];
        for &input in inputs {
            bits[input / 64] |= 1 << (input % 64);
        }
        Self(bits)
    }

    fn common(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    fn contains(&self, other: &Self) -> bool {
        let mut words = other.0.iter().enumerate();
        words.all(|(i, word)| word & !self.0.get(i).copied().unwrap_or(0) == 0)
    }

    fn remove(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
    }

    fn common_count(&self, other: &Self) -> usize {
        let mut count = 0;
        for (a, b) in self.0.iter().zip(&other.0) {
            count += (a & b).count_ones() as usize;
        }
        count
    }

    /// The `most` lowest of it, or all.
    fn lowest(&self, most: usize) -> Vec<usize> {
        let mut inputs = vec![];
        for (at, word) in self.0.iter().enumerate() {
            let mut word = *word;
            while word != 0 && inputs.len() < most {
                inputs.push(64 * at + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
        inputs
    }
}
