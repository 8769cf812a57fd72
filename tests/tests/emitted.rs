//! The emitted Verilog of whole filters is what other tools take without a word, and the same in every run.
//!
//! `BLOOMLINE_BLESS=1` rewrites `tests/golden/onehit.v`.

use bloomline_bench::filter::emitted_design;
use bloomline_bench::toolchain::{Program, Toolchain, ToolchainError};
use bloomline_bench::verilator::{icarus_accepts, lint, run_yosys_script, VerilatorError};
use bloomline_spec::{FilterSpec, Geometry, ThresholdSetting, EXAMPLES};
use bloomline_tests::Sample;
use std::path::Path;

/// A threshold in place of `auto`: these claims are about text, which differs by one constant.
fn example(name: &str) -> Geometry {
    let (file, text) = EXAMPLES
        .iter()
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
    let examples = ["onehit", "dedup", "stress"].map(example);
    let samples = [
        Sample::BASE,
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
    ]
    .map(|sample| sample.geometry());
    examples.into_iter().chain(samples).collect()
}

/// `(file name, text)` of the one file.
fn sources(geometry: &Geometry) -> Vec<(String, String)> {
    let (design, _) = emitted_design(geometry).expect("every legal geometry can be printed");
    design.sources
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
fn yosys(toolchain: &Toolchain, geometry: &Geometry, script: &str) -> String {
    install(toolchain, Program::Yosys);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, text) = sources(geometry).remove(0);
    std::fs::write(folder.path().join(&file), text).expect("written");
    let script = script
        .replace("FILE", &file)
        .replace("TOP", geometry.name());
    run_yosys_script(toolchain, folder.path(), &script)
        .unwrap_or_else(|error| panic!("{}: {error}", geometry.name()))
        .text()
}

#[test]
fn every_example_is_among_the_geometries() {
    let printed = geometries();
    for (file, _) in EXAMPLES {
        let name = file
            .trim_start_matches("examples/")
            .trim_end_matches(".toml");
        assert!(
            printed.iter().any(|geometry| geometry.name() == name),
            "{file}"
        );
    }
}

#[test]
fn verilator_has_no_warning_with_all_of_them_on() {
    let toolchain = toolchain();
    install(&toolchain, Program::Verilator);
    for geometry in geometries() {
        let warnings = lint(&toolchain, &sources(&geometry), geometry.name()).expect("lint runs");
        assert!(
            warnings.is_empty(),
            "{}: {} warning(s), first: {}",
            geometry.name(),
            warnings.len(),
            warnings[0]
        );
    }
}

#[test]
fn icarus_accepts_it_as_verilog_2005() {
    let toolchain = toolchain();
    for geometry in geometries() {
        match icarus_accepts(&toolchain, &sources(&geometry), geometry.name()) {
            Ok(log) => assert_eq!(log.text().trim(), "", "{}", geometry.name()),
            Err(VerilatorError::Toolchain(error @ ToolchainError::NotFound { .. })) => {
                let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
                assert!(!in_ci, "{error}");
                eprintln!("SKIPPED: {error}");
                return;
            }
            Err(error) => panic!("{}: {error}", geometry.name()),
        }
    }
}

#[test]
fn yosys_elaborates_it_without_a_problem() {
    let toolchain = toolchain();
    for geometry in geometries() {
        let log = yosys(
            &toolchain,
            &geometry,
            "read_verilog FILE; hierarchy -check -top TOP; proc; opt; check -assert",
        );
        let warnings: Vec<&str> = log.lines().filter(|l| l.starts_with("Warning")).collect();
        assert!(
            warnings.is_empty(),
            "{}: {}",
            geometry.name(),
            warnings.join("\n")
        );
    }
}

#[test]
fn the_banks_of_onehit_are_block_ram_and_its_queue_is_distributed_ram() {
    // 2 halves x 4 banks x 512 words of 36 bits: one 18-kbit block each. -assert-count fails the script.
    yosys(
        &toolchain(),
        &example("onehit"),
        "read_verilog FILE; synth_ecp5 -top TOP -run begin:map_gates; select -assert-count 8 t:DP16KD; \
         select -assert-min 1 t:TRELLIS_DPR16X4; select -assert-none t:$mem*",
    );
}

#[test]
fn printing_twice_gives_the_same_bytes() {
    for geometry in geometries() {
        assert!(
            sources(&geometry) == sources(&geometry),
            "{}: the text depends on more than the geometry",
            geometry.name()
        );
    }
}

#[test]
fn onehit_prints_as_its_golden_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/onehit.v");
    let text = sources(&example("onehit")).remove(0).1;
    if std::env::var("BLOOMLINE_BLESS").is_ok_and(|value| value == "1") {
        std::fs::write(&path, &text).expect("the golden file");
    }
    let expected =
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let first = expected.lines().zip(text.lines()).position(|(a, b)| a != b);
    assert!(
        expected == text,
        "{} differs, first in line {:?}; review the change, then BLOOMLINE_BLESS=1 regenerates it",
        path.display(),
        first.map(|line| line + 1)
    );
}
