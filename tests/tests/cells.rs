//! Filters of cells: the emitted Verilog equals the cycle-accurate model on every port of every clock.

use bloomline_bench::filter::{
    emitted_cell_design, CellReference, CellTorture, CellTortureMix, NativeCellFilter,
};
use bloomline_bench::lockstep::{compare, Bench, Limits};
use bloomline_bench::toolchain::{Program, Toolchain};
use bloomline_bench::verilator::{BuildOptions, Initial};
use bloomline_spec::registers::CellCounter;
use bloomline_tests::CellSample;
use std::cell::Cell;

/// Clocks a run, and runs a sample; `BLOOMLINE_SOAK` multiplies the runs.
const CLOCKS: u64 = 12_000;
const RUNS: u64 = 16;

/// What the runs of a sample came to (counters: since the last reset of each run), so that a run that tests nothing fails.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    items: u64,
    reported: u64,
    saturated: u64,
    used_up: u64,
}

fn in_lockstep(samples: &[CellSample]) {
    let toolchain = Toolchain::discover().expect("toolchain");
    toolchain
        .find_or_install(Program::Verilator, &|p| eprintln!("{p}"))
        .expect("Verilator");
    let soak: u64 = std::env::var("BLOOMLINE_SOAK")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(1);
    let mut clocks = 0;
    for sample in samples {
        let geometry = sample.geometry();
        let (design, _) = emitted_cell_design(&geometry).expect("emit");
        let bench = Bench::new(&toolchain, &design, &BuildOptions::default()).expect("build");
        let tally = Cell::new(Tally::default());
        for seed in 0..RUNS * soak {
            let make = |seed| {
                let mix = CellTortureMix::draw(&geometry, seed, CLOCKS);
                (
                    CellReference::new(&geometry),
                    CellTorture::new(&geometry, mix, seed),
                )
            };
            let outcome = bench
                .run(seed, Initial::Random(seed), make, |clock| {
                    let model = &clock.reference.model;
                    let mut now = tally.get();
                    if clock.cycle % 64 == 0 {
                        now.used_up += u64::from(model.status().spare_epochs == 0);
                    }
                    if clock.cycle + 1 == CLOCKS {
                        model
                            .check()
                            .expect("no epoch is issued while a word bears it");
                        let status = model.status();
                        now.items += status.counter(CellCounter::Items);
                        now.reported += status.counter(CellCounter::Reported);
                        now.saturated += status.counter(CellCounter::Saturated);
                    }
                    tally.set(now);
                })
                .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
            clocks += outcome.clocks;
        }
        let tally = tally.get();
        assert!(
            tally.items > 10_000 && tally.reported > 100,
            "{sample:?}: {tally:?}"
        );
        assert!(
            tally.saturated > 10 || sample.cell_bits == 1,
            "{sample:?}: {tally:?}"
        );
        assert!(
            tally.used_up > 0 || sample.words < 128,
            "{sample:?}: {tally:?}"
        );
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn emitted_static_filters_equal_the_model_under_torture() {
    let base = CellSample::STATIC;
    in_lockstep(&[
        base,
        CellSample {
            hashes: 16,
            hashing: "independent",
            key_bits: 512,
            tag_bits: 64,
            ..base
        },
    ]);
}

#[test]
fn emitted_counting_filters_of_narrow_cells_equal_the_model_under_torture() {
    let base = CellSample::COUNTING;
    in_lockstep(&[
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
    ]);
}

#[test]
fn emitted_counting_filters_of_wide_cells_equal_the_model_under_torture() {
    let base = CellSample::COUNTING;
    in_lockstep(&[
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
    ]);
}

#[test]
fn emitted_sketches_equal_the_model_under_torture() {
    let base = CellSample::SKETCH;
    in_lockstep(&[
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
    ]);
}

#[test]
fn native_simulation_equals_the_model_under_torture() {
    for sample in [CellSample::STATIC, CellSample::COUNTING, CellSample::SKETCH] {
        let geometry = sample.geometry();
        let (design, _) = emitted_cell_design(&geometry).expect("emit");
        for seed in 0..3 {
            let mix = CellTortureMix::draw(&geometry, seed, 1_000);
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
