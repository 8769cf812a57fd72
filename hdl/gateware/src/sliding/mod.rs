//! The sliding-window filter: cells in lanes, what matches and what is empty, the decision, the scan, admission.
//! Depends on `wires`, `bank` (parity, error correction) and `shape`. `docs/sliding.md` is the contract of their timing.

mod decision;
mod lane_flags;
mod position_track;
mod sequencer;
mod shape;
mod slot_compare;
mod slots;
mod store;
mod table;
mod table_lane;

pub use decision::FirstFit;
pub use lane_flags::LaneFlags;
pub use position_track::PositionTrack;
pub use sequencer::SlidingSequencer;
pub use shape::{CellCheck, SlidingShape, FORWARDED};
pub use slot_compare::SlotCompare;
pub use slots::SlidingSlots;
pub use store::{CellStore, StoreLane};
pub use table::BucketTable;
pub use table_lane::TableLane;
