//! Reference models: a functional model of each filter and a cycle-accurate model of each pipeline.
//!
//! [`RecyclingFilter`] and [`CellFilter`] say what each item does, one at a time. [`Oracle`] says what a recycling filter ought to
//! have answered, from the keys alone. [`PipelineModel`] and [`CellPipelineModel`] say what the gateware's ports show on every
//! clock, and use the filters where items meet memory; [`CardModel`] does so for the card around any of them. [`PathModel`] says what becomes of each frame in a packet path, [`LineCardModel`] in a card between two Ethernet
//! ports. [`ProbeHasher`] turns keys into probe positions, by every scheme and under
//! a secret where the hash is keyed. All are written from the semantics; constants come from `bloomline-spec`, and no hash or
//! index code is shared with the gateware: two writings of one definition are what make the comparison mean something.
//!
//! # Sources
//!
//! - RBF: recycling Bloom filters, one and two phases, on bits set or on bit-setting messages.
//! - OCC: J. Burns, "On Occupancy Moments and Bloom Filter Efficiency": static filter.
//! - CBF: K. Kim, Y. Jeong, Y. Lee, S. Lee, "Analysis of Counting Bloom Filters Used for Count Thresholding": counting filter
//!   and its threshold.
//! - SBF: M. Naor and E. Yogev, "Tight bounds for sliding Bloom filters", ISAAC 2013: [`SlidingFilter`], [`CuckooFilter`].
//! - Cuckoo tables with a queue: Y. Arbitman, M. Naor, G. Segev, "Backyard cuckoo hashing: constant worst-case operations with a succinct
//!   representation", FOCS 2010; rows found from what a cell holds: B. Fan, D. G. Andersen, M. Kaminsky, M. D. Mitzenmacher, "Cuckoo filter:
//!   practically better than Bloom", CoNEXT 2014: [`CuckooPipelineModel`].
//! - KM: A. Kirsch and M. Mitzenmacher, "Less hashing, same performance: building a better Bloom filter", ESA 2006:
//!   double hashing, extended double hashing; Count-Min with two hash functions.
//! - SipHash: J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012 (the crate `siphasher`).
//! - Distinct draws: R. W. Floyd's sampling, in J. Bentley and B. Floyd, "Programming pearls: a sample of brilliance",
//!   Communications of the ACM 30(9), 1987.

mod card;
mod cells;
mod clocked;
mod corrected_words;
mod cuckoo;
mod error;
mod flawed_words;
mod functional;
mod half;
mod hash;
mod host_port;
pub mod ideal;
mod key_numbers;
mod kinds;
mod linecard;
pub mod mac;
mod packet;
mod pipeline;
mod shared_array;
mod sliding;
mod spare_half;
mod truth;

pub use card::{BusInputs, BusOutputs, CardInputs, CardModel, CardOutputs, CardStatus, ReadBeat};
pub use cells::{CellDecision, CellEvent, CellFilter, CellOutcome, CellPipelineModel, CellStatus};
pub use clocked::ClockedModel;
pub use cuckoo::{
    CuckooBit, CuckooDecision, CuckooEvent, CuckooFilter, CuckooOutcome, CuckooPipelineModel,
    CuckooStatus,
};
pub use error::ModelError;
pub use flawed_words::Flaws;
pub use functional::{Outcome, RecyclingFilter};
pub use hash::{ProbeHasher, Probes, MAX_PROBES};
pub use host_port::{HostAccess, HostBus, HostOutcome, HostPortModel, HostResponse};
pub use key_numbers::KeyNumbers;
pub use kinds::{functional_model, pipeline_model, FilterModel, Modelled};
pub use linecard::{CardBus, CardHostModel, LineCardModel, PortsModel};
pub use packet::{
    frame_digest, mark, parse, parse_opening, Finding, HopBytes, IpHeader, JudgedFrame,
    ParsedFrame, PathFilter, PathLane, PathModel, Sorted, SortedFrame,
};
pub use pipeline::{
    input_ports, output_ports, BitsSet, Decision, Event, Fetched, ForceCause, Inputs, MemoryBit,
    Outputs, PipelineModel, Status,
};
pub use sliding::{
    CellBit, Place, SlidingDecision, SlidingEvent, SlidingFilter, SlidingOutcome,
    SlidingPipelineModel, SlidingStatus, WindowOracle,
};
pub use truth::{Arrival, Oracle};
