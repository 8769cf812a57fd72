//! The sliding-window filter on cuckoo tables: tables with an agent each, the stash, the decision, admission.
//! Depends on `wires`, `hash`, `bus` and the queue of `pipeline`. `docs/cuckoo-window.md` is the contract of their timing.

mod agent;
mod below_constant;
mod cell_flags;
mod cell_life;
mod cell_word;
mod decision;
mod filter;
mod generations;
mod hold_queue;
mod kept_life;
mod memory;
mod move_order;
mod sequencer;
mod shape;
mod slots;
mod stash;
mod stash_entry;
mod table;
mod table_lane;
mod track;

pub use agent::RowAgent;
pub use below_constant::BelowConstant;
pub use cell_flags::CellFlags;
pub use cell_life::CellLife;
pub use cell_word::{CellMatch, CellParts, CellWord};
pub use decision::RotatedFit;
pub use filter::CuckooFilter;
pub use generations::{Generations, Turns};
pub use hold_queue::HoldQueue;
pub use kept_life::KeptLife;
pub use memory::CellMemory;
pub use move_order::MoveOrder;
pub use sequencer::CuckooSequencer;
pub use shape::{CuckooShape, FORWARDED};
pub use slots::CuckooSlots;
pub use stash::Stash;
pub use stash_entry::StashEntry;
pub use table::CuckooTable;
pub use table_lane::CuckooLane;
pub use track::CuckooTrack;
