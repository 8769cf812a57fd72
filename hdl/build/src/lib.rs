//! Board builds: from a filter's Verilog to a bitstream.
//!
//! ```text
//!  constraints/<board>/board.toml --> Board --> pins and clocks
//!                                       |              |
//!  card clock --> PllSetting --> board_top             |
//!                                    |                 |
//!  Verilog of the card --> yosys --> Netlist --> nextpnr --> packer --> bitstream
//!                                       |             |
//!             registers into block RAM --'          Placed: area, clocks, worst paths
//! ```
//!
//! The part's [`Family`] says which nextpnr and which packer: those of the ECP5 or of Gowin parts.
//!
//! For AMD's OpenNIC shell the way ends before the bitstream, which is Vivado's:
//!
//! ```text
//!  Verilog of the path --> plugin folder (wrapper, address map, constraints) --> yosys: estimate against the part
//! ```
//!
//! For a part without a board here, [`VendorFlow`] writes a script for Vivado or Quartus.
//!
//! Depends on [`bloomline_toolchain`] for the tools and on [`bloomline_spec::ports`] for a design's ports. There are these two flows,
//! [`build`] and [`build_plugin`]; a [`KnownBoard`] belongs to one of them.

mod board;
mod cells;
mod cst;
mod error;
mod ethernet;
mod family;
mod flow;
mod known;
mod linecard;
mod lpf;
mod netlist;
mod opennic;
mod placed;
mod pll;
mod plugin;
mod steps;
mod top;
mod vendor;
mod work;

pub use board::{Board, Family, Port, RgmiiDelay};
pub use cells::Cells;
pub use cst::{clocks as cst_clocks, pins as cst_pins};
pub use error::{BuildError, Shortage};
pub use ethernet::{wire_top, EthernetTop};
pub use family::synth_ecp5;
pub use flow::{build, run_nextpnr, BuildRequest, BuildSummary};
pub use known::KnownBoard;
pub use linecard::linecard_top;
pub use lpf::{clocks as lpf_clocks, of_top as lpf_of_top, pins as lpf_pins};
pub use netlist::Netlist;
pub use opennic::{OpenNicBoard, Registers, Shell, ShellCard, XilinxPart};
pub use placed::{Available, Clock, PathStep, Placed, Placement};
pub use pll::{OutOfReach, PllLimits, PllSetting};
pub use plugin::{
    build_plugin, plugin_sources, Estimate, PluginRequest, PluginSummary, PLUGIN, PLUGIN_TOP,
};
pub use steps::{partial, Step, RECORDS};
pub use top::{between_registers, board_top, registers_around, BetweenRegisters};
pub use vendor::{VendorFlow, VendorProject};
pub use work::{write_document, Event, StepSummary};
