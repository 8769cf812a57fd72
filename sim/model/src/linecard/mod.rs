//! The line card: two lanes of frames through one filter, and a host port at one of its ports where it has one. Written from the contract alone
//! (`hdl/docs/linecard.md`); depends on the packet path's model for what becomes of a frame, on the MAC's for how it came, on the host port's for
//! what it answers, and on nothing of the gateware.

mod host;
mod model;
mod ports;

pub use host::{CardBus, CardHostModel};
pub use model::LineCardModel;
pub use ports::PortsModel;

use crate::packet::PathLane;
use bloomline_spec::registers::{address, RESPONSE_OKAY};
use bloomline_spec::LANES;

/// The lane whose block an address stands in, and the address as that of a packet path.
fn lane_of(address: u32) -> Option<(usize, u32)> {
    let by = address.checked_sub(address::PACKET_PATH)?;
    let lane = (by / address::LANE_BYTES) as usize;
    (lane < LANES).then_some((lane, address - address::LANE_BYTES * lane as u32))
}

/// A read from a lane's block: data and AXI4-Lite response.
fn read_lane(registers: &mut PathLane, lane: usize, address: u32) -> (u32, u32) {
    match address {
        address::PACKET_PATH_NEXT => {
            let next = address::PACKET_PATH + address::LANE_BYTES * (lane as u32 + 1);
            (next, RESPONSE_OKAY)
        }
        _ => registers.read(address),
    }
}
