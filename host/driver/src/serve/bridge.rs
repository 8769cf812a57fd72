use crate::error::TransportError;
use crate::mailbox::{
    Record, Request, RECORD, RECORD_WORDS, REQUEST, REQUEST_WORDS, RESPONSE_NONE,
};
use crate::transport::{Transport, Within};
use bloomline_spec::registers::{RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR};

/// A bus with a device at address 0 and the [mailbox](crate::mailbox), as the bridges of this project have them.
#[derive(Debug)]
pub struct Bridge<T> {
    device: T,
    within: Within,
    /// The bridge has a mailbox; LiteX's own have none.
    has_mailbox: bool,
    /// Bits of an address of the device's bus, where the bridge knows it.
    bus_bits: Option<u32>,
    request: [u32; REQUEST_WORDS],
    record: Record,
}

impl<T: Transport> Bridge<T> {
    /// In front of `device`, each of whose accesses is given `within`.
    pub fn new(device: T, within: Within) -> Bridge<T> {
        Bridge {
            device,
            within,
            has_mailbox: true,
            bus_bits: None,
            request: [0; REQUEST_WORDS],
            record: Record::default(),
        }
    }

    /// Without a mailbox, as LiteX's own bridges are.
    pub fn plain(device: T, within: Within) -> Bridge<T> {
        Bridge {
            has_mailbox: false,
            ..Bridge::new(device, within)
        }
    }

    /// With a bus of so many bits of address: what lies beyond is refused at once, as a card's own bridge does, and the device, which may
    /// take seconds for an answer, is not asked.
    pub fn with_bus_bits(self, bits: u32) -> Bridge<T> {
        Bridge {
            bus_bits: Some(bits),
            ..self
        }
    }

    /// The device.
    pub fn device_mut(&mut self) -> &mut T {
        &mut self.device
    }

    /// What a bus read gives: 0 where the device refuses, `None` where it gives no answer.
    pub fn read(&mut self, address: u32) -> Option<u32> {
        if let Some(place) = self.place(address, RECORD, RECORD_WORDS) {
            return Some(self.record.encode()[place]);
        }
        let record = self.access(0, None, address);
        (record.response != RESPONSE_NONE).then_some(record.data)
    }

    /// A bus write; a refusal goes unsaid.
    pub fn write(&mut self, address: u32, value: u32) {
        let Some(place) = self.place(address, REQUEST, REQUEST_WORDS) else {
            self.access(0, Some(value), address);
            return;
        };
        self.request[place] = value;
        if place + 1 == REQUEST_WORDS {
            match Request::decode(&self.request) {
                Some(request) if request.expect == self.record.count => {
                    let data = request.write.then_some(request.data);
                    self.access(request.tag, data, request.address);
                }
                _ => {}
            }
        }
    }

    /// Which of the mailbox's `words` words at `start` an address is.
    fn place(&self, address: u32, start: u32, words: usize) -> Option<usize> {
        let place = (address.checked_sub(start)? / 4) as usize;
        (self.has_mailbox && place < words).then_some(place)
    }

    fn access(&mut self, tag: u16, write: Option<u32>, address: u32) -> Record {
        let result = match write {
            _ if self.bus_bits.is_some_and(|bits| address >> bits > 0) => {
                Err(TransportError::NoRegister { address })
            }
            Some(value) => self
                .device
                .write(address, value, self.within)
                .map(|()| value),
            None => self.device.read(address, self.within),
        };
        let response = match &result {
            Ok(_) => RESPONSE_OKAY,
            Err(TransportError::Refused { .. }) => RESPONSE_SLVERR,
            Err(TransportError::NoRegister { .. }) => RESPONSE_DECERR,
            Err(_) => RESPONSE_NONE,
        };
        self.record = Record {
            tag,
            write: write.is_some(),
            response,
            count: self.record.count.wrapping_add(1),
            address,
            data: result.ok().or(write).unwrap_or(0),
        };
        self.record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mailbox::AUTH;
    use std::time::Duration;

    /// A device that must not be asked.
    struct Untouched;

    impl Transport for Untouched {
        fn read(&mut self, address: u32, _: Within) -> Result<u32, TransportError> {
            panic!("read of 0x{address:X}")
        }

        fn write(&mut self, address: u32, _: u32, _: Within) -> Result<(), TransportError> {
            panic!("write of 0x{address:X}")
        }
    }

    #[test]
    fn what_lies_beyond_the_bus_is_refused_without_the_device() {
        let mut bridge = Bridge::new(Untouched, Duration::from_millis(1)).with_bus_bits(12);
        assert_eq!(bridge.read(0x1000), Some(0));
        assert_eq!(bridge.read(AUTH), Some(0));
        assert_eq!(bridge.record.response, RESPONSE_DECERR);
        assert_eq!(bridge.record.count, 2, "accesses like any other");
    }
}
