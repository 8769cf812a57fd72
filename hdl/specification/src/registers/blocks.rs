//! Registers that the blocks of every kind share.

use super::numbers::{BLOCK_SLIDING_FILTER, MAGIC, MAP_VERSION, SHORT_COUNTERS};
use super::register::{Access, Field, Register, RegisterBlock};
use super::{address, field};
use crate::common::Common;
use crate::values::{CounterWidth, Parity};

const COUNTER_BLOCK_VERSION: u32 = 1;
/// Version of the block of a sliding-window filter.
const WINDOW_FILTER_BLOCK_VERSION: u32 = 1;
/// Width of the generation in STATUS: the most bits a generation has.
const STATUS_GENERATION_BITS: u32 = 8;
/// Of a counter block that has PARITY_ERRORS too.
const PARITY_COUNTER_BLOCK_VERSION: u32 = 2;

/// Of one that has CONTROL_ERRORS, with PARITY_ERRORS or without.
const CHECKED_COUNTER_BLOCK_VERSION: u32 = 3;

/// Of one that has ECC_CORRECTED and ECC_UNCORRECTABLE, with CONTROL_ERRORS or without.
const CORRECTED_COUNTER_BLOCK_VERSION: u32 = 4;

pub(crate) fn constant(name: &'static str, offset: u32, value: u32, doc: &'static str) -> Register {
    Register::new(name, offset, Access::Constant, 32, value, doc)
}

/// The registers that every block of the list starts with: its type, its version, and the address of the next block or 0.
pub(crate) fn block_header(
    block: u32,
    block_type: u32,
    type_doc: &'static str,
    version: u32,
    next: u32,
) -> [Register; 3] {
    let next_doc = match next {
        0 => "0: the last block.",
        _ => "Address of the next block.",
    };
    [
        constant("BLOCK_TYPE", block, block_type, type_doc),
        constant(
            "BLOCK_VERSION",
            block + 4,
            version,
            "Version of this block.",
        ),
        constant("NEXT_BLOCK", block + 8, next, next_doc),
    ]
}

/// The header of the filter's block, which the counters follow, or what is there without them.
pub(crate) fn filter_header(
    common: &Common,
    block_type: u32,
    type_doc: &'static str,
    version: u32,
) -> [Register; 3] {
    let next = match (common.counter_width().is_built(), common.card()) {
        (true, _) => address::COUNTERS,
        (false, Some(_)) => address::ITEM_PORT,
        (false, None) => 0,
    };
    block_header(address::FILTER, block_type, type_doc, version, next)
}

/// The block that every device starts with.
pub(crate) fn identification(hash: u64) -> RegisterBlock {
    RegisterBlock {
        name: "identification",
        offset: address::MAGIC,
        doc: "What this device is. A host reads it first and refuses a device it does not know.",
        registers: vec![
            constant(
                "MAGIC",
                address::MAGIC,
                MAGIC,
                "\"BLML\" in ASCII, the first letter the most significant byte.",
            ),
            constant(
                "VERSION",
                address::VERSION,
                MAP_VERSION,
                "Version of the register map.",
            ),
            constant(
                "GEOMETRY_HASH_LO",
                address::GEOMETRY_HASH_LO,
                hash as u32,
                "Low half of the hash over everything that changes the gateware.",
            ),
            constant(
                "GEOMETRY_HASH_HI",
                address::GEOMETRY_HASH_HI,
                (hash >> 32) as u32,
                "High half of the hash over everything that changes the gateware.",
            ),
            constant(
                "FIRST_BLOCK",
                address::FIRST_BLOCK,
                address::FILTER,
                "Address of the first block of the list.",
            ),
        ],
    }
}

/// What a rekey does to a filter with one secret.
pub(crate) const REKEY_CLEARS: &str =
    "1: clear, and hash with the secret of HASH_KEY from then on.";
/// CONTROL: clear, where the hash is keyed rekey, where the filter recycles recycle, where control logic checks itself restart, with what they do.
pub(crate) fn control(
    clear: &'static str,
    rekey: Option<&'static str>,
    recycle: Option<&'static str>,
    restart: Option<&'static str>,
) -> Register {
    let mut fields = vec![Field::new("clear", field::CONTROL_CLEAR, 1, clear)];
    if let Some(doc) = rekey {
        fields.push(Field::new("rekey", field::CONTROL_REKEY, 1, doc));
    }
    if let Some(doc) = recycle {
        fields.push(Field::new("recycle", field::CONTROL_RECYCLE, 1, doc));
    }
    if let Some(doc) = restart {
        fields.push(Field::new("restart", field::CONTROL_RESTART, 1, doc));
    }
    Register::new(
        "CONTROL",
        address::CONTROL,
        Access::WritePulse,
        end(&fields),
        0,
        "Commands; reads as 0.",
    )
    .with_fields(fields)
}

/// STATUS, with these fields, the lowest first.
pub(crate) fn status(fields: Vec<Field>) -> Register {
    Register::new(
        "STATUS",
        address::STATUS,
        Access::ReadOnly,
        end(&fields),
        None,
        "State of the filter.",
    )
    .with_fields(fields)
}

/// Bits from bit 0 to the end of the last field.
fn end(fields: &[Field]) -> u32 {
    fields
        .last()
        .map_or(0, |field| field.lowest_bit + field.width)
}

/// The field of STATUS that tells whether the filter takes items.
pub(crate) fn running() -> Field {
    Field::new(
        "running",
        field::STATUS_RUNNING,
        1,
        "1: the filter takes items; 0: configuration, reset, clear or another change of its state holds items back.",
    )
}

/// The field of STATUS that tells whether a secret was loaded, of a filter with a keyed hash.
pub(crate) fn public_secret() -> Field {
    Field::new(
        "public_secret",
        field::STATUS_PUBLIC_SECRET,
        1,
        "1: the secret in force is the specification's, as public as hash.seed; of two secrets, \
         the active half's.",
    )
}

/// The secret of a keyed hash, to be written before a rekey.
pub(crate) fn hash_key() -> [Register; 4] {
    let texts = [
        (
            "HASH_KEY_0",
            "Secret, bits 31:0. Acts at the next rekey; reads as 0; reset does not touch it.",
        ),
        ("HASH_KEY_1", "Secret, bits 63:32."),
        ("HASH_KEY_2", "Secret, bits 95:64."),
        ("HASH_KEY_3", "Secret, bits 127:96."),
    ];
    secret(address::HASH_KEY, None, texts)
}

/// The four words of a secret, the lowest first.
pub(crate) fn secret(
    first: u32,
    reset: Option<u32>,
    texts: [(&'static str, &'static str); 4],
) -> [Register; 4] {
    let mut offset = first;
    texts.map(|(name, doc)| {
        let word = Register::new(name, offset, Access::WriteOnly, 32, reset, doc);
        offset += 4;
        word
    })
}

/// A block of counters, each given by the address of its low half, the names of both halves and what it counts; of 32-bit counters the low
/// halves alone. `None` for a filter without counters.
pub(crate) fn counter_block(
    common: &Common,
    block_type: u32,
    type_doc: &'static str,
    halves: impl Iterator<Item = (u32, (&'static str, &'static str, &'static str))>,
) -> Option<RegisterBlock> {
    let short = match common.counter_width() {
        CounterWidth::None => return None,
        CounterWidth::Bits32 => true,
        CounterWidth::Bits64 => false,
    };
    let version = match (common.self_check(), common.parity()) {
        _ if common.ecc() => CORRECTED_COUNTER_BLOCK_VERSION,
        (true, _) => CHECKED_COUNTER_BLOCK_VERSION,
        (false, Parity::None) => COUNTER_BLOCK_VERSION,
        (false, Parity::Count | Parity::Empty) => PARITY_COUNTER_BLOCK_VERSION,
    };
    let version = version + if short { SHORT_COUNTERS } else { 0 };
    let next = common.card().map_or(0, |_| address::ITEM_PORT);
    let mut registers =
        block_header(address::COUNTERS, block_type, type_doc, version, next).to_vec();
    for (offset, (name_lo, name_hi, doc)) in halves {
        let halves = if short { 1 } else { 2 };
        let pair = half_pair(offset, name_lo, name_hi, doc);
        registers.extend(pair.into_iter().take(halves));
    }
    Some(RegisterBlock {
        name: "counters",
        offset: address::COUNTERS,
        doc: match short {
            false => "64-bit counters since reset. Reading a low half keeps the high half that belongs to it, of one counter at a time: read low, then high, with no other low half between.",
            true => "32-bit counters since reset, modulo 2^32: there are no high halves.",
        },
        registers,
    })
}

/// The two registers of a 64-bit counter, from the address of its low half.
pub(crate) fn half_pair(
    offset: u32,
    name_lo: &'static str,
    name_hi: &'static str,
    doc: &'static str,
) -> [Register; 2] {
    let half = |name, offset, doc| Register::new(name, offset, Access::ReadOnly, 32, 0, doc);
    let high_doc = "High half of the counter of this block whose low half was read last.";
    [
        half(name_lo, offset, doc),
        half(name_hi, offset + 4, high_doc),
    ]
}

/// The block of a sliding-window filter.
pub(crate) fn window_filter_block(common: &Common) -> RegisterBlock {
    let generation = Field::new(
        "generation",
        field::STATUS_GENERATION,
        STATUS_GENERATION_BITS,
        "Number of the present generation, modulo 2^generation_bits, on cuckoo tables \
         2^generation_bits - 1.",
    );
    let mut registers = filter_header(
        common,
        BLOCK_SLIDING_FILTER,
        "7: sliding-window filter.",
        WINDOW_FILTER_BLOCK_VERSION,
    )
    .to_vec();
    registers.push(control(
        "1: forget every element; the counters of the next block stay.",
        None,
        None,
        None,
    ));
    registers.push(status(vec![running(), generation]));
    RegisterBlock {
        name: "filter",
        offset: address::FILTER,
        doc: "The sliding-window filter.",
        registers,
    }
}
