//! Flipped bits of memory: the emitted Verilog does on every clock what the model with the same flips does, and counts every flip
//! that is read.

use bloomline_assurance::soft_error::{FlipMix, Flippable, Flipped, Flipping};
use bloomline_bench::filter::{emitted_design, ModelReference, Torture, TortureMix};
use bloomline_bench::lockstep::{compare, Limits};
use bloomline_bench::verilator::{Design, Library};
use bloomline_spec::registers::RecyclingCounter;
use bloomline_spec::{Parity, RecyclingGeometry};
use bloomline_tests::faults::{every_fault_is_caught, fault, first_difference, Fault};
use bloomline_tests::NativeFilter;
use bloomline_tests::{
    at_most, has_resets, FlippedRuns, Sample, SharedArraySample, FLIPPED_CLOCKS,
};

/// Runs a sample; `BLOOMLINE_SOAK` multiplies them.
const RUNS: u64 = 5;

/// Every policy with one phase and two, retaining or not, with a secret a half, and with more than one near slot; in the shared layout
/// with colliding probes and distinct ones, most items with probes in one word, and as many probes as there may be.
fn samples() -> Vec<(String, RecyclingGeometry)> {
    let partitioned = partitioned_samples().into_iter();
    let shared_array = shared_array_samples().into_iter();
    partitioned
        .map(|sample| (format!("{sample:?}"), sample.geometry()))
        .chain(shared_array.map(|sample| (format!("{sample:?}"), sample.geometry())))
        .collect()
}

fn shared_array_samples() -> Vec<SharedArraySample> {
    let base = SharedArraySample::BASE;
    let mut list = Vec::new();
    for parity in ["none", "count", "empty"] {
        list.push(SharedArraySample { parity, ..base });
        list.push(SharedArraySample {
            parity,
            phases: 1,
            on: "messages",
            half_bits: 256,
            threshold: 60,
            distinct: true,
            retain: false,
            ..base
        });
    }
    list.push(SharedArraySample {
        parity: "empty",
        hashes: 1,
        threshold: 64,
        key_bits: 1,
        family: "h3",
        ..base
    });
    list.push(SharedArraySample {
        parity: "count",
        hashes: 32,
        half_bits: 2048,
        threshold: 1300,
        hashing: "double",
        ..base
    });
    list
}

fn partitioned_samples() -> Vec<Sample> {
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

fn flippable(geometry: &RecyclingGeometry) -> Flippable {
    let (design, _) = emitted_design(geometry).expect("emit");
    let flippable = Flippable::new(&design, "bank_memory").expect("every filter has such memory");
    assert_eq!(flippable.memories, geometry.banks() * geometry.phases());
    assert_eq!(u64::from(flippable.words), geometry.words_per_bank());
    assert_eq!(flippable.bits, 36 + geometry.parity().bits());
    flippable
}

/// Model and stimulus of a seed; every other seed has no resets, which empty the counter.
fn sides(
    geometry: &RecyclingGeometry,
    flippable: &Flippable,
    seed: u64,
) -> (Flipped<ModelReference>, Flipping<Torture>) {
    let model = ModelReference::with_memory(geometry);
    let mut torture = TortureMix::draw(geometry, seed, FLIPPED_CLOCKS);
    if !has_resets(seed) {
        torture.reset = 0.0;
    }
    let flips = FlipMix {
        rate: [0.05, 0.002, 0.0005][seed as usize % 3],
        first: 0,
        end: flippable.bits,
    };
    let torture = Torture::new(geometry, torture, seed);
    (
        Flipped::recycling(model, geometry.phases()),
        Flipping::new(
            torture,
            flippable,
            flips,
            RecyclingCounter::ParityErrors.address_lo(),
            seed,
        ),
    )
}

#[test]
fn emitted_verilog_equals_the_model_when_bits_of_memory_flip_and_each_that_is_read_is_counted() {
    let mut clocks = 0;
    for (sample, geometry) in samples().into_iter().take(at_most(1)) {
        let (emitted, _) = emitted_design(&geometry).expect("emit");
        let flippable = flippable(&geometry);
        let runs = FlippedRuns {
            sample: &sample,
            emitted: &emitted,
            flippable: &flippable,
            parity: geometry.parity(),
            make: &|seed| sides(&geometry, &flippable, seed),
            met: &|sides: &Flipped<ModelReference>| {
                let model = &sides.reference.model;
                let count = model.status().counter(RecyclingCounter::ParityErrors);
                (model.flaws(), count)
            },
        };
        let (ran, sum) = runs.in_lockstep(RUNS);
        clocks += ran;
        assert!(sum.met > 500 && sum.overwritten > 20, "{sample}: {sum:?}");
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn native_simulation_with_parity_equals_the_model() {
    for (sample, geometry) in samples().into_iter().take(at_most(4)) {
        if geometry.parity() == Parity::None {
            continue;
        }
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
            .unwrap_or_else(|error| panic!("{sample}, seed {seed}: {error}"));
        }
    }
}

/// What parity must do, broken one thing at a time, in the text of the policy "empty".
const FAULTS: &[Fault] = &[
    fault(
        "parity is not stored",
        "parity_seal",
        "assign word = {^payload, payload};",
        "assign word = {1'b0, payload};",
    ),
    fault(
        "a wrong word is not emptied",
        "word_read",
        "assign current = current_r && !(^part_0);",
        "assign current = current_r;",
    ),
    fault(
        "a read that meets a write is checked",
        "word_read",
        "if (!bypass) begin",
        "if (1'b1) begin",
    ),
    fault(
        "the frozen half is not counted",
        "filter_bank",
        "wrong_0 <= active_read_wrong_0 || frozen_read_0_wrong_0;",
        "wrong_0 <= active_read_wrong_0;",
    ),
    fault(
        "what empty slots read is counted",
        "sample",
        "wrong_0 <= (|wrong_words_0) && slots_reading_8_0 && !reset;",
        "wrong_0 <= (|wrong_words_0) && !reset;",
    ),
    fault(
        "parity leaves the epoch out",
        "parity_seal",
        "assign word = {^payload, payload};",
        "assign word = {^payload[31:0], payload};",
    ),
    fault(
        "the parity bit is not checked",
        "word_read",
        "part_in_0[3] = ^read_data[36:30];",
        "part_in_0[3] = ^read_data[35:30];",
    ),
    fault(
        "ten bits of a word are not counted",
        "word_read",
        "assign wrong_0 = ^part_0;",
        "assign wrong_0 = ^part_0[2:0];",
    ),
    fault(
        "a word is emptied by half of its bits",
        "word_read",
        "assign current = current_r && !(^part_0);",
        "assign current = current_r && !(^part_0[1:0]);",
    ),
    fault(
        "the active half is not counted",
        "filter_bank",
        "wrong_0 <= active_read_wrong_0 || frozen_read_0_wrong_0;",
        "wrong_0 <= frozen_read_0_wrong_0;",
    ),
    fault(
        "the last bank is not counted",
        "sample",
        "assign wrong_words_0[3] = bank_3_wrong_8_0;",
        "assign wrong_words_0[3] = 1'b0;",
    ),
    fault(
        "what items read is not counted",
        "slots",
        "item_line[14] || refresh_line[8]",
        "refresh_line[8]",
    ),
    fault(
        "what refreshes read is not counted",
        "slots",
        "item_line[14] || refresh_line[8]",
        "item_line[14]",
    ),
    fault(
        "what a host reads is not counted",
        "slots",
        "refresh_line[8] || fetch_line[14];",
        "refresh_line[8];",
    ),
    fault(
        "items are taken for those a stage behind",
        "slots",
        "item_line[14] || refresh_line[8]",
        "item_line[15] || refresh_line[8]",
    ),
];

/// The same in the layout of one array a half.
const SHARED_ARRAY_FAULTS: &[Fault] = &[
    fault(
        "parity is not stored",
        "parity_seal",
        "assign word = {^payload, payload};",
        "assign word = {1'b0, payload};",
    ),
    fault(
        "a wrong word is not emptied",
        "shared_array_bank",
        "assign sound_0 = bears && !check_0_wrong;",
        "assign sound_0 = bears;",
    ),
    fault(
        "the frozen half is not counted",
        "shared_array_bank",
        "wrong_0 <= check_0_wrong || frozen_check_0_wrong;",
        "wrong_0 <= check_0_wrong;",
    ),
    fault(
        "what nothing reads is counted",
        "shared_array",
        "wrong_0 <= bank_wrong_5_0 && slots_reading_5_0 && !reset;",
        "wrong_0 <= bank_wrong_5_0 && !reset;",
    ),
    fault(
        "the last probe is not counted",
        "shared_array_slots",
        "reading_0 <= ((|item_line[11:8]) ||",
        "reading_0 <= ((|item_line[10:8]) ||",
    ),
    fault(
        "a wrong word of the frozen half is not emptied",
        "shared_array_bank",
        "assign frozen_sound_0 = frozen_bears_0 && !frozen_check_0_wrong;",
        "assign frozen_sound_0 = frozen_bears_0;",
    ),
    fault(
        "the active half is not counted",
        "shared_array_bank",
        "wrong_0 <= check_0_wrong || frozen_check_0_wrong;",
        "wrong_0 <= frozen_check_0_wrong;",
    ),
    fault(
        "parity leaves the epoch out",
        "parity_seal",
        "assign word = {^payload, payload};",
        "assign word = {^payload[31:0], payload};",
    ),
    fault(
        "the parity bit is not checked",
        "parity_check",
        "assign part_in[3] = ^word[36:30];",
        "assign part_in[3] = ^word[35:30];",
    ),
    fault(
        "ten bits of a word are not checked",
        "parity_check",
        "assign wrong = ^part;",
        "assign wrong = ^part[3:1];",
    ),
    fault(
        "the first probe is not counted",
        "shared_array_slots",
        "reading_0 <= ((|item_line[11:8]) ||",
        "reading_0 <= ((|item_line[11:9]) ||",
    ),
    fault(
        "items are taken for those a stage behind",
        "shared_array_slots",
        "reading_0 <= ((|item_line[11:8]) ||",
        "reading_0 <= ((|item_line[10:7]) ||",
    ),
    fault(
        "what refreshes and sets read is not counted",
        "shared_array_slots",
        "(|item_line[11:8]) || refresh_line[4] ||",
        "(|item_line[11:8]) ||",
    ),
    fault(
        "refreshes that are dropped are not counted",
        "shared_array_slots",
        "(|item_line[11:8]) || refresh_line[4] ||",
        "(|item_line[11:8]) || refreshing ||",
    ),
    fault(
        "what a host reads is not counted",
        "shared_array_slots",
        "refresh_line[4] || fetch_line[8]) && !reset;",
        "refresh_line[4]) && !reset;",
    ),
    fault(
        "an item writes the bits of a wrong word back",
        "shared_array_bank",
        "if (sound_0) begin",
        "if (bears) begin",
    ),
    fault(
        "a wrong word that an item empties is not counted as covered",
        "shared_array_bank",
        ".bears_in (sound_0)",
        ".bears_in (bears)",
    ),
    fault(
        "a wrong word that a refresh empties is not counted as covered",
        "shared_array_bank",
        "touch <= !sound_0;",
        "touch <= !bears;",
    ),
    fault(
        "a host reads a wrong word of the frozen half",
        "shared_array_bank",
        "if (frozen_sound_0) begin",
        "if (frozen_bears_0) begin",
    ),
];

#[test]
fn every_fault_of_parity_is_caught() {
    let sample = Sample {
        parity: "empty",
        ..Sample::BASE
    };
    faults_are_caught(&sample.geometry(), FAULTS);
}

#[test]
fn every_fault_of_parity_on_one_array_is_caught() {
    let sample = SharedArraySample {
        parity: "empty",
        ..SharedArraySample::BASE
    };
    faults_are_caught(&sample.geometry(), SHARED_ARRAY_FAULTS);
}

fn faults_are_caught(geometry: &RecyclingGeometry, faults: &[Fault]) {
    let flippable = flippable(geometry);
    let run = |library: &Library, design: &Design, seed| {
        let (mut reference, mut stimulus) = sides(geometry, &flippable, seed);
        first_difference(library, design, &mut reference, &mut stimulus, seed)
    };
    every_fault_is_caught(&flippable.design, faults, 12, run);
}
