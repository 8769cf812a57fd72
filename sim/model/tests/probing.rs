//! Probe positions: every scheme against its definition in plain words, and the promises that schemes make.

use crate::common::cell_sample::CellSample;
use crate::common::plain_hash;
use bloomline_model::ProbeHasher;
use bloomline_spec::{CellGeometry, Common, Key};
use itertools::Itertools;
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

const FAMILIES: [&str; 4] = ["h3-sbox", "h3", "siphash", "siphash-2-4"];

/// A sketch of 32-bit counters in one array: as many positions as words.
const ARRAY: CellSample = CellSample {
    cell_bits: 32,
    amount_bits: 1,
    layout: "shared",
    hashing: "independent",
    ..CellSample::SKETCH
};

fn random_key(random: &mut ChaCha8Rng, common: &Common) -> Key {
    let bits = common.key_bits();
    let mut words: Vec<u64> = (0..bits.div_ceil(64)).map(|_| random.random()).collect();
    if let Some(last) = words.last_mut() {
        *last &= u64::MAX >> (bits.next_multiple_of(64) - bits);
    }
    Key::from_words(&words, bits).expect("cut to its width")
}

#[test]
fn the_plain_siphash_gives_its_authors_test_vector() {
    let message: Vec<u8> = (0..15).collect();
    let (k0, k1) = (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908);
    assert_eq!(
        plain_hash::sip_hash((2, 4), k0, k1, &message),
        0xa129_ca61_49be_45e5
    );
}

#[test]
fn a_siphash_filter_gives_the_authors_test_vector() {
    let geometry = CellSample {
        hashes: 2,
        family: "siphash-2-4",
        key_bits: 120,
        ..CellSample::STATIC
    }
    .geometry();
    let mut hasher = ProbeHasher::new(&geometry);
    hasher.set_secret(0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100);
    let message = Key::from_words(&[0x0706_0504_0302_0100, 0x000e_0d0c_0b0a_0908], 120);
    let mut values = [0; 2];
    hasher.functions(&message.expect("120 bits"), &mut values);
    let bits = geometry.hash().function_bits;
    let value = 0xa129_ca61_49be_45e5_u64;
    let mask = (1 << bits) - 1;
    assert_eq!(values, [value & mask, value >> bits & mask]);
}

/// Schemes of both layouts, ranges that are powers of two, primes and neither.
fn shapes() -> impl Strategy<Value = CellSample> {
    let schemes = prop_oneof![
        Just(("partitioned", "double", false)),
        Just(("partitioned", "independent", false)),
        Just(("shared", "double", false)),
        Just(("shared", "independent", false)),
        Just(("shared", "independent", true)),
        Just(("shared", "extended-double-2", false)),
        Just(("shared", "extended-double-3", false)),
    ];
    // Of 1024 cells: a power of two, primes, and what only independent functions may have.
    let ranges = prop_oneof![
        Just(0_u64),
        Just(1021),
        Just(521),
        Just(1024),
        513..=1024_u64
    ];
    (
        schemes,
        ranges,
        1..=32_u64,
        0..4_usize,
        1..=512_u32,
        any::<u64>(),
        1..=4_u64,
    )
        .prop_map(
            |((layout, hashing, distinct), range, hashes, family, key_bits, seed, copies)| {
                let prime = [0, 521, 1021, 1024].contains(&range);
                if (layout, hashing) == ("partitioned", "double") && copies > 1 {
                    return CellSample {
                        words: 256,
                        range: if prime { range } else { 1021 },
                        hashes: copies * (hashes / copies).max(2),
                        copies,
                        family: FAMILIES[family],
                        key_bits,
                        seed: seed >> 2,
                        ..CellSample::SKETCH
                    };
                }
                CellSample {
                    words: 32,
                    layout,
                    hashing,
                    distinct,
                    range: if prime || hashing == "independent" {
                        range
                    } else {
                        1021
                    },
                    hashes,
                    family: FAMILIES[family],
                    key_bits,
                    seed: seed >> 2,
                    ..CellSample::STATIC
                }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn positions_are_those_of_the_definition_in_plain_words(shape in shapes(), seed: u64, secret: u128) {
        let geometry = shape.geometry();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut hasher = ProbeHasher::new(&geometry);
        let keyed = shape.family.starts_with("siphash");
        prop_assert_eq!(hasher.secret().is_some(), keyed);
        let mut secret_in_force = hasher.secret().unwrap_or(0);
        for round in 0..40 {
            if round == 20 {
                hasher.set_secret(secret);
                secret_in_force = secret;
                prop_assert_eq!(hasher.secret(), keyed.then_some(secret));
            }
            let key = random_key(&mut random, &geometry);
            let probes = hasher.probes(&key);
            let got: Vec<u64> = probes.positions().iter().map(|&p| p.into()).collect();
            prop_assert_eq!(got, plain_hash::positions(&geometry, &key, secret_in_force));
        }
    }
}

#[test]
fn bits_of_the_port_above_the_key_change_nothing() {
    for family in FAMILIES {
        for key_bits in [1, 33, 63, 100, 120, 511] {
            let geometry = CellSample {
                family,
                key_bits,
                ..CellSample::STATIC
            }
            .geometry();
            let hasher = ProbeHasher::new(&geometry);
            let words = key_bits.div_ceil(64) as usize;
            let mut key = vec![0; words];
            let clean = hasher.probes_of_words(&key);
            key[words - 1] = u64::MAX << (key_bits % 64);
            assert_eq!(hasher.probes_of_words(&key), clean, "{family} {key_bits}");
        }
    }
}

#[test]
fn every_bit_of_a_secret_changes_the_positions() {
    for family in ["siphash", "siphash-2-4"] {
        let geometry = CellSample {
            family,
            words: 1 << 10,
            ..CellSample::STATIC
        }
        .geometry();
        let hasher = ProbeHasher::new(&geometry);
        let key = Key::from_integer(42, 104).expect("fits");
        let secret = hasher.secret().expect("keyed");
        assert_eq!(geometry.hash().secret, Some(secret));
        for bit in 0..128 {
            let mut other = hasher.clone();
            other.set_secret(secret ^ 1 << bit);
            assert_ne!(other.probes(&key), hasher.probes(&key), "{family} {bit}");
        }
    }
}

/// Statistic of goodness of fit against equal shares, as a normal deviate (Wilson and Hilferty's cube root).
fn chi_square_deviate(counts: impl Iterator<Item = u64>, cells: usize, trials: u64) -> f64 {
    let expected = trials as f64 / cells as f64;
    let (present, statistic) = counts.fold((0, 0.0), |(present, sum), count| {
        (
            present + 1,
            sum + (count as f64 - expected).powi(2) / expected,
        )
    });
    let statistic = statistic + (cells - present) as f64 * expected;
    let freedom = (cells - 1) as f64;
    let spread = 2.0 / (9.0 * freedom);
    ((statistic / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

fn subsets(range: u64, hashes: u64) -> usize {
    let (range, hashes) = (range as usize, hashes as usize);
    (0..range).combinations(hashes).count()
}

fn distinct(words: u64, hashes: u64, family: &'static str) -> CellGeometry {
    CellSample {
        words,
        hashes,
        family,
        distinct: true,
        ..ARRAY
    }
    .geometry()
}

#[test]
fn distinct_draws_make_every_subset_equally_likely() {
    // 99% for the family of 12, two-sided (a fit too good is a fault too): |z| < 3.35. Seeds fixed before the first run.
    let cases = [(8, 1), (8, 2), (8, 3), (8, 5), (8, 7), (16, 3)];
    for (seed, ((words, hashes), family)) in cases
        .into_iter()
        .cartesian_product(["h3-sbox", "siphash"])
        .enumerate()
    {
        let geometry = distinct(words, hashes, family);
        assert_eq!(geometry.range(), words);
        let hasher = ProbeHasher::new(&geometry);
        let mut random = ChaCha8Rng::seed_from_u64(seed as u64);
        let cells = subsets(words, hashes);
        let trials = 400 * cells as u64;
        let mut counts: HashMap<Vec<u32>, u64> = HashMap::new();
        for _ in 0..trials {
            let probes = hasher.probes(&random_key(&mut random, &geometry));
            let subset: Vec<u32> = probes.positions().iter().copied().sorted().collect();
            assert!(subset.iter().all_unique() && subset.iter().all(|&p| u64::from(p) < words));
            *counts.entry(subset).or_default() += 1;
        }
        let z = chi_square_deviate(counts.into_values(), cells, trials);
        assert!(
            z.abs() < 3.35,
            "{words} words, {hashes} hashes, {family}, seed {seed}: z {z:.2}"
        );
    }
}

#[test]
fn all_of_the_array_is_drawn_when_there_are_as_many_probes_as_positions() {
    for family in FAMILIES {
        let geometry = distinct(8, 8, family);
        let hasher = ProbeHasher::new(&geometry);
        let mut random = ChaCha8Rng::seed_from_u64(9);
        for _ in 0..1_000 {
            let probes = hasher.probes(&random_key(&mut random, &geometry));
            assert!(probes.positions().iter().copied().sorted().eq(0..8));
        }
    }
}

#[test]
fn double_hashing_on_a_prime_walks_without_repetition_unless_the_step_is_zero() {
    for layout in ["shared", "partitioned"] {
        let geometry = CellSample {
            layout,
            hashes: 32,
            words: 32,
            cell_bits: 16,
            range: 37,
            ..CellSample::COUNTING
        }
        .geometry();
        let hasher = ProbeHasher::new(&geometry);
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let (mut stood, trials) = (0, 20_000);
        for _ in 0..trials {
            let probes = hasher.probes(&random_key(&mut random, &geometry));
            let positions = probes.positions();
            let different = positions.iter().unique().count();
            assert!(different == 32 || different == 1, "{positions:?}");
            stood += u32::from(different == 1);
        }
        // The step is zero for one key in 37: 99% interval of a binomial, seed 4.
        let expected = f64::from(trials) / 37.0;
        let z = (f64::from(stood) - expected) / (expected * 36.0 / 37.0).sqrt();
        assert!(z.abs() < 2.576, "{layout}, seed 4: {stood} stood, z {z:.2}");
    }
}

#[test]
fn double_hashing_on_a_power_of_two_repeats_itself_with_even_steps_and_extensions_differ() {
    let of = |hashing| {
        let geometry = CellSample {
            hashing,
            hashes: 16,
            ..ARRAY
        }
        .geometry();
        let hasher = ProbeHasher::new(&geometry);
        let mut random = ChaCha8Rng::seed_from_u64(5);
        (0..200)
            .map(|_| {
                let probes = hasher.probes(&random_key(&mut random, &geometry));
                probes.positions().to_vec()
            })
            .collect::<Vec<_>>()
    };
    let double = of("double");
    // On 8 positions 16 probes go round at least twice.
    assert!(double
        .iter()
        .all(|positions| positions[..8] == positions[8..]));
    for (hashing, power) in [("extended-double-2", 2), ("extended-double-3", 3)] {
        for (extended, plain) in of(hashing).iter().zip(&double) {
            let expected = (0_u32..).zip(plain).map(|(i, p)| (p + i.pow(power)) % 8);
            assert!(extended.iter().copied().eq(expected), "{hashing}");
        }
    }
}
