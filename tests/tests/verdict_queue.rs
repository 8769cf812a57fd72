//! `features.verdict_queue`: filters of every kind without a queue, with a queue that is too small for the full rate, and with a deeper one equal the
//! cycle-accurate model on every port of every clock; and the rate that is left is the one that the formula says.

use bloomline_bench::filter::{emitted_design, PackedModel};
use bloomline_bench::lockstep::Reference;
use bloomline_model::{Inputs, Modelled};
use bloomline_spec::{by_kind, Design, FilterSpec};
use bloomline_tests::{
    few, in_lockstep, in_verilator, runs, simulation, CellSample, CuckooSample, Sample,
    SharedArraySample, SlidingSample, Tortured,
};
use std::path::Path;

/// None, too few places for the full rate of a pipeline that takes an item a clock, enough, and more than usual.
const DEPTHS: [u32; 4] = [0, 16, 32, 128];

/// A depth that is too small for the full rate is refused where that rate is not an item in every clock.
fn with(text: &str, depth: u32) -> Option<Design> {
    let text = format!("{text}\n[features]\nverdict_queue = {depth}\n");
    let spec = FilterSpec::from_toml(&text, Path::new("queue.toml"));
    let design = spec.and_then(|spec| spec.design());
    match design {
        Ok(design) => Some(design),
        Err(error) if depth == 16 && error.to_string().contains("use 32") => None,
        Err(error) => panic!("{depth}: {error}"),
    }
}

fn compared<F: Tortured>(filter: &F, quick: u64) -> u64 {
    let simulation = simulation(&filter.emitted());
    in_lockstep(
        filter,
        simulation,
        runs(quick, 8),
        runs(3_000, 10_000),
        |_| {},
    )
}

/// Every kind of pipeline, with a secret per half among them.
fn texts() -> Vec<String> {
    let keyed = |base: Sample| Sample {
        family: "siphash",
        ..base
    };
    let folded = CellSample {
        layout: "shared",
        conservative: true,
        ..CellSample::COUNTING
    };
    let turning = CellSample {
        window: 300,
        ..CellSample::COUNTING
    };
    vec![
        Sample::SPARE_HALF.toml(),
        keyed(Sample::SPARE_HALF).toml(),
        Sample::BASE.toml(),
        SharedArraySample::BASE.toml(),
        CellSample::SINGLE_BITS.toml(),
        folded.toml(),
        turning.toml(),
        CellSample::STATIC.toml(),
        CellSample::SKETCH.toml(),
        keyed(Sample::BASE).toml(),
        CellSample::COUNTING.toml(),
    ]
}

#[test]
fn filters_of_any_verdict_queue_and_of_none_equal_the_model_under_torture() {
    let mut clocks = 0;
    for (place, text) in few(&texts(), 7).iter().enumerate() {
        // Quick: the choice that differs most everywhere, and one of the others in turn.
        let others = &DEPTHS[1..];
        let others = (0..others.len()).map(|turn| others[(place + turn) % others.len()]);
        let depths: Vec<u32> = std::iter::once(DEPTHS[0]).chain(others).collect();
        for design in few(&depths, 1 + place % 2)
            .iter()
            .filter_map(|&depth| with(text, depth))
        {
            clocks += match design {
                Design::Recycling(geometry) => compared(&geometry, 1),
                Design::Cells(geometry) => compared(&geometry, 1),
                other => panic!("{other:?}"),
            };
        }
    }
    for depth in [0, 32] {
        let sections = format!("[features]\nverdict_queue = {depth}\n");
        clocks += compared(&SlidingSample::CROWDED.geometry_with(&sections), 1);
        let cuckoo = CuckooSample::CROWDED.resolve(&sections).expect("legal");
        clocks += compared(&cuckoo, 1);
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn verilator_finds_nothing_to_say_of_filters_without_a_verdict_queue() {
    for text in few(&texts(), 1) {
        match with(text, 0).expect("legal") {
            Design::Recycling(geometry) => in_lockstep(
                &geometry,
                in_verilator(&geometry.emitted()),
                1,
                2_000,
                |_| {},
            ),
            Design::Cells(geometry) => in_lockstep(
                &geometry,
                in_verilator(&geometry.emitted()),
                1,
                2_000,
                |_| {},
            ),
            other => panic!("{other:?}"),
        };
    }
}

#[test]
fn without_a_queue_there_is_neither_its_memory_nor_a_port_that_holds_verdicts() {
    for text in few(&texts(), 1) {
        let text_of = |depth| {
            by_kind!(&with(text, depth).expect("legal"), geometry => emitted_design(geometry))
                .expect("legal geometries print")
                .1
                .text()
        };
        for word in ["verdict_queue", "queue_memory", "m_verdict_tready"] {
            assert!(text_of(32).contains(word), "{word}");
            assert!(!text_of(0).contains(word), "{word}");
        }
    }
}

/// Items that a filter accepts in `clocks` clocks of a stream that never waits, each a query for another key, with every verdict taken at once.
fn accepted<G: Modelled>(geometry: &G, clocks: u64) -> u64 {
    let common = geometry.common();
    let mut model = PackedModel::new(geometry);
    let mut inputs = Inputs {
        s_item_tvalid: true,
        m_verdict_tready: true,
        ..Inputs::default()
    };
    let (mut packed, mut outputs, mut care) = (vec![0; 64], vec![0; 64], vec![0; 64]);
    let mut items = 0;
    let mut begun = false;
    let mut left = clocks;
    while left > 0 {
        model.outputs(&mut outputs, &mut care);
        let ready = outputs[0] & 1 == 1;
        begun |= ready;
        items += u64::from(ready);
        left -= u64::from(begun);
        inputs.s_item_tdata[0] = items.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        inputs.pack(common.key_bits(), &mut packed);
        model.clock(&packed);
    }
    items
}

#[test]
fn the_rate_that_a_verdict_queue_leaves_is_the_one_that_the_formula_says() {
    const CLOCKS: u64 = 30_000;
    let long = Sample {
        threshold: 4_000,
        partition_bits: 2_048,
        ..Sample::SPARE_HALF
    };
    let words = Sample {
        threshold: 4_000,
        partition_bits: 2_048,
        ..Sample::BASE
    };
    let keyed = Sample {
        family: "siphash",
        ..words
    };
    let shared = SharedArraySample {
        threshold: 1_000,
        half_bits: 4_096,
        ..SharedArraySample::BASE
    };
    let mut held_back = 0;
    let [low, lowest] = ["low", "lowest"].map(|latency| Sample { latency, ..long });
    for text in [
        long.toml(),
        low.toml(),
        lowest.toml(),
        words.toml(),
        keyed.toml(),
        CellSample::SINGLE_BITS.toml(),
        CellSample::COUNTING.toml(),
        shared.toml(),
    ] {
        for depth in [0, 8, 16, 32, 64, 128] {
            let text = format!("{text}\n[features]\nverdict_queue = {depth}\n");
            let spec = FilterSpec::from_toml(&text, Path::new("queue.toml"));
            let Ok(design) = spec.and_then(|spec| spec.design()) else {
                continue;
            };
            let timing = design.timing();
            let items = match &design {
                Design::Recycling(geometry) => accepted(geometry, CLOCKS),
                Design::Cells(geometry) => accepted(geometry, CLOCKS),
                other => panic!("{other:?}"),
            };
            let interval = f64::from(timing.initiation_interval);
            let expected = timing.queue_rate() * CLOCKS as f64 / interval;
            println!("{:?} {depth}: {items}, expected {expected}", design.kind());
            // but for the burst at the beginning
            let slack = f64::from(depth.max(16));
            assert!(
                (items as f64 - expected).abs() <= slack,
                "{depth}: {items} and {expected}"
            );
            held_back += u32::from(timing.queue_rate() < 1.0);
        }
    }
    assert!(held_back > 8, "{held_back}");
}
