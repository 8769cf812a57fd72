//! The emitted Verilog of the host port is what other tools take without a word, and the same in every run.
//!
//! `BLOOMLINE_BLESS=1` rewrites `tests/golden/host_port.v`.

use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::lint;
use bloomline_hdl::host_port::{bus_arbiter_verilog, host_port_verilog};
use bloomline_tests::{toolchain, HOST_BUS_BITS, HOST_CARD};
use std::path::Path;

fn text() -> String {
    host_port_verilog(&HOST_CARD, HOST_BUS_BITS, "")
        .expect("can be printed")
        .text()
}

#[test]
fn host_port_and_arbiter_pass_lint_without_a_word() {
    let toolchain = toolchain(&[Program::Verilator]);
    let arbiter = bus_arbiter_verilog(HOST_BUS_BITS, "").expect("can be printed");
    for (top, text) in [("host_port", text()), ("bus_arbiter", arbiter.text())] {
        let sources = [(format!("{top}.v"), text)];
        let warnings = lint(&toolchain, &sources, top).expect("Verilator runs");
        let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        assert!(warnings.is_empty(), "{}", warnings.join("\n"));
    }
}

#[test]
fn the_host_port_prints_as_its_golden_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/host_port.v");
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
