//! Register addresses of each lane, and which of them the network host writes.

use bloomline_spec::registers::address;
use bloomline_spec::{FrameClass, LANES};

/// The class whose policies the host on the network writes, in both lanes; the host at the UART leaves them alone, so that both know what they read.
pub(super) const NETWORKS_CLASS: FrameClass = FrameClass::Other;

/// The lane whose register stands at an address, and its address as that of a packet path.
pub(super) fn lane_of(address: u32) -> Option<(usize, u32)> {
    let by = address.checked_sub(address::PACKET_PATH)?;
    let lane = (by / address::LANE_BYTES) as usize;
    (lane < LANES).then_some((lane, address - address::LANE_BYTES * lane as u32))
}

/// The policy that the host on the network writes, as an address of a packet path.
pub(super) fn policy_address() -> u32 {
    address::POLICY + 4 * NETWORKS_CLASS.number()
}

/// Whether what a register holds may be changed over the network at any time.
pub(super) fn is_networks(address: u32) -> bool {
    lane_of(address).is_some_and(|(_, within)| within == policy_address())
}
