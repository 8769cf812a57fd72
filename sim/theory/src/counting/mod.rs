//! Counting filters that ask whether a key has come theta times or more (CBF).
//!
//! m counters; each of n insertions raises k counters drawn independently; a key passes when all its k counters are at
//! least theta. For a key whose true count is r < theta the others' insertions must make up theta - r.
//!
//! * Assumes ideal hashing. A counter is binomial exactly, so its tail is exact; that the k counters of a key are
//!   independent is the paper's model, and [`CountingFilter::rate`] states what it leaves out.
//! * Counters in partitions, as the gateware has them: [`crate::cells::PartitionedCounting`].
//! * Domain: 2 to 2^46 counters, kn at most 2^46, theta from 1 to 10^6, k from 1 to 10^6.
//! * Tails are summed in positive terms from the end that is small, so they keep their relative accuracy (1e-12) far
//!   below the range of doubles; [`CountingFilter::log2_rate`] gives them there.
//!
//! The figure of the paper: four counters an item, threshold 5, best with 6 hashes, not 3:
//!
//! ```
//! use bloomline_theory::counting::{optimal_hashes, optimal_load, CountingFilter};
//!
//! assert!((optimal_load(5)?.value - 1.6117).abs() < 5e-5);
//! assert_eq!(optimal_hashes(4000, 1000, 5)?, 6);
//! let filter = CountingFilter::new(4000, 1000, 6, 5)?;
//! let (binomial, poisson) = (filter.rate().value, filter.poisson_rate().value);
//! assert!((poisson / binomial - 1.0).abs() < 0.0048 * 6.0);
//! # Ok::<(), bloomline_theory::TheoryError>(())
//! ```

mod filter;
mod optimum;

pub use filter::CountingFilter;
pub use optimum::{
    linear_load, optimal_hashes, optimal_hashes_at, optimal_load, slope_at, turning_loads, Slope,
};
