//! The reference: functional model of every filter and cycle-accurate model of its pipeline.
//!
//! [`RecyclingFilter`] and [`CellFilter`] say what each item does, one at a time. [`Oracle`] says what a recycling filter
//! ought to have answered, from the keys alone. [`PipelineModel`] and [`CellPipelineModel`] say what the gateware's ports
//! show on every clock; each asks its filter what an item does. All are written from the semantics; constants come from
//! `bloomline-spec`, and no hash or index code is shared with the gateware: two writings of one definition are what make
//! the comparison mean something.
//!
//! # Sources
//!
//! - RBF: recycling Bloom filters, one and two phases, on bits set or on bit-setting messages.
//! - SBF: M. Naor and E. Yogev, "Tight bounds for sliding Bloom filters", ISAAC 2013: [`SlidingFilter`].
//! - KM: A. Kirsch and M. Mitzenmacher, "Less hashing, same performance: building a better Bloom filter", ESA 2006:
//!   double hashing, and section 9 for the Count-Min sketch with two hash functions.
//! - OCC: static filters in partitions; CBF: filters of counters with a threshold.

mod cells;
mod error;
mod functional;
mod half;
mod hash;
mod pipeline;
mod sliding;
mod truth;

pub use cells::{CellDecision, CellEvent, CellFilter, CellOutcome, CellPipelineModel, CellStatus};
pub use error::ModelError;
pub use functional::{Outcome, RecyclingFilter};
pub use hash::{ProbeHasher, Probes, MAX_PROBES};
pub use pipeline::{
    input_ports, output_ports, packed_words, ports, Decision, Direction, Event, Inputs, Outputs,
    PipelineModel, Port, Status,
};
pub use sliding::{
    Place, SlidingDecision, SlidingEvent, SlidingFilter, SlidingOutcome, SlidingPipelineModel,
    SlidingStatus, WindowOracle,
};
pub use truth::{Arrival, Oracle};
