//! Register map of a recycling filter.

use super::geometry::RecyclingGeometry;
use crate::registers::blocks::{
    control, counter_block, filter_header, hash_key, public_secret, running, status, REKEY_CLEARS,
};
use crate::registers::{
    address, field, Access, Field, Register, RegisterBlock, RegisterMap, BLOCK_COUNTERS,
    BLOCK_RECYCLING_FILTER,
};
use crate::values::Erase;
use crate::word::{EPOCH_BITS, WORD_BITS};

/// 2: a host can read the array; 3: it can write it, and recycle; 4: with a keyed hash, STATUS tells of a public secret.
const FILTER_BLOCK_VERSION: u32 = 3;
const KEYED_FILTER_BLOCK_VERSION: u32 = 4;

/// The register map of a geometry.
pub(super) fn register_map(geometry: &RecyclingGeometry) -> RegisterMap {
    let counters = counters(geometry);
    RegisterMap::new(
        geometry,
        geometry.geometry_hash(),
        filter(geometry),
        counters,
    )
}

fn filter(geometry: &RecyclingGeometry) -> RegisterBlock {
    let count_bits = geometry.count_bits();
    let threshold = u32::try_from(geometry.threshold())
        .expect("a threshold is at most the bits of a half, which fit 32 bits");
    let count =
        |name, offset, doc| Register::new(name, offset, Access::ReadOnly, count_bits, 0, doc);
    let spare_half = geometry.erase() == Erase::SpareHalf;
    let version = match geometry.hash().secret {
        Some(_) => KEYED_FILTER_BLOCK_VERSION,
        None => FILTER_BLOCK_VERSION,
    };
    let mut state = vec![
        running(),
        Field::new(
            "active_half",
            field::STATUS_ACTIVE_HALF,
            1,
            "Which half is active (0 with one phase).",
        ),
        Field::new(
            "epoch",
            field::STATUS_EPOCH,
            EPOCH_BITS,
            match spare_half {
                false => "Epoch of the active half.",
                true => "0: halves bear no epochs.",
            },
        ),
        Field::new(
            "spare_epochs",
            field::STATUS_SPARE_EPOCHS,
            EPOCH_BITS,
            match spare_half {
                false => {
                    "Epoch values of the active half that no word can bear, free to be issued."
                }
                true => "1: the spare half is empty; 0: it is being erased.",
            },
        ),
        Field::new(
            "covered",
            field::STATUS_COVERED,
            1,
            match spare_half {
                false => "1: every word of the active half bears the current epoch.",
                true => "1: the spare half is empty.",
            },
        ),
        Field::new(
            "turns",
            field::STATUS_TURNS,
            field::STATUS_TURNS_BITS,
            "Recycles of every cause, clear and reset too, modulo 65536; reset does not touch it.",
        ),
    ];
    if geometry.hash().secret.is_some() {
        state.insert(state.len() - 1, public_secret());
    }
    let read_write = |name, offset, width, reset, doc| {
        Register::new(name, offset, Access::ReadWrite, width, reset, doc)
    };
    let mut registers = filter_header(
        geometry,
        BLOCK_RECYCLING_FILTER,
        "1: recycling filter.",
        version,
    )
    .to_vec();
    registers.extend([
        control(
            "1: empty both halves; counters stay.",
            match (geometry.hash().secret, geometry.has_secret_per_half()) {
                (None, _) => None,
                (Some(_), false) => Some(REKEY_CLEARS),
                (Some(_), true) => Some(REKEY_RECYCLES),
            },
            Some(RECYCLES),
            geometry.self_check().then_some(RESTARTS),
        ),
        status(state),
        read_write(
            "THRESHOLD",
            address::THRESHOLD,
            count_bits,
            threshold,
            "Threshold of one half, in bits set or messages. A value below what the half holds \
             acts at the next bit-setting item.",
        ),
        read_write(
            "MAX_AGE",
            address::MAX_AGE,
            32,
            geometry.max_age_ticks(),
            "Longest time a half stays active, in ticks of 1024 clocks; 0: no limit.",
        ),
        count(
            "BITS_ACTIVE",
            address::BITS_ACTIVE,
            "Bits set in the active half.",
        ),
        count(
            "BITS_FROZEN",
            address::BITS_FROZEN,
            "Bits set in the frozen half (0 with one phase).",
        ),
        count(
            "MESSAGES",
            address::MESSAGES,
            "Bit-setting messages accepted in this cycle.",
        ),
        read_write(
            "ARRAY_ADDRESS",
            address::ARRAY_ADDRESS,
            geometry.array_address_bits(),
            0,
            "Word of the array: the bank above the word's address in it, and with two phases above \
             that the half, 0 the active and 1 the frozen one. Writing it fetches the word into \
             ARRAY_DATA.",
        ),
        read_write(
            "ARRAY_DATA",
            address::ARRAY_DATA,
            WORD_BITS,
            0,
            "Bits of that word, the least position in the lowest bit. Writing it sets the bits that \
             are 1 in that word of the active half, whichever half ARRAY_ADDRESS names.",
        ),
    ]);
    if !geometry.has_max_age() {
        registers.retain(|register| register.offset != address::MAX_AGE);
    }
    if !geometry.has_count_registers() {
        let counts = [
            address::BITS_ACTIVE,
            address::BITS_FROZEN,
            address::MESSAGES,
        ];
        registers.retain(|register| !counts.contains(&register.offset));
    }
    if !geometry.has_array_logic() {
        let array = [address::ARRAY_ADDRESS, address::ARRAY_DATA];
        registers.retain(|register| !array.contains(&register.offset));
    }
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

/// What it does to one with a secret for each half.
const REKEY_RECYCLES: &str =
    "1: recycle, and hash what comes into the half that it empties with the secret of HASH_KEY; the other half keeps its \
     entries and its secret until the next recycle, up to which an item takes two clocks. With clear: both halves are \
     emptied and take the secret.";

/// What a restart by command does.
const RESTARTS: &str =
    "1: drain and restart the verdict queue and the sequencer, as the self-check does: verdicts that wait are lost, what is stored is not; counted in CONTROL_ERRORS.";

/// What a recycle by command does.
const RECYCLES: &str =
    "1: recycle, as by age: the active half becomes the frozen one, or with one phase empty. With clear or rekey: nothing more.";

fn counters(geometry: &RecyclingGeometry) -> Option<RegisterBlock> {
    let halves = geometry
        .counters()
        .iter()
        .map(|&counter| (counter.address_lo(), counter.text()));
    counter_block(geometry, BLOCK_COUNTERS, "2: counters.", halves)
}
