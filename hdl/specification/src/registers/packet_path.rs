//! Register block of a packet path.

use super::address;
use super::blocks::{block_header, half_pair};
use super::counters::CounterText;
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
    let read_write = |name, offset, width, reset, doc, fields| {
        Register::new(name, offset, Access::ReadWrite, width, reset, doc).with_fields(fields)
    };
    let mut registers = block_header(
        address::PACKET_PATH,
        BLOCK_PACKET_PATH,
        "10: packet path.",
        PACKET_PATH_BLOCK_VERSION,
        0,
    )
    .to_vec();
    registers.extend([
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
    ]);
    for &class in FrameClass::ALL {
        let text = class_text(class);
        registers.push(read_write(
            text.policy,
            address::POLICY + 4 * class.number(),
            Policy::DSCP_BIT + 6,
            packet.policy(class).register(),
            text.policy_doc,
            vec![
                Field::new(
                    "action",
                    0,
                    2,
                    "0, 3: pass; 1: drop; 2: pass with the DSCP below.",
                ),
                Field::new(
                    "dscp",
                    Policy::DSCP_BIT,
                    6,
                    "DSCP of IP packets that are marked.",
                ),
            ],
        ));
    }
    for counter in PathCounter::all() {
        let (low, high, doc) = path_counter_text(counter);
        registers.extend(half_pair(counter.address_lo(), low, high, doc));
    }
    RegisterBlock {
        name: "packet_path",
        offset: address::PACKET_PATH,
        doc: "Packet path: the classes of frames and the policy for each. Its 64-bit counters are \
              read as the filter's: low, then high.",
        registers,
    }
}

/// Names of a counter's two halves, and what the low one says.
macro_rules! counter_text {
    ($name:expr, $doc:expr) => {
        (
            concat!($name, "_LO"),
            concat!($name, "_HI"),
            concat!($doc, ", low half."),
        )
    };
}

/// What registers say of the frames of a class.
struct ClassText {
    policy: &'static str,
    policy_doc: &'static str,
    counter: CounterText,
}

macro_rules! class_text {
    ($name:literal, $word:literal, $frames:literal) => {
        ClassText {
            policy: concat!("POLICY_", $name),
            policy_doc: concat!("What happens to frames ", $frames, "."),
            counter: counter_text!(
                concat!("FRAMES_", $name),
                concat!("Frames of class ", $word, " that reached their policy")
            ),
        }
    };
}

fn class_text(class: FrameClass) -> ClassText {
    match class {
        FrameClass::Unseen => class_text!("UNSEEN", "unseen", "whose key is new to the filter"),
        FrameClass::Seen => class_text!("SEEN", "seen", "whose key is in the filter"),
        FrameClass::Other => class_text!("OTHER", "other", "without a key"),
        FrameClass::Truncated => class_text!(
            "TRUNCATED",
            "truncated",
            "that end before their headers or their IP packet do"
        ),
        FrameClass::Malformed => class_text!(
            "MALFORMED",
            "malformed",
            "whose headers contradict each other"
        ),
        FrameClass::TooDeep => {
            class_text!("TOO_DEEP", "too deep", "with headers behind byte 126")
        }
        FrameClass::Oversize => {
            class_text!("OVERSIZE", "oversize", "of more than MAX_FRAME bytes")
        }
        FrameClass::Bad => class_text!("BAD", "bad", "that came marked as bad"),
    }
}

fn path_counter_text(counter: PathCounter) -> CounterText {
    match counter {
        PathCounter::Frames(class) => class_text(class).counter,
        PathCounter::Overflows => counter_text!("OVERFLOWS", "Frames for which there was no room"),
        PathCounter::Dropped => counter_text!("DROPPED", "Frames dropped by policy"),
        PathCounter::Marked => counter_text!("MARKED", "Frames changed by a mark"),
    }
}
