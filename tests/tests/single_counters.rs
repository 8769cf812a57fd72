//! Filters of single counters: the emitted Verilog equals the cycle-accurate model on every port of every clock, whatever its block RAM returns where nothing
//! is promised, and other tools take it without a word.

use crate::single_bits::{equal_the_model_under_torture, CLOCKS, RUNS};
use bloomline_tests::{in_lockstep, in_verilator, noisy_counters, soak, CellSample, Tortured};

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

#[test]
fn emitted_verilog_equals_the_model_under_torture_whatever_a_collision_returns() {
    equal_the_model_under_torture(
        &samples(),
        |geometry, design| noisy_counters(design, geometry.cell_bits()),
        20,
    );
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
