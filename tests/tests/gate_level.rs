//! Synthesised filters, as netlists of ECP5 cells, equal the cycle-accurate model on every port of every clock.
//!
//! `BLOOMLINE_SOAK` multiplies the runs; `--ignored` adds further samples and damaged netlists.

use crate::gate_level_support::{
    a_read_met_a_write, gate_design, Synthesised, BLOCK_RAM, DISTRIBUTED_RAM, TOOLS, WAIVED,
};
use bloomline_bench::verilator::lint;
use bloomline_spec::RecyclingGeometry;
use bloomline_tests::faults::{fault, with_fault, Fault};
use bloomline_tests::{toolchain, CellSample, Sample, SharedArraySample, SlidingSample, Tortured};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Recycling, a bank a hash: two phases, k = 2, 128 words a half in block RAM.
const BLOCK: Sample = Sample {
    hashes: 2,
    partition_bits: 4096,
    threshold: 4096,
    key_bits: 40,
    ..Sample::BASE
};

/// The same with one phase, k = 4, on messages, no retention, 4 words a bank in distributed RAM.
const DISTRIBUTED: Sample = Sample {
    phases: 1,
    on: "messages",
    retain: false,
    threshold: 90,
    key_bits: 33,
    family: "h3",
    ..Sample::BASE
};

/// The other combinations of phases and memory, and k = 3.
const FURTHER: [Sample; 3] = [
    Sample {
        phases: 1,
        hashes: 3,
        partition_bits: 2048,
        threshold: 3000,
        hashing: "independent",
        ..Sample::BASE
    },
    Sample {
        hashes: 3,
        threshold: 190,
        key_bits: 64,
        ..Sample::BASE
    },
    Sample {
        partition_bits: 16384,
        threshold: 32768,
        on: "messages",
        ..Sample::BASE
    },
];

/// Recycling on one array: two phases, k = 2, 128 words a half in block RAM.
const SHARED_ARRAY: SharedArraySample = SharedArraySample {
    hashes: 2,
    half_bits: 4096,
    threshold: 2048,
    key_bits: 16,
    ..SharedArraySample::BASE
};

/// The other combination of phases and memory, distinct positions.
const FURTHER_SHARED_ARRAY: SharedArraySample = SharedArraySample {
    phases: 1,
    distinct: true,
    on: "messages",
    threshold: 60,
    retain: false,
    ..SharedArraySample::BASE
};

/// Cells, a bank a hash: k = 2, 128 words a bank and their parity in block RAM.
const COUNTING: CellSample = CellSample {
    hashes: 2,
    words: 128,
    key_bits: 16,
    tag_bits: 4,
    parity: "empty",
    ..CellSample::COUNTING
};

/// Cells on one array: conservative update, k = 3, 128 words in block RAM.
const SKETCH: CellSample = CellSample {
    layout: "shared",
    conservative: true,
    hashes: 3,
    words: 128,
    amount_bits: 8,
    key_bits: 16,
    tag_bits: 4,
    ..CellSample::SKETCH
};

/// Cells of one bit: k = 2, 8 words a bank in distributed RAM.
const STATIC: CellSample = CellSample {
    hashes: 2,
    key_bits: 16,
    tag_bits: 4,
    ..CellSample::STATIC
};

/// The other kinds in the other layout and memory.
const FURTHER_CELLS: [CellSample; 3] = [
    CellSample {
        layout: "shared",
        conservative: true,
        parity: "count",
        ..CellSample::COUNTING
    },
    CellSample::SKETCH,
    CellSample {
        layout: "shared",
        words: 128,
        ..CellSample::STATIC
    },
];

/// Sliding windows: lanes of 128 front buckets in block RAM, of 16 back buckets in distributed RAM, tables too small.
const SLIDING: SlidingSample = SlidingSample {
    window: 256,
    slack: 128,
    sizes: "generations = 2\nbucket_cells = 2\nstore_cells = 2\nback_buckets = 16\nfront_buckets = 128\naccept_overflow = true",
    key_bits: 16,
    ..SlidingSample::CROWDED
};

/// Lanes in distributed RAM only, with parity.
const FURTHER_SLIDING: SlidingSample = SlidingSample {
    parity: "empty",
    ..SlidingSample::CROWDED
};

/// Distributed RAMs of the counters: 28 and 32 bits of up to 16 of them.
const OF_COUNTERS: usize = 7 + 8;

/// Words in block RAM have 32 data bits and 4 of the epoch.
const WORD: usize = 36;

fn block() -> &'static Synthesised<RecyclingGeometry> {
    static ONCE: OnceLock<Synthesised<RecyclingGeometry>> = OnceLock::new();
    ONCE.get_or_init(|| Synthesised::new(BLOCK.geometry()))
}

fn distributed() -> &'static Synthesised<RecyclingGeometry> {
    static ONCE: OnceLock<Synthesised<RecyclingGeometry>> = OnceLock::new();
    ONCE.get_or_init(|| Synthesised::new(DISTRIBUTED.geometry()))
}

#[test]
#[ignore = "a claim"]
fn a_netlist_with_block_ram_equals_the_model_and_relies_on_no_read_during_write() {
    assert_eq!(block().cells(BLOCK_RAM), 4, "two banks of two halves");
    let log = block().equals_the_model();
    assert!(a_read_met_a_write(&log), "{log:?}");
}

#[test]
#[ignore = "a claim"]
fn a_netlist_with_read_registers_in_its_block_ram_equals_the_model() {
    let moved = block().synthesis.moved;
    assert_eq!(moved, 4 * WORD, "the second register of every bank");
    block().settled_equals_the_model();
}

#[test]
#[ignore = "a claim"]
fn a_netlist_with_distributed_ram_equals_the_model() {
    assert_eq!(distributed().cells(BLOCK_RAM), 0);
    // 64 verdicts of 16-bit tags and 4 flags take 20; the rest are the banks.
    assert!(distributed().cells(DISTRIBUTED_RAM) > OF_COUNTERS + 20);
    distributed().equals_the_model();
}

#[test]
#[ignore = "a claim"]
fn a_netlist_of_a_recycling_filter_on_one_array_equals_the_model() {
    let shared_array = Synthesised::new(SHARED_ARRAY.geometry());
    assert_eq!(shared_array.cells(BLOCK_RAM), 2, "two halves");
    assert_eq!(shared_array.synthesis.moved, 2 * WORD);
    // its gateware looks at no such read
    assert!(a_read_met_a_write(&shared_array.settled_equals_the_model()));
}

#[test]
#[ignore = "a claim"]
fn netlists_of_a_counting_filter_equal_the_model_and_rely_on_no_read_during_write() {
    let counting = Synthesised::new(COUNTING.geometry());
    assert_eq!(counting.cells(BLOCK_RAM), 4, "two banks, and their parity");
    assert_eq!(counting.synthesis.moved, 2 * (WORD + 1));
    assert!(a_read_met_a_write(&counting.equals_the_model()));
    assert!(a_read_met_a_write(&counting.settled_equals_the_model()));
}

#[test]
#[ignore = "a claim"]
fn a_netlist_of_a_sketch_with_conservative_update_equals_the_model() {
    let sketch = Synthesised::new(SKETCH.geometry());
    assert_eq!(sketch.cells(BLOCK_RAM), 1, "one array");
    assert_eq!(sketch.synthesis.moved, WORD);
    assert!(a_read_met_a_write(&sketch.settled_equals_the_model()));
}

#[test]
#[ignore = "a claim"]
fn a_netlist_of_a_static_filter_equals_the_model() {
    let filter = Synthesised::new(STATIC.geometry());
    assert_eq!(filter.cells(BLOCK_RAM), 0);
    assert_eq!(filter.synthesis.moved, 0);
    // 64 verdicts of 4-bit tags and a bit take 8, a bank of 36-bit words 9
    assert_eq!(filter.cells(DISTRIBUTED_RAM), OF_COUNTERS + 8 + 2 * 9);
    filter.equals_the_model();
}

#[test]
#[ignore = "a claim"]
fn a_netlist_of_a_sliding_filter_equals_the_model() {
    let sliding = Synthesised::new(SLIDING.geometry());
    assert_eq!(sliding.cells(BLOCK_RAM), 2, "two lanes of the front table");
    // 64 verdicts of 16-bit tags and 2 flags take 20, a lane of 9-bit cells of the back table 3
    assert_eq!(sliding.cells(DISTRIBUTED_RAM), OF_COUNTERS + 20 + 2 * 3);
    assert_eq!(sliding.synthesis.moved, 2 * 9);
    assert!(a_read_met_a_write(&sliding.settled_equals_the_model()));
}

#[test]
#[ignore = "a claim"]
fn netlists_equal_the_model_as_synthesis_leaves_them() {
    for log in [
        Synthesised::new(SHARED_ARRAY.geometry()).equals_the_model(),
        Synthesised::new(SKETCH.geometry()).equals_the_model(),
        Synthesised::new(SLIDING.geometry()).equals_the_model(),
    ] {
        assert!(a_read_met_a_write(&log), "{log:?}");
    }
}

fn both_equal_the_model<F: Tortured>(filter: F) {
    let synthesised = Synthesised::new(filter);
    synthesised.equals_the_model();
    if synthesised.synthesis.moved > 0 {
        synthesised.settled_equals_the_model();
    }
}

#[test]
#[ignore = "a claim"]
fn further_netlists_equal_the_model() {
    for sample in &FURTHER {
        both_equal_the_model(sample.geometry());
    }
    both_equal_the_model(FURTHER_SHARED_ARRAY.geometry());
    for sample in &FURTHER_CELLS {
        both_equal_the_model(sample.geometry());
    }
    both_equal_the_model(FURTHER_SLIDING.geometry());
}

fn lint_is_explained<F: Tortured>(synthesised: &Synthesised<F>) {
    let toolchain = toolchain(&TOOLS);
    let netlist = synthesised.synthesis.netlist.clone();
    let design = gate_design(&toolchain, &synthesised.emitted, netlist);
    let warnings = lint(&toolchain, &design.sources, &design.top).expect("lint runs");
    let others: Vec<_> = warnings
        .iter()
        .filter(|warning| warning.is_error || WAIVED.iter().all(|(code, _)| *code != warning.code))
        .collect();
    assert!(others.is_empty(), "{others:?}");
    let met: BTreeSet<_> = warnings.iter().map(|warning| &warning.code).collect();
    println!("{} warnings, all of {met:?}", warnings.len());
}

#[test]
#[ignore = "a claim"]
fn lint_of_a_netlist_has_only_categories_that_are_explained() {
    lint_is_explained(block());
}

#[test]
#[ignore = "a claim"]
fn lint_of_every_kinds_netlist_has_only_categories_that_are_explained() {
    lint_is_explained(&Synthesised::new(SHARED_ARRAY.geometry()));
    lint_is_explained(&Synthesised::new(COUNTING.geometry()));
    lint_is_explained(&Synthesised::new(SKETCH.geometry()));
    lint_is_explained(&Synthesised::new(STATIC.geometry()));
    lint_is_explained(&Synthesised::new(SLIDING.geometry()));
}

#[test]
#[ignore = "a claim"]
fn one_inverted_lut_is_caught() {
    assert!(distributed().with_inverted_lut(1, 2).is_some());
}

fn inverted_lut_is_caught<F: Tortured>(filter: F, part: usize, parts: usize) {
    let synthesised = Synthesised::new(filter);
    assert!(synthesised.with_inverted_lut(part, parts).is_some());
}

#[test]
#[ignore = "a claim"]
fn one_inverted_lut_is_caught_in_every_kind() {
    inverted_lut_is_caught(BLOCK.geometry(), 1, 2);
    inverted_lut_is_caught(SHARED_ARRAY.geometry(), 1, 2);
    // the one in the middle only matters where parity is wrong
    inverted_lut_is_caught(COUNTING.geometry(), 1, 3);
    inverted_lut_is_caught(SKETCH.geometry(), 1, 2);
    inverted_lut_is_caught(STATIC.geometry(), 1, 2);
    inverted_lut_is_caught(SLIDING.geometry(), 1, 2);
}

fn fault_is_caught<F: Tortured>(filter: F, fault: &Fault) {
    let mut text = filter.emitted();
    let source = &mut text.sources[0].1;
    *source = with_fault(source, fault);
    let caught = Synthesised::of_text(filter, text).first_difference();
    println!("{}: {caught:?}", fault.name);
    assert!(caught.is_some(), "{}", fault.name);
}

#[test]
#[ignore = "a claim"]
fn netlists_that_rely_on_a_read_during_write_are_caught() {
    const BANK: Fault = fault(
        "a read that meets a write is not bypassed",
        "filter_bank",
        ".bypass      (collision_6),",
        ".bypass      (1'b0),",
    );
    const CELL_BANK: Fault = fault(
        "the word of the slot four ahead is not forwarded",
        "cell_bank",
        "hit_3 <= compare_3_same && writing[3];",
        "hit_3 <= 1'b0;",
    );
    fault_is_caught(BLOCK.geometry(), &BANK);
    fault_is_caught(COUNTING.geometry(), &CELL_BANK);
}
