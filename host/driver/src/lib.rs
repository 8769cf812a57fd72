//! Host access to a filter: transports and the register-level device.
//!
//! ```text
//!  Device       what a filter's registers mean: identify, status, threshold, counters
//!     |
//!  Transport    read, write, burst: 32-bit registers by byte address, each within a deadline
//! ```
//!
//! [`Device::identify`] reads who the other end is before anything else and refuses what it does not know; every later call
//! goes by the register map that `bloomline-spec` builds for the geometry, which is the one the gateware was made from. The
//! crate knows nothing of how the gateware is described or simulated: a transport over a simulation is written elsewhere,
//! against the same trait, and goes through the same [`conformance`] suite.

mod block;
pub mod bone;
pub mod conformance;
mod counters;
mod device;
mod error;
mod etherbone;
mod guarded;
mod line;
pub mod mailbox;
mod open;
pub mod packet;
mod pcie;
mod serial;
pub mod serve;
mod shared;
mod status;
mod transport;
mod uart;
pub mod uartbone;
mod url;

pub use block::Block;
pub use bone::Checking;
pub use counters::Counters;
pub use device::{Device, Limits};
pub use error::{DriverError, TransportError};
pub use etherbone::{Etherbone, EtherboneCarrier, UdpLine};
pub use guarded::Guarded;
pub use line::Line;
pub use open::{open, OpenError};
pub use pcie::PcieBar;
pub use serial::SerialLine;
pub use shared::Shared;
pub use status::Status;
pub use transport::{Transport, Within};
pub use uart::{Uart, UartCarrier};
pub use url::{Check, Url};
