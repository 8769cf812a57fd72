//! The Ethernet MAC for RGMII at 1 Gb/s and the crossings between its clocks. Depends on `wires`, the CRC of `card` and the queue memory of `pipeline`; nothing
//! depends on it but what prints. `docs/mac.md` is the contract. Its blocks stand between a PHY's pins and two streams of frames, so that a path of frames
//! need not know of more than one clock.

mod async_fifo;
mod crossing_memory;
mod ddr;
mod frame_gate;
mod mac_counter;
mod mac_loop;
mod mac_port;
mod mac_receiver;
mod mac_transmitter;
mod reset_crossing;
mod rgmii_input;
mod rgmii_output;
mod synchroniser;
mod transmit_buffer;

pub use async_fifo::AsyncFifo;
pub use crossing_memory::CrossingMemory;
pub use ddr::{ecp5_rgmii_leaves, InputDdr, InputDelay, OutputDdr, OutputDelay, RGMII_LEAVES};
pub use frame_gate::FrameGate;
pub use mac_counter::MacCounter;
pub use mac_loop::MacLoop;
pub use mac_port::MacPort;
pub use mac_receiver::MacReceiver;
pub use mac_transmitter::MacTransmitter;
pub use reset_crossing::ResetCrossing;
pub use rgmii_input::RgmiiInput;
pub use rgmii_output::RgmiiOutput;
pub use synchroniser::Synchroniser;
pub use transmit_buffer::TransmitBuffer;

use crate::emit::{self, EmitError, Emitted, Options};
use rust_hdl::prelude::Block;

/// The Verilog of an Ethernet port: top module `mac_port`. Every module starts with `header` as a comment.
///
/// # Errors
/// As [`crate::filter_verilog`].
pub fn mac_port_verilog(header: &str) -> Result<Emitted, EmitError> {
    print(MacPort::default(), "mac_port", header)
}

/// The Verilog of a port that sends what it receives: top module `mac_loop`. Every module starts with `header` as a comment.
///
/// # Errors
/// As [`crate::filter_verilog`].
pub fn mac_loop_verilog(header: &str) -> Result<Emitted, EmitError> {
    print(MacLoop::default(), "mac_loop", header)
}

fn print(mut top: impl Block, name: &str, header: &str) -> Result<Emitted, EmitError> {
    top.connect_all();
    let header = header.into();
    emit::verilog(&top, name, &Options { header })
}
