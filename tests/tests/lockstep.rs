//! The emitted Verilog equals the cycle-accurate model on every port of every clock.

use bloomline_spec::registers::RecyclingCounter;
use bloomline_tests::{few, in_lockstep, in_verilator, runs, simulation, soak, Sample, Tortured};

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
    let mut clocks = 0;
    for sample in few(&samples(), 1) {
        println!("{sample:?}");
        let geometry = sample.geometry();
        let simulation = in_verilator(&geometry.emitted());
        let mut recycles = 0;
        clocks += in_lockstep(&geometry, simulation, RUNS * soak(), CLOCKS, |clock| {
            if clock.cycle + 1 == CLOCKS {
                recycles += clock.reference.model.filter().recycles();
            }
        });
        assert!(recycles > 100, "only {recycles} recycles");
    }
    println!("{clocks} clocks in lockstep");
}

/// Of the filters that have a self-check: one phase and two, on bits and messages, with parity and a keyed hash.
fn self_checking() -> Vec<Sample> {
    let base = Sample {
        self_check: true,
        ..Sample::BASE
    };
    vec![
        base,
        Sample {
            phases: 1,
            family: "siphash",
            parity: "count",
            ..base
        },
        Sample {
            on: "messages",
            threshold: 90,
            retain: false,
            parity: "empty",
            ..base
        },
        Sample {
            partition_bits: 1024,
            threshold: 2048,
            hashes: 3,
            hashing: "independent",
            ..base
        },
    ]
}

#[test]
fn restarts_on_command_are_the_models_on_every_port_of_every_clock() {
    let mut clocks = 0;
    for sample in few(&self_checking(), 2) {
        println!("{sample:?}");
        let geometry = sample.geometry();
        let mut restarts = 0;
        let simulation = simulation(&geometry.emitted());
        clocks += in_lockstep(&geometry, simulation, runs(2, RUNS), CLOCKS, |clock| {
            if clock.cycle + 1 == CLOCKS {
                let status = clock.reference.model.status();
                restarts += status.counter(RecyclingCounter::ControlErrors);
            }
        });
        assert!(
            restarts > 2,
            "only {restarts} restarts since the last resets"
        );
    }
    println!("{clocks} clocks in lockstep");
}
