//! What a flipped epoch bit can do to a recycling filter that recycles faster than its words are touched.

use bloomline_model::{Inputs, MemoryBit, PipelineModel};
use bloomline_spec::registers::address;
use bloomline_spec::{FilterSpec, Geometry, EPOCH_BITS, WORD_BITS};
use std::path::Path;

const WORDS: u32 = 128;
/// More clocks than some recycles take, and to touch every word between two.
const PATIENCE: u64 = 32 * WORDS as u64;

fn geometry(layout: &str, phases: u32, parity: &str) -> Geometry {
    let text = format!(
        "name = \"fast\"\n[filter]\nkind = \"recycling\"\nmemory_bits = {}\nhashes = 1\nhashing = \"independent\"\nlayout = \"{layout}\"\n\
         [filter.recycle]\nphases = {phases}\non = \"messages\"\nthreshold = 2000\nretain = true\n[key]\nbits = 32\n[memory]\nparity = \"{parity}\"\n",
        32 * WORDS * phases
    );
    let spec = FilterSpec::from_toml(&text, Path::new("fast.toml"));
    let sizing = spec.and_then(|spec| spec.validate());
    let geometry = sizing.and_then(|sizing| sizing.with_threshold(2000));
    geometry.unwrap_or_else(|error| panic!("{error}"))
}

/// A host that asks for a clear, which recycles every half.
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

/// A filter that has been cleared until no epoch was left to spare in the active half.
fn used_up(geometry: &Geometry) -> PipelineModel {
    let mut model = PipelineModel::with_memory(geometry);
    while model.status().spare_epochs > 0 {
        model.clock(&clear());
    }
    model
}

/// Whether the filter comes to run again after one more clear, with a bit flipped before it or without.
fn recovers(mut model: PipelineModel, flip: Option<MemoryBit>) -> bool {
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
    for (layout, phases) in [("partitioned", 1), ("partitioned", 2), ("shared", 2)] {
        for (parity, may_stop) in [("none", true), ("count", true), ("empty", false)] {
            let model = used_up(&geometry(layout, phases, parity));
            let name = format!("{layout}, {phases} phases, {parity}");
            assert!(recovers(model.clone(), None), "{name}: no bit flipped");
            let halves = 0..phases;
            let bits = halves.flat_map(|half| {
                let words = (0..WORDS).map(move |word| (half, word));
                words.flat_map(|(half, word)| {
                    (WORD_BITS..WORD_BITS + EPOCH_BITS).map(move |bit| MemoryBit {
                        half,
                        bank: 0,
                        word,
                        bit,
                    })
                })
            });
            let stopped = bits
                .filter(|&bit| !recovers(model.clone(), Some(bit)))
                .count();
            println!(
                "{name}: {stopped} of {} epoch bits stop it",
                phases * WORDS * EPOCH_BITS
            );
            assert_eq!(stopped > 0, may_stop, "{name}: {stopped}");
        }
    }
}
