//! Flipped bits of memory: the emitted Verilog does on every clock what the model with the same flips does, and counts every flip
//! that is read.

use bloomline_bench::filter::{emitted_design, ModelReference, NativeFilter, Torture, TortureMix};
use bloomline_bench::lockstep::{compare, Bench, Limits};
use bloomline_bench::soft_error::{FlipMix, Flippable, FlippedReference, Flipping};
use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library};
use bloomline_model::Flaws;
use bloomline_spec::registers::Counter;
use bloomline_spec::{Geometry, Parity};
use bloomline_tests::faults::{every_fault_is_caught, fault, first_difference, Fault};
use bloomline_tests::{soak, toolchain, Sample};
use std::cell::Cell;

/// Clocks a run, and runs a sample; `BLOOMLINE_SOAK` multiplies the runs.
const CLOCKS: u64 = 20_000;
const RUNS: u64 = 6;

/// Every policy with one phase and two, retaining or not, with a secret a half, and with more than one near slot.
fn samples() -> Vec<Sample> {
    let base = Sample::BASE;
    let mut list = Vec::new();
    for parity in ["none", "count", "empty"] {
        list.push(Sample { parity, ..base });
        list.push(Sample {
            parity,
            phases: 1,
            on: "messages",
            threshold: 90,
            retain: false,
            ..base
        });
    }
    list.push(Sample {
        parity: "empty",
        family: "siphash",
        key_bits: 33,
        ..base
    });
    list.push(Sample {
        parity: "count",
        hashes: 8,
        partition_bits: 256,
        threshold: 1000,
        ..base
    });
    list
}

/// Flips of any bit of a word: often, or so seldom that one is gone before the next comes.
fn mix(geometry: &Geometry, seed: u64) -> FlipMix {
    FlipMix {
        rate: [0.05, 0.002, 0.0005][seed as usize % 3],
        first: 0,
        end: 36 + geometry.parity().bits(),
    }
}

fn flippable(geometry: &Geometry) -> Flippable {
    let (design, _) = emitted_design(geometry).expect("emit");
    let flippable = Flippable::new(&design, "bank_memory").expect("every filter has such memory");
    assert_eq!(flippable.memories, geometry.hashes() * geometry.phases());
    assert_eq!(u64::from(flippable.words), geometry.words_per_bank());
    assert_eq!(flippable.bits, 36 + geometry.parity().bits());
    flippable
}

fn sides(
    geometry: &Geometry,
    flippable: &Flippable,
    mix: FlipMix,
    clocks: u64,
    seed: u64,
) -> (FlippedReference, Flipping<Torture>) {
    let model = ModelReference::with_memory(geometry).expect("partitioned");
    let torture = Torture::new(geometry, TortureMix::draw(geometry, seed, clocks), seed);
    (
        FlippedReference::new(model, geometry.phases()),
        Flipping::new(torture, flippable, mix, seed),
    )
}

#[test]
fn emitted_verilog_equals_the_model_when_bits_of_memory_flip() {
    let toolchain = toolchain(&[Program::Verilator]);
    let mut clocks = 0;
    for sample in samples() {
        let geometry = sample.geometry();
        let flippable = flippable(&geometry);
        let bench = Bench::new(&toolchain, &flippable.design, &BuildOptions::default());
        let bench = bench.expect("build");
        let (met, counted) = (Cell::new(0), Cell::new(0));
        for seed in 0..RUNS * soak() {
            let make = |seed| sides(&geometry, &flippable, mix(&geometry, seed), CLOCKS, seed);
            let outcome = bench
                .run(seed, Initial::Random(seed), make, |clock| {
                    if clock.cycle + 1 == CLOCKS {
                        let model = &clock.reference.reference.model;
                        met.set(met.get() + model.flaws().met);
                        let count = model.status().counter(Counter::ParityErrors);
                        counted.set(counted.get() + count);
                    }
                })
                .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
            clocks += outcome.clocks;
        }
        println!(
            "{sample:?}: {} slots met a flipped bit, {} counted since reset",
            met.get(),
            counted.get()
        );
        assert!(met.get() > 1000, "{sample:?}: only {} met", met.get());
        match geometry.parity() {
            Parity::None => assert_eq!(counted.get(), 0),
            Parity::Count | Parity::Empty => assert!(counted.get() > 1000),
        }
    }
    println!("{clocks} clocks in lockstep");
}

/// A mix without resets, which would empty the counter.
fn without_reset(geometry: &Geometry, seed: u64, clocks: u64) -> TortureMix {
    TortureMix {
        reset: 0.0,
        ..TortureMix::draw(geometry, seed, clocks)
    }
}

#[test]
fn every_flipped_bit_that_is_read_is_counted_once_by_each_slot_that_reads_it() {
    let toolchain = toolchain(&[Program::Verilator]);
    for parity in ["count", "empty"] {
        let sample = Sample {
            parity,
            ..Sample::BASE
        };
        let geometry = sample.geometry();
        let flippable = flippable(&geometry);
        let bench = Bench::new(&toolchain, &flippable.design, &BuildOptions::default());
        let bench = bench.expect("build");
        let mut sum = Flaws::default();
        for seed in 0..RUNS * soak() {
            let make = |seed| {
                let torture = Torture::new(&geometry, without_reset(&geometry, seed, CLOCKS), seed);
                let model = ModelReference::with_memory(&geometry).expect("partitioned");
                (
                    FlippedReference::new(model, geometry.phases()),
                    Flipping::new(torture, &flippable, mix(&geometry, seed), seed),
                )
            };
            let ended = Cell::new((Flaws::default(), 0));
            bench
                .run(seed, Initial::Random(seed), make, |clock| {
                    let model = &clock.reference.reference.model;
                    let count = model.status().counter(Counter::ParityErrors);
                    ended.set((model.flaws(), count));
                })
                .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
            let (flaws, count) = ended.get();
            // an event is in the counter two clocks after it
            let late = flaws.met - count;
            assert!(
                late <= 3,
                "{sample:?}, seed {seed}: {count} counted, {flaws:?}"
            );
            sum.met += flaws.met;
            sum.doubled += flaws.doubled;
            sum.overwritten += flaws.overwritten;
            sum.standing += flaws.standing;
        }
        println!("{parity}: {sum:?}");
        assert!(sum.met > 1000 && sum.overwritten > 100, "{sum:?}");
    }
}

#[test]
fn native_simulation_with_parity_equals_the_model() {
    for parity in ["count", "empty"] {
        let sample = Sample {
            parity,
            ..Sample::BASE
        };
        let geometry = sample.geometry();
        let (design, _) = emitted_design(&geometry).expect("emit");
        for seed in 0..2 {
            compare(
                &design,
                &mut NativeFilter::new(&geometry).expect("native"),
                &mut ModelReference::new(&geometry),
                &mut Torture::new(&geometry, TortureMix::draw(&geometry, seed, 2_000), seed),
                seed,
                Limits::default(),
                |_| {},
            )
            .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
        }
    }
}

/// What parity must do, broken one thing at a time, in the text of the policy "empty".
const FAULTS: &[Fault] = &[
    fault(
        "parity is not stored",
        "filter_bank",
        "assign write_data = {^payload_0, payload_0};",
        "assign write_data = {1'b0, payload_0};",
    ),
    fault(
        "parity leaves the epoch out",
        "filter_bank",
        "assign write_data = {^payload_0, payload_0};",
        "assign write_data = {^payload_0[31:0], payload_0};",
    ),
];

#[test]
fn every_fault_of_parity_is_caught() {
    let sample = Sample {
        parity: "empty",
        ..Sample::BASE
    };
    let geometry = sample.geometry();
    let flippable = flippable(&geometry);
    every_fault_is_caught(
        &flippable.design,
        FAULTS,
        12,
        |library: &Library, design: &Design, seed| {
            let (mut reference, mut stimulus) =
                sides(&geometry, &flippable, mix(&geometry, seed), CLOCKS, seed);
            first_difference(library, design, &mut reference, &mut stimulus, seed)
        },
    );
}
