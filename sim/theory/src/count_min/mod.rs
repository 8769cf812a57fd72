//! The Count-Min sketch with two hash functions (KM 9).
//!
//! d rows of w counters, w prime; an update (i, c) adds c to the counters `h1(i) + j h2(i) mod w` of all rows j; the
//! estimate of an item's count is the smallest of its counters, never below the true count.
//!
//! * Assumes h1 and h2 drawn independently from a pairwise independent family, counts that only grow, and the
//!   negative dependence of the rows that the paper argues from w being prime.
//! * Rows of any width, as the gateware has them: [`crate::cells::Rows`].
//! * Domain: w a prime, d from 1 to w (rows beyond w repeat others), eps between 0 and 1.
//!
//! A sketch that exceeds a thousandth of the total count with a probability of at most 10^-6:
//!
//! ```
//! use bloomline_theory::count_min::{CountMin, Sizing};
//!
//! let sizing = Sizing::by_copies(1e-3, 1e-6)?;
//! assert_eq!((sizing.sketch.width(), sizing.sketch.depth(), sizing.copies), (5437, 7, 2));
//! assert!(sizing.failure.value <= 1e-6);
//! let bound = CountMin::new(5437, 7)?.failure_bound(1e-3)?;
//! assert!(bound.value <= 1e-3);
//! # Ok::<(), bloomline_theory::TheoryError>(())
//! ```

mod sizing;
mod sketch;

pub use sizing::Sizing;
pub use sketch::CountMin;
