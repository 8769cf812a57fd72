//! Shared arrays and keyed hashes, named hard cases played on the emitted Verilog in lockstep: exact on every port in every clock.

use bloomline_model::{CellEvent, ProbeHasher};
use bloomline_spec::registers::address;
use bloomline_spec::{CellGeometry, CellOperation, Key};
use bloomline_tests::cell_play::{bench, key, play, Offer, Step};
use bloomline_tests::CellSample;
use itertools::Itertools;

const INSERT: u64 = CellOperation::TestAndInsert as u64;
const REMOVE: u64 = CellOperation::Remove as u64;
const SHARED: CellSample = CellSample {
    layout: "shared",
    hashing: "independent",
    hashes: 6,
    ..CellSample::COUNTING
};

/// Reads every word of the array: what the items wrote where.
fn read_array(geometry: &CellGeometry) -> impl Iterator<Item = Step> {
    let words = u64::from(geometry.banks()) * geometry.words_per_bank();
    (0..words as u32).flat_map(|word| {
        [
            Step::Write(address::ARRAY_ADDRESS, word),
            Step::Read(address::ARRAY_DATA),
        ]
    })
}

/// Writes a secret whose words are all different.
fn write_secret(seed: u32) -> impl Iterator<Item = Step> {
    (0..4).map(move |word| {
        let data = 0x9e37_79b9_u32.wrapping_mul(seed + word + 1);
        Step::Write(address::HASH_KEY + 4 * word, data)
    })
}

/// Different keys of which probe i and probe i + `distance` meet in one cell, for some i.
fn meeting_itself(geometry: &CellGeometry, distance: usize, count: usize) -> Vec<Key> {
    let hasher = ProbeHasher::new(geometry);
    (0_u128..)
        .map(|value| key(geometry, value))
        .filter(|key| {
            let probes = hasher.probes(key);
            let positions = probes.positions();
            positions
                .iter()
                .zip(&positions[distance..])
                .any(|(a, b)| a == b)
        })
        .take(count)
        .collect()
}

#[test]
fn an_item_that_probes_a_cell_twice_at_any_distance_counts_it_twice() {
    let geometry = SHARED.geometry();
    let bench = bench(&geometry);
    for distance in 1..6 {
        let offers: Vec<Offer> = meeting_itself(&geometry, distance, 3)
            .into_iter()
            .cartesian_product([INSERT, INSERT, REMOVE])
            .map(Some)
            .collect();
        let mut steps = vec![Step::Run(900)];
        steps.extend(read_array(&geometry));
        let told = play(&bench, &geometry, &offers, &steps);
        assert!(told.items() > 150, "{distance}: {}", told.items());
    }
}

#[test]
fn probes_of_neighbouring_items_that_meet_in_a_word_count_exactly() {
    // The same key again and again: the last probes of one item stand before the first of the next, at every distance.
    for hashes in 1..=6 {
        let geometry = CellSample { hashes, ..SHARED }.geometry();
        let bench = bench(&geometry);
        for holes in 0..3 {
            let mut offers = vec![
                Some((key(&geometry, 3), INSERT)),
                Some((key(&geometry, 3), REMOVE)),
            ];
            offers.extend(vec![None; holes]);
            let told = play(&bench, &geometry, &offers, &[Step::Run(600)]);
            let underflowed = told.events.iter().any(|event| match event {
                CellEvent::Item(decision) => decision.outcome.verdict.underflow,
                _ => false,
            });
            assert!(
                told.items() > 60 && !underflowed,
                "{hashes}: {}",
                told.items()
            );
        }
    }
}

#[test]
fn a_reset_in_any_clock_among_probes_leaves_an_empty_filter() {
    let geometry = SHARED.geometry();
    let bench = bench(&geometry);
    let timing = geometry.timing();
    let offers: Vec<Offer> = (0..30)
        .map(|value| Some((key(&geometry, value), INSERT)))
        .collect();
    for wait in 0..2 * u64::from(timing.initiation_interval()) {
        for accessing in [false, true] {
            let mut steps = vec![Step::Run(150 + wait)];
            if accessing {
                steps.push(Step::WriteMeetsReset(
                    address::ARRAY_DATA,
                    u32::MAX,
                    1 + wait,
                ));
            }
            steps.extend([Step::Reset(1), Step::Run(300)]);
            steps.extend(read_array(&geometry));
            let told = play(&bench, &geometry, &offers, &steps);
            assert!(told.items() > 40, "{wait}: {}", told.items());
        }
    }
}

#[test]
fn a_reset_in_any_clock_of_a_rekey_leaves_the_old_secret_or_the_new_one() {
    let geometry = CellSample {
        family: "siphash",
        ..CellSample::COUNTING
    }
    .geometry();
    let bench = bench(&geometry);
    let retire = u64::from(geometry.timing().retire_clocks);
    let offers: Vec<Offer> = (0..40)
        .map(|value| Some((key(&geometry, value), INSERT)))
        .collect();
    // Densely where the rekey is asked for and where it ends, sparsely in between.
    let asked = 0..6;
    let served = 2 * retire - 6..2 * retire + 8;
    for wait in asked.chain((6..2 * retire).step_by(17)).chain(served) {
        let mut steps: Vec<Step> = write_secret(7).collect();
        steps.extend([
            Step::Write(address::CONTROL, 2),
            Step::Run(1 + wait),
            Step::Reset(1),
            Step::Run(3 * retire),
        ]);
        // What stands where says which secret is in force.
        steps.extend(read_array(&geometry));
        let told = play(&bench, &geometry, &offers, &steps);
        assert!(told.items() > 50, "{wait}: {}", told.items());
    }
}

#[test]
fn a_write_of_the_secret_that_meets_a_reset_is_whole_or_dropped() {
    let geometry = CellSample {
        family: "siphash",
        ..SHARED
    }
    .geometry();
    let bench = bench(&geometry);
    let retire = u64::from(geometry.timing().retire_clocks);
    let offers: Vec<Offer> = (0..40)
        .map(|value| Some((key(&geometry, value), INSERT)))
        .collect();
    for (word, after) in (0..4).cartesian_product(0..5) {
        let mut steps = vec![
            Step::Run(3 * retire),
            Step::WriteMeetsReset(address::HASH_KEY + 4 * word, 0x1234_5678, after),
            Step::Run(3 * retire),
            Step::Write(address::CONTROL, 2),
            Step::Run(4 * retire),
        ];
        steps.extend(read_array(&geometry));
        let told = play(&bench, &geometry, &offers, &steps);
        assert!(told.items() > 30, "{word} {after}: {}", told.items());
    }
}
