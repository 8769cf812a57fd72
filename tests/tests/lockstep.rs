//! The emitted Verilog equals the cycle-accurate model on every port of every clock.

use bloomline_bench::filter::{emitted_design, ModelReference, Torture, TortureMix};
use bloomline_bench::lockstep::{compare, Bench, Limits};
use bloomline_bench::verilator::Initial;
use bloomline_tests::NativeFilter;
use bloomline_tests::{few, in_verilator, soak, Sample};
use std::cell::Cell;

/// One of each kind: phases, thresholds, retention, hash families, numbers of probes, key widths.
fn samples() -> Vec<Sample> {
    let base = Sample::BASE;
    let mut list = Vec::new();
    for phases in [1, 2] {
        for (on, threshold) in [("bits-set", 256), ("messages", 90)] {
            for retain in [true, false] {
                list.push(Sample {
                    phases,
                    on,
                    threshold,
                    retain,
                    ..base
                });
            }
        }
    }
    list.push(Sample {
        partition_bits: 1024,
        threshold: 2048,
        ..base
    });
    list.push(Sample {
        hashes: 1,
        threshold: 64,
        key_bits: 1,
        ..base
    });
    list.push(Sample {
        hashes: 2,
        threshold: 128,
        key_bits: 33,
        family: "h3",
        ..base
    });
    list.push(Sample {
        hashes: 3,
        threshold: 190,
        key_bits: 64,
        hashing: "independent",
        ..base
    });
    list.push(Sample {
        hashes: 5,
        threshold: 320,
        key_bits: 65,
        family: "h3",
        hashing: "independent",
        ..base
    });
    list.push(Sample {
        hashes: 8,
        partition_bits: 256,
        threshold: 1000,
        ..base
    });
    list.push(Sample {
        hashes: 16,
        phases: 1,
        threshold: 1100,
        hashing: "independent",
        key_bits: 512,
        ..base
    });
    list.push(Sample {
        hashes: 32,
        threshold: 2100,
        on: "bits-set",
        ..base
    });
    list
}

/// Clocks a run, and runs a sample; `BLOOMLINE_SOAK` multiplies the runs.
const CLOCKS: u64 = 20_000;
const RUNS: u64 = 12;

#[test]
fn emitted_verilog_equals_the_model_under_torture() {
    let soak = soak();
    let mut clocks = 0;
    for sample in few(&samples(), 1) {
        let geometry = sample.geometry();
        let (design, _) = emitted_design(&geometry).expect("emit");
        let bench = Bench::new(in_verilator(&design));
        let recycles = Cell::new(0);
        for seed in 0..RUNS * soak {
            let make = |seed| {
                let mix = TortureMix::draw(&geometry, seed, CLOCKS);
                (
                    ModelReference::new(&geometry),
                    Torture::new(&geometry, mix, seed),
                )
            };
            let outcome = bench
                .run(seed, Initial::Random(seed), make, |clock| {
                    if clock.cycle + 1 == CLOCKS {
                        clock
                            .reference
                            .model
                            .check()
                            .expect("no epoch is issued while a word bears it");
                        recycles.set(recycles.get() + clock.reference.model.filter().recycles());
                    }
                })
                .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
            clocks += outcome.clocks;
        }
        assert!(
            recycles.get() > 100,
            "{sample:?}: only {} recycles",
            recycles.get()
        );
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn native_simulation_equals_the_model_under_torture() {
    for sample in [
        Sample::BASE,
        Sample {
            phases: 1,
            on: "messages",
            threshold: 90,
            ..Sample::BASE
        },
    ] {
        let geometry = sample.geometry();
        let (design, _) = emitted_design(&geometry).expect("emit");
        for seed in 0..4 {
            let mix = TortureMix::draw(&geometry, seed, 2_000);
            compare(
                &design,
                &mut NativeFilter::new(&geometry).expect("native"),
                &mut ModelReference::new(&geometry),
                &mut Torture::new(&geometry, mix, seed),
                seed,
                Limits::default(),
                |_| {},
            )
            .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
        }
    }
}
