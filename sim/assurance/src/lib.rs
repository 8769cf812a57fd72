//! Assurance: formal proofs, mutation testing and soft-error injection.
//!
//! * [`formal`]: properties of the emitted Verilog for every input, proved by a solver.
//! * [`faults`]: edits of the emitted Verilog that a test must detect.
//! * [`lanes`]: many variants of a design simulated at once, each in a lane of its own.
//! * [`mutation`]: small faults put into the emitted Verilog, and whether lockstep notices them.
//! * [`soft_error`]: bits of memories and registers flipped in simulation, and what notices them.

pub mod faults;
pub mod formal;
mod kinds;
pub mod lanes;
pub mod mutation;
pub mod soft_error;
