//! Claims that cross crates: what their tests share.

mod area;
mod card_line;
mod card_lockstep;
mod card_sample;
mod cell_lockstep;
pub mod cell_play;
mod cell_sample;
pub mod claims;
mod cocotb;
mod counted;
mod cuckoo_sample;
mod drawn_filter;
mod drawn_spec;
mod emitted_text;
pub mod faults;
mod flipped_runs;
mod golden;
mod host_bench;
mod host_bus;
mod host_frames;
mod host_pins;
mod mac_sides;
mod mac_torture;
mod measured_rate;
mod named_pins;
mod noisy;
mod path_sample;
mod setup;
mod shared_array_sample;
mod sliding_sample;
mod thorough;
mod tortured;

pub use area::{synthesised, AreaRecord, Synthesised};
pub use bloomline_spec::Design as CardGeometry;
pub use card_line::{CardLine, Harm, HarmRates};
pub use card_lockstep::{cards_in_lockstep, every_card_fault_is_caught, with_card, CardTask};
pub use card_sample::{CardSample, SampleFilter};
pub use cell_lockstep::cells_in_lockstep;
pub use cell_sample::{memory_check, CellSample};
pub use cocotb::cocotb_client_passes;
pub use counted::with_counts;
pub use cuckoo_sample::CuckooSample;
pub use drawn_filter::{DrawnFilter, DrawnOutcome};
pub use drawn_spec::drawn_spec;
pub use emitted_text::EmittedText;
pub use flipped_runs::{has_resets, FlippedRuns, MemoryCheck, FLIPPED_CLOCKS};
pub use golden::{
    example_spec, golden_folder, printed_example, read_golden, write_golden, GoldenFiles,
    GoldenTexts, GOLDEN,
};
pub use host_bench::{HostBench, HostTally};
pub use host_frames::{host_frame, HostFrame};
pub use host_pins::{
    host_design, tagged_host_design, HostBeat, HostInputs, HostOutputs, HOST_BUS_BITS, HOST_CARD,
    HOST_SECRET,
};
pub use mac_sides::{mac_ready, mac_sides, MacInputs, MacReference};
pub use mac_torture::MacTorture;
pub use measured_rate::{measured_rate, RateRun};
pub use named_pins::NamedPins;
pub use noisy::{noisy, noisy_counters};
pub use path_sample::{
    emitted_path, line_card_bench, line_card_of, packet_of, path_bench, path_filter, PathSample,
};
pub use setup::{
    at_most, captures, few, in_verilator, is_quick, runs, simulation, simulator, skip, soak,
    toolchain, traces,
};
pub use shared_array_sample::SharedArraySample;
pub use sliding_sample::SlidingSample;
pub use thorough::thorough_mix;
pub use tortured::{in_lockstep, Tortured};

use bloomline_spec::{FilterSpec, RecyclingGeometry, SpecError};
use std::path::Path;

/// A geometry for tests, from the parts of a specification that matter there.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// 1 or 2.
    pub phases: u32,
    /// Probes an item.
    pub hashes: u32,
    /// Bits of one bank of a half.
    pub partition_bits: u64,
    /// Positions of it that are used, if not all.
    pub range: Option<u64>,
    /// "bits-set" or "messages".
    pub on: &'static str,
    /// The tripping item opens the new cycle.
    pub retain: bool,
    /// "double" or "independent".
    pub hashing: &'static str,
    /// "h3-sbox", "h3", "siphash" or "siphash-2-4".
    pub family: &'static str,
    /// Key width.
    pub key_bits: u32,
    /// Threshold of one half.
    pub threshold: u64,
    /// "none", "count", "empty", or "ecc" for an error-correcting code.
    pub parity: &'static str,
    /// Bits of a row of the spare half; by epochs without one.
    pub row_bits: Option<u32>,
    /// Control logic checks itself.
    pub self_check: bool,
    /// "default", "low" or "lowest".
    pub latency: &'static str,
}

impl Sample {
    /// Two phases, k = 4, partitions of 128 bits, on bits set at half full, retaining, default hash of 104-bit keys.
    pub const BASE: Sample = Sample {
        phases: 2,
        hashes: 4,
        partition_bits: 128,
        range: None,
        on: "bits-set",
        retain: true,
        hashing: "double",
        family: "h3-sbox",
        key_bits: 104,
        threshold: 256,
        parity: "none",
        row_bits: None,
        self_check: false,
        latency: "default",
    };

    /// The same with a spare half in rows of one bit.
    pub const SPARE_HALF: Sample = Sample {
        row_bits: Some(1),
        ..Sample::BASE
    };

    /// The specification as TOML.
    pub fn toml(&self) -> String {
        let memory = self.partition_bits * u64::from(self.hashes * self.phases);
        let erase = self.row_bits.map_or(String::new(), |bits| {
            format!("erase = \"spare-half\"\nrow_bits = {bits}\n")
        });
        let range = self
            .range
            .map_or(String::new(), |range| format!("range = {range}\n"));
        let protection = match self.self_check {
            true => "[protection]\nself_check = true\n",
            false => "",
        };
        let target = match self.latency {
            "default" => String::new(),
            latency => format!("[target]\nlatency = \"{latency}\"\n"),
        };
        format!(
            "name = \"sample\"\n[filter]\nkind = \"recycling\"\nmemory_bits = {memory}\nhashes = {}\nhashing = \"{}\"\naccept_two_hash_floor = true\n{range}\
             [filter.recycle]\nphases = {}\non = \"{}\"\nthreshold = {}\nretain = {}\n[key]\nbits = {}\n[hash]\nfamily = \"{}\"\nseed = 1\n[memory]\n{}\n{erase}{protection}{target}",
            self.hashes, self.hashing, self.phases, self.on, self.threshold, self.retain, self.key_bits, self.family, memory_check(self.parity)
        )
    }

    /// The geometry, if the sample is a legal specification.
    ///
    /// # Errors
    /// As [`FilterSpec::validate`].
    pub fn resolve(&self) -> Result<RecyclingGeometry, SpecError> {
        FilterSpec::from_toml(&self.toml(), Path::new("sample.toml"))?
            .validate()?
            .with_threshold(self.threshold)
    }

    /// The geometry.
    ///
    /// # Panics
    /// When the sample is no legal specification.
    pub fn geometry(&self) -> RecyclingGeometry {
        self.resolve()
            .unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }
}
