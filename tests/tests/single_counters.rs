//! Filters of single counters: the emitted Verilog equals the cycle-accurate model on every port of every clock, whatever its block RAM returns where nothing
//! is promised, and other tools take it without a word.

use bloomline_bench::lockstep::Simulation;
use bloomline_bench::verilator::lint;
use bloomline_spec::registers::CellCounter;
use bloomline_tests::{
    few, in_lockstep, in_verilator, noisy_counters, runs, soak, toolchain, CellSample, Tortured,
};
use bloomline_toolchain::Program;

/// Kinds, counters that fill a word and that do not, numbers of probes, hash families, ranges, copies, and what `[features]` leaves out.
fn samples() -> Vec<CellSample> {
    let base = CellSample::SINGLE_COUNTERS;
    let sketch = CellSample {
        row_bits: 1,
        ..CellSample::SKETCH
    };
    vec![
        base,
        sketch,
        CellSample {
            hashes: 1,
            cell_bits: 2,
            threshold: 3,
            key_bits: 1,
            tag_bits: 1,
            ..base
        },
        CellSample {
            cell_bits: 3,
            hashes: 3,
            range: 61,
            hashing: "independent",
            family: "h3",
            key_bits: 33,
            tag_bits: 64,
            ..base
        },
        CellSample {
            array_access: false,
            hashes: 2,
            ..base
        },
        CellSample {
            array_access: false,
            counters: "\"none\"",
            cell_bits: 16,
            words: 64,
            ..base
        },
        CellSample {
            counters: "32",
            family: "siphash-2-4",
            hashes: 8,
            hashing: "independent",
            key_bits: 128,
            ..base
        },
        CellSample {
            cell_bits: 11,
            hashes: 5,
            words: 32,
            threshold: 40,
            ..base
        },
        CellSample {
            cell_bits: 32,
            amount_bits: 16,
            words: 128,
            threshold: 100_000,
            ..sketch
        },
        CellSample {
            cell_bits: 12,
            amount_bits: 7,
            words: 16,
            threshold: 300,
            hashes: 6,
            copies: 2,
            ..sketch
        },
    ]
}

/// Clocks a run, and runs a sample; `BLOOMLINE_SOAK` multiplies the runs.
const CLOCKS: u64 = 20_000;
const RUNS: u64 = 12;

#[test]
fn emitted_verilog_equals_the_model_under_torture_whatever_a_collision_returns() {
    let toolchain = toolchain(&[Program::Verilator]);
    let mut clocks = 0;
    for sample in few(&samples(), 2) {
        println!("{sample:?}");
        let geometry = sample.geometry();
        let design = geometry.emitted();
        let warnings = lint(&toolchain, &design.sources, &design.top).expect("lint runs");
        assert!(warnings.is_empty(), "{warnings:?}");
        let noisy = noisy_counters(&design, geometry.cell_bits());
        let simulation = Simulation::built_in(&noisy).unwrap_or_else(|error| panic!("{error}"));
        let (mut items, mut reported) = (0, 0);
        let runs = runs(4, RUNS);
        clocks += in_lockstep(&geometry, simulation, runs, CLOCKS, |clock| {
            if clock.cycle + 1 == CLOCKS {
                let status = clock.reference.model.status();
                items += status.counter(CellCounter::Items);
                reported += status.counter(CellCounter::Reported);
            }
        });
        println!("{items} items, {reported} of them reported, behind the last reset of a run");
        let counted = geometry.counter_width().is_built();
        assert!(
            !counted || (items * RUNS > 1_000 * runs && reported * RUNS > 20 * runs),
            "{sample:?}: only {items} items, {reported} reported"
        );
    }
    println!("{clocks} clocks in lockstep");
}

/// The text as emitted, without noise, in another simulator.
#[test]
#[ignore = "a claim"]
fn emitted_verilog_equals_the_model_in_verilator_too() {
    let geometry = CellSample::SINGLE_COUNTERS.geometry();
    let simulation = in_verilator(&geometry.emitted());
    let clocks = in_lockstep(&geometry, simulation, RUNS * soak(), CLOCKS, |_| {});
    println!("{clocks} clocks in lockstep");
}
