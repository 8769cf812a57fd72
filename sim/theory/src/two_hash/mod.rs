//! Excess of the rate of a filter with two hash functions instead of k (KM, and derivations of this crate).
//!
//! * [`PartitionedDoubleHashing`]: partitions of any range, exact; a derivation of this project.
//! * [`PrimePartition`]: partitions of prime range, exact by the paper's own law, and its first-order excess.
//! * [`SingleArray`]: double and extended double hashing on one array of any size; a derivation of this project.
//! * [`SharedCounters`]: the same for counters; a derivation of this project.
//! * [`framework`]: a check of any scheme by the conditions of the paper's general theorem.
//! * [`ManyItems`]: the paper's limit, bounds and concentration, for many items.
//!
//! Assumes h1 and h2 ideal and independent. Domain: at most 64 hashes, ranges below 2^40. Depends on the numerical tools
//! and on [`crate::occupancy`].
//!
//! The paper's first example, c near 8 with six hashes:
//!
//! ```
//! use bloomline_theory::two_hash::PrimePartition;
//!
//! let scheme = PrimePartition::new(6673, 6, 5000)?;
//! let excess = scheme.rate()?.value - scheme.many_items().limit().value;
//! assert!((excess - 7.430e-5).abs() < 5e-9);
//! assert!((scheme.first_order_excess()?.value - 7.429e-5).abs() < 5e-9);
//! assert!((scheme.printed_first_order_excess()?.value - 9.689e-5).abs() < 5e-9);
//! # Ok::<(), bloomline_theory::TheoryError>(())
//! ```

pub mod asymptotic;
pub mod counters;
mod coverage;
mod extension;
mod first_order;
pub mod framework;
pub(crate) mod meetings;
pub mod partitioned;
pub(crate) mod patterns;
pub mod prime;
pub mod single_array;

pub use asymptotic::{ExcessBounds, ManyItems, Scheme};
pub use counters::SharedCounters;
pub(crate) use counters::{ln_sum, multinomial_ln_reaches};
pub use extension::Extension;
pub(crate) use meetings::mean_distinct;
pub use partitioned::PartitionedDoubleHashing;
pub use prime::PrimePartition;
pub use single_array::SingleArray;
