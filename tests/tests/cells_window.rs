//! Counting filters over a window: the emitted Verilog equals the cycle-accurate model on every port of every clock, and both
//! count what the window says.

use bloomline_model::{CellEvent, CellFilter};
use bloomline_spec::registers::{address, field};
use bloomline_spec::{CellOperation, MIN_WINDOW};
use bloomline_tests::cell_play::{bench, key, keys_of_word, play, Offer, Step, Told};
use bloomline_tests::{cells_in_lockstep, CellSample};
use std::collections::VecDeque;

/// Runs a sample.
const RUNS: u64 = 16;
const QUERY: u64 = CellOperation::Query as u64;
const INSERT: u64 = CellOperation::TestAndInsert as u64;

const WINDOW: CellSample = CellSample {
    window: MIN_WINDOW,
    ..CellSample::COUNTING
};

#[test]
fn emitted_filters_equal_the_model_under_torture() {
    cells_in_lockstep(
        RUNS,
        &[
            WINDOW,
            CellSample {
                cell_bits: 2,
                threshold: 3,
                window: 100,
                hashes: 1,
                key_bits: 64,
                tag_bits: 1,
                ..WINDOW
            },
            CellSample {
                cell_bits: 5,
                window: 77,
                hashes: 3,
                hashing: "independent",
                family: "siphash",
                words: 16,
                range: 61,
                parity: "empty",
                ..WINDOW
            },
            CellSample {
                cell_bits: 8,
                words: 256,
                hashes: 6,
                family: "h3",
                parity: "count",
                ..WINDOW
            },
            CellSample {
                words: 16,
                hashes: 2,
                parity: "ecc",
                ..WINDOW
            },
        ],
    );
}

/// Estimates of all items in the order of the stream.
fn estimates(told: &Told) -> Vec<u32> {
    let of_item = |event: &CellEvent| match event {
        CellEvent::Item(decision) => Some(decision.outcome.verdict.estimate),
        _ => None,
    };
    told.events.iter().filter_map(of_item).collect()
}

fn turns(told: &Told) -> usize {
    let is_turn = |event: &&CellEvent| matches!(event, CellEvent::Turn { .. });
    told.events.iter().filter(is_turn).count()
}

#[test]
fn one_key_at_full_rate_counts_up_to_two_windows_and_falls_back_by_one_at_every_turn() {
    let sample = CellSample {
        cell_bits: 16,
        window: 70,
        ..WINDOW
    };
    let geometry = sample.geometry();
    let bench = bench(&geometry);
    // queries between the insertions do not count, whatever their number
    for queries in [0, 1, 3] {
        let mut offers: Vec<Offer> = vec![Some((key(&geometry, 5), INSERT))];
        offers.extend(vec![Some((key(&geometry, 5), QUERY)); queries]);
        let told = play(&bench, &geometry, &offers, &[Step::Run(3_000)]);
        let found = estimates(&told);
        let mut expected = Vec::new();
        for insertion in 0_u32..3_500 {
            let (window, place) = (insertion / 70, insertion % 70);
            let frozen = if window == 0 { 0 } else { 70 };
            expected.push(frozen + place + 1);
            // behind the last of a window: it is frozen
            let after = if place == 69 { 70 } else { frozen + place + 1 };
            expected.extend(vec![after; queries]);
        }
        assert!(found.len() > 2_500 && turns(&told) > 8, "{}", turns(&told));
        assert_eq!(found, expected[..found.len()], "{queries} queries");
        // a window takes its items and four clocks
        let items = found.len() as u64;
        let inserted = items / (1 + queries as u64);
        let lost = 3_000_u64.saturating_sub(items);
        let started = 2 * u64::from(geometry.timing().retire_clocks) + 8;
        assert!(
            lost.saturating_sub(started) < 4 * (inserted / 70 + 1),
            "{lost} clocks lost, {inserted} insertions"
        );
    }
}

#[test]
fn every_estimate_is_at_least_the_occurrences_in_the_window_and_exact_where_keys_have_cells_of_their_own(
) {
    // few keys in many cells: no two of them share all cells, so estimates are exact by the window's rule
    let sample = CellSample {
        cell_bits: 16,
        words: 1 << 10,
        hashes: 6,
        window: 64,
        ..WINDOW
    };
    let geometry = sample.geometry();
    let bench = bench(&geometry);
    let offers: Vec<Offer> = (0..997_u128)
        .map(|place| {
            let hole = place % 13 == 5;
            (!hole).then(|| (key(&geometry, place * place % 23), INSERT))
        })
        .collect();
    let told = play(&bench, &geometry, &offers, &[Step::Run(6_000)]);
    let (mut stream, mut history) = (offers.iter().flatten().cycle(), VecDeque::new());
    for (insertion, found) in (1..).zip(estimates(&told)) {
        let (key, _) = stream.next().expect("a cycle");
        history.push_front(*key);
        let in_window = (insertion - 1) % 64 + 1;
        let frozen = if insertion > 64 { 64 } else { 0 };
        let counted = history
            .iter()
            .take(in_window + frozen)
            .filter(|k| *k == key);
        assert_eq!(found as usize, counted.count(), "insertion {insertion}");
        history.truncate(200);
    }
    assert!(turns(&told) > 50, "{}", turns(&told));
}

#[test]
fn a_word_met_again_at_every_distance_over_a_turn_counts_exactly() {
    let geometry = WINDOW.geometry();
    let bench = bench(&geometry);
    let crowd = keys_of_word(&geometry, 3, 3);
    let others = keys_of_word(&geometry, 5, 6);
    // the period and the window have no common divisor, so that turns come at every place of the pattern
    for distance in [1, 2, 3, 4, 5, 6, 8] {
        for holes in [false, true] {
            let mut offers = vec![Some((crowd[0], INSERT))];
            offers.extend((1..distance).map(|place| match holes {
                true => None,
                false => Some((others[place % others.len()], INSERT)),
            }));
            offers.push(Some((crowd[distance % 3], INSERT)));
            while offers.len() % 2 == 0 || offers.len() < 11 {
                offers.push(None);
            }
            let told = play(&bench, &geometry, &offers, &[Step::Run(4_000)]);
            assert!(turns(&told) > 9, "{distance} {holes}: {}", turns(&told));
        }
    }
}

#[test]
fn a_reset_or_clear_in_any_clock_around_a_turn_leaves_an_empty_filter() {
    let geometry = WINDOW.geometry();
    let bench = bench(&geometry);
    let retire = u64::from(geometry.timing().retire_clocks);
    let offers: Vec<Offer> = (0..30)
        .map(|value| Some((key(&geometry, value), INSERT)))
        .collect();
    // the first turn is issued about 2 retire + 70 clocks after power-up
    for wait in 0..retire + 30 {
        let at = 2 * retire + 55 + wait;
        for act in [
            vec![Step::Reset(1)],
            vec![Step::Write(address::CONTROL, 1)],
            vec![Step::WriteMeetsReset(address::CONTROL, 1, 3)],
        ] {
            let mut steps = vec![Step::Run(at)];
            steps.extend(act);
            steps.push(Step::Run(2 * retire + 300));
            let told = play(&bench, &geometry, &offers, &steps);
            assert!(told.items() > 150, "{wait}: {}", told.items());
            let first = |event: &CellEvent| matches!(event, CellEvent::Clear { .. });
            let cleared = told.events.iter().rposition(first).expect("a clear");
            let after = told.events[cleared..].iter().find_map(|event| match event {
                CellEvent::Item(decision) => Some(decision.outcome.verdict),
                _ => None,
            });
            let verdict = after.expect("items go on");
            assert_eq!((verdict.estimate, verdict.seen), (1, false), "{wait}");
        }
    }
}

#[test]
fn accesses_around_turns_go_to_the_pane_by_its_role_and_lose_nothing() {
    let geometry = CellSample {
        hashes: 3,
        ..WINDOW
    }
    .geometry();
    let bench = bench(&geometry);
    let words = geometry.words_per_bank() as u32;
    let crowd = keys_of_word(&geometry, 3, 4);
    let offers: Vec<Offer> = crowd.iter().map(|key| Some((*key, INSERT))).collect();
    // word 3 of bank 0 of the active pane, and of the frozen one; and a bank that is not there
    let places = [3, 3 * words + 3, 6 * words + 3];
    for phase in 0..12 {
        let mut steps = vec![Step::Run(60 + phase)];
        for round in 0..30 {
            steps.extend([
                Step::Write(address::ARRAY_ADDRESS, places[round % 3]),
                Step::Run(1 + round as u64 % 9),
                Step::Read(address::ARRAY_DATA),
                Step::Read(address::STATUS),
                Step::Write(
                    address::ARRAY_DATA,
                    0x1234_5678_u32.rotate_left(round as u32),
                ),
                Step::Run(1 + round as u64 % 7),
                Step::Read(address::ARRAY_DATA),
            ]);
        }
        let told = play(&bench, &geometry, &offers, &steps);
        let accesses = told
            .events
            .iter()
            .filter(|event| matches!(event, CellEvent::Fetch { .. } | CellEvent::Store { .. }));
        assert_eq!(accesses.count(), 60, "{phase}");
        assert!(turns(&told) > 5, "{phase}: {}", turns(&told));
    }
}

#[test]
fn turns_faster_than_words_are_covered_wait_for_an_epoch() {
    // one word is met, 511 are not, and items leave no slot for refreshes but those behind which a turn waits
    let geometry = CellSample {
        words: 512,
        cell_bits: 16,
        hashes: 1,
        ..WINDOW
    }
    .geometry();
    let bench = bench(&geometry);
    let offers = [Some((key(&geometry, 9), INSERT))];
    let told = play(&bench, &geometry, &offers, &[Step::Run(8_000)]);
    assert!(told.used_up > 100, "{}", told.used_up);
    assert!(turns(&told) > 60, "{}", turns(&told));
    assert!(estimates(&told)
        .iter()
        .skip(64)
        .all(|estimate| (65..=128).contains(estimate)));
}

#[test]
fn status_counts_turns_and_clears() {
    let geometry = WINDOW.geometry();
    let bench = bench(&geometry);
    let offers = [Some((key(&geometry, 1), INSERT))];
    let steps = [
        Step::Run(1_000),
        Step::Write(address::CONTROL, 1),
        Step::Run(500),
    ];
    let told = play(&bench, &geometry, &offers, &steps);
    let clears = told
        .events
        .iter()
        .filter(|event| matches!(event, CellEvent::Clear { .. }));
    assert_eq!(clears.count(), 2);
    assert!(turns(&told) > 15);
    assert_eq!(field::STATUS_TURNS, 16);
}

#[test]
fn a_key_that_came_often_enough_in_the_window_is_always_reported() {
    let geometry = CellSample {
        window: 500,
        threshold: 15,
        ..WINDOW
    }
    .geometry();
    let mut filter = CellFilter::new(&geometry);
    let (mut history, mut right) = (VecDeque::new(), 0_u32);
    // far more keys than the filter is made for, with a few that come again and again: counters saturate
    for insertion in 0_u64..40_000 {
        let value = match insertion % 20 {
            0 | 7 => u128::from(insertion / 5_000),
            _ => u128::from((insertion * 0x9e37_79b9_7f4a_7c15) >> 40),
        };
        let key = key(&geometry, value);
        history.push_front(key);
        history.truncate(500);
        let verdict = filter.apply(&key, CellOperation::Insert, 1).verdict;
        let count = history.iter().filter(|other| **other == key).count() as u32;
        assert!(verdict.reached || count < 15, "{insertion}: {count}");
        assert!(verdict.saturated || verdict.estimate >= count.min(15));
        right += u32::from(count >= 15);
    }
    assert!(right > 3_000, "{right}");
}
