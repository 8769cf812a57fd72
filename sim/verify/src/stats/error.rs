//! Errors of the statistics.

/// A value outside what a statistic is defined for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{what} is {value}; it must be {rule}")]
pub struct StatsError {
    /// The parameter.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// What it must be.
    pub rule: &'static str,
}

/// Checks that `value` lies strictly between 0 and 1.
pub(crate) fn open_unit(what: &'static str, value: f64) -> Result<f64, StatsError> {
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err(StatsError {
            what,
            value,
            rule: "strictly between 0 and 1",
        })
    }
}
