//! From a filter's Verilog to a bitstream for a board.
//!
//! ```text
//!  constraints/<board>/board.toml --> Board --> pins and clocks (lpf)
//!                                       |              |
//!  card clock --> PllSetting --> board_top             |
//!                                    |                 |
//!  Verilog of the card --> yosys --> netlist --> nextpnr-ecp5 --> ecppack --> bitstream
//!                                                     |
//!                                                   Placed: area, clocks, worst paths
//! ```
//!
//! Depends on [`crate::toolchain`] for the tools and on [`crate::filter`] for a filter's ports. A family of parts with other
//! tools joins with a flow of its own beside [`flow`](build); board, top and report are written so that they do not care.

mod board;
mod error;
mod ethernet;
mod flow;
mod lpf;
mod placed;
mod pll;
mod steps;
mod top;

pub use board::{Board, Port, RgmiiDelay};
pub use error::{BuildError, Shortage};
pub use ethernet::{wire_top, WireTop};
pub use flow::{
    build, run_nextpnr, write_document, BuildRequest, BuildSummary, Event, StepSummary,
};
pub use lpf::{clocks as lpf_clocks, of_top as lpf_of_top, pins as lpf_pins};
pub use placed::{Available, Clock, PathStep, Placed, Placement};
pub use pll::{OutOfReach, PllLimits, PllSetting};
pub use steps::RECORDS;
pub use top::{between_registers, board_top, BetweenRegisters};
