//! Occupancy of urns: how many of m urns hold a ball after batches of distinct balls were thrown (OCC 2).
//!
//! A Bloom filter's bit count is an occupancy number: a standard filter of n items throws nk single balls, a classic
//! one n batches of k distinct balls; the union (OR) of filters throws the batches of all of them, the intersection
//! (AND) counts the urns that every filter occupies.
//!
//! * Assumes independent, uniform batches; [`UnevenUrns`] have weights, and [`RandomBatches`] are of a random number. In the intersection the filters hold independent sets of items; items in
//!   common are thrown once by OCC's model of the union and are not modelled by that of the intersection.
//! * Domain: 1 to 2^46 urns, at most 2^46 balls; the distributions follow every ball, so their cost (balls times
//!   urns) is limited and [`crate::TheoryError::TooLarge`] says so.
//! * Everything is computed in positive terms and double-doubles, never by the published alternating sums.
//!
//! The other way round, [`cardinality`] says how many items explain best how many urns are occupied, and [`similarity`] how many
//! two filters have in common.
//!
//! Two filters of 1000 bits with 4 distinct bits an item, 60 and 80 items; the bits set in both:
//!
//! ```
//! use bloomline_theory::occupancy::{Batches, Intersection, Union};
//!
//! let one = Union::new(1000, &[Batches { count: 60, size: 4 }])?;
//! let other = Union::new(1000, &[Batches { count: 80, size: 4 }])?;
//! let both = Intersection::new(&[one.clone(), other])?;
//! assert!((one.mean().value - 213.75).abs() < 0.01);
//! assert!((both.mean().value - 58.64).abs() < 0.01);
//! assert!((both.pmf()?.mean() - both.mean().value).abs() < 1e-9);
//! # Ok::<(), bloomline_theory::TheoryError>(())
//! ```

pub(crate) mod batches;
mod cardinality;
pub(crate) mod covered;
mod intersection;
mod moments;
mod pmf;
mod random_count;
mod similarity;
mod uneven;
mod union;

pub use batches::Batches;
pub use cardinality::{cardinality, Cardinality, Throw};
pub use intersection::Intersection;
pub use pmf::Pmf;
pub use random_count::{Count, RandomBatches};
pub use similarity::{similarity, Interval, Overlap, Similarity};
pub use uneven::{UnevenUrns, UrnClass};
pub use union::Union;
