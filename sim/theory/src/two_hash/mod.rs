//! What two hash functions in place of k add to the rate (KM, and derivations of this crate).
//!
//! Depends on the numerical tools only. [`partitioned`] is exact for n items; [`shared`] is a first-order term.

pub mod partitioned;
mod patterns;
pub mod shared;

pub use partitioned::PartitionedDoubleHashing;
pub use shared::{SharedScheme, SharedTwoHashing};
