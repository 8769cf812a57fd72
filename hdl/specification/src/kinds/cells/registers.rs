//! Register map of a filter of cells.

use super::geometry::CellGeometry;
use super::kind::CellKind;
use crate::registers::blocks::{
    control, counter_block, filter_header, hash_key, public_secret, running, status, REKEY_CLEARS,
};
use crate::registers::{
    address, field, Access, Field, Register, RegisterBlock, RegisterMap, BLOCK_CELL_COUNTERS,
    BLOCK_COUNTING_FILTER, BLOCK_COUNT_MIN_SKETCH, BLOCK_STATIC_FILTER,
};
use crate::values::Erase;
use crate::word::{EPOCH_BITS, WORD_BITS};

/// 2: with a keyed hash, STATUS tells of a public secret. 3: with a window, it tells of turns, and ARRAY_ADDRESS of two panes.
const FILTER_BLOCK_VERSION: u32 = 1;
const KEYED_FILTER_BLOCK_VERSION: u32 = 2;
const WINDOW_FILTER_BLOCK_VERSION: u32 = 3;

/// The register map of a filter of cells.
pub(super) fn register_map(geometry: &CellGeometry) -> RegisterMap {
    let counters = geometry
        .counters()
        .iter()
        .map(|&counter| (counter.address_lo(), counter.text()));
    let counters = counter_block(
        geometry,
        BLOCK_CELL_COUNTERS,
        "6: counters of a filter of cells.",
        counters,
    );
    RegisterMap::new(
        geometry,
        geometry.geometry_hash(),
        filter(geometry),
        counters,
    )
}

fn filter(geometry: &CellGeometry) -> RegisterBlock {
    let (block_type, type_doc, doc) = match geometry.cell_kind() {
        CellKind::Counting => (
            BLOCK_COUNTING_FILTER,
            "4: counting filter.",
            "The counting filter.",
        ),
        CellKind::CountMin => (
            BLOCK_COUNT_MIN_SKETCH,
            "5: Count-Min sketch.",
            "The Count-Min sketch.",
        ),
        CellKind::Static => (
            BLOCK_STATIC_FILTER,
            "3: static filter.",
            "The static filter.",
        ),
    };
    let version = match (geometry.window(), geometry.hash().secret) {
        (Some(_), _) => WINDOW_FILTER_BLOCK_VERSION,
        (None, Some(_)) => KEYED_FILTER_BLOCK_VERSION,
        (None, None) => FILTER_BLOCK_VERSION,
    };
    let mut registers = filter_header(geometry, block_type, type_doc, version).to_vec();
    registers.extend([
        control(
            "1: empty every cell; the counters of the next block stay.",
            geometry.hash().secret.map(|_| REKEY_CLEARS),
            None,
            None,
        ),
        status(state(geometry)),
    ]);
    let read_write = |name, offset, width, reset, doc| {
        Register::new(name, offset, Access::ReadWrite, width, reset, doc)
    };
    if geometry.cell_kind() != CellKind::Static {
        registers.push(read_write(
            "THRESHOLD",
            address::THRESHOLD,
            geometry.cell_bits(),
            geometry.threshold(),
            "Count from which a key is reported.",
        ));
    }
    registers.push(read_write(
        "ARRAY_ADDRESS",
        address::ARRAY_ADDRESS,
        geometry.array_address_bits(),
        0,
        match geometry.window() {
            None => "Word of the array: the bank above the word's address in it. Writing it fetches the word into ARRAY_DATA.",
            Some(_) => {
                "Word of the array: the bank above the word's address in it, the active pane's banks before the frozen pane's. Writing it \
                 fetches the word into ARRAY_DATA."
            }
        },
    ));
    registers.push(read_write(
        "ARRAY_DATA",
        address::ARRAY_DATA,
        WORD_BITS,
        0,
        "Cells of that word, the least position in the lowest bits. Writing it stores the word.",
    ));
    if !geometry.has_array_logic() {
        registers.retain(|register| register.offset < address::ARRAY_ADDRESS);
    }
    if geometry.hash().secret.is_some() {
        registers.extend(hash_key());
    }
    RegisterBlock {
        name: "filter",
        offset: address::FILTER,
        doc,
        registers,
    }
}

/// The fields of STATUS.
fn state(geometry: &CellGeometry) -> Vec<Field> {
    let (keyed, panes) = (
        geometry.hash().secret.is_some(),
        geometry.window().is_some(),
    );
    let in_place = geometry.erase() == Erase::InPlace;
    let fields = vec![
        running(),
        Field::new(
            "epoch",
            field::STATUS_EPOCH,
            EPOCH_BITS,
            match (panes, in_place) {
                (_, true) => "Always 0: single cells bear no epoch.",
                (false, _) => "Epoch of the array.",
                (true, _) => "Epoch of the active pane.",
            },
        ),
        Field::new(
            "spare_epochs",
            field::STATUS_SPARE_EPOCHS,
            EPOCH_BITS,
            match in_place {
                false => "Epoch values that no word can bear, free to be issued.",
                true => "Always 0: single cells bear no epoch.",
            },
        ),
        Field::new(
            "covered",
            field::STATUS_COVERED,
            1,
            match in_place {
                false => "1: every word bears the current epoch.",
                true => "As `running`: every cell was erased before.",
            },
        ),
    ];
    let turns = panes.then(|| {
        Field::new(
            "turns",
            field::STATUS_TURNS,
            field::STATUS_TURNS_BITS,
            "Turns of the panes and clears, the one behind a reset among them, modulo 65536; reset does not set it to 0.",
        )
    });
    fields
        .into_iter()
        .chain(keyed.then(public_secret))
        .chain(turns)
        .collect()
}
