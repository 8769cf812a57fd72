//! The static filter of single bits: the emitted Verilog equals the cycle-accurate model on every port of every clock, whatever its block RAM returns where nothing
//! is promised, and other tools take it without a word.

use bloomline_bench::filter::{CellReference, CellTorture, CellTortureMix};
use bloomline_bench::lockstep::{Bench, Simulation};
use bloomline_bench::verilator::{lint, Design, Initial};
use bloomline_spec::registers::CellCounter;
use bloomline_spec::CellGeometry;
use bloomline_tests::{
    few, in_lockstep, in_verilator, noisy, runs, soak, toolchain, CellSample, Tortured,
};
use bloomline_toolchain::Program;

/// Numbers of probes, rows, hash families, key widths, ranges, and what `[features]` leaves out.
fn samples() -> Vec<CellSample> {
    let base = CellSample::SINGLE_BITS;
    let mut list = vec![
        base,
        CellSample {
            hashes: 3,
            row_bits: 4,
            words: 16,
            hashing: "independent",
            family: "siphash",
            key_bits: 64,
            ..base
        },
        CellSample {
            hashes: 1,
            key_bits: 1,
            tag_bits: 1,
            ..base
        },
        CellSample {
            hashes: 2,
            family: "h3",
            key_bits: 33,
            tag_bits: 64,
            ..base
        },
        CellSample {
            hashes: 5,
            range: 241,
            hashing: "independent",
            ..base
        },
        CellSample {
            array_access: false,
            ..base
        },
        CellSample {
            array_access: false,
            counters: "\"none\"",
            row_bits: 2,
            hashes: 1,
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
            hashes: 16,
            hashing: "independent",
            key_bits: 512,
            words: 64,
            ..base
        },
    ];
    list.extend([2, 8, 16].map(|row_bits| CellSample { row_bits, ..base }));
    list
}

/// Clocks a run, and runs a sample; `BLOOMLINE_SOAK` multiplies the runs.
pub const CLOCKS: u64 = 20_000;
pub const RUNS: u64 = 12;

/// The samples under torture, their block RAM made noisy; of the items of a run at least so many are reported.
pub fn equal_the_model_under_torture(
    samples: &[CellSample],
    noisy: impl Fn(&CellGeometry, &Design) -> Design,
    least_reported: u64,
) {
    let toolchain = toolchain(&[Program::Verilator]);
    let mut clocks = 0;
    for sample in few(samples, 2) {
        println!("{sample:?}");
        let geometry = sample.geometry();
        let design = geometry.emitted();
        let warnings = lint(&toolchain, &design.sources, &design.top).expect("lint runs");
        assert!(warnings.is_empty(), "{warnings:?}");
        let noisy = noisy(&geometry, &design);
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
        let enough = items * RUNS > 500 * runs && reported * RUNS > least_reported * runs;
        assert!(
            !counted || enough,
            "{sample:?}: only {items} items, {reported} reported"
        );
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn emitted_verilog_equals_the_model_under_torture_whatever_a_collision_returns() {
    equal_the_model_under_torture(
        &samples(),
        |geometry, design| noisy(design, geometry.row_bits()),
        100,
    );
}

/// The text as emitted, without noise, in another simulator.
#[test]
#[ignore = "a claim"]
fn emitted_verilog_equals_the_model_in_verilator_too() {
    let geometry = CellSample::SINGLE_BITS.geometry();
    let simulation = in_verilator(&geometry.emitted());
    let clocks = in_lockstep(&geometry, simulation, RUNS * soak(), CLOCKS, |_| {});
    println!("{clocks} clocks in lockstep");
}

/// Words are read and stored as fast as the filter takes it, between items.
#[test]
fn a_host_reads_and_stores_words_between_items() {
    let geometry = CellSample::SINGLE_BITS.geometry();
    let design = noisy(&geometry.emitted(), 1);
    let simulation = Simulation::built_in(&design).unwrap_or_else(|error| panic!("{error}"));
    let bench = Bench::new(simulation);
    let make = |seed| {
        let mut mix = CellTortureMix::draw(&geometry, seed, CLOCKS);
        (mix.reset, mix.idle) = (0.0, 0.5);
        (
            CellReference::new(&geometry),
            CellTorture::new(&geometry, mix, seed),
        )
    };
    for seed in 0..runs(2, 30) {
        bench
            .run(seed, Initial::Random(seed), make, |_| {})
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}
