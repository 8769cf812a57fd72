//! The emitted Verilog equals the cycle-accurate model on every port of every clock.

use bloomline_bench::filter::{Act, ModelReference, Torture, TortureMix};
use bloomline_bench::lockstep::Bench;
use bloomline_bench::verilator::Initial;
use bloomline_spec::registers::{address, field, RecyclingCounter};
use bloomline_spec::RecyclingGeometry;
use bloomline_tests::{few, in_lockstep, in_verilator, runs, simulation, soak, Sample, Tortured};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

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

/// A drawn run with a restart every hundred clocks or so, alone or with a clear or a recycle, and often another on its heels.
fn with_restarts(geometry: &RecyclingGeometry, seed: u64) -> (ModelReference, Torture) {
    const RESTART: u32 = 1 << field::CONTROL_RESTART;
    const COMMANDS: [u32; 4] = [
        RESTART,
        RESTART,
        RESTART | 1 << field::CONTROL_CLEAR,
        RESTART | 1 << field::CONTROL_RECYCLE,
    ];
    let mut mix = TortureMix::draw(geometry, seed, CLOCKS);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut clock = 0;
    while clock < CLOCKS {
        clock += match random.random_bool(0.3) {
            true => random.random_range(1..30),
            false => random.random_range(30..200),
        };
        let command = COMMANDS[random.random_range(0..COMMANDS.len())];
        mix.script
            .push(Act::write(clock, address::CONTROL, command));
    }
    (
        ModelReference::new(geometry),
        Torture::new(geometry, mix, seed),
    )
}

#[test]
fn restarts_on_command_are_the_models_on_every_port_of_every_clock() {
    let (mut clocks, mut restarts, mut resets) = (0, 0, 0);
    for sample in few(&self_checking(), 2) {
        println!("{sample:?}");
        let geometry = sample.geometry();
        let bench = Bench::new(simulation(&geometry.emitted()));
        for seed in 0..runs(2, RUNS) {
            let mut before = 0;
            let make = |seed| with_restarts(&geometry, seed);
            let outcome = bench.run(seed, Initial::Random(seed), make, |clock| {
                let model = &clock.reference.model;
                let now = model.status().counter(RecyclingCounter::ControlErrors);
                restarts += now.saturating_sub(before);
                resets += u64::from(now < before);
                before = now;
                if clock.cycle + 1 == CLOCKS {
                    model
                        .check()
                        .expect("no epoch is issued while a word bears it");
                }
            });
            clocks += outcome.unwrap_or_else(|error| panic!("{error}")).clocks;
        }
    }
    assert!(restarts > 200, "only {restarts} restarts");
    println!("{clocks} clocks in lockstep, {restarts} restarts, {resets} resets behind one");
}
