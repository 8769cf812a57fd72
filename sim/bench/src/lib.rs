//! Toolchain, Verilator loader, lockstep, stimulus, statistics and reports.

pub mod toolchain;
pub mod verilator;
