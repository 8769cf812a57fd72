//! The emitted Verilog of whole filters is what other tools take without a word; golden files hold it to the byte.

use bloomline_spec::{
    CellGeometry, Design, FilterSpec, RecyclingGeometry, CELL_EXAMPLES, EXAMPLES,
    SHARED_ARRAY_EXAMPLES,
};
use bloomline_tests::{
    at_most, few, printed_example, toolchain, CellSample, EmittedText, Sample, SharedArraySample,
};
use bloomline_toolchain::Program;
use std::path::Path;
use std::sync::OnceLock;

/// The text of an example, under its name.
fn example(name: &str) -> EmittedText {
    EmittedText::of(printed_example(name))
}

/// Corners of recycling filters.
fn geometries() -> Vec<RecyclingGeometry> {
    let partitioned = [
        Sample::BASE,
        Sample {
            parity: "empty",
            ..Sample::BASE
        },
        Sample {
            hashes: 1,
            key_bits: 1,
            threshold: 64,
            ..Sample::BASE
        },
        Sample {
            phases: 1,
            on: "messages",
            retain: false,
            threshold: 90,
            hashes: 3,
            hashing: "independent",
            key_bits: 65,
            ..Sample::BASE
        },
        Sample {
            hashes: 8,
            partition_bits: 256,
            family: "h3",
            key_bits: 512,
            threshold: 1000,
            ..Sample::BASE
        },
        Sample {
            family: "siphash",
            ..Sample::BASE
        },
    ]
    .map(|sample| sample.geometry());
    let shared_array = SharedArraySample {
        parity: "empty",
        ..SharedArraySample::BASE
    };
    let shared_array = [shared_array.geometry()];
    partitioned.into_iter().chain(shared_array).collect()
}

/// Corners of filters of cells: one hash or many, cells of every number of lanes, the shortest key, tag and amount.
fn cell_geometries() -> [CellGeometry; 5] {
    let corner = |name: &str, kind: &str, hashes: u32, memory_bits: u64, section: &str| {
        let text = format!(
            "name = \"{name}\"\n[filter]\nkind = \"{kind}\"\nmemory_bits = {memory_bits}\nhashes = {hashes}\nhashing = \"independent\"\nitems = 9\n{section}\
             [key]\nbits = 1\ntag_bits = 1\n"
        );
        match FilterSpec::from_toml(&text, Path::new("corner.toml")).and_then(|s| s.design()) {
            Ok(Design::Cells(geometry)) => geometry,
            other => panic!("{text}: {other:?}"),
        }
    };
    let counting = |bits: u32| format!("[filter.counting]\ncounter_bits = {bits}\nthreshold = 1\n");
    let sketch = |bits: u32, amount: u32| {
        format!("[filter.count-min]\ncounter_bits = {bits}\namount_bits = {amount}\n")
    };
    [
        corner("one_bank", "static", 1, 256, ""),
        corner("three_banks", "counting", 3, 3 * 8 * 32, &counting(2)),
        corner("odd_bits", "counting", 2, 2 * 16 * 11, &counting(11)),
        corner("nine_banks", "count-min", 9, 9 * 8 * 17, &sketch(17, 1)),
        corner("one_row", "count-min", 1, 8 * 4 * 8, &sketch(8, 8)),
    ]
}

/// Filters of cells with parity: of every kind, both policies and layouts, with conservative update, and with data bits that no cell uses.
fn cell_geometries_with_parity() -> [CellGeometry; 4] {
    [
        CellSample {
            parity: "count",
            ..CellSample::STATIC
        },
        CellSample {
            parity: "empty",
            cell_bits: 3,
            hashes: 1,
            ..CellSample::COUNTING
        },
        CellSample {
            parity: "empty",
            layout: "shared",
            conservative: true,
            ..CellSample::COUNTING
        },
        CellSample {
            parity: "count",
            layout: "shared",
            ..CellSample::SKETCH
        },
    ]
    .map(|sample| sample.geometry())
}

/// Examples whose text stands for all.
const PRINTED: [&str; 8] = [
    "onehit", "dedup", "stress", "flows", "members", "hotkeys", "heavy", "trending",
];

/// Every filter of this file, in a quick test the first six.
fn print() -> Vec<EmittedText> {
    let recycling = geometries();
    let cells = cell_geometries();
    let cells_with_parity = cell_geometries_with_parity();
    PRINTED
        .into_iter()
        .map(example)
        .chain(recycling.iter().map(EmittedText::of_filter))
        .chain(cells.iter().map(EmittedText::of_filter))
        .chain(cells_with_parity.iter().map(EmittedText::of_filter))
        .take(at_most(6))
        .collect()
}

/// The same, printed once for all tests.
fn printed() -> &'static [EmittedText] {
    static TEXTS: OnceLock<Vec<EmittedText>> = OnceLock::new();
    TEXTS.get_or_init(print)
}

#[test]
fn every_example_is_among_the_geometries() {
    for (file, _) in EXAMPLES
        .iter()
        .chain(SHARED_ARRAY_EXAMPLES)
        .chain(CELL_EXAMPLES)
    {
        let name = file
            .trim_start_matches("examples/")
            .trim_end_matches(".toml");
        assert!(PRINTED.contains(&name), "{file}");
    }
}

#[test]
fn verilator_has_no_warning_with_all_of_them_on() {
    few(printed(), 2).iter().for_each(EmittedText::lints_clean);
}

#[test]
fn icarus_accepts_it_as_verilog_2005() {
    printed().iter().for_each(EmittedText::icarus_accepts);
}

#[test]
#[ignore = "a claim"]
fn yosys_elaborates_it_without_a_problem() {
    let filters = printed();
    // installed before two threads ask for it
    toolchain(&[Program::Yosys]);
    std::thread::scope(|scope| {
        for half in filters.chunks(filters.len().div_ceil(2)) {
            scope.spawn(|| EmittedText::elaborate_clean(half));
        }
    });
}

#[test]
#[ignore = "a claim"]
fn the_banks_of_onehit_are_block_ram_and_its_queue_is_distributed_ram() {
    // 2 halves x 4 banks x 512 words of 36 bits: one 18-kbit block each. -assert-count fails the script.
    example("onehit").yosys(
        "read_verilog FILE; synth_ecp5 -top TOP -run begin:map_gates; select -assert-count 8 t:DP16KD; \
         select -assert-min 1 t:TRELLIS_DPR16X4; select -assert-none t:$mem*",
    );
}

#[test]
#[ignore = "a claim"]
fn the_two_halves_of_flows_are_two_arrays_of_block_ram() {
    // 2 halves x 1024 words of 36 bits: two 18-kbit blocks each
    example("flows").yosys(
        "read_verilog FILE; synth_ecp5 -top TOP -run begin:map_gates; select -assert-count 4 t:DP16KD; \
         select -assert-none t:$mem*",
    );
}
