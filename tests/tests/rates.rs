//! The gateware's measured false-positive rates are those that theory predicts, for every variant of the filter.

use bloomline_tests::{few, is_quick, runs, widened, Sample};
use bloomline_theory::sizing::{predict, Hashing, On, Prediction, RecyclingParams};
use bloomline_verify::stats::{family_confidence, judge, Evidence, Verdict};
use bloomline_verify::{run, Keys, Plan, Simulator, Watch};

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
        let plan = Plan {
            keys: Keys::RandomNew,
            items: runs(1_000_000, 2_000_000),
            seed: 100 + seed as u64,
            simulator: match is_quick() {
                true => Simulator::BuiltIn,
                false => Simulator::Verilator,
            },
            predicted: Some(rate),
            two_hash_excess: prediction.two_hash_excess.value,
            lanes: None,
            waves: None,
        };
        let result = run(
            &geometry,
            &plan,
            &Watch {
                tools: &|p| eprintln!("{p}"),
                ..Watch::silent()
            },
        )
        .expect("verification runs");
        assert_eq!((result.mismatches, result.lost_keys), (0, 0), "{sample:?}");
        let interval = widened(&result, confidence);
        let evidence = Evidence {
            cycles: result.recycles,
            events: result.state_test.observed,
        };
        let verdict = judge(&interval, rate, evidence);
        let off = [0.9, 1.1].map(|factor| judge(&interval, factor * rate, evidence));
        println!(
            "phases {} k {} m' {} {} retain {}: predicted {rate:.6}, measured {:.6} [{:.6}, {:.6}], state z {:.2}, {} stalls, {verdict:?}, a tenth off {off:?}",
            sample.phases, sample.hashes, sample.partition_bits, sample.on, sample.retain, result.fpr.measured, interval.low, interval.high, result.state_test.z, result.recycle_stall_cycles
        );
        if verdict != Verdict::Pass || result.state_test.z.abs() > 4.0 || off != [Verdict::Fail; 2]
        {
            failures.push(format!("{sample:?}, seed {}: predicted {rate}, measured {:?}, {verdict:?}, a tenth off {off:?}", plan.seed, interval));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
