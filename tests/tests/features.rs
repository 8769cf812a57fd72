//! What `[features]` leaves out: the emitted Verilog of every choice equals the cycle-accurate model on every port of every clock, absent registers among
//! them, and has less registers than the filter with everything.

use bloomline_bench::filter::emitted_design;
use bloomline_spec::registers::{address, RecyclingCounter};
use bloomline_spec::{Design, FilterSpec, RecyclingGeometry};
use bloomline_tests::{
    few, in_lockstep, in_verilator, runs, simulation, CellSample, CuckooSample, Sample,
    SharedArraySample, SlidingSample, Tortured,
};
use std::path::Path;

const CLOCKS: u64 = 20_000;

/// Every choice for a filter with a spare half: each part by itself, two together, and all.
const OF_SPARE_HALF: [&str; 11] = [
    "counters = \"none\"\narray_access = false\nmax_age = false",
    "counters = 32",
    "array_access = false",
    "max_age = false",
    "counters = \"none\"",
    "counters = 32\narray_access = false",
    "counters = \"none\"\nmax_age = false",
    "registers = \"threshold\"",
    "registers = \"none\"",
    "registers = \"threshold\"\nmax_age = false\nverdict_queue = 0",
    "registers = \"none\"\nverdict_queue = 0",
];

/// Those of the other filters.
const OF_COUNTERS: [&str; 2] = ["counters = 32", "counters = \"none\""];

/// A specification with these features.
fn with(text: &str, features: &str) -> Design {
    let text = format!("{text}\n[features]\n{features}\n");
    let spec = FilterSpec::from_toml(&text, Path::new("features.toml"));
    let design = spec.and_then(|spec| spec.design());
    design.unwrap_or_else(|error| panic!("{features}: {error}"))
}

fn recycling(text: &str, features: &str) -> RecyclingGeometry {
    match with(text, features) {
        Design::Recycling(geometry) => geometry,
        other => panic!("{other:?}"),
    }
}

fn compared<F: Tortured>(filter: &F, quick: u64) -> u64 {
    let simulation = simulation(&filter.emitted());
    in_lockstep(filter, simulation, runs(quick, 12), CLOCKS, |_| {})
}

#[test]
fn every_choice_of_features_of_a_spare_half_equals_the_model_under_torture() {
    let base = Sample::SPARE_HALF;
    let samples = [
        base,
        Sample {
            phases: 1,
            on: "messages",
            threshold: 90,
            retain: false,
            ..base
        },
        Sample {
            family: "siphash",
            row_bits: Some(8),
            hashes: 3,
            partition_bits: 1024,
            threshold: 1500,
            ..base
        },
    ];
    let mut clocks = 0;
    for sample in few(&samples, 2) {
        for features in OF_SPARE_HALF {
            if sample.family == "siphash" && features.starts_with("registers = \"none\"") {
                continue;
            }
            println!("{sample:?} {features:?}");
            clocks += compared(&recycling(&sample.toml(), features), 1);
        }
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn every_choice_of_features_of_the_other_recycling_filters_equals_the_model_under_torture() {
    let parity = Sample {
        parity: "empty",
        ..Sample::BASE
    };
    let counted = Sample {
        parity: "count",
        self_check: true,
        ..Sample::BASE
    };
    let shared = SharedArraySample::BASE;
    let mut clocks = 0;
    for (text, features) in [
        (parity.toml(), "counters = \"none\"\nmax_age = false"),
        (counted.toml(), "counters = 32"),
        (Sample::BASE.toml(), "max_age = false"),
        (shared.toml(), "counters = \"none\""),
        (shared.toml(), "registers = \"none\""),
        (Sample::BASE.toml(), "registers = \"none\""),
        (shared.toml(), "counters = 32\nmax_age = false"),
    ] {
        clocks += compared(&recycling(&text, features), 2);
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn filters_of_cells_and_of_windows_with_less_counters_equal_the_model_under_torture() {
    let parity = CellSample {
        parity: "empty",
        ..CellSample::STATIC
    };
    let shared = CellSample {
        layout: "shared",
        conservative: true,
        ..CellSample::COUNTING
    };
    let mut clocks = 0;
    for features in OF_COUNTERS {
        for sample in [parity, CellSample::COUNTING, CellSample::SKETCH, shared] {
            clocks += match with(&sample.toml(), features) {
                Design::Cells(geometry) => compared(&geometry, 1),
                other => panic!("{other:?}"),
            };
        }
        let sections = format!("[features]\n{features}\n");
        clocks += compared(&SlidingSample::CROWDED.geometry_with(&sections), 1);
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn filters_of_cells_and_of_windows_with_fewer_registers_or_none_equal_the_model_under_torture() {
    const LEAST: &str = "registers = \"none\"\nverdict_queue = 0";
    let mut clocks = 0;
    for (sample, features) in [
        (CellSample::SINGLE_BITS, "registers = \"threshold\""),
        (CellSample::SINGLE_BITS, LEAST),
        (CellSample::STATIC, "registers = \"none\""),
        (CellSample::COUNTING, LEAST),
        (CellSample::SKETCH, "registers = \"none\""),
    ] {
        clocks += match with(&sample.toml(), features) {
            Design::Cells(geometry) => compared(&geometry, 1),
            other => panic!("{other:?}"),
        };
    }
    for features in ["registers = \"threshold\"", LEAST] {
        let sections = format!("[features]\n{features}\n");
        clocks += compared(&SlidingSample::CROWDED.geometry_with(&sections), 1);
        let cuckoo = CuckooSample::CROWDED.resolve(&sections).expect("legal");
        clocks += compared(&cuckoo, 1);
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn without_registers_there_is_no_bus_and_verilator_finds_nothing_to_say() {
    let geometry = recycling(&Sample::SPARE_HALF.toml(), "registers = \"none\"");
    let text = text_of(&Design::from(&geometry));
    let top = &text[text.find("\nmodule sample (").expect("its name")..];
    let ports = &top[..top.find(");").expect("its ports end")];
    assert!(
        ports.contains("m_verdict_tready") && !ports.contains("s_axil"),
        "{ports}"
    );
    assert!(Design::from(&geometry).register_map().blocks.is_empty());
    let emitted = geometry.emitted();
    in_lockstep(&geometry, in_verilator(&emitted), 1, 2_000, |_| {});
    let few = recycling(&Sample::SPARE_HALF.toml(), "registers = \"threshold\"");
    let map = Design::from(&few).register_map();
    for there in [
        address::MAGIC,
        address::CONTROL,
        address::STATUS,
        address::THRESHOLD,
        address::MAX_AGE,
    ] {
        assert!(map.at(there).is_some(), "{there:#x}");
    }
    for absent in [
        address::BITS_ACTIVE,
        address::MESSAGES,
        address::ARRAY_DATA,
        address::COUNTERS,
    ] {
        assert!(map.at(absent).is_none(), "{absent:#x}");
    }
}

fn text_of(design: &Design) -> String {
    let emitted = emitted_design(design.recycling().expect("it recycles"));
    emitted.expect("legal geometries print").1.text()
}

#[test]
fn what_is_left_out_is_neither_in_the_text_nor_in_the_register_map() {
    let text = Sample::SPARE_HALF.toml();
    let full = text_of(&with(&text, ""));
    let least_design = with(&text, OF_SPARE_HALF[0]);
    let least = text_of(&least_design);
    for module in ["event_counters", "bit_access"] {
        let module = format!("module {module}");
        assert!(full.contains(&module), "{module}");
        assert!(!least.contains(&module), "{module}");
    }
    for word in ["max_age", "fetch_due", "high_sample"] {
        assert!(full.contains(word), "{word}");
        assert!(!least.contains(word), "{word}");
    }
    let map = least_design.register_map();
    for absent in [
        address::MAX_AGE,
        address::ARRAY_ADDRESS,
        address::ARRAY_DATA,
        address::COUNTERS,
        RecyclingCounter::Items.address_lo(),
    ] {
        assert!(map.at(absent).is_none(), "{absent:#x}");
    }
    assert_eq!(
        map.at(address::FILTER_NEXT).and_then(|next| next.reset),
        Some(0)
    );
    let short = with(&text, "counters = 32").register_map();
    assert!(short.at(RecyclingCounter::Recycles.address_lo()).is_some());
    assert!(short.at(RecyclingCounter::Recycles.address_hi()).is_none());
}

#[test]
fn verilator_finds_nothing_to_say_of_a_filter_without_features() {
    let geometry = recycling(&Sample::SPARE_HALF.toml(), OF_SPARE_HALF[0]);
    in_lockstep(
        &geometry,
        in_verilator(&geometry.emitted()),
        1,
        2_000,
        |_| {},
    );
}
