//! The sliding-window filter.
//!
//! [`SlidingFilter`] says what each item does, [`WindowOracle`] how far back in the stream its key lies, and
//! [`SlidingPipelineModel`] what the gateware's ports show on every clock, with one file for each thing that has state.
//! Written from the page on the pipeline of the sliding-window filter; ports, verdict queue and AXI4-Lite are those of the
//! recycling filter's model.
//!
//! The functional filter counts generations without end and scans nothing. That the gateware, which keeps a few bits of
//! them and scans, gives the same verdicts is what lockstep shows.

mod admission;
mod event;
mod filter;
mod memory;
mod model;
mod oracle;
pub(crate) mod registers;
mod scan;
pub(crate) mod sequencer;
mod slot;
mod status;

pub use event::{SlidingDecision, SlidingEvent};
pub use filter::{Place, SlidingFilter, SlidingOutcome};
pub use memory::CellBit;
pub use model::SlidingPipelineModel;
pub use oracle::WindowOracle;
pub use status::SlidingStatus;
