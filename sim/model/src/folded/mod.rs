//! What is the shared layout's own in the recycling filter's pipeline: an item's probes go through one array one after the other.
//! Written from the timing page of the folded filter; the rest of that pipeline is `pipeline`'s.

mod array;
mod memory;

pub(crate) use array::FoldedArray;
pub(crate) use memory::{FoldedMemory, Halves};
