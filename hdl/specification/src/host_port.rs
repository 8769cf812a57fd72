//! Addresses and numbers of the host port, which reaches the registers over Ethernet.

use crate::values::{natural, words};
use serde::{Deserialize, Serialize};
use std::net::Ipv4Addr;

/// Most bytes of a frame that the host port reads, without FCS.
pub const HOST_FRAME_BYTES: usize = HOST_HEAD_BYTES + HOST_PAYLOAD_BYTES;
/// Bytes of a frame before the payload: Ethernet, IPv4, and UDP or the first half of ICMP's. An ARP packet ends there.
pub const HOST_HEAD_BYTES: usize = 42;
/// Most bytes of payload that it keeps.
pub const HOST_PAYLOAD_BYTES: usize = 512;
/// Clocks for which an access waits for its response.
pub const HOST_BUS_CLOCKS: u32 = 1024;
/// UDP port of Etherbone, unless a specification says otherwise.
pub const HOST_UDP_PORT: u16 = 1234;
/// Word of the mailbox, from the request's first on, that says whether requests need a tag.
pub const HOST_AUTH_WORD: u32 = 13;
/// Value of that word with tags and no secret loaded.
pub const HOST_AUTH_TAGGED: u32 = 0xB300_0001;
/// Bit of that word: a secret is loaded.
pub const HOST_AUTH_LOADED: u32 = 1;
/// Time to live of what it sends.
pub const HOST_TIME_TO_LIVE: u8 = 64;

/// Who the card is on its network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HostAddress {
    /// MAC address, in the order of transmission; not a group's.
    pub mac: [u8; 6],
    /// IPv4 address.
    pub ip: [u8; 4],
    /// UDP port of Etherbone.
    pub udp_port: u16,
}

impl HostAddress {
    /// Value of the register HOST_IP: the IPv4 address, its first byte the most significant.
    pub fn ip_register(&self) -> u32 {
        u32::from_be_bytes(self.ip)
    }

    /// Values of the registers HOST_MAC_LO and HOST_MAC_HI: the last four bytes of the MAC address and the first two.
    pub fn mac_registers(&self) -> [u32; 2] {
        let [a, b, c, d, e, f] = self.mac;
        [
            u32::from_be_bytes([c, d, e, f]),
            u32::from(u16::from_be_bytes([a, b])),
        ]
    }
}

words! {
    /// How the host port knows who may ask for accesses (`packet.host.auth`).
    #[derive(Default)]
    HostAuth {
        /// By a tag of SipHash-2-4 with each request, under a secret that a host loads over the UART.
        #[default]
        SipHash24 = "siphash-2-4",
        /// Not at all: whoever can send to the port may make every access.
        None = "none",
    }
}

/// Where a line card's host port stands, validated: `[packet.host]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HostBinding {
    /// Ethernet port that it answers at, below [`LANES`](crate::LANES).
    pub port: usize,
    /// Who it is there.
    pub address: HostAddress,
    /// How it knows who may ask for accesses.
    pub auth: HostAuth,
}

impl HostBinding {
    /// Value of the register HOST: bit p for port p, [`field::HOST_TAGGED`](crate::registers::field::HOST_TAGGED) for tags, and the UDP port from [`field::HOST_UDP_PORT`](crate::registers::field::HOST_UDP_PORT) on.
    pub fn register(&self) -> u32 {
        let udp_port = u32::from(self.address.udp_port);
        let tagged = u32::from(self.auth == HostAuth::SipHash24);
        1 << self.port
            | tagged << crate::registers::field::HOST_TAGGED
            | udp_port << crate::registers::field::HOST_UDP_PORT
    }
}

/// `[packet.host]`: the registers of a line card over Ethernet too, at one of its ports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostSection {
    /// Ethernet port that the card answers at: 0 or 1.
    #[serde(deserialize_with = "natural")]
    pub port: u64,
    /// The card's MAC address, six bytes in hexadecimal between colons; not a group's.
    pub mac: String,
    /// The card's IPv4 address, in dotted decimal.
    pub ip: String,
    /// UDP port of Etherbone.
    #[serde(default = "default_udp_port", deserialize_with = "natural")]
    pub udp_port: u64,
    /// How requests are known to be of somebody who may make them; tags unless given.
    #[serde(default)]
    pub auth: HostAuth,
}

fn default_udp_port() -> u64 {
    HOST_UDP_PORT.into()
}

/// Six bytes of two hexadecimal digits each, between colons.
pub(crate) fn parse_mac(text: &str) -> Option<[u8; 6]> {
    let bytes: Vec<u8> = text
        .split(':')
        .map(|byte| {
            let digits = byte.len() == 2 && byte.bytes().all(|b| b.is_ascii_hexdigit());
            u8::from_str_radix(byte, 16).ok().filter(|_| digits)
        })
        .collect::<Option<_>>()?;
    bytes.try_into().ok()
}

/// As [`parse_mac`] reads it.
pub(crate) fn mac_text(mac: [u8; 6]) -> String {
    mac.map(|byte| format!("{byte:02x}")).join(":")
}

/// Whether a host on a network may have this address: none of a group, of all, of none, or of the host itself.
pub(crate) fn is_host(ip: Ipv4Addr) -> bool {
    !(ip.is_multicast() || ip.is_broadcast() || ip.is_unspecified() || ip.is_loopback())
}
