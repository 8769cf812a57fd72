//! Register block of a packet path.

use super::address;
use super::blocks::{constant, half_pair};
use super::numbers::BLOCK_PACKET_PATH;
use super::register::{Access, Field, Register, RegisterBlock};
use crate::packet::{FrameClass, Packet, Policy, LANES};

/// A 64-bit counter of a packet path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathCounter {
    /// Frames of a class that reached their policy.
    Frames(FrameClass),
    /// Frames for which there was no room.
    Overflows,
    /// Frames dropped by policy.
    Dropped,
    /// Frames changed by a mark.
    Marked,
}

impl PathCounter {
    /// Every counter, in the order of its address.
    pub fn all() -> impl Iterator<Item = PathCounter> {
        let classes = FrameClass::ALL.iter().copied().map(PathCounter::Frames);
        classes.chain([
            PathCounter::Overflows,
            PathCounter::Dropped,
            PathCounter::Marked,
        ])
    }

    /// Place in the order of addresses.
    pub fn index(self) -> usize {
        match self {
            PathCounter::Frames(class) => class as usize,
            PathCounter::Overflows => FrameClass::COUNT,
            PathCounter::Dropped => FrameClass::COUNT + 1,
            PathCounter::Marked => FrameClass::COUNT + 2,
        }
    }

    /// Byte address of the low half. Reading it captures the high half, so low then high is one value.
    pub fn address_lo(self) -> u32 {
        address::PATH_COUNTERS + 8 * self.index() as u32
    }

    /// Byte address of the high half as captured by the last read of the low half.
    pub fn address_hi(self) -> u32 {
        self.address_lo() + 4
    }
}

const PACKET_PATH_BLOCK_VERSION: u32 = 1;
/// Names of the lanes' blocks.
const LANE_NAMES: [&str; LANES] = ["lane_0", "lane_1"];

/// The blocks of a line card's lanes, each a packet path's at its own address; the ports' block follows.
pub(super) fn lanes(packet: &Packet) -> impl Iterator<Item = RegisterBlock> + '_ {
    LANE_NAMES.into_iter().zip(0..).map(move |(name, lane)| {
        let above = address::LANE_BYTES * lane;
        let mut block = packet_path(packet);
        block.name = name;
        block.offset += above;
        for register in &mut block.registers {
            if register.offset == address::PACKET_PATH_NEXT {
                register.reset = Some(block.offset + address::LANE_BYTES);
                register.doc = "Address of the next block.";
            }
            register.offset += above;
        }
        block
    })
}

/// The packet path's block.
pub(super) fn packet_path(packet: &Packet) -> RegisterBlock {
    let read_write = |name, offset, width, reset, doc, fields| Register {
        name,
        offset,
        access: Access::ReadWrite,
        width,
        reset: Some(reset),
        doc,
        fields,
    };
    let mut registers = vec![
        constant(
            "BLOCK_TYPE",
            address::PACKET_PATH,
            BLOCK_PACKET_PATH,
            "10: packet path.",
        ),
        constant(
            "BLOCK_VERSION",
            address::PACKET_PATH_VERSION,
            PACKET_PATH_BLOCK_VERSION,
            "Version of this block.",
        ),
        constant(
            "NEXT_BLOCK",
            address::PACKET_PATH_NEXT,
            0,
            "0: the last block.",
        ),
        read_write(
            "LEARN",
            address::LEARN,
            1,
            u32::from(packet.learn()),
            "1: items of frames are test-and-inserts; 0: queries.",
            Vec::new(),
        ),
        read_write(
            "MAX_FRAME",
            address::MAX_FRAME,
            16,
            packet.max_frame_bytes(),
            "Bytes of the longest frame that is not oversize.",
            Vec::new(),
        ),
    ];
    for &class in FrameClass::ALL {
        let (name, doc) = policy_text(class);
        registers.push(read_write(
            name,
            address::POLICY + 4 * class.number(),
            Policy::DSCP_BIT + 6,
            packet.policy(class).register(),
            doc,
            vec![
                Field {
                    name: "action",
                    lowest_bit: 0,
                    width: 2,
                    doc: "0, 3: pass; 1: drop; 2: pass with the DSCP below.",
                },
                Field {
                    name: "dscp",
                    lowest_bit: Policy::DSCP_BIT,
                    width: 6,
                    doc: "DSCP of IP packets that are marked.",
                },
            ],
        ));
    }
    for counter in PathCounter::all() {
        let (low, high, doc) = counter_text(counter);
        registers.extend(half_pair(counter.address_lo(), low, high, doc));
    }
    RegisterBlock {
        name: "packet_path",
        offset: address::PACKET_PATH,
        doc: "The way of frames: what they are to the filter, and what becomes of them by its verdicts. Its 64-bit counters are \
              read as the filter's: low, then high.",
        registers,
    }
}

fn policy_text(class: FrameClass) -> (&'static str, &'static str) {
    match class {
        FrameClass::Unseen => (
            "POLICY_UNSEEN",
            "What happens to frames whose key is new to the filter.",
        ),
        FrameClass::Seen => (
            "POLICY_SEEN",
            "What happens to frames whose key is in the filter.",
        ),
        FrameClass::Other => ("POLICY_OTHER", "What happens to frames without a key."),
        FrameClass::Truncated => (
            "POLICY_TRUNCATED",
            "What happens to frames that end before their headers or their IP packet do.",
        ),
        FrameClass::Malformed => (
            "POLICY_MALFORMED",
            "What happens to frames whose headers contradict each other.",
        ),
        FrameClass::TooDeep => (
            "POLICY_TOO_DEEP",
            "What happens to frames with headers behind byte 126.",
        ),
        FrameClass::Oversize => (
            "POLICY_OVERSIZE",
            "What happens to frames of more than MAX_FRAME bytes.",
        ),
        FrameClass::Bad => (
            "POLICY_BAD",
            "What happens to frames that came marked as bad.",
        ),
    }
}

fn counter_text(counter: PathCounter) -> (&'static str, &'static str, &'static str) {
    match counter {
        PathCounter::Frames(FrameClass::Unseen) => (
            "FRAMES_UNSEEN_LO",
            "FRAMES_UNSEEN_HI",
            "Frames of class unseen that reached their policy, low half.",
        ),
        PathCounter::Frames(FrameClass::Seen) => (
            "FRAMES_SEEN_LO",
            "FRAMES_SEEN_HI",
            "Frames of class seen that reached their policy, low half.",
        ),
        PathCounter::Frames(FrameClass::Other) => (
            "FRAMES_OTHER_LO",
            "FRAMES_OTHER_HI",
            "Frames of class other that reached their policy, low half.",
        ),
        PathCounter::Frames(FrameClass::Truncated) => (
            "FRAMES_TRUNCATED_LO",
            "FRAMES_TRUNCATED_HI",
            "Frames of class truncated that reached their policy, low half.",
        ),
        PathCounter::Frames(FrameClass::Malformed) => (
            "FRAMES_MALFORMED_LO",
            "FRAMES_MALFORMED_HI",
            "Frames of class malformed that reached their policy, low half.",
        ),
        PathCounter::Frames(FrameClass::TooDeep) => (
            "FRAMES_TOO_DEEP_LO",
            "FRAMES_TOO_DEEP_HI",
            "Frames of class too deep that reached their policy, low half.",
        ),
        PathCounter::Frames(FrameClass::Oversize) => (
            "FRAMES_OVERSIZE_LO",
            "FRAMES_OVERSIZE_HI",
            "Frames of class oversize that reached their policy, low half.",
        ),
        PathCounter::Frames(FrameClass::Bad) => (
            "FRAMES_BAD_LO",
            "FRAMES_BAD_HI",
            "Frames of class bad that reached their policy, low half.",
        ),
        PathCounter::Overflows => (
            "OVERFLOWS_LO",
            "OVERFLOWS_HI",
            "Frames for which there was no room, low half.",
        ),
        PathCounter::Dropped => (
            "DROPPED_LO",
            "DROPPED_HI",
            "Frames dropped by policy, low half.",
        ),
        PathCounter::Marked => (
            "MARKED_LO",
            "MARKED_HI",
            "Frames changed by a mark, low half.",
        ),
    }
}
