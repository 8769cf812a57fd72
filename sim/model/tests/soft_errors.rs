//! Tests of a flipped epoch bit in a filter that recycles, or is cleared, faster than its words are accessed.

use bloomline_model::{CellPipelineModel, Inputs, MemoryBit, PipelineModel};
use bloomline_spec::registers::address;
use bloomline_spec::{CellGeometry, Design, FilterSpec, RecyclingGeometry, EPOCH_BITS, WORD_BITS};
use std::path::Path;

/// A pipeline with epochs and memory.
trait Pipeline: Clone {
    fn clock(&mut self, inputs: &Inputs);
    fn flip(&mut self, bit: MemoryBit);
    fn running(&self) -> bool;
    fn spare_epochs(&self) -> u32;
}

impl Pipeline for PipelineModel {
    fn clock(&mut self, inputs: &Inputs) {
        self.clock(inputs);
    }

    fn flip(&mut self, bit: MemoryBit) {
        self.flip(bit);
    }

    fn running(&self) -> bool {
        self.status().running
    }

    fn spare_epochs(&self) -> u32 {
        self.status().spare_epochs
    }
}

impl Pipeline for CellPipelineModel {
    fn clock(&mut self, inputs: &Inputs) {
        self.clock(inputs);
    }

    fn flip(&mut self, bit: MemoryBit) {
        self.flip(bit);
    }

    fn running(&self) -> bool {
        self.status().running
    }

    fn spare_epochs(&self) -> u32 {
        self.status().spare_epochs
    }
}

fn recycling(layout: &str, phases: u32, words: u32, parity: &str) -> RecyclingGeometry {
    let text = format!(
        "name = \"fast\"\n[filter]\nkind = \"recycling\"\nmemory_bits = {}\nhashes = 1\nhashing = \"independent\"\nlayout = \"{layout}\"\n\
         [filter.recycle]\nphases = {phases}\non = \"messages\"\nthreshold = 2000\nretain = true\n[key]\nbits = 32\n[memory]\nparity = \"{parity}\"\n",
        32 * words * phases
    );
    let spec = FilterSpec::from_toml(&text, Path::new("fast.toml"));
    let sizing = spec.and_then(|spec| spec.validate());
    let geometry = sizing.and_then(|sizing| sizing.with_threshold(2000));
    geometry.unwrap_or_else(|error| panic!("{error}"))
}

fn cells(words: u32, parity: &str) -> CellGeometry {
    let text = format!(
        "name = \"cleared\"\n[filter]\nkind = \"static\"\nmemory_bits = {}\nhashes = 1\nitems = 100\n[key]\nbits = 32\n[memory]\nparity = \"{parity}\"\n",
        32 * words
    );
    let spec = FilterSpec::from_toml(&text, Path::new("cleared.toml"));
    match spec.and_then(|spec| spec.design()) {
        Ok(Design::Cells(geometry)) => geometry,
        other => panic!("{other:?}"),
    }
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

/// Whether the filter comes to run again after one more clear, with a bit flipped before it or without.
fn recovers(mut model: impl Pipeline, words: u32, flip: Option<MemoryBit>) -> bool {
    if let Some(bit) = flip {
        model.flip(bit);
    }
    // more clocks than some clears take, and to touch every word between two
    for clock in 0..32 * words {
        let asks = clock < words;
        model.clock(&if asks { clear() } else { Inputs::default() });
    }
    model.running()
}

/// How many epoch bits of bank 0 stop the filter for good once it has been cleared until no epoch is to spare.
fn bits_that_stop(name: &str, mut model: impl Pipeline, halves: u32, words: u32) -> usize {
    while model.spare_epochs() > 0 {
        model.clock(&clear());
    }
    assert!(
        recovers(model.clone(), words, None),
        "{name}: no bit flipped"
    );
    let mut stopped = 0;
    for half in 0..halves {
        for word in 0..words {
            for bit in WORD_BITS..WORD_BITS + EPOCH_BITS {
                let bit = MemoryBit {
                    half,
                    bank: 0,
                    word,
                    bit,
                };
                stopped += usize::from(!recovers(model.clone(), words, Some(bit)));
            }
        }
    }
    let bits = halves * words * EPOCH_BITS;
    println!("{name}: {stopped} of {bits} epoch bits stop it");
    stopped
}

#[test]
#[ignore = "a claim"]
fn an_epoch_bit_that_flips_before_its_word_is_touched_stops_a_filter_for_good_but_with_empty() {
    for (parity, may_stop) in [("none", true), ("count", true), ("empty", false)] {
        for (layout, phases) in [("partitioned", 1), ("partitioned", 2), ("shared", 2)] {
            let name = format!("recycling, {layout}, {phases} phases, {parity}");
            let model = PipelineModel::with_memory(&recycling(layout, phases, 128, parity));
            let stopped = bits_that_stop(&name, model, phases, 128);
            assert_eq!(stopped > 0, may_stop, "{name}: {stopped}");
        }
        let name = format!("cells, {parity}");
        let model = CellPipelineModel::with_memory(&cells(256, parity));
        let stopped = bits_that_stop(&name, model, 1, 256);
        assert_eq!(stopped > 0, may_stop, "{name}: {stopped}");
    }
}
