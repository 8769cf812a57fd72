//! The emitted Verilog of sliding-window filters is what other tools take without a word; golden files hold it to the byte.

use bloomline_spec::{FilterSpec, SlidingGeometry, SLIDING_EXAMPLES};
use bloomline_tests::{few, EmittedText, SlidingSample};
use std::path::Path;

fn example() -> SlidingGeometry {
    let (file, text) = SLIDING_EXAMPLES[0];
    FilterSpec::from_toml(text, Path::new(file))
        .and_then(|spec| spec.sliding())
        .expect("an example")
}

/// The example, and the corners: the least and the most of every size.
fn geometries() -> Vec<SlidingGeometry> {
    let base = SlidingSample::BASE;
    let samples = [
        base,
        SlidingSample::CROWDED,
        SlidingSample {
            window: 16,
            slack: 16,
            target_fpr: 0.5,
            sizes: "generations = 1\nbucket_cells = 2\nstore_cells = 1\nback_buckets = 4\nfront_buckets = 16\naccept_overflow = true\ngeneration_bits = 3",
            key_bits: 1,
            hashing: "independent",
            ..base
        },
        SlidingSample {
            window: 4096,
            slack: 64,
            target_fpr: 1e-5,
            sizes: "generations = 64\nstore_cells = 32\ngeneration_bits = 8",
            key_bits: 512,
            family: "h3",
            ..base
        },
        SlidingSample {
            parity: "empty",
            ..base
        },
    ]
    .map(|sample| sample.geometry());
    [example()].into_iter().chain(samples).collect()
}

/// Their texts, in a quick test those of the first two.
fn printed() -> Vec<EmittedText> {
    few(&geometries(), 2)
        .iter()
        .map(EmittedText::of_filter)
        .collect()
}

#[test]
fn verilator_has_no_warning_with_all_of_them_on() {
    printed().iter().for_each(EmittedText::lints_clean);
}

#[test]
fn icarus_accepts_it_as_verilog_2005() {
    printed().iter().for_each(EmittedText::icarus_accepts);
}

#[test]
#[ignore = "a claim"]
fn yosys_elaborates_it_without_a_problem() {
    EmittedText::elaborate_clean(&printed());
}

#[test]
#[ignore = "a claim"]
fn the_lanes_of_the_example_are_block_ram() {
    // cells of 18 bits: 4096 front buckets take four 18-kbit blocks a lane, 1024 back buckets one; eight lanes each
    EmittedText::of_filter(&example()).yosys(
        "read_verilog FILE; synth_ecp5 -top TOP -run begin:map_gates; select -assert-count 40 t:DP16KD; \
         select -assert-none t:$mem*",
    );
}
