//! Flipped bits of the memory of filters of cells: the emitted Verilog does on every clock what the model with the same flips does, and
//! counts every flip that is read.

use bloomline_assurance::soft_error::{FlipMix, Flippable, Flipped, Flipping};
use bloomline_bench::filter::{emitted_design, CellReference, CellTorture, CellTortureMix};
use bloomline_model::Flaws;
use bloomline_spec::registers::CellCounter;
use bloomline_spec::{CellGeometry, Parity};
use bloomline_tests::faults::{every_fault_is_caught_in_lanes, FaultTable};
use bloomline_tests::{at_most, has_resets, CellSample, FlippedRuns, MemoryCheck, FLIPPED_CLOCKS};

/// Runs a sample; `BLOOMLINE_SOAK` multiplies them.
const RUNS: u64 = 6;

const SHARED: CellSample = CellSample {
    layout: "shared",
    ..CellSample::COUNTING
};
const CONSERVATIVE: CellSample = CellSample {
    conservative: true,
    ..SHARED
};

/// Every kind under every policy, in both layouts, with conservative update, with cells that leave data bits free, and with banks that take longer to cover
/// than a clear lasts.
fn samples() -> Vec<CellSample> {
    let kinds = [
        CellSample::STATIC,
        CellSample::COUNTING,
        CellSample::SKETCH,
        SHARED,
        CONSERVATIVE,
    ];
    let mut list = vec![CellSample::COUNTING, CONSERVATIVE];
    for parity in ["count", "empty"] {
        list.extend(kinds.map(|kind| CellSample { parity, ..kind }));
    }
    list.extend([
        CellSample {
            parity: "empty",
            layout: "shared",
            ..CellSample::STATIC
        },
        CellSample {
            parity: "count",
            layout: "shared",
            conservative: true,
            hashes: 3,
            words: 16,
            ..CellSample::SKETCH
        },
        CellSample {
            parity: "empty",
            cell_bits: 3,
            hashes: 5,
            hashing: "independent",
            ..CellSample::COUNTING
        },
        CellSample {
            parity: "empty",
            cell_bits: 16,
            words: 256,
            family: "siphash",
            ..CellSample::COUNTING
        },
        CellSample {
            parity: "count",
            cell_bits: 16,
            words: 256,
            ..CellSample::COUNTING
        },
    ]);
    list
}

/// With an error-correcting code: every kind, both layouts, conservative update, and banks that take longer to cover than a clear lasts.
fn corrected_samples() -> Vec<CellSample> {
    let list = [
        CellSample::COUNTING,
        CONSERVATIVE,
        SHARED,
        CellSample::STATIC,
        CellSample::SKETCH,
        CellSample {
            layout: "shared",
            ..CellSample::STATIC
        },
        CellSample {
            layout: "shared",
            conservative: true,
            hashes: 3,
            words: 16,
            ..CellSample::SKETCH
        },
        CellSample {
            cell_bits: 3,
            hashes: 5,
            hashing: "independent",
            ..CellSample::COUNTING
        },
        CellSample {
            cell_bits: 16,
            words: 256,
            family: "siphash",
            ..CellSample::COUNTING
        },
    ];
    list.map(|sample| CellSample {
        parity: "ecc",
        ..sample
    })
    .into()
}

/// The counters of memory errors.
fn counters(geometry: &CellGeometry) -> &'static [CellCounter] {
    match geometry.ecc() {
        true => &[CellCounter::EccCorrected, CellCounter::EccUncorrectable],
        false => &[CellCounter::ParityErrors],
    }
}

fn flippable(geometry: &CellGeometry) -> Flippable {
    let (design, _) = emitted_design(geometry).expect("emit");
    let flippable = Flippable::new(&design, "bank_memory").expect("every filter has such memory");
    assert_eq!(flippable.memories, geometry.banks());
    assert_eq!(u64::from(flippable.words), geometry.words_per_bank());
    assert_eq!(flippable.bits, 36 + geometry.check_bits(36));
    flippable
}

/// Model and stimulus of a seed; every other seed has no resets, which empty the counter.
fn sides(
    geometry: &CellGeometry,
    flippable: &Flippable,
    seed: u64,
) -> (Flipped<CellReference>, Flipping<CellTorture>) {
    let mut torture = CellTortureMix::draw(geometry, seed, FLIPPED_CLOCKS);
    if !has_resets(seed) {
        torture.reset = 0.0;
    }
    let rate = [0.05, 0.002, 0.01][seed as usize % 3];
    sides_of(geometry, flippable, torture, rate, seed)
}

/// The same with many resets, many flips and many reads.
fn sides_with_resets(
    geometry: &CellGeometry,
    flippable: &Flippable,
    seed: u64,
) -> (Flipped<CellReference>, Flipping<CellTorture>) {
    let torture = CellTortureMix {
        reset: 0.005,
        read: 0.5,
        ..CellTortureMix::draw(geometry, seed, FLIPPED_CLOCKS)
    };
    sides_of(geometry, flippable, torture, 0.5, seed)
}

fn sides_of(
    geometry: &CellGeometry,
    flippable: &Flippable,
    torture: CellTortureMix,
    rate: f64,
    seed: u64,
) -> (Flipped<CellReference>, Flipping<CellTorture>) {
    let flips = FlipMix {
        rate,
        first: 0,
        end: flippable.bits,
    };
    let torture = CellTorture::new(geometry, torture, seed);
    let reference = CellReference::with_memory(geometry);
    let counters: Vec<u32> = counters(geometry)
        .iter()
        .map(|of| of.address_lo())
        .collect();
    let flipping = Flipping::new(torture, flippable, flips, &counters, seed);
    (Flipped::cells(reference), flipping)
}

/// Runs a sample in lockstep; gives the clocks, and what was met.
fn runs(sample: CellSample) -> (u64, Flaws) {
    let geometry = sample.geometry();
    let (emitted, _) = emitted_design(&geometry).expect("emit");
    let flippable = flippable(&geometry);
    let runs = FlippedRuns {
        sample: &format!("{sample:?}"),
        emitted: &emitted,
        flippable: &flippable,
        check: MemoryCheck::of(&geometry),
        make: &|seed| sides(&geometry, &flippable, seed),
        met: &|sides: &Flipped<CellReference>| {
            let model = &sides.reference.model;
            let mut counts = [0; 2];
            for (count, of) in counts.iter_mut().zip(counters(&geometry)) {
                *count = model.status().counter(*of);
            }
            (model.flaws(), counts)
        },
    };
    runs.in_lockstep(RUNS)
}

#[test]
fn emitted_verilog_equals_the_model_when_bits_of_memory_flip_and_each_that_is_read_is_counted() {
    let (mut clocks, mut met) = (0, 0);
    for sample in samples().into_iter().take(at_most(1)) {
        let (ran, sum) = runs(sample);
        clocks += ran;
        if sample.geometry().parity() != Parity::None {
            met += sum.met;
        }
        assert!(sum.met > 300 && sum.overwritten > 20, "{sample:?}: {sum:?}");
    }
    println!("{clocks} clocks in lockstep, {met} slots met a word of wrong parity");
}

#[test]
fn words_that_are_corrected_are_counted_as_in_the_model() {
    let mut clocks = 0;
    for sample in corrected_samples().into_iter().take(at_most(2)) {
        let (ran, sum) = runs(sample);
        clocks += ran;
        assert!(sum.met > 300 && sum.doubled > 10, "{sample:?}: {sum:?}");
    }
    println!("{clocks} clocks in lockstep");
}

/// Model and stimulus of a seed.
type Sides = fn(&CellGeometry, &Flippable, u64) -> (Flipped<CellReference>, Flipping<CellTorture>);

fn faults_are_caught(sample: CellSample, sides: Sides, table: &str) {
    let sample = CellSample {
        parity: "empty",
        ..sample
    };
    let geometry = sample.geometry();
    let flippable = flippable(&geometry);
    let sides = |seed| sides(&geometry, &flippable, seed);
    let faults = FaultTable::load(table).faults;
    every_fault_is_caught_in_lanes(&flippable.design, &faults, 12, sides);
}

#[test]
fn every_fault_of_parity_is_caught() {
    faults_are_caught(CellSample::COUNTING, sides, "parity.banks");
    faults_are_caught(CellSample::COUNTING, sides_with_resets, "parity.resets");
    let long = CellSample {
        words: 256,
        cell_bits: 16,
        ..CellSample::COUNTING
    };
    faults_are_caught(long, sides, "parity.coverage");
    faults_are_caught(CONSERVATIVE, sides, "parity.probes");
}

#[test]
fn every_fault_of_error_correction_is_caught() {
    let sample = CellSample {
        parity: "ecc",
        ..CellSample::COUNTING
    };
    let geometry = sample.geometry();
    let flippable = flippable(&geometry);
    let faults = FaultTable::load("ecc.banks").faults;
    every_fault_is_caught_in_lanes(&flippable.design, &faults, 12, |seed| {
        sides(&geometry, &flippable, seed)
    });
}
