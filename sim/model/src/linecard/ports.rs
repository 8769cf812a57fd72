use crate::mac::FrameEnd;
use bloomline_spec::host_port::{HostAuth, HostBinding};
use bloomline_spec::registers::{
    address, field, HostCounter, PortCounter, BLOCK_PORTS, RESPONSE_DECERR, RESPONSE_OKAY,
    RESPONSE_SLVERR,
};
use bloomline_spec::LANES;

const VERSION: u32 = 1;

/// The registers of the Ethernet ports: what their PHYs tell, their counters, and those of a host port.
#[derive(Debug, Clone)]
pub struct PortsModel {
    host: Option<HostBinding>,
    host_counters: [u64; HostCounter::ALL.len()],
    /// The secret of the host port's tags, the lowest word first: as written, and in force.
    written_key: [u32; 4],
    host_secret: u128,
    counters: [[u64; PortCounter::ALL.len()]; LANES],
    link: [u8; LANES],
    /// High half of the counter whose low half was read last.
    high_half: u32,
}

impl PortsModel {
    /// As after reset, with a host port or without.
    pub fn new(host: Option<HostBinding>) -> PortsModel {
        PortsModel {
            host,
            host_counters: Default::default(),
            written_key: [0; 4],
            host_secret: 0,
            counters: Default::default(),
            link: Default::default(),
            high_half: 0,
        }
    }

    /// The secret in force for the host port's tags; 0 for none.
    pub fn host_secret(&self) -> u128 {
        self.host_secret
    }

    /// Which word of the secret a byte address is.
    fn key_word(&self, address: u32) -> Option<usize> {
        let tagged = self.host?.auth == HostAuth::SipHash24;
        let word = (address.checked_sub(address::HOST_KEY)? / 4) as usize;
        (tagged && word < 4).then_some(word)
    }

    /// The host port has this to count.
    pub fn count_host(&mut self, counter: HostCounter) {
        self.host_counters[counter as usize] += 1;
    }

    /// Value of a counter of the host port.
    pub fn host_counter(&self, counter: HostCounter) -> u64 {
        self.host_counters[counter as usize]
    }

    /// A frame has ended at a port's pins.
    pub fn received(&mut self, port: usize, end: FrameEnd) {
        let counter = match end {
            FrameEnd::Good => PortCounter::FramesGood,
            FrameEnd::BadFcs => PortCounter::FramesBadFcs,
            FrameEnd::Runt => PortCounter::FramesRunt,
            FrameEnd::Error => PortCounter::FramesError,
        };
        self.counters[port][counter as usize] += 1;
    }

    /// A port has sent a frame.
    pub fn sent(&mut self, port: usize) {
        self.counters[port][PortCounter::FramesSent as usize] += 1;
    }

    /// What a PHY tells of its link: up (bit 0), speed (2:1), full duplex (3).
    pub fn tell(&mut self, port: usize, link: u8) {
        self.link[port] = link & ((1 << field::LINK_BITS) - 1);
    }

    /// Value of a counter.
    pub fn counter(&self, port: usize, counter: PortCounter) -> u64 {
        self.counters[port][counter as usize]
    }

    /// A read from a byte address of the ports' block: data and AXI4-Lite response.
    pub fn read(&mut self, address: u32) -> (u32, u32) {
        let value = match address {
            address::PORTS => BLOCK_PORTS,
            address::PORTS_VERSION => match self.host.map(|host| host.auth) {
                Some(HostAuth::SipHash24) => 2,
                _ => VERSION,
            },
            address::PORTS_NEXT => 0,
            address::LINK => {
                let [zero, one] = self.link.map(u32::from);
                one << field::LINK_BITS | zero
            }
            address::HOST => self.host.map_or(0, |host| {
                let tagged = u32::from(host.auth == HostAuth::SipHash24);
                u32::from(host.address.udp_port) << 16 | tagged << 2 | 1 << host.port
            }),
            _ if self.key_word(address).is_some() => 0,
            _ => match self.host_address(address).or_else(|| self.half(address)) {
                Some(value) => value,
                None => return (0, RESPONSE_DECERR),
            },
        };
        (value, RESPONSE_OKAY)
    }

    /// Who the card is to the network of its host port.
    fn host_address(&self, address: u32) -> Option<u32> {
        let host = self.host?.address;
        let [first, second, last @ ..] = host.mac;
        match address {
            address::HOST_IP => Some(u32::from_be_bytes(host.ip)),
            address::HOST_MAC_LO => Some(u32::from_be_bytes(last)),
            address::HOST_MAC_HI => Some(u32::from_be_bytes([0, 0, first, second])),
            _ => None,
        }
    }

    /// A half of a counter.
    fn half(&mut self, address: u32) -> Option<u32> {
        let of_host = address.checked_sub(address::HOST_COUNTERS);
        let counter = match of_host.filter(|_| self.host.is_some()) {
            Some(by) => *self.host_counters.get(by as usize / 8)?,
            None => {
                let by = address.checked_sub(address::PORT_COUNTERS)?;
                let port = (by / address::PORT_BYTES) as usize;
                self.counters.get(port)?[(by % address::PORT_BYTES) as usize / 8]
            }
        };
        Some(match address % 8 {
            0 => {
                self.high_half = (counter >> 32) as u32;
                counter as u32
            }
            _ => self.high_half,
        })
    }

    /// A write to a byte address of the ports' block, where only the secret of the host port's tags can be written: the AXI4-Lite response.
    pub fn write(&mut self, address: u32, value: u32) -> u32 {
        if let Some(word) = self.key_word(address) {
            self.written_key[word] = value;
            if word == 3 {
                let number = |number, &word| number << 32 | u128::from(word);
                self.host_secret = self.written_key.iter().rev().fold(0, number);
            }
            return RESPONSE_OKAY;
        }
        match self.clone().read(address) {
            (_, RESPONSE_OKAY) => RESPONSE_SLVERR,
            (_, refused) => refused,
        }
    }

    /// What a reset leaves: counters of 0. What the PHYs tell they go on telling.
    pub fn reset(&mut self) {
        self.counters = Default::default();
        self.host_counters = Default::default();
        self.high_half = 0;
    }
}
