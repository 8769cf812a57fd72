//! Area of a design on an FPGA, counted in its own text: lookup tables by covering its gates, flip-flops, carry chains and memories.
//!
//! ```text
//! Netlist ──bits──> gates, flip-flops, chains, memories ──cover──> lookup tables
//!            ^ flip-flops that are constant or the same as others are removed, until none is left
//! ```
//!
//! It follows what synthesis does with this text, without its search for better logic: enables and resets go to the flip-flops' own
//! inputs, sums and comparisons to carry chains, delays to shift registers where the family has them. [`Fabric`] says how.

mod bits;
mod cover;
mod fabric;

use crate::design::Design;
pub use fabric::{BlockRams, Fabric};

/// What a design takes of a [`Fabric`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Census {
    /// Lookup tables that cover the gates.
    pub tables: u64,
    /// Gates of exclusive or among those.
    pub exclusive_ors: u64,
    /// Bits of carry chains, in pairs.
    pub carry_bits: u64,
    /// Lookup tables that are memory.
    pub memory_tables: u64,
    /// Lookup tables that are shift registers.
    pub shift_tables: u64,
    /// Flip-flops.
    pub flip_flops: u64,
    /// Block RAMs.
    pub block_rams: BlockRams,
}

impl Design {
    /// Counts what the design takes of a family's parts.
    pub fn census(&self, fabric: Fabric) -> Census {
        bits::census(&self.netlist, &self.bits(false), fabric, None).0
    }

    /// The same of two families; those that differ in their memories alone share the count.
    pub fn census_of_both(&self, one: Fabric, other: Fabric) -> [Census; 2] {
        let outputs = self.bits(false);
        let (census, of_other) = bits::census(&self.netlist, &outputs, one, Some(other));
        [census, of_other.unwrap_or_else(|| self.census(other))]
    }
}
