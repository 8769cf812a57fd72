//! The dictionary of the sliding-window filter against a simulation that places random values.

use bloomline_theory::sliding::Dictionary;
use bloomline_theory::AccuracyKind;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
/// A value that lies in a bucket: its fingerprint, and the generation that gave it its age.
type Cell = (u64, u64);

/// Where the last values lie: first fit over a front bucket, a back bucket and the store.
struct Simulation {
    sizes: Dictionary,
    front: Vec<Vec<Cell>>,
    back: Vec<Vec<Cell>>,
    /// With the front bucket of each.
    store: Vec<(usize, Cell)>,
    now: u64,
    rng: ChaCha8Rng,
}

#[derive(Default, Debug)]
struct Shares {
    insertions: f64,
    to_back: f64,
    to_store: f64,
    lost: f64,
    /// Values that match one by its fingerprint.
    seen: f64,
}

impl Simulation {
    fn new(sizes: Dictionary, seed: u64) -> Self {
        Self {
            sizes,
            front: vec![Vec::new(); sizes.front_buckets as usize],
            back: vec![Vec::new(); sizes.back_buckets as usize],
            store: Vec::new(),
            now: 0,
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Begins a generation: the `generations` before it stay.
    fn begin(&mut self, generations: usize) {
        self.now += 1;
        let now = self.now;
        let stays = |(_, age): &Cell| age + generations as u64 >= now;
        for bucket in self.front.iter_mut().chain(&mut self.back) {
            bucket.retain(stays);
        }
        self.store.retain(|(_, cell)| stays(cell));
    }

    /// Distinct values of this generation. A value that matches is not stored: the one that it matches becomes as young as it.
    fn insert(&mut self, items: u64, shares: &mut Shares) {
        let now = self.now;
        let cells = self.sizes.bucket_cells as usize;
        let fingerprints = 1u64 << self.sizes.fingerprint_bits;
        for _ in 0..items {
            let place = self.rng.random_range(0..self.front.len());
            let back = self.rng.random_range(0..self.back.len());
            let value = self.rng.random_range(0..fingerprints);
            let (front, back) = (&mut self.front[place], &mut self.back[back]);
            let in_store = self.store.iter_mut().filter(|(of, _)| *of == place);
            let in_store = in_store.map(|(_, cell)| cell);
            let mut all = front.iter_mut().chain(&mut *back).chain(in_store);
            shares.insertions += 1.0;
            if let Some(cell) = all.find(|(fingerprint, _)| *fingerprint == value) {
                shares.seen += 1.0;
                cell.1 = now;
                continue;
            }
            if front.len() < cells {
                front.push((value, now));
                continue;
            }
            shares.to_back += 1.0;
            if back.len() < cells {
                back.push((value, now));
                continue;
            }
            shares.to_store += 1.0;
            if self.store.len() < self.sizes.store_cells as usize {
                self.store.push((place, (value, now)));
                continue;
            }
            shares.lost += 1.0;
        }
    }

    fn run(sizes: Dictionary, total: u64, seed: u64) -> Shares {
        let (mut all, last) = Self::run_apart(sizes, total, seed);
        all.insertions += last.insertions;
        all.to_back += last.to_back;
        all.to_store += last.to_store;
        all.lost += last.lost;
        all.seen += last.seen;
        all
    }

    /// Shares of all insertions but for the last 2 % of each generation, and of those.
    fn run_apart(sizes: Dictionary, total: u64, seed: u64) -> (Shares, Shares) {
        let mut simulation = Self::new(sizes, seed);
        let items = sizes.generation_items;
        let generations = (sizes.live / items) as usize - 1;
        let (mut first, mut last) = Default::default();
        for generation in 0..3 * generations as u64 + total / items {
            if generation == 3 * generations as u64 {
                (first, last) = Default::default();
            }
            simulation.begin(generations);
            simulation.insert(items - items / 50, &mut first);
            simulation.insert(items / 50, &mut last);
        }
        (first, last)
    }
}

/// Front buckets loaded with `load` values each on average, back table a quarter of the front, 8 cells a bucket.
fn sizes(load: f64, generations: u64, store_cells: u32) -> Dictionary {
    let generation_items = (load * 4096.0) as u64 / (generations + 1);
    Dictionary {
        live: (generations + 1) * generation_items,
        generation_items,
        front_buckets: 4096,
        back_buckets: 1024,
        bucket_cells: 8,
        store_cells,
        // hardly a value matches another
        fingerprint_bits: 40,
    }
}

#[test]
fn overflow_under_a_steady_load_is_as_predicted_to_front_back_and_store() {
    // 5.9 and 6.3 values a front bucket: the design load is 4.5; here overflow is seen at every level
    for (load, store_cells, seed) in [(5.9, 14, 1), (6.3, 48, 2)] {
        let dictionary = sizes(load, 64, store_cells);
        let shares = Simulation::run(dictionary, 6_000_000, seed);
        // the middle of a generation is the mean load
        let live = dictionary.live - dictionary.live / 130;
        let predicted = dictionary.overflow(live).expect("legal");
        for (what, measured, predicted) in [
            ("to back", shares.to_back, &predicted.to_back),
            ("to store", shares.to_store, &predicted.to_store),
        ] {
            let measured = measured / shares.insertions;
            let ratio = measured / predicted.value;
            assert!(
                (ratio - 1.0).abs() < predicted.accuracy.relative_error,
                "load {load}, {what}: {measured} is {ratio} times the prediction"
            );
        }
        let lost = shares.lost / shares.insertions;
        println!(
            "load {load}: lost {lost:e}, predicted {:e} ({} events)",
            predicted.lost.value, shares.lost
        );
        assert!(shares.lost > 100.0, "load {load}: {} lost", shares.lost);
        assert!(
            (0.5..=1.1).contains(&(lost / predicted.lost.value)),
            "load {load}: lost {lost} of {}",
            predicted.lost.value
        );
    }
}

#[test]
fn over_whole_generations_less_overflows_than_a_steady_load_of_the_peak_would() {
    for (generations, seed) in [(1, 3), (4, 4), (9, 5)] {
        let dictionary = sizes(6.0, generations, 16);
        let shares = Simulation::run(dictionary, 3_000_000, seed);
        let predicted = dictionary.overflow(dictionary.live).expect("legal");
        for (what, measured, predicted) in [
            ("to back", shares.to_back, predicted.to_back.value),
            ("to store", shares.to_store, predicted.to_store.value),
            ("lost", shares.lost, predicted.lost.value),
        ] {
            let measured = measured / shares.insertions;
            println!("{generations} generations, {what}: measured {measured:e}, at the peak {predicted:e}");
            assert!(
                measured < predicted,
                "{generations} generations, {what}: {measured} > {predicted}"
            );
        }
    }
}

#[test]
fn the_share_of_the_back_table_is_as_simulated_and_bounded_at_the_end_of_a_generation() {
    for (load, generations, seed) in [(4.5, 1, 11), (4.5, 3, 12), (3.9, 1, 13), (4.5, 8, 14)] {
        let dictionary = sizes(load, generations, 16);
        let (first, last) = Simulation::run_apart(dictionary, 1_000_000, seed);
        let mean = (first.to_back + last.to_back) / (first.insertions + last.insertions);
        let predicted = dictionary.mean_to_back().expect("legal");
        let ratio = mean / predicted.value;
        assert!(
            (ratio - 1.0).abs() < predicted.accuracy.relative_error,
            "load {load}, {generations} generations: {mean} is {ratio} times the prediction"
        );
        let at_the_end = last.to_back / last.insertions;
        let most = dictionary.most_to_back().expect("legal");
        assert_eq!(most.accuracy.kind, AccuracyKind::Bound);
        // a steady load says less than is found there
        let steady = dictionary.overflow(dictionary.live).expect("legal").to_back;
        assert!(
            1.1 * steady.value < at_the_end && at_the_end < most.value,
            "load {load}, {generations} generations: {} {at_the_end} {}",
            steady.value,
            most.value
        );
        assert!(most.value < 2.0 * at_the_end, "{} {at_the_end}", most.value);
    }
}

#[test]
fn the_rate_of_a_generation_is_as_simulated() {
    for (load, generations, fingerprint_bits, seed) in [
        (4.4, 4, 8, 6),
        (2.3, 9, 8, 7),
        (6.0, 4, 8, 8),
        (4.4, 4, 5, 9),
        (4.4, 2, 4, 10),
        (4.5, 1, 10, 15),
    ] {
        let dictionary = Dictionary {
            fingerprint_bits,
            ..sizes(load, generations, 32)
        };
        let shares = Simulation::run(dictionary, 2_000_000, seed);
        let measured = shares.seen / shares.insertions;
        let predicted = dictionary.mean_false_positive_rate().expect("legal");
        let ratio = measured / predicted.value;
        println!("load {load}, {generations} generations: rate {measured}, ratio {ratio}");
        assert!(
            (ratio - 1.0).abs() < predicted.accuracy.relative_error,
            "load {load}: {ratio}"
        );
    }
}

#[test]
fn at_the_design_load_less_than_one_insertion_in_1e12_is_lost() {
    for front_bits in 4..=22 {
        let front_buckets = 1u64 << front_bits;
        let dictionary = Dictionary {
            live: front_buckets * 9 / 2,
            generation_items: front_buckets / 4,
            front_buckets,
            back_buckets: front_buckets / 4,
            fingerprint_bits: 8,
            ..sizes(1.0, 1, 16)
        };
        let lost = dictionary
            .overflow(dictionary.live)
            .expect("legal")
            .lost
            .value;
        assert!(lost < 1e-12, "2^{front_bits} front buckets: {lost:e}");
    }
}

#[test]
fn no_filling_has_more_than_the_greatest_rate() {
    for (front_buckets, back_buckets) in [(64, 16), (16, 16), (8, 32)] {
        let dictionary = Dictionary {
            live: 96,
            generation_items: 32,
            front_buckets,
            back_buckets,
            bucket_cells: 8,
            store_cells: 4,
            fingerprint_bits: 8,
        };
        let most = dictionary
            .greatest_false_positive_rate(dictionary.live)
            .expect("legal")
            .value;
        let mean = dictionary
            .false_positive_rate(dictionary.live)
            .expect("legal");
        assert!(most >= 0.99 * mean.value);
        // every number of values in the back table that fits both
        let mut greatest: f64 = 0.0;
        for in_back in 0..=dictionary.live.min(8 * back_buckets) {
            let in_front = dictionary.live - in_back;
            if in_front > 8 * front_buckets + 4 {
                continue;
            }
            let front = in_front as f64 / (front_buckets * 256) as f64;
            let back = in_back as f64 / (back_buckets * 256) as f64;
            greatest = greatest.max(front + back - front * back);
        }
        assert!(
            most >= greatest - 1e-15 && most < 1.01 * greatest,
            "{most} {greatest}"
        );
    }
}

#[test]
fn sizes_of_nothing_are_refused_by_name() {
    let error = Dictionary {
        back_buckets: 0,
        ..sizes(4.0, 1, 16)
    }
    .overflow(1)
    .expect_err("no back table");
    assert!(error.to_string().contains("back_buckets"), "{error}");
}
