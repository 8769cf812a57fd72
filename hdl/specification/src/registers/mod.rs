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

pub mod address;
pub(crate) mod blocks;
pub(crate) mod counters;
pub mod field;
mod item_port;
mod markdown;
pub(crate) mod numbers;
mod packet_path;
mod ports;
mod register;
mod systemrdl;

pub use crate::kinds::counters::*;
pub use numbers::{
    version_and_width, ADDRESS_BITS, BLOCK_CELL_COUNTERS, BLOCK_COUNTERS, BLOCK_COUNTING_FILTER,
    BLOCK_COUNT_MIN_SKETCH, BLOCK_CUCKOO_COUNTERS, BLOCK_ITEM_PORT, BLOCK_PACKET_PATH, BLOCK_PORTS,
    BLOCK_RECYCLING_FILTER, BLOCK_SLIDING_COUNTERS, BLOCK_SLIDING_FILTER, BLOCK_STATIC_FILTER,
    COUNTER_BLOCKS, MAGIC, MAP_VERSION, RESPONSE_DECERR, RESPONSE_OKAY, RESPONSE_SLVERR,
    SHORT_COUNTERS,
};
pub use packet_path::PathCounter;
pub use ports::{HostCounter, PortCounter};
pub use register::{Access, Field, Register, RegisterBlock, RegisterMap};

use crate::common::Common;

impl RegisterMap {
    /// The map of a filter of these blocks, and of the card around it if there is one.
    pub(crate) fn new(
        common: &Common,
        geometry_hash: u64,
        filter: RegisterBlock,
        counters: Option<RegisterBlock>,
    ) -> RegisterMap {
        let mut blocks = vec![blocks::identification(geometry_hash), filter];
        blocks.extend(counters);
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
}
