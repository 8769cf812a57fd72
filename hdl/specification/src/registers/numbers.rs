//! Numbers of the register map: magic, versions, block types and bus responses.

use crate::values::FilterKind;

/// First register of every device: "BLML".
pub const MAGIC: u32 = 0x424C_4D4C;
/// Version of the register map as a whole.
pub const MAP_VERSION: u32 = 1;
/// Bits of an address of the filter's registers, 256 bytes; those of a card's own blocks stand above.
pub const ADDRESS_BITS: u32 = 8;
/// `BLOCK_TYPE` of a recycling filter.
pub const BLOCK_RECYCLING_FILTER: u32 = FilterKind::Recycling.block_type();
/// `BLOCK_TYPE` of a counter block.
pub const BLOCK_COUNTERS: u32 = 2;
/// `BLOCK_TYPE` of a static filter.
pub const BLOCK_STATIC_FILTER: u32 = FilterKind::Static.block_type();
/// `BLOCK_TYPE` of a counting filter.
pub const BLOCK_COUNTING_FILTER: u32 = FilterKind::Counting.block_type();
/// `BLOCK_TYPE` of a Count-Min sketch.
pub const BLOCK_COUNT_MIN_SKETCH: u32 = FilterKind::CountMin.block_type();
/// `BLOCK_TYPE` of the counter block of a filter of cells.
pub const BLOCK_CELL_COUNTERS: u32 = 6;
/// `BLOCK_TYPE` of a sliding-window filter.
pub const BLOCK_SLIDING_FILTER: u32 = FilterKind::Sliding.block_type();
/// `BLOCK_TYPE` of the counter block of a sliding-window filter.
pub const BLOCK_SLIDING_COUNTERS: u32 = 8;
/// `BLOCK_TYPE` of the counter block of a sliding-window filter on cuckoo tables.
pub const BLOCK_CUCKOO_COUNTERS: u32 = 12;

/// What is added to `BLOCK_VERSION` of a counter block whose counters have 32 bits.
pub const SHORT_COUNTERS: u32 = 16;
/// `BLOCK_TYPE`s of the counter blocks of filters.
pub const COUNTER_BLOCKS: [u32; 4] = [
    BLOCK_COUNTERS,
    BLOCK_CELL_COUNTERS,
    BLOCK_SLIDING_COUNTERS,
    BLOCK_CUCKOO_COUNTERS,
];

/// The version of a block of type `kind`, without what `BLOCK_VERSION` says of the width of counters, and whether it has 32-bit counters.
pub fn version_and_width(kind: u32, version: u32) -> (u32, bool) {
    match version.checked_sub(SHORT_COUNTERS) {
        Some(plain) if COUNTER_BLOCKS.contains(&kind) => (plain, true),
        _ => (version, false),
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
