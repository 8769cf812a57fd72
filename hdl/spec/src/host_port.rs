//! Addresses and numbers of the host port, which reaches the registers over Ethernet.

/// Most bytes of a frame that the host port reads, without FCS.
pub const HOST_FRAME_BYTES: usize = HOST_HEAD_BYTES + HOST_PAYLOAD_BYTES;
/// Bytes of a frame before the payload: Ethernet, IPv4, and UDP or the first half of ICMP's. An ARP packet ends there.
pub const HOST_HEAD_BYTES: usize = 42;
/// Most bytes of payload that it keeps.
pub const HOST_PAYLOAD_BYTES: usize = 512;
/// Clocks for which an access waits for its response.
pub const HOST_BUS_CLOCKS: u32 = 1024;
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
