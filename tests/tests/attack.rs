//! Attack on a filter whose seed is known. The unkeyed families are linear in the key, but for the S-boxes
//! behind their first layer: keys that differ by an element of that layer's kernel are one key to the filter. A keyed hash
//! does not see such keys as special.

use bloomline_bench::filter::{emitted_design, ModelReference, Traffic, TrafficItem};
use bloomline_bench::lockstep::Bench;
use bloomline_bench::verilator::Initial;
use bloomline_model::{CellFilter, RecyclingFilter};
use bloomline_spec::registers::RecyclingCounter;
use bloomline_spec::{
    CellGeometry, CellOperation, Common, Design, FilterSpec, HashUnit, Key, Operation,
};
use bloomline_tests::{simulation, Sample};
use bloomline_theory::two_hash::PartitionedDoubleHashing;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::Cell;
use std::path::Path;

const KEY_BITS: u32 = 104;
const HASHES: u32 = 4;
const RANGE: u64 = 1024;
/// Members of a filter: it is a quarter full.
const MEMBERS: usize = 290;
/// Forged keys that are asked for, a filter.
const FORGED: usize = 500;
const FILTERS: u64 = 300;

/// A static filter whose seed everybody knows.
fn filter(family: &str, seed: u64) -> CellGeometry {
    let text = format!(
        "name = \"attacked\"\n[filter]\nkind = \"static\"\nmemory_bits = {}\nhashes = {HASHES}\nitems = {MEMBERS}\n\
         accept_two_hash_floor = true\n[key]\nbits = {KEY_BITS}\n[hash]\nfamily = \"{family}\"\nseed = {seed}\n",
        RANGE * u64::from(HASHES)
    );
    let spec = FilterSpec::from_toml(&text, Path::new("attacked.toml"));
    match spec.and_then(|spec| spec.design()) {
        Ok(Design::Cells(geometry)) => geometry,
        other => panic!("{other:?}"),
    }
}

/// For each key bit what its flip does to all that the filter goes on with, from the public constants: to the positions (plain
/// H3), or to the bits before the S-boxes.
fn images(common: &Common) -> Vec<u128> {
    let image = |bit: usize| {
        let mut shift = 0;
        let mut image = 0;
        for unit in &common.hash().units {
            let (row, width) = match unit {
                HashUnit::H3(unit) => {
                    let width = common.index_bits();
                    (unit.rows[bit] & ((1 << width) - 1), width)
                }
                HashUnit::Sbox(unit) => (unit.rows[bit], 64),
                HashUnit::Sip(_) => panic!("a keyed hash has no public constants"),
            };
            image |= u128::from(row) << shift;
            shift += width;
        }
        assert!(shift <= 128);
        image
    };
    (0..common.key_bits() as usize).map(image).collect()
}

/// A basis of the sets of key bits whose images cancel.
fn kernel(images: &[u128]) -> Vec<u128> {
    let mut reduced: Vec<(u128, u128)> = Vec::new();
    let mut kernel = Vec::new();
    for (bit, &image) in images.iter().enumerate() {
        let (mut image, mut bits) = (image, 1_u128 << bit);
        for &(other, its_bits) in &reduced {
            if image ^ other < image {
                image ^= other;
                bits ^= its_bits;
            }
        }
        if image == 0 {
            kernel.push(bits);
        } else {
            reduced.push((image, bits));
            // Largest first, so that one pass reduces by every leading bit.
            reduced.sort_by_key(|&(image, _)| std::cmp::Reverse(image));
        }
    }
    kernel
}

/// A key that is another one, but not to the filter.
fn forge(random: &mut ChaCha8Rng, kernel: &[u128], key: u128) -> u128 {
    loop {
        let difference = kernel
            .iter()
            .filter(|_| random.random())
            .fold(0, |sum, bits| sum ^ bits);
        if difference != 0 {
            return key ^ difference;
        }
    }
}

fn key(value: u128) -> Key {
    Key::from_integer(value, KEY_BITS).expect("cut to its width")
}

fn random_key(random: &mut ChaCha8Rng) -> u128 {
    random.random::<u128>() >> (128 - KEY_BITS)
}

/// Share of `asked` that a filter of `members` takes for members.
fn false_positives(geometry: &CellGeometry, secret: u128, members: &[u128], asked: &[u128]) -> f64 {
    let mut filter = CellFilter::new(geometry);
    filter.set_secret(secret);
    for &member in members {
        filter.apply(&key(member), CellOperation::Insert, 1);
    }
    let seen = |asked: &&u128| {
        filter
            .apply(&key(**asked), CellOperation::Query, 1)
            .verdict
            .seen
    };
    asked.iter().filter(seen).count() as f64 / asked.len() as f64
}

/// Mean of the samples and its standard error.
fn mean(samples: &[f64]) -> (f64, f64) {
    let count = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / count;
    let variance = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

#[test]
fn keys_forged_from_public_constants_pass_for_members_and_a_keyed_hash_does_not_see_them() {
    let predicted = PartitionedDoubleHashing::new(RANGE, HASHES)
        .expect("in the law's domain")
        .rate(MEMBERS as f64);
    for family in ["h3", "h3-sbox"] {
        let mut attacked = Vec::new();
        let mut keyed = Vec::new();
        let mut strangers = Vec::new();
        for seed in 0..FILTERS {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let public = filter(family, seed);
            let kernel = kernel(&images(&public));
            assert!(kernel.len() >= 40, "{family}: {}", kernel.len());
            let members: Vec<u128> = (0..MEMBERS).map(|_| random_key(&mut random)).collect();
            let forged: Vec<u128> = (0..FORGED)
                .map(|_| {
                    let member = members[random.random_range(0..MEMBERS)];
                    forge(&mut random, &kernel, member)
                })
                .collect();
            let fresh: Vec<u128> = (0..FORGED).map(|_| random_key(&mut random)).collect();
            attacked.push(false_positives(&public, 0, &members, &forged));
            strangers.push(false_positives(&public, 0, &members, &fresh));
            let secret = random.random();
            keyed.push(false_positives(
                &filter("siphash", seed),
                secret,
                &members,
                &forged,
            ));
        }
        let (attacked, _) = mean(&attacked);
        println!("{family}: predicted {predicted:.5}, forged keys {attacked:.5}");
        assert!(attacked > 10.0 * predicted, "{family}: {attacked}");
        assert_eq!(attacked, 1.0, "{family}: every forged key passes");
        // 99% for the family of four intervals, two-sided: |z| < 3.02. Seeds are 0 to FILTERS - 1.
        for (what, samples) in [("siphash", keyed), ("fresh keys", strangers)] {
            let (rate, error) = mean(&samples);
            let z = (rate - predicted) / error;
            println!("{family}, {what}: {rate:.5}, z {z:.2}");
            assert!(z.abs() < 3.02, "{family}, {what}: {rate:.5}, z {z:.2}");
        }
    }
}

#[test]
fn keys_forged_under_a_leaked_secret_pass_until_the_recycle_behind_a_rekey_and_not_after_it() {
    let geometry = Sample {
        hashing: "independent",
        family: "siphash",
        partition_bits: 1024,
        threshold: 1024,
        ..Sample::BASE
    }
    .geometry();
    let (mut seen, mut expected, mut variance) = (0, 0.0, 0.0);
    for seed in 0..40 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut filter = RecyclingFilter::new(&geometry);
        filter.set_secret(random.random());
        let ask = |filter: &mut RecyclingFilter, value| {
            filter.apply(&key(value), Operation::Query).seen()
        };
        let insert_some = |filter: &mut RecyclingFilter, random: &mut ChaCha8Rng| {
            for _ in 0..200 {
                filter.apply(&key(random_key(random)), Operation::Insert);
            }
        };
        insert_some(&mut filter, &mut random);
        // Who knows the secret looks for keys that pass at home.
        let forged: Vec<u128> = std::iter::repeat_with(|| random_key(&mut random))
            .filter(|&value| ask(&mut filter, value))
            .take(50)
            .collect();
        filter.rekey(random.random());
        insert_some(&mut filter, &mut random);
        assert!(
            forged.iter().all(|&value| ask(&mut filter, value)),
            "the frozen half is under the leaked secret still"
        );
        filter.recycle();
        let probability = filter.probability_seen();
        for value in forged {
            seen += u32::from(ask(&mut filter, value));
            expected += probability;
            variance += probability * (1.0 - probability);
        }
    }
    // 99%, two-sided; seeds are 0 to 39.
    let z = (f64::from(seen) - expected) / variance.sqrt();
    println!("{seen} of 2000 forged keys seen, {expected:.2} expected, z {z:.2}");
    assert!(z.abs() < 2.576, "z {z:.2}");
}

#[test]
#[ignore = "a claim"]
fn forged_keys_break_the_emitted_filter_with_plain_h3_and_not_the_one_with_siphash() {
    let sample = |family| Sample {
        hashing: "independent",
        family,
        partition_bits: 1024,
        threshold: 1024,
        ..Sample::BASE
    };
    let public = sample("h3").geometry();
    let kernel = kernel(&images(&public));
    let mut random = ChaCha8Rng::seed_from_u64(1);
    // Forged keys are new to the filter, one and all: a filter of first sights has to call none of them seen.
    let honest: Vec<u128> = (0..200).map(|_| random_key(&mut random)).collect();
    let forged: Vec<u128> = (0..4_000)
        .map(|_| forge(&mut random, &kernel, honest[199]))
        .collect();
    let stream = || honest.iter().chain(&forged).copied();
    let mut rates = Vec::new();
    for family in ["h3", "siphash"] {
        let geometry = sample(family).geometry();
        let mut filter = RecyclingFilter::new(&geometry);
        let (mut seen, mut expected, mut variance, mut seen_of_forged) = (0, 0.0, 0.0, 0);
        for (place, value) in stream().enumerate() {
            let probability = filter.probability_seen();
            let outcome = filter.apply(&key(value), Operation::TestAndInsert);
            seen += u64::from(outcome.seen());
            if place >= honest.len() {
                seen_of_forged += u32::from(outcome.seen());
                expected += probability;
                variance += probability * (1.0 - probability);
            }
        }
        let (design, _) = emitted_design(&geometry).expect("emit");
        let bench = Bench::new(simulation(&design));
        let counted = Cell::new(0);
        let make = |_| {
            let items = stream()
                .map(|value| TrafficItem {
                    key: key(value),
                    operation: Operation::TestAndInsert,
                })
                .collect::<Vec<_>>();
            (
                ModelReference::new(&geometry),
                Traffic::new(&geometry, items.into_iter()),
            )
        };
        bench
            .run(1, Initial::Random(1), make, |clock| {
                let status = clock.reference.model.status();
                counted.set(status.counter(RecyclingCounter::Seen));
            })
            .unwrap_or_else(|error| panic!("{family}: {error}"));
        assert_eq!(counted.get(), seen, "{family}: the pipeline's verdicts");
        let rate = f64::from(seen_of_forged) / forged.len() as f64;
        println!(
            "{family}: {rate:.5} of the forged keys seen, {:.5} expected",
            expected / forged.len() as f64
        );
        rates.push(rate);
        if family == "siphash" {
            let z = (f64::from(seen_of_forged) - expected) / variance.sqrt();
            assert!(z.abs() < 2.576, "seed 1: z {z:.2}");
        }
    }
    assert!(rates[0] > 10.0 * rates[1], "{rates:?}");
}
