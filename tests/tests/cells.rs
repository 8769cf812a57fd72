//! Filters of cells: the emitted Verilog equals the cycle-accurate model on every port of every clock.

use bloomline_tests::{cells_in_lockstep, CellSample};

/// Runs a sample.
const RUNS: u64 = 16;

#[test]
fn emitted_static_filters_equal_the_model_under_torture() {
    let base = CellSample::STATIC;
    cells_in_lockstep(
        RUNS,
        &[
            base,
            CellSample {
                hashes: 16,
                hashing: "independent",
                key_bits: 512,
                tag_bits: 64,
                ..base
            },
        ],
    );
}

#[test]
fn emitted_counting_filters_of_narrow_cells_equal_the_model_under_torture() {
    let base = CellSample::COUNTING;
    cells_in_lockstep(
        RUNS,
        &[
            base,
            CellSample {
                cell_bits: 2,
                threshold: 3,
                hashes: 1,
                key_bits: 64,
                tag_bits: 1,
                ..base
            },
            CellSample {
                cell_bits: 3,
                hashes: 2,
                family: "h3",
                key_bits: 33,
                tag_bits: 64,
                ..base
            },
            CellSample {
                cell_bits: 5,
                hashes: 3,
                hashing: "independent",
                words: 16,
                ..base
            },
        ],
    );
}

#[test]
fn emitted_counting_filters_of_wide_cells_equal_the_model_under_torture() {
    let base = CellSample::COUNTING;
    cells_in_lockstep(
        RUNS,
        &[
            CellSample {
                cell_bits: 7,
                hashes: 5,
                hashing: "independent",
                family: "h3",
                ..base
            },
            CellSample {
                cell_bits: 9,
                hashes: 8,
                tag_bits: 1,
                ..base
            },
            CellSample {
                cell_bits: 16,
                hashes: 4,
                words: 256,
                ..base
            },
        ],
    );
}

#[test]
fn emitted_sketches_equal_the_model_under_torture() {
    let base = CellSample::SKETCH;
    cells_in_lockstep(
        RUNS,
        &[
            base,
            CellSample {
                cell_bits: 12,
                amount_bits: 12,
                hashes: 16,
                family: "h3",
                ..base
            },
            CellSample {
                cell_bits: 17,
                amount_bits: 17,
                hashes: 3,
                tag_bits: 64,
                ..base
            },
            CellSample {
                cell_bits: 24,
                amount_bits: 23,
                hashes: 1,
                hashing: "independent",
                ..base
            },
            CellSample {
                cell_bits: 32,
                amount_bits: 32,
                threshold: 1_000_000,
                hashes: 2,
                words: 128,
                ..base
            },
        ],
    );
}
