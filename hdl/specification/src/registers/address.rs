//! Byte addresses of the registers of map version 1.

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
/// Secret of the host port's tags, bits 31:0; the other three follow.
pub const HOST_KEY: u32 = PORTS + 0x20;
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
