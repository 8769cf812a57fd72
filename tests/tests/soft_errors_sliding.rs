//! Flipped bits of a sliding window's tables: the emitted Verilog does on every clock what the model with the same flips does, and counts every flip that is
//! read.

use bloomline_assurance::soft_error::{FlipMix, Flippable, Flipped, Flipping};
use bloomline_bench::filter::{
    emitted_design, SlidingReference, SlidingTorture, SlidingTortureMix,
};
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

fn flippable(geometry: &SlidingGeometry) -> Flippable {
    let (design, _) = emitted_design(geometry).expect("emit");
    let flippable = Flippable::new(&design, "lane_memory").expect("every table has such memory");
    assert_eq!(flippable.memories, 2 * geometry.bucket_cells());
    assert_eq!(u64::from(flippable.words), geometry.front_buckets());
    assert_eq!(
        flippable.bits,
        geometry.cell_bits() + geometry.parity().bits()
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
    (
        Flipped::sliding(model, geometry),
        Flipping::new(
            torture,
            flippable,
            flips,
            &[SlidingCounter::ParityErrors.address_lo()],
            seed,
        ),
    )
}

#[test]
fn emitted_verilog_equals_the_model_when_bits_of_cells_flip_and_each_that_is_read_is_counted() {
    let mut clocks = 0;
    for (sample, geometry) in samples().into_iter().take(at_most(1)) {
        let (emitted, _) = emitted_design(&geometry).expect("emit");
        let flippable = flippable(&geometry);
        let runs = FlippedRuns {
            sample: &sample,
            emitted: &emitted,
            flippable: &flippable,
            check: MemoryCheck::of(&geometry),
            make: &|seed| sides(&geometry, &flippable, seed),
            met: &|sides: &Flipped<SlidingReference>| {
                let model = &sides.reference.model;
                let count = model.status().counter(SlidingCounter::ParityErrors);
                (model.flaws(), [count, 0])
            },
        };
        let (ran, sum) = runs.in_lockstep(RUNS);
        clocks += ran;
        assert!(sum.met > 500 && sum.overwritten > 5, "{sample}: {sum:?}");
    }
    println!("{clocks} clocks in lockstep");
}

#[test]
fn every_fault_of_the_parity_of_cells_is_caught() {
    let sample = SlidingSample {
        parity: "empty",
        ..SlidingSample::CROWDED
    };
    let geometry = sample.geometry();
    let flippable = flippable(&geometry);
    let sides = |seed| sides(&geometry, &flippable, seed);
    let faults = FaultTable::load("parity.sliding").faults;
    every_fault_is_caught_at_any_size(&flippable.design, &faults, 12, sides);
}
