//! The recycling filter with a spare half: banks of single bits, of which one half is erased while items go on.
//! Depends on `wires`, `recycle`, `hash`, `bus` and the sequencer, the secrets and the queue of `pipeline`. Timing: `docs/spare-half.md`.

mod access;
mod bank;
mod compare;
mod eraser;
mod filter;
mod memory;
mod occupancy;
mod slots;

pub use access::BitAccess;
pub use bank::SpareHalfBank;
pub use compare::PositionCompare;
pub use eraser::Eraser;
pub use filter::SpareHalfFilter;
pub use memory::HalfMemory;
pub use occupancy::BitOccupancy;
pub use slots::SpareHalfSlots;
