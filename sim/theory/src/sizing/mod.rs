//! Predictions for a whole recycling filter in the partitioned layout, and the threshold that meets a target rate.
//!
//! Puts together the laws of [`crate::recycling`] and the cost of two hashes from [`crate::two_hash`]; the numbers come
//! with the formula they are from and their accuracy.

mod params;
mod predict;
mod solve;

pub use params::{Hashing, On, RecyclingParams};
pub use predict::{predict, Prediction};
pub use solve::solve_threshold;
