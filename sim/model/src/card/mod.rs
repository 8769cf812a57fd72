//! The card around a filter: item port, bus split, and the host's UART with its bridge and mailbox.
//!
//! One file for each thing that has state; [`CardModel`] ties them together around the model of any kind of filter. Written
//! from the page on the card, on every clock of which it gives the value of every output. Depends on the filters' models for
//! the trait [`ClockedModel`] and the AXI4-Lite slave, and on `bloomline-spec`.

mod bridge;
mod bus;
mod item_port;
mod mailbox;
mod model;
mod ports;
mod queue;
mod receiver;
mod record;
mod split;
mod transmitter;
mod uart;

pub(crate) use mailbox::{Access, Request};
pub(crate) use record::Record;

pub use bus::{BusInputs, BusOutputs, ReadBeat};
pub use model::{CardModel, CardStatus};
pub use ports::{CardInputs, CardOutputs};

#[cfg(doc)]
use crate::ClockedModel;
