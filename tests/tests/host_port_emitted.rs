//! The emitted Verilog of the host port is what other tools take without a word, and the same in every run.

use bloomline_hdl::host_port::{bus_arbiter_verilog, host_port_verilog};
use bloomline_spec::host_port::HostAuth;
use bloomline_tests::{EmittedText, HOST_BUS_BITS, HOST_CARD};

fn host_port(auth: HostAuth) -> EmittedText {
    let emitted = host_port_verilog(&HOST_CARD, auth, HOST_BUS_BITS, "");
    EmittedText::of(&emitted.expect("can be printed"))
}

#[test]
fn host_port_and_arbiter_pass_lint_without_a_word() {
    let arbiter = bus_arbiter_verilog(HOST_BUS_BITS, "").expect("can be printed");
    host_port(HostAuth::None).lints_clean();
    host_port(HostAuth::SipHash24).lints_clean();
    EmittedText::of(&arbiter).lints_clean();
}

#[test]
fn printing_twice_gives_the_same_bytes() {
    for auth in [HostAuth::None, HostAuth::SipHash24] {
        assert!(host_port(auth) == host_port(auth));
    }
}
