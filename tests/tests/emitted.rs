//! The emitted Verilog of whole filters is what other tools take without a word, and the same in every run.
//!
//! `BLOOMLINE_BLESS=1` rewrites `tests/golden/onehit.v`, `flows.v` and those of the filters of cells.

use bloomline_bench::filter::emitted_design;
use bloomline_bench::toolchain::{Program, Toolchain, ToolchainError};
use bloomline_bench::verilator::{icarus_accepts, lint, run_yosys_script, VerilatorError};
use bloomline_hdl::cell_verilog;
use bloomline_spec::{
    CellGeometry, FilterSpec, Geometry, ThresholdSetting, Validated, CELL_EXAMPLES, EXAMPLES,
    FOLDED_EXAMPLES, SCHEME_EXAMPLES,
};
use bloomline_tests::Sample;
use std::path::Path;

/// A threshold in place of `auto`: these claims are about text, which differs by one constant.
fn example(name: &str) -> Geometry {
    let (file, text) = EXAMPLES
        .iter()
        .chain(FOLDED_EXAMPLES)
        .find(|(file, _)| *file == format!("examples/{name}.toml"))
        .unwrap_or_else(|| panic!("no example {name}"));
    let sizing = FilterSpec::from_toml(text, Path::new(file))
        .and_then(|spec| spec.validate())
        .expect("examples are legal");
    let threshold = match sizing.threshold_setting() {
        ThresholdSetting::Fixed(value) => value,
        ThresholdSetting::Auto { .. } => sizing.half_bits() / 2,
    };
    sizing.with_threshold(threshold).expect("half the bits")
}

fn geometries() -> Vec<Geometry> {
    let examples = ["onehit", "dedup", "stress", "flows"].map(example);
    let samples = [
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
    examples.into_iter().chain(samples).collect()
}

/// A filter's name and the one file of its text, `(file name, text)`.
struct Printed {
    name: String,
    sources: Vec<(String, String)>,
}

fn recycling(geometry: &Geometry) -> Printed {
    let (design, _) = emitted_design(geometry).expect("every legal geometry can be printed");
    Printed {
        name: geometry.name().into(),
        sources: design.sources,
    }
}

fn cells(geometry: &CellGeometry) -> Printed {
    let emitted = cell_verilog(geometry, "").expect("every legal geometry can be printed");
    let name = geometry.name().to_owned();
    Printed {
        sources: vec![(format!("{name}.v"), emitted.text())],
        name,
    }
}

fn cell_geometry(file: &str, text: &str) -> CellGeometry {
    match FilterSpec::from_toml(text, Path::new(file)).and_then(|spec| spec.resolve()) {
        Ok(Validated::Cells(geometry)) => geometry,
        other => panic!("{text}: {other:?}"),
    }
}

fn cell_example(name: &str) -> CellGeometry {
    let (file, text) = CELL_EXAMPLES
        .iter()
        .chain(SCHEME_EXAMPLES)
        .find(|(file, _)| *file == format!("examples/{name}.toml"))
        .unwrap_or_else(|| panic!("no example {name}"));
    cell_geometry(file, text)
}

/// The examples of filters of cells, and the corners: one hash or many, cells of every number of lanes, the shortest key, tag and amount.
fn cell_geometries() -> Vec<CellGeometry> {
    let corner = |name: &str, kind: &str, hashes: u32, memory_bits: u64, section: &str| {
        let text = format!(
            "name = \"{name}\"\n[filter]\nkind = \"{kind}\"\nmemory_bits = {memory_bits}\nhashes = {hashes}\nhashing = \"independent\"\nitems = 9\n{section}\
             [key]\nbits = 1\ntag_bits = 1\n"
        );
        cell_geometry("corner.toml", &text)
    };
    let counting = |bits: u32| format!("[filter.counting]\ncounter_bits = {bits}\nthreshold = 1\n");
    let sketch = |bits: u32, amount: u32| {
        format!("[filter.count-min]\ncounter_bits = {bits}\namount_bits = {amount}\n")
    };
    let corners = [
        corner("one_bank", "static", 1, 256, ""),
        corner("three_banks", "counting", 3, 3 * 8 * 32, &counting(2)),
        corner("odd_bits", "counting", 2, 2 * 16 * 11, &counting(11)),
        corner("nine_banks", "count-min", 9, 9 * 8 * 17, &sketch(17, 1)),
        corner("one_row", "count-min", 1, 8 * 4 * 8, &sketch(8, 8)),
    ];
    let examples = ["members", "hotkeys", "heavy", "trending"].map(cell_example);
    examples.into_iter().chain(corners).collect()
}

/// Every filter of this file.
fn printed() -> Vec<Printed> {
    let recycling = geometries().iter().map(recycling).collect::<Vec<_>>();
    let cells = cell_geometries().iter().map(cells).collect::<Vec<_>>();
    recycling.into_iter().chain(cells).collect()
}

fn toolchain() -> Toolchain {
    Toolchain::discover().expect("a folder for tools")
}

fn install(toolchain: &Toolchain, program: Program) {
    toolchain
        .find_or_install(program, &|progress| eprintln!("{progress}"))
        .unwrap_or_else(|error| panic!("{error}"));
}

/// Runs `script` of yosys, with `FILE` for the text and `TOP` for its top module.
fn yosys(toolchain: &Toolchain, filter: &Printed, script: &str) -> String {
    install(toolchain, Program::Yosys);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, text) = &filter.sources[0];
    std::fs::write(folder.path().join(file), text).expect("written");
    let script = script.replace("FILE", file).replace("TOP", &filter.name);
    run_yosys_script(toolchain, folder.path(), &script)
        .unwrap_or_else(|error| panic!("{}: {error}", filter.name))
        .text()
}

#[test]
fn every_example_is_among_the_geometries() {
    let printed = printed();
    for (file, _) in EXAMPLES.iter().chain(FOLDED_EXAMPLES).chain(CELL_EXAMPLES) {
        let name = file
            .trim_start_matches("examples/")
            .trim_end_matches(".toml");
        assert!(printed.iter().any(|filter| filter.name == name), "{file}");
    }
}

#[test]
fn verilator_has_no_warning_with_all_of_them_on() {
    let toolchain = toolchain();
    install(&toolchain, Program::Verilator);
    for filter in printed() {
        let warnings = lint(&toolchain, &filter.sources, &filter.name).expect("lint runs");
        assert!(
            warnings.is_empty(),
            "{}: {} warning(s), first: {}",
            filter.name,
            warnings.len(),
            warnings[0]
        );
    }
}

#[test]
fn icarus_accepts_it_as_verilog_2005() {
    let toolchain = toolchain();
    for filter in printed() {
        match icarus_accepts(&toolchain, &filter.sources, &filter.name) {
            Ok(log) => assert_eq!(log.text().trim(), "", "{}", filter.name),
            Err(VerilatorError::Toolchain(error @ ToolchainError::NotFound { .. })) => {
                let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
                assert!(!in_ci, "{error}");
                eprintln!("SKIPPED: {error}");
                return;
            }
            Err(error) => panic!("{}: {error}", filter.name),
        }
    }
}

#[test]
fn yosys_elaborates_it_without_a_problem() {
    let (toolchain, filters) = (toolchain(), printed());
    install(&toolchain, Program::Yosys);
    let elaborate = |filter: &Printed| {
        let log = yosys(
            &toolchain,
            filter,
            "read_verilog FILE; hierarchy -check -top TOP; proc; opt; check -assert",
        );
        let warnings: Vec<&str> = log.lines().filter(|l| l.starts_with("Warning")).collect();
        assert!(
            warnings.is_empty(),
            "{}: {}",
            filter.name,
            warnings.join("\n")
        );
    };
    // the longest test of the file: two at a time
    std::thread::scope(|scope| {
        for first in 0..2 {
            let filters = filters.iter().skip(first).step_by(2);
            let elaborate = &elaborate;
            scope.spawn(move || filters.for_each(elaborate));
        }
    });
}

#[test]
fn the_banks_of_onehit_are_block_ram_and_its_queue_is_distributed_ram() {
    // 2 halves x 4 banks x 512 words of 36 bits: one 18-kbit block each. -assert-count fails the script.
    yosys(
        &toolchain(),
        &recycling(&example("onehit")),
        "read_verilog FILE; synth_ecp5 -top TOP -run begin:map_gates; select -assert-count 8 t:DP16KD; \
         select -assert-min 1 t:TRELLIS_DPR16X4; select -assert-none t:$mem*",
    );
}

#[test]
fn printing_twice_gives_the_same_bytes() {
    for (first, second) in printed().iter().zip(printed()) {
        assert!(
            first.sources == second.sources,
            "{}: the text depends on more than the geometry",
            first.name
        );
    }
}

/// The text of `filter` is that of its golden file.
fn prints_as_its_golden_file(filter: &Printed) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let path = folder.join(format!("{}.v", filter.name));
    let text = &filter.sources[0].1;
    if std::env::var("BLOOMLINE_BLESS").is_ok_and(|value| value == "1") {
        std::fs::write(&path, text).expect("the golden file");
    }
    let expected =
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let first = expected.lines().zip(text.lines()).position(|(a, b)| a != b);
    assert!(
        expected == *text,
        "{} differs, first in line {:?}; review the change, then BLOOMLINE_BLESS=1 regenerates it",
        path.display(),
        first.map(|line| line + 1)
    );
}

#[test]
fn the_two_halves_of_flows_are_two_arrays_of_block_ram() {
    // 2 halves x 1024 words of 36 bits: two 18-kbit blocks each
    yosys(
        &toolchain(),
        &recycling(&example("flows")),
        "read_verilog FILE; synth_ecp5 -top TOP -run begin:map_gates; select -assert-count 4 t:DP16KD; \
         select -assert-none t:$mem*",
    );
}

#[test]
fn onehit_and_flows_print_as_their_golden_files() {
    for name in ["onehit", "flows"] {
        prints_as_its_golden_file(&recycling(&example(name)));
    }
}

#[test]
fn the_examples_of_filters_of_cells_print_as_their_golden_files() {
    for name in ["members", "hotkeys", "heavy", "trending"] {
        prints_as_its_golden_file(&cells(&cell_example(name)));
    }
}
