use crate::block::Block;
use crate::counters::Counters;
use crate::error::DriverError;
use crate::identity::Identity;
use crate::status::Status;
use crate::transport::{Transport, Within};
use bloomline_spec::registers::{address, field, Counter, BLOCK_COUNTERS, BLOCK_RECYCLING_FILTER};
use bloomline_spec::{Geometry, RecycleOn, RegisterMap};
use std::time::{Duration, Instant};

/// Blocks that this driver knows: type, version.
const KNOWN_BLOCKS: [(u32, u32); 2] = [(BLOCK_RECYCLING_FILTER, 1), (BLOCK_COUNTERS, 1)];

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

/// A filter that was identified: its registers by their meaning.
///
/// ```
/// use bloomline_driver::{Device, Limits, Transport};
/// use bloomline_spec::Geometry;
///
/// fn lower_threshold<T: Transport>(link: T, geometry: &Geometry) -> Result<u64, bloomline_driver::DriverError> {
///     let mut device = Device::identify(link, geometry, Limits::default())?;
///     device.set_threshold(geometry.threshold() / 2)?;
///     Ok(device.counters()?.get(bloomline_spec::registers::Counter::Recycles))
/// }
/// ```
#[derive(Debug)]
pub struct Device<T> {
    transport: T,
    limits: Limits,
    blocks: Vec<Block>,
    threshold_least: u64,
    threshold_most: u64,
}

impl<T: Transport> Device<T> {
    /// Reads who the device is, and takes it only if it is a filter of this geometry.
    ///
    /// # Errors
    /// [`DriverError::Magic`], [`DriverError::MapVersion`] and [`DriverError::GeometryHash`] with the value expected and the
    /// value read; those of the block list; or a failed access.
    pub fn identify(
        transport: T,
        geometry: &Geometry,
        limits: Limits,
    ) -> Result<Device<T>, DriverError> {
        let threshold_least = match geometry.recycle_on() {
            RecycleOn::BitsSet => u64::from(geometry.hashes()),
            RecycleOn::Messages => 1,
        };
        let mut transport = transport;
        let identity = Identity::read(&mut transport, limits.access)?;
        let (expected, got) = (geometry.geometry_hash(), identity.geometry_hash);
        if got != expected {
            return Err(DriverError::GeometryHash { expected, got });
        }
        let known = |block: &Block| KNOWN_BLOCKS.contains(&(block.kind, block.version));
        if let Some(block) = identity.blocks.iter().find(|block| !known(block)) {
            return Err(DriverError::UnknownBlock {
                address: block.address,
                kind: block.kind,
                version: block.version,
            });
        }
        let device = Device {
            transport,
            limits,
            blocks: identity.blocks,
            threshold_least,
            threshold_most: geometry.half_bits(),
        };
        device.expect_blocks(&RegisterMap::for_geometry(geometry))?;
        Ok(device)
    }

    /// The blocks of the device, in the order of its list.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// What the filter is doing.
    ///
    /// # Errors
    /// A failed access.
    pub fn status(&mut self) -> Result<Status, DriverError> {
        Ok(Status::from_bits(self.read("status", address::STATUS)?))
    }

    /// The threshold in force: bits set or messages of one half.
    ///
    /// # Errors
    /// A failed access.
    pub fn threshold(&mut self) -> Result<u64, DriverError> {
        Ok(self.read("threshold", address::THRESHOLD)?.into())
    }

    /// Sets the threshold, in bits set or messages of one half. A value below what the half holds acts at the next
    /// bit-setting item.
    ///
    /// # Errors
    /// [`DriverError::Threshold`] for a value that the specification would refuse too; nothing is written then. Or a failed
    /// access.
    pub fn set_threshold(&mut self, threshold: u64) -> Result<(), DriverError> {
        let (least, most) = (self.threshold_least, self.threshold_most);
        let refused = DriverError::Threshold {
            least,
            most,
            got: threshold,
        };
        match u32::try_from(threshold) {
            Ok(value) if (least..=most).contains(&threshold) => {
                self.write("set threshold", address::THRESHOLD, value)
            }
            _ => Err(refused),
        }
    }

    /// The longest time a half stays active, in ticks of 1024 clocks; 0 means no limit.
    ///
    /// # Errors
    /// A failed access.
    pub fn max_age_ticks(&mut self) -> Result<u32, DriverError> {
        self.read("maximum age", address::MAX_AGE)
    }

    /// Sets the longest time a half stays active, in ticks of 1024 clocks; 0 means no limit.
    ///
    /// # Errors
    /// A failed access.
    pub fn set_max_age_ticks(&mut self, ticks: u32) -> Result<(), DriverError> {
        self.write("set maximum age", address::MAX_AGE, ticks)
    }

    /// Empties the filter and waits until it takes items again. Counters stay.
    ///
    /// # Errors
    /// [`DriverError::NotRunning`] if it does not run again within [`Limits::command`], or a failed access.
    pub fn clear(&mut self) -> Result<(), DriverError> {
        self.write("clear", address::CONTROL, 1 << field::CONTROL_CLEAR)?;
        let start = Instant::now();
        while !self.status()?.running {
            if start.elapsed() >= self.limits.command {
                return Err(DriverError::NotRunning {
                    command: "clear",
                    within: self.limits.command,
                });
            }
        }
        Ok(())
    }

    /// Bits set in the active half.
    ///
    /// # Errors
    /// A failed access.
    pub fn bits_active(&mut self) -> Result<u64, DriverError> {
        Ok(self.read("bits set", address::BITS_ACTIVE)?.into())
    }

    /// Bits set in the frozen half, 0 with one phase.
    ///
    /// # Errors
    /// A failed access.
    pub fn bits_frozen(&mut self) -> Result<u64, DriverError> {
        Ok(self.read("bits set", address::BITS_FROZEN)?.into())
    }

    /// Bit-setting messages accepted in this cycle.
    ///
    /// # Errors
    /// A failed access.
    pub fn messages(&mut self) -> Result<u64, DriverError> {
        Ok(self.read("messages", address::MESSAGES)?.into())
    }

    /// One 64-bit counter, of one instant: reading the low half captures the high half, so the two are read in that order
    /// and in one burst, into which no other client of the link comes.
    ///
    /// # Errors
    /// A failed access.
    pub fn counter(&mut self, counter: Counter) -> Result<u64, DriverError> {
        let mut halves = [0; 2];
        self.transport
            .burst(counter.address_lo(), &mut halves, self.limits.access)
            .map_err(DriverError::while_("counter"))?;
        let [low, high] = halves.map(u64::from);
        Ok(high << 32 | low)
    }

    /// Every counter, one after the other.
    ///
    /// # Errors
    /// A failed access.
    pub fn counters(&mut self) -> Result<Counters, DriverError> {
        let mut values = [0; Counter::ALL.len()];
        for (value, counter) in values.iter_mut().zip(Counter::ALL) {
            *value = self.counter(counter)?;
        }
        Ok(Counters::new(values))
    }

    /// Gives the transport back.
    pub fn into_transport(self) -> T {
        self.transport
    }

    /// Every block of the map but the identification stands where the map has it.
    fn expect_blocks(&self, map: &RegisterMap) -> Result<(), DriverError> {
        let listed = map
            .blocks
            .iter()
            .filter(|block| block.offset != address::MAGIC);
        for block in listed {
            let kind = map
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

    fn read(&mut self, doing: &'static str, address: u32) -> Result<u32, DriverError> {
        self.transport
            .read(address, self.limits.access)
            .map_err(DriverError::while_(doing))
    }

    fn write(&mut self, doing: &'static str, address: u32, value: u32) -> Result<(), DriverError> {
        self.transport
            .write(address, value, self.limits.access)
            .map_err(DriverError::while_(doing))
    }
}
