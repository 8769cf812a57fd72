//! The mean of a rate over the states of a generation.

use crate::numeric::quadrature::{integral, sum};

/// The mean of `rate(t)` over t = 1 to `keys`. `rate` must be smooth in t, as fills are.
pub(super) fn mean(keys: u64, rate: impl Fn(f64) -> f64) -> f64 {
    sum(1.0, keys as f64, &rate) / keys as f64
}

/// The mean for a search: the integral alone, for any real number of keys.
pub(super) fn rough_mean(keys: f64, rate: impl Fn(f64) -> f64) -> f64 {
    integral(0.5, keys + 0.5, &rate) / keys
}

/// The mean of `rate(t)` over the whole t above `low`, up to `high`; 0 when there are none.
pub(super) fn mean_between(low: f64, high: f64, rate: impl Fn(f64) -> f64) -> f64 {
    match high - low {
        terms if terms > 0.0 => sum(low + 1.0, terms, &rate) / terms,
        _ => 0.0,
    }
}
