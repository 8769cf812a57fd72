//! Predictions: exact rates, approximations and bounds, each from a named formula.
