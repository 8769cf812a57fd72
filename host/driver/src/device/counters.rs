use super::session::Session;
use super::Device;
use crate::error::DriverError;
use crate::transport::Transport;
use bloomline_spec::registers::{CellCounter, Counter, SlidingCounter};

/// A 64-bit counter of any kind of filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CounterRegister {
    name: &'static str,
    address_lo: u32,
}

impl CounterRegister {
    /// Its name in the register map, without `_LO` and `_HI`.
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
                CounterRegister { name: counter.name(), address_lo: counter.address_lo() }
            }
        })+
    };
}

counter_of!(Counter, CellCounter, SlidingCounter);

/// Every counter of a device, read one after the other (each for itself is one instant's value).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counters {
    values: Vec<(CounterRegister, u64)>,
}

impl Counters {
    /// One counter: events, or clocks for the stall counters. `None` for a counter of another kind of filter.
    pub fn get(&self, counter: impl Into<CounterRegister>) -> Option<u64> {
        let counter = counter.into();
        self.iter()
            .find_map(|(other, value)| (other == counter).then_some(value))
    }

    /// The counter of this name in the register map, if the device has it: `ITEMS`, which all have, or `RECYCLES`.
    pub fn named(&self, name: &str) -> Option<u64> {
        self.iter()
            .find_map(|(counter, value)| (counter.name == name).then_some(value))
    }

    /// Every counter with its value, in the order of the register map.
    pub fn iter(&self) -> impl Iterator<Item = (CounterRegister, u64)> + '_ {
        self.values.iter().copied()
    }
}

impl<T: Transport> Device<T> {
    /// One 64-bit counter, of one instant. Traffic: one burst of two reads, low half then high half, since reading the low
    /// half captures the high one; no other client of the link comes between.
    ///
    /// # Errors
    /// [`DriverError::NotThere`] for a counter of another kind of filter, or a failed access.
    pub fn counter(&self, counter: impl Into<CounterRegister>) -> Result<u64, DriverError> {
        let counter = counter.into();
        if !self.design.counters().contains(&counter) {
            return Err(self.not_there("counter", counter.name));
        }
        read(&mut self.session("counter"), counter)
    }

    /// Every counter of the kind. Traffic: one burst of two reads for each.
    ///
    /// # Errors
    /// A failed access.
    pub fn counters(&self) -> Result<Counters, DriverError> {
        let mut session = self.session("counters");
        let registers = self.design.counters().into_iter();
        let values = registers.map(|counter| Ok((counter, read(&mut session, counter)?)));
        Ok(Counters {
            values: values.collect::<Result<_, DriverError>>()?,
        })
    }
}

fn read<T: Transport>(
    session: &mut Session<'_, T>,
    counter: CounterRegister,
) -> Result<u64, DriverError> {
    let mut halves = [0; 2];
    session.burst(counter.address_lo, &mut halves)?;
    let [low, high] = halves.map(u64::from);
    Ok(high << 32 | low)
}
