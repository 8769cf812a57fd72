//! Rates of one seed's hash functions on one set of keys: the functions are given, only the order of the keys is random.
//!
//! Every other law here takes hash functions as random, and so is a mean over seeds. A linear hash (H3) on structured keys
//! (consecutive addresses) can be far from that mean. [`KeySet`] has the rate of the functions as they are:
//!
//! * [`KeySet::linear`]: all keys that differ in some bits alone, however many: from the ranks of the functions over the two
//!   elements 0 and 1, [`rank`].
//! * [`KeySet::listed`]: any keys under any hash, by their probe positions.
//!
//! Domain: static filters and recycling filters, k at most 16. Derivations of this project, held against enumeration of every
//! subset of keys and against simulation. Depends on the numerical tools alone.
//!
//! Sixteen keys under one function that has rank 3 on them share eight positions, two on each:
//!
//! ```
//! use bloomline_theory::key_set::KeySet;
//!
//! let keys = KeySet::linear(4, &[vec![1, 2, 4, 7]])?;
//! assert_eq!(keys.reached(), [8.0]);
//! // Of three others one is on the same position: each is with 1/15.
//! assert!((keys.static_rate(3)?.value - 3.0 / 15.0).abs() < 1e-15);
//! # Ok::<(), bloomline_theory::TheoryError>(())
//! ```

mod cycle;
mod draws;
mod linear;
mod listed;
mod rank;
mod set;
mod touching;

pub use cycle::{Cycle, Recycles};
pub use rank::rank;
pub use set::KeySet;
