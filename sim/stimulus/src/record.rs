//! Flow fields of a frame.

use std::net::IpAddr;

/// The flow fields of one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Record {
    /// Source address.
    pub source: IpAddr,
    /// Destination address, of the same family.
    pub destination: IpAddr,
    /// Protocol number of the payload: 6 TCP, 17 UDP. For IPv6 the one behind the extension headers; for a fragment that of
    /// the fragmented packet.
    pub protocol: u8,
    /// Source port; 0 for protocols without ports and for fragments after the first, which carry none.
    pub source_port: u16,
    /// Destination port, as `source_port`.
    pub destination_port: u16,
    /// Time of capture in nanoseconds since 1970.
    pub timestamp_ns: u64,
    /// Length of the frame on the wire in bytes, also where less was captured.
    pub frame_bytes: u32,
}

/// Why a frame gave no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Skip {
    /// Neither IPv4 nor IPv6 (ARP, spanning tree, an unknown EtherType, a link type that is not decoded).
    NotIp,
    /// Less was captured than the flow fields need.
    Truncated,
    /// A header contradicts itself.
    Malformed,
}

impl std::fmt::Display for Skip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Skip::NotIp => "not IP",
            Skip::Truncated => "cut off",
            Skip::Malformed => "malformed",
        })
    }
}
