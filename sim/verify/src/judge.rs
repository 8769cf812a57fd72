//! Measured numbers beside their predictions, for the kinds whose arrivals are independent trials.

use super::{Rate, StateResult, VerifyError, CONFIDENCE};
use crate::stats::{
    clopper_pearson, is_likely, Evidence, Interval, StateTest, Verdict, MINIMUM_CYCLES,
    MINIMUM_EVENTS,
};

/// Few events decide nothing; but if they do not agree, they do not.
fn verdict_of(agrees: bool, events: u64) -> Verdict {
    match (agrees, events >= MINIMUM_EVENTS) {
        (false, _) => Verdict::Fail,
        (true, true) => Verdict::Pass,
        (true, false) => Verdict::Inconclusive,
    }
}

/// Half the width of an interval, in standard deviations.
pub(super) fn normal(confidence: f64) -> f64 {
    crate::stats::normal_quantile(confidence)
}

/// The interval of a proportion at [`CONFIDENCE`].
pub(super) fn interval(hits: u64, trials: u64) -> Result<Interval, VerifyError> {
    Ok(clopper_pearson(hits, trials.max(1), CONFIDENCE)?)
}

/// A proportion beside its prediction, which may be off by `model_error`.
pub(super) fn rate(
    hits: u64,
    trials: u64,
    predicted: Option<f64>,
    model_error: f64,
) -> Result<Rate, VerifyError> {
    let interval = interval(hits, trials)?;
    let wide = interval.widened(model_error);
    let verdict = match predicted {
        Some(predicted) if trials > 0 => verdict_of(wide.contains(predicted), hits),
        _ => Verdict::NotApplicable,
    };
    Ok(Rate {
        measured: hits as f64 / trials.max(1) as f64,
        events: hits,
        trials,
        ci_low: interval.low,
        ci_high: interval.high,
        confidence: CONFIDENCE,
        predicted,
        at_most: false,
        verdict,
        reason: why(verdict, predicted, hits, trials),
    })
}

/// Why a rate has not the verdict "agrees".
fn why(verdict: Verdict, predicted: Option<f64>, events: u64, trials: u64) -> String {
    match (verdict, predicted) {
        (Verdict::Pass, _) => String::new(),
        (Verdict::Fail, _) => "the interval does not hold what was expected".to_owned(),
        (Verdict::NotApplicable, None) => {
            "there is no prediction for this filter and these keys".to_owned()
        }
        (Verdict::NotApplicable, Some(_)) => "no absent key was asked for".to_owned(),
        (Verdict::Inconclusive, _) => Evidence {
            cycles: MINIMUM_CYCLES,
            events,
        }
        .still_needed(trials, "items"),
    }
}

/// A proportion beside an upper bound of its expectation, which may be off by `model_error`: only above it is a failure. Where the bound
/// itself expects few events, not failing says little.
pub(super) fn rate_at_most(
    hits: u64,
    trials: u64,
    bound: Option<f64>,
    model_error: f64,
) -> Result<Rate, VerifyError> {
    let mut judged = rate(hits, trials, None, model_error)?;
    if let Some(bound) = bound.filter(|_| trials > 0) {
        let expected = bound * trials as f64;
        judged.verdict = verdict_of(judged.ci_low - model_error <= bound, expected as u64);
        (judged.predicted, judged.at_most) = (Some(bound), true);
        judged.reason = why(judged.verdict, Some(bound), expected as u64, trials);
    }
    Ok(judged)
}

/// Why the state test has not the verdict "agrees".
pub(super) fn state_reason(verdict: Verdict, state: &StateTest) -> String {
    match verdict {
        Verdict::Pass => String::new(),
        Verdict::Fail => "chance gives so large a difference in less than 1 % of runs".to_owned(),
        Verdict::NotApplicable => "no absent key was asked for".to_owned(),
        Verdict::Inconclusive => Evidence {
            cycles: MINIMUM_CYCLES,
            events: state.observed(),
        }
        .still_needed(state.trials(), "new keys"),
    }
}

/// The state test's result: by its z where there are many events, as a Poisson number where there are few.
pub(super) fn state_result(state: &StateTest) -> StateResult {
    let agrees = if state.expected() >= MINIMUM_EVENTS as f64 {
        state.p_value() >= 1.0 - CONFIDENCE
    } else {
        is_likely(state.expected(), state.observed(), CONFIDENCE)
    };
    let verdict = match state.trials() {
        0 => Verdict::NotApplicable,
        _ => verdict_of(agrees, state.observed()),
    };
    StateResult {
        expected: state.expected(),
        observed: state.observed(),
        z: state.z(),
        allowed: state.allowed(),
        verdict,
        reason: state_reason(verdict, state),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_judged_with_what_filters_differ_by() {
        let verdict = |hits, trials, predicted, model_error| {
            let rate = rate(hits, trials, predicted, model_error);
            rate.expect("a proportion").verdict
        };
        assert_eq!(verdict(300, 1_000, Some(0.3), 0.0), Verdict::Pass);
        assert_eq!(verdict(300, 1_000, Some(0.2), 0.0), Verdict::Fail);
        assert_eq!(verdict(300, 1_000, Some(0.2), 0.07), Verdict::Pass);
        assert_eq!(verdict(300, 1_000, None, 0.0), Verdict::NotApplicable);
        // few events are no pass, but can be a failure
        assert_eq!(verdict(3, 10, Some(0.3), 0.0), Verdict::Inconclusive);
        assert_eq!(verdict(0, 1_000, Some(0.3), 0.0), Verdict::Fail);
        assert_eq!(verdict(0, 0, Some(0.3), 0.0), Verdict::NotApplicable);
    }

    #[test]
    fn a_rate_below_its_bound_passes_however_far_and_one_above_it_fails() {
        let verdict = |hits, bound, model_error| {
            let rate = rate_at_most(hits, 1_000, bound, model_error);
            rate.expect("a proportion").verdict
        };
        assert_eq!(verdict(0, Some(0.3), 0.0), Verdict::Pass);
        assert_eq!(verdict(300, Some(0.3), 0.0), Verdict::Pass);
        let is_bound = |rate: Result<Rate, VerifyError>| rate.expect("a proportion").at_most;
        assert!(is_bound(rate_at_most(0, 1_000, Some(0.3), 0.0)));
        assert!(!is_bound(rate(0, 1_000, Some(0.3), 0.0)));
        assert_eq!(verdict(350, Some(0.3), 0.0), Verdict::Fail);
        assert_eq!(verdict(350, Some(0.3), 0.04), Verdict::Pass);
        assert_eq!(verdict(0, Some(0.001), 0.0), Verdict::Inconclusive);
        assert_eq!(verdict(20, Some(0.001), 0.0), Verdict::Fail);
        assert_eq!(verdict(20, None, 0.0), Verdict::NotApplicable);
    }

    #[test]
    fn a_state_test_without_enough_events_asks_for_new_keys() {
        let mut state = StateTest::new();
        for number in 0..1_000 {
            state.push(0.05, number % 20 == 0).expect("a probability");
        }
        let result = state_result(&state);
        assert_eq!(result.verdict, Verdict::Inconclusive);
        assert_eq!(
            result.reason,
            "about 1,000 more new keys needed for a decision"
        );
    }

    #[test]
    fn few_events_are_likely_near_their_expectation_only() {
        let is_likely = |expected, observed| is_likely(expected, observed, CONFIDENCE);
        assert!(is_likely(0.0, 0) && !is_likely(0.0, 1));
        assert!(is_likely(2.2, 6) && !is_likely(2.2, 9));
        assert!(is_likely(30.0, 20) && !is_likely(30.0, 14));
    }
}
