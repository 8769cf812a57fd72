//! The cycle-accurate model of the recycling filter's pipeline.
//!
//! One file for each thing that has state: admission, sequencer, slots in flight, epochs, verdict queue, ageing and
//! registers. What does not depend on the kind of filter (ports, slots, epochs, queue and its credit, counters, AXI4-Lite, the next secret)
//! serves the pipeline of filters of cells too. [`PipelineModel`] ties them together and asks the functional model what each item does when it
//! stands in the decision stage. Written from the timing page of the gateware, on every clock of which it gives the value
//! of every output; depends on the functional model and on `bloomline-spec` only.

mod admission;
mod ageing;
pub(crate) mod axi_lite;
pub(crate) mod counters;
pub(crate) mod credit;
pub(crate) mod epochs;
mod event;
pub(crate) mod memory;
mod model;
pub(crate) mod next_secret;
pub(crate) mod outputs;
pub(crate) mod ports;
mod registers;
mod sequencer;
pub(crate) mod slot;
pub(crate) mod slots;
mod status;
pub(crate) mod verdict_queue;

pub use event::{BitsSet, Decision, Event, Fetched, ForceCause};
pub use memory::MemoryBit;
pub(crate) use memory::Met;
pub use model::PipelineModel;
pub use ports::{input_ports, output_ports, Inputs, Outputs};
pub use status::Status;
