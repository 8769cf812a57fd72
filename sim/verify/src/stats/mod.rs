//! Statistical tests of a measured rate against its prediction.
//!
//! Every answer is two-sided with a stated confidence, and "inconclusive" where there is too little evidence. The rate of a
//! recycling filter is a ratio of sums over recycle cycles, which are the units that repeat; neighbouring cycles of a
//! two-phase filter share a half, hence the covariance term in [`RatioEstimator`]. [`StateTest`] is sharper: it takes the
//! filter's state as given and only tests the hashing.
//! May depend on nothing else of this crate.

mod beta;
mod error;
mod interval;
mod proportion;
mod ratio;
mod state_test;
mod verdict;

pub use error::StatsError;
pub(crate) use interval::normal_quantile;
pub use interval::{family_confidence, Interval};
pub use proportion::{clopper_pearson, wilson};
pub use ratio::RatioEstimator;
pub use state_test::StateTest;
pub use verdict::{is_likely, judge, Evidence, Verdict, MINIMUM_CYCLES, MINIMUM_EVENTS};
