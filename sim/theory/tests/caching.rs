//! Hit ratios of a cache that stores on the second request, against a simulated cache and a simulated filter.

use bloomline_theory::caching::{caching, most_popular, Memory};
use bloomline_theory::recycling::{partitioned_bits_set_law, Method, PartitionedHalf};
use bloomline_theory::sizing::Zipf;
use bloomline_theory::AccuracyKind;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashMap};

const KEYS: u64 = 20_000;
const PARTITION: u64 = 1024;
const HASHES: usize = 4;

/// A least-recently-used cache.
#[derive(Default)]
struct Lru {
    places: HashMap<u64, u64>,
    order: BTreeMap<u64, u64>,
}

impl Lru {
    fn touch(&mut self, key: u64, now: u64) {
        if let Some(before) = self.places.insert(key, now) {
            self.order.remove(&before);
        }
        self.order.insert(now, key);
    }

    fn shrink(&mut self, objects: usize) {
        while self.places.len() > objects {
            let (_, oldest) = self.order.pop_first().expect("not empty");
            self.places.remove(&oldest);
        }
    }
}

/// Hits and writes a request.
fn simulated(exponent: f64, objects: usize, filter: Option<(u64, u32)>, seed: u64) -> (f64, f64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut sums = vec![0.0];
    for rank in 1..=KEYS {
        sums.push(sums[rank as usize - 1] + (rank as f64).powf(-exponent));
    }
    let positions: Vec<[u16; HASHES]> = (0..=KEYS)
        .map(|_| std::array::from_fn(|_| random.random_range(0..PARTITION as u16)))
        .collect();
    let mut halves = [vec![false; HASHES << 10], vec![false; HASHES << 10]];
    let (mut active, mut bits) = (0, 0);
    let mut cache = Lru::default();
    let (warm, requests) = (100_000, 600_000);
    let (mut hits, mut writes) = (0_u64, 0_u64);
    for now in 0..warm + requests {
        let drawn = random.random_range(0.0..sums[KEYS as usize]);
        let key = sums.partition_point(|sum| *sum <= drawn) as u64;
        let mut known = true;
        if let Some((threshold, phases)) = filter {
            let cells: [usize; HASHES] =
                std::array::from_fn(|i| i << 10 | positions[key as usize][i] as usize);
            let clear = cells.iter().filter(|cell| !halves[active][**cell]).count() as u64;
            let in_frozen = phases == 2 && cells.iter().all(|cell| halves[1 - active][*cell]);
            known = clear == 0 || in_frozen;
            if clear > 0 && bits + clear > threshold {
                active = (active + usize::from(phases == 2)) % 2;
                halves[active].fill(false);
                bits = HASHES as u64; // the tripping message is retained
            } else {
                bits += clear;
            }
            cells.iter().for_each(|cell| halves[active][*cell] = true);
        }
        let hit = cache.places.contains_key(&key);
        if hit || known {
            cache.touch(key, now);
            cache.shrink(objects);
        }
        if now >= warm {
            hits += u64::from(hit);
            writes += u64::from(!hit && known);
        }
    }
    let share = |number: u64| number as f64 / requests as f64;
    (share(hits), share(writes))
}

#[test]
fn hit_ratios_and_writes_are_those_of_a_simulated_cache() {
    let half = PartitionedHalf::new(PARTITION, HASHES as u32).unwrap();
    for (case, (exponent, objects, filter)) in [
        (0.6, 400, None),
        (0.9, 400, Some((1200, 1))),
        (0.9, 400, Some((1200, 2))),
        (0.6, 400, Some((1600, 2))),
        (1.1, 150, Some((800, 1))),
        // cycles of a few messages, caches of a few objects
        (0.9, 100, Some((20, 1))),
        (0.9, 10, Some((16, 2))),
        (0.8, 10, Some((3000, 1))),
        (2.0, 1, Some((800, 2))),
        (3.0, 2, Some((400, 1))),
        (5.0, 2, Some((400, 2))),
    ]
    .into_iter()
    .enumerate()
    {
        let law = Zipf::new(exponent, KEYS).unwrap();
        let memory = match filter {
            None => Memory::None,
            Some((threshold, phases)) => {
                let cycle = partitioned_bits_set_law(half, threshold, Method::Auto).unwrap();
                Memory::Filter {
                    cycle_arrivals: cycle.mean_arrivals,
                    fpr: cycle.rate(phases),
                    phases,
                }
            }
        };
        let predicted = caching(&law, objects as f64, memory).unwrap();
        let (hits, writes) = simulated(exponent, objects, filter, case as u64);
        println!(
            "{case}: hits {hits:.5} {:.5}, writes {writes:.5} {:.5}",
            predicted.hit_ratio.value, predicted.writes.value
        );
        for (measured, figure) in [(hits, &predicted.hit_ratio), (writes, &predicted.writes)] {
            let off = (measured / figure.value - 1.0).abs();
            // 600,000 requests: a standard deviation of less than 0.5 %
            assert!(
                off < figure.accuracy.relative_error + 0.01,
                "{case}: {measured} {figure:?}"
            );
        }
        assert!(hits < most_popular(&law, objects as f64).unwrap().value + 0.005);
    }
}

#[test]
fn a_filter_that_forgets_nothing_or_always_says_seen_changes_nothing() {
    let law = Zipf::new(0.8, 50_000).unwrap();
    let without = caching(&law, 1000.0, Memory::None).unwrap();
    for (cycle_arrivals, fpr) in [(50_000.0, 0.0), (100.0, 1.0)] {
        let memory = Memory::Filter {
            cycle_arrivals,
            fpr,
            phases: 1,
        };
        let with = caching(&law, 1000.0, memory).unwrap();
        assert!(
            (with.hit_ratio.value - without.hit_ratio.value).abs() < 1e-9,
            "{with:?}"
        );
        assert!((with.writes.value - without.writes.value).abs() < 1e-9);
        // what is stored is what leaves, and at equal rates: misses are writes without a filter
        assert!((without.writes.value + without.hit_ratio.value - 1.0).abs() < 1e-12);
    }
    assert!(caching(&law, 50_000.0, Memory::None).is_err());
    assert!(caching(&law, 0.0, Memory::None).is_err());
}

/// The miss ratio of an LRU cache of `objects` objects, by the law of the other objects that are requested before an object comes again.
fn exact_misses(popularity: &[f64], objects: usize) -> f64 {
    const STEP: f64 = 0.1;
    let mut misses = 0.0;
    // the trapezoidal rule over the logarithm of the time between two requests
    for step in -100..700 {
        let time = (f64::from(step) * STEP).exp();
        // by the number of objects requested, below the capacity: of all, and of the others at a request
        let (mut all, mut others) = (vec![0.0; objects], vec![0.0; objects]);
        all[0] = 1.0;
        let mut requests = 0.0;
        for p in popularity {
            let (not, came) = ((-p * time).exp(), -(-p * time).exp_m1());
            let request = p * p * not;
            requests += request;
            for number in (0..objects).rev() {
                let before = number.checked_sub(1);
                let fewer = before.map_or((0.0, 0.0), |it| (all[it], others[it]));
                others[number] = others[number] * not + fewer.1 * came + request * all[number];
                all[number] = all[number] * not + fewer.0 * came;
            }
        }
        let missed: f64 = requests - others.iter().sum::<f64>();
        misses += STEP * time * missed.max(0.0);
    }
    misses
}

#[test]
fn caches_of_any_few_objects_are_within_the_stated_error_of_exact_sums() {
    for exponent in [0.0, 0.6, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0] {
        for keys in [6, 60_u64] {
            let law = Zipf::new(exponent, keys).unwrap();
            let weights = (1..=keys).map(|rank| (rank as f64).powf(-exponent));
            let sum: f64 = weights.clone().sum();
            let popularity: Vec<f64> = weights.map(|weight| weight / sum).collect();
            for objects in [1, 2, 3, 4, 5, 8, 16, 40] {
                if objects >= keys as usize {
                    continue;
                }
                let misses = exact_misses(&popularity, objects);
                if misses < 1e-9 {
                    continue;
                }
                let found = caching(&law, objects as f64, Memory::None).unwrap();
                for (exact, figure) in [(1.0 - misses, found.hit_ratio), (misses, found.writes)] {
                    let stated = figure.accuracy.relative_error + 1e-6;
                    assert!(
                        (exact / figure.value - 1.0).abs() <= stated,
                        "{exponent} {keys} {objects}: {exact} {figure:?}"
                    );
                    assert_eq!(objects <= 2, figure.accuracy.kind == AccuracyKind::Exact);
                }
            }
        }
    }
}

#[test]
fn a_cache_of_one_object_hits_what_is_asked_for_twice_in_a_row() {
    for (exponent, keys, hits) in [
        (3.0, 3000_u64, 0.704_07),
        (5.0, 1000, 0.931),
        (0.0, 1000, 0.001),
    ] {
        let law = Zipf::new(exponent, keys).unwrap();
        let found = caching(&law, 1.0, Memory::None).unwrap();
        let weights = (1..=keys).map(|rank| (rank as f64).powf(-exponent));
        let square: f64 = weights.clone().map(|weight| weight * weight).sum();
        let exact = square / weights.sum::<f64>().powi(2);
        assert!((exact - hits).abs() < 1e-4);
        assert!(
            (found.hit_ratio.value / exact - 1.0).abs() < 1e-4,
            "{found:?}"
        );
        assert!(
            (found.writes.value / (1.0 - exact) - 1.0).abs() < 1e-4,
            "{found:?}"
        );
    }
}
