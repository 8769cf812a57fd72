//! Flipped bits of a sliding window's tables: the emitted Verilog does on every clock what the model with the same flips does, and counts every flip that is
//! read.

use bloomline_assurance::soft_error::{FlipMix, Flippable, Flipped, Flipping};
use bloomline_bench::filter::{
    emitted_design, SlidingReference, SlidingTorture, SlidingTortureMix,
};
use bloomline_bench::lockstep::{compare, Limits};
use bloomline_bench::verilator::{Design, Library};
use bloomline_spec::registers::SlidingCounter;
use bloomline_spec::{Parity, SlidingGeometry};
use bloomline_tests::faults::{every_fault_is_caught, fault, first_difference, Fault};
use bloomline_tests::NativeFilter;
use bloomline_tests::{at_most, has_resets, FlippedRuns, SlidingSample, FLIPPED_CLOCKS};

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
            SlidingCounter::ParityErrors.address_lo(),
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
            parity: geometry.parity(),
            make: &|seed| sides(&geometry, &flippable, seed),
            met: &|sides: &Flipped<SlidingReference>| {
                let model = &sides.reference.model;
                let count = model.status().counter(SlidingCounter::ParityErrors);
                (model.flaws(), count)
            },
        };
        let (ran, sum) = runs.in_lockstep(RUNS);
        clocks += ran;
        assert!(sum.met > 500 && sum.overwritten > 5, "{sample}: {sum:?}");
    }
    println!("{clocks} clocks in lockstep");
}

/// Memory of the native simulation gives garbage where it is read and written in one clock, which must not be counted. And without a flip the model that knows
/// its memory cell by cell, scans and all, shows what the one shows that knows none.
#[test]
fn native_simulation_with_parity_equals_both_models() {
    for (sample, geometry) in samples().into_iter().take(at_most(4)) {
        if geometry.parity() == Parity::None {
            continue;
        }
        let (design, _) = emitted_design(&geometry).expect("emit");
        for seed in 0..4 {
            let mut reference = match seed % 2 {
                0 => SlidingReference::new(&geometry),
                _ => SlidingReference::with_memory(&geometry),
            };
            compare(
                &design,
                &mut NativeFilter::new(&geometry).expect("native"),
                &mut reference,
                &mut SlidingTorture::new(
                    &geometry,
                    SlidingTortureMix::draw(&geometry, seed, 2_000),
                    seed,
                ),
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
        "a wrong cell matches",
        "lane_flags",
        "match_base = equal_4 && live_4 && !wrong_0;",
        "match_base = equal_4 && live_4;",
    ),
    fault(
        "a wrong cell is not empty",
        "lane_flags",
        "empty_base = !live_4 || wrong_0;",
        "empty_base = !live_4;",
    ),
    fault(
        "a cell that is taken over is checked",
        "lane_flags",
        "wrong_r_0 <= wrong_0 && !touched[2];",
        "wrong_r_0 <= wrong_0;",
    ),
    fault(
        "what scans read is not counted",
        "sliding",
        "(slots_item_6 || slots_scan_6) && !reset;",
        "slots_item_6 && !reset;",
    ),
    fault(
        "what items read is not counted",
        "sliding",
        "(slots_item_6 || slots_scan_6) && !reset;",
        "slots_scan_6 && !reset;",
    ),
    fault(
        "what wipes read is counted",
        "sliding",
        "(slots_item_6 || slots_scan_6) && !reset;",
        "(slots_item_6 || slots_scan_6 || slots_wipe_6) && !reset;",
    ),
    fault(
        "what empty slots read is counted",
        "sliding",
        "(slots_item_6 || slots_scan_6) && !reset;",
        "!reset;",
    ),
    fault(
        "the front table is not counted",
        "sliding",
        "(front_wrong_6_0 || back_wrong_6_0) &&",
        "back_wrong_6_0 &&",
    ),
    fault(
        "the back table is not counted",
        "sliding",
        "(front_wrong_6_0 || back_wrong_6_0) &&",
        "front_wrong_6_0 &&",
    ),
    fault(
        "parity leaves the last bit of the generation out",
        "parity_seal",
        "assign word = {^payload, payload};",
        "assign word = {^payload[7:1], payload};",
    ),
    fault(
        "parity leaves the first bit of the fingerprint out",
        "parity_seal",
        "assign word = {^payload, payload};",
        "assign word = {^payload[6:0], payload};",
    ),
    fault(
        "a cell that a slot three ahead takes is not checked",
        "lane_flags",
        "wrong_r_0 <= wrong_0 && !touched[2];",
        "wrong_r_0 <= wrong_0 && !touched[2] && !hit[3];",
    ),
    fault(
        "the last cell of a front bucket is not counted",
        "bucket_table",
        "assign wrong_cells_0[1] = lane_1_wrong_5_0;",
        "assign wrong_cells_0[1] = 1'b0;",
    ),
    fault(
        "the first cell of a back bucket is not counted",
        "bucket_table_2",
        "assign wrong_cells_0[0] = lane_0_wrong_5_0;",
        "assign wrong_cells_0[0] = 1'b0;",
    ),
];

#[test]
fn every_fault_of_the_parity_of_cells_is_caught() {
    let sample = SlidingSample {
        parity: "empty",
        ..SlidingSample::CROWDED
    };
    let geometry = sample.geometry();
    let flippable = flippable(&geometry);
    let run = |library: &Library, design: &Design, seed| {
        let (mut reference, mut stimulus) = sides(&geometry, &flippable, seed);
        first_difference(library, design, &mut reference, &mut stimulus, seed)
    };
    every_fault_is_caught(&flippable.design, FAULTS, 12, run);
}
