//! What two hash functions in place of k add to the rate of a partitioned filter (KM, and derivations of this crate).
//!
//! Depends on the numerical tools only.

pub mod partitioned;
mod patterns;

pub use partitioned::PartitionedDoubleHashing;
