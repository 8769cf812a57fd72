//! Descriptor of a buffered frame.

use super::fields::{Field, PLACE_BITS};
use super::Beat;
use crate::prelude::*;

/// Where the parts of a frame's entry in the frame queue stand.
#[derive(Clone, Copy)]
pub(super) struct Descriptor {
    /// Place of the last beat in the buffer, one bit more than an address.
    pub end: Field,
    /// Last byte of that beat.
    pub most: Field,
    /// Class; 0 until the verdict is known.
    pub class: Field,
    /// The frame has a key.
    pub keyed: Field,
    /// The parse ended with IP.
    pub is_ip: Field,
    /// Of version 6.
    pub six: Field,
    /// Word that the IP header begins with.
    pub ip_place: Field,
    /// What a mark adds its DSCP to.
    pub adjust: Field,
    /// Bytes of the frame.
    pub bytes: Field,
    /// It has one beat.
    pub single: Field,
    /// Bits of all.
    pub bits: usize,
}

impl Descriptor {
    /// For a buffer of `depth` beats.
    pub fn new(beat: Beat, depth: usize) -> Self {
        let end = Field {
            low: 0,
            width: clog2(depth) + 1,
        };
        let behind = |before: Field, width| Field {
            low: before.low + before.width,
            width,
        };
        let most = behind(end, beat.most_bits());
        let class = behind(most, 3);
        let keyed = behind(class, 1);
        let is_ip = behind(keyed, 1);
        let six = behind(is_ip, 1);
        let ip_place = behind(six, PLACE_BITS);
        let adjust = behind(ip_place, 16);
        let bytes = behind(adjust, 16);
        let single = behind(bytes, 1);
        Self {
            end,
            most,
            class,
            keyed,
            is_ip,
            six,
            ip_place,
            adjust,
            bytes,
            single,
            bits: single.low + single.width,
        }
    }
}

impl Field {
    /// The part of a wide bus.
    pub(super) fn of_wide(self, bus_bits: usize) -> WideSlice {
        WideSlice::new(bus_bits, self.low, self.width)
    }
}
