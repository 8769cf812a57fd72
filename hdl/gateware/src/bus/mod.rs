//! Host access: AXI4-Lite registers and the counters behind them. Depends on `wires`; addresses come from the register map.

mod event_counter;
mod register_file;
mod register_plan;

pub use event_counter::EventCounter;
pub use register_file::RegisterFile;
pub use register_plan::{CounterRegister, FixedRegister, RegisterPlan, ValueRegister};
