//! What stands in the register map of a recycling filter.

use super::{
    address, field, Access, Counter, Field, Register, RegisterBlock, RegisterMap, BLOCK_COUNTERS,
    BLOCK_RECYCLING_FILTER, MAGIC, MAP_VERSION,
};
use crate::common::Common;
use crate::geometry::{Geometry, EPOCH_BITS, WORD_BITS};
use crate::values::Parity;

/// 2: a host can read the array.
const FILTER_BLOCK_VERSION: u32 = 3;
const COUNTER_BLOCK_VERSION: u32 = 1;
/// Of a counter block that has PARITY_ERRORS too.
const PARITY_COUNTER_BLOCK_VERSION: u32 = 2;

impl RegisterMap {
    /// The register map of a geometry.
    pub fn for_geometry(geometry: &Geometry) -> RegisterMap {
        let counters = counters(geometry);
        RegisterMap::new(
            geometry,
            geometry.geometry_hash(),
            filter(geometry),
            counters,
        )
    }
}

pub(super) fn constant(name: &'static str, offset: u32, value: u32, doc: &'static str) -> Register {
    Register {
        name,
        offset,
        access: Access::Constant,
        width: 32,
        reset: Some(value),
        doc,
        fields: Vec::new(),
    }
}

/// The block that every device starts with.
pub(super) fn identification(hash: u64) -> RegisterBlock {
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

fn filter(geometry: &Geometry) -> RegisterBlock {
    let count_bits = geometry.count_bits();
    let threshold = u32::try_from(geometry.threshold())
        .expect("a threshold is at most the bits of a half, which fit 32 bits");
    let count = |name, offset, doc| Register {
        name,
        offset,
        access: Access::ReadOnly,
        width: count_bits,
        reset: Some(0),
        doc,
        fields: Vec::new(),
    };
    let mut registers = vec![
            constant("BLOCK_TYPE", address::FILTER, BLOCK_RECYCLING_FILTER, "1: recycling filter."),
            constant("BLOCK_VERSION", address::FILTER_VERSION, FILTER_BLOCK_VERSION, "Version of this block."),
            constant("NEXT_BLOCK", address::FILTER_NEXT, address::COUNTERS, "Address of the next block."),
            control(
                "1: empty both halves; counters stay.",
                match (geometry.hash().secret, geometry.has_secret_per_half()) {
                    (None, _) => None,
                    (Some(_), false) => Some(REKEY_CLEARS),
                    (Some(_), true) => Some(REKEY_RECYCLES),
                },
                Some(RECYCLES),
            ),
            Register {
                name: "STATUS",
                offset: address::STATUS,
                access: Access::ReadOnly,
                width: field::STATUS_TURNS + field::STATUS_TURNS_BITS,
                reset: None,
                doc: "State of the filter.",
                fields: vec![
                    Field {
                        name: "running",
                        lowest_bit: field::STATUS_RUNNING,
                        width: 1,
                        doc: "1: the filter takes items; 0: it is still coming out of configuration, reset or clear.",
                    },
                    Field {
                        name: "active_half",
                        lowest_bit: field::STATUS_ACTIVE_HALF,
                        width: 1,
                        doc: "Which half is active (0 with one phase).",
                    },
                    Field {
                        name: "epoch",
                        lowest_bit: field::STATUS_EPOCH,
                        width: EPOCH_BITS,
                        doc: "Epoch of the active half.",
                    },
                    Field {
                        name: "spare_epochs",
                        lowest_bit: field::STATUS_SPARE_EPOCHS,
                        width: EPOCH_BITS,
                        doc: "Epoch values of the active half that no word can bear, free to be issued.",
                    },
                    Field {
                        name: "covered",
                        lowest_bit: field::STATUS_COVERED,
                        width: 1,
                        doc: "1: every word of the active half bears the current epoch.",
                    },
                    Field {
                        name: "turns",
                        lowest_bit: field::STATUS_TURNS,
                        width: field::STATUS_TURNS_BITS,
                        doc: "Recycles of every cause, clear and reset too, modulo 65536; reset does not touch it.",
                    },
                ],
            },
            Register {
                name: "THRESHOLD",
                offset: address::THRESHOLD,
                access: Access::ReadWrite,
                width: count_bits,
                reset: Some(threshold),
                doc: "Threshold of one half, in bits set or messages. A value below what the half holds acts at the next \
                      bit-setting item.",
                fields: Vec::new(),
            },
            Register {
                name: "MAX_AGE",
                offset: address::MAX_AGE,
                access: Access::ReadWrite,
                width: 32,
                reset: Some(geometry.max_age_ticks()),
                doc: "Longest time a half stays active, in ticks of 1024 clocks; 0: no limit.",
                fields: Vec::new(),
            },
            count("BITS_ACTIVE", address::BITS_ACTIVE, "Bits set in the active half."),
            count("BITS_FROZEN", address::BITS_FROZEN, "Bits set in the frozen half (0 with one phase)."),
            count("MESSAGES", address::MESSAGES, "Bit-setting messages accepted in this cycle."),
            Register {
                name: "ARRAY_ADDRESS",
                offset: address::ARRAY_ADDRESS,
                access: Access::ReadWrite,
                width: geometry.array_address_bits(),
                reset: Some(0),
                doc: "Word of the array: the bank above the word's address in it, and with two phases above that the half, 0 the \
                      active and 1 the frozen one. Writing it fetches the word into ARRAY_DATA.",
                fields: Vec::new(),
            },
            Register {
                name: "ARRAY_DATA",
                offset: address::ARRAY_DATA,
                access: Access::ReadWrite,
                width: WORD_BITS,
                reset: Some(0),
                doc: "Bits of that word, the least position in the lowest bit. Writing it sets the bits that are 1 in that word of the \
                      active half, whichever half ARRAY_ADDRESS names.",
                fields: Vec::new(),
            },
        ];
    if geometry.hash().secret.is_some() {
        registers.extend(hash_key());
    }
    RegisterBlock {
        name: "filter",
        offset: address::FILTER,
        doc: "The recycling filter.",
        registers,
    }
}

/// What a rekey does to a filter with one secret.
pub(super) const REKEY_CLEARS: &str =
    "1: clear, and hash with the secret of HASH_KEY from then on.";
/// What it does to one with a secret for each half.
const REKEY_RECYCLES: &str =
    "1: recycle, and hash what comes into the half that it empties with the secret of HASH_KEY; the other half keeps its \
     entries and its secret until the next recycle, up to which an item takes two clocks. With clear: both halves are \
     emptied and take the secret.";

/// What a recycle by command does.
const RECYCLES: &str =
    "1: recycle, as by age: the active half becomes the frozen one, or with one phase empty. With clear or rekey: nothing more.";

/// CONTROL: clear, where the hash is keyed rekey, where the filter recycles recycle, with what they do.
pub(super) fn control(
    clear: &'static str,
    rekey: Option<&'static str>,
    recycle: Option<&'static str>,
) -> Register {
    let mut fields = vec![Field {
        name: "clear",
        lowest_bit: field::CONTROL_CLEAR,
        width: 1,
        doc: clear,
    }];
    if let Some(doc) = rekey {
        fields.push(Field {
            name: "rekey",
            lowest_bit: field::CONTROL_REKEY,
            width: 1,
            doc,
        });
    }
    if let Some(doc) = recycle {
        fields.push(Field {
            name: "recycle",
            lowest_bit: field::CONTROL_RECYCLE,
            width: 1,
            doc,
        });
    }
    Register {
        name: "CONTROL",
        offset: address::CONTROL,
        access: Access::WritePulse,
        width: fields
            .last()
            .map_or(0, |field| field.lowest_bit + field.width),
        reset: Some(0),
        doc: "Commands; reads as 0.",
        fields,
    }
}

/// The secret of a keyed hash, to be written before a rekey.
pub(super) fn hash_key() -> impl Iterator<Item = Register> {
    let words = [
        (
            "HASH_KEY_0",
            "Secret, bits 31:0. Acts at the next rekey; reads as 0; reset does not touch it.",
        ),
        ("HASH_KEY_1", "Secret, bits 63:32."),
        ("HASH_KEY_2", "Secret, bits 95:64."),
        ("HASH_KEY_3", "Secret, bits 127:96."),
    ];
    words
        .into_iter()
        .zip(0..)
        .map(|((name, doc), word)| Register {
            name,
            offset: address::HASH_KEY + 4 * word,
            access: Access::WriteOnly,
            width: 32,
            reset: None,
            doc,
            fields: Vec::new(),
        })
}

fn counters(geometry: &Geometry) -> RegisterBlock {
    let halves = geometry
        .counters()
        .iter()
        .map(|&counter| (counter.address_lo(), counter_text(counter)));
    counter_block(geometry, BLOCK_COUNTERS, "2: counters.", halves)
}

/// A block of 64-bit counters, each given by the address of its low half, the names of both halves and what it counts.
pub(super) fn counter_block(
    common: &Common,
    block_type: u32,
    type_doc: &'static str,
    halves: impl Iterator<Item = (u32, (&'static str, &'static str, &'static str))>,
) -> RegisterBlock {
    let mut registers = vec![
        constant("BLOCK_TYPE", address::COUNTERS, block_type, type_doc),
        constant(
            "BLOCK_VERSION",
            address::COUNTERS_VERSION,
            match common.parity() {
                Parity::None => COUNTER_BLOCK_VERSION,
                Parity::Count | Parity::Empty => PARITY_COUNTER_BLOCK_VERSION,
            },
            "Version of this block.",
        ),
        match common.card() {
            None => constant(
                "NEXT_BLOCK",
                address::COUNTERS_NEXT,
                0,
                "0: the last block.",
            ),
            Some(_) => constant(
                "NEXT_BLOCK",
                address::COUNTERS_NEXT,
                address::ITEM_PORT,
                "Address of the next block.",
            ),
        },
    ];
    for (offset, (name_lo, name_hi, doc)) in halves {
        registers.extend(half_pair(offset, name_lo, name_hi, doc));
    }
    RegisterBlock {
        name: "counters",
        offset: address::COUNTERS,
        doc: "64-bit counters since reset. Reading a low half captures its high half: read low, then high.",
        registers,
    }
}

/// The two registers of a 64-bit counter, from the address of its low half.
pub(super) fn half_pair(
    offset: u32,
    name_lo: &'static str,
    name_hi: &'static str,
    doc: &'static str,
) -> [Register; 2] {
    let half = |name, offset, doc| Register {
        name,
        offset,
        access: Access::ReadOnly,
        width: 32,
        reset: Some(0),
        doc,
        fields: Vec::new(),
    };
    let high_doc = "High half, as captured by the last read of the low half.";
    [
        half(name_lo, offset, doc),
        half(name_hi, offset + 4, high_doc),
    ]
}

fn counter_text(counter: Counter) -> (&'static str, &'static str, &'static str) {
    match counter {
        Counter::Items => ("ITEMS_LO", "ITEMS_HI", "Items accepted, low half."),
        Counter::Seen => ("SEEN_LO", "SEEN_HI", "Items found in the filter, low half."),
        Counter::Inserted => ("INSERTED_LO", "INSERTED_HI", "Bit-setting items, low half."),
        Counter::Recycles => ("RECYCLES_LO", "RECYCLES_HI", "Recycles, by whatever cause, low half."),
        Counter::StallRecycle => (
            "STALL_RECYCLE_LO",
            "STALL_RECYCLE_HI",
            "Clocks in which ready was low for epoch reserve or one-at-a-time operation, low half.",
        ),
        Counter::StallControl => (
            "STALL_CONTROL_LO",
            "STALL_CONTROL_HI",
            "Clocks in which ready was low for clear, a threshold write, ageing, a word of the array or reset, low half.",
        ),
        Counter::StallVerdict => (
            "STALL_VERDICT_LO",
            "STALL_VERDICT_HI",
            "Clocks in which ready was low because the verdict stream was held up, low half.",
        ),
        Counter::ParityErrors => (
            "PARITY_ERRORS_LO",
            "PARITY_ERRORS_HI",
            "Slots (items, refreshes, words for the host) that met a memory word of wrong parity, low half.",
        ),
    }
}
