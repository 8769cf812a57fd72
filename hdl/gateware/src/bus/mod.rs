//! Host access: AXI4-Lite registers and the counters behind them. Depends on `wires`; addresses come from the register map.

mod bus_slice;
mod event_counters;
mod hash_secret;
mod no_host;
mod register_file;
mod register_names;
mod register_plan;
mod small_memory;

pub use bus_slice::BusSlice;
pub use event_counters::EventCounters;
pub use hash_secret::HashSecret;
pub(crate) use hash_secret::SECRET_BITS;
pub use no_host::NoHost;
pub use register_file::RegisterFile;
pub use register_names::RegisterNames;
pub use register_plan::{
    CounterRegister, FixedRegister, RegisterPlan, SecretRegister, ValueRegister,
};
pub use small_memory::SmallMemory;
