//! Verification of the example filters, as the `verify` verb does it.

use bloomline_spec::{FilterSpec, RecyclingGeometry, ThresholdSetting, EXAMPLES};
use bloomline_tests::traces;
use bloomline_verify::stats::Verdict;
use bloomline_verify::{run, Keys, Plan, RecyclingVerification, Simulator, Watch};
use std::path::Path;

/// The three examples, `auto` thresholds set to half full (theory is tested elsewhere).
fn examples() -> Vec<RecyclingGeometry> {
    EXAMPLES
        .iter()
        .map(|(name, text)| {
            let sizing = FilterSpec::from_toml(text, Path::new(name))
                .and_then(|s| s.validate())
                .expect("examples are legal");
            let threshold = match sizing.threshold_setting() {
                ThresholdSetting::Fixed(threshold) => threshold,
                ThresholdSetting::Auto { .. } => sizing.half_bits() / 2,
            };
            sizing
                .with_threshold(threshold)
                .expect("half full is legal")
        })
        .collect()
}

fn verify(geometry: &RecyclingGeometry, keys: Keys, items: u64) -> RecyclingVerification {
    let plan = Plan::new(keys, items, 1, Simulator::Verilator);
    let result = run(
        geometry,
        &plan,
        &Watch {
            tools: &|p| eprintln!("{p}"),
            ..Watch::silent()
        },
    )
    .expect("verification runs");
    println!(
        "{}: {} items, {:.4} a clock, {} recycles, {} stalls, rate {:.3e}, state z {:.2}, {:.0} clocks/s",
        geometry.name(), result.items, result.items_per_cycle, result.recycles, result.recycle_stall_cycles, result.fpr.measured, result.state_test.z, result.cycles_per_second
    );
    result
}

fn hold(geometry: &RecyclingGeometry, result: &RecyclingVerification) {
    let name = geometry.name();
    assert_eq!(result.first_mismatch, None, "{name}");
    assert_eq!(result.mismatches, 0, "{name}");
    assert_eq!(result.lost_keys, 0, "{name}");
    assert_eq!(result.recycle_stall_cycles, 0, "{name}");
    assert!(
        result.items_per_cycle >= 0.999,
        "{name}: {}",
        result.items_per_cycle
    );
    // at so low a rate, so few items are no evidence
    let state = &result.state_test;
    let verdict = match state.expected < 1.0 && state.observed == 0 {
        true => Verdict::Inconclusive,
        false => Verdict::Pass,
    };
    assert_eq!(state.verdict, verdict, "{name}: {state:?}");
}

#[test]
#[ignore = "a claim"]
fn examples_hold_on_random_keys_at_one_item_a_clock() {
    for geometry in examples() {
        let result = verify(&geometry, Keys::RandomNew, 300_000);
        assert_eq!(result.items, 300_000);
        hold(&geometry, &result);
    }
}

#[test]
#[ignore = "a claim"]
fn examples_hold_on_real_traffic() {
    let Some(folder) = traces() else { return };
    let table = folder.join("cloudPhysicsIO.csv");
    for geometry in examples() {
        let result = verify(
            &geometry,
            Keys::Column {
                file: table.clone(),
                column: "lbn".into(),
            },
            u64::MAX,
        );
        assert!(result.items > 113_000);
        hold(&geometry, &result);
        let result = verify(
            &geometry,
            Keys::Capture(folder.join("echo-connections.pcap.gz")),
            u64::MAX,
        );
        assert!(result.items > 60_000);
        hold(&geometry, &result);
    }
}
