//! Filters of cells, one item at a time: the promises of the semantics.

use crate::common::cell_sample::CellSample;
use crate::common::plain_hash;
use bloomline_model::CellFilter;
use bloomline_spec::{CellGeometry, CellOperation, Key};
use proptest::prelude::*;
use std::collections::HashMap;
use CellOperation::{Insert, Query, Remove, TestAndInsert};

fn key(geometry: &CellGeometry, value: u64) -> Key {
    Key::from_integer(value.into(), geometry.key_bits()).expect("small keys fit")
}

fn shapes() -> impl Strategy<Value = CellSample> {
    let kinds = prop_oneof![
        Just(CellSample::STATIC),
        (2..=16_u64).prop_map(|cell_bits| CellSample {
            cell_bits,
            threshold: 3,
            ..CellSample::COUNTING
        }),
        (8..=32_u64, 1..=8_u64).prop_map(|(cell_bits, amount_bits)| CellSample {
            cell_bits,
            amount_bits,
            ..CellSample::SKETCH
        }),
    ];
    (kinds, 1..=8_u64, 1..=100_u64, any::<bool>()).prop_map(|(shape, hashes, seed, double)| {
        CellSample {
            hashes,
            seed,
            hashing: if double { "double" } else { "independent" },
            ..shape
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn an_estimate_is_never_below_the_true_count_unless_a_cell_saturated_or_a_removal_underflowed(
        shape in shapes(),
        items in prop::collection::vec((0..60_u64, 0..4_u64, 0..256_u32), 1..400),
    ) {
        let geometry = shape.geometry();
        let mut filter = CellFilter::new(&geometry);
        let mut exact: HashMap<u64, u64> = HashMap::new();
        let amount_of = |amount: u32| match geometry.amount_bits() {
            0 => 1,
            bits => u64::from(amount & (u32::MAX >> (32 - bits))),
        };
        for (value, code, amount) in items {
            let count = exact.entry(value).or_default();
            let mut operation = CellOperation::from_code(code, geometry.removes());
            // Only what was inserted is removed: a removal of anything else may spoil other keys.
            if operation == Remove && *count == 0 {
                operation = Query;
            }
            let outcome = filter.apply(&key(&geometry, value), operation, amount);
            match operation {
                Query => {}
                Insert | TestAndInsert => *count += amount_of(amount),
                Remove => *count -= 1,
            }
            let verdict = outcome.verdict;
            prop_assert!(!verdict.underflow, "{value} was in the filter");
            prop_assert!(verdict.saturated || u64::from(verdict.estimate) >= *count);
            prop_assert!(u64::from(verdict.estimate) >= (*count).min(geometry.cell_max().into()));
            prop_assert_eq!(verdict.reached, verdict.estimate >= filter.threshold());
        }
    }

    #[test]
    fn a_key_alone_is_counted_exactly_up_to_the_greatest_value(
        shape in shapes(),
        value in any::<u64>(),
        items in prop::collection::vec((0..4_u64, any::<u32>()), 1..200),
    ) {
        let geometry = shape.geometry();
        let max = u64::from(geometry.cell_max());
        let mut filter = CellFilter::new(&geometry);
        let mut count = 0_u64;
        for (code, amount) in items {
            let operation = CellOperation::from_code(code, geometry.removes());
            let before = count;
            let amount_added = match geometry.amount_bits() {
                0 => 1,
                bits => u64::from(amount) % (1 << bits),
            };
            count = match operation {
                Query => before,
                Insert | TestAndInsert => (before + amount_added).min(max),
                Remove if before == max => before,
                Remove => before.saturating_sub(1),
            };
            let outcome = filter.apply(&key(&geometry, value), operation, amount);
            let verdict = outcome.verdict;
            prop_assert_eq!(u64::from(verdict.estimate), count);
            prop_assert_eq!(verdict.seen, before > 0);
            prop_assert_eq!(verdict.saturated, count == max);
            prop_assert_eq!(verdict.underflow, operation == Remove && before == 0);
            prop_assert_eq!((outcome.inserted, outcome.removed), (operation.inserts(), operation == Remove));
        }
    }
}

/// The shared layout once more: a plain list of cells, one probe after the other.
struct PlainArray {
    cells: Vec<u64>,
    max: u64,
}

impl PlainArray {
    /// What each probe found and left.
    fn probe(&mut self, positions: &[u64], operation: CellOperation, add: u64) -> Vec<(u64, u64)> {
        let probes = positions.iter().map(|&position| {
            let cell = &mut self.cells[position as usize];
            let found = *cell;
            *cell = match operation {
                Query => found,
                Insert | TestAndInsert => (found + add).min(self.max),
                Remove if found == self.max => found,
                Remove => found.max(1) - 1,
            };
            (found, *cell)
        });
        probes.collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_shared_array_is_probed_one_position_after_the_other(
        shape in shapes(),
        scheme in 0..4_usize,
        items in prop::collection::vec((0..60_u64, 0..4_u64, 0..256_u32), 1..300),
    ) {
        let (hashing, distinct) = [
            ("double", false),
            ("independent", false),
            ("independent", true),
            ("extended-double-3", false),
        ][scheme];
        let geometry = CellSample { layout: "shared", hashing, distinct, ..shape }.geometry();
        let mut filter = CellFilter::new(&geometry);
        let cells = vec![0; geometry.cells_per_bank() as usize];
        let mut plain = PlainArray { cells, max: geometry.cell_max().into() };
        for (value, code, amount) in items {
            let operation = CellOperation::from_code(code, geometry.removes());
            let key = key(&geometry, value);
            let positions = plain_hash::positions(&geometry, &key, 0);
            let add = match geometry.amount_bits() {
                0 => 1,
                bits => u64::from(amount) % (1 << bits),
            };
            let probes = plain.probe(&positions, operation, add);
            let verdict = filter.apply(&key, operation, amount).verdict;
            let estimate = probes.iter().map(|probe| probe.1).min();
            prop_assert_eq!(Some(u64::from(verdict.estimate)), estimate);
            prop_assert_eq!(verdict.seen, probes.iter().all(|probe| probe.0 > 0));
            prop_assert_eq!(verdict.saturated, probes.iter().any(|probe| probe.1 == plain.max));
            let underflow = operation == Remove && probes.iter().any(|probe| probe.0 == 0);
            prop_assert_eq!(verdict.underflow, underflow);
        }
        for (position, &cell) in (0..).zip(&plain.cells) {
            prop_assert_eq!(u64::from(filter.cell(0, position)), cell);
        }
    }
}

#[test]
fn a_cell_that_an_item_probes_twice_is_added_to_and_taken_from_twice() {
    let geometry = CellSample {
        layout: "shared",
        hashing: "independent",
        ..CellSample::COUNTING
    }
    .geometry();
    let mut filter = CellFilter::new(&geometry);
    let positions = [5, 9, 5, 9];
    let first = filter.apply_probes(&positions, TestAndInsert, 1).verdict;
    // Only the second probe of a cell finds it above 0; the least is what a first probe left.
    assert_eq!((first.seen, first.estimate), (false, 1));
    assert_eq!([filter.cell(0, 5), filter.cell(0, 9)], [2, 2]);
    let second = filter.apply_probes(&positions, Remove, 1).verdict;
    assert_eq!(
        (second.seen, second.estimate, second.underflow),
        (true, 0, false)
    );
    assert_eq!([filter.cell(0, 5), filter.cell(0, 9)], [0, 0]);
    assert!(filter.apply_probes(&positions, Remove, 1).verdict.underflow);
}

#[test]
fn the_probability_of_a_report_in_one_array_is_that_of_draws_with_or_without_replacement() {
    for (distinct, expected) in [
        (false, (5.0_f64 / 37.0).powi(3)),
        (true, 5.0 * 4.0 * 3.0 / (37.0 * 36.0 * 35.0)),
    ] {
        let geometry = CellSample {
            layout: "shared",
            hashing: "independent",
            hashes: 3,
            range: 37,
            distinct,
            ..CellSample::COUNTING
        }
        .geometry();
        let mut filter = CellFilter::new(&geometry);
        filter.apply_probes(&[0, 17, 36], Insert, 1);
        filter.apply_probes(&[0, 1, 2], Insert, 1);
        // What a host stores beyond the range is met by no probe.
        filter.set_word(7, u32::MAX);
        assert_eq!(filter.cells_at_least(0, 1), 5);
        assert!((filter.probability_at_least(1) - expected).abs() < 1e-15);
        let of_two = if distinct {
            0.0
        } else {
            (1.0_f64 / 37.0).powi(3)
        };
        assert!((filter.probability_at_least(2) - of_two).abs() < 1e-15);
    }
}

#[test]
fn another_secret_makes_members_strangers() {
    let geometry = CellSample {
        family: "siphash",
        words: 64,
        ..CellSample::STATIC
    }
    .geometry();
    let mut filter = CellFilter::new(&geometry);
    (0..100).for_each(|value| {
        filter.apply(&key(&geometry, value), Insert, 1);
    });
    let seen = |filter: &mut CellFilter| {
        (0..100)
            .filter(|&value| filter.apply(&key(&geometry, value), Query, 1).verdict.seen)
            .count()
    };
    let public = geometry.hash().secret.expect("keyed");
    assert_eq!(seen(&mut filter), 100);
    filter.set_secret(!public);
    assert!(seen(&mut filter) < 10);
    filter.set_secret(public);
    assert_eq!(seen(&mut filter), 100);
}

#[test]
fn the_estimate_is_the_least_of_cells_that_others_raised() {
    let geometry = CellSample {
        hashes: 3,
        hashing: "independent",
        ..CellSample::COUNTING
    }
    .geometry();
    let mut filter = CellFilter::new(&geometry);
    for positions in [[1, 2, 3], [1, 2, 4], [1, 5, 3]] {
        filter.apply_probes(&positions, Insert, 1);
    }
    assert_eq!(
        [filter.cell(0, 1), filter.cell(1, 2), filter.cell(2, 3)],
        [3, 2, 2]
    );
    assert_eq!(
        filter.apply_probes(&[1, 2, 3], Query, 1).verdict.estimate,
        2
    );
    assert_eq!(
        filter.apply_probes(&[1, 5, 4], Query, 1).verdict.estimate,
        1
    );
    let absent = filter.apply_probes(&[1, 2, 5], Query, 1).verdict;
    assert_eq!((absent.estimate, absent.seen), (0, false));
}

#[test]
fn a_saturated_cell_stays_however_much_is_removed() {
    let geometry = CellSample {
        cell_bits: 2,
        threshold: 3,
        ..CellSample::COUNTING
    }
    .geometry();
    let mut filter = CellFilter::new(&geometry);
    let key = key(&geometry, 7);
    for _ in 0..5 {
        filter.apply(&key, Insert, 1);
    }
    for _ in 0..9 {
        let outcome = filter.apply(&key, Remove, 1);
        assert!(outcome.verdict.saturated && outcome.verdict.reached && !outcome.verdict.underflow);
        assert_eq!(outcome.verdict.estimate, 3);
        assert!(outcome.changed_saturated());
    }
    assert!(!filter.apply(&key, Query, 1).changed_saturated());
}

#[test]
fn removing_from_an_empty_cell_leaves_zero_and_flags_the_item() {
    let geometry = CellSample {
        hashes: 2,
        ..CellSample::COUNTING
    }
    .geometry();
    let mut filter = CellFilter::new(&geometry);
    filter.apply_probes(&[4, 9], Insert, 1);
    filter.apply_probes(&[4, 8], Insert, 1);
    // Cell 7 of bank 1 is empty; cell 4 of bank 0 is not, and loses one all the same.
    let outcome = filter.apply_probes(&[4, 7], Remove, 1);
    assert!(outcome.verdict.underflow && outcome.removed);
    assert_eq!([filter.cell(0, 4), filter.cell(1, 7)], [1, 0]);
    assert!(!filter.apply_probes(&[4, 9], Remove, 1).verdict.underflow);
    assert_eq!([filter.cell(0, 4), filter.cell(1, 9)], [0, 0]);
}

#[test]
fn only_a_counting_filter_removes() {
    for shape in [CellSample::STATIC, CellSample::SKETCH] {
        let geometry = shape.geometry();
        let mut filter = CellFilter::new(&geometry);
        let outcome = filter.apply(&key(&geometry, 3), Remove, 1);
        assert!(outcome.inserted && !outcome.removed && !outcome.verdict.underflow);
        assert_eq!(outcome.verdict.estimate, 1, "{shape:?}");
    }
}

#[test]
fn a_sketch_adds_the_items_amount_zero_included_and_no_other_kind_looks_at_it() {
    let geometry = CellSample {
        cell_bits: 32,
        amount_bits: 32,
        ..CellSample::SKETCH
    }
    .geometry();
    let mut sketch = CellFilter::new(&geometry);
    let key_7 = key(&geometry, 7);
    let mut add = |amount| sketch.apply(&key_7, TestAndInsert, amount);
    let nothing = add(0);
    assert_eq!((nothing.verdict.estimate, nothing.inserted), (0, true));
    assert!(!nothing.verdict.seen);
    assert_eq!(add(u32::MAX - 1).verdict.estimate, u32::MAX - 1);
    let last = add(5);
    assert_eq!(
        (last.verdict.estimate, last.verdict.saturated),
        (u32::MAX, true)
    );

    let narrow = CellSample::SKETCH.geometry();
    let outcome = CellFilter::new(&narrow).apply(&key(&narrow, 7), Insert, 0b1_1101);
    assert_eq!(
        outcome.verdict.estimate, 0b101,
        "only the low amount bits count"
    );
    for shape in [CellSample::STATIC, CellSample::COUNTING] {
        let geometry = shape.geometry();
        let outcome = CellFilter::new(&geometry).apply(&key(&geometry, 7), Insert, 0);
        assert_eq!(outcome.verdict.estimate, 1, "{shape:?}");
    }
}

#[test]
fn a_clear_empties_every_cell_and_keeps_the_threshold() {
    let geometry = CellSample::COUNTING.geometry();
    let mut filter = CellFilter::new(&geometry);
    filter.set_threshold(2);
    for value in 0..500 {
        filter.apply(&key(&geometry, value), Insert, 1);
    }
    assert!((0..4).all(|bank| filter.cells_at_least(bank, 1) == geometry.range()));
    filter.clear();
    assert!((0..4).all(|bank| filter.cells_at_least(bank, 1) == 0));
    assert_eq!(filter.threshold(), 2);
    filter.apply(&key(&geometry, 1), Insert, 1);
    assert!(
        filter
            .apply(&key(&geometry, 1), TestAndInsert, 1)
            .verdict
            .reached
    );
}

#[test]
fn words_of_the_array_round_trip_for_every_cell_width() {
    for shape in CellSample::every_width() {
        let geometry = shape.geometry();
        let (lanes, bits) = (geometry.lanes(), geometry.cell_bits());
        let used = u32::MAX >> (32 - lanes * bits);
        let words = geometry.words_per_bank();
        let mut filter = CellFilter::new(&geometry);
        let data = |address: u64| (address as u32 + 1).wrapping_mul(0x9E37_79B9);
        for address in 0..words * u64::from(geometry.hashes()) {
            filter.set_word(address, data(address));
        }
        for address in 0..words * u64::from(geometry.hashes()) {
            assert_eq!(filter.word(address), data(address) & used, "{shape:?}");
            let (bank, word) = (address / words, (address % words) as u32);
            for lane in 0..lanes {
                assert_eq!(
                    filter.cell(bank as usize, word * lanes + lane),
                    data(address) >> (lane * bits) & geometry.cell_max(),
                    "{shape:?}: bank {bank} word {word} lane {lane}"
                );
            }
        }
    }
}

#[test]
fn an_address_beyond_the_last_bank_reads_zero_and_stores_nothing() {
    let geometry = CellSample {
        hashes: 3,
        ..CellSample::COUNTING
    }
    .geometry();
    let mut filter = CellFilter::new(&geometry);
    for address in [24, 31, u64::MAX] {
        filter.set_word(address, u32::MAX);
        assert_eq!(filter.word(address), 0);
    }
    assert!((0..3).all(|bank| filter.cells_at_least(bank, 1) == 0));
}

#[test]
fn the_probability_of_a_report_is_the_product_of_the_banks_shares() {
    let geometry = CellSample {
        hashes: 2,
        ..CellSample::COUNTING
    }
    .geometry();
    let mut filter = CellFilter::new(&geometry);
    // 64 cells a bank: half of bank 0 and a quarter of bank 1 stand at 5.
    (0..4).for_each(|address| filter.set_word(address, 0x5555_5555));
    (8..10).for_each(|address| filter.set_word(address, 0x5555_5555));
    assert_eq!(filter.cells_at_least(0, 5), 32);
    assert_eq!(filter.cells_at_least(0, 6), 0);
    assert_eq!(filter.probability_at_least(5), 0.125);
    assert_eq!(filter.probability_at_least(0), 1.0);
}

#[test]
fn a_window_counts_as_two_lists_of_insertions_do() {
    for (cell_bits, hashes, window) in [(2, 1, 64), (4, 3, 65), (9, 5, 100)] {
        let shape = CellSample {
            cell_bits,
            hashes,
            window,
            threshold: 3,
            hashing: "independent",
            ..CellSample::COUNTING
        };
        let geometry = shape.geometry();
        let max = geometry.cell_max();
        let mut filter = CellFilter::new(&geometry);
        // the positions of the insertions since the last turn, and of the window before
        let (mut active, mut frozen): (Vec<Vec<u32>>, Vec<Vec<u32>>) = Default::default();
        let (mut above, mut turns) = (0, 0);
        for step in 0..900_u64 {
            let key = key(&geometry, step * step % 131 % 50);
            let positions = filter.hasher().probes(&key).positions().to_vec();
            let operation = match step % 7 {
                0 => Query,
                1 => Insert,
                2 => Remove, // acts as a test-and-insert
                _ => TestAndInsert,
            };
            let least = |pane: &Vec<Vec<u32>>| {
                let counts = (0..positions.len()).map(|bank| {
                    let here = pane.iter().filter(|item| item[bank] == positions[bank]);
                    (here.count() as u32).min(max)
                });
                counts.min().expect("k >= 1")
            };
            let seen = least(&active) > 0 || least(&frozen) > 0;
            if operation != Query {
                active.push(positions.clone());
            }
            let estimate = (least(&active) + least(&frozen)).min(max);
            let outcome = filter.apply(&key, operation, 9);
            let verdict = outcome.verdict;
            assert_eq!((verdict.estimate, verdict.seen), (estimate, seen), "{step}");
            assert_eq!(verdict.reached, estimate >= 3, "{step}");
            assert_eq!(
                (outcome.inserted, outcome.removed),
                (operation != Query, false)
            );
            above += u32::from(estimate > least(&active));
            if active.len() as u64 == window {
                frozen = std::mem::take(&mut active);
                turns += 1;
            }
            assert_eq!(filter.in_window(), active.len() as u64);
            let all: u64 = (0..=max)
                .skip(1)
                .map(|least| filter.cells_at_least(0, least))
                .sum();
            assert!(all == active.len() as u64 || max < 16, "{step}");
        }
        assert!(above > 200 && turns >= 7, "{above} {turns}");
        filter.clear();
        let empty = filter.apply(&key(&geometry, 1), Query, 0).verdict;
        assert_eq!(
            (empty.estimate, empty.seen, filter.in_window()),
            (0, false, 0)
        );
    }
}

#[test]
fn the_probability_given_the_cells_of_two_panes_is_that_of_all_positions() {
    let shape = CellSample {
        hashes: 2,
        window: 64,
        hashing: "independent",
        ..CellSample::COUNTING
    };
    let geometry = shape.geometry();
    let mut filter = CellFilter::new(&geometry);
    for value in 0..110 {
        filter.apply(&key(&geometry, value), Insert, 1);
    }
    let range = geometry.range() as u32;
    for least in 1..=6 {
        let mut reached = 0_u64;
        for (one, other) in (0..range).flat_map(|one| (0..range).map(move |other| (one, other))) {
            let active = filter.cell(0, one).min(filter.cell(1, other));
            let frozen = filter.frozen_cell(0, one).min(filter.frozen_cell(1, other));
            reached += u64::from(active + frozen >= least);
        }
        let share = reached as f64 / f64::from(range * range);
        let found = filter.probability_at_least(least);
        assert!((found - share).abs() < 1e-12, "{least}: {found} {share}");
        assert!(least > 3 || reached > 0);
    }
}
