//! Host access to a filter: transports and the register-level device.
//!
//! ```text
//!  Watch        samples at a steady pace, and what happened between two: events
//!     |
//!  Device       what a filter's registers mean, of any kind: identify, settings, counters, items, array --> Snapshot
//!     |
//!  Transport    read, write, burst: 32-bit registers by byte address, each within a deadline
//!     |
//!     +-- uart:       Uart       LiteX's uartbone over a serial line      \\  BridgeLink: accesses that are checked,
//!     +-- etherbone:  Etherbone  Etherbone over UDP                       /  by the bridge's mailbox where it has one
//!     +-- pcie:       PcieBar    a BAR mapped through sysfs
//!     +-- Shared      one of these for several threads
//!     +-- Guarded     one of these on a path that cannot say no
//! ```
//!
//! A key goes in and its verdict comes out over registers alone, on a card with an item port:
//!
//! ```no_run
//! use bloomline_driver::{connect, Design};
//! use bloomline_spec::Key;
//! use std::path::Path;
//!
//! let design = Design::load(Path::new("out/admit/manifest.json"))?;
//! let card = connect("uart:/dev/ttyUSB0?baud=1000000", &design)?;
//! let key = Key::from_text("0xC0FFEE", design.common().key_bits())?;
//! card.insert(&key)?;
//! assert!(card.query(&key)?.is_positive());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Design::load`] reads the manifest that the filter was emitted with, or its specification; [`connect`] opens and identifies.
//! The same calls exist in C (`bloomline-c`) and in Python (`bloomline-python`), where errors go by [`ErrorClass`].
//!
//! [`open`] makes a transport from a URL ([`Url`] has their forms). [`Device::identify`] reads who the other end is before
//! anything else and refuses what it does not know; every later call goes by the register map that `bloomline-spec` builds for
//! the geometry, which is the one the gateware was made from. The crate knows nothing of how the gateware is described or
//! simulated: a transport over a simulation is written elsewhere, against the same trait, goes through the same
//! [`conformance`] suite, and is reached by other programs through a bridge of [`serve`].
//!
//! # What can be relied on
//!
//! A value that is returned is the register's, and an error is typed and comes within the deadline:
//!
//! | transport | a damaged, lost, late or doubled message | a register that is not there |
//! |---|---|---|
//! | `uart:`, `etherbone:` with a [`mailbox`] | is found (CRC-32) and made good, carried out once at most | is an error |
//! | `uart:` with `check=agree` | is found unless it comes the same three times in a row; a write may have gone astray | reads as something |
//! | `etherbone:` with `check=none` | is found by the network's own check; a late write is carried out late | reads as something |
//! | `pcie:` | is the bus's own to repair | reads as something |
//!
//! Where a register that is not there reads as something, [`Guarded`] refuses by the register map. [`Checking`] has the details,
//! `tests/faults.rs` the measurement. Serial lines and BARs are opened the Unix way.

mod block;
pub mod bridge_link;
mod checking;
mod class;
pub mod conformance;
mod connect;
pub mod device;
mod error;
mod etherbone;
mod guarded;
mod identity;
mod line;
pub mod mailbox;
mod open;
mod open_error;
pub mod packet;
mod path_settings;
mod pcie;
mod ports;
mod serial;
pub mod serve;
mod shared;
pub mod snapshot;
mod transport;
mod uart;
pub mod uartbone;
mod url;
mod verdict;
pub mod watch;

pub use block::Block;
pub use bloomline_spec::{ArrayShape, Design, DesignError};
pub use checking::Checking;
pub use class::{Classed, ErrorClass};
pub use connect::{connect, ConnectError, Link};
pub use device::{
    counter_registers, CounterRegister, Counters, Device, Item, Limits, NewSecret, Part, Settings,
    Status,
};
pub use error::{DriverError, TagProblem, TransportError};
pub use etherbone::{Etherbone, EtherboneCarrier, UdpLine};
pub use guarded::Guarded;
pub use identity::{Identity, Surroundings};
pub use line::Line;
pub use open::{open, read_key};
pub use open_error::OpenError;
pub use path_settings::PathSettings;
pub use pcie::PcieBar;
pub use ports::PortLink;
pub use serial::SerialLine;
pub use shared::Shared;
pub use snapshot::{Cycle, Estimate, Snapshot, SnapshotError};
pub use transport::{Transport, Within};
pub use uart::{Uart, UartCarrier};
pub use url::{Check, Url};
pub use verdict::{Flag, FlatVerdict, Verdict};
pub use watch::{Event, Events, Sample, Watch};
