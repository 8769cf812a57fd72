//! Predictions: exact rates, approximations and bounds, each from a named formula.

pub mod accuracy;
pub mod error;
mod numeric;
pub mod recycling;
pub mod sizing;
pub mod two_hash;

pub use accuracy::{Accuracy, AccuracyKind, Figure};
pub use error::TheoryError;
