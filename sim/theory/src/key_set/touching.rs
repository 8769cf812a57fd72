//! How many keys touch positions of a key, over all sets of them.

/// Subsets T of a key's positions by the number h(T) of other keys that touch T: h, and the sum of `(-1)^|T|` over those sets.
pub(super) type Term = (f64, f64);

/// Other keys above which subsets are listed one by one, and not by number of keys.
const MOST_BY_NUMBER: u64 = 1 << 12;

/// The other keys that meet a key, by the set of its positions (bit i: position i) that they touch.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    /// Those that touch one position alone.
    single: Vec<u64>,
    /// Those that touch several, but not all.
    several: Vec<(u32, u64)>,
    /// Those that touch all.
    all: u64,
    /// The polynomial that [`Self::terms`] makes.
    product: Vec<f64>,
}

impl Neighbours {
    /// Of a key with so many positions.
    pub(super) fn clear(&mut self, positions: usize) {
        self.single.clear();
        self.single.resize(positions, 0);
        self.several.clear();
        self.all = 0;
    }

    pub(super) fn add(&mut self, mask: u32, keys: u64) {
        if mask.count_ones() as usize == self.single.len() {
            self.all += keys;
        } else if mask.is_power_of_two() {
            self.single[mask.trailing_zeros() as usize] += keys;
        } else {
            self.several.push((mask, keys));
        }
    }

    /// Adds the terms, and gives the number of steps they took.
    ///
    /// Where no key touches positions of two parts of a key, h adds up over the parts and the sums of signs multiply: the terms
    /// are the coefficients of a product of polynomials, one for each part that neighbours join.
    pub(super) fn terms(&mut self, terms: &mut Vec<Term>) -> u64 {
        let start = terms.len();
        // the empty set is touched by none, every other one by those that touch all
        terms.push((0.0, 1.0));
        let all = (1_u32 << self.single.len()) - 1;
        let several: u64 = self.several.iter().map(|it| it.1).sum();
        if self.single.iter().sum::<u64>() + several > MOST_BY_NUMBER {
            let sets = self.of_sets(all).skip(1);
            terms.extend(sets.map(|(h, sign)| ((h + self.all) as f64, sign)));
            return self.single.len() as u64 * (terms.len() - start) as u64;
        }
        let mut steps = 0;
        let mut product = std::mem::take(&mut self.product);
        product.clear();
        product.push(1.0);
        for part in self.parts() {
            let before = product.len();
            if part.is_power_of_two() {
                // 1 - x^h, from the highest coefficient on, each of which is asked for before it is changed
                let h = self.single[part.trailing_zeros() as usize] as usize;
                if h == 0 {
                    // nobody touches this position, so the sets with it and without it cancel
                    product.clear();
                    product.push(0.0);
                    break;
                }
                product.resize(before + h, 0.0);
                (0..before)
                    .rev()
                    .for_each(|place| product[place + h] -= product[place]);
            } else {
                let old = std::mem::take(&mut product);
                for (h, sign) in self.of_sets(part) {
                    let h = h as usize;
                    product.resize(product.len().max(before + h), 0.0);
                    product[h..]
                        .iter_mut()
                        .zip(&old)
                        .for_each(|(sum, term)| *sum += sign * term);
                    steps += before as u64;
                }
            }
            steps += before as u64;
        }
        product[0] -= 1.0;
        let others = (0_u64..).zip(&product);
        let others = others.filter(|(_, sign)| **sign != 0.0);
        terms.extend(others.map(|(h, sign)| ((h + self.all) as f64, *sign)));
        self.product = product;
        steps + (terms.len() - start) as u64
    }

    /// The positions in parts that neighbours join.
    fn parts(&self) -> Vec<u32> {
        let mut parts: Vec<u32> = (0..self.single.len()).map(|bit| 1 << bit).collect();
        for (mask, _) in &self.several {
            let joined = parts.iter().filter(|part| *part & mask != 0).sum();
            parts.retain(|part| part & mask == 0);
            parts.push(joined);
        }
        parts
    }

    /// For every set of positions of a part, the empty one first: the keys that touch it, without those that touch all positions
    /// of the key, and its sign.
    fn of_sets(&self, part: u32) -> impl Iterator<Item = (u64, f64)> {
        // sets within the part: bit i is its position i
        let places: Vec<u32> = (0..32).filter(|bit| part >> bit & 1 == 1).collect();
        let mut within = vec![0_u64; 1 << places.len()];
        for (place, bit) in places.iter().enumerate() {
            within[1 << place] = self.single[*bit as usize];
        }
        for (mask, keys) in self.several.iter().filter(|(mask, _)| mask & part != 0) {
            let set = places.iter().enumerate();
            let set = set.map(|(place, bit)| ((mask >> bit & 1) as usize) << place);
            within[set.sum::<usize>()] += keys;
        }
        // from the keys on exactly these positions to those on these at most
        for bit in 0..places.len() {
            for set in (0..within.len()).filter(|set| set >> bit & 1 == 1) {
                within[set] += within[set ^ 1 << bit];
            }
        }
        let last = within.len() - 1;
        (0..=last).map(move |set| {
            let sign = if set.count_ones() % 2 == 0 { 1.0 } else { -1.0 };
            (within[last] - within[last ^ set], sign)
        })
    }
}
