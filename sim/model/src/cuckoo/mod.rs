//! The sliding-window filter on cuckoo tables.
//!
//! [`CuckooFilter`] says what each item is told, and [`CuckooPipelineModel`] what the gateware's ports show on every clock, with one file
//! for each thing that has state. Written from the page on the sliding window on cuckoo tables; ports, verdict queue and AXI4-Lite are those of the
//! recycling filter's model, registers and sequencer those of the other sliding window.
//!
//! The functional filter knows neither tables nor stash, and counts generations without end. That the pipeline, whose elements change places and
//! whose generations come round, gives the same verdicts is checked at every decision. So is what makes that true of the gateware, where an item
//! reads its rows five clocks before it is decided on, or seven with an error-correcting code: no agent writes a row that such an item has read ([`CuckooPipelineModel::check`]).

mod admission;
mod agent;
mod ages;
mod cell;
mod event;
mod filter;
mod line;
mod memory;
mod model;
mod slot;
mod stash;
mod status;
mod tables;
mod visits;

pub use event::{CuckooDecision, CuckooEvent};
pub use filter::{CuckooFilter, CuckooOutcome};
pub use memory::CuckooBit;
pub use model::CuckooPipelineModel;
pub use status::CuckooStatus;
