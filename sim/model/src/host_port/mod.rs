//! The host port, frame by frame: what becomes of a frame, which accesses it makes, and what is answered.
//!
//! A program on whole frames, written from the page on the host port; it knows no clocks. The mailbox is that of the card's model. Depends on
//! `bloomline-spec` for its numbers.

mod etherbone;
mod frame;
mod model;

pub use model::{HostAccess, HostBus, HostOutcome, HostPortModel, HostResponse};
