//! The interfaces between blocks, each written once: registers, items, verdicts, frames.
//!
//! Depends on [`crate::wires`] only.

mod axil;
mod filter_ports;
mod streams;

pub use axil::{Axil, AXIL_ANSWER, AXIL_ARBITRATED, AXIL_ASKED, AXIL_SHARED, AXIL_UNADDRESSED};
pub(crate) use filter_ports::filter_block;
pub use filter_ports::{FilterBlock, FilterPorts};
pub use streams::{FrameStream, ItemStream, SizedFrameStream, VerdictStream};
