//! The gateware's measured false-positive rates are those that theory predicts, for every variant of the filter.

use bloomline_tests::{few, is_quick, measured_rate, runs, RateRun, Sample};
use bloomline_theory::sizing::{predict, Hashing, On, Prediction, RecyclingParams};
use bloomline_verify::stats::family_confidence;
use bloomline_verify::Simulator;

fn samples() -> Vec<Sample> {
    let mut list = Vec::new();
    for (hashes, partition_bits, range, hashing) in [
        (4, 256, None, "double"),
        (3, 1024, None, "independent"),
        (5, 384, Some(379), "double"),
        (6, 480, None, "double"),
    ] {
        for phases in [1, 2] {
            for on in ["bits-set", "messages"] {
                for retain in [false, true] {
                    let half = partition_bits * u64::from(hashes);
                    let threshold = if on == "bits-set" {
                        half / 2
                    } else {
                        partition_bits * 7 / 10
                    };
                    list.push(Sample {
                        phases,
                        hashes,
                        partition_bits,
                        range,
                        on,
                        retain,
                        hashing,
                        threshold,
                        ..Sample::BASE
                    });
                }
            }
        }
    }
    list
}

fn predicted(sample: &Sample) -> Prediction {
    predict(&RecyclingParams {
        memory_bits: sample.range.unwrap_or(sample.partition_bits)
            * u64::from(sample.hashes * sample.phases),
        phases: sample.phases,
        hashes: sample.hashes,
        hashing: if sample.hashing == "double" {
            Hashing::Double
        } else {
            Hashing::Independent
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
fn measured_rates_are_predicted_for_every_variant_and_a_tenth_off_is_rejected() {
    let samples = samples();
    let confidence = family_confidence(0.01, samples.len()).expect("a legal confidence");
    let mut failures = Vec::new();
    for (seed, sample) in few(&samples, 1).iter().enumerate() {
        let geometry = sample.geometry();
        let prediction = predicted(sample);
        let rate = prediction.fpr_average.value;
        assert!(rate >= 3e-3, "{sample:?}: {rate}");
        let how = RateRun {
            items: runs(1_000_000, 2_000_000),
            seed: 100 + seed as u64,
            simulator: match is_quick() {
                true => Simulator::BuiltIn,
                false => Simulator::Verilator,
            },
            confidence,
            largest_z: 4.0,
        };
        measured_rate(sample, &geometry, &prediction, &how, &mut failures);
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
