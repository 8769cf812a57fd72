//! Flipped bits of the cells of cuckoo tables with an error-correcting code: the emitted Verilog does on every clock what the model with the same flips does, each
//! flip that is met is counted, and no verdict is another one than without flips.

use bloomline_assurance::lanes::lockstep;
use bloomline_assurance::soft_error::{FlipMix, Flippable, Flipped, Flipping};
use bloomline_bench::built_in::read;
use bloomline_bench::filter::{emitted_design, CuckooReference, SlidingTorture, SlidingTortureMix};
use bloomline_engine::{Initial, LaneCount};
use bloomline_spec::registers::CuckooCounter;
use bloomline_spec::CuckooGeometry;
use bloomline_tests::faults::{every_fault_is_caught_at_any_size, FaultTable};
use bloomline_tests::{
    at_most, has_resets, CuckooSample, FlippedRuns, MemoryCheck, FLIPPED_CLOCKS,
};

/// Runs a sample; `BLOOMLINE_SOAK` multiplies them.
const RUNS: u64 = 5;

/// The counters of memory errors.
const COUNTERS: [CuckooCounter; 2] = [CuckooCounter::EccCorrected, CuckooCounter::EccUncorrectable];

fn corrected(sample: CuckooSample) -> CuckooGeometry {
    let geometry = sample.resolve("[memory]\necc = true\n");
    geometry.unwrap_or_else(|error| panic!("{sample:?}: {error}"))
}

/// The least rows, tables that are large enough, and cells of other widths.
fn samples() -> Vec<(String, CuckooGeometry)> {
    let list = [
        CuckooSample::CROWDED,
        CuckooSample::BASE,
        CuckooSample {
            target_fpr: 0.5,
            sizes: "row_cells = 5\nstash_cells = 64",
            key_bits: 33,
            family: "h3",
            ..CuckooSample::BASE
        },
        CuckooSample {
            target_fpr: 1e-6,
            sizes: "row_cells = 8",
            ..CuckooSample::BASE
        },
    ];
    list.map(|sample| (format!("{sample:?}"), corrected(sample)))
        .into()
}

fn flippable(geometry: &CuckooGeometry) -> Flippable {
    let (design, _) = emitted_design(geometry).expect("emit");
    let flippable = Flippable::new(&design, "cell_memory").expect("every table has such memory");
    assert_eq!(flippable.memories, 4 * geometry.row_cells());
    assert_eq!(u64::from(flippable.words), geometry.rows());
    assert_eq!(
        flippable.bits,
        geometry.cell_bits() + geometry.check_bits(geometry.cell_bits())
    );
    flippable
}

/// Model and stimulus of a seed; every other seed has no resets, which empty the counter.
fn sides(
    geometry: &CuckooGeometry,
    flippable: &Flippable,
    seed: u64,
) -> (Flipped<CuckooReference>, Flipping<SlidingTorture>) {
    let model = CuckooReference::with_memory(geometry);
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
    let counters = COUNTERS.map(CuckooCounter::address_lo);
    (
        Flipped::cuckoo(model, geometry),
        Flipping::new(torture, flippable, flips, &counters, seed),
    )
}

#[test]
fn cells_that_are_corrected_are_counted_and_mended_as_in_the_model() {
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
            met: &|sides: &Flipped<CuckooReference>| {
                let model = &sides.reference.model;
                let status = model.status();
                (model.flaws(), COUNTERS.map(|of| status.counter(of)))
            },
        };
        let (ran, sum) = runs.in_lockstep(RUNS);
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
fn with_error_correction_one_flipped_bit_of_a_cell_changes_no_verdict_whichever_it_is() {
    for (sample, geometry) in samples().into_iter().take(at_most(1)) {
        let flippable = flippable(&geometry);
        // a run flips one bit of its words alone: however many flip, no word has two that are wrong
        let sides = |bit: u32| {
            let torture = SlidingTortureMix::draw(&geometry, bit.into(), ONE_BIT_CLOCKS);
            let flips = FlipMix {
                rate: ONE_BIT_RATE,
                first: bit,
                end: bit + 1,
            };
            let torture = SlidingTorture::new(&geometry, torture, bit.into());
            let counters = COUNTERS.map(CuckooCounter::address_lo);
            (
                Flipped::cuckoo(CuckooReference::with_memory(&geometry), &geometry),
                Flipping::new(torture, &flippable, flips, &counters, bit.into()),
            )
        };
        let mut sides: Vec<_> = (0..flippable.bits).map(sides).collect();
        let design = read(&flippable.design).expect("it is Verilog");
        let mut lanes = design
            .open_lanes(LaneCount::L64, Initial::Zeros)
            .expect("one clock");
        let (mut met, mut mended) = (0, 0);
        let clocks = lockstep(
            &flippable.design,
            &mut lanes,
            &mut sides,
            |_, clock, reference| {
                if clock + 1 < ONE_BIT_CLOCKS {
                    return;
                }
                // every verdict was that of the functional filter, which knows nothing of memory
                let model = &reference.reference.model;
                let flaws = model.flaws();
                model
                    .check()
                    .unwrap_or_else(|error| panic!("{sample}: {error}"));
                assert_eq!((flaws.doubled, flaws.many), (0, 0), "{sample}");
                met += flaws.met;
                mended += flaws.written_back;
            },
        );
        let clocks = clocks.unwrap_or_else(|error| panic!("{sample}: {error}"));
        assert_eq!(clocks, ONE_BIT_CLOCKS * u64::from(flippable.bits));
        assert!(met > 1000 && mended > 1000, "{sample}: {met}, {mended}");
        println!("{sample}: {clocks} clocks, {met} met, {mended} mended");
    }
}

#[test]
#[ignore = "a claim"]
fn every_fault_of_error_correction_is_caught() {
    let geometry = corrected(CuckooSample::CROWDED);
    let flippable = flippable(&geometry);
    let sides = |seed| sides(&geometry, &flippable, seed);
    let faults = FaultTable::load("ecc.cuckoo").faults;
    every_fault_is_caught_at_any_size(&flippable.design, &faults, 12, sides);
}
