use bloomline_verify::stats::Interval;
use bloomline_verify::RecyclingVerification;
use statrs::distribution::{ContinuousCDF, Normal};

/// The interval of a verification at another confidence, by the normal law it was made with.
pub fn widened(result: &RecyclingVerification, confidence: f64) -> Interval {
    let quantile = |c: f64| Normal::standard().inverse_cdf(0.5 + c / 2.0);
    let factor = quantile(confidence) / quantile(result.fpr.confidence);
    let half = (result.fpr.ci_high - result.fpr.ci_low) / 2.0 * factor;
    Interval {
        low: result.fpr.measured - half,
        high: result.fpr.measured + half,
        confidence,
    }
}
