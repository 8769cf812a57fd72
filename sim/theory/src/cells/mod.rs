//! Filters of cells, above all in the partitioned layout: static filter, counting filter and Count-Min sketch as they are built.
//!
//! k partitions of m' cells (rows of w counters), one cell of an item in each. The laws of the papers are for one array
//! ([`crate::static_filter`], [`crate::counting`]) or rows of prime width ([`crate::count_min`]); these are for partitions,
//! k functions or two, and any width.
//!
//! * [`PartitionedStatic`]: the false-positive rate after n items.
//! * [`PartitionedCounting`]: the probability that a key below the threshold is reported, after n insertions of other keys.
//! * [`CountingStream`]: the same along a stream in which keys come again, arrival by arrival.
//! * [`WindowedCounting`], [`WindowStream`]: both of these for a counting filter over a window, which has two panes.
//! * [`SharedArray`]: all three kinds in one array; of sketches there are bounds of the error.
//! * [`Rows`]: bounds of a Count-Min sketch's error, for widths that are no primes.
//!
//! Assumes ideal hashing: positions uniform, items independent. Domain: 1 to 64 hashes, 2 to 2^40 cells a partition.
//!
//! ```
//! use bloomline_theory::cells::{PartitionedStatic, Partitions};
//! use bloomline_theory::sizing::Hashing;
//!
//! let partitions = Partitions::new(1 << 15, 4, Hashing::Double)?;
//! let filter = PartitionedStatic::new(partitions, 16_384)?;
//! assert!((filter.rate().value - 0.02397).abs() < 1e-5);
//! assert!(filter.two_hash_share() < 1e-3);
//! # Ok::<(), bloomline_theory::TheoryError>(())
//! ```

mod concentration;
mod counting;
mod partitions;
mod rows;
mod shared;
mod shared_sketch;
mod static_filter;
mod stream;
mod window;
mod window_stream;

pub use counting::PartitionedCounting;
pub use partitions::{check_two_hash_floor, PairsDeviation, Partitions};
pub use rows::Rows;
pub use shared::{Draw, SharedArray};
pub use static_filter::PartitionedStatic;
pub use stream::{Alarm, CountingStream, MOST_STREAM_THRESHOLD};
pub use window::{WindowedCounting, MOST_WINDOW_THRESHOLD};
pub use window_stream::{WindowStream, MOST_WINDOW_STREAM_THRESHOLD};
