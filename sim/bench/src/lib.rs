//! Toolchain, Verilator loader, lockstep, stimulus, statistics and reports.

pub mod lockstep;
pub mod report;
pub mod stats;
pub mod stimulus;
pub mod toolchain;
pub mod verilator;
