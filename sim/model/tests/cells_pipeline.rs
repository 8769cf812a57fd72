//! The pipeline of filters of cells, clock by clock: what it shows is what the functional filter says, when the page says.

use crate::common::cell_harness::{CellHarness, CellTraffic};
use crate::common::cell_sample::CellSample;
use bloomline_model::{CellEvent, CellFilter, CellPipelineModel, Inputs};
use bloomline_spec::registers::{address, CellCounter, RegisterMap};
use bloomline_spec::{CellGeometry, CellVerdict, Key};
use rand::Rng;

const KINDS: [CellSample; 3] = [CellSample::STATIC, CellSample::COUNTING, CellSample::SKETCH];

/// A clock with ready for every answer and nothing on offer.
const IDLE: Inputs = Inputs {
    reset: false,
    s_item_tvalid: false,
    s_item_tdata: [0; 8],
    s_item_tuser: 2,
    s_item_tid: 0,
    m_verdict_tready: true,
    s_axil_awvalid: false,
    s_axil_awaddr: 0,
    s_axil_wvalid: false,
    s_axil_wdata: 0,
    s_axil_wstrb: 15,
    s_axil_bready: true,
    s_axil_arvalid: false,
    s_axil_araddr: 0,
    s_axil_rready: true,
};

fn running(geometry: &CellGeometry) -> CellPipelineModel {
    let mut model = CellPipelineModel::new(geometry);
    while !model.outputs().s_item_tready {
        model.clock(&IDLE);
    }
    model
}

/// Ends a clock with an item of this key and tag.
fn item(model: &mut CellPipelineModel, key: u64, user: u64, tag: u64) {
    let mut inputs = Inputs {
        s_item_tvalid: true,
        s_item_tuser: user,
        s_item_tid: tag,
        ..IDLE
    };
    inputs.s_item_tdata[0] = key;
    assert!(model.outputs().s_item_tready);
    model.clock(&inputs);
}

#[test]
fn the_pipeline_gives_every_item_the_functional_verdict_whatever_the_host_does() {
    let mut compared = 0;
    for kind in KINDS {
        for hashes in [1, 2, 3, 4, 5, 8, 16, 32] {
            for traffic in [CellTraffic::FULL, CellTraffic::HOLES] {
                let shape = CellSample { hashes, ..kind };
                let mut harness = CellHarness::new(shape, traffic, hashes);
                for round in 0..60 {
                    harness.run(120);
                    (0..round % 4).for_each(|_| harness.ask_anything());
                }
                harness.settle();
                compared += harness.verdicts_compared;
            }
        }
    }
    assert!(compared > 60_000, "{compared}");
}

/// Kinds, layouts and schemes that an item may take.
fn probings() -> impl Iterator<Item = CellSample> {
    let schemes = [
        ("shared", "double", false, 0),
        ("shared", "double", false, 37),
        ("shared", "independent", true, 0),
        ("shared", "independent", true, 35),
        ("shared", "extended-double-3", false, 61),
        ("partitioned", "double", false, 53),
        ("partitioned", "independent", false, 50),
    ];
    let families = ["siphash", "h3-sbox", "siphash-2-4", "h3"];
    let kinds = [
        CellSample::STATIC,
        CellSample::COUNTING,
        CellSample {
            words: 16,
            ..CellSample::SKETCH
        },
    ];
    kinds.into_iter().flat_map(move |kind| {
        schemes
            .into_iter()
            .enumerate()
            .map(
                move |(place, (layout, hashing, distinct, range))| CellSample {
                    layout,
                    hashing,
                    distinct,
                    // of 256 cells in a static filter and 64 in the others
                    range: match kind.kind {
                        "static" if range > 0 => 251,
                        _ => range,
                    },
                    family: families[place % 4],
                    ..kind
                },
            )
    })
}

#[test]
fn shared_arrays_other_ranges_and_rekeys_give_every_item_the_functional_verdict() {
    let mut compared = 0;
    for shape in probings() {
        for hashes in [1, 2, 3, 4, 7, 16, 32] {
            for traffic in [CellTraffic::FULL, CellTraffic::HOLES] {
                let shape = CellSample { hashes, ..shape };
                let mut harness = CellHarness::new(shape, traffic, hashes);
                for round in 0..12 {
                    harness.run(40 * (1 + hashes));
                    (0..round % 4).for_each(|_| harness.ask_anything());
                    if round % 6 == 5 {
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
    assert!(compared > 150_000, "{compared}");
}

#[test]
fn every_cell_width_counts_as_the_functional_filter_does() {
    for shape in CellSample::every_width() {
        let mut harness = CellHarness::new(shape, CellTraffic::FULL, shape.cell_bits);
        for _ in 0..20 {
            harness.run(100);
            harness.ask_anything();
        }
        harness.settle();
        assert!(harness.verdicts_compared > 800, "{shape:?}");
    }
}

#[test]
fn reset_in_mid_stream_leaves_an_empty_filter_at_every_distance() {
    for kind in KINDS {
        for clocks in 0..60 {
            let mut harness = CellHarness::new(kind, CellTraffic::FULL, clocks);
            harness.run(150);
            harness.write(address::ARRAY_ADDRESS, 3);
            harness.run(clocks);
            harness.reset(1 + clocks % 3);
            // Again while the filter is on its way out of that reset: its force may stand in any stage.
            harness.run(clocks);
            harness.reset(1);
            assert_eq!(harness.read_now(address::ARRAY_DATA).0, 0, "{kind:?}");
            harness.run(300);
            harness.settle();
            assert!(harness.verdicts_compared > 100);
        }
    }
}

#[test]
fn a_verdict_is_valid_front_plus_decision_plus_three_clocks_after_its_item() {
    for family in ["h3-sbox", "h3"] {
        for hashing in ["double", "independent"] {
            for hashes in 1..=32 {
                let geometry = CellSample {
                    hashes,
                    hashing,
                    family,
                    ..CellSample::COUNTING
                }
                .geometry();
                let mut model = running(&geometry);
                item(&mut model, 5, 2, 77);
                let mut clocks = 1;
                while !model.outputs().m_verdict_tvalid {
                    model.clock(&IDLE);
                    clocks += 1;
                }
                let timing = geometry.timing();
                let decision = 6 + hashes.next_power_of_two().trailing_zeros();
                assert_eq!(clocks, timing.front_clocks + decision + 3);
                assert_eq!(model.outputs().m_verdict_tid, Some(77));
            }
        }
    }
}

#[test]
fn a_shared_array_takes_an_item_in_k_clocks_and_answers_when_its_last_probe_is_decided() {
    for family in ["h3-sbox", "siphash"] {
        for hashes in 1..=32 {
            let shape = CellSample {
                hashes,
                family,
                layout: "shared",
                ..CellSample::COUNTING
            };
            let geometry = shape.geometry();
            let mut model = running(&geometry);
            let interval = hashes as usize;
            let mut inputs = Inputs {
                s_item_tvalid: true,
                ..IDLE
            };
            // Items of another key each, as fast as they are taken; tags are the clocks they are taken in.
            let (mut taken, mut answered) = (Vec::new(), Vec::new());
            for _ in 0..20 * interval + 300 {
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
            assert!(gaps.min() == Some(hashes) && taken[20] - taken[0] == 20 * hashes);
            assert!(answered.len() > 10);
            let timing = geometry.timing();
            let latency = u64::from(timing.front_clocks) + (hashes - 1) + 7 + 3;
            for (now, tag) in answered {
                assert_eq!(now - tag, latency, "{shape:?}");
            }
            let status = model.status();
            assert_eq!(
                status.counter(CellCounter::StallVerdict),
                0,
                "a clock between items is no stall"
            );
            let retire = u64::from(timing.retire_clocks);
            assert_eq!(
                status.counter(CellCounter::StallControl),
                2 * retire + 2,
                "those of start-up"
            );
        }
    }
}

#[test]
fn the_stream_runs_at_one_item_a_clock() {
    let mut harness = CellHarness::new(CellSample::COUNTING, CellTraffic::FULL, 1);
    harness.run(200);
    let before = harness.ready_low;
    harness.run(5_000);
    assert_eq!(harness.ready_low, before);
}

/// Clocks with `ready` low that a host write costs a stream at full rate.
fn clocks_lost(shape: CellSample, address: u32, data: u32) -> u64 {
    let mut harness = CellHarness::new(shape, CellTraffic::FULL, 1);
    harness.run(500);
    let before = harness.ready_low;
    harness.write(address, data);
    harness.run(500);
    harness.settle();
    harness.ready_low - before
}

#[test]
fn an_access_takes_two_clocks_from_the_stream_a_threshold_none_and_a_clear_twice_the_retirement() {
    for kind in KINDS {
        assert_eq!(clocks_lost(kind, address::ARRAY_ADDRESS, 5), 2, "{kind:?}");
        assert_eq!(clocks_lost(kind, address::ARRAY_DATA, 5), 2, "{kind:?}");
        assert_eq!(clocks_lost(kind, address::THRESHOLD, 1), 0, "{kind:?}");
        let retire = u64::from(kind.geometry().timing().retire_clocks);
        assert_eq!(
            clocks_lost(kind, address::CONTROL, 1),
            2 * retire + 3,
            "{kind:?}"
        );
    }
}

#[test]
fn a_threshold_is_met_by_the_item_that_stands_in_the_decision_stage_when_it_is_in_its_register() {
    let geometry = CellSample::COUNTING.geometry();
    let timing = geometry.timing();
    let in_flight = u64::from(timing.front_clocks + timing.decision_stage);
    let mut model = running(&geometry);
    (0..3).for_each(|_| item(&mut model, 9, 1, 0));
    // Queries for a key that stands at 3; the threshold goes from 5 to 3 meanwhile. Tags are the clocks of acceptance.
    let mut taken = None;
    let mut reached = Vec::new();
    for _ in 0..200 {
        let now = model.now();
        let outputs = model.outputs();
        if outputs.m_verdict_tvalid {
            let verdict = CellVerdict::from_bits(outputs.m_verdict_tdata.expect("valid"));
            assert_eq!(verdict.estimate, 3);
            reached.push((outputs.m_verdict_tid.expect("valid"), verdict.reached));
        }
        let writes = now > 100 && taken.is_none();
        let mut inputs = Inputs {
            s_item_tvalid: true,
            s_item_tuser: 0,
            s_item_tid: now,
            s_axil_awvalid: writes,
            s_axil_awaddr: address::THRESHOLD as u8,
            s_axil_wvalid: writes,
            s_axil_wdata: 3,
            ..IDLE
        };
        inputs.s_item_tdata[0] = 9;
        if writes && outputs.s_axil_awready {
            taken = Some(now - 1);
        }
        model.clock(&inputs);
    }
    let first_reached = taken.expect("the write is taken") + 2 - in_flight;
    assert!(reached.iter().any(|(_, reached)| *reached));
    for (accepted, reached) in reached {
        assert_eq!(reached, accepted >= first_reached, "accepted {accepted}");
    }
}

#[test]
fn an_item_that_a_reset_meets_in_any_stage_shows_nowhere() {
    let geometry = CellSample::COUNTING.geometry();
    let timing = geometry.timing();
    // Up to the clock in which its event is registered at the counters, after which it counts until that reset.
    for clocks in 0..=timing.front_clocks + timing.decision_stage + 2 {
        let mut model = running(&geometry);
        model.keep_events();
        item(&mut model, 9, 2, 1);
        (0..clocks).for_each(|_| model.clock(&IDLE));
        model.clock(&Inputs {
            reset: true,
            ..IDLE
        });
        for _ in 0..200 {
            assert!(!model.outputs().m_verdict_tvalid, "{clocks} clocks");
            model.clock(&IDLE);
        }
        assert_eq!(model.status().counter(CellCounter::Items), 0);
        let items = model
            .drain_events()
            .filter(|event| matches!(event, CellEvent::Item(_)))
            .count();
        assert_eq!(
            items > 0,
            clocks >= timing.front_clocks + timing.decision_stage,
            "{clocks} clocks"
        );
        assert!((0..4).all(|bank| model.filter().cells_at_least(bank, 1) == 0));
    }
}

#[test]
fn a_reset_among_the_probes_of_an_item_drops_it_whole() {
    let geometry = CellSample {
        layout: "shared",
        hashes: 6,
        hashing: "independent",
        distinct: true,
        ..CellSample::COUNTING
    }
    .geometry();
    let timing = geometry.timing();
    let last = timing.front_clocks + timing.fold_clocks + timing.decision_stage;
    for clocks in 0..=last + 2 {
        let mut model = running(&geometry);
        model.keep_events();
        item(&mut model, 9, 2, 1);
        (0..clocks).for_each(|_| model.clock(&IDLE));
        model.clock(&Inputs {
            reset: true,
            ..IDLE
        });
        for _ in 0..300 {
            assert!(!model.outputs().m_verdict_tvalid, "{clocks} clocks");
            model.clock(&IDLE);
        }
        assert_eq!(model.status().counter(CellCounter::Items), 0);
        let told = model
            .drain_events()
            .any(|event| matches!(event, CellEvent::Item(_)));
        assert_eq!(told, clocks >= last, "{clocks} clocks");
        assert_eq!(model.filter().cells_at_least(0, 1), 0);
        // The next item meets no trace of the one that was cut short.
        item(&mut model, 9, 2, 1);
        while !model.outputs().m_verdict_tvalid {
            model.clock(&IDLE);
        }
        let verdict = CellVerdict::from_bits(model.outputs().m_verdict_tdata.expect("valid"));
        assert_eq!((verdict.seen, verdict.estimate), (false, 1));
    }
}

/// Writes a register and goes on to the clock in which the write acts; gives that clock.
fn write_now(model: &mut CellPipelineModel, address: u32, data: u32) -> u64 {
    let inputs = Inputs {
        s_axil_awvalid: true,
        s_axil_awaddr: address as u8,
        s_axil_wvalid: true,
        s_axil_wdata: data,
        ..IDLE
    };
    while !model.outputs().s_axil_awready {
        model.clock(&inputs);
    }
    let acts = model.now();
    model.clock(&inputs);
    model.clock(&IDLE);
    acts
}

#[test]
fn a_secret_comes_into_force_in_the_clock_after_the_clear_it_was_asked_with_and_survives_reset() {
    for family in ["siphash", "siphash-2-4"] {
        for layout in ["shared", "partitioned"] {
            let geometry = CellSample {
                family,
                layout,
                ..CellSample::COUNTING
            }
            .geometry();
            let public = geometry.hash().secret.expect("keyed");
            let retire = u64::from(geometry.timing().retire_clocks);
            let mut model = running(&geometry);
            let secret = |model: &CellPipelineModel| model.filter().hasher().secret();
            let words = [0x1111_0000_u32, 0x2222, 0x3333_4444, 0x5555_6666];
            for (place, word) in (0..).zip(words) {
                write_now(&mut model, address::HASH_KEY + 4 * place, word);
            }
            // Neither the writes nor a plain clear change what is in force.
            write_now(&mut model, address::CONTROL, 1);
            (0..3 * retire).for_each(|_| model.clock(&IDLE));
            assert_eq!(secret(&model), Some(public));
            let asked = write_now(&mut model, address::CONTROL, 2);
            let served = asked + 1 + 2 * (retire + 1);
            while model.now() <= served {
                assert_eq!(secret(&model), Some(public), "{}", model.now());
                assert!(!model.outputs().s_item_tready);
                model.clock(&IDLE);
            }
            let loaded = (0..)
                .zip(words)
                .map(|(i, word)| u128::from(word) << (32 * i));
            let loaded = loaded.sum();
            assert_eq!(secret(&model), Some(loaded));
            // A reset in mid-rekey drops it, and leaves both secrets alone.
            write_now(&mut model, address::HASH_KEY + 12, 7);
            write_now(&mut model, address::CONTROL, 3);
            (0..retire).for_each(|_| model.clock(&IDLE));
            model.clock(&Inputs {
                reset: true,
                ..IDLE
            });
            (0..4 * retire).for_each(|_| model.clock(&IDLE));
            assert_eq!(secret(&model), Some(loaded));
            write_now(&mut model, address::CONTROL, 2);
            (0..3 * retire).for_each(|_| model.clock(&IDLE));
            let changed = loaded & (u128::MAX >> 32) | 7 << 96;
            assert_eq!(secret(&model), Some(changed));
        }
    }
}

#[test]
fn events_replayed_in_order_give_the_functional_filter_the_same_outcomes() {
    let windowed = CellSample {
        window: 64,
        ..CellSample::COUNTING
    };
    for kind in KINDS.into_iter().chain([windowed]) {
        let mut harness = CellHarness::new(kind, CellTraffic::HOLES, 3);
        harness.model.keep_events();
        for _ in 0..100 {
            harness.run(60);
            harness.ask_anything();
        }
        harness.settle();
        let mut filter = CellFilter::new(&harness.geometry);
        let (mut items, mut others, mut turns) = (0, 0, 0);
        for event in harness.model.drain_events() {
            others += 1;
            match event {
                CellEvent::Item(decision) => {
                    let value = u128::from(decision.tag & 0xFF);
                    let key = Key::from_integer(value, 104).expect("fits");
                    let mut outcome = filter.apply(&key, decision.operation, decision.amount);
                    // Thresholds are no events: they are met at the decision stage, whatever stands there.
                    outcome.verdict.reached = decision.outcome.verdict.reached;
                    assert_eq!(outcome, decision.outcome, "{kind:?}: {decision:?}");
                    items += 1;
                    others -= 1;
                }
                CellEvent::Clear { .. } => filter.clear(),
                CellEvent::Turn { .. } => {
                    // where the functional filter turned by itself
                    assert_eq!(filter.in_window(), 0);
                    turns += 1;
                }
                CellEvent::Fetch { address, data } => {
                    assert_eq!(filter.word(address.into()), data);
                }
                CellEvent::Store { address, data } => filter.set_word(address.into(), data),
            }
        }
        assert!(items > 1_000 && others > 20, "{kind:?}: {items} {others}");
        assert!(turns > 5 || kind.window == 0, "{kind:?}: {turns}");
    }
}

#[test]
fn clears_in_a_row_use_up_the_epochs_wait_for_coverage_and_resurrect_nothing() {
    let shape = CellSample {
        words: 512,
        threshold: 1,
        ..CellSample::COUNTING
    };
    let mut harness = CellHarness::new(shape, CellTraffic::FULL, 1);
    harness.run(1_000);
    let mut spent = false;
    for _ in 0..60 {
        harness.write(address::CONTROL, 1);
        harness.finish_host();
        spent |= harness.model.status().spare_epochs == 0;
    }
    assert!(spent, "the epochs were never used up");
    harness.run(1_000);
    harness.settle();
    assert!(harness.verdicts_compared > 500);
}

#[test]
fn a_quiet_filter_is_covered_by_refreshes() {
    let geometry = CellSample {
        words: 64,
        ..CellSample::SKETCH
    }
    .geometry();
    let mut model = running(&geometry);
    assert!(!model.status().covered);
    (0..100).for_each(|_| model.clock(&IDLE));
    let status = model.status();
    assert!(status.covered && status.running);
    // Out of configuration the first clear takes the second of fifteen values.
    assert_eq!((status.epoch, status.spare_epochs), (2, 14));
    assert_eq!(status.word(), 1 | 2 << 4 | 14 << 8 | 1 << 12);
}

#[test]
fn every_address_answers_as_the_map_of_the_kind_says() {
    for kind in KINDS {
        let mut harness = CellHarness::new(kind, CellTraffic::HOLES, 5);
        let map = RegisterMap::of(&harness.geometry);
        harness.traffic.items = 0;
        harness.run(200);
        for address in (0..256).step_by(4) {
            let (data, response) = harness.read_now(address);
            match map.at(address) {
                None => assert_eq!((data, response), (0, 3), "{address:#x}"),
                Some(register) if register.reset.is_some() && address < address::COUNTERS => {
                    assert_eq!((data, response), (register.reset.unwrap_or(0), 0));
                }
                Some(_) => assert_eq!(response, 0, "{address:#x}"),
            }
            // One bit more than the register has, where there is one, and else a legal write.
            let too_wide = map
                .at(address)
                .map_or(0, |register| register.max_value().wrapping_add(1));
            harness.write(address, too_wide);
            harness.finish_host();
            let (_, _, response) = harness.answers[harness.answers.len() - 1];
            let expected = match map.at(address) {
                None => 3,
                Some(register) if register.access.is_writable() && too_wide == 0 => 0,
                Some(_) => 2,
            };
            assert_eq!(response, expected, "{kind:?} {address:#x}");
        }
        harness.settle();
    }
}
