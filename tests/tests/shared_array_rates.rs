//! Recycling filters in the shared layout, measured in the gateware: the four variants of RBF (colliding and non-colliding probes, one
//! phase and two) have the rates of the exact chains, and two hash functions those predicted for them.

use bloomline_tests::{measured_rate, RateRun, SharedArraySample};
use bloomline_theory::sizing::{predict_shared, On, Prediction, SharedParams};
use bloomline_theory::two_hash::Extension;
use bloomline_verify::stats::family_confidence;
use bloomline_verify::Simulator;

/// New keys a variant.
const KEYS: u64 = 400_000;
/// Largest |z| of the state test: 99 % for eight of them.
const LARGEST_Z: f64 = 3.23;

/// Colliding or not, one phase or two, on bits set, forgetting the item that trips; colliding ones on messages, keeping it; and two hash
/// functions.
fn samples() -> Vec<SharedArraySample> {
    let sample = |distinct, phases, on, threshold, retain| SharedArraySample {
        phases,
        distinct,
        on,
        threshold,
        retain,
        key_bits: 64,
        ..SharedArraySample::BASE
    };
    let two_hash = |hashing, sample| SharedArraySample { hashing, ..sample };
    vec![
        sample(false, 1, "bits-set", 256, false),
        sample(false, 2, "bits-set", 256, false),
        sample(true, 1, "bits-set", 256, false),
        sample(true, 2, "bits-set", 256, false),
        sample(false, 1, "messages", 89, true),
        sample(false, 2, "messages", 89, true),
        two_hash("double", sample(false, 2, "bits-set", 256, false)),
        two_hash("extended-double-3", sample(false, 1, "messages", 89, true)),
    ]
}

fn predicted(sample: &SharedArraySample) -> Prediction {
    predict_shared(&SharedParams {
        half_bits: sample.half_bits,
        phases: sample.phases,
        hashes: sample.hashes,
        distinct: sample.distinct,
        two_hash: match sample.hashing {
            "double" => Some(Extension::None),
            "extended-double-2" => Some(Extension::Square),
            "extended-double-3" => Some(Extension::Cube),
            _ => None,
        },
        on: if sample.on == "bits-set" {
            On::BitsSet
        } else {
            On::Messages
        },
        threshold: sample.threshold,
        retain: sample.retain,
    })
    .expect("samples are in the domain of the theory")
}

#[test]
#[ignore = "a claim"]
fn measured_rates_of_every_variant_are_predicted_and_a_tenth_off_is_rejected() {
    let samples = samples();
    let confidence = family_confidence(0.01, samples.len()).expect("a legal confidence");
    let mut failures = Vec::new();
    for (seed, sample) in samples.iter().enumerate() {
        let geometry = sample.geometry();
        let prediction = predicted(sample);
        let how = RateRun {
            items: KEYS,
            seed: 500 + seed as u64,
            simulator: Simulator::Verilator,
            confidence,
            largest_z: LARGEST_Z,
        };
        let result = measured_rate(sample, &geometry, &prediction, &how, &mut failures);
        let interval_clocks = f64::from(geometry.timing().initiation_interval);
        assert!(
            (result.items_per_cycle * interval_clocks - 1.0).abs() < 1e-3
                && result.recycle_stall_cycles == 0,
            "{sample:?}: {} items a clock, {} stalls",
            result.items_per_cycle,
            result.recycle_stall_cycles
        );
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
