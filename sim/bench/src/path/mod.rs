//! A packet path under test, frame by frame: the emitted Verilog between a source and a sink of frames, with a host on its
//! registers, against [`PathModel`](bloomline_model::PathModel).
//!
//! ```text
//! Script ──frames──> Source ──s_frame──> Device ──m_frame──> Sink ──frames──> Judge
//!    └──settings──> Host ──s_axil or UART──^ |                                  ^
//!                     └──────────────────────┘            PathModel ────────────┘
//! ```
//!
//! *When* a frame leaves is promised only in bounds, so frames are compared, not clocks; what AXI4-Stream promises is watched
//! on every clock. A frame that the model passes, marks or drops must do so in the device, in order; the
//! counters must agree when nothing is under way. Everything is a function of one seed: a run that failed is run again with a
//! waveform open for a window before the failure ([`PathBench::run`]).
//!
//! [`run_path`] is the engine for any [`Device`](crate::lockstep::Device). Its judge is that of each lane of a line card too. May depend on [`crate::lockstep`],
//! [`crate::verilator`], [`bloomline_stimulus`].

mod bench;
mod capture;
mod error;
mod frames;
mod host;
mod judge;
mod pins;
mod run;
mod script;
mod sink;
mod source;
mod uart_host;

pub use bench::PathBench;
pub use capture::write_capture;
pub use error::{PathError, Problem};
pub use frames::{FrameMaker, FrameMix, OfferedFrame};
pub use pins::path_design;
pub use run::{run_path, Failure, PathReport};
pub use script::{Episode, Rates, Room, Script, ScriptMix};

pub use error::hexadecimal;
pub use judge::Judge;
pub use script::draw_policy;
pub use sink::LeftFrame;
