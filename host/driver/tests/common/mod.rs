//! A filter's registers without the filter, answering by the map, with faults to order.

use bloomline_driver::{CounterRegister, Transport, TransportError, Within};
use bloomline_spec::registers::{address, field, Access};
use bloomline_spec::{FilterSpec, RecyclingGeometry, RegisterMap, EXAMPLES};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

#[allow(dead_code, reason = "not every test file has this one")]
pub fn geometry() -> RecyclingGeometry {
    let (file, text) = EXAMPLES[0];
    let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
    let sizing = spec.validate().expect("an example");
    sizing.with_threshold(30_000).expect("a legal threshold")
}

/// The same with parity of its memory words.
#[allow(dead_code, reason = "not every test file has errors in memory")]
pub fn geometry_with_parity() -> RecyclingGeometry {
    let (file, text) = EXAMPLES[0];
    let text = format!("{text}\n[memory]\nparity = \"empty\"\n");
    let spec = FilterSpec::from_toml(&text, Path::new(file)).expect("an example, and a section");
    let sizing = spec.validate().expect("recycling filters have parity");
    sizing.with_threshold(30_000).expect("a legal threshold")
}

/// A [`Fake`] that the test keeps a hand on while a bridge owns it.
#[derive(Clone)]
pub struct Kept {
    fake: Arc<Mutex<Fake>>,
    /// The last read that was answered.
    pub last_read: Arc<Mutex<Option<(u32, u32)>>>,
}

#[allow(dead_code, reason = "not every test file keeps one")]
impl Kept {
    pub fn new(fake: Fake) -> Kept {
        Kept {
            fake: Arc::new(Mutex::new(fake)),
            last_read: Arc::default(),
        }
    }

    pub fn with<R>(&self, look: impl FnOnce(&mut Fake) -> R) -> R {
        look(&mut self.fake.lock().expect("no test panics in here"))
    }
}

impl Transport for Kept {
    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        let read = self.with(|fake| fake.read(address, within))?;
        *self.last_read.lock().expect("as above") = Some((address, read));
        Ok(read)
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        self.with(|fake| fake.write(address, value, within))
    }
}

pub struct Fake {
    map: RegisterMap,
    /// Values that differ from the reset values.
    pub values: HashMap<u32, u32>,
    /// Counter that counts one on at every access, as a busy filter's would.
    pub busy: Option<CounterRegister>,
    captured: u32,
    /// Status reads until the filter runs again after a clear.
    pub clocks_to_clear: u32,
    waiting: u32,
    /// Address whose accesses get no answer.
    pub silent: Option<u32>,
    /// Every write, in order.
    pub writes: Vec<(u32, u32)>,
}

impl Fake {
    pub fn new(geometry: &RecyclingGeometry) -> Fake {
        Fake::with_map(RegisterMap::of(geometry))
    }

    pub fn with_map(map: RegisterMap) -> Fake {
        Fake {
            map,
            values: HashMap::new(),
            busy: None,
            captured: 0,
            clocks_to_clear: 2,
            waiting: 0,
            silent: None,
            writes: Vec::new(),
        }
    }

    pub fn set_counter(&mut self, counter: impl Into<CounterRegister>, value: u64) {
        let low = counter.into().address_lo();
        self.values.insert(low, value as u32);
        self.values.insert(low + 4, (value >> 32) as u32);
    }

    fn counter(&self, low: u32) -> u64 {
        let half = |address| u64::from(self.values.get(&address).copied().unwrap_or(0));
        half(low + 4) << 32 | half(low)
    }

    /// Whether the register there is a half of a counter whose name ends like this.
    fn is_half(&self, address: u32, ending: &str) -> bool {
        self.map.at(address).is_some_and(|register| {
            register.access == Access::ReadOnly && register.name.ends_with(ending)
        })
    }

    fn answers(&self, address: u32, within: Within) -> Result<(), TransportError> {
        if within.is_zero() || self.silent == Some(address) {
            return Err(TransportError::Timeout { address, within });
        }
        Ok(())
    }
}

impl Transport for Fake {
    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        self.answers(address, within)?;
        let register = self
            .map
            .at(address)
            .ok_or(TransportError::NoRegister { address })?;
        let reset = register.reset;
        if let Some(counter) = self.busy {
            let value = self.counter(counter.address_lo()).wrapping_add(1);
            self.set_counter(counter, value);
        }
        if self.is_half(address, "_LO") {
            let value = self.counter(address);
            self.captured = (value >> 32) as u32;
            return Ok(value as u32);
        }
        if self.is_half(address, "_HI") {
            return Ok(self.captured);
        }
        if address == address::STATUS {
            self.waiting = self.waiting.saturating_sub(1);
            let bits = self.values.get(&address).copied().unwrap_or(0);
            return Ok(bits | u32::from(self.waiting == 0) << field::STATUS_RUNNING);
        }
        Ok(self
            .values
            .get(&address)
            .copied()
            .unwrap_or(reset.unwrap_or(0)))
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        self.answers(address, within)?;
        let register = self
            .map
            .at(address)
            .ok_or(TransportError::NoRegister { address })?;
        if !register.access.is_writable() || value > register.max_value() {
            return Err(TransportError::Refused { address });
        }
        self.writes.push((address, value));
        if address == address::CONTROL {
            self.waiting = self.clocks_to_clear;
        } else {
            self.values.insert(address, value);
        }
        Ok(())
    }
}
