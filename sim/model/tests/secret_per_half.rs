//! Filters of two phases with a keyed hash: a secret for each half, and rekeys that forget no more than a recycle.

use crate::common::harness::{Harness, Traffic};
use crate::common::Shape;
use bloomline_model::{Outcome, RecyclingFilter};
use bloomline_spec::registers::address::HASH_KEY;
use bloomline_spec::registers::{address, field, RecyclingCounter};
use bloomline_spec::{Key, Operation};
use rand::Rng;

const CLEAR: u32 = 1 << field::CONTROL_CLEAR;
const REKEY: u32 = 1 << field::CONTROL_REKEY;

/// Room for thousands of items.
const ROOMY: Shape = Shape {
    partition_bits: 1 << 14,
    threshold: 30_000,
    ..KEYED
};
const KEYED: Shape = Shape {
    phases: 2,
    on: bloomline_spec::RecycleOn::BitsSet,
    retain: true,
    hashes: 4,
    partition_bits: 128,
    threshold: 200,
    hashing: "double",
    family: "siphash",
    key_bits: 104,
    seed: 1,
};

fn key(value: u32) -> Key {
    Key::from_integer(value.into(), KEYED.key_bits as u32).expect("fits")
}

fn insert(filter: &mut RecyclingFilter, values: std::ops::Range<u32>) -> Vec<Outcome> {
    values
        .map(|value| filter.apply(&key(value), Operation::TestAndInsert))
        .collect()
}

fn all_seen(filter: &mut RecyclingFilter, mut values: std::ops::Range<u32>) -> bool {
    values.all(|value| filter.apply(&key(value), Operation::Query).seen())
}

#[test]
fn a_rekey_forgets_nothing_that_came_since_the_recycle_before_it() {
    for family in ["siphash", "siphash-2-4"] {
        let mut filter = RecyclingFilter::new(&Shape { family, ..ROOMY }.geometry());
        insert(&mut filter, 0..1_000);
        filter.recycle();
        insert(&mut filter, 1_000..2_000);
        filter.rekey(1 << 100 | 7);
        assert!(all_seen(&mut filter, 1_000..2_000), "under its own secret");
        assert!(!all_seen(&mut filter, 0..1_000), "its half is emptied");
        insert(&mut filter, 2_000..3_000);
        assert!(all_seen(&mut filter, 1_000..3_000), "both secrets live");
        filter.recycle();
        assert!(filter.older_hasher().is_none());
        assert!(all_seen(&mut filter, 2_000..3_000));
        insert(&mut filter, 3_000..4_000);
        assert!(all_seen(&mut filter, 2_000..4_000));
    }
}

#[test]
fn the_first_secret_has_no_influence_after_two_rekeys_or_a_rekey_and_a_recycle() {
    let story = |first: u128, second: fn(&mut RecyclingFilter)| {
        let mut filter = RecyclingFilter::new(&ROOMY.geometry());
        filter.set_secret(first);
        insert(&mut filter, 0..4_000);
        filter.rekey(20);
        let between = insert(&mut filter, 3_000..7_000);
        second(&mut filter);
        (between, insert(&mut filter, 5_000..12_000))
    };
    for second in [
        |filter: &mut RecyclingFilter| filter.rekey(30),
        |filter: &mut RecyclingFilter| filter.recycle(),
        |filter: &mut RecyclingFilter| filter.clear(),
    ] {
        let (one, other) = (story(10, second), story(11, second));
        assert_ne!(one.0, other.0, "until then it has");
        assert_eq!(one.1, other.1);
    }
}

#[test]
fn a_half_is_probed_under_its_own_secret_only() {
    let mut filter = RecyclingFilter::new(&ROOMY.geometry());
    let older = filter.hasher().clone();
    insert(&mut filter, 0..5_000);
    filter.rekey(5);
    assert_eq!(
        filter.older_hasher().map(|hasher| hasher.secret()),
        Some(older.secret())
    );
    insert(&mut filter, 5_000..10_000);
    // Strangers: three sigma of a thousand draws and more around the probability that the filter states.
    let stated = filter.probability_seen();
    let seen = (100_000..200_000)
        .filter(|&value| filter.apply(&key(value), Operation::Query).seen())
        .count() as f64;
    let error = (100_000.0 * stated * (1.0 - stated)).sqrt();
    assert!(
        (seen - 100_000.0 * stated).abs() < 4.0 * error,
        "{seen} of 100000, {stated} stated"
    );
}

#[test]
fn a_rekey_of_one_half_clears_and_without_a_keyed_hash_there_is_none() {
    let mut single = RecyclingFilter::new(&Shape { phases: 1, ..ROOMY }.geometry());
    insert(&mut single, 0..100);
    single.rekey(9);
    assert_eq!(
        (single.bits_active(), single.hasher().secret()),
        (0, Some(9))
    );
    let public = Shape {
        family: "h3-sbox",
        ..ROOMY
    };
    let mut public = RecyclingFilter::new(&public.geometry());
    insert(&mut public, 0..100);
    let bits = public.bits_active();
    public.rekey(9);
    assert_eq!((public.bits_active(), public.recycles()), (bits, 0));
}

/// Writes a secret of the test's own, whole or a word of it.
fn write_secret(harness: &mut Harness, words: u32) {
    for word in 0..words {
        let value = harness.random.random();
        harness.write(HASH_KEY + 4 * word, value);
    }
}

#[test]
fn verdicts_match_through_rekeys_clears_ages_resets_and_thresholds() {
    for (seed, shape) in (0..).zip(KEYED.modes()) {
        for roomy in [false, true] {
            let shape = if roomy {
                Shape {
                    partition_bits: 2048,
                    threshold: 1_000,
                    ..shape
                }
            } else {
                shape
            };
            let mut harness = Harness::new(shape, Traffic::HOLES, seed);
            let mut resets = 0;
            for round in 0..60 {
                let clocks = harness.random.random_range(1..400);
                harness.run(clocks);
                let words = round % 5;
                write_secret(&mut harness, words);
                let command = [CLEAR, REKEY, REKEY, REKEY, CLEAR | REKEY][round as usize % 5];
                harness.write(address::CONTROL, command);
                if round % 7 == 3 {
                    harness.write(address::CONTROL, REKEY);
                }
                if round % 3 == 1 {
                    let place = harness.random.random_range(0..32);
                    harness.write(address::ARRAY_ADDRESS, place);
                }
                if round % 9 == 4 {
                    harness.write(address::MAX_AGE, round % 2);
                }
                if round % 11 == 5 {
                    // In the middle of what was asked for, wherever that is.
                    let clocks = harness.random.random_range(1..150);
                    harness.run(clocks);
                    harness.accesses.clear();
                    harness.reset(1);
                    resets += 1;
                }
                if round % 10 == 9 {
                    harness.settle();
                }
            }
            harness.settle();
            assert!(harness.fetches > 5, "{shape:?}: {}", harness.fetches);
            let rekeyed = harness.rekeys;
            assert_eq!(rekeyed > 20, shape.phases == 2, "{shape:?}: {rekeyed}");
            let least = if roomy { 1_500 } else { 100 };
            assert!(
                resets > 3 && harness.verdicts_compared > least,
                "{shape:?}: {}",
                harness.verdicts_compared
            );
        }
    }
}

#[test]
fn an_item_takes_two_clocks_from_a_rekey_to_the_next_recycle_and_one_before_and_after() {
    let mut harness = Harness::new(ROOMY, Traffic::FULL, 1);
    let a_thousand_clocks = |harness: &mut Harness| {
        harness.run(200);
        let before = harness.accepted;
        harness.run(1_000);
        harness.accepted - before
    };
    assert_eq!(a_thousand_clocks(&mut harness), 1_000);
    write_secret(&mut harness, 4);
    harness.write(address::CONTROL, REKEY);
    harness.finish_accesses();
    assert_eq!(a_thousand_clocks(&mut harness), 500);
    // Anything but a recycle leaves it so.
    harness.write(address::THRESHOLD, 29_000);
    harness.finish_accesses();
    assert_eq!(a_thousand_clocks(&mut harness), 500);
    harness.write(address::MAX_AGE, 1);
    harness.run(2_500);
    harness.write(address::MAX_AGE, 0);
    harness.finish_accesses();
    assert_eq!(a_thousand_clocks(&mut harness), 1_000);
    // A second rekey while the secrets differ, then an item that trips.
    for _ in 0..2 {
        write_secret(&mut harness, 4);
        harness.write(address::CONTROL, REKEY);
    }
    harness.finish_accesses();
    assert_eq!(a_thousand_clocks(&mut harness), 500);
    let recycles = harness.model.status().counter(RecyclingCounter::Recycles);
    harness.write(address::THRESHOLD, 300);
    harness.finish_accesses();
    harness.traffic.keys = u32::MAX;
    harness.run(200);
    assert!(harness.model.status().counter(RecyclingCounter::Recycles) > recycles);
    assert!(harness.model.filter().older_hasher().is_none());
    // A clear with a new secret leaves no difference.
    harness.write(address::THRESHOLD, 30_000);
    harness.write(address::CONTROL, CLEAR | REKEY);
    harness.finish_accesses();
    assert_eq!(a_thousand_clocks(&mut harness), 1_000);
    harness.settle();
}

#[test]
fn a_rekey_that_arrives_at_any_clock_of_an_ageing_drain_is_never_lost() {
    for delay in 0..160 {
        let shape = Shape {
            partition_bits: 1 << 10,
            threshold: 2_000,
            ..KEYED
        };
        let traffic = Traffic {
            response_ready: 100,
            ..Traffic::FULL
        };
        let mut harness = Harness::new(shape, traffic, 1_000 + delay);
        write_secret(&mut harness, 4);
        harness.write(address::MAX_AGE, 1);
        harness.finish_accesses();
        let mut waited = 0;
        while harness.model.status().running || waited < 200 {
            harness.run(1);
            waited += 1;
            assert!(waited < 4_000, "the half never aged");
        }
        harness.run(delay);
        harness.write(address::CONTROL, REKEY);
        harness.finish_accesses();
        harness.write(address::MAX_AGE, 0);
        harness.run(300);
        harness.settle();
        assert_eq!(harness.rekeys, 1, "{delay}");
    }
}

#[test]
fn a_reset_at_any_clock_of_a_rekey_leaves_an_empty_filter_that_is_exact() {
    let mut dropped = 0;
    for delay in 0..220 {
        let mut harness = Harness::new(ROOMY, Traffic::FULL, 2_000 + delay);
        let first = harness.model.filter().hasher().secret();
        write_secret(&mut harness, 4);
        harness.finish_accesses();
        harness.run(100);
        harness.write(address::CONTROL, REKEY);
        harness.run(delay);
        harness.accesses.clear();
        harness.reset(1);
        dropped += u32::from(harness.model.filter().hasher().secret() == first);
        harness.run(600);
        harness.settle();
        assert!(harness.verdicts_compared > 300, "{delay}");
    }
    assert!((60..200).contains(&dropped), "{dropped} of 220");
}
