//! The present generation, which phases are one ahead, and which phase turns.

use super::CuckooShape;
use crate::prelude::*;
use crate::wires::Side;
use bloomline_language::bundle;

bundle! {
    /// The present generation and its neighbours, modulo V, and which phases stand one further.
    Generations {
        ahead newest: UInt,
        ahead following: UInt,
        ahead unturned: UInt,
    }
}

impl<S: Side> Generations<S> {
    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) -> Self {
        let (bits, phases) = (shape.generation_bits, shape.lead.len());
        let width = |member: &str| match member {
            "unturned" => Some(clog2(phases)),
            _ => Some(bits),
        };
        Self::of_widths(width)
            .doc("newest", "generation of the phases that have not turned")
            .doc("following", "the next one: of those that have")
            .doc("unturned", "the highest phase that has not turned; the phases above it stand in the next generation")
    }
}

bundle! {
    /// The phase, one at most, whose generation began with this clock, and what that did to its elements.
    Turns {
        ahead turned: bool,
        ahead phase: UInt,
        ahead died: UInt,
        ahead aged: UInt,
    }
}

impl<S: Side> Turns<S> {
    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) -> Self {
        let (bits, phases) = (shape.generation_bits, shape.lead.len());
        let width = |member: &str| match member {
            "turned" => Some(1),
            "phase" => Some(clog2(phases)),
            _ => Some(bits),
        };
        Self::of_widths(width)
            .doc("turned", "a generation of a phase began with this clock")
            .doc("phase", "that phase")
            .doc("died", "its generation that was live until then")
            .doc(
                "aged",
                "the one that has been dead for a generation since then",
            )
    }
}
