//! Predictions: exact rates, approximations and bounds, each from a named formula.
//!
//! The crate turns the parameters of a recycling Bloom filter into its average false-positive rate, cycle length and
//! false-negative rate, and finds the threshold that meets a target rate. It depends on no other part of the project.
//!
//! # Where to start
//!
//! * [`sizing::predict`] and [`sizing::solve_threshold`]: a whole filter in the partitioned layout. Every number is a
//!   [`Figure`] with its formula and its [`Accuracy`]. [`sizing::cycle_quantile`] and [`sizing::worst_case_exceeded_by`] have what
//!   holds but for a small probability, [`sizing::by_arrivals`] the rates over all arrivals of requests by a law of popularity.
//! * [`sizing::design`]: the inverse, from what is wanted (rate, capacity, memory, false negatives) to the filter.
//! * [`recycling`]: the laws underneath. One half between two recycles is a [`recycling::CycleLaw`], for a threshold on
//!   bits ([`recycling::partitioned_bits_set_law`], shared array [`recycling::bits_set_law`]) or on bit-setting
//!   messages ([`recycling::partitioned_messages_law`], [`recycling::messages_law`]); false negatives in
//!   [`recycling::forgetting`], the paper's own bounds in [`recycling::n_bounded`].
//! * [`two_hash`]: what two hash functions in place of k add.
//! * [`static_filter`]: filters that are filled once: exact rates, bounds, optima, efficiency; [`occupancy`] underneath.
//! * [`cells`]: static, counting and Count-Min filters in the partitioned layout, as they are built.
//! * [`caching`]: what a cache gains by storing objects on their second request.
//! * [`key_set`]: the rate of one seed on one set of keys.
//! * [`peers`]: other structures that forget by age, at the same memory and rate.
//! * [`counting`] and [`count_min`]: filters and sketches that count, as the papers have them. [`sliding`]: the sliding-window filter.
//!
//! A filter of two halves of 500 bits, four hashes, recycled above 250 set bits a half:
//!
//! ```
//! use bloomline_theory::sizing::{predict, solve_threshold, Hashing, On, RecyclingParams};
//!
//! let filter = RecyclingParams {
//!     memory_bits: 1000,
//!     phases: 2,
//!     hashes: 4,
//!     hashing: Hashing::Independent,
//!     on: On::BitsSet,
//!     threshold: 250,
//!     retain: false,
//! };
//! let prediction = predict(&filter)?;
//! assert!((prediction.fpr_average.value - 0.0762055979).abs() < 1e-9);
//! assert_eq!(solve_threshold(&filter, 0.0763)?, 250);
//! # Ok::<(), bloomline_theory::TheoryError>(())
//! ```
//!
//! # Sources
//!
//! RBF: K. Dozier, L. Salamatian, D. Rubenstein, "Technical Report: Modeling Average False Positive Rates of Recycling
//! Bloom Filters". KM: A. Kirsch, M. Mitzenmacher, "Less Hashing, Same Performance: Building a Better Bloom Filter".
//! OCC: J. Burns, "On Occupancy Moments and Bloom Filter Efficiency". SBF: M. Naor, E. Yogev, "Tight Bounds for Sliding
//! Bloom Filters". CBF: K. Kim, Y. Jeong, Y. Lee, S. Lee, "Analysis of Counting Bloom Filters Used for Count
//! Thresholding". A formula marked as a derivation of this project
//! goes beyond them; its documentation says how it was tested.

pub mod accuracy;
pub mod caching;
pub mod cells;
pub mod count_min;
pub mod counting;
pub mod error;
pub mod key_set;
mod numeric;
pub mod occupancy;
pub mod peers;
pub mod recycling;
pub mod sizing;
pub mod sliding;
pub mod static_filter;
pub mod two_hash;

pub use accuracy::{Accuracy, AccuracyKind, Figure};
pub use error::TheoryError;
