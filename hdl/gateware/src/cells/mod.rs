//! Filters of cells: the bank of counters or bits, the least of k, the stages and the admission of their pipeline.
//! Depends on `wires` and `bank`. `docs/cells.md` is the contract of their timing.

use bloomline_spec::registers::CellCounter;

mod cell_bank;
mod item_fold;
mod item_level;
mod lane;
mod least;
mod pane_sum;
mod probe_line;
mod raise_lane;
mod raise_timer;
mod sequencer;
mod set_bits;
mod slots;

pub use cell_bank::CellBank;
pub use item_fold::ItemFold;
pub use item_level::ItemLevel;
pub use lane::CellLane;
pub use least::{LeastOfTwo, LeastTree};
pub use pane_sum::PaneSum;
pub use probe_line::ProbeLine;
pub use raise_lane::RaiseLane;
pub use raise_timer::RaiseTimer;
pub use sequencer::CellSequencer;
pub use set_bits::SetBits;
pub use slots::CellSlots;

/// Places of a filter's counters in its register file, by their numbers; that of a counter which the filter lacks is none.
pub(crate) fn counter_places(counters: &[CellCounter]) -> Vec<usize> {
    (0..=CellCounter::EccUncorrectable as usize)
        .map(|number| {
            let place = counters.iter().position(|it| *it as usize == number);
            place.unwrap_or(counters.len())
        })
        .collect()
}
