//! The emitted Verilog of the host port is what other tools take without a word, and the same in every run.

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
fn printing_twice_gives_the_same_bytes() {
    assert!(host_port() == host_port());
}
