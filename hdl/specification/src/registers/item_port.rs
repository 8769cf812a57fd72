//! Register block of the item port, through which a host inserts and queries keys.

use super::blocks::block_header;
use super::numbers::BLOCK_ITEM_PORT;
use super::register::{Access, Field, Register, RegisterBlock};
use super::{address, field};
use crate::common::Common;
use crate::item::VERDICT_BITS;

const ITEM_PORT_BLOCK_VERSION: u32 = 1;
/// Words of the longest key.
const KEY_NAMES: [&str; 16] = [
    "ITEM_KEY_0",
    "ITEM_KEY_1",
    "ITEM_KEY_2",
    "ITEM_KEY_3",
    "ITEM_KEY_4",
    "ITEM_KEY_5",
    "ITEM_KEY_6",
    "ITEM_KEY_7",
    "ITEM_KEY_8",
    "ITEM_KEY_9",
    "ITEM_KEY_10",
    "ITEM_KEY_11",
    "ITEM_KEY_12",
    "ITEM_KEY_13",
    "ITEM_KEY_14",
    "ITEM_KEY_15",
];

/// The item port's block.
pub(super) fn item_port(common: &Common) -> RegisterBlock {
    let register = |name, offset, access, width, doc, fields| {
        Register::new(name, offset, access, width, 0, doc).with_fields(fields)
    };
    let next = common.packet().map_or(0, |_| address::PACKET_PATH);
    let mut registers = block_header(
        address::ITEM_PORT,
        BLOCK_ITEM_PORT,
        "9: item port.",
        ITEM_PORT_BLOCK_VERSION,
        next,
    )
    .to_vec();
    registers.push(register(
        "ITEM_RESULT",
        address::ITEM_RESULT,
        Access::ReadOnly,
        32,
        "What became of the item offered last.",
        vec![
            Field::new(
                "verdict",
                0,
                4,
                "Lowest four bits of its verdict; 0 for an insert.",
            ),
            Field::new(
                "sequence",
                field::ITEM_SEQUENCE,
                field::ITEM_SEQUENCE_BITS,
                "Items done since reset, modulo 128.",
            ),
            Field::new("busy", field::ITEM_BUSY, 1, "1: it is not done yet."),
        ],
    ));
    if common.verdict_bits() > VERDICT_BITS {
        registers.push(register(
            "ITEM_ESTIMATE",
            address::ITEM_ESTIMATE,
            Access::ReadOnly,
            common.verdict_bits() - VERDICT_BITS,
            "Estimate of its verdict; 0 for an insert. Read it after ITEM_RESULT.",
            Vec::new(),
        ));
    }
    registers.push(register(
        "ITEM_OPERATION",
        address::ITEM_OPERATION,
        Access::ReadWrite,
        common.operation_bits(),
        "Operation of the next item, as on s_item_tuser. A write to this or the key is refused (SLVERR) while an item is not done.",
        Vec::new(),
    ));
    for word in 0..common.key_words() {
        let last = word + 1 == common.key_words();
        registers.push(register(
            KEY_NAMES[word as usize],
            address::ITEM_KEY + 4 * word,
            Access::ReadWrite,
            if last {
                common.key_bits() - 32 * word
            } else {
                32
            },
            if last {
                "Highest word of the key. Writing it offers the item to the filter."
            } else {
                "Word of the key, the lowest first."
            },
            Vec::new(),
        ));
    }
    RegisterBlock {
        name: "item_port",
        offset: address::ITEM_PORT,
        doc: "Items from the host, between those of the stream.",
        registers,
    }
}
