//! The line card: a card between two gigabit Ethernet ports, each direction a packet path of its own. Depends on `card`, `packet` and `mac`; nothing
//! depends on it but what prints. `docs/linecard.md` is the contract.

mod datapath;
mod lane_merge;
mod lane_verdicts;
mod port_registers;
mod tops;

pub use datapath::LineCardDatapath;
pub use lane_merge::LaneMerge;
pub use lane_verdicts::LaneVerdicts;
pub use port_registers::PortRegisters;
pub use tops::LineCard;
