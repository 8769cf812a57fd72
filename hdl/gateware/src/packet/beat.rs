//! Width and packing of a beat of frame data.

use bloomline_spec::{Packet, PARSE_BYTES};

/// Sizes of a beat of frame data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beat {
    bytes: usize,
}

impl Beat {
    /// That of a packet path.
    pub fn of(packet: &Packet) -> Self {
        Self {
            bytes: packet.beat_bytes() as usize,
        }
    }

    /// Bytes.
    pub fn bytes(self) -> usize {
        self.bytes
    }

    /// Bits of data.
    pub fn bits(self) -> usize {
        8 * self.bytes
    }

    /// Bits of the number of a byte in it, at least 1.
    pub fn most_bits(self) -> usize {
        (self.bytes.ilog2() as usize).max(1)
    }

    /// Words that it completes, at most.
    pub fn words(self) -> usize {
        self.bytes.div_ceil(4)
    }

    /// Beats that the bytes take that the parser reads.
    pub fn parsed_beats(self) -> usize {
        (PARSE_BYTES as usize).div_ceil(self.bytes)
    }

    /// Bits that count those beats.
    pub fn index_bits(self) -> usize {
        crate::shape::width_of(self.parsed_beats())
    }
}
