//! The cycle-accurate model against the functional one, through the ports.

use crate::common::harness::{Harness, Traffic};
use crate::common::Shape;
use bloomline_model::{PipelineModel, ProbeHasher};
use bloomline_spec::registers::{address, RecyclingCounter};
use bloomline_spec::{Key, RecycleOn};
use proptest::prelude::*;
use rand::Rng;

/// Thresholds that run at full rate, for either recycling rule.
fn full_rate(shape: Shape) -> Shape {
    let threshold = if shape.on == RecycleOn::Messages {
        70
    } else {
        70 * shape.hashes
    };
    Shape { threshold, ..shape }
}

/// Random clears, threshold and age writes, illegal writes and resets, every few hundred clocks.
fn disturb(harness: &mut Harness, rounds: u32) {
    let half_bits = harness.geometry.half_bits() as u32;
    for _ in 0..rounds {
        let clocks = harness.random.random_range(1..500);
        harness.run(clocks);
        let threshold = harness.random.random_range(0..half_bits);
        let places = 1 << harness.geometry.array_address_bits();
        let place = harness.random.random_range(0..places);
        match harness.random.random_range(0..15) {
            0..3 => harness.write(address::CONTROL, 1),
            3..6 => harness.write(address::THRESHOLD, threshold),
            6 => harness.write(address::MAX_AGE, threshold % 5),
            7 => harness.write(address::THRESHOLD, u32::MAX),
            8 => harness.write(address::STATUS, 1),
            9 => harness.write(address::THRESHOLD, harness.geometry.threshold() as u32),
            10 => harness.finish_accesses(),
            11..14 => {
                harness.write(address::ARRAY_ADDRESS, place);
                harness.read_now(address::ARRAY_DATA);
            }
            _ => {
                let clocks = harness.random.random_range(1..4);
                harness.reset(clocks);
            }
        }
    }
    harness.settle();
}

#[test]
fn verdicts_match_the_functional_model_in_every_mode_under_holes_and_back_pressure() {
    for (index, shape) in (Shape {
        partition_bits: 256,
        ..Shape::default()
    })
    .modes()
    .map(full_rate)
    .enumerate()
    {
        for traffic in [
            Traffic::FULL,
            Traffic::HOLES,
            Traffic {
                verdict_ready: 20,
                ..Traffic::FULL
            },
        ] {
            let mut harness = Harness::new(shape, traffic, 100 + index as u64);
            harness.run(6_000);
            harness.settle();
            assert!(
                harness.verdicts_compared > 500,
                "{shape:?} {}",
                harness.verdicts_compared
            );
            assert!(
                harness.model.status().counter(RecyclingCounter::Recycles) > 5,
                "{shape:?}"
            );
        }
    }
}

#[test]
fn verdicts_match_through_clears_resets_and_writes_in_every_mode() {
    for (index, shape) in (Shape {
        partition_bits: 256,
        ..Shape::default()
    })
    .modes()
    .map(full_rate)
    .enumerate()
    {
        let mut harness = Harness::new(shape, Traffic::HOLES, 200 + index as u64);
        disturb(&mut harness, 150);
        assert!(
            harness.verdicts_compared > 1_000,
            "{shape:?} {}",
            harness.verdicts_compared
        );
    }
}

#[test]
fn verdicts_match_with_a_threshold_one_above_k_and_the_smallest_on_messages() {
    for (index, shape) in Shape::default().modes().enumerate() {
        for more in [0, 1, 2] {
            let threshold = if shape.on == RecycleOn::Messages {
                1 + more
            } else {
                shape.hashes + more
            };
            let mut harness = Harness::new(
                Shape { threshold, ..shape },
                Traffic::FULL,
                300 + index as u64,
            );
            harness.run(20_000);
            harness.settle();
            let recycles = harness.model.status().counter(RecyclingCounter::Recycles);
            assert!(
                recycles > 100,
                "{shape:?} threshold {threshold}: {recycles} recycles"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn verdicts_match_for_random_geometries_and_traffic(
        mode in 0usize..8, hashes in 1u64..=12, size in 7u32..=9, independent: bool, plain: bool, seed: u64,
        items in 30u32..=100, verdict_ready in 10u32..=100, room in 0u64..120, keys in 50u32..2_000,
    ) {
        let shape = Shape {
            hashes,
            partition_bits: 1 << size,
            hashing: if independent { "independent" } else { "double" },
            family: if plain { "h3" } else { "h3-sbox" },
            seed: seed >> 2,
            ..Shape::default()
        }.modes().nth(mode).expect("eight modes");
        let threshold = match shape.on {
            RecycleOn::Messages => 1 + room,
            RecycleOn::BitsSet => hashes * (1 + room),
        };
        let traffic = Traffic { items, verdict_ready, response_ready: 60, keys };
        let mut harness = Harness::new(Shape { threshold, ..shape }, traffic, seed);
        disturb(&mut harness, 25);
    }
}

#[test]
fn one_item_enters_in_every_clock_without_back_pressure() {
    for shape in (Shape {
        partition_bits: 1 << 12,
        ..Shape::default()
    })
    .modes()
    {
        let threshold = if shape.on == RecycleOn::Messages {
            2_800
        } else {
            4 << 11
        };
        let mut harness = Harness::new(
            Shape { threshold, ..shape },
            Traffic {
                keys: 1 << 24,
                ..Traffic::FULL
            },
            400,
        );
        while !harness.model.outputs().s_item_tready {
            harness.run(1);
        }
        let (accepted, clocks) = (harness.accepted, 100_000);
        harness.run(clocks);
        assert_eq!(harness.accepted - accepted, clocks, "{shape:?}");
        assert!(
            harness.model.status().counter(RecyclingCounter::Recycles) > 7 * shape.phases,
            "{shape:?}"
        );
        harness.settle();
    }
}

#[test]
fn forty_clears_in_a_row_leave_both_halves_empty_and_no_epoch_reused() {
    for phases in [1, 2] {
        let mut harness = Harness::new(
            Shape {
                phases,
                partition_bits: 1 << 14,
                threshold: 3_000,
                ..Shape::default()
            },
            Traffic::FULL,
            500,
        );
        harness.run(2_000);
        assert!(harness.expected.bits_active() > 0);
        for _ in 0..40 {
            harness.write(address::CONTROL, 1);
        }
        harness.finish_accesses();
        harness.settle();
        harness.traffic.items = 0;
        harness.write(address::CONTROL, 1);
        harness.settle();
        assert_eq!(
            (
                harness.expected.bits_active(),
                harness.expected.bits_frozen()
            ),
            (0, 0)
        );
        harness.traffic.items = 100;
        harness.run(2_000);
        harness.settle();
    }
}

/// Keys whose every probe lies in the first `words` words of its partition.
fn keys_within(shape: Shape, words: u32, count: usize) -> Vec<Key> {
    let hasher = ProbeHasher::new(&shape.geometry());
    (0u32..)
        .map(|value| Key::from_integer(u128::from(value), 104).expect("fits"))
        .filter(|key| {
            hasher
                .probes(key)
                .positions()
                .iter()
                .all(|position| position / 32 < words)
        })
        .take(count)
        .collect()
}

/// One probe and a threshold just large enough for full rate; keys avoid the last word of eight, so the stream never
/// covers the half by itself, and no clock is free for a refresh.
fn uncovered(phases: u64) -> Harness {
    let shape = Shape {
        phases,
        hashes: 1,
        partition_bits: 256,
        threshold: 70,
        ..Shape::default()
    };
    let mut harness = Harness::new(shape, Traffic::FULL, 600);
    harness.key_list = keys_within(shape, 7, 2_000);
    harness
}

#[test]
fn a_stream_that_never_covers_its_half_is_held_up_and_stays_exact() {
    for phases in [1, 2] {
        let mut harness = uncovered(phases);
        harness.run(30_000);
        harness.settle();
        let stalled = harness
            .model
            .status()
            .counter(RecyclingCounter::StallRecycle);
        assert!(stalled > 50, "{phases} phases: {stalled} clocks");
        assert!(
            stalled < 5_000,
            "{phases} phases: {stalled} clocks for 14 recycles a pause"
        );
    }
}

#[test]
fn keys_that_all_fall_into_one_word_stay_exact() {
    for shape in (Shape {
        hashes: 2,
        threshold: 40,
        ..Shape::default()
    })
    .modes()
    {
        let threshold = if shape.on == RecycleOn::Messages {
            12
        } else {
            40
        };
        let shape = Shape { threshold, ..shape };
        let mut harness = Harness::new(shape, Traffic::FULL, 700);
        harness.key_list = keys_within(shape, 1, 500);
        harness.run(60_000);
        harness.settle();
        assert!(
            harness.model.status().counter(RecyclingCounter::Recycles) > 15 * shape.phases,
            "{shape:?}"
        );
    }
}

#[test]
fn reset_while_no_epoch_is_spare_comes_back_empty_and_exact() {
    for phases in [1, 2] {
        for reset_clocks in [1, 3] {
            let mut harness = uncovered(phases);
            let mut waited = 0;
            while harness.model.status().spare_epochs > 0 {
                harness.run(1);
                waited += 1;
                assert!(
                    waited < 50_000,
                    "{phases} phases: spare values never ran out"
                );
            }
            harness.run(2);
            harness.reset(reset_clocks);
            assert!(
                harness.model.status().spare_epochs == 0,
                "reset does not touch what describes memory"
            );
            harness.run(5_000);
            harness.settle();
            assert!(harness.verdicts_compared > 1_000);
        }
    }
}

#[test]
fn the_active_half_recycles_when_it_reaches_the_maximum_age() {
    for phases in [1, 2] {
        let traffic = Traffic {
            items: 5,
            ..Traffic::FULL
        };
        let mut harness = Harness::new(
            Shape {
                phases,
                partition_bits: 1 << 14,
                threshold: 30_000,
                ..Shape::default()
            },
            traffic,
            800,
        );
        harness.run(3_000);
        assert!(harness.expected.bits_active() > 0);
        assert_eq!(
            harness.model.status().counter(RecyclingCounter::Recycles),
            0
        );
        harness.write(address::MAX_AGE, 3);
        harness.finish_accesses();
        let recycles =
            |harness: &Harness| harness.model.status().counter(RecyclingCounter::Recycles);
        let (mut last, mut intervals) = (None, Vec::new());
        for _ in 0..40_000 {
            let before = recycles(&harness);
            harness.run(1);
            if recycles(&harness) > before {
                let now = harness.model.now();
                intervals.extend(last.replace(now).map(|last| now - last));
            }
        }
        let timing = harness.geometry.timing();
        let slowest = 3 * 1024 + 2 * u64::from(timing.retire_clocks) + 16;
        assert!(intervals.len() > 10, "{phases} phases: {intervals:?}");
        assert!(
            intervals
                .iter()
                .all(|interval| (2 * 1024..=slowest).contains(interval)),
            "{intervals:?}"
        );
        harness.write(address::MAX_AGE, 0);
        harness.settle();
        let stopped = recycles(&harness);
        harness.run(10_000);
        harness.settle();
        assert_eq!(recycles(&harness), stopped, "0 means no limit");
    }
}

#[test]
fn a_verdict_stream_that_stops_holds_the_items_and_loses_nothing() {
    let mut harness = Harness::new(
        full_rate(Shape::default()),
        Traffic {
            verdict_ready: 0,
            ..Traffic::FULL
        },
        900,
    );
    harness.run(2_000);
    assert!(!harness.model.outputs().s_item_tready);
    let accepted = harness.accepted;
    assert!(
        (60..100).contains(&accepted),
        "{accepted} items taken, of which 7 in 8 with a verdict"
    );
    harness.run(1_000);
    assert_eq!(harness.accepted, accepted);
    assert!(
        harness
            .model
            .status()
            .counter(RecyclingCounter::StallVerdict)
            > 1_900
    );
    harness.traffic.verdict_ready = 100;
    harness.run(1_000);
    harness.settle();
}

#[test]
fn ready_is_low_in_no_clock_whose_cause_is_not_counted() {
    let mut model = PipelineModel::new(&Shape::default().geometry());
    let mut low = 0;
    for clock in 0..500 {
        low += u64::from(clock > 0 && !model.outputs().s_item_tready);
        model.clock(&Default::default());
    }
    assert_eq!(model.status().counter(RecyclingCounter::StallControl), low);
    assert_eq!(
        model.status().counter(RecyclingCounter::StallRecycle)
            + model.status().counter(RecyclingCounter::StallVerdict),
        0
    );
}

#[test]
fn a_write_that_arrives_at_any_clock_of_an_ageing_drain_is_never_lost() {
    for phases in [1, 2] {
        for delay in 0..140 {
            let shape = Shape {
                phases,
                partition_bits: 1 << 10,
                threshold: 2_000,
                ..Shape::default()
            };
            let mut harness = Harness::new(
                shape,
                Traffic {
                    response_ready: 100,
                    ..Traffic::FULL
                },
                1_000 + delay,
            );
            harness.write(address::MAX_AGE, 1);
            harness.finish_accesses();
            let mut waited = 0;
            while harness.model.status().running || waited < 200 {
                harness.run(1);
                waited += 1;
                assert!(waited < 4_000, "the half never aged");
            }
            harness.run(delay);
            let write = if delay % 2 == 0 {
                (address::CONTROL, 1)
            } else {
                (address::THRESHOLD, 700)
            };
            harness.write(write.0, write.1);
            harness.finish_accesses();
            harness.write(address::MAX_AGE, 0);
            harness.run(300);
            harness.settle();
        }
    }
}
