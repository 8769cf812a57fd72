//! Toolchain, Verilator loader, lockstep, stimulus, statistics and reports.
