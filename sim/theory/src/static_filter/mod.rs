//! Static Bloom filters: exact rates, bounds, optima, efficiency and cardinality (OCC 3, 4).
//!
//! A filter of m bits holds n items of k bits each. A *standard* filter draws the k positions independently, a
//! *classic* one draws k distinct positions.
//!
//! * Assumes ideal hashing: positions uniform, items independent. The rate is that of a key the filter does not hold,
//!   over the random contents.
//! * Domain: 1 to 2^46 bits, at most 2^46 balls (nk), k at most 800 and at most m. Cost: about k^3 log n or n k^2
//!   elementary steps of some 5 ns, whichever is less; beyond a few seconds [`crate::TheoryError::TooLarge`]. A filter of
//!   m = 2^20, k = 10, n = 10^5 takes 0.1 ms, one of m = 1024, k = 142, n = 5 takes 1.5 ms.
//! * The published sums (56) and (60) cancel; here they are recursions in positive terms ([`crate::occupancy`]), so the
//!   relative error stays below 1e-13 however small the rate.
//! * Conjectures of the paper are not assumed by any search, only tested. Conjecture 24 (`m/2n <= k_C* <= k_S* <=
//!   m/n ln 2`) for all 2 <= m <= 128, n <= m: with its ends rounded to whole numbers (floor, ceiling) both hold, but
//!   `k_C* <= k_S*` fails at (m, n) = (26, 12) and (105, 50), where k_C* = 2 and k_S* = 1, as rational arithmetic
//!   confirms. Its second half (both are 1 when m/n < 1/ln 2) holds in that range. Conjecture 28, for whole numbers of
//!   items and all even m from 4 to 64: the greatest efficiency is (75), but the peaks do not always grow with k: they
//!   fall first at m = 12, from k = 1 (n = 8, 0.66384) to k = 2 (n = 4, 0.66359).
//!
//! A small filter, by exact rates and by the textbook:
//!
//! ```
//! use bloomline_theory::static_filter::{optimal_hashes, Probes, StaticFilter};
//!
//! let best = optimal_hashes(64, 4, Probes::Independent)?;
//! assert_eq!(best.hashes, 10); // m/n ln 2 = 11.09
//! let filter = StaticFilter::new(64, 4, 10, Probes::Independent)?;
//! assert!((filter.rate()?.value / 6.1540933e-4 - 1.0).abs() < 1e-7);
//! assert!(filter.lower_bound_m().value < filter.rate()?.value);
//! # Ok::<(), bloomline_theory::TheoryError>(())
//! ```

mod bounds;
mod capacity;
mod cardinality;
mod efficiency;
mod filter;
mod optimum;

pub use capacity::{bits_estimate, fewest_bits, items_estimate, most_items, Capacity};
pub use cardinality::{bits_from_set, items_from_set};
pub use efficiency::{
    classic_peak_items_estimate, greatest_classic_efficiency, greatest_standard_efficiency,
    greatest_standard_efficiency_bound, peak_efficiency, valley, Peak, Valley,
};
pub use filter::{Probes, StaticFilter};
pub use optimum::{
    classic_hashes_estimate, hashes_by_bound, hashes_estimate, optimal_hashes, optimal_hashes_soon,
    Optimum,
};
