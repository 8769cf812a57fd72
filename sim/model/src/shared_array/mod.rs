//! Shared layout of the recycling filter's pipeline: the probes of an item access one array one after the other.
//! Written from the timing page of the filter in the shared layout; the rest of that pipeline is `pipeline`'s.

mod array;
mod memory;

pub(crate) use array::SharedArray;
pub(crate) use memory::{Halves, Places, SharedArrayMemory};
