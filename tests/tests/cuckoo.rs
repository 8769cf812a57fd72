//! The sliding window on cuckoo tables: emitted Verilog equals the cycle-accurate model on every port of every clock, and is what other tools take without a word.

use bloomline_spec::registers::CuckooCounter;
use bloomline_spec::{CuckooGeometry, FilterSpec, CUCKOO_EXAMPLES};
use bloomline_tests::{
    few, in_lockstep, is_quick, simulation, soak, CuckooSample, EmittedText, Tortured,
};
use std::path::Path;

/// Least and wide rows, few and many phases' worth of elements, every hash family, narrow and wide cells.
fn samples() -> Vec<CuckooSample> {
    let base = CuckooSample::BASE;
    vec![
        CuckooSample::CROWDED,
        CuckooSample::HELD,
        base,
        CuckooSample {
            window: 300,
            slack: 100,
            sizes: "generations = 4",
            key_bits: 33,
            family: "h3",
            ..base
        },
        CuckooSample {
            window: 1000,
            slack: 250,
            target_fpr: 1e-5,
            sizes: "row_cells = 8\nstash_cells = 40",
            key_bits: 512,
            ..base
        },
        CuckooSample {
            window: 640,
            slack: 64,
            target_fpr: 0.01,
            sizes: "generations = 10\ngeneration_bits = 6",
            key_bits: 64,
            ..base
        },
        CuckooSample {
            window: 64,
            slack: 64,
            target_fpr: 0.5,
            sizes: "row_cells = 5\nstash_cells = 64",
            key_bits: 16,
            ..base
        },
    ]
}

fn example() -> CuckooGeometry {
    let (file, text) = CUCKOO_EXAMPLES[0];
    FilterSpec::from_toml(text, Path::new(file))
        .and_then(|spec| spec.cuckoo())
        .expect("an example")
}

/// Clocks a run, and runs a sample; `BLOOMLINE_SOAK` multiplies the runs.
const CLOCKS: u64 = 20_000;
const RUNS: u64 = 10;

#[test]
fn emitted_verilog_equals_the_model_under_torture() {
    let mut clocks = 0;
    let mut totals = [0u64; CuckooCounter::ALL.len()];
    for sample in few(&samples(), 2) {
        println!("{sample:?}");
        let geometry = sample.geometry();
        let simulation = simulation(&geometry.emitted());
        clocks += in_lockstep(&geometry, simulation, RUNS * soak(), CLOCKS, |clock| {
            if clock.cycle + 1 == CLOCKS {
                let counters = clock.reference.model.status().counters;
                for (total, value) in totals.iter_mut().zip(counters) {
                    *total += value;
                }
            }
        });
    }
    for &counter in example().counters() {
        assert!(
            totals[counter as usize] > 200,
            "{counter:?} is not tortured: {totals:?}"
        );
    }
    println!("{clocks} clocks in lockstep: {totals:?}");
}

/// The texts of the samples, in a quick test of the first alone, and of the example.
fn printed() -> Vec<EmittedText> {
    let samples = samples();
    let geometries = few(&samples, 1).iter().map(CuckooSample::geometry);
    let example = (!is_quick()).then(example);
    geometries
        .chain(example)
        .map(|geometry| EmittedText::of_filter(&geometry))
        .collect()
}

#[test]
fn verilator_has_no_warning_with_all_of_them_on() {
    printed().iter().for_each(EmittedText::lints_clean);
}

#[test]
fn icarus_accepts_it_as_verilog_2005() {
    printed().iter().for_each(EmittedText::icarus_accepts);
}

#[test]
#[ignore = "a claim"]
fn yosys_elaborates_it_without_a_problem() {
    EmittedText::elaborate_clean(&printed());
}

#[test]
#[ignore = "a claim"]
fn the_lanes_of_the_example_are_block_ram() {
    // 1024 cells of 18 bits are one 18-kbit block; five lanes in each of four tables
    EmittedText::of_filter(&example()).yosys(
        "read_verilog FILE; synth_ecp5 -top TOP -run begin:map_gates; select -assert-count 20 t:DP16KD; \
         select -assert-none t:$mem*",
    );
}

#[test]
fn printing_twice_gives_the_same_bytes() {
    for sample in few(&samples(), 1) {
        let geometry = sample.geometry();
        assert!(
            EmittedText::of_filter(&geometry) == EmittedText::of_filter(&geometry),
            "{sample:?}: the text depends on more than the geometry"
        );
    }
}
