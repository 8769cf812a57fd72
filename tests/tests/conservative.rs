//! Counters that are updated conservatively: the emitted Verilog and the native simulation equal the cycle-accurate model on every
//! port of every clock.

use bloomline_bench::filter::{
    emitted_cell_design, CellReference, CellTorture, CellTortureMix, NativeCellFilter,
};
use bloomline_bench::lockstep::{compare, Limits};
use bloomline_tests::{cells_in_lockstep, CellSample};

/// Runs a sample.
const RUNS: u64 = 16;

const COUNTING: CellSample = CellSample {
    layout: "shared",
    conservative: true,
    ..CellSample::COUNTING
};
const SKETCH: CellSample = CellSample {
    layout: "shared",
    conservative: true,
    words: 16,
    ..CellSample::SKETCH
};

#[test]
fn emitted_counting_filters_equal_the_model_under_torture() {
    cells_in_lockstep(
        RUNS,
        &[
            COUNTING,
            CellSample {
                hashes: 2,
                cell_bits: 2,
                threshold: 3,
                hashing: "independent",
                family: "h3",
                ..COUNTING
            },
            CellSample {
                hashes: 6,
                hashing: "independent",
                distinct: true,
                range: 37,
                family: "siphash",
                ..COUNTING
            },
            CellSample {
                hashes: 9,
                cell_bits: 16,
                words: 256,
                hashing: "extended-double-3",
                ..COUNTING
            },
        ],
    );
}

#[test]
fn emitted_sketches_equal_the_model_under_torture() {
    cells_in_lockstep(
        RUNS,
        &[
            SKETCH,
            CellSample {
                hashes: 3,
                range: 61,
                ..SKETCH
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
fn native_simulation_equals_the_model_under_torture() {
    for sample in [COUNTING, SKETCH] {
        let geometry = sample.geometry();
        let (design, _) = emitted_cell_design(&geometry).expect("emit");
        for seed in 0..3 {
            let mix = CellTortureMix::draw(&geometry, seed, 1_500);
            compare(
                &design,
                &mut NativeCellFilter::new(&geometry).expect("native"),
                &mut CellReference::new(&geometry),
                &mut CellTorture::new(&geometry, mix, seed),
                seed,
                Limits::default(),
                |_| {},
            )
            .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
        }
    }
}
