//! The static filter of single bits: banks whose bits are read in one clock and set in the next, and erased row by row when the filter is cleared.
//! Depends on `wires`, `bank`, `cells` (its sequencer), `hash`, `bus` and the queue of `pipeline`. Timing: `docs/single-bits.md`.

mod access;
mod bank;
mod filter;
mod slots;

pub use access::WordAccess;
pub use bank::SingleBitBank;
pub use filter::SingleBitFilter;
pub use slots::SingleBitSlots;

/// Stage in which the row address stands at the memories.
const ROW_STAGE: usize = 2;
/// Stage in which port A sets or writes the bit: the clock behind the one that reads it.
const WRITE_STAGE: usize = ROW_STAGE + 1;
/// Stage in which the row is there.
const DATA_STAGE: usize = ROW_STAGE + 2;
