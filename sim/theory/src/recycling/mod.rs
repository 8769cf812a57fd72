//! Recycling filters (RBF): average false-positive rates, cycle lengths and forgetting.
//!
//! Plain numbers in, plain numbers out; nothing here depends on anything but the numerical tools, the excess of two
//! hashes, and the error and accuracy types.

mod added_positives;
pub mod cycle;
pub mod cycle_length;
pub mod forgetting;
pub mod half;
pub mod n_bounded;
pub mod partitioned;
mod partitioned_contour;
mod partitioned_convolution;
mod partitioned_half;
pub(crate) mod partitioned_joined;
pub mod partitioned_messages;
pub(crate) mod positives_count;
mod repeats;
mod restart;
mod retained;
pub mod shared_bits;
mod shared_chain;
pub mod shared_messages;
pub(crate) mod shared_settled;
pub mod shared_two_phase;
pub mod shortest_cycle;

pub use cycle::CycleLaw;
pub use forgetting::{false_negative, Forgetting};
pub use half::SharedHalf;
pub use partitioned::{partitioned_bits_set_law, Method};
pub use partitioned_half::PartitionedHalf;
pub use partitioned_joined::partitioned_retaining_rate;
pub use partitioned_messages::partitioned_messages_law;
pub use repeats::{repeat_factor, uniform_requests, Averages};
pub use restart::Restart;
pub use shared_bits::{bits_set_law, bits_set_law_by, Evaluation};
pub use shared_messages::messages_law;
pub use shared_two_phase::{two_phase_bits_set_rate, two_phase_retaining_rate};
pub use shortest_cycle::{
    partitioned_bits_set_quantile, partitioned_messages_quantile, shared_bits_set_quantile,
    shared_messages_quantile,
};
