//! The emitted Verilog of the host port is what other tools take without a word, and the same in every run.
//!
//! `BLOOMLINE_BLESS=1` rewrites `tests/golden/host_port.v`.

use bloomline_hdl::host_port::{bus_arbiter_verilog, host_port_verilog};
use bloomline_tests::{EmittedText, HOST_BUS_BITS, HOST_CARD};

fn host_port() -> EmittedText {
    EmittedText::of(&host_port_verilog(&HOST_CARD, HOST_BUS_BITS, "").expect("can be printed"))
}

#[test]
fn host_port_and_arbiter_pass_lint_without_a_word() {
    let arbiter = bus_arbiter_verilog(HOST_BUS_BITS, "").expect("can be printed");
    host_port().lints_clean();
    EmittedText::of(&arbiter).lints_clean();
}

#[test]
fn the_host_port_prints_as_its_golden_file() {
    assert!(host_port() == host_port(), "printing twice differs");
    host_port().is_golden("host_port.v");
}
