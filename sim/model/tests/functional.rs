//! The functional model against a second writing of the semantics on sets of positions.

use crate::common::{plain_hash, Shape};
use bloomline_model::{Outcome, ProbeHasher, RecyclingFilter};
use bloomline_spec::{Key, Operation, RecycleOn, RecyclingGeometry};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// The semantics once more, with halves as sets of (partition, position), in a list, the active one first.
struct Naive {
    halves: Vec<HashSet<(usize, u64)>>,
    on: RecycleOn,
    retain: bool,
    threshold: u64,
    messages: u64,
}

impl Naive {
    fn new(geometry: &RecyclingGeometry) -> Naive {
        Naive {
            halves: vec![HashSet::new(); geometry.phases() as usize],
            on: geometry.recycle_on(),
            retain: geometry.retain(),
            threshold: geometry.threshold(),
            messages: 0,
        }
    }

    fn recycle(&mut self) {
        self.halves.pop();
        self.halves.insert(0, HashSet::new());
        self.halves.truncate(2);
        self.messages = 0;
    }

    fn apply(&mut self, positions: &[u64], operation: Operation) -> Outcome {
        let places: HashSet<(usize, u64)> = positions.iter().copied().enumerate().collect();
        let mut outcome = Outcome {
            in_active: places.is_subset(&self.halves[0]),
            in_frozen: self
                .halves
                .get(1)
                .is_some_and(|frozen| places.is_subset(frozen)),
            ..Outcome::default()
        };
        if operation == Operation::Query {
            return outcome;
        }
        let new = places.difference(&self.halves[0]).count() as u64;
        outcome.new_bits = new as u32;
        outcome.stored = true;
        if new == 0 {
            return outcome;
        }
        outcome.tripped = match self.on {
            RecycleOn::BitsSet => self.halves[0].len() as u64 + new > self.threshold,
            RecycleOn::Messages => self.messages + 1 >= self.threshold,
        };
        if outcome.tripped {
            self.recycle();
            outcome.stored = self.retain;
        }
        if outcome.stored {
            self.halves[0].extend(places);
            self.messages += 1;
        }
        outcome
    }
}

fn state(naive: &Naive) -> (u64, u64, u64) {
    (
        naive.halves[0].len() as u64,
        naive.halves.get(1).map_or(0, |half| half.len() as u64),
        naive.messages,
    )
}

fn check_against_naive(shape: Shape, seed: u64, items: usize) {
    let geometry = shape.geometry();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut naive = Naive::new(&geometry);
    let mut filter = RecyclingFilter::new(&geometry);
    let (mut trips, mut seen) = (0, 0);
    for item in 0..items {
        match random.random_range(0..400) {
            0 => {
                naive.halves.iter_mut().for_each(HashSet::clear);
                naive.messages = 0;
                filter.clear();
            }
            1 => {
                let threshold = random.random_range(0..2 * geometry.threshold());
                naive.threshold = threshold;
                filter.set_threshold(threshold);
            }
            2 => {
                naive.recycle();
                filter.recycle();
            }
            _ => {}
        }
        let key =
            Key::from_integer(random.random_range(0..300), geometry.key_bits()).expect("300 fits");
        let operation = Operation::from_code(random.random_range(0..4));
        let expected = naive.apply(&plain_hash::positions(&geometry, &key, 0), operation);
        let got = filter.apply(&key, operation);
        let place = format!("{shape:?} seed {seed} item {item}");
        assert_eq!(got, expected, "{place}");
        assert_eq!(
            (
                filter.bits_active(),
                filter.bits_frozen(),
                filter.messages()
            ),
            state(&naive),
            "{place}"
        );
        trips += u32::from(got.tripped);
        seen += u32::from(got.seen());
        if item % 64 == 0 {
            let expected = naive_probability(&naive, &geometry);
            assert!(
                (filter.probability_seen() - expected).abs() < 1e-12,
                "{place}"
            );
        }
    }
    assert!(
        trips + seen > 100,
        "{shape:?} seed {seed}: {trips} trips, {seen} seen: too few to say anything"
    );
}

/// Inclusion and exclusion over sets, partition by partition.
fn naive_probability(naive: &Naive, geometry: &RecyclingGeometry) -> f64 {
    let product = |set: &HashSet<(usize, u64)>| {
        (0..geometry.hashes() as usize)
            .map(|i| {
                set.iter().filter(|place| place.0 == i).count() as f64
                    / geometry.partition_bits() as f64
            })
            .product::<f64>()
    };
    match &naive.halves[..] {
        [active, frozen] => {
            product(active) + product(frozen)
                - product(&active.intersection(frozen).copied().collect())
        }
        halves => product(&halves[0]),
    }
}

#[test]
fn every_mode_equals_an_independent_writing_on_sets() {
    for shape in Shape::default().modes() {
        let threshold = if shape.on == RecycleOn::Messages {
            60
        } else {
            200
        };
        check_against_naive(Shape { threshold, ..shape }, 11, 12_000);
    }
}

#[test]
fn extreme_thresholds_equal_an_independent_writing_on_sets() {
    for shape in (Shape {
        hashes: 3,
        ..Shape::default()
    })
    .modes()
    {
        let (least, most) = match shape.on {
            RecycleOn::BitsSet => (3, 383),
            RecycleOn::Messages => (1, 384),
        };
        for threshold in [least, least + 1, most] {
            check_against_naive(Shape { threshold, ..shape }, 12, 6_000);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn random_geometries_equal_an_independent_writing_on_sets(
        mode in 0usize..8, hashes in 1u64..=9, size in 7u32..=9, independent: bool, plain: bool, seed: u64,
        key_bits in 10u64..=130,
    ) {
        let shape = Shape {
            hashes,
            partition_bits: 1 << size,
            hashing: if independent { "independent" } else { "double" },
            family: if plain { "h3" } else { "h3-sbox" },
            key_bits,
            seed: seed >> 2,
            ..Shape::default()
        }.modes().nth(mode).expect("eight modes");
        let threshold = if shape.on == RecycleOn::Messages { 20 } else { 20 * hashes };
        check_against_naive(Shape { threshold, ..shape }, seed, 2_000);
    }
}

#[test]
fn hash_gives_the_published_check_values() {
    let geometry = Shape {
        hashes: 2,
        partition_bits: 1 << 15,
        ..Shape::default()
    }
    .geometry();
    let hasher = ProbeHasher::new(&geometry);
    for (key, expected) in [(0, [0x6248, 0x36bd]), (1, [0x5db7, 0x0e0e])] {
        let mut values = [0; 2];
        hasher.functions(&Key::from_integer(key, 104).expect("fits"), &mut values);
        assert_eq!(values, expected, "key {key}");
    }
}

#[test]
fn probability_seen_predicts_the_verdicts_of_fresh_keys() {
    // 99% two-sided interval around the mean probability; seed fixed before the first run.
    let shape = Shape {
        partition_bits: 1024,
        threshold: 2048,
        hashing: "independent",
        ..Shape::default()
    };
    let geometry = shape.geometry();
    let mut filter = RecyclingFilter::new(&geometry);
    let mut random = ChaCha8Rng::seed_from_u64(20);
    let (mut expected, mut variance, mut seen) = (0.0, 0.0, 0.0);
    for _ in 0..200_000 {
        let key = Key::from_words(&[random.random(), random.random::<u64>() >> 24], 104)
            .expect("104 bits");
        let probability = filter.probability_seen();
        expected += probability;
        variance += probability * (1.0 - probability);
        seen += f64::from(u8::from(
            filter.apply(&key, Operation::TestAndInsert).seen(),
        ));
    }
    let z = (seen - expected) / f64::sqrt(variance);
    assert!(
        z.abs() < 2.576,
        "seed 20: {seen} seen, {expected:.1} expected, z {z:.2}"
    );
}
