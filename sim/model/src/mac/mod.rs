//! The Ethernet MAC: receiver and frame gate, transmit buffer and transmitter, each in its own clock.
//!
//! Written from the page on the MAC, on every clock of which it gives the value of every output. The CRC is the crate `crc32fast`'s. Depends on
//! `bloomline-spec` for its numbers.

mod buffer;
mod gate;
mod receiver;
mod transmitter;

pub use buffer::TransmitBufferModel;
pub use gate::FrameGateModel;
pub use receiver::{FrameEnd, MacReceiverModel};
pub use transmitter::{MacTransmitterModel, TransmitterOutputs};

/// One clock of GMII, in either direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Gmii {
    /// The byte.
    pub data: u8,
    /// There is a carrier (RX_DV, TX_EN).
    pub valid: bool,
    /// With it: the byte is wrong (RX_ER, TX_ER).
    pub error: bool,
}

impl Gmii {
    /// A clock with a carrier and this byte.
    pub fn byte(data: u8) -> Self {
        Self {
            data,
            valid: true,
            error: false,
        }
    }
}

/// One beat of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Beat {
    /// The byte.
    pub data: u8,
    /// The frame's last (`tlast`).
    pub last: bool,
    /// With it: the frame is bad (`tuser`).
    pub user: bool,
}
