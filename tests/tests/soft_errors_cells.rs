//! Flipped bits of the memory of filters of cells: the emitted Verilog does on every clock what the model with the same flips does, and
//! counts every flip that is read.

use bloomline_assurance::soft_error::{FlipMix, Flippable, Flipped, Flipping};
use bloomline_bench::filter::{emitted_design, CellReference, CellTorture, CellTortureMix};
use bloomline_bench::lockstep::{compare, Limits};
use bloomline_bench::verilator::{Design, Library};
use bloomline_spec::registers::CellCounter;
use bloomline_spec::{CellGeometry, Parity};
use bloomline_tests::faults::{every_fault_is_caught, fault, first_difference, Fault};
use bloomline_tests::NativeFilter;
use bloomline_tests::{at_most, has_resets, CellSample, FlippedRuns, FLIPPED_CLOCKS};

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

fn flippable(geometry: &CellGeometry) -> Flippable {
    let (design, _) = emitted_design(geometry).expect("emit");
    let flippable = Flippable::new(&design, "bank_memory").expect("every filter has such memory");
    assert_eq!(flippable.memories, geometry.banks());
    assert_eq!(u64::from(flippable.words), geometry.words_per_bank());
    assert_eq!(flippable.bits, 36 + geometry.parity().bits());
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
    let counter_lo = CellCounter::ParityErrors.address_lo();
    let flipping = Flipping::new(torture, flippable, flips, counter_lo, seed);
    (Flipped::cells(reference), flipping)
}

#[test]
fn emitted_verilog_equals_the_model_when_bits_of_memory_flip_and_each_that_is_read_is_counted() {
    let (mut clocks, mut met) = (0, 0);
    for sample in samples().into_iter().take(at_most(1)) {
        let geometry = sample.geometry();
        let (emitted, _) = emitted_design(&geometry).expect("emit");
        let flippable = flippable(&geometry);
        let runs = FlippedRuns {
            sample: &format!("{sample:?}"),
            emitted: &emitted,
            flippable: &flippable,
            parity: geometry.parity(),
            make: &|seed| sides(&geometry, &flippable, seed),
            met: &|sides: &Flipped<CellReference>| {
                let model = &sides.reference.model;
                let count = model.status().counter(CellCounter::ParityErrors);
                (model.flaws(), count)
            },
        };
        let (ran, sum) = runs.in_lockstep(RUNS);
        clocks += ran;
        if geometry.parity() != Parity::None {
            met += sum.met;
        }
        assert!(sum.met > 300 && sum.overwritten > 20, "{sample:?}: {sum:?}");
    }
    println!("{clocks} clocks in lockstep, {met} slots met a word of wrong parity");
}

#[test]
fn native_simulation_with_parity_equals_the_model() {
    let samples = [
        CellSample {
            parity: "count",
            ..CellSample::STATIC
        },
        CellSample {
            parity: "empty",
            ..CellSample::COUNTING
        },
        CellSample {
            parity: "empty",
            ..CONSERVATIVE
        },
    ];
    for sample in samples {
        let geometry = sample.geometry();
        let (design, _) = emitted_design(&geometry).expect("emit");
        for seed in 0..2 {
            let mix = CellTortureMix::draw(&geometry, seed, 1_500);
            compare(
                &design,
                &mut NativeFilter::new(&geometry).expect("native"),
                &mut CellReference::new(&geometry),
                &mut CellTorture::new(&geometry, mix, seed),
                seed,
                Limits::default(),
                |_| {},
            )
            .unwrap_or_else(|error| panic!("{sample:?}, seed {seed}: {error}"));
        }
    }
}

/// What parity must do in a filter of banks, broken one thing at a time, in the text of the policy "empty".
const BANKS: &[Fault] = &[
    fault(
        "a wrong word is not emptied",
        "cell_bank",
        "assign sound_0 = current && !wrong_4_0;",
        "assign sound_0 = current;",
    ),
    fault(
        "the word of the slot one ahead is checked",
        "cell_bank",
        "from_memory_0 <= !forwarded && !next_3 && !stored_3;",
        "from_memory_0 <= !forwarded && !stored_3;",
    ),
    fault(
        "the word that a store replaces is checked",
        "cell_bank",
        "from_memory_0 <= !forwarded && !next_3 && !stored_3;",
        "from_memory_0 <= !forwarded && !next_3;",
    ),
    fault(
        "what empty slots read is counted",
        "sample",
        "wrong_0 <= (|wrong_words_0) && slots_reading_5_0 && !reset;",
        "wrong_0 <= (|wrong_words_0) && !reset;",
    ),
    fault(
        "the word of a slot two to four ahead is checked",
        "cell_bank",
        "from_memory_0 <= !forwarded && !next_3 && !stored_3;",
        "from_memory_0 <= !next_3 && !stored_3;",
    ),
    fault(
        "parity is not stored",
        "parity_seal",
        "assign word = {^payload, payload};",
        "assign word = {1'b0, payload};",
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
        "seven bits of a word are not checked",
        "parity_check",
        "assign wrong = ^part;",
        "assign wrong = ^part[2:0];",
    ),
    fault(
        "the last bank is not counted",
        "sample",
        "assign wrong_words_0[3] = bank_3_wrong_5_0;",
        "assign wrong_words_0[3] = 1'b0;",
    ),
    fault(
        "slots are taken for those a stage behind",
        "cell_slots",
        "assign reading_5_0 = read_late_0[3];",
        "assign reading_5_0 = read_late_0[2];",
    ),
    fault(
        "what a host reads is not counted",
        "cell_slots",
        "read_late_0 <= {read_late_0[2:0], live};",
        "read_late_0 <= {read_late_0[2:0], live && !access_line[7]};",
    ),
    fault(
        "what refreshes read is not counted",
        "cell_slots",
        "read_late_0 <= {read_late_0[2:0], live};",
        "read_late_0 <= {read_late_0[2:0], live && !refresh_line[1]};",
    ),
];

/// Under many resets.
const RESETS: &[Fault] = &[
    fault(
        "a slot that a reset silenced is counted",
        "cell_slots",
        "read_late_0 <= no_read_0;",
        "read_late_0 <= {read_late_0[2:0], live};",
    ),
    fault(
        "an error in the clock of a reset is counted",
        "sample",
        "wrong_0 <= (|wrong_words_0) && slots_reading_5_0 && !reset;",
        "wrong_0 <= (|wrong_words_0) && slots_reading_5_0;",
    ),
];

/// In banks that take long to cover.
const COVERAGE: &[Fault] = &[
    fault(
        "an emptied word counts as covered",
        "cell_bank",
        "first_5 <= first_4 || wrong_4_0;",
        "first_5 <= first_4;",
    ),
    fault(
        "a sound word of another epoch does not count",
        "cell_bank",
        "first_5 <= first_4 || wrong_4_0;",
        "first_5 <= wrong_4_0;",
    ),
];

/// With conservative update, in one array.
const PROBES: &[Fault] = &[
    fault(
        "of an item's looks only the last is counted",
        "cell_slots",
        "read_late_0 <= {read_late_0[2:0], live};",
        "read_late_0 <= {read_late_0[2:0], live && (!item_line[7] || raise_line_0[7] || last_line_0[7])};",
    ),
    fault(
        "what raises read is not counted",
        "cell_slots",
        "read_late_0 <= {read_late_0[2:0], live};",
        "read_late_0 <= {read_late_0[2:0], live && !raise_line_0[7]};",
    ),
    fault(
        "a wrong word is not emptied",
        "cell_bank",
        "assign sound_0 = current && !wrong_4_0;",
        "assign sound_0 = current;",
    ),
];

/// Model and stimulus of a seed.
type Sides = fn(&CellGeometry, &Flippable, u64) -> (Flipped<CellReference>, Flipping<CellTorture>);

fn faults_are_caught(sample: CellSample, sides: Sides, faults: &[Fault]) {
    let sample = CellSample {
        parity: "empty",
        ..sample
    };
    let geometry = sample.geometry();
    let flippable = flippable(&geometry);
    let run = |library: &Library, design: &Design, seed| {
        let (mut reference, mut stimulus) = sides(&geometry, &flippable, seed);
        first_difference(library, design, &mut reference, &mut stimulus, seed)
    };
    every_fault_is_caught(&flippable.design, faults, 12, run);
}

#[test]
fn every_fault_of_parity_is_caught() {
    faults_are_caught(CellSample::COUNTING, sides, BANKS);
    faults_are_caught(CellSample::COUNTING, sides_with_resets, RESETS);
    let long = CellSample {
        words: 256,
        cell_bits: 16,
        ..CellSample::COUNTING
    };
    faults_are_caught(long, sides, COVERAGE);
    faults_are_caught(CONSERVATIVE, sides, PROBES);
}
