//! The recycling filter in the shared layout: the emitted Verilog equals the cycle-accurate model on every port of every clock, and
//! other tools take it without a word.

use bloomline_bench::filter::{ModelReference, Torture, TortureMix};
use bloomline_bench::lockstep::Bench;
use bloomline_bench::verilator::{lint, Initial};
use bloomline_spec::registers::RecyclingCounter;
use bloomline_tests::{
    few, in_lockstep, runs, simulation, soak, toolchain, SharedArraySample, Tortured,
};
use bloomline_toolchain::Program;

/// One of each kind: phases, thresholds, retention, colliding and distinct probes, ranges, hash families, numbers of probes.
fn samples() -> Vec<SharedArraySample> {
    let base = SharedArraySample::BASE;
    vec![
        base,
        // eight words: most items have probes in one word, many in one position
        SharedArraySample {
            half_bits: 256,
            threshold: 100,
            phases: 1,
            hashing: "double",
            ..base
        },
        SharedArraySample {
            distinct: true,
            half_bits: 256,
            threshold: 190,
            retain: false,
            ..base
        },
        SharedArraySample {
            on: "messages",
            threshold: 90,
            hashes: 3,
            range: Some(509),
            hashing: "extended-double-3",
            key_bits: 33,
            ..base
        },
        SharedArraySample {
            on: "messages",
            threshold: 75,
            phases: 1,
            retain: false,
            distinct: true,
            range: Some(1000),
            half_bits: 1024,
            hashes: 5,
            key_bits: 65,
            ..base
        },
        SharedArraySample {
            hashes: 1,
            threshold: 64,
            key_bits: 1,
            family: "h3",
            ..base
        },
        SharedArraySample {
            hashes: 2,
            threshold: 200,
            hashing: "double",
            family: "siphash",
            key_bits: 64,
            ..base
        },
        SharedArraySample {
            hashes: 16,
            threshold: 1300,
            half_bits: 2048,
            key_bits: 512,
            ..base
        },
    ]
}

/// Clocks a run, and runs a sample; `BLOOMLINE_SOAK` multiplies the runs.
const CLOCKS: u64 = 40_000;
const RUNS: u64 = 12;

#[test]
fn emitted_verilog_equals_the_model_under_torture() {
    let toolchain = toolchain(&[Program::Verilator]);
    let mut clocks = 0;
    for sample in few(&samples(), 1) {
        println!("{sample:?}");
        let geometry = sample.geometry();
        let design = geometry.emitted();
        let warnings = lint(&toolchain, &design.sources, &design.top).expect("lint runs");
        assert!(warnings.is_empty(), "{warnings:?}");
        let (mut recycles, mut held) = (0, 0);
        let simulation = simulation(&design);
        clocks += in_lockstep(&geometry, simulation, RUNS * soak(), CLOCKS, |clock| {
            if clock.cycle + 1 == CLOCKS {
                let model = &clock.reference.model;
                recycles += model.filter().recycles();
                held += model.status().counters[RecyclingCounter::StallVerdict as usize];
            }
        });
        println!("held up by the reader of verdicts for {held} clocks");
        assert!(
            recycles > 100 && held > 10_000,
            "only {recycles} recycles, {held} clocks"
        );
    }
    println!("{clocks} clocks in lockstep");
}

/// Words are set as fast as a filter takes it, amid refreshes, in halves large enough that many words wait for one: behind the shortest hash units a refresh is still on its
/// way when a set of its word begins to read.
#[test]
fn a_set_and_the_refresh_of_its_word_do_not_meet() {
    for &family in few(&["h3", "h3-sbox"], 1) {
        let sample = SharedArraySample {
            half_bits: 4096,
            threshold: 2000,
            family,
            ..SharedArraySample::BASE
        };
        let geometry = sample.geometry();
        let bench = Bench::new(simulation(&geometry.emitted()));
        let make = |seed| {
            let mut mix = TortureMix::draw(&geometry, seed, CLOCKS);
            (mix.reset, mix.idle, mix.write, mix.set, mix.fetch) = (0.0, 0.9, 0.3, 0.7, 0.6);
            (
                ModelReference::new(&geometry),
                Torture::new(&geometry, mix, seed),
            )
        };
        for seed in 0..runs(4, 30) {
            bench
                .run(seed, Initial::Random(seed), make, |clock| {
                    if clock.cycle + 1 == CLOCKS {
                        let model = &clock.reference.model;
                        model
                            .check()
                            .expect("no epoch is issued while a word bears it");
                    }
                })
                .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
        }
    }
}
