//! Predictions for a whole recycling filter in the partitioned layout (or, by [`predict_shared`], the shared one), and the inverse: the
//! threshold that meets a target rate, and the filter that meets requirements.
//!
//! Puts together the laws of [`crate::recycling`] and the cost of two hashes from [`crate::two_hash`]; the numbers come
//! with the formula they are from and their accuracy.

mod by_arrivals;
mod candidate;
mod design;
mod missed;
mod params;
mod popularity;
mod predict;
mod quantile;
mod quick_half;
mod rank;
mod requirements;
mod shared;
mod shared_independent;
mod shared_two_hash;
mod short_cycle;
mod solve;

pub use by_arrivals::{by_arrivals, shared_by_arrivals, ByArrivals};
pub use candidate::{Candidate, Ranges, MOST_HASHES};
pub use design::{design, Design, TO_THE_BIT};
pub use params::{Hashing, On, RecyclingParams};
pub use popularity::{Reuse, Zipf};
pub(crate) use predict::LARGEST_FLOOR_SHARE;
pub use predict::{predict, Prediction};
pub use quantile::{
    cycle_quantile, cycle_rate_exceeded_by, shared_cycle_quantile, shared_cycle_rate_exceeded_by,
    shared_worst_case_exceeded_by, worst_case_exceeded_by,
};
pub use requirements::{FalseNegativeBudget, Requirements};
pub use shared::{predict_shared, solve_shared_quickly, solve_shared_threshold};
pub use shared_independent::SharedParams;
pub use solve::solve_threshold;
