use crate::block::Block;
use crate::counters::Counters;
use crate::error::DriverError;
use crate::status::Status;
use crate::transport::{Transport, Within};
use bloomline_spec::registers::{
    address, field, Counter, ADDRESS_BITS, BLOCK_COUNTERS, BLOCK_RECYCLING_FILTER, MAGIC,
    MAP_VERSION,
};
use bloomline_spec::{Geometry, RecycleOn, RegisterMap};
use std::time::{Duration, Instant};

/// Blocks that this driver knows: type, version.
const KNOWN_BLOCKS: [(u32, u32); 2] = [(BLOCK_RECYCLING_FILTER, 1), (BLOCK_COUNTERS, 1)];
/// Registers that open every block: type, version, next.
const BLOCK_HEADER: usize = 3;

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
        let mut device = Device {
            transport,
            limits,
            blocks: Vec::new(),
            threshold_least,
            threshold_most: geometry.half_bits(),
        };
        let got = device.read("identify", address::MAGIC)?;
        if got != MAGIC {
            let expected = MAGIC;
            return Err(DriverError::Magic { expected, got });
        }
        let got = device.read("identify", address::VERSION)?;
        if got != MAP_VERSION {
            let expected = MAP_VERSION;
            return Err(DriverError::MapVersion { expected, got });
        }
        let low = device.read("identify", address::GEOMETRY_HASH_LO)?;
        let high = device.read("identify", address::GEOMETRY_HASH_HI)?;
        let got = u64::from(high) << 32 | u64::from(low);
        let expected = geometry.geometry_hash();
        if got != expected {
            return Err(DriverError::GeometryHash { expected, got });
        }
        device.blocks = device.walk_blocks()?;
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

    fn walk_blocks(&mut self) -> Result<Vec<Block>, DriverError> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut from = address::FIRST_BLOCK;
        let mut to = self.read("identify", from)?;
        while to != 0 {
            let bad = |why| DriverError::BlockList { from, to, why };
            if !to.is_multiple_of(4) {
                return Err(bad("is no multiple of 4"));
            }
            if to > (1 << ADDRESS_BITS) - 4 * BLOCK_HEADER as u32 {
                return Err(bad("is outside the register space"));
            }
            if blocks.iter().any(|block| block.address == to) {
                return Err(bad("was passed before: the list is a circle"));
            }
            let mut header = [0; BLOCK_HEADER];
            self.transport
                .burst(to, &mut header, self.limits.access)
                .map_err(DriverError::while_("identify"))?;
            let [kind, version, next] = header;
            if !KNOWN_BLOCKS.contains(&(kind, version)) {
                let address = to;
                return Err(DriverError::UnknownBlock {
                    address,
                    kind,
                    version,
                });
            }
            blocks.push(Block {
                address: to,
                kind,
                version,
            });
            from = to + 8;
            to = next;
        }
        Ok(blocks)
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
