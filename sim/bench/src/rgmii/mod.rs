//! The pins between a MAC and its PHY, in any clocks: who plays frames on them, and who listens. Knows nothing of a design; depends on the
//! model of the MAC for what a frame is.

mod clocks;
mod listener;
mod pins;
mod wire;

pub use clocks::Clocks;
pub use listener::{FrameListener, HeardFrame};
pub use pins::{RgmiiListener, RgmiiPlayer, GIGABIT_LINK};
pub use wire::{on_the_line, with_fcs};
