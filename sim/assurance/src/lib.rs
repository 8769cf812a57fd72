//! Assurance: formal proofs, mutation testing and soft-error injection.
//!
//! * [`formal`]: properties of the emitted Verilog for every input, proved by a solver.
//! * [`mutation`]: small faults put into the emitted Verilog, and whether lockstep notices them.
//! * [`soft_error`]: bits of memories and registers flipped in simulation, and what notices them.

pub mod formal;
mod kinds;
pub mod mutation;
pub mod soft_error;
