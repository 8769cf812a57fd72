//! Conservative update: what an insertion raises, one item at a time and clock by clock.

use crate::common::cell_harness::{CellHarness, CellTraffic};
use crate::common::cell_sample::CellSample;
use crate::common::plain_hash;
use bloomline_model::{CellFilter, CellPipelineModel, Inputs};
use bloomline_spec::registers::CellCounter;
use bloomline_spec::{CellGeometry, CellOperation, Key};
use proptest::prelude::*;
use rand::Rng;
use std::collections::HashMap;
use CellOperation::{Query, Remove, TestAndInsert};

const COUNTING: CellSample = CellSample {
    layout: "shared",
    conservative: true,
    ..CellSample::COUNTING
};
const SKETCH: CellSample = CellSample {
    layout: "shared",
    conservative: true,
    words: 16,
    ..CellSample::SKETCH
};

fn key(geometry: &CellGeometry, value: u64) -> Key {
    Key::from_integer(value.into(), geometry.key_bits()).expect("small keys fit")
}

fn shapes() -> impl Strategy<Value = CellSample> {
    let kinds = prop_oneof![
        (2..=16_u64).prop_map(|cell_bits| CellSample {
            cell_bits,
            threshold: 3,
            ..COUNTING
        }),
        (8..=32_u64, 1..=8_u64).prop_map(|(cell_bits, amount_bits)| CellSample {
            cell_bits,
            amount_bits,
            ..SKETCH
        }),
    ];
    let schemes = [
        ("double", false),
        ("independent", false),
        ("independent", true),
        ("extended-double-2", false),
    ];
    (kinds, 2..=8_u64, 1..=100_u64, 0..schemes.len()).prop_map(
        move |(shape, hashes, seed, scheme)| {
            let (hashing, distinct) = schemes[scheme];
            CellSample {
                hashes,
                seed,
                hashing,
                distinct,
                ..shape
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn an_insertion_raises_its_cells_to_the_least_of_them_and_its_amount_and_no_other_cell(
        shape in shapes(),
        items in prop::collection::vec((0..60_u64, 0..4_u64, 0..256_u32), 1..300),
    ) {
        let geometry = shape.geometry();
        let max = u64::from(geometry.cell_max());
        let mut filter = CellFilter::new(&geometry);
        let mut cells = vec![0_u64; geometry.cells_per_bank() as usize];
        for (value, code, amount) in items {
            let operation = CellOperation::from_code(code, geometry.removes());
            let key = key(&geometry, value);
            let positions = plain_hash::positions(&geometry, &key, 0);
            let add = match geometry.amount_bits() {
                0 => 1,
                bits => u64::from(amount) % (1 << bits),
            };
            let of_item = |cells: &[u64]| -> Vec<u64> {
                positions.iter().map(|&position| cells[position as usize]).collect()
            };
            let before = of_item(&cells);
            let least = before.iter().copied().min().unwrap_or(0);
            if operation != Query {
                for &position in &positions {
                    let cell = &mut cells[position as usize];
                    *cell = (*cell).max((least + add).min(max));
                }
            }
            let after = of_item(&cells);
            let outcome = filter.apply(&key, operation, amount);
            let verdict = outcome.verdict;
            prop_assert_eq!(Some(u64::from(verdict.estimate)), after.iter().copied().min());
            prop_assert_eq!(verdict.seen, least > 0);
            prop_assert_eq!(verdict.saturated, after.contains(&max));
            prop_assert_eq!(verdict.reached, verdict.estimate >= filter.threshold());
            prop_assert!(!verdict.underflow && !outcome.removed);
            prop_assert_eq!(outcome.inserted, operation != Query);
        }
        for (position, &cell) in (0..).zip(&cells) {
            prop_assert_eq!(u64::from(filter.cell(0, position)), cell);
        }
    }

    #[test]
    fn an_estimate_is_never_below_the_true_count_and_no_cell_above_that_of_the_plain_filter(
        shape in shapes(),
        items in prop::collection::vec((0..60_u64, 0..3_u64, 0..256_u32), 1..400),
    ) {
        let geometry = shape.geometry();
        let plain = CellSample { conservative: false, ..shape }.geometry();
        let (mut filter, mut above) = (CellFilter::new(&geometry), CellFilter::new(&plain));
        let mut exact: HashMap<u64, u64> = HashMap::new();
        for (value, code, amount) in items {
            let operation = CellOperation::from_code(code, false);
            let key = key(&geometry, value);
            if operation != Query {
                *exact.entry(value).or_default() += u64::from(filter.amount_of(amount));
            }
            let estimate = filter.apply(&key, operation, amount).verdict.estimate;
            let plain_estimate = above.apply(&key, operation, amount).verdict.estimate;
            let truth = exact.get(&value).copied().unwrap_or(0);
            prop_assert!(u64::from(estimate) >= truth.min(geometry.cell_max().into()));
            prop_assert!(estimate <= plain_estimate);
        }
        for position in 0..geometry.cells_per_bank() as u32 {
            prop_assert!(filter.cell(0, position) <= above.cell(0, position));
        }
    }
}

#[test]
fn only_cells_below_the_level_are_raised_and_a_cell_that_is_probed_twice_once() {
    let geometry = CellSample {
        hashing: "independent",
        ..COUNTING
    }
    .geometry();
    let mut filter = CellFilter::new(&geometry);
    let first = filter.apply_probes(&[5, 9, 5, 9], TestAndInsert, 1).verdict;
    assert_eq!((first.seen, first.estimate), (false, 1));
    assert_eq!([5, 9].map(|cell| filter.cell(0, cell)), [1, 1]);
    filter.apply_probes(&[5, 5, 5, 5], TestAndInsert, 1);
    assert_eq!(filter.cell(0, 5), 2);
    // the least is cell 9: it comes to the level, cell 5 stands there already, and cell 7 is raised by two
    let third = filter.apply_probes(&[5, 9, 9, 5], TestAndInsert, 1).verdict;
    assert_eq!((third.seen, third.estimate), (true, 2));
    let fourth = filter.apply_probes(&[5, 7, 9, 5], TestAndInsert, 1).verdict;
    assert_eq!((fourth.seen, fourth.estimate), (false, 1));
    assert_eq!([5, 7, 9].map(|cell| filter.cell(0, cell)), [2, 1, 2]);
}

#[test]
fn a_counting_filter_takes_a_removal_for_a_test_and_insert() {
    let geometry = COUNTING.geometry();
    let mut filter = CellFilter::new(&geometry);
    for count in 1..=4 {
        let outcome = filter.apply(&key(&geometry, 3), Remove, 1);
        assert!(outcome.inserted && !outcome.removed);
        assert_eq!(outcome.verdict.estimate, count);
    }
}

#[test]
fn the_pipeline_gives_every_item_the_functional_verdict_whatever_the_host_does() {
    let mut compared = 0;
    let schemes = [
        ("double", false, 0, "h3-sbox"),
        ("independent", true, 0, "siphash"),
        ("independent", false, 35, "h3"),
        ("extended-double-3", false, 61, "siphash-2-4"),
    ];
    for kind in [COUNTING, SKETCH] {
        for (hashing, distinct, range, family) in schemes {
            for hashes in [2, 3, 4, 7, 16, 32] {
                for traffic in [CellTraffic::FULL, CellTraffic::HOLES] {
                    let shape = CellSample {
                        hashes,
                        hashing,
                        distinct,
                        range,
                        family,
                        ..kind
                    };
                    let mut harness = CellHarness::new(shape, traffic, hashes);
                    for round in 0..30 {
                        harness.run(70 * (2 + hashes));
                        (0..round % 4).for_each(|_| harness.ask_anything());
                        if round % 10 == 9 {
                            let clocks = harness.random.random_range(0..400);
                            harness.run(clocks);
                            harness.reset(1 + clocks % 3);
                        }
                    }
                    harness.settle();
                    compared += harness.verdicts_compared;
                }
            }
        }
    }
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn an_insertion_takes_twice_k_and_four_clocks_a_query_k_and_both_are_answered_after_as_many() {
    for hashes in 2..=32 {
        let geometry = CellSample { hashes, ..COUNTING }.geometry();
        for (operation, interval) in [(TestAndInsert, 2 * hashes + 4), (Query, hashes)] {
            let mut model = CellPipelineModel::new(&geometry);
            let mut inputs = Inputs {
                s_item_tvalid: true,
                s_item_tuser: operation.code().into(),
                m_verdict_tready: true,
                ..Inputs::default()
            };
            // Items of another key each, as fast as they are taken; tags are the clocks they are taken in.
            let (mut taken, mut answered) = (Vec::new(), Vec::new());
            for _ in 0..20 * interval + 400 {
                let now = model.now();
                let outputs = model.outputs();
                (inputs.s_item_tid, inputs.s_item_tdata[0]) = (now, now);
                if outputs.s_item_tready {
                    taken.push(now);
                }
                if outputs.m_verdict_tvalid {
                    answered.push((now, outputs.m_verdict_tid.expect("valid")));
                }
                model.clock(&inputs);
            }
            let gaps = taken.windows(2).map(|pair| pair[1] - pair[0]);
            assert_eq!(gaps.min(), Some(interval));
            assert_eq!(
                taken[20] - taken[0],
                20 * interval,
                "k = {hashes}, {operation:?}"
            );
            let timing = geometry.timing();
            let latency = u64::from(timing.front_clocks) + (hashes - 1) + 8 + 3;
            assert!(answered.len() > 10);
            assert!(answered.iter().all(|(now, tag)| now - tag == latency));
            let stalls = model.status().counter(CellCounter::StallVerdict);
            assert_eq!(stalls, 0, "a clock between items is no stall");
        }
    }
}

#[test]
fn reset_among_looks_and_raises_leaves_an_empty_filter_at_every_distance() {
    for clocks in 0..60 {
        let mut harness = CellHarness::new(COUNTING, CellTraffic::FULL, clocks);
        harness.run(400);
        harness.run(clocks);
        harness.reset(1 + clocks % 3);
        harness.run(clocks);
        harness.reset(1);
        harness.run(600);
        harness.settle();
        assert!(harness.verdicts_compared > 20);
    }
}
