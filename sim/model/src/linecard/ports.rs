use crate::mac::FrameEnd;
use bloomline_spec::registers::{
    address, field, PortCounter, BLOCK_PORTS, RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR,
};
use bloomline_spec::LANES;

const VERSION: u32 = 1;

/// The registers of the Ethernet ports: what their PHYs tell, and their counters.
#[derive(Debug, Clone, Default)]
pub struct PortsModel {
    counters: [[u64; PortCounter::ALL.len()]; LANES],
    link: [u8; LANES],
    /// High half of the counter whose low half was read last.
    high_half: u32,
}

impl PortsModel {
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
            address::PORTS_VERSION => VERSION,
            address::PORTS_NEXT => 0,
            address::LINK => {
                let [zero, one] = self.link.map(u32::from);
                one << field::LINK_BITS | zero
            }
            _ => match self.half(address) {
                Some(value) => value,
                None => return (0, RESPONSE_DECERR),
            },
        };
        (value, RESPONSE_OKAY)
    }

    /// A half of a counter.
    fn half(&mut self, address: u32) -> Option<u32> {
        let by = address.checked_sub(address::PORT_COUNTERS)?;
        let port = (by / address::PORT_BYTES) as usize;
        let within = by % address::PORT_BYTES;
        let counter = self.counters.get(port)?[within as usize / 8];
        Some(match within % 8 {
            0 => {
                self.high_half = (counter >> 32) as u32;
                counter as u32
            }
            _ => self.high_half,
        })
    }

    /// A write to a byte address of the ports' block, which nothing there takes: the AXI4-Lite response.
    pub fn write(&mut self, address: u32) -> u32 {
        match self.clone().read(address) {
            (_, RESPONSE_OKAY) => RESPONSE_SLVERR,
            (_, refused) => refused,
        }
    }

    /// What a reset leaves: counters of 0. What the PHYs tell they go on telling.
    pub fn reset(&mut self) {
        self.counters = Default::default();
        self.high_half = 0;
    }
}
