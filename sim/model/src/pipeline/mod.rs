//! The cycle-accurate model of the recycling filter's pipeline.
//!
//! One file for each thing that has state: admission, sequencer, slots in flight, epochs, verdict queue, ageing and
//! registers. [`PipelineModel`] ties them together and asks the functional model what each item does when it
//! stands in the decision stage. Written from the timing page of the gateware, on every clock of which it gives the value
//! of every output; depends on the functional model and on `bloomline-spec` only.

mod admission;
mod ageing;
mod epochs;
mod event;
mod model;
mod ports;
mod registers;
mod sequencer;
mod slot;
mod status;
mod verdict_queue;

pub use event::{Decision, Event};
pub use model::PipelineModel;
pub use ports::{input_ports, output_ports, packed_words, ports, Direction, Inputs, Outputs, Port};
pub use status::Status;
