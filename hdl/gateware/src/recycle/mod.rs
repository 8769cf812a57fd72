//! When to recycle, and how a recycle empties a half without a clock: counting, decision, limit, epochs, occupancy; and what a host that reads
//! the array of such a filter asks for.
//! Depends on `wires` only.

mod array_reader;
mod count_ones;
mod decision;
mod epochs;
mod limit;
mod occupancy;

pub use array_reader::ArrayReader;
pub use count_ones::CountOnes;
pub use decision::RecycleDecision;
pub use epochs::EpochGuard;
pub use limit::RecycleLimit;
pub use occupancy::Occupancy;

/// Low bits of the room that the decision loop handles in one clock: at least 4, and enough that two borrows never follow each other.
pub fn room_low_bits(hashes: usize) -> usize {
    crate::shape::width_of(2 * hashes - 1).max(4)
}
