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
        let mut left: Vec<Set> = taps.iter().map(|taps| Set::of(taps)).collect();
        let mut sums = vec![Vec::new(); outputs];
        let mut terms: Vec<usize> = taps.iter().map(Vec::len).collect();
        let mut common: Vec<Vec<usize>> = (0..outputs)
            .map(|j| (0..j).map(|k| left[j].common(&left[k]).count()).collect())
            .collect();
        loop {
            let pairs = (0..outputs).flat_map(|j| (0..j).map(move |k| (j, k)));
            let best = pairs
                .filter_map(|(j, k)| {
                    let common = common[j][k];
                    let most = common.min(TABLE_INPUTS);
                    (2..=most)
                        .rev()
                        .find(|&size| saves(terms[j], size) && saves(terms[k], size))
                        .map(|size| (size, common, j, k))
                })
                // of equal ones the first, so that the text is always the same
                .reduce(|best, next| {
                    if (next.0, next.1) > (best.0, best.1) {
                        next
                    } else {
                        best
                    }
                });
            let Some((size, _, j, k)) = best else { break };
            let sum = left[j].common(&left[k]).lowest(size);
            let summed = Set::of(&sum);
            for output in 0..outputs {
                if !left[output].contains(&summed) || !saves(terms[output], size) {
                    continue;
                }
                left[output].remove(&summed);
                terms[output] -= size - 1;
                sums[output].push(sum.clone());
                for other in 0..outputs {
                    if other != output {
                        let (high, low) = (output.max(other), output.min(other));
                        common[high][low] = left[high].common(&left[low]).count();
                    }
                }
            }
        }
        let rest = left.iter().map(|left| left.lowest(usize::MAX)).collect();
        Self { sums, rest }
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

    fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The `most` lowest of it, or all.
    fn lowest(&self, most: usize) -> Vec<usize> {
        let inputs =
            (0..64 * self.0.len()).filter(|&input| self.0[input / 64] >> (input % 64) & 1 == 1);
        inputs.take(most).collect()
    }
}
