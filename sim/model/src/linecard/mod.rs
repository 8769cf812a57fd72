//! The line card: two lanes of frames through one filter. Written from the contract alone (`hdl/docs/linecard.md`); depends on the packet
//! path's model for what becomes of a frame, on the MAC's for how it came, and on nothing of the gateware.

mod model;
mod ports;

pub use model::LineCardModel;
pub use ports::PortsModel;
