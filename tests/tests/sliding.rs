//! The sliding-window filter: emitted Verilog equals the cycle-accurate model on every port of every clock.

use bloomline_spec::registers::SlidingCounter;
use bloomline_tests::{few, in_lockstep, simulation, soak, SlidingSample, Tortured};

/// Well sized and crowded ones, short and long fingerprints, narrow and wide generations, every hash family.
fn samples() -> Vec<SlidingSample> {
    let base = SlidingSample::BASE;
    vec![
        base,
        SlidingSample {
            sizes: "generations = 4\ngeneration_bits = 4",
            hashing: "independent",
            ..base
        },
        SlidingSample::CROWDED,
        SlidingSample {
            window: 100,
            slack: 100,
            target_fpr: 0.5,
            sizes: "generations = 1\nbucket_cells = 4\nstore_cells = 1\nback_buckets = 4\nfront_buckets = 16\naccept_overflow = true\ngeneration_bits = 3",
            key_bits: 33,
            family: "h3",
            ..base
        },
        SlidingSample {
            window: 300,
            slack: 60,
            sizes: "generations = 10\nback_buckets = 16\nfront_buckets = 16\nstore_cells = 32\naccept_overflow = true",
            key_bits: 512,
            ..base
        },
        SlidingSample {
            window: 1000,
            slack: 250,
            target_fpr: 1e-6,
            sizes: "",
            key_bits: 64,
            ..base
        },
    ]
}

/// Clocks a run, and runs a sample; `BLOOMLINE_SOAK` multiplies the runs.
const CLOCKS: u64 = 20_000;
const RUNS: u64 = 12;

#[test]
fn emitted_verilog_equals_the_model_under_torture() {
    let mut clocks = 0;
    let mut totals = [0u64; SlidingCounter::PLACES];
    for sample in few(&samples(), 3) {
        println!("{sample:?}");
        let geometry = sample.geometry();
        let simulation = simulation(&geometry.emitted());
        clocks += in_lockstep(&geometry, simulation, RUNS * soak(), CLOCKS, |clock| {
            if clock.cycle + 1 == CLOCKS {
                let counters = clock.reference.model.status().counters;
                for (total, value) in totals.iter_mut().zip(counters) {
                    *total += value;
                }
            }
        });
    }
    // nothing flips here
    for counter in SlidingCounter::PLAIN {
        assert!(
            totals[counter as usize] > 500,
            "{counter:?} is not tortured: {totals:?}"
        );
    }
    println!("{clocks} clocks in lockstep");
}
