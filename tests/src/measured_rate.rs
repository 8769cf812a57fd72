use bloomline_spec::RecyclingGeometry;
use bloomline_theory::sizing::Prediction;
use bloomline_verify::stats::{judge, Evidence, Interval, Verdict};
use bloomline_verify::{run, Keys, Plan, RecyclingVerification, Simulator, Watch};
use statrs::distribution::{ContinuousCDF, Normal};
use std::fmt::Debug;

/// How the rate of a filter is measured and judged.
#[derive(Debug, Clone, Copy)]
pub struct RateRun {
    /// New keys.
    pub items: u64,
    /// Seed of the keys.
    pub seed: u64,
    /// What runs the gateware.
    pub simulator: Simulator,
    /// Confidence of the interval that must hold the prediction.
    pub confidence: f64,
    /// Largest |z| of the state test.
    pub largest_z: f64,
}

/// Measures the rate of a filter in the gateware: it must be the predicted one, and not one a tenth lower or higher. A rate that is not goes
/// to `failures`.
///
/// # Panics
/// When the run fails, or the gateware differs from the model.
pub fn measured_rate(
    sample: &impl Debug,
    geometry: &RecyclingGeometry,
    prediction: &Prediction,
    how: &RateRun,
    failures: &mut Vec<String>,
) -> RecyclingVerification {
    let rate = prediction.fpr_average.value;
    let plan = Plan {
        keys: Keys::RandomNew,
        items: how.items,
        seed: how.seed,
        simulator: how.simulator,
        predicted: Some(rate),
        predicted_error: 0.0,
        two_hash_excess: prediction.two_hash_excess.value,
        lanes: None,
        waves: None,
    };
    let watch = Watch {
        tools: &|p| eprintln!("{p}"),
        ..Watch::silent()
    };
    let result = run(geometry, &plan, &watch).expect("verification runs");
    assert_eq!((result.mismatches, result.lost_keys), (0, 0), "{sample:?}");
    let interval = widened(&result, how.confidence);
    let evidence = Evidence {
        cycles: result.recycles,
        events: result.state_test.observed,
    };
    let verdict = judge(&interval, rate, 0.0, evidence);
    let off = [0.9, 1.1].map(|factor| judge(&interval, factor * rate, 0.0, evidence));
    let z = result.state_test.z;
    let told = format!(
        "{sample:?}, seed {}: predicted {rate:.6}, measured {:.6} [{:.6}, {:.6}], state z {z:.2}, {verdict:?}, a tenth off {off:?}, {} recycles, \
         {:.6} items a clock, {} stalls",
        how.seed, result.fpr.measured, interval.low, interval.high, result.recycles, result.items_per_cycle, result.recycle_stall_cycles,
    );
    println!("{told}");
    if verdict != Verdict::Pass || z.abs() > how.largest_z || off != [Verdict::Fail; 2] {
        failures.push(told);
    }
    result
}

/// The interval of a verification at another confidence, by the normal law it was made with.
fn widened(result: &RecyclingVerification, confidence: f64) -> Interval {
    let quantile = |c: f64| Normal::standard().inverse_cdf(0.5 + c / 2.0);
    let factor = quantile(confidence) / quantile(result.fpr.confidence);
    let half = (result.fpr.ci_high - result.fpr.ci_low) / 2.0 * factor;
    Interval {
        low: result.fpr.measured - half,
        high: result.fpr.measured + half,
        confidence,
    }
}
