//! Ethernet ports of a line card: their links, and the host port.

use crate::error::TransportError;
use crate::transport::{Transport, Within};
use bloomline_spec::host_port::{HostAddress, HostAuth, HostBinding};
use bloomline_spec::registers::{address, field};
use bloomline_spec::LANES;
use std::fmt;

/// What the PHY of an Ethernet port tells of its link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortLink {
    /// There is a link. The rest says nothing where there is none.
    pub up: bool,
    /// Its speed in megabits a second; `None` where the PHY tells of none that there is. Frames go at 1000 only.
    pub megabits: Option<u32>,
    /// Both ends may send at once.
    pub full_duplex: bool,
}

impl PortLink {
    /// Those of every port of a line card, from LINK.
    pub(crate) fn all(bits: u32) -> Vec<PortLink> {
        let of_port = |port| PortLink::from_bits(bits >> (field::LINK_BITS * port));
        (0..LANES as u32).map(of_port).collect()
    }

    /// The link in the four lowest bits, as LINK has it.
    pub fn from_bits(bits: u32) -> PortLink {
        PortLink {
            up: bits & 1 == 1,
            megabits: match bits >> 1 & 3 {
                0 => Some(10),
                1 => Some(100),
                2 => Some(1000),
                _ => None,
            },
            full_duplex: bits >> 3 & 1 == 1,
        }
    }
}

impl fmt::Display for PortLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.up {
            return f.write_str("down");
        }
        match self.megabits {
            Some(megabits) => write!(f, "up, {megabits} Mb/s")?,
            None => f.write_str("up, speed not known")?,
        }
        match self.full_duplex {
            true => f.write_str(", full duplex"),
            false => f.write_str(", half duplex"),
        }
    }
}

/// What the registers of the host port say.
pub(crate) fn host_port<T: Transport>(
    link: &mut T,
    within: Within,
) -> Result<Option<HostBinding>, TransportError> {
    let host = link.read(address::HOST, within)?;
    let Some(port) = (0..LANES).find(|port| host >> port & 1 == 1) else {
        return Ok(None);
    };
    let mut read = |address| Ok(link.read(address, within)?.to_be_bytes());
    let ip = read(address::HOST_IP)?;
    let [c, d, e, f] = read(address::HOST_MAC_LO)?;
    let [_, _, a, b] = read(address::HOST_MAC_HI)?;
    let address = HostAddress {
        mac: [a, b, c, d, e, f],
        ip,
        udp_port: (host >> field::HOST_UDP_PORT) as u16,
    };
    let auth = match host >> field::HOST_TAGGED & 1 {
        1 => HostAuth::SipHash24,
        _ => HostAuth::None,
    };
    Ok(Some(HostBinding {
        port,
        address,
        auth,
    }))
}
