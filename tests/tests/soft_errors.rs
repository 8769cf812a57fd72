//! Flipped bits of memory: the emitted Verilog does on every clock what the model with the same flips does, and counts every flip
//! that is read.

use bloomline_assurance::lanes::lockstep;
use bloomline_assurance::soft_error::{FlipMix, Flippable, Flipped, Flipping};
use bloomline_bench::built_in::read;
use bloomline_bench::filter::{emitted_design, ModelReference, Torture, TortureMix};
use bloomline_engine::{Initial, LaneCount};
use bloomline_model::Flaws;
use bloomline_spec::registers::RecyclingCounter;
use bloomline_spec::RecyclingGeometry;
use bloomline_tests::faults::{every_fault_is_caught_in_lanes, FaultTable};
use bloomline_tests::{
    at_most, has_resets, FlippedRuns, MemoryCheck, Sample, SharedArraySample, FLIPPED_CLOCKS,
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

/// With an error-correcting code: one phase and two, a secret a half; on one array, with colliding probes and distinct ones, one probe and as many as there may be, and items
/// that have their probes in one word.
fn corrected_samples() -> Vec<(String, RecyclingGeometry)> {
    let partitioned =
        corrected_partitioned_samples().map(|sample| (format!("{sample:?}"), sample.geometry()));
    let shared =
        corrected_shared_array_samples().map(|sample| (format!("{sample:?}"), sample.geometry()));
    // a quick test takes the first of either
    let [first, rest @ ..] = partitioned;
    [first].into_iter().chain(shared).chain(rest).collect()
}

fn corrected_shared_array_samples() -> [SharedArraySample; 5] {
    let base = SharedArraySample {
        parity: "ecc",
        ..SharedArraySample::BASE
    };
    [
        base,
        SharedArraySample {
            phases: 1,
            on: "messages",
            half_bits: 256,
            threshold: 60,
            distinct: true,
            retain: false,
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
            hashes: 32,
            half_bits: 2048,
            threshold: 1300,
            hashing: "double",
            ..base
        },
        SharedArraySample {
            hashes: 2,
            family: "siphash",
            ..base
        },
    ]
}

fn corrected_partitioned_samples() -> [Sample; 5] {
    let base = Sample {
        parity: "ecc",
        ..Sample::BASE
    };
    [
        base,
        Sample {
            phases: 1,
            on: "messages",
            threshold: 90,
            retain: false,
            ..base
        },
        Sample {
            family: "siphash",
            hashes: 3,
            partition_bits: 256,
            ..base
        },
        Sample {
            hashes: 8,
            partition_bits: 256,
            threshold: 1000,
            ..base
        },
        Sample {
            partition_bits: 160,
            range: Some(157),
            ..base
        },
    ]
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
    list.push(Sample {
        parity: "empty",
        partition_bits: 160,
        range: Some(157),
        ..base
    });
    list
}

fn flippable(geometry: &RecyclingGeometry) -> Flippable {
    let (design, _) = emitted_design(geometry).expect("emit");
    let flippable = Flippable::new(&design, "bank_memory").expect("every filter has such memory");
    assert_eq!(flippable.memories, geometry.banks() * geometry.phases());
    assert_eq!(u64::from(flippable.words), geometry.words_per_bank());
    assert_eq!(flippable.bits, 36 + geometry.check_bits(36));
    flippable
}

/// The counters of memory errors.
fn counters(geometry: &RecyclingGeometry) -> &'static [RecyclingCounter] {
    match geometry.ecc() {
        true => &[
            RecyclingCounter::EccCorrected,
            RecyclingCounter::EccUncorrectable,
        ],
        false => &[RecyclingCounter::ParityErrors],
    }
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
    let addresses: Vec<u32> = counters(geometry)
        .iter()
        .map(|of| of.address_lo())
        .collect();
    let torture = Torture::new(geometry, torture, seed);
    (
        Flipped::recycling(model, geometry.phases()),
        Flipping::new(torture, flippable, flips, &addresses, seed),
    )
}

/// Runs a sample in lockstep; gives the clocks, and what was met.
fn runs(sample: &str, geometry: &RecyclingGeometry) -> (u64, Flaws) {
    let (emitted, _) = emitted_design(geometry).expect("emit");
    let flippable = flippable(geometry);
    let runs = FlippedRuns {
        sample,
        emitted: &emitted,
        flippable: &flippable,
        check: MemoryCheck::of(geometry),
        make: &|seed| sides(geometry, &flippable, seed),
        met: &|sides: &Flipped<ModelReference>| {
            let model = &sides.reference.model;
            let mut counts = [0; 2];
            for (count, of) in counts.iter_mut().zip(counters(geometry)) {
                *count = model.status().counter(*of);
            }
            (model.flaws(), counts)
        },
    };
    runs.in_lockstep(RUNS)
}

#[test]
fn emitted_verilog_equals_the_model_when_bits_of_memory_flip_and_each_that_is_read_is_counted() {
    let mut clocks = 0;
    for (sample, geometry) in samples().into_iter().take(at_most(1)) {
        let (ran, sum) = runs(&sample, &geometry);
        clocks += ran;
        assert!(sum.met > 500 && sum.overwritten > 20, "{sample}: {sum:?}");
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn words_that_are_corrected_are_counted_and_written_back_as_in_the_model() {
    let mut clocks = 0;
    for (sample, geometry) in corrected_samples().into_iter().take(at_most(2)) {
        let (ran, sum) = runs(&sample, &geometry);
        clocks += ran;
        let counted = sum.met > 300 && sum.doubled > 50 && sum.written_back > 100;
        assert!(counted, "{sample}: {sum:?}");
    }
    println!("{clocks} clocks in lockstep");
}

/// Clocks of the run below, in each of which a bit flips with a probability of [`ONE_BIT_RATE`].
const ONE_BIT_CLOCKS: u64 = 6_000;
const ONE_BIT_RATE: f64 = 0.05;

#[test]
fn with_error_correction_one_flipped_bit_of_a_word_changes_no_verdict_and_no_stall_whichever_it_is()
{
    for (sample, geometry) in corrected_samples().into_iter().take(at_most(2)) {
        let flippable = flippable(&geometry);
        // a run flips one bit of its words alone: however many flip, no word has two that are wrong
        let sides = |bit: u32| {
            let torture = TortureMix {
                read: 0.0,
                ..TortureMix::draw(&geometry, bit.into(), ONE_BIT_CLOCKS)
            };
            let flips = FlipMix {
                rate: ONE_BIT_RATE,
                first: bit,
                end: bit + 1,
            };
            let torture = Torture::new(&geometry, torture, bit.into());
            let unread = [RecyclingCounter::Items.address_lo()];
            (
                // of a filter whose memory nothing ever happens to
                Flipped::recycling(ModelReference::new(&geometry), geometry.phases()),
                Flipping::new(torture, &flippable, flips, &unread, bit.into()),
            )
        };
        let mut sides: Vec<_> = (0..flippable.bits).map(sides).collect();
        let design = read(&flippable.design).expect("it is Verilog");
        let mut lanes = design
            .open_lanes(LaneCount::L64, Initial::Zeros)
            .expect("one clock");
        let clocks = lockstep(&flippable.design, &mut lanes, &mut sides, |_, _, _| ());
        let clocks = clocks.unwrap_or_else(|error| panic!("{sample}: {error}"));
        assert_eq!(clocks, ONE_BIT_CLOCKS * u64::from(flippable.bits));
        println!("{clocks} clocks");
    }
}

#[test]
fn every_fault_of_parity_is_caught() {
    let sample = Sample {
        parity: "empty",
        ..Sample::BASE
    };
    faults_are_caught(&sample.geometry(), "parity.recycling");
}

#[test]
fn every_fault_of_parity_on_one_array_is_caught() {
    let sample = SharedArraySample {
        parity: "empty",
        ..SharedArraySample::BASE
    };
    faults_are_caught(&sample.geometry(), "parity.shared_array");
}

fn faults_are_caught(geometry: &RecyclingGeometry, table: &str) {
    let flippable = flippable(geometry);
    let sides = |seed| sides(geometry, &flippable, seed);
    let faults = FaultTable::load(table).faults;
    every_fault_is_caught_in_lanes(&flippable.design, &faults, 12, sides);
}

#[test]
fn every_fault_of_error_correction_is_caught() {
    let sample = Sample {
        parity: "ecc",
        ..Sample::BASE
    };
    faults_are_caught(&sample.geometry(), "ecc.recycling");
}

#[test]
fn every_fault_of_error_correction_on_one_array_is_caught() {
    let sample = SharedArraySample {
        parity: "ecc",
        ..SharedArraySample::BASE
    };
    faults_are_caught(&sample.geometry(), "ecc.shared_array");
}
