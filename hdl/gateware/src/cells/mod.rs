//! Filters of cells: the bank of counters or bits, the least of k, the stages and the admission of their pipeline.
//! Depends on `wires` and `bank`. `docs/cells.md` is the contract of their timing.

mod cell_bank;
mod lane;
mod least;
mod sequencer;
mod set_bits;
mod slots;

pub use cell_bank::CellBank;
pub use lane::CellLane;
pub use least::{LeastOfTwo, LeastTree};
pub use sequencer::CellSequencer;
pub use set_bits::SetBits;
pub use slots::CellSlots;
