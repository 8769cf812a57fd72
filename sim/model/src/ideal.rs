//! Filters as the papers simulate them: ideal hash functions, one array, no hardware. The figures run these loops.

use rand::seq::index::sample;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The generator of a unit.
pub fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Draws positions in 0..range, repeats allowed.
pub fn draw(random: &mut ChaCha8Rng, range: u32, positions: &mut [u32]) {
    positions
        .iter_mut()
        .for_each(|position| *position = random.random_range(0..range));
}

/// Draws different positions in 0..range, at most `range` of them.
fn draw_distinct(random: &mut ChaCha8Rng, range: u32, positions: &mut [u32]) {
    let chosen = sample(random, range as usize, positions.len());
    positions
        .iter_mut()
        .zip(chosen)
        .for_each(|(position, index)| *position = index as u32);
}

/// When the simulated recycling filter recycles.
#[derive(Debug, Clone, Copy)]
pub enum Recycle {
    /// When a message would set more bits than this in a half.
    BitsSet(u32),
    /// With the bit-setting message of this number.
    Messages(u32),
}

/// A recycling filter on one array a half, colliding, non-retaining: RBF III to V.
pub struct RecyclingFilter {
    recycle: Recycle,
    halves: Vec<Vec<bool>>,
    active: usize,
    bits_set: u32,
    messages: u32,
    fresh: Vec<u32>,
    /// Recycles so far.
    cycle: u32,
}

impl RecyclingFilter {
    /// An empty filter of `phases` halves of `bits` bits.
    pub fn new(phases: usize, bits: usize, recycle: Recycle) -> Self {
        Self {
            recycle,
            halves: vec![vec![false; bits]; phases],
            active: 0,
            bits_set: 0,
            messages: 0,
            fresh: Vec::new(),
            cycle: 0,
        }
    }

    /// One message: whether it was seen in a half before it was stored.
    fn arrive(&mut self, positions: &[u32]) -> bool {
        let matches = |half: &Vec<bool>| positions.iter().all(|&position| half[position as usize]);
        let seen = self.halves.iter().any(matches);
        let half = &mut self.halves[self.active];
        self.fresh.clear();
        for &position in positions {
            if !std::mem::replace(&mut half[position as usize], true) {
                self.fresh.push(position);
            }
        }
        let fresh = self.fresh.len() as u32;
        if fresh == 0 {
            return seen;
        }
        let trips = match self.recycle {
            Recycle::BitsSet(sigma) => self.bits_set + fresh > sigma,
            Recycle::Messages(most) => self.messages + 1 >= most,
        };
        if trips {
            // The tripping message is stored in neither half.
            self.fresh
                .iter()
                .for_each(|&position| half[position as usize] = false);
            self.active = (self.active + 1) % self.halves.len();
            self.halves[self.active].fill(false);
            (self.bits_set, self.messages) = (0, 0);
            self.cycle += 1;
        } else {
            self.bits_set += fresh;
            self.messages += 1;
        }
        seen
    }

    /// Messages of `hashes` positions drawn from `population` different ones, or all new: absent arrivals and false positives.
    ///
    /// A message counts when it has not arrived in any cycle that a half still holds. Only whole cycles count, and none of the
    /// first, in which a half is empty: cycles differ in rate from beginning to end.
    pub fn count_false_positives(
        mut self,
        hashes: usize,
        population: Option<u32>,
        arrivals: u64,
        seed: u64,
    ) -> [u64; 2] {
        let mut random = generator(seed);
        let (phases, bits) = (self.halves.len() as u32, self.halves[0].len() as u32);
        let mut table = vec![0; population.unwrap_or(1) as usize * hashes];
        draw(&mut random, bits, &mut table);
        let mut last_cycle = vec![None; population.unwrap_or(1) as usize];
        let mut whole = [0, 0];
        let mut this_cycle = [0, 0];
        for _ in 0..arrivals {
            let message = match population {
                Some(population) => random.random_range(0..population) as usize,
                None => {
                    draw(&mut random, bits, &mut table);
                    last_cycle[0] = None;
                    0
                }
            };
            let live = |cycle: u32| self.cycle - cycle < phases;
            let known = last_cycle[message].is_some_and(live);
            last_cycle[message] = Some(self.cycle);
            let before = self.cycle;
            let seen = self.arrive(&table[message * hashes..][..hashes]);
            if !known {
                this_cycle[0] += 1;
                this_cycle[1] += u64::from(seen);
            }
            if self.cycle != before {
                // The tripping message is forgotten.
                last_cycle[message] = None;
                if before >= phases {
                    whole
                        .iter_mut()
                        .zip(this_cycle)
                        .for_each(|(sum, count)| *sum += count);
                }
                this_cycle = [0, 0];
            }
        }
        whole
    }
}

/// How k positions come from ideal hash values: KM section 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// k independent functions on one array.
    Standard,
    /// k different positions on one array.
    Distinct,
    /// h1 + i h2 mod p in partition i of p positions, p prime.
    Partition,
    /// h1 + i h2 mod m on one array.
    Double,
    /// h1 + i h2 + i^2 mod m on one array.
    ExtendedSquare,
    /// h1 + i h2 + i^3 mod m on one array.
    ExtendedCube,
}

impl Scheme {
    /// Every scheme of KM.
    pub const ALL: [Scheme; 5] = [
        Scheme::Standard,
        Scheme::Partition,
        Scheme::Double,
        Scheme::ExtendedSquare,
        Scheme::ExtendedCube,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Standard => "standard",
            Scheme::Distinct => "distinct",
            Scheme::Partition => "partition",
            Scheme::Double => "double hashing",
            Scheme::ExtendedSquare => "extended, i^2",
            Scheme::ExtendedCube => "extended, i^3",
        }
    }

    /// The positions of a new item; `range` is the array's size, or a partition's.
    pub fn positions(self, random: &mut ChaCha8Rng, range: u32, positions: &mut [u32]) {
        match self {
            Scheme::Standard => return draw(random, range, positions),
            Scheme::Distinct => return draw_distinct(random, range, positions),
            _ => (),
        }
        let m = u64::from(range);
        let (first, stride) = (random.random_range(0..m), random.random_range(0..m));
        for (i, position) in (0u64..).zip(positions.iter_mut()) {
            let extra = match self {
                Scheme::ExtendedSquare => i * i,
                Scheme::ExtendedCube => i * i * i,
                _ => 0,
            };
            let place = (first + i * stride + extra) % m;
            let partition = if self == Scheme::Partition { i * m } else { 0 };
            *position = (partition + place) as u32;
        }
    }
}

/// A static Bloom filter on a bit array that is emptied in place.
pub struct BitArray {
    words: Vec<u64>,
}

impl BitArray {
    /// An empty array.
    pub fn new(bits: usize) -> Self {
        Self {
            words: vec![0; bits.div_ceil(64)],
        }
    }

    /// Empties the array, stores `items` items and queries `queries` others, all of `hashes` positions: false positives.
    pub fn trial(
        &mut self,
        scheme: Scheme,
        range: u32,
        hashes: usize,
        [items, queries]: [u32; 2],
        random: &mut ChaCha8Rng,
    ) -> u32 {
        let positions = &mut vec![0; hashes];
        self.words.fill(0);
        for _ in 0..items {
            scheme.positions(random, range, positions);
            for &position in positions.iter() {
                self.words[position as usize / 64] |= 1 << (position % 64);
            }
        }
        let mut found = 0;
        for _ in 0..queries {
            scheme.positions(random, range, positions);
            let set =
                |&position: &u32| self.words[position as usize / 64] >> (position % 64) & 1 == 1;
            found += u32::from(positions.iter().all(set));
        }
        found
    }
}

/// A counting filter that draws the positions of its entries: CBF 4. The figure and the benchmark run this loop.
#[derive(Debug)]
pub struct CountingRun {
    random: ChaCha8Rng,
    counts: Vec<u8>,
    positions: Vec<u32>,
}

impl CountingRun {
    /// An empty filter of `counters` counters, which stay at 255, with `hashes` ideal hash functions.
    pub fn new(counters: u32, hashes: usize, seed: u64) -> Self {
        Self {
            random: generator(seed),
            counts: vec![0; counters as usize],
            positions: vec![0; hashes],
        }
    }

    /// Inserts so many new entries once each.
    pub fn insert(&mut self, entries: u64) {
        let counters = self.counts.len() as u32;
        for _ in 0..entries {
            draw(&mut self.random, counters, &mut self.positions);
            for &position in &self.positions {
                let count = &mut self.counts[position as usize];
                *count = count.saturating_add(1);
            }
        }
    }

    /// Queries so many new entries: how many have counters that all reach each threshold.
    pub fn query(&mut self, entries: u64, thresholds: &[u64]) -> Vec<u64> {
        let counters = self.counts.len() as u32;
        let mut found = vec![0; thresholds.len()];
        for _ in 0..entries {
            draw(&mut self.random, counters, &mut self.positions);
            let least = self
                .positions
                .iter()
                .map(|&position| self.counts[position as usize])
                .min()
                .unwrap_or(0);
            for (reached, &theta) in found.iter_mut().zip(thresholds) {
                *reached += u64::from(u64::from(least) >= theta);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_an_entry_reach_only_the_thresholds_below_them() {
        // One counter: after three entries of two hashes it is at six, whatever is drawn.
        let mut run = CountingRun::new(1, 2, 1);
        assert_eq!(run.query(5, &[1]), [0]);
        run.insert(3);
        assert_eq!(run.query(5, &[1, 6, 7]), [5, 5, 0]);
        run.insert(200);
        assert_eq!(run.query(1, &[255, 256]), [1, 0], "saturated");
    }

    #[test]
    fn a_tripping_message_is_in_neither_half() {
        let mut filter = RecyclingFilter::new(2, 64, Recycle::BitsSet(4));
        assert!(!filter.arrive(&[0, 1]));
        assert!(!filter.arrive(&[2, 3]));
        assert!(!filter.arrive(&[4, 5]), "trips");
        assert_eq!(filter.cycle, 1);
        assert!(!filter.arrive(&[4, 5]), "was forgotten");
        assert!(filter.arrive(&[0, 3]), "the frozen half is read");
    }

    #[test]
    fn the_n_th_bit_setting_message_trips() {
        let mut filter = RecyclingFilter::new(1, 64, Recycle::Messages(3));
        for positions in [[0, 1], [0, 1], [2, 3]] {
            filter.arrive(&positions);
        }
        assert_eq!(filter.cycle, 0, "the second did not set a bit");
        filter.arrive(&[4, 5]);
        assert_eq!(filter.cycle, 1);
    }

    #[test]
    fn schemes_stay_in_their_range() {
        let mut random = generator(1);
        let mut positions = [0; 11];
        for scheme in Scheme::ALL {
            for _ in 0..1000 {
                scheme.positions(&mut random, 101, &mut positions);
                let bits = if scheme == Scheme::Partition {
                    101 * 11
                } else {
                    101
                };
                assert!(
                    positions.iter().all(|&position| position < bits),
                    "{scheme:?}"
                );
            }
        }
    }
}
