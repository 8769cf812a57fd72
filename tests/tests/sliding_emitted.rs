//! The emitted Verilog of sliding-window filters is what other tools take without a word, and the same in every run.
//!
//! `BLOOMLINE_BLESS=1` rewrites `tests/golden/window.v`.

use bloomline_bench::filter::emitted_sliding_design;
use bloomline_bench::toolchain::{Program, ToolchainError};
use bloomline_bench::verilator::{icarus_accepts, lint, run_yosys_script, VerilatorError};
use bloomline_spec::{FilterSpec, SlidingGeometry, SLIDING_EXAMPLES};
use bloomline_tests::{toolchain, SlidingSample};
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
    ]
    .map(|sample| sample.geometry());
    [example()].into_iter().chain(samples).collect()
}

fn sources(geometry: &SlidingGeometry) -> Vec<(String, String)> {
    let (design, _) =
        emitted_sliding_design(geometry).expect("every legal geometry can be printed");
    design.sources
}

/// Runs `script` of yosys, with `FILE` for the text and `TOP` for its top module.
fn yosys(geometry: &SlidingGeometry, script: &str) -> String {
    let toolchain = toolchain(&[Program::Yosys]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, text) = &sources(geometry)[0];
    std::fs::write(folder.path().join(file), text).expect("written");
    let script = script.replace("FILE", file).replace("TOP", geometry.name());
    run_yosys_script(&toolchain, folder.path(), &script)
        .unwrap_or_else(|error| panic!("{}: {error}", geometry.name()))
        .text()
}

#[test]
fn verilator_has_no_warning_with_all_of_them_on() {
    let toolchain = toolchain(&[Program::Verilator]);
    for geometry in geometries() {
        let warnings = lint(&toolchain, &sources(&geometry), geometry.name()).expect("lint runs");
        assert!(
            warnings.is_empty(),
            "{geometry:?}: {} warning(s), first: {}",
            warnings.len(),
            warnings[0]
        );
    }
}

#[test]
fn icarus_accepts_it_as_verilog_2005() {
    let toolchain = toolchain(&[]);
    for geometry in geometries() {
        match icarus_accepts(&toolchain, &sources(&geometry), geometry.name()) {
            Ok(log) => assert_eq!(log.text().trim(), "", "{geometry:?}"),
            Err(VerilatorError::Toolchain(error @ ToolchainError::NotFound { .. })) => {
                let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
                assert!(!in_ci, "{error}");
                eprintln!("SKIPPED: {error}");
                return;
            }
            Err(error) => panic!("{geometry:?}: {error}"),
        }
    }
}

#[test]
fn yosys_elaborates_it_without_a_problem() {
    for geometry in geometries() {
        let log = yosys(
            &geometry,
            "read_verilog FILE; hierarchy -check -top TOP; proc; opt; check -assert",
        );
        let warnings: Vec<&str> = log.lines().filter(|l| l.starts_with("Warning")).collect();
        assert!(warnings.is_empty(), "{geometry:?}: {}", warnings.join("\n"));
    }
}

#[test]
fn the_lanes_of_the_example_are_block_ram() {
    // cells of 18 bits: 4096 front buckets take four 18-kbit blocks a lane, 1024 back buckets one; eight lanes each
    yosys(
        &example(),
        "read_verilog FILE; synth_ecp5 -top TOP -run begin:map_gates; select -assert-count 40 t:DP16KD; \
         select -assert-none t:$mem*",
    );
}

#[test]
fn printing_twice_gives_the_same_bytes() {
    for geometry in geometries() {
        assert!(
            sources(&geometry) == sources(&geometry),
            "{geometry:?}: the text depends on more than the geometry"
        );
    }
}

#[test]
fn the_example_prints_as_its_golden_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/window.v");
    let text = sources(&example()).remove(0).1;
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
