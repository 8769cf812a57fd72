//! Flipped bits of a sliding window's tables: the emitted Verilog does on every clock what the model with the same flips does, and counts every flip that is
//! read.

use bloomline_assurance::lanes::lockstep;
use bloomline_assurance::soft_error::{FlipMix, Flippable, Flipped, Flipping};
use bloomline_bench::built_in::read;
use bloomline_bench::filter::{
    emitted_design, SlidingReference, SlidingTorture, SlidingTortureMix,
};
use bloomline_engine::{Initial, LaneCount};
use bloomline_model::Flaws;
use bloomline_spec::registers::SlidingCounter;
use bloomline_spec::SlidingGeometry;
use bloomline_tests::faults::{every_fault_is_caught_at_any_size, FaultTable};
use bloomline_tests::{
    at_most, has_resets, FlippedRuns, MemoryCheck, SlidingSample, FLIPPED_CLOCKS,
};

/// Runs a sample; `BLOOMLINE_SOAK` multiplies them.
const RUNS: u64 = 5;

/// Every policy in tables that are large enough and in such that lose elements all the time; positions that are hashed apart; a narrow key.
fn samples() -> Vec<(String, SlidingGeometry)> {
    let mut list = Vec::new();
    for parity in ["none", "count", "empty"] {
        for sample in [SlidingSample::BASE, SlidingSample::CROWDED] {
            list.push(SlidingSample { parity, ..sample });
        }
    }
    for parity in ["count", "empty"] {
        list.push(SlidingSample {
            parity,
            hashing: "independent",
            family: "h3",
            key_bits: 33,
            ..SlidingSample::CROWDED
        });
    }
    list.into_iter()
        .map(|sample| (format!("{sample:?}"), sample.geometry()))
        .collect()
}

/// With an error-correcting code: tables that are large enough and such that lose elements all the time; positions that are hashed apart; cells of other widths.
fn corrected_samples() -> Vec<(String, SlidingGeometry)> {
    let list = [
        SlidingSample::CROWDED,
        SlidingSample::BASE,
        SlidingSample {
            hashing: "independent",
            family: "h3",
            key_bits: 33,
            ..SlidingSample::CROWDED
        },
        SlidingSample {
            target_fpr: 0.00001,
            ..SlidingSample::BASE
        },
    ];
    list.map(|sample| SlidingSample {
        parity: "ecc",
        ..sample
    })
    .map(|sample| (format!("{sample:?}"), sample.geometry()))
    .into()
}

/// The counters of memory errors.
fn counters(geometry: &SlidingGeometry) -> &'static [SlidingCounter] {
    match geometry.ecc() {
        true => &[
            SlidingCounter::EccCorrected,
            SlidingCounter::EccUncorrectable,
        ],
        false => &[SlidingCounter::ParityErrors],
    }
}

fn flippable(geometry: &SlidingGeometry) -> Flippable {
    let (design, _) = emitted_design(geometry).expect("emit");
    let flippable = Flippable::new(&design, "lane_memory").expect("every table has such memory");
    assert_eq!(flippable.memories, 2 * geometry.bucket_cells());
    assert_eq!(u64::from(flippable.words), geometry.front_buckets());
    assert_eq!(
        flippable.bits,
        geometry.cell_bits() + geometry.check_bits(geometry.cell_bits())
    );
    flippable
}

/// Model and stimulus of a seed; every other seed has no resets, which empty the counter.
fn sides(
    geometry: &SlidingGeometry,
    flippable: &Flippable,
    seed: u64,
) -> (Flipped<SlidingReference>, Flipping<SlidingTorture>) {
    let model = SlidingReference::with_memory(geometry);
    let mut torture = SlidingTortureMix::draw(geometry, seed, FLIPPED_CLOCKS);
    if !has_resets(seed) {
        torture.reset = 0.0;
    }
    let flips = FlipMix {
        rate: [0.05, 0.002, 0.0005][seed as usize % 3],
        first: 0,
        end: flippable.bits,
    };
    let torture = SlidingTorture::new(geometry, torture, seed);
    let counters: Vec<u32> = counters(geometry)
        .iter()
        .map(|of| of.address_lo())
        .collect();
    (
        Flipped::sliding(model, geometry),
        Flipping::new(torture, flippable, flips, &counters, seed),
    )
}

/// Runs a sample in lockstep; gives the clocks, and what was met.
fn runs(sample: &str, geometry: &SlidingGeometry) -> (u64, Flaws) {
    let (emitted, _) = emitted_design(geometry).expect("emit");
    let flippable = flippable(geometry);
    let runs = FlippedRuns {
        sample,
        emitted: &emitted,
        flippable: &flippable,
        check: MemoryCheck::of(geometry),
        make: &|seed| sides(geometry, &flippable, seed),
        met: &|sides: &Flipped<SlidingReference>| {
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
fn emitted_verilog_equals_the_model_when_bits_of_cells_flip_and_each_that_is_read_is_counted() {
    let mut clocks = 0;
    for (sample, geometry) in samples().into_iter().take(at_most(1)) {
        let (ran, sum) = runs(&sample, &geometry);
        clocks += ran;
        assert!(sum.met > 500 && sum.overwritten > 5, "{sample}: {sum:?}");
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn cells_that_are_corrected_are_counted_and_written_back_as_in_the_model() {
    let mut clocks = 0;
    for (sample, geometry) in corrected_samples().into_iter().take(at_most(2)) {
        let (ran, sum) = runs(&sample, &geometry);
        clocks += ran;
        assert!(
            sum.met > 300 && sum.doubled > 10 && sum.written_back > 100,
            "{sample}: {sum:?}"
        );
    }
    println!("{clocks} clocks in lockstep");
}

/// Clocks of the run below, in each of which a bit flips with a probability of [`ONE_BIT_RATE`].
const ONE_BIT_CLOCKS: u64 = 6_000;
const ONE_BIT_RATE: f64 = 0.05;

#[test]
fn with_error_correction_one_flipped_bit_of_a_cell_changes_no_verdict_and_no_stall_whichever_it_is()
{
    for (sample, geometry) in corrected_samples().into_iter().take(at_most(2)) {
        let flippable = flippable(&geometry);
        // a run flips one bit of its words alone: however many flip, no word has two that are wrong
        let sides = |bit: u32| {
            let torture = SlidingTortureMix {
                read: 0.0,
                ..SlidingTortureMix::draw(&geometry, bit.into(), ONE_BIT_CLOCKS)
            };
            let flips = FlipMix {
                rate: ONE_BIT_RATE,
                first: bit,
                end: bit + 1,
            };
            let torture = SlidingTorture::new(&geometry, torture, bit.into());
            let unread = [SlidingCounter::Items.address_lo()];
            (
                // of a filter whose memory nothing ever happens to
                Flipped::sliding(SlidingReference::new(&geometry), &geometry),
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
fn every_fault_of_the_parity_of_cells_is_caught() {
    let sample = SlidingSample {
        parity: "empty",
        ..SlidingSample::CROWDED
    };
    faults_are_caught(sample, "parity.sliding");
}

#[test]
fn every_fault_of_error_correction_is_caught() {
    let sample = SlidingSample {
        parity: "ecc",
        ..SlidingSample::CROWDED
    };
    faults_are_caught(sample, "ecc.sliding");
}

fn faults_are_caught(sample: SlidingSample, table: &str) {
    let geometry = sample.geometry();
    let flippable = flippable(&geometry);
    let sides = |seed| sides(&geometry, &flippable, seed);
    let faults = FaultTable::load(table).faults;
    every_fault_is_caught_at_any_size(&flippable.design, &faults, 12, sides);
}
