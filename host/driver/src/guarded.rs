use crate::checking::Checking;
use crate::error::TransportError;
use crate::transport::{Transport, Within};
use bloomline_spec::RegisterMap;

/// A transport that refuses, before anything is sent, what the register map says the device would refuse.
///
/// For paths that cannot carry a refusal (a PCIe BAR, LiteX's own bridges), where an access to a register that is not there
/// reads as something and a refused write looks like any other.
#[derive(Debug)]
pub struct Guarded<T> {
    transport: T,
    map: RegisterMap,
}

impl<T: Transport> Guarded<T> {
    /// Guards `transport`, at whose other end is a device of `map`.
    pub fn new(transport: T, map: RegisterMap) -> Guarded<T> {
        Guarded { transport, map }
    }

    fn allows(&self, address: u32, value: u32) -> Result<(), TransportError> {
        match self.map.at(address) {
            None => Err(TransportError::NoRegister { address }),
            Some(register) if !register.access.is_writable() || value > register.max_value() => {
                Err(TransportError::Refused { address })
            }
            Some(_) => Ok(()),
        }
    }

    /// Gives the transport back.
    pub fn into_transport(self) -> T {
        self.transport
    }
}

impl<T: Transport> Transport for Guarded<T> {
    fn checking(&self) -> Option<Checking> {
        self.transport.checking()
    }

    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        match self.map.at(address) {
            Some(_) => self.transport.read(address, within),
            None => Err(TransportError::NoRegister { address }),
        }
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        self.allows(address, value)?;
        self.transport.write(address, value, within)
    }

    fn burst(
        &mut self,
        address: u32,
        values: &mut [u32],
        within: Within,
    ) -> Result<(), TransportError> {
        let addresses = (0u32..).map(|place| address.wrapping_add(4 * place));
        let missing = addresses
            .take(values.len())
            .find(|&address| self.map.at(address).is_none());
        match missing {
            Some(address) => Err(TransportError::NoRegister { address }),
            None => self.transport.burst(address, values, within),
        }
    }

    fn write_burst(
        &mut self,
        address: u32,
        values: &[u32],
        within: Within,
    ) -> Result<(), TransportError> {
        for (place, &value) in (0u32..).zip(values) {
            self.allows(address.wrapping_add(4 * place), value)?;
        }
        self.transport.write_burst(address, values, within)
    }

    fn read_then_write(
        &mut self,
        read: u32,
        values: &mut [u32],
        write: u32,
        words: &[u32],
        within: Within,
    ) -> Result<(), TransportError> {
        for (place, &word) in (0u32..).zip(words) {
            self.allows(write.wrapping_add(4 * place), word)?;
        }
        self.transport
            .read_then_write(read, values, write, words, within)
    }
}
