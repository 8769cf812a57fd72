//! Recycling filters with partitions of any size: the emitted Verilog equals the cycle-accurate model on every port of every clock, with epochs and with a spare
//! half.

use bloomline_bench::lockstep::Simulation;
use bloomline_bench::verilator::lint;
use bloomline_tests::{
    few, in_lockstep, noisy, runs, simulation, soak, toolchain, Sample, Tortured,
};
use bloomline_toolchain::Program;

/// Clocks of a run, and runs of a sample; `BLOOMLINE_SOAK` multiplies the runs.
const CLOCKS: u64 = 20_000;
const RUNS: u64 = 12;

/// Banks of five words and of one more than a power of two, a prime of positions and a whole bank, both phases and thresholds, retaining or not, k = 1 to 32, with
/// each check of memory words, a secret a half and a self-check.
fn with_epochs() -> Vec<Sample> {
    let base = Sample {
        partition_bits: 160,
        range: Some(131),
        threshold: 260,
        ..Sample::BASE
    };
    let whole = Sample {
        range: None,
        hashing: "independent",
        ..base
    };
    let mut list = vec![base, whole];
    for phases in [1, 2] {
        for (on, threshold) in [("bits-set", 300), ("messages", 90)] {
            for retain in [true, false] {
                let hashing = if retain { "double" } else { "independent" };
                list.push(Sample {
                    phases,
                    on,
                    threshold,
                    retain,
                    hashing,
                    partition_bits: 288,
                    range: Some(257),
                    ..base
                });
            }
        }
    }
    list.extend([
        // 293 words, of which the last is used in part
        Sample {
            hashes: 7,
            partition_bits: 9_376,
            range: Some(9_362),
            hashing: "independent",
            threshold: 400,
            ..base
        },
        // a bank of a power of two, of which a prime is used
        Sample {
            partition_bits: 256,
            range: Some(251),
            threshold: 500,
            ..base
        },
        Sample {
            hashing: "double",
            ..whole
        },
        Sample {
            hashes: 1,
            threshold: 64,
            key_bits: 1,
            ..whole
        },
        Sample {
            hashes: 32,
            partition_bits: 224,
            range: Some(211),
            threshold: 3000,
            ..base
        },
        Sample {
            family: "siphash",
            key_bits: 64,
            hashes: 3,
            threshold: 190,
            ..base
        },
        Sample {
            self_check: true,
            hashes: 2,
            threshold: 128,
            family: "h3",
            ..whole
        },
    ]);
    for parity in ["count", "empty", "ecc"] {
        list.push(Sample { parity, ..whole });
        list.push(Sample {
            parity,
            phases: 1,
            on: "messages",
            threshold: 60,
            ..base
        });
    }
    list
}

/// The same with a spare half, in rows of every width.
fn with_a_spare_half() -> Vec<Sample> {
    let base = Sample {
        partition_bits: 288,
        range: Some(257),
        threshold: 500,
        ..Sample::SPARE_HALF
    };
    let whole = Sample {
        range: None,
        hashing: "independent",
        ..base
    };
    let mut list = vec![base];
    for row_bits in [16, 8, 4, 2] {
        list.push(Sample {
            row_bits: Some(row_bits),
            threshold: 400 + u64::from(row_bits),
            ..if row_bits % 3 == 1 { whole } else { base }
        });
    }
    for phases in [1, 2] {
        for (on, threshold) in [("bits-set", 700), ("messages", 190)] {
            for retain in [true, false] {
                list.push(Sample {
                    phases,
                    on,
                    threshold,
                    retain,
                    ..whole
                });
            }
        }
    }
    list.extend([
        Sample {
            hashes: 7,
            partition_bits: 9_376,
            range: Some(9_362),
            hashing: "independent",
            threshold: 600,
            row_bits: Some(16),
            ..base
        },
        Sample {
            hashes: 1,
            threshold: 100,
            key_bits: 1,
            ..whole
        },
        Sample {
            hashes: 3,
            phases: 1,
            threshold: 400,
            key_bits: 64,
            family: "siphash",
            ..base
        },
        Sample {
            hashes: 32,
            threshold: 4100,
            ..base
        },
    ]);
    list
}

#[test]
fn banks_of_words_equal_the_model_under_torture() {
    let toolchain = toolchain(&[Program::Verilator]);
    let mut clocks = 0;
    for sample in few(&with_epochs(), 2) {
        println!("{sample:?}");
        let geometry = sample.geometry();
        let design = geometry.emitted();
        let warnings = lint(&toolchain, &design.sources, &design.top).expect("lint runs");
        assert!(warnings.is_empty(), "{warnings:?}");
        let mut recycles = 0;
        clocks += in_lockstep(
            &geometry,
            simulation(&design),
            runs(2, RUNS * soak()),
            CLOCKS,
            |clock| {
                if clock.cycle + 1 == CLOCKS {
                    recycles += clock.reference.model.filter().recycles();
                }
            },
        );
        assert!(recycles > 20, "only {recycles} recycles");
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn banks_of_single_bits_equal_the_model_under_torture_whatever_a_collision_returns() {
    let toolchain = toolchain(&[Program::Verilator]);
    let mut clocks = 0;
    for sample in few(&with_a_spare_half(), 2) {
        println!("{sample:?}");
        let geometry = sample.geometry();
        let design = geometry.emitted();
        let warnings = lint(&toolchain, &design.sources, &design.top).expect("lint runs");
        assert!(warnings.is_empty(), "{warnings:?}");
        let noisy = noisy(&design, geometry.row_bits());
        let simulation = Simulation::built_in(&noisy).unwrap_or_else(|error| panic!("{error}"));
        let mut recycles = 0;
        clocks += in_lockstep(
            &geometry,
            simulation,
            runs(2, RUNS * soak()),
            CLOCKS,
            |clock| {
                if clock.cycle + 1 == CLOCKS {
                    recycles += clock.reference.model.filter().recycles();
                }
            },
        );
        assert!(recycles > 20, "only {recycles} recycles");
    }
    println!("{clocks} clocks in lockstep");
}
