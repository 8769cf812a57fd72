//! The rates and cycles, from theory.

use super::line::{line, Line};
use super::shared;
use super::UNLIKELY;
use crate::Error;
use bloomline_spec::{Hashing, Layout, RecycleOn, RecyclingGeometry, Sizing};
use bloomline_theory::recycling::repeat_factor;
use bloomline_theory::sizing::{self, ByArrivals, On, Prediction, RecyclingParams, Zipf};
use bloomline_theory::{Figure, TheoryError};
use std::path::Path;

/// Share of the rate above which the floor of two hash functions is worth a warning.
const FLOOR_SHARE_TO_NAME: f64 = 0.01;

/// Solves `threshold = "auto"`: the greatest threshold whose average false-positive rate is at most `target_fpr`.
///
/// # Errors
/// That no threshold reaches the target, naming `file` and the key.
pub fn solve(file: &Path, sizing: &Sizing, target_fpr: f64) -> Result<u64, Error> {
    // The search chooses the threshold itself.
    let solved = match sizing.layout() {
        Layout::Partitioned => sizing::solve_threshold(&params(sizing, 0), target_fpr),
        Layout::Shared => sizing::solve_shared_threshold(&shared::params(sizing, 0), target_fpr),
    };
    solved.map_err(|source| Error::Threshold {
        file: file.to_owned(),
        source,
    })
}

/// Predicts the rates of a geometry; a floor of two hash functions above a tenth of the rate is refused here unless the
/// specification accepts it.
///
/// # Errors
/// What theory does not predict, or refuses.
pub fn predict(geometry: &RecyclingGeometry) -> Result<Prediction, TheoryError> {
    let threshold = geometry.threshold();
    let mut prediction = match geometry.layout() {
        Layout::Partitioned => sizing::predict(&params(geometry, threshold))?,
        Layout::Shared => sizing::predict_shared(&shared::params(geometry, threshold))?,
    };
    // the excess of two hash functions, or rounding, may take a rate near 1 above it
    let average = &mut prediction.fpr_average;
    average.value = average.value.clamp(0.0, 1.0);
    if !geometry.accept_two_hash_floor() {
        prediction.check_two_hash_floor()?;
    }
    Ok(prediction)
}

/// What theory needs to know of a filter in the partitioned layout.
pub fn params(sizing: &Sizing, threshold: u64) -> RecyclingParams {
    RecyclingParams {
        memory_bits: sizing.half_bits() * u64::from(sizing.phases()),
        phases: sizing.phases(),
        hashes: sizing.hashes(),
        hashing: match sizing.hashing() {
            Hashing::Independent => sizing::Hashing::Independent,
            Hashing::Double | Hashing::ExtendedDouble2 | Hashing::ExtendedDouble3 => {
                sizing::Hashing::Double
            }
        },
        on: match sizing.recycle_on() {
            RecycleOn::BitsSet => On::BitsSet,
            RecycleOn::Messages => On::Messages,
        },
        threshold,
        retain: sizing.retain(),
    }
}

/// Multiple of a mean above which a bound of one filter or cycle is left out.
const MOST_OF_THE_MEAN: f64 = 10.0;

/// The numbers, in the order to show them.
pub fn lines(geometry: &RecyclingGeometry, prediction: &Prediction) -> Vec<Line> {
    let threshold = geometry.threshold();
    let (shortest, worst, of_a_cycle) = match geometry.layout() {
        Layout::Partitioned => {
            let params = params(geometry, threshold);
            (
                sizing::cycle_quantile(&params, UNLIKELY),
                sizing::worst_case_exceeded_by(&params, UNLIKELY),
                sizing::cycle_rate_exceeded_by(&params, UNLIKELY).ok(),
            )
        }
        Layout::Shared => {
            let params = shared::params(geometry, threshold);
            (
                sizing::shared_cycle_quantile(&params, UNLIKELY),
                sizing::shared_worst_case_exceeded_by(&params, UNLIKELY),
                sizing::shared_cycle_rate_exceeded_by(&params, UNLIKELY).ok(),
            )
        }
    };
    let mut lines = vec![line("fpr_average", "", &prediction.fpr_average)];
    // bounds for two hash functions may be too far away to say anything
    let near = |bound: &Figure, mean: &Figure| bound.value <= MOST_OF_THE_MEAN * mean.value;
    let of_a_cycle = of_a_cycle.filter(|bound| near(bound, &prediction.fpr_average));
    lines.extend(of_a_cycle.map(|rate| line("fpr_cycle_1pct", "", &rate)));
    lines.push(line("fpr_worst_case", "", &prediction.fpr_worst_case));
    let worst = worst.ok().flatten();
    let worst = worst.filter(|bound| near(bound, &prediction.fpr_worst_case));
    lines.extend(worst.map(|worst| line("fpr_worst_case_1pct", "", &worst)));
    lines.extend([
        line("two_hash_excess", "", &prediction.two_hash_excess),
        line(
            "messages_per_cycle",
            "new messages",
            &prediction.cycle_arrivals,
        ),
    ]);
    let shortest = shortest.ok();
    lines.extend(shortest.map(|least| line("messages_per_cycle_1pct", "new messages", &least)));
    lines.extend([
        line(
            "bit_setting_messages_per_cycle",
            "messages",
            &prediction.cycle_messages,
        ),
        line("capacity_gain", "", &prediction.capacity_gain),
    ]);
    // RBF's theorem is on one phase with a threshold on bits
    let on_bits = geometry.recycle_on() == RecycleOn::BitsSet;
    if geometry.phases() == 1 && on_bits && prediction.two_hash_excess.value == 0.0 {
        let factor = repeat_factor(prediction.fpr_worst_case.value);
        lines.push(line("repeat_factor", "", &factor));
    }
    lines
}

/// The rates over all arrivals of requests by a law of popularity; `lines` are those of [`lines`].
///
/// # Errors
/// A law with too few keys for a cycle.
pub fn by_arrivals(
    geometry: &RecyclingGeometry,
    prediction: &Prediction,
    lines: &[Line],
    law: &Zipf,
) -> Result<ByArrivals, TheoryError> {
    /// Of the normal law, at 99 %.
    const QUANTILE: f64 = 2.326;
    let threshold = geometry.threshold();
    let cycle = prediction.cycle_arrivals.value;
    let shortest = lines.iter().find(|it| it.key == "messages_per_cycle_1pct");
    let spread = shortest.map_or(cycle, |shortest| (cycle - shortest.value) / QUANTILE);
    match geometry.layout() {
        Layout::Partitioned => {
            sizing::by_arrivals(&params(geometry, threshold), prediction, spread, law)
        }
        Layout::Shared => {
            let params = shared::params(geometry, threshold);
            sizing::shared_by_arrivals(&params, prediction, spread, law)
        }
    }
}

/// What the user should know of these rates.
pub fn warnings(geometry: &RecyclingGeometry, prediction: &Prediction) -> Vec<String> {
    let mut warnings = Vec::new();
    let share = prediction.two_hash_share();
    if share > FLOOR_SHARE_TO_NAME {
        warnings.push(format!(
            "two hash functions add {:.3e} to the rate, {:.1}% of it; filter.hashing = \"independent\" has no such floor",
            prediction.two_hash_excess.value,
            100.0 * share
        ));
    }
    let rate = prediction.fpr_average.value;
    if let Some(target) = geometry.target_fpr().filter(|&target| rate > target) {
        warnings.push(format!(
            "filter.recycle.threshold = {} gives an average rate of {rate:.3e}, above target_fpr = {target}; \
             threshold = \"auto\" solves for the target",
            geometry.threshold()
        ));
    }
    warnings
}
