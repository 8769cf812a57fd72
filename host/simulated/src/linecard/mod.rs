//! A line card under test, frame by frame, from its pins: the emitted Verilog between two PHYs with clocks of their own and a host on its UART,
//! against [`LineCardModel`](bloomline_model::LineCardModel).
//!
//! ```text
//! LineScript --lines--> RgmiiPlayer --rgmii_p_rx--> Device --rgmii_p_tx--> FrameListener --frames--> Judge of the lane
//!     |                      |                       |  |                                                 ^
//!     |                      +-- MAC's model, frames-|--|-------------------------------------------------+
//!     +--settings--> driver's UART client --uart-----+  +--item_taken: whose item the filter has now -----+
//! ```
//!
//! What comes is what the MAC's model makes of the bytes that were played, so lines may hold anything. Both lanes share one filter model; the order
//! of their items is told by the device (`item_taken`), everything else is compared: each frame that leaves byte by byte and in its lane's
//! order, its FCS, preamble and the gap before it, every counter and the link when nothing is under way, and the verdicts seen (`item_seen`).
//! Everything is a function of one seed: a run that failed is run again with a waveform open for a window before the failure
//! ([`LineCardBench::run`]).
//!
//! Of a card with a host port a host on the network asks amid the traffic ([`Requests`]); its answers are told from the frames of the other lane by
//! their bytes. [`ServedLineCard`] is such a card for other programs, reached by datagrams.
//!
//! [`run_line_card`] is the engine for any [`Device`](bloomline_bench::lockstep::Device); [`crate::replay`] runs captures. May depend on [`crate::device`], which says
//! what can be served, on [`bloomline_bench::path`], whose judge
//! each lane has, on [`bloomline_bench::rgmii`] and on what those may.

mod bench;
mod clocks;
mod error;
mod failure;
mod host;
mod lines;
mod network;
mod peer;
mod pins;
mod registers;
mod run;
mod script;
mod served;
mod testbench;
mod wires;

pub use bench::LineCardBench;
pub use clocks::{PhyClocks, CLOCK_FS};
pub use error::LineCardError;
pub use lines::Gap;
pub use lines::{LineFrame, LineMix};
pub use network::{HostReport, Requests};
pub use peer::HostPeer;
pub use pins::{emitted_line_card, line_card_design};
pub use run::{run_line_card, LaneReport, LineCardReport, LineFailure};
pub use script::{LineEpisode, LineScript, Lines};
pub use served::ServedLineCard;
