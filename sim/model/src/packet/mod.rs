//! The packet path, frame by frame and with no notion of time: what the parser finds in a frame, its key, its class, and
//! what leaves in its place. Written from the contract alone (`hdl/docs/packet.md`), byte by byte; depends on the filters of
//! this crate for verdicts, and on nothing of the gateware.

mod digest;
mod filter;
mod lane;
mod mark;
mod model;
mod parse;
mod registers;
mod tunnel;

pub use digest::frame_digest;
pub use filter::PathFilter;
pub use lane::{JudgedFrame, PathLane, Sorted, SortedFrame};
pub use mark::mark;
pub use model::PathModel;
pub use parse::{parse, Finding, HopBytes, IpHeader, ParsedFrame};
pub use tunnel::parse_opening;
