//! Filters of cells: static filter, counting filter, Count-Min sketch.
//!
//! [`CellFilter`] says what each item does, [`CellPipelineModel`] what the gateware's ports show on every clock, with one
//! file for each thing that has state. Written from the page on the pipeline of a filter of cells; ports, epochs, verdict
//! queue and AXI4-Lite are those of the recycling filter's model.

mod admission;
mod event;
mod filter;
mod memory;
mod model;
mod registers;
mod sequencer;
mod slot;
mod status;
mod words;

pub use event::{CellDecision, CellEvent};
pub use filter::{CellFilter, CellOutcome};
pub use model::CellPipelineModel;
pub use status::CellStatus;
