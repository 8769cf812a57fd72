//! Filters of single cells: banks whose bits are read in one clock and set in the next, or whose counters go through an adder, and which are erased row by row
//! when the filter is cleared. Depends on `wires`, `bank`, `cells` (sequencer, counters, their least), `hash`, `bus` and the queue of `pipeline`.
//! Timing: `docs/single-bits.md`.

use crate::shape::CellShape;

mod access;
mod bit_bank;
mod counter_bank;
mod filter;
mod slots;

pub use access::WordAccess;
pub use bit_bank::SingleBitBank;
pub use counter_bank::CounterBank;
pub use filter::InPlaceFilter;
pub use slots::InPlaceSlots;

/// Stage in which the row address of a bit stands at the memories.
const ROW_STAGE: usize = 2;
/// Stage in which port A sets or writes the bit: the clock behind the one that reads it.
const WRITE_STAGE: usize = ROW_STAGE + 1;
/// Stage in which the row is there.
const DATA_STAGE: usize = ROW_STAGE + 2;
/// Stage from which on a slot's counter may be that of the slot behind it: it has an operation there.
const COUNT_STAGE: usize = 3;
/// Stage in which a counter is written.
const UPDATE_STAGE: usize = 5;
/// Slots ahead whose counters have not reached memory when a slot reads its own.
const AHEAD: usize = 4;

/// Stage in which a bank of counters is told of a store.
fn store_stage(shape: &CellShape) -> usize {
    match shape.amounts() {
        0 => ROW_STAGE,
        _ => UPDATE_STAGE,
    }
}
