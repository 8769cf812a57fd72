//! What a flipped epoch bit can do to a filter of cells that is cleared faster than its words are touched.

use bloomline_model::{CellPipelineModel, Inputs, MemoryBit};
use bloomline_spec::registers::address;
use bloomline_spec::{CellGeometry, FilterSpec, Validated, EPOCH_BITS, WORD_BITS};
use std::path::Path;

const WORDS: u32 = 256;
/// More clocks than some clears take, and to touch every word between two.
const PATIENCE: u64 = 16 * WORDS as u64;

fn geometry(parity: &str) -> CellGeometry {
    let text = format!(
        "name = \"cleared\"\n[filter]\nkind = \"static\"\nmemory_bits = {}\nhashes = 1\nitems = 100\n[key]\nbits = 32\n[memory]\nparity = \"{parity}\"\n",
        32 * WORDS
    );
    let spec = FilterSpec::from_toml(&text, Path::new("cleared.toml"));
    match spec.and_then(|spec| spec.resolve()) {
        Ok(Validated::Cells(geometry)) => geometry,
        other => panic!("{other:?}"),
    }
}

/// A host that asks for a clear.
fn clear() -> Inputs {
    Inputs {
        s_axil_awvalid: true,
        s_axil_awaddr: address::CONTROL as u8,
        s_axil_wvalid: true,
        s_axil_wdata: 1,
        s_axil_wstrb: 15,
        s_axil_bready: true,
        ..Inputs::default()
    }
}

/// A filter that has been cleared until no epoch was left to spare.
fn used_up(parity: &str) -> CellPipelineModel {
    let mut model = CellPipelineModel::with_memory(&geometry(parity));
    while model.status().spare_epochs > 0 {
        model.clock(&clear());
    }
    model
}

/// Whether the filter comes to run again after one more clear, with a bit flipped before it or without.
fn recovers(mut model: CellPipelineModel, flip: Option<MemoryBit>) -> bool {
    if let Some(bit) = flip {
        model.flip(bit);
    }
    for clock in 0..PATIENCE {
        let asks = clock < WORDS.into();
        model.clock(&if asks { clear() } else { Inputs::default() });
    }
    model.status().running
}

#[test]
fn an_epoch_bit_that_flips_before_its_word_is_touched_stops_a_filter_for_good_but_with_empty() {
    for (parity, may_stop) in [("none", true), ("count", true), ("empty", false)] {
        let model = used_up(parity);
        assert!(recovers(model.clone(), None), "{parity}: no bit flipped");
        let bits = (0..WORDS)
            .flat_map(|word| (WORD_BITS..WORD_BITS + EPOCH_BITS).map(move |bit| (word, bit)));
        let stopped = bits
            .filter(|&(word, bit)| {
                let bit = MemoryBit {
                    half: 0,
                    bank: 0,
                    word,
                    bit,
                };
                !recovers(model.clone(), Some(bit))
            })
            .count();
        println!(
            "{parity}: {stopped} of {} epoch bits stop it",
            WORDS * EPOCH_BITS
        );
        assert_eq!(stopped > 0, may_stop, "{parity}: {stopped}");
    }
}
