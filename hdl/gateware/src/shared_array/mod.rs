//! The recycling filter in the shared layout: one array a half, the probes of an item go through it one after the other.
//! Depends on `wires`, `bank` (memory, error correction, bit selection, coverage), `recycle`, `hash`, `bus` and the sequencer and queue of `pipeline`. Timing: `docs/shared-array.md`.

mod bank;
mod decision;
mod early_ring;
mod filter;
mod ring;
mod slots;
mod store;

pub use bank::SharedArrayBank;
pub use decision::SharedArrayDecision;
pub use early_ring::EarlyRing;
pub use filter::SharedArrayFilter;
pub use ring::ProbeRing;
pub use slots::SharedArraySlots;
pub use store::WordStore;
