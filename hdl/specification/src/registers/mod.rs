//! The register map, described once as data: gateware, driver and documentation are all made from it.
//!
//! The host sees a 256-byte space of 32-bit registers over AXI4-Lite, twice that on a card, four times in a packet path, eight times on a line
//! card. It starts with magic, version and geometry hash,
//! then a linked list of blocks that say what they are: {type, version, next}. A host refuses what it does not know.
//!
//! Rules for every access:
//! - an address without a register answers DECERR ([`RESPONSE_DECERR`]) and reads as 0;
//! - a write to a register that cannot be written, a value wider than the register, or a write without all four byte
//!   strobes answers SLVERR ([`RESPONSE_SLVERR`]) and changes nothing;
//! - anything else answers OKAY ([`RESPONSE_OKAY`]).
//!
//! [`Design::register_map`](crate::Design::register_map) builds the map; `markdown.rs` and `systemrdl.rs` write it out. Nothing here depends on
//! how the gateware does it.

pub(crate) mod blocks;
mod item_port;
mod markdown;
mod packet_path;
mod ports;
mod systemrdl;

pub use crate::kinds::cells::CellCounter;
pub use crate::kinds::recycling::RecyclingCounter;
pub use crate::kinds::sliding::SlidingCounter;
pub use ports::{HostCounter, PortCounter};

use crate::common::Common;
use crate::packet::FrameClass;
use crate::values::FilterKind;

/// First register of every device: "BLML".
pub const MAGIC: u32 = 0x424C_4D4C;
/// Version of the register map as a whole.
pub const MAP_VERSION: u32 = 1;
/// Bits of an address of the filter's registers, 256 bytes; those of a card's own blocks stand above.
pub const ADDRESS_BITS: u32 = 8;
/// `BLOCK_TYPE` of a recycling filter.
pub const BLOCK_RECYCLING_FILTER: u32 = 1;
/// `BLOCK_TYPE` of a counter block.
pub const BLOCK_COUNTERS: u32 = 2;
/// `BLOCK_TYPE` of a static filter.
pub const BLOCK_STATIC_FILTER: u32 = 3;
/// `BLOCK_TYPE` of a counting filter.
pub const BLOCK_COUNTING_FILTER: u32 = 4;
/// `BLOCK_TYPE` of a Count-Min sketch.
pub const BLOCK_COUNT_MIN_SKETCH: u32 = 5;
/// `BLOCK_TYPE` of the counter block of a filter of cells.
pub const BLOCK_CELL_COUNTERS: u32 = 6;
/// `BLOCK_TYPE` of a sliding-window filter.
pub const BLOCK_SLIDING_FILTER: u32 = 7;
/// `BLOCK_TYPE` of the counter block of a sliding-window filter.
pub const BLOCK_SLIDING_COUNTERS: u32 = 8;

impl FilterKind {
    /// `BLOCK_TYPE` of a filter of this kind; it stands for the kind in files too.
    pub fn block_type(self) -> u32 {
        match self {
            FilterKind::Recycling => BLOCK_RECYCLING_FILTER,
            FilterKind::Static => BLOCK_STATIC_FILTER,
            FilterKind::Counting => BLOCK_COUNTING_FILTER,
            FilterKind::CountMin => BLOCK_COUNT_MIN_SKETCH,
            FilterKind::Sliding => BLOCK_SLIDING_FILTER,
        }
    }

    /// Whether a host can read and write the array.
    pub fn has_array(self) -> bool {
        self != FilterKind::Sliding
    }
}

/// `BLOCK_TYPE` of an item port.
pub const BLOCK_ITEM_PORT: u32 = 9;
/// `BLOCK_TYPE` of a packet path.
pub const BLOCK_PACKET_PATH: u32 = 10;
/// `BLOCK_TYPE` of the Ethernet ports of a line card.
pub const BLOCK_PORTS: u32 = 11;

/// AXI4-Lite response: done.
pub const RESPONSE_OKAY: u32 = 0;
/// AXI4-Lite response: the register refuses this access.
pub const RESPONSE_SLVERR: u32 = 2;
/// AXI4-Lite response: no register at this address.
pub const RESPONSE_DECERR: u32 = 3;

/// Byte addresses of the registers of map version 1.
pub mod address {
    /// Constant [`MAGIC`](super::MAGIC).
    pub const MAGIC: u32 = 0x000;
    /// Constant [`MAP_VERSION`](super::MAP_VERSION).
    pub const VERSION: u32 = 0x004;
    /// Low half of the geometry hash.
    pub const GEOMETRY_HASH_LO: u32 = 0x008;
    /// High half of the geometry hash.
    pub const GEOMETRY_HASH_HI: u32 = 0x00C;
    /// Address of the first block of the list.
    pub const FIRST_BLOCK: u32 = 0x010;

    /// Start of the filter block (its `BLOCK_TYPE`).
    pub const FILTER: u32 = 0x040;
    /// `BLOCK_VERSION` of the filter block.
    pub const FILTER_VERSION: u32 = 0x044;
    /// `NEXT_BLOCK` of the filter block.
    pub const FILTER_NEXT: u32 = 0x048;
    /// Commands.
    pub const CONTROL: u32 = 0x04C;
    /// State of the filter.
    pub const STATUS: u32 = 0x050;
    /// Threshold of one half.
    pub const THRESHOLD: u32 = 0x054;
    /// Longest time a half stays active, in ticks.
    pub const MAX_AGE: u32 = 0x058;
    /// Bits set in the active half.
    pub const BITS_ACTIVE: u32 = 0x05C;
    /// Bits set in the frozen half.
    pub const BITS_FROZEN: u32 = 0x060;
    /// Bit-setting messages of this cycle.
    pub const MESSAGES: u32 = 0x064;
    /// Word of the array that is read or written from here: the bank above the word's address in it, in a recycling filter of
    /// two phases the half above the bank.
    pub const ARRAY_ADDRESS: u32 = 0x068;
    /// Data bits of that word; in a recycling filter a write sets those that are 1 in the active half.
    pub const ARRAY_DATA: u32 = 0x06C;
    /// Secret of a keyed hash, bits 31:0; the other three follow.
    pub const HASH_KEY: u32 = 0x070;

    /// Start of the counter block (its `BLOCK_TYPE`).
    pub const COUNTERS: u32 = 0x080;
    /// `BLOCK_VERSION` of the counter block.
    pub const COUNTERS_VERSION: u32 = 0x084;
    /// `NEXT_BLOCK` of the counter block.
    pub const COUNTERS_NEXT: u32 = 0x088;
    /// First counter; counter i has its low half at `FIRST_COUNTER + 8 i`, its high half four bytes on.
    pub const FIRST_COUNTER: u32 = 0x090;

    /// Start of the item port's block (its `BLOCK_TYPE`), on a card.
    pub const ITEM_PORT: u32 = 0x100;
    /// `BLOCK_VERSION` of the item port's block.
    pub const ITEM_PORT_VERSION: u32 = 0x104;
    /// `NEXT_BLOCK` of the item port's block.
    pub const ITEM_PORT_NEXT: u32 = 0x108;
    /// What became of the host's last item.
    pub const ITEM_RESULT: u32 = 0x110;
    /// Estimate of its verdict, where verdicts have one.
    pub const ITEM_ESTIMATE: u32 = 0x114;
    /// Operation of the host's next item.
    pub const ITEM_OPERATION: u32 = 0x11C;
    /// Lowest word of its key; the others follow, and writing the highest offers the item.
    pub const ITEM_KEY: u32 = 0x120;

    /// Start of the packet path's block (its `BLOCK_TYPE`).
    pub const PACKET_PATH: u32 = 0x200;
    /// `BLOCK_VERSION` of the packet path's block.
    pub const PACKET_PATH_VERSION: u32 = 0x204;
    /// `NEXT_BLOCK` of the packet path's block.
    pub const PACKET_PATH_NEXT: u32 = 0x208;
    /// Whether items of frames are inserted.
    pub const LEARN: u32 = 0x20C;
    /// Bytes of the longest frame that is not oversize.
    pub const MAX_FRAME: u32 = 0x210;
    /// Policy of class 0; that of class c stands at `POLICY + 4 c`.
    pub const POLICY: u32 = 0x220;
    /// First counter of the packet path; see [`PathCounter`](super::PathCounter).
    pub const PATH_COUNTERS: u32 = 0x240;
    /// Bytes of a lane's block on a line card: the registers of lane i stand `LANE_BYTES * i` above those of a packet path.
    pub const LANE_BYTES: u32 = 0x100;

    /// Start of the block of the Ethernet ports (its `BLOCK_TYPE`), on a line card.
    pub const PORTS: u32 = 0x400;
    /// `BLOCK_VERSION` of the ports' block.
    pub const PORTS_VERSION: u32 = 0x404;
    /// `NEXT_BLOCK` of the ports' block.
    pub const PORTS_NEXT: u32 = 0x408;
    /// What the PHYs tell of their links; that of port p from bit `LINK_BITS * p` on.
    pub const LINK: u32 = 0x40C;
    /// Where the host port stands; 0 without one.
    pub const HOST: u32 = 0x410;
    /// Its IPv4 address.
    pub const HOST_IP: u32 = 0x414;
    /// Last four bytes of its MAC address.
    pub const HOST_MAC_LO: u32 = 0x418;
    /// First two bytes of its MAC address.
    pub const HOST_MAC_HI: u32 = 0x41C;
    /// First counter of port 0; see [`PortCounter`](super::PortCounter).
    pub const PORT_COUNTERS: u32 = 0x440;
    /// Bytes of a port's counters: those of port p stand `PORT_BYTES * p` above those of port 0.
    pub const PORT_BYTES: u32 = 0x40;
    /// First counter of the host port; see [`HostCounter`](super::HostCounter).
    pub const HOST_COUNTERS: u32 = 0x4C0;
}

/// Bit positions within registers.
pub mod field {
    /// `CONTROL`: empty both halves.
    pub const CONTROL_CLEAR: u32 = 0;
    /// `CONTROL`, keyed hash: hash with the secret last written; what it empties is in the register's own text.
    pub const CONTROL_REKEY: u32 = 1;
    /// `CONTROL` of a recycling filter: recycle.
    pub const CONTROL_RECYCLE: u32 = 2;
    /// `POLICY`: the bits that are kept, action and DSCP.
    pub const POLICY_KEPT: u32 = 0x3F03;
    /// `STATUS`: the filter runs.
    pub const STATUS_RUNNING: u32 = 0;
    /// `STATUS`: which half is active.
    pub const STATUS_ACTIVE_HALF: u32 = 1;
    /// `STATUS`: lowest of the four bits of the active half's epoch.
    pub const STATUS_EPOCH: u32 = 4;
    /// `STATUS`: lowest of the four bits that count the active half's spare epochs.
    pub const STATUS_SPARE_EPOCHS: u32 = 8;
    /// `STATUS` of a sliding-window filter: lowest of eight bits of the generation.
    pub const STATUS_GENERATION: u32 = 8;
    /// `STATUS`: every word of the active half bears the current epoch.
    pub const STATUS_COVERED: u32 = 12;
    /// `STATUS` of a recycling filter: lowest of sixteen bits that count recycles of every cause.
    pub const STATUS_TURNS: u32 = 16;
    /// Bits of that count.
    pub const STATUS_TURNS_BITS: u32 = 16;
    /// `ITEM_RESULT`: lowest bit of the sequence number.
    pub const ITEM_SEQUENCE: u32 = 24;
    /// `ITEM_RESULT`: bits of the sequence number.
    pub const ITEM_SEQUENCE_BITS: u32 = 7;
    /// `ITEM_RESULT`: the item is not done yet.
    pub const ITEM_BUSY: u32 = 31;
    /// `LINK`: bits of a port: up, two bits of speed (0 10 Mb/s, 1 100 Mb/s, 2 1 Gb/s), full duplex.
    pub const LINK_BITS: u32 = 4;
    /// `HOST`: lowest bit of the UDP port; below, bit p is 1 where the host port stands at port p.
    pub const HOST_UDP_PORT: u32 = 16;
}

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

/// What a host may do with a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Read only, and always the reset value.
    Constant,
    /// Read only, set by the hardware.
    ReadOnly,
    /// Read and write.
    ReadWrite,
    /// Writing a 1 acts once; reads as 0.
    WritePulse,
    /// Keeps what is written, and reads as 0.
    WriteOnly,
}

impl Access {
    /// Whether a write can succeed.
    pub fn is_writable(self) -> bool {
        !matches!(self, Access::Constant | Access::ReadOnly)
    }
}

/// Bits of a register that mean one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Name, lower case.
    pub name: &'static str,
    /// Lowest bit.
    pub lowest_bit: u32,
    /// Width in bits.
    pub width: u32,
    /// What it says, in one sentence.
    pub doc: &'static str,
}

/// A 32-bit register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    /// Name, upper case, unique in its block.
    pub name: &'static str,
    /// Byte address in the whole map.
    pub offset: u32,
    /// What a host may do with it.
    pub access: Access,
    /// Bits in use, from bit 0; the others read as 0 and must be written as 0.
    pub width: u32,
    /// Value after reset; `None` where reset leaves it to the state of the hardware.
    pub reset: Option<u32>,
    /// What it says.
    pub doc: &'static str,
    /// Its fields, lowest first; none where the register is one value.
    pub fields: Vec<Field>,
}

impl Register {
    /// Greatest value that fits the register.
    pub fn max_value(&self) -> u32 {
        u32::MAX.checked_shr(32 - self.width).unwrap_or(0)
    }
}

/// Registers that belong together, at one place of the linked list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterBlock {
    /// Name, lower case.
    pub name: &'static str,
    /// Byte address of its first register.
    pub offset: u32,
    /// What it is for.
    pub doc: &'static str,
    /// Its registers by rising address.
    pub registers: Vec<Register>,
}

/// The register map of one geometry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterMap {
    /// Name of the filter.
    pub name: String,
    /// Bits of a byte address.
    pub address_bits: u32,
    /// The blocks by rising address.
    pub blocks: Vec<RegisterBlock>,
}

impl RegisterMap {
    /// The map of a filter of these blocks, and of the card around it if there is one.
    pub(crate) fn new(
        common: &Common,
        geometry_hash: u64,
        filter: RegisterBlock,
        counters: RegisterBlock,
    ) -> RegisterMap {
        let mut blocks = vec![blocks::identification(geometry_hash), filter, counters];
        if common.card().is_some() {
            blocks.push(item_port::item_port(common));
        }
        if let Some(packet) = common.line_card() {
            blocks.extend(packet_path::lanes(&packet));
            blocks.push(ports::ports(packet.host()));
        } else if let Some(packet) = common.packet() {
            blocks.push(packet_path::packet_path(&packet));
        }
        RegisterMap {
            name: common.name().to_owned(),
            address_bits: common.map_address_bits(),
            blocks,
        }
    }

    /// Every register of the filter itself by rising address: without the blocks of the card around it.
    pub fn filter_registers(&self) -> impl Iterator<Item = &Register> {
        self.registers()
            .filter(|register| register.offset < 1 << ADDRESS_BITS)
    }

    /// Every register by rising address.
    pub fn registers(&self) -> impl Iterator<Item = &Register> {
        self.blocks.iter().flat_map(|block| &block.registers)
    }

    /// A register by the name of its block and its own: `("filter", "THRESHOLD")`.
    pub fn register(&self, block: &str, name: &str) -> Option<&Register> {
        self.block(block)?
            .registers
            .iter()
            .find(|register| register.name == name)
    }

    /// A block by name.
    pub fn block(&self, name: &str) -> Option<&RegisterBlock> {
        self.blocks.iter().find(|block| block.name == name)
    }

    /// The register at a byte address.
    pub fn at(&self, offset: u32) -> Option<&Register> {
        self.registers().find(|register| register.offset == offset)
    }
}
