//! Filters of cells with every way from keys to positions: keyed hashes under rekeys, ranges that are no power of two, one array
//! that an item's probes go through, distinct draws. The emitted Verilog equals the cycle-accurate model on every port of every
//! clock.

use bloomline_tests::{cells_in_lockstep, CellSample};

/// Runs a sample.
const RUNS: u64 = 6;

const STATIC: CellSample = CellSample {
    layout: "shared",
    ..CellSample::STATIC
};
const COUNTING: CellSample = CellSample {
    layout: "shared",
    ..CellSample::COUNTING
};
const SKETCH: CellSample = CellSample {
    layout: "shared",
    ..CellSample::SKETCH
};

#[test]
fn emitted_filters_with_keyed_hashes_equal_the_model_through_rekeys() {
    cells_in_lockstep(
        RUNS,
        &[
            CellSample {
                family: "siphash",
                ..CellSample::COUNTING
            },
            CellSample {
                family: "siphash-2-4",
                hashes: 3,
                hashing: "independent",
                key_bits: 33,
                ..CellSample::SKETCH
            },
            // several units, each with its number; a pipeline that needs the deeper queue
            CellSample {
                family: "siphash-2-4",
                hashes: 8,
                hashing: "independent",
                key_bits: 128,
                words: 16,
                ..CellSample::STATIC
            },
            CellSample {
                family: "siphash",
                hashes: 5,
                hashing: "independent",
                range: 47,
                key_bits: 127,
                ..CellSample::COUNTING
            },
        ],
    );
}

#[test]
fn emitted_filters_of_other_ranges_equal_the_model_under_torture() {
    cells_in_lockstep(
        RUNS,
        &[
            CellSample {
                range: 251,
                ..CellSample::STATIC
            },
            CellSample {
                range: 33,
                hashing: "independent",
                hashes: 5,
                family: "h3",
                ..CellSample::COUNTING
            },
            // three of eight words half used: the rest is reached through the registers and by refreshes only
            CellSample {
                cell_bits: 16,
                words: 32,
                range: 37,
                hashes: 9,
                ..CellSample::COUNTING
            },
            CellSample {
                words: 16,
                range: 64,
                hashes: 1,
                ..CellSample::SKETCH
            },
        ],
    );
}

#[test]
fn emitted_shared_arrays_equal_the_model_under_torture() {
    cells_in_lockstep(
        RUNS,
        &[
            STATIC,
            CellSample {
                hashes: 1,
                ..COUNTING
            },
            CellSample {
                hashes: 2,
                ..COUNTING
            },
            CellSample {
                hashes: 3,
                cell_bits: 2,
                threshold: 3,
                hashing: "independent",
                family: "h3",
                ..COUNTING
            },
            CellSample {
                hashes: 8,
                cell_bits: 16,
                words: 256,
                hashing: "extended-double-3",
                ..COUNTING
            },
            CellSample {
                hashes: 5,
                hashing: "extended-double-2",
                cell_bits: 32,
                amount_bits: 32,
                threshold: 1_000_000,
                words: 128,
                ..SKETCH
            },
        ],
    );
}

#[test]
fn emitted_shared_arrays_of_other_ranges_and_distinct_draws_equal_the_model_under_torture() {
    cells_in_lockstep(
        RUNS,
        &[
            CellSample {
                distinct: true,
                hashing: "independent",
                ..STATIC
            },
            // as many probes as positions
            CellSample {
                distinct: true,
                hashing: "independent",
                hashes: 8,
                cell_bits: 32,
                amount_bits: 5,
                ..SKETCH
            },
            CellSample {
                distinct: true,
                hashing: "independent",
                hashes: 6,
                range: 37,
                family: "siphash",
                ..COUNTING
            },
            CellSample {
                range: 61,
                hashes: 7,
                ..COUNTING
            },
            CellSample {
                range: 41,
                hashes: 4,
                hashing: "extended-double-3",
                family: "siphash",
                key_bits: 512,
                ..COUNTING
            },
            CellSample {
                range: 251,
                hashes: 16,
                hashing: "extended-double-2",
                ..STATIC
            },
        ],
    );
}
