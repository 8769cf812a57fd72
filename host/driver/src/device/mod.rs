//! The device: what the registers of a filter mean, each concern in its file.
//!
//! ```text
//!  Device   identify, blocks                   mod.rs
//!    |      status, threshold, age, clear,
//!    |      rekey, fill                        settings.rs
//!    |      several settings, or none of them  configure.rs
//!    |      64-bit counters                    counters.rs
//!    |      array words, snapshot, restore     array.rs
//!    |      snapshot of halves that recycle    halves.rs
//!    |      items and their verdicts           items.rs
//!    |      packet paths: policies, learn,
//!    |      longest frame                      path.rs
//!    |      Ethernet ports: links, host port   ports.rs
//!  Session  the link, held by one call         session.rs
//! ```
//!
//! May depend on [`Transport`], the register map and the snapshot file; nothing here knows how a link works.

mod array;
mod configure;
mod counters;
mod halves;
mod items;
pub(crate) mod part;
mod path;
mod ports;
mod session;
mod settings;
mod status;

pub use configure::{NewSecret, Settings};
pub use counters::{counter_registers, CounterRegister, Counters};
pub use items::Item;
pub use part::Part;
pub use status::Status;

use crate::block::Block;
use crate::error::DriverError;
use crate::guarded::Guarded;
use crate::identity::Identity;
use crate::transport::{Transport, Within};
use bloomline_spec::registers::address;
use bloomline_spec::{Design, RegisterBlock, RegisterMap, RegisterSet};
use session::Session;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long the driver waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For one access.
    pub access: Within,
    /// For a command to take effect.
    pub command: Within,
}

impl Default for Limits {
    /// One second for an access, five for a command.
    fn default() -> Self {
        Limits {
            access: Duration::from_secs(1),
            command: Duration::from_secs(5),
        }
    }
}

/// A filter of any kind that was identified: its registers by their meaning.
///
/// Every call takes `&self` and holds the link for as long as its accesses belong together, so a device is shared between
/// threads as it is (`&Device`, or in an `Arc`); a thread that waits for another's call waits longer than its own limits say.
/// A clear or a rekey holds the link until the filter runs again; a snapshot lets others in after every word. Two devices
/// over clones of one [`Shared`](crate::Shared), or two hosts of one card, may also read at once; what they write at once is
/// whatever came last.
///
/// ```
/// use bloomline_driver::{Device, DriverError, Limits, Transport};
/// use bloomline_spec::registers::RecyclingCounter;
/// use bloomline_spec::RecyclingGeometry;
///
/// fn lower_threshold<T: Transport>(link: T, geometry: &RecyclingGeometry) -> Result<u64, DriverError> {
///     let device = Device::identify(link, geometry, Limits::default())?;
///     device.set_threshold(geometry.threshold() / 2)?;
///     device.counter(RecyclingCounter::Recycles)
/// }
/// ```
#[derive(Debug)]
pub struct Device<T> {
    link: Mutex<T>,
    design: Design,
    map: RegisterMap,
    blocks: Vec<Block>,
    counters: Vec<CounterRegister>,
    limits: Limits,
}

/// Type and version of the blocks of a register map: those that this driver knows in such a device.
fn known_blocks(map: &RegisterMap) -> Vec<(u32, u32)> {
    let value = |block: &RegisterBlock, name: &str| {
        let mut registers = block.registers.iter();
        registers.find(|register| register.name == name)?.reset
    };
    map.blocks
        .iter()
        .filter_map(|block| Some((value(block, "BLOCK_TYPE")?, value(block, "BLOCK_VERSION")?)))
        .collect()
}

impl<T: Transport> Device<T> {
    /// Reads who the device is, and takes it only if it is a filter of this design (any kind's geometry will do).
    /// Traffic: five reads, and a burst of three for each block of the list.
    ///
    /// # Errors
    /// [`DriverError::Magic`], [`DriverError::MapVersion`] and [`DriverError::GeometryHash`] with the value expected and the
    /// value read; [`DriverError::NewerBlock`] of a device of a newer release; those of the block list; or a failed access.
    pub fn identify(
        transport: T,
        design: impl Into<Design>,
        limits: Limits,
    ) -> Result<Device<T>, DriverError> {
        let design = design.into();
        if !design.has_registers() {
            return Err(DriverError::NotBuilt {
                doing: "identify",
                what: "a register",
                key: "features.registers",
            });
        }
        let mut transport = transport;
        let identity = Identity::read(&mut transport, limits.access)?;
        if let Some((block, newest)) = identity.newer_block() {
            return Err(DriverError::NewerBlock {
                address: block.address,
                kind: block.kind,
                version: block.version,
                newest,
            });
        }
        let (expected, got) = (design.geometry_hash(), identity.geometry_hash);
        if got != expected {
            return Err(DriverError::GeometryHash { expected, got });
        }
        let map = design.register_map();
        let known_blocks = known_blocks(&map);
        let known = |block: &Block| known_blocks.contains(&(block.kind, block.version));
        if let Some(block) = identity.blocks.iter().find(|block| !known(block)) {
            return Err(DriverError::UnknownBlock {
                address: block.address,
                kind: block.kind,
                version: block.version,
                expected: known_blocks
                    .iter()
                    .find(|(kind, _)| *kind == block.kind)
                    .map(|(_, version)| *version),
            });
        }
        let device = Device {
            link: Mutex::new(transport),
            map,
            counters: counter_registers(&design),
            design,
            blocks: identity.blocks,
            limits,
        };
        device.expect_blocks()?;
        Ok(device)
    }

    /// The same device, over a link that refuses what its register map does not have. The map is known only once the device is identified: a foreign
    /// device has other registers.
    pub fn guarded(self) -> Device<Guarded<T>> {
        let link = self.link.into_inner();
        let link = link.unwrap_or_else(PoisonError::into_inner);
        Device {
            link: Mutex::new(Guarded::new(link, self.map.clone())),
            design: self.design,
            map: self.map,
            blocks: self.blocks,
            counters: self.counters,
            limits: self.limits,
        }
    }

    /// Asks the device again whose hash it has: a link outlives a card that is exchanged or loaded with another design. Traffic: two reads.
    ///
    /// # Errors
    /// [`DriverError::GeometryHash`] when it is of another design now, or a failed access.
    pub fn confirm(&self) -> Result<(), DriverError> {
        let mut session = self.session("identify");
        let low = session.read(address::GEOMETRY_HASH_LO)?;
        let high = session.read(address::GEOMETRY_HASH_HI)?;
        let got = u64::from(high) << 32 | u64::from(low);
        match self.design.geometry_hash() {
            expected if got != expected => Err(DriverError::GeometryHash { expected, got }),
            _ => Ok(()),
        }
    }

    /// What the device was identified as.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The blocks of the device, in the order of its list.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Gives the transport back.
    pub fn into_transport(self) -> T {
        self.link
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Every block of the map but the identification stands where the map has it.
    fn expect_blocks(&self) -> Result<(), DriverError> {
        let listed = self
            .map
            .blocks
            .iter()
            .filter(|block| block.offset != address::MAGIC);
        for block in listed {
            let kind = self
                .map
                .register(block.name, "BLOCK_TYPE")
                .and_then(|register| register.reset);
            let found = self
                .blocks
                .iter()
                .any(|got| got.address == block.offset && Some(got.kind) == kind);
            if !found {
                return Err(DriverError::MissingBlock {
                    name: block.name,
                    address: block.offset,
                });
            }
        }
        Ok(())
    }

    /// The link, for as long as the accesses of one call belong together.
    fn session(&self, doing: &'static str) -> Session<'_, T> {
        Session {
            // After a panic in an access the link starts afresh, as after any error.
            link: self.link.lock().unwrap_or_else(PoisonError::into_inner),
            access: self.limits.access,
            doing,
        }
    }

    /// The error of a call for what this kind of filter has not.
    fn not_there(&self, doing: &'static str, what: &'static str) -> DriverError {
        let next = "`device URL info` names the blocks there are";
        self.missing(doing, what, next.to_owned())
    }

    /// The error of a call for what another specification has; `next` says which.
    fn missing(&self, doing: &'static str, what: &'static str, next: String) -> DriverError {
        DriverError::NotThere {
            doing,
            what,
            kind: self.design.kind(),
            next,
        }
    }

    /// The error of a call for what the specification leaves out.
    fn not_built(&self, doing: &'static str, what: &'static str, key: &'static str) -> DriverError {
        // what a smaller set of registers leaves out was not chosen by a key of its own
        let key = match (self.design.register_set(), key) {
            (RegisterSet::Full, key) | (_, key @ "features.max_age") => key,
            _ => "features.registers",
        };
        DriverError::NotBuilt { doing, what, key }
    }

    /// Fails unless the filter has a register at `address`.
    fn needs(
        &self,
        doing: &'static str,
        address: u32,
        name: &'static str,
    ) -> Result<(), DriverError> {
        match self.map.at(address) {
            Some(_) => Ok(()),
            None => Err(self.not_there(doing, name)),
        }
    }
}
