//! The structures themselves, written from their papers: plain, and without the laws.

use bloomline_theory::peers::CUCKOO_MOVES;
use std::collections::{HashMap, VecDeque};

/// A structure under test. Keys are numbered in the order in which they are inserted.
pub trait Filter {
    /// Whether a key is seen.
    fn seen(&self, key: u64) -> bool;
    /// Stores the next key.
    fn insert(&mut self, key: u64);
}

/// A share with its standard deviation.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    pub share: f64,
    pub deviation: f64,
}

/// What a run counted.
pub struct Counted {
    pub rate: f64,
    pub rate_deviation: f64,
    pub missed: [Share; 4],
}

/// Inserts so many distinct keys, each looked up before; every key is looked up again after each of four distances.
pub fn run(filter: &mut dyn Filter, arrivals: u64, settles: u64, distances: [u64; 4]) -> Counted {
    const BATCHES: u64 = 100;
    let warm_up = 4 * settles + distances[3];
    let batch = arrivals / BATCHES;
    let mut seen = vec![0.0; BATCHES as usize];
    let mut missed = [(); 4].map(|()| vec![0.0; BATCHES as usize]);
    for key in 0..warm_up + BATCHES * batch {
        let counted = key.checked_sub(warm_up).map(|past| (past / batch) as usize);
        if let Some(batch) = counted {
            seen[batch] += f64::from(u8::from(filter.seen(key)));
        }
        filter.insert(key);
        if let Some(batch) = counted {
            for (missed, distance) in missed.iter_mut().zip(distances) {
                missed[batch] += f64::from(u8::from(!filter.seen(key - distance)));
            }
        }
    }
    let share = |counts: &[f64]| {
        let shares: Vec<f64> = counts.iter().map(|count| count / batch as f64).collect();
        let mean = shares.iter().sum::<f64>() / BATCHES as f64;
        let square: f64 = shares.iter().map(|share| (share - mean).powi(2)).sum();
        let deviation = (square / ((BATCHES - 1) * BATCHES) as f64).sqrt();
        Share {
            share: mean,
            deviation,
        }
    };
    let rate = share(&seen);
    Counted {
        rate: rate.share,
        rate_deviation: rate.deviation,
        missed: missed.map(|counts| share(&counts)),
    }
}

/// An ideal hash function: the finaliser of SplitMix64 over seed, function and key, twice.
fn hash(seed: u64, function: u64, key: u64) -> u64 {
    let mix = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let once = mix(key.wrapping_add(mix(
        seed.wrapping_add(0x9e37_79b9_7f4a_7c15 * (function + 1))
    )));
    mix(once.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

fn place(seed: u64, function: u64, key: u64, range: usize) -> usize {
    ((u128::from(hash(seed, function, key)) * range as u128) >> 64) as usize
}

/// One filter of k partitions.
#[derive(Clone)]
struct Plain {
    bits: Vec<Vec<bool>>,
    seed: u64,
}

impl Plain {
    fn new(range: usize, hashes: usize, seed: u64) -> Self {
        Self {
            bits: vec![vec![false; range]; hashes],
            seed,
        }
    }

    fn seen(&self, key: u64) -> bool {
        let mut partitions = self.bits.iter().enumerate();
        partitions.all(|(i, bits)| bits[place(self.seed, i as u64, key, bits.len())])
    }

    fn insert(&mut self, key: u64) {
        for (i, bits) in self.bits.iter_mut().enumerate() {
            let at = place(self.seed, i as u64, key, bits.len());
            bits[at] = true;
        }
    }

    fn clear(&mut self) {
        self.bits.iter_mut().for_each(|bits| bits.fill(false));
    }
}

/// Filters of blocks, the youngest in front.
pub struct Blocks {
    filters: VecDeque<Plain>,
    generation: u64,
    taken: u64,
}

impl Blocks {
    pub fn new(range: usize, hashes: usize, frozen: usize, generation: u64, seed: u64) -> Self {
        Self {
            filters: vec![Plain::new(range, hashes, seed); frozen + 1].into(),
            generation,
            taken: 0,
        }
    }
}

impl Filter for Blocks {
    fn seen(&self, key: u64) -> bool {
        self.filters.iter().any(|filter| filter.seen(key))
    }

    fn insert(&mut self, key: u64) {
        if self.taken == self.generation {
            self.filters.rotate_right(1);
            self.filters[0].clear();
            self.taken = 0;
        }
        self.filters[0].insert(key);
        self.taken += 1;
    }
}

pub struct DoubleBuffering {
    active: Plain,
    warming: Plain,
    half: u64,
    in_active: u64,
}

impl DoubleBuffering {
    pub fn new(range: usize, hashes: usize, generation: u64, seed: u64) -> Self {
        Self {
            active: Plain::new(range, hashes, seed),
            warming: Plain::new(range, hashes, seed),
            half: generation,
            in_active: 0,
        }
    }
}

impl Filter for DoubleBuffering {
    fn seen(&self, key: u64) -> bool {
        self.active.seen(key)
    }

    fn insert(&mut self, key: u64) {
        if self.in_active == 2 * self.half {
            std::mem::swap(&mut self.active, &mut self.warming);
            self.warming.clear();
            self.in_active = self.half;
        }
        self.active.insert(key);
        self.in_active += 1;
        if self.in_active > self.half {
            self.warming.insert(key);
        }
    }
}

/// Slices, the youngest in front, each with its hash function.
pub struct AgePartitioned {
    slices: VecDeque<(u64, Vec<bool>)>,
    hashes: usize,
    generation: u64,
    taken: u64,
    seed: u64,
}

impl AgePartitioned {
    pub fn new(slice: usize, hashes: usize, older: usize, generation: u64, seed: u64) -> Self {
        let slices = (0..(hashes + older) as u64).map(|function| (function, vec![false; slice]));
        Self {
            slices: slices.collect(),
            hashes,
            generation,
            taken: 0,
            seed,
        }
    }
}

impl Filter for AgePartitioned {
    fn seen(&self, key: u64) -> bool {
        let mut run = 0;
        for (function, slice) in &self.slices {
            let hit = slice[place(self.seed, *function, key, slice.len())];
            run = if hit { run + 1 } else { 0 };
            if run == self.hashes {
                return true;
            }
        }
        false
    }

    fn insert(&mut self, key: u64) {
        if self.taken == self.generation {
            self.slices.rotate_right(1);
            self.slices[0].1.fill(false);
            self.taken = 0;
        }
        for (function, slice) in self.slices.iter_mut().take(self.hashes) {
            let at = place(self.seed, *function, key, slice.len());
            slice[at] = true;
        }
        self.taken += 1;
    }
}

pub struct Stable {
    banks: Vec<Vec<u8>>,
    most: u8,
    decrements: usize,
    seed: u64,
}

impl Stable {
    pub fn new(cells: usize, hashes: usize, cell_bits: u32, decrements: usize, seed: u64) -> Self {
        Self {
            banks: vec![vec![0; cells]; hashes],
            most: ((1u32 << cell_bits) - 1) as u8,
            decrements,
            seed,
        }
    }
}

impl Filter for Stable {
    fn seen(&self, key: u64) -> bool {
        let mut banks = self.banks.iter().enumerate();
        banks.all(|(i, bank)| bank[place(self.seed, i as u64, key, bank.len())] > 0)
    }

    fn insert(&mut self, key: u64) {
        for (i, bank) in self.banks.iter_mut().enumerate() {
            let from = place(self.seed, 1000 + i as u64, key, bank.len());
            for step in 0..self.decrements {
                let at = (from + step) % bank.len();
                bank[at] = bank[at].saturating_sub(1);
            }
            let at = place(self.seed, i as u64, key, bank.len());
            bank[at] = self.most;
        }
    }
}

pub struct TimeDecaying {
    banks: Vec<Vec<u8>>,
    most: u8,
    generation: u64,
    taken: u64,
    seed: u64,
}

impl TimeDecaying {
    pub fn new(cells: usize, hashes: usize, cell_bits: u32, generation: u64, seed: u64) -> Self {
        Self {
            banks: vec![vec![0; cells]; hashes],
            most: ((1u32 << cell_bits) - 1) as u8,
            generation,
            taken: 0,
            seed,
        }
    }
}

impl Filter for TimeDecaying {
    fn seen(&self, key: u64) -> bool {
        let mut banks = self.banks.iter().enumerate();
        banks.all(|(i, bank)| bank[place(self.seed, i as u64, key, bank.len())] > 0)
    }

    fn insert(&mut self, key: u64) {
        if self.taken == self.generation {
            for cell in self.banks.iter_mut().flatten() {
                *cell = cell.saturating_sub(1);
            }
            self.taken = 0;
        }
        for (i, bank) in self.banks.iter_mut().enumerate() {
            let at = place(self.seed, i as u64, key, bank.len());
            bank[at] = self.most;
        }
        self.taken += 1;
    }
}

/// Banks of bits, each with the mark that it was hit in the present window.
pub struct TimeAware {
    banks: Vec<Vec<(bool, bool)>>,
    generation: u64,
    taken: u64,
    seed: u64,
}

impl TimeAware {
    pub fn new(cells: usize, hashes: usize, generation: u64, seed: u64) -> Self {
        Self {
            banks: vec![vec![(false, false); cells]; hashes],
            generation,
            taken: 0,
            seed,
        }
    }
}

impl Filter for TimeAware {
    fn seen(&self, key: u64) -> bool {
        let mut banks = self.banks.iter().enumerate();
        banks.all(|(i, bank)| bank[place(self.seed, i as u64, key, bank.len())].0)
    }

    fn insert(&mut self, key: u64) {
        if self.taken == self.generation {
            for (set, hit) in self.banks.iter_mut().flatten() {
                *set &= *hit;
                *hit = false;
            }
            self.taken = 0;
        }
        for (i, bank) in self.banks.iter_mut().enumerate() {
            let at = place(self.seed, i as u64, key, bank.len());
            bank[at] = (true, true);
        }
        self.taken += 1;
    }
}

/// Banks of counters, and the keys of the window.
pub struct CountingQueue {
    banks: Vec<Vec<u32>>,
    queue: VecDeque<u64>,
    window: usize,
    seed: u64,
}

impl CountingQueue {
    pub fn new(cells: usize, hashes: usize, window: usize, seed: u64) -> Self {
        Self {
            banks: vec![vec![0; cells]; hashes],
            queue: VecDeque::new(),
            window,
            seed,
        }
    }
}

impl Filter for CountingQueue {
    fn seen(&self, key: u64) -> bool {
        let mut banks = self.banks.iter().enumerate();
        banks.all(|(i, bank)| bank[place(self.seed, i as u64, key, bank.len())] > 0)
    }

    fn insert(&mut self, key: u64) {
        let oldest = match self.queue.len() == self.window {
            true => self.queue.pop_front(),
            false => None,
        };
        for (i, bank) in self.banks.iter_mut().enumerate() {
            if let Some(oldest) = oldest {
                let at = place(self.seed, i as u64, oldest, bank.len());
                bank[at] -= 1;
            }
            let at = place(self.seed, i as u64, key, bank.len());
            bank[at] += 1;
            assert!(bank[at] < 16, "a counter of four bits passes its end");
        }
        self.queue.push_back(key);
    }
}

/// Two halves of blocks of sectors.
pub struct Blocked {
    /// Active and frozen: bits by block, sector, position.
    halves: [Vec<Vec<Vec<bool>>>; 2],
    generation: u64,
    taken: u64,
    seed: u64,
}

impl Blocked {
    pub fn new(blocks: usize, hashes: usize, sector: usize, generation: u64, seed: u64) -> Self {
        let half = vec![vec![vec![false; sector]; hashes]; blocks];
        Self {
            halves: [half.clone(), half],
            generation,
            taken: 0,
            seed,
        }
    }
}

impl Filter for Blocked {
    fn seen(&self, key: u64) -> bool {
        self.halves.iter().any(|half| {
            let block = &half[place(self.seed, 1000, key, half.len())];
            let mut sectors = block.iter().enumerate();
            sectors.all(|(i, sector)| sector[place(self.seed, i as u64, key, sector.len())])
        })
    }

    fn insert(&mut self, key: u64) {
        if self.taken == self.generation {
            self.halves.swap(0, 1);
            let bits = self.halves[0].iter_mut().flatten().flatten();
            bits.for_each(|bit| *bit = false);
            self.taken = 0;
        }
        let half = &mut self.halves[0];
        let block = place(self.seed, 1000, key, half.len());
        for (i, sector) in half[block].iter_mut().enumerate() {
            let at = place(self.seed, i as u64, key, sector.len());
            sector[at] = true;
        }
        self.taken += 1;
    }
}

pub struct Swamp {
    buffer: VecDeque<u64>,
    counts: HashMap<u64, u64>,
    window: usize,
    values: usize,
    seed: u64,
}

impl Swamp {
    pub fn new(window: usize, fingerprint_bits: u32, seed: u64) -> Self {
        Self {
            buffer: VecDeque::new(),
            counts: HashMap::new(),
            window,
            values: 1 << fingerprint_bits,
            seed,
        }
    }
}

impl Filter for Swamp {
    fn seen(&self, key: u64) -> bool {
        let fingerprint = place(self.seed, 0, key, self.values) as u64;
        self.counts
            .get(&fingerprint)
            .is_some_and(|count| *count > 0)
    }

    fn insert(&mut self, key: u64) {
        if self.buffer.len() == self.window {
            let oldest = self.buffer.pop_front().expect("a window is not empty");
            *self.counts.entry(oldest).or_default() -= 1;
        }
        let fingerprint = place(self.seed, 0, key, self.values) as u64;
        self.buffer.push_back(fingerprint);
        *self.counts.entry(fingerprint).or_default() += 1;
    }
}

/// Buckets of four cells with fingerprint and generation; a power of two of them.
pub struct Cuckoo {
    buckets: Vec<[Option<(u64, u64)>; 4]>,
    values: usize,
    live: u64,
    generation: u64,
    inserted: u64,
    seed: u64,
    /// Cells moved, and insertions that found no place.
    pub moves: u64,
    pub failures: u64,
}

impl Cuckoo {
    pub fn new(
        buckets: usize,
        fingerprint_bits: u32,
        generation_bits: u32,
        generation: u64,
        seed: u64,
    ) -> Self {
        Self {
            buckets: vec![[None; 4]; buckets],
            values: 1 << fingerprint_bits,
            live: (1 << generation_bits) - 3,
            generation,
            inserted: 0,
            seed,
            moves: 0,
            failures: 0,
        }
    }

    fn now(&self) -> u64 {
        self.inserted.saturating_sub(1) / self.generation
    }

    fn is_live(&self, cell: &Option<(u64, u64)>) -> bool {
        cell.is_some_and(|(_, born)| born + self.live >= self.now())
    }

    fn other(&self, bucket: usize, fingerprint: u64) -> usize {
        bucket ^ place(self.seed, 2, fingerprint, self.buckets.len())
    }

    fn find(&self, key: u64) -> (u64, [usize; 2], Option<(usize, usize)>) {
        let fingerprint = place(self.seed, 0, key, self.values) as u64;
        let first = place(self.seed, 1, key, self.buckets.len());
        let both = [first, self.other(first, fingerprint)];
        let found = both.into_iter().find_map(|bucket| {
            let cells = self.buckets[bucket].iter();
            let at = cells.enumerate().find(|(_, cell)| {
                self.is_live(cell) && cell.is_some_and(|(f, _)| f == fingerprint)
            });
            at.map(|(cell, _)| (bucket, cell))
        });
        (fingerprint, both, found)
    }
}

impl Filter for Cuckoo {
    fn seen(&self, key: u64) -> bool {
        self.find(key).2.is_some()
    }

    fn insert(&mut self, key: u64) {
        self.inserted += 1;
        let now = self.now();
        let (fingerprint, both, found) = self.find(key);
        if let Some((bucket, cell)) = found {
            self.buckets[bucket][cell] = Some((fingerprint, now));
            return;
        }
        let mut entry = (fingerprint, now);
        let mut bucket = both[place(self.seed, 3, key, 2)];
        for candidate in both {
            if self.buckets[candidate]
                .iter()
                .any(|cell| !self.is_live(cell))
            {
                bucket = candidate;
            }
        }
        for step in 0..500 {
            let free = (0..4).find(|cell| !self.is_live(&self.buckets[bucket][*cell]));
            if let Some(cell) = free {
                self.buckets[bucket][cell] = Some(entry);
                return;
            }
            let cell = place(self.seed, 4 + step, key, 4);
            let moved = self.buckets[bucket][cell]
                .replace(entry)
                .expect("a full bucket");
            self.moves += 1;
            entry = moved;
            bucket = self.other(bucket, entry.0);
        }
        self.failures += 1;
    }
}

/// The set of fingerprints that a quotient filter holds, each with the generation in which it was last seen.
pub struct Quotient {
    fingerprints: HashMap<u64, u64>,
    values: usize,
    live: u64,
    generation: u64,
    inserted: u64,
    seed: u64,
}

impl Quotient {
    pub fn new(
        slots: usize,
        remainder_bits: u32,
        generation_bits: u32,
        generation: u64,
        seed: u64,
    ) -> Self {
        Self {
            fingerprints: HashMap::new(),
            values: slots << remainder_bits,
            live: (1 << generation_bits) - 3,
            generation,
            inserted: 0,
            seed,
        }
    }

    fn now(&self) -> u64 {
        self.inserted.saturating_sub(1) / self.generation
    }
}

impl Filter for Quotient {
    fn seen(&self, key: u64) -> bool {
        let fingerprint = place(self.seed, 0, key, self.values) as u64;
        let born = self.fingerprints.get(&fingerprint);
        born.is_some_and(|born| born + self.live >= self.now())
    }

    fn insert(&mut self, key: u64) {
        self.inserted += 1;
        let fingerprint = place(self.seed, 0, key, self.values) as u64;
        self.fingerprints.insert(fingerprint, self.now());
    }
}

#[test]
fn a_cuckoo_filter_finds_room_up_to_the_stated_load() {
    let mut cuckoo = Cuckoo::new(1 << 12, 12, 3, 2594, 7);
    // 6 generations of 2,594 in 16,384 cells: 95 %
    (0..60_000).for_each(|key| cuckoo.insert(key));
    let moves = cuckoo.moves as f64 / 60_000.0;
    println!(
        "{moves:.2} cells moved an insertion, {} without a place",
        cuckoo.failures
    );
    assert_eq!(cuckoo.failures, 0);
    assert!((moves - CUCKOO_MOVES).abs() < 0.2, "{moves}");
}

#[test]
fn clusters_are_as_long_as_the_law_of_linear_probing_says() {
    let (slots, load) = (1usize << 16, 0.75);
    let mut taken = vec![false; slots];
    for key in 0..(load * slots as f64) as u64 {
        let mut at = place(9, 0, key, slots);
        while taken[at] {
            at = (at + 1) % slots;
        }
        taken[at] = true;
    }
    let probes: usize = (0..slots)
        .map(|from| {
            1 + (0..slots)
                .take_while(|step| taken[(from + step) % slots])
                .count()
        })
        .sum();
    let mean = probes as f64 / slots as f64;
    let law = 0.5 * (1.0 + 1.0 / (1.0f64 - load).powi(2));
    assert!((mean / law - 1.0).abs() < 0.05, "{mean} {law}");
}
