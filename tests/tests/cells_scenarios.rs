//! Filters of cells, named hard cases played on the emitted Verilog in lockstep: exact on every port in every clock.

use bloomline_model::{CellEvent, ProbeHasher};
use bloomline_spec::registers::address;
use bloomline_spec::CellOperation;
use bloomline_tests::cell_play::{bench, key, keys_of_word, play, Offer, Step};
use bloomline_tests::CellSample;

const INSERT: u64 = CellOperation::TestAndInsert as u64;
const REMOVE: u64 = CellOperation::Remove as u64;
/// The same with an amount, for a sketch.
const INSERT_TWO: u64 = INSERT | 2 << 2;

#[test]
fn a_word_met_again_one_to_six_slots_later_counts_exactly() {
    for (sample, user) in [
        (CellSample::COUNTING, INSERT),
        (CellSample::SKETCH, INSERT_TWO),
    ] {
        let geometry = sample.geometry();
        let bench = bench(&geometry);
        let crowd = keys_of_word(&geometry, 3, 3);
        let others = keys_of_word(&geometry, 5, 6);
        for distance in 1..=6 {
            for (first, again) in [(0, 0), (0, 1)] {
                // The word, then others (or holes), then the word again; then quiet until all has left.
                for holes in [false, true] {
                    let mut offers = vec![Some((crowd[first], user))];
                    offers.extend(others.iter().take(distance - 1).map(|other| {
                        if holes {
                            None
                        } else {
                            Some((*other, user))
                        }
                    }));
                    offers.push(Some((crowd[again], user)));
                    offers.extend([None; 20]);
                    let told = play(&bench, &geometry, &offers, &[Step::Run(1_200)]);
                    assert!(told.items() > 50, "{sample:?} {distance}: {}", told.items());
                }
            }
        }
    }
}

#[test]
fn insertions_and_removals_of_one_key_back_to_back_cancel_exactly() {
    let geometry = CellSample::COUNTING.geometry();
    let bench = bench(&geometry);
    let key = key(&geometry, 77);
    for period in 1..=6 {
        let mut offers = vec![Some((key, INSERT)); period];
        offers.extend(vec![Some((key, REMOVE)); period]);
        let told = play(&bench, &geometry, &offers, &[Step::Run(500)]);
        let estimates: Vec<u32> = told
            .events
            .iter()
            .filter_map(|event| match event {
                CellEvent::Item(decision) => Some(decision.outcome.verdict.estimate),
                _ => None,
            })
            .collect();
        let up_and_down = (1..=period).chain((0..period).rev()).cycle();
        let expected: Vec<u32> = up_and_down
            .take(estimates.len())
            .map(|count| count as u32)
            .collect();
        assert!(estimates.len() > 400);
        assert_eq!(estimates, expected, "period {period}");
    }
}

#[test]
fn fetches_and_stores_between_items_of_the_same_word_lose_nothing_at_any_distance() {
    for (sample, user) in [
        (CellSample::COUNTING, INSERT),
        (CellSample::SKETCH, INSERT_TWO),
    ] {
        let geometry = sample.geometry();
        let bench = bench(&geometry);
        let crowd = keys_of_word(&geometry, 3, 4);
        for holes in 0..=7 {
            // One item of word 3 of bank 0 in every `holes + 1` clocks, and accesses of that word at every phase of it.
            let offers: Vec<Offer> = crowd
                .iter()
                .flat_map(|key| {
                    std::iter::once(Some((*key, user))).chain(std::iter::repeat_n(None, holes))
                })
                .collect();
            let mut steps = vec![Step::Run(60)];
            for round in 0..16 {
                steps.extend([
                    Step::Write(address::ARRAY_ADDRESS, 3),
                    Step::Run(1 + round % 9),
                    Step::Read(address::ARRAY_DATA),
                    Step::Write(
                        address::ARRAY_DATA,
                        0x1234_5678_u32.rotate_left(round as u32),
                    ),
                    Step::Run(1 + round % 7),
                    Step::Read(address::ARRAY_DATA),
                ]);
            }
            let told = play(&bench, &geometry, &offers, &steps);
            let accesses = told
                .events
                .iter()
                .filter(|event| matches!(event, CellEvent::Fetch { .. } | CellEvent::Store { .. }));
            assert_eq!(accesses.count(), 32, "{sample:?} {holes}");
        }
    }
}

#[test]
fn an_array_loaded_word_by_word_answers_for_its_keys_and_reads_back() {
    let geometry = CellSample::STATIC.geometry();
    let bench = bench(&geometry);
    let hasher = ProbeHasher::new(&geometry);
    let member = key(&geometry, 1234);
    let (words, lanes) = (geometry.words_per_bank() as u32, geometry.lanes());
    let mut steps = vec![Step::Run(200)];
    for (bank, position) in hasher.probes(&member).positions().iter().enumerate() {
        steps.extend([
            Step::Write(
                address::ARRAY_ADDRESS,
                bank as u32 * words + position / lanes,
            ),
            Step::Write(address::ARRAY_DATA, 1 << (position % lanes)),
            Step::Write(
                address::ARRAY_ADDRESS,
                bank as u32 * words + position / lanes,
            ),
            Step::Read(address::ARRAY_DATA),
        ]);
    }
    steps.push(Step::Run(100));
    let told = play(&bench, &geometry, &[Some((member, 0))], &steps);
    let seen: Vec<bool> = told
        .events
        .iter()
        .filter_map(|event| match event {
            CellEvent::Item(decision) => Some(decision.outcome.verdict.seen),
            _ => None,
        })
        .collect();
    // Not seen until the last of four words is loaded, and ever after.
    let first = seen.iter().position(|&seen| seen).expect("loaded");
    assert!(first > 100 && seen[first..].iter().all(|&seen| seen));
    let fetched = told
        .events
        .iter()
        .filter(|event| matches!(event, CellEvent::Fetch { data, .. } if data.count_ones() == 1));
    assert_eq!(fetched.count(), 4);
}

#[test]
fn forty_clears_in_a_row_wait_for_epochs_and_resurrect_nothing() {
    let geometry = CellSample {
        words: 256,
        cell_bits: 16,
        ..CellSample::COUNTING
    }
    .geometry();
    let bench = bench(&geometry);
    let offers: Vec<Offer> = (0..900)
        .map(|value| Some((key(&geometry, value), INSERT)))
        .collect();
    let mut steps = vec![Step::Run(2_000)];
    steps.extend([Step::Write(address::CONTROL, 1); 45]);
    steps.push(Step::Run(3_000));
    let told = play(&bench, &geometry, &offers, &steps);
    assert!(
        told.items() > 4_000 && told.used_up > 100,
        "{}",
        told.used_up
    );
}

#[test]
fn reset_while_a_clear_stands_in_any_stage_leaves_an_empty_filter() {
    let geometry = CellSample::COUNTING.geometry();
    let bench = bench(&geometry);
    let retire = u64::from(geometry.timing().retire_clocks);
    let offers: Vec<Offer> = (0..30)
        .map(|value| Some((key(&geometry, value), INSERT)))
        .collect();
    // From the clear's write to well past the last stage of its force.
    for wait in 0..2 * retire + 8 {
        let mut steps = vec![Step::Run(200), Step::Write(address::CONTROL, 1)];
        steps.extend([
            Step::Run(wait),
            Step::Reset(1 + wait % 3),
            Step::Run(retire + wait % retire),
            Step::Reset(1),
            Step::Run(200),
        ]);
        let told = play(&bench, &geometry, &offers, &steps);
        assert!(told.items() > 200, "{wait}: {}", told.items());
    }
}

#[test]
fn reset_while_an_access_stands_in_any_stage_drops_it() {
    let geometry = CellSample::COUNTING.geometry();
    let bench = bench(&geometry);
    let retire = u64::from(geometry.timing().retire_clocks);
    let offers = [Some((key(&geometry, 5), INSERT))];
    for wait in 0..retire + 4 {
        for (register, data) in [(address::ARRAY_ADDRESS, 3), (address::ARRAY_DATA, u32::MAX)] {
            let steps = [
                Step::Run(100),
                Step::Write(register, data),
                Step::Run(wait),
                Step::Reset(1),
                Step::Read(address::ARRAY_DATA),
                Step::Read(address::STATUS),
                Step::Run(100),
            ];
            let told = play(&bench, &geometry, &offers, &steps);
            assert!(told.items() > 100, "{wait}");
        }
    }
}
