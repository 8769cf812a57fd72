//! The emitted Verilog of the MAC is what other tools take without a word, and the same in every run.
//!
//! `BLOOMLINE_BLESS=1` rewrites `tests/golden/mac_loop.v`.

use bloomline_bench::toolchain::{Program, ToolchainError};
use bloomline_bench::verilator::{icarus_accepts, lint, VerilatorError};
use bloomline_hdl::mac::{ecp5_rgmii_leaves, mac_loop_verilog};
use bloomline_spec::mac::MAX_DELAY_STEPS;
use bloomline_tests::toolchain;
use std::path::Path;

fn text() -> String {
    mac_loop_verilog("").expect("can be printed").text()
}

fn sources() -> [(String, String); 1] {
    [("mac_loop.v".to_owned(), text())]
}

#[test]
fn the_mac_passes_lint_without_a_word() {
    let toolchain = toolchain(&[Program::Verilator]);
    let warnings = lint(&toolchain, &sources(), "mac_loop").expect("Verilator runs");
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.is_empty(), "{}", warnings.join("\n"));
}

#[test]
fn icarus_accepts_it_as_verilog_2005() {
    let toolchain = toolchain(&[Program::Cxx]);
    match icarus_accepts(&toolchain, &sources(), "mac_loop") {
        Ok(log) => assert_eq!(log.text().trim(), ""),
        Err(VerilatorError::Toolchain(ToolchainError::NotFound { .. }))
            if std::env::var("CI").as_deref() != Ok("true") =>
        {
            eprintln!("skipped: Icarus Verilog is missing (apt-get install iverilog)");
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_loop_prints_as_its_golden_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/mac_loop.v");
    let text = text();
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

#[test]
fn a_device_replaces_the_leaves_by_name_and_ports() {
    let generic = text();
    let leaves = ecp5_rgmii_leaves(80, MAX_DELAY_STEPS).expect("delays that there are");
    for module in ["input_ddr", "output_ddr", "input_delay", "output_delay"] {
        let ports = |text: &str| -> Vec<String> {
            let head = format!("module {module} (");
            let (_, rest) = text.split_once(&head).expect("the module is there");
            let (ports, _) = rest.split_once(");").expect("it has ports");
            let port = |line: &str| line.split("//").next().unwrap_or("").trim().to_owned();
            let named = ports.lines().map(port).filter(|line| !line.is_empty());
            named
                .map(|line| line.trim_end_matches(',').trim().to_owned())
                .collect()
        };
        assert_eq!(ports(&generic), ports(&leaves), "{module}");
    }
    assert!(leaves.contains("DEL_VALUE (80)") && leaves.contains("DEL_VALUE (127)"));
    assert_eq!(ecp5_rgmii_leaves(0, MAX_DELAY_STEPS + 1), None);
}
