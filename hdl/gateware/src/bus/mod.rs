//! Host access: AXI4-Lite registers and the counters behind them. Depends on `wires`; addresses come from the register map.

mod event_counter;
mod register_file;

pub use event_counter::EventCounter;
pub use register_file::{RegisterFile, COUNTERS};
