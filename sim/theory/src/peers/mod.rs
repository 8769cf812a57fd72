//! Other structures that forget by age, sized for the same memory and rate, so that a plan can name what would serve better.
//!
//! All laws are for a stream of distinct keys, each of which is inserted. A generation of g keys ends when the first key of the
//! next one arrives: that key is tested against the state before it. The average rate is therefore the mean over the states with
//! 1 to g keys in the youngest generation. Distances count the new keys between two occurrences of a key.
//!
//! Every law is held against a simulation of its structure by the tests (`peers`), the exact ones also against enumeration.

mod age_partitioned;
mod blocked;
mod blocks;
mod compare;
mod counting_queue;
mod fingerprints;
mod generation;
mod remembers;
mod solve;
mod stable;
mod structure;
mod swamp;
mod time_aware;
mod time_decaying;

pub use age_partitioned::AgePartitioned;
pub use blocked::Blocked;
pub use blocks::{Blocks, DoubleBuffering};
pub use compare::{better_ranges, compare, Range, KEPT_SHARE};
pub use counting_queue::CountingQueue;
pub use fingerprints::{Cuckoo, Quotient, CUCKOO_LOAD, CUCKOO_MOVES, QUOTIENT_LOAD};
pub use remembers::Remembers;
pub use stable::Stable;
pub use structure::{Accesses, Peer, Size, Structure};
pub use swamp::{Swamp, TABLE_SLACK};
pub use time_aware::TimeAware;
pub use time_decaying::TimeDecaying;
