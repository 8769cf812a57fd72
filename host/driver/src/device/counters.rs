use super::session::Session;
use super::{Device, Part};
use crate::error::DriverError;
use crate::transport::Transport;
use bloomline_spec::registers::{
    Access, CellCounter, CuckooCounter, HostCounter, PathCounter, PortCounter, RecyclingCounter,
    RegisterMap, SlidingCounter,
};
use bloomline_spec::{CounterWidth, Design};
use std::fmt;

/// A counter of a device, of 64 bits or as the specification says: of its filter, of any kind, or of what stands around it.
///
/// Printed, it says whose it is: `ITEMS` of the filter, `LANE_0.FRAMES_UNSEEN`, `PORT_1.FRAMES_BAD_FCS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CounterRegister {
    part: Part,
    name: &'static str,
    address_lo: u32,
}

impl CounterRegister {
    /// Whose it is.
    pub fn part(self) -> Part {
        self.part
    }

    /// Its name in the register map, without `_LO` and `_HI`, and without the part.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Byte address of its low half; the high half follows.
    pub fn address_lo(self) -> u32 {
        self.address_lo
    }
}

macro_rules! counter_of {
    ($($of:ident),+) => {
        $(impl From<$of> for CounterRegister {
            fn from(counter: $of) -> CounterRegister {
                CounterRegister {
                    part: Part::Filter,
                    name: counter.name(),
                    address_lo: counter.address_lo(),
                }
            }
        })+
    };
}

counter_of!(RecyclingCounter, CellCounter, SlidingCounter, CuckooCounter);

impl fmt::Display for CounterRegister {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            Part::Filter => f.write_str(self.name),
            part => write!(f, "{}.{}", part.to_string().to_uppercase(), self.name),
        }
    }
}

/// The counters of a device of this design in the order of their addresses: those of the kind of filter, then those of the packet
/// paths, of the Ethernet ports and of the host port, where there are any.
pub fn counter_registers(design: &Design) -> Vec<CounterRegister> {
    let of_filter = design.filter_counters().into_iter();
    let of_filter = of_filter.map(|(name, address_lo)| CounterRegister {
        part: Part::Filter,
        name,
        address_lo,
    });
    match design.lanes() {
        0 => of_filter.collect(),
        _ => of_filter
            .chain(surrounding_counters(&design.register_map()))
            .collect(),
    }
}

/// The counters around the filter in this map: those of packet paths, Ethernet ports and the host port, in the order of their
/// addresses.
fn surrounding_counters(map: &RegisterMap) -> impl Iterator<Item = CounterRegister> + '_ {
    let registers = map.blocks.iter().flat_map(|block| {
        let of_block = |register| (Part::of_block(block.name), register);
        block.registers.iter().map(of_block)
    });
    registers.filter_map(|(part, register)| {
        let name = register.name.strip_suffix("_LO")?;
        let high = map.at(register.offset + 4)?;
        // What is a number of the design (a MAC address) is no counter.
        if high.name.strip_suffix("_HI") != Some(name) || high.access != Access::ReadOnly {
            return None;
        }
        let (part, name) = part?.of_register(name);
        Some(CounterRegister {
            part,
            name,
            address_lo: register.offset,
        })
    })
}

/// Every counter of a device, read one after the other (each for itself is one instant's value).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counters {
    values: Vec<(CounterRegister, u64)>,
    /// Width of those of the filter.
    width: CounterWidth,
}

impl Counters {
    /// One counter: events, or clocks for the stall counters. `None` for a counter of another kind of filter.
    pub fn get(&self, counter: impl Into<CounterRegister>) -> Option<u64> {
        let counter = counter.into();
        self.iter()
            .find_map(|(other, value)| (other == counter).then_some(value))
    }

    /// The counter of this name, as it is printed, if the device has it: `ITEMS`, which all have, `RECYCLES`, or
    /// `LANE_0.FRAMES_UNSEEN`.
    pub fn named(&self, name: &str) -> Option<u64> {
        self.iter()
            .find_map(|(counter, value)| (counter.to_string() == name).then_some(value))
    }

    /// How far a counter went on from `before` to here; `None` if it is in one of them only or went back, so that the device was reset in
    /// between. A counter of 32 bits may have gone round, and went back if it would have gone on by 2^31 or more.
    pub fn since(&self, before: &Counters, counter: CounterRegister) -> Option<u64> {
        let (now, then) = (self.get(counter)?, before.get(counter)?);
        match counter.part {
            Part::Filter => self.width.advance(then, now),
            _ => now.checked_sub(then),
        }
    }

    /// Whether the filter's own counters are built.
    pub fn are_built(&self) -> bool {
        self.width.is_built()
    }

    /// Every counter with its value, in the order of the register map.
    pub fn iter(&self) -> impl Iterator<Item = (CounterRegister, u64)> + '_ {
        self.values.iter().copied()
    }
}

impl<T: Transport> Device<T> {
    /// One counter, of one instant. Traffic: one burst of two reads, low half then high half, since reading the low
    /// half captures the high one; no other client of the link comes between. A counter of 32 bits takes one read.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for a counter of another kind of filter, [`DriverError::NotBuilt`] for gateware without counters, or a failed
    /// access.
    pub fn counter(&self, counter: impl Into<CounterRegister>) -> Result<u64, DriverError> {
        let counter = counter.into();
        if counter.part == Part::Filter && !self.design.counter_width().is_built() {
            return Err(self.not_built("counter", counter.name, "features.counters"));
        }
        if !self.counters.contains(&counter) {
            return Err(self.not_there("counter", counter.name));
        }
        self.read(&mut self.session("counter"), counter)
    }

    /// Both halves of a counter, or its 32 bits.
    fn read(
        &self,
        session: &mut Session<'_, T>,
        counter: CounterRegister,
    ) -> Result<u64, DriverError> {
        let mut halves = [0; 2];
        let built = match self.map.at(counter.address_lo + 4) {
            Some(_) => &mut halves[..],
            None => &mut halves[..1],
        };
        session.burst(counter.address_lo, built)?;
        let [low, high] = halves.map(u64::from);
        Ok(high << 32 | low)
    }

    /// One counter of a packet path: `lane` is 0, or 1 for the second lane of a line card. Traffic: that of
    /// [`Device::counter`].
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for a card without a packet path, [`DriverError::Place`] for a lane that it has not, or a
    /// failed access.
    pub fn path_counter(&self, lane: usize, counter: PathCounter) -> Result<u64, DriverError> {
        let above = self.lane("counter", lane)?;
        self.counter_at(counter.address_lo() + above)
    }

    /// One counter of an Ethernet port of a line card, 0 or 1. Traffic: that of [`Device::counter`].
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for any but a line card, [`DriverError::Place`] for a port that it has not, or a failed access.
    pub fn port_counter(&self, port: usize, counter: PortCounter) -> Result<u64, DriverError> {
        self.port("counter", port)?;
        self.counter_at(counter.address_lo(port))
    }

    /// One counter of the host port of a line card. Traffic: that of [`Device::counter`].
    ///
    /// # Errors
    /// [`DriverError::NotThere`] without a host port, or a failed access.
    pub fn host_counter(&self, counter: HostCounter) -> Result<u64, DriverError> {
        self.needs("counter", counter.address_lo(), "host port")?;
        self.counter_at(counter.address_lo())
    }

    fn counter_at(&self, address_lo: u32) -> Result<u64, DriverError> {
        let at = |counter: &&CounterRegister| counter.address_lo == address_lo;
        match self.counters.iter().find(at) {
            Some(&counter) => self.read(&mut self.session("counter"), counter),
            None => Err(self.not_there("counter", "such counter")),
        }
    }

    /// Every counter: those of the kind of filter, and of packet paths, Ethernet ports and host port where there are any.
    /// Traffic: one burst of two reads for each.
    ///
    /// # Errors
    /// A failed access.
    pub fn counters(&self) -> Result<Counters, DriverError> {
        let mut session = self.session("counters");
        let registers = self.counters.iter().copied();
        let values = registers.map(|counter| Ok((counter, self.read(&mut session, counter)?)));
        Ok(Counters {
            values: values.collect::<Result<_, DriverError>>()?,
            width: self.design.counter_width(),
        })
    }
}
