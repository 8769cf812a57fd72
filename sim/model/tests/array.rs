//! A host reads the array of a recycling filter while items go on.

use crate::common::harness::{Harness, Traffic};
use crate::common::Shape;
use bloomline_spec::registers::{address, field, RecyclingCounter};
use bloomline_spec::HalfRole;
use rand::Rng;

const LIVELY: Shape = Shape {
    partition_bits: 256,
    threshold: 280,
    phases: 2,
    on: bloomline_spec::RecycleOn::BitsSet,
    retain: true,
    hashes: 4,
    hashing: "double",
    family: "h3-sbox",
    key_bits: 104,
    seed: 1,
};

/// Writes the address of a word and reads it.
fn fetch(harness: &mut Harness, half: HalfRole, bank: u32, word: u32) -> u32 {
    let place = harness.geometry.array_address(half, bank, word);
    harness.write(address::ARRAY_ADDRESS, place);
    harness.read_now(address::ARRAY_DATA).0
}

fn turns(harness: &mut Harness) -> u32 {
    harness.read_now(address::STATUS).0 >> field::STATUS_TURNS
}

/// Every word of a half, bank 0 first.
fn half(harness: &mut Harness, role: HalfRole) -> Vec<u32> {
    let words = harness.geometry.words_per_bank() as u32;
    let places = (0..harness.geometry.banks()).flat_map(|bank| (0..words).map(move |w| (bank, w)));
    let places: Vec<_> = places.collect();
    places
        .into_iter()
        .map(|(bank, word)| fetch(harness, role, bank, word))
        .collect()
}

#[test]
fn a_word_is_what_the_items_before_it_left_in_every_mode_however_short_the_cycle() {
    for (seed, shape) in (0..).zip(LIVELY.modes()) {
        for threshold in [shape.hashes, shape.hashes + 1, 90, 280] {
            let shape = Shape { threshold, ..shape };
            for traffic in [Traffic::FULL, Traffic::HOLES] {
                // The harness holds every word to the functional filter.
                let mut harness = Harness::new(shape, traffic, seed);
                let mut filled = [0, 0];
                for _ in 0..150 {
                    let clocks = harness.random.random_range(0..60);
                    harness.run(clocks);
                    let roles = HalfRole::of(harness.geometry.phases());
                    let role = roles[harness.random.random_range(0..roles.len())];
                    let bank = harness.random.random_range(0..4);
                    let word = harness.random.random_range(0..8);
                    let data = fetch(&mut harness, role, bank, word);
                    filled[role as usize] += u32::from(data != 0);
                }
                assert_eq!(harness.fetches, 150);
                harness.settle();
                if threshold >= 90 && shape.on == bloomline_spec::RecycleOn::BitsSet {
                    let least = [30, if shape.phases == 2 { 30 } else { 0 }];
                    assert!(
                        filled[0] >= least[0] && filled[1] >= least[1],
                        "{shape:?} {traffic:?} {filled:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_words_of_a_half_have_as_many_bits_set_as_the_register_counts() {
    let mut harness = Harness::new(LIVELY, Traffic::FULL, 5);
    harness.run(5_000);
    harness.settle();
    harness.traffic.items = 0;
    for (role, register) in [
        (HalfRole::Active, address::BITS_ACTIVE),
        (HalfRole::Frozen, address::BITS_FROZEN),
    ] {
        let bits: u32 = half(&mut harness, role)
            .iter()
            .map(|word| word.count_ones())
            .sum();
        assert!(bits > 0);
        assert_eq!(bits, harness.read_now(register).0, "{role:?}");
    }
}

#[test]
fn turns_tell_of_every_recycle_between_two_words() {
    let mut harness = Harness::new(LIVELY, Traffic::FULL, 6);
    harness.run(3_000);
    harness.settle();
    harness.traffic.items = 0;
    // Items: as many turns as recycles, and two of the way out of configuration.
    let recycles = harness.model.status().counter(RecyclingCounter::Recycles);
    assert!(recycles > 3);
    assert_eq!(u64::from(turns(&mut harness)), recycles + 2);
    // A clear turns both halves and counts as no recycle; so does a reset, which leaves turns alone.
    let before = turns(&mut harness);
    harness.write(address::CONTROL, 1);
    harness.settle();
    assert_eq!(turns(&mut harness), before + 2);
    assert_eq!(
        harness.model.status().counter(RecyclingCounter::Recycles),
        recycles
    );
    harness.reset(1);
    harness.settle();
    assert_eq!(turns(&mut harness), before + 4);
    // Ageing.
    harness.write(address::MAX_AGE, 1);
    harness.finish_accesses();
    harness.run(1_500);
    assert!(turns(&mut harness) > before + 4);
}

#[test]
fn a_bank_that_is_not_there_reads_as_0() {
    let shape = Shape {
        hashes: 3,
        ..LIVELY
    };
    let mut harness = Harness::new(shape, Traffic::FULL, 7);
    harness.run(3_000);
    assert_ne!(half(&mut harness, HalfRole::Active), [0; 24]);
    for word in 0..8 {
        assert_eq!(fetch(&mut harness, HalfRole::Active, 3, word), 0);
        assert_eq!(fetch(&mut harness, HalfRole::Frozen, 3, word), 0);
    }
}

#[test]
fn a_word_holds_the_stream_for_two_clocks_more_than_the_write_stage() {
    let mut harness = Harness::new(
        Shape {
            threshold: 900,
            ..LIVELY
        },
        Traffic::FULL,
        8,
    );
    harness.run(2_000);
    let write_stage = u64::from(harness.geometry.timing().write_stage);
    let stalled = |harness: &Harness| {
        harness
            .model
            .status()
            .counter(RecyclingCounter::StallControl)
    };
    for round in 0..40 {
        let before = stalled(&harness);
        harness.run(round);
        fetch(&mut harness, HalfRole::Frozen, 1, 2);
        harness.run(100);
        assert_eq!(stalled(&harness) - before, write_stage + 2, "round {round}");
    }
}

#[test]
fn a_reset_drops_a_word_that_is_on_its_way() {
    for clocks in 0..80 {
        let mut harness = Harness::new(LIVELY, Traffic::FULL, 9);
        harness.run(2_000);
        let place = harness.geometry.array_address(HalfRole::Active, 1, 3);
        harness.write(address::ARRAY_ADDRESS, place);
        harness.run(clocks);
        harness.accesses.clear();
        harness.reset(1);
        assert_eq!(harness.read_now(address::ARRAY_ADDRESS).0, 0);
        assert_eq!(harness.read_now(address::ARRAY_DATA).0, 0);
        let fetches = harness.fetches;
        fetch(&mut harness, HalfRole::Active, 1, 3);
        assert_eq!(harness.fetches, fetches + 1);
        harness.settle();
    }
}

#[test]
fn bits_of_a_host_and_recycles_on_command_come_between_items_in_every_mode() {
    for (seed, shape) in (0..).zip(LIVELY.modes()) {
        for (threshold, traffic) in [(90, Traffic::FULL), (280, Traffic::HOLES)] {
            // The harness holds what is set to the functional filter.
            let mut harness = Harness::new(Shape { threshold, ..shape }, traffic, seed);
            let sets = 60;
            for number in 0..sets {
                let clocks = harness.random.random_range(0..60);
                harness.run(clocks);
                let (bank, word) = (number % 4, harness.random.random_range(0..8));
                let address = harness.geometry.array_address(HalfRole::Active, bank, word);
                harness.write(address::ARRAY_ADDRESS, address);
                let bits = harness.random.random::<u32>() & harness.random.random::<u32>();
                harness.write(address::ARRAY_DATA, bits);
                if number % 16 == 15 {
                    harness.write(address::CONTROL, 1 << field::CONTROL_RECYCLE);
                }
                harness.finish_accesses();
                fetch(&mut harness, HalfRole::Active, bank, word);
            }
            harness.settle();
            assert_eq!(harness.sets, u64::from(sets), "{shape:?} {traffic:?}");
            let status = harness.model.status();
            let counted = (status.bits_active.into(), status.bits_frozen.into());
            let expected = (
                harness.expected.bits_active(),
                harness.expected.bits_frozen(),
            );
            assert_eq!(counted, expected, "{shape:?} {traffic:?}");
        }
    }
}
