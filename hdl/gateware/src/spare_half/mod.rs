//! The recycling filter with a spare half: banks of single bits, of which one half is erased while items go on.
//! Depends on `wires`, `bank`, `recycle`, `hash`, `bus` and the sequencer, the secrets and the queue of `pipeline`. Timing: `docs/spare-half.md`.

mod access;
mod bank;
mod eraser;
mod filter;
mod occupancy;
mod slots;

pub use access::BitAccess;
pub use bank::SpareHalfBank;
pub use eraser::Eraser;
pub use filter::SpareHalfFilter;
pub use occupancy::BitOccupancy;
pub use slots::SpareHalfSlots;
