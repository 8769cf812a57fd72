//! The present generation, and which phases are one ahead.

use super::CuckooShape;
use crate::bundle;
use crate::prelude::*;
use crate::wires::Side;

bundle! {
    /// The present generation and its neighbours, modulo V, and which phases stand one further.
    Generations {
        ahead newest: UInt,
        ahead following: UInt,
        ahead turned: UInt,
    }
}

impl<S: Side> Generations<S> {
    /// Of a pipeline of this shape.
    pub fn new(shape: &CuckooShape) -> Self {
        let (bits, phases) = (shape.generation_bits, shape.lead.len());
        let width = |member: &str| match member {
            "turned" => Some(phases),
            _ => Some(bits),
        };
        Self::of_widths(width)
            .doc("newest", "generation of the phases that have not turned")
            .doc("following", "the next one: of those that have")
            .doc(
                "stale",
                "the youngest that is not live in phases that have not turned",
            )
            .doc(
                "live",
                "bit g: generation g is live in phases that have not turned",
            )
            .doc(
                "kept",
                "bit g: generation g is live, or was the last to die",
            )
            .doc("turned", "phases that stand in the next generation already")
    }
}
