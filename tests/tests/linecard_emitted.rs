//! The emitted Verilog of line cards is what other tools take without a word; golden files hold it to the byte.

use bloomline_hdl::linecard_verilog;
use bloomline_language::emit::{EmitError, Emitted};
use bloomline_spec::host_port::{HostAuth, HostSection};
use bloomline_spec::{
    FilterSpec, CELL_EXAMPLES, LINECARD_EXAMPLES, PACKET_EXAMPLES, SHARED_ARRAY_EXAMPLES,
    SLIDING_EXAMPLES,
};
use bloomline_tests::{at_most, EmittedText};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

fn spec((file, text): (&str, &str)) -> FilterSpec {
    FilterSpec::from_toml(text, Path::new(file)).expect("reads")
}

fn example() -> Emitted {
    EmittedText::emitted(&spec(LINECARD_EXAMPLES[0]))
}

/// The line card of the example around another filter.
fn around(filter: (&str, &str)) -> FilterSpec {
    let mut around = spec(filter);
    let example = spec(LINECARD_EXAMPLES[0]);
    around.key = example.key;
    around.card = example.card;
    around.packet = example.packet;
    around.target = example.target;
    around
}

/// The example with a host port at `port`.
fn with_host(port: u64, auth: HostAuth) -> Emitted {
    let mut with_host = spec(LINECARD_EXAMPLES[0]);
    let packet = with_host.packet.as_mut().expect("has one");
    packet.host = Some(HostSection {
        port,
        mac: "02:b1:00:00:00:01".into(),
        ip: "192.168.1.50".into(),
        udp_port: 1234,
        auth,
    });
    EmittedText::emitted(&with_host)
}

/// Every kind of filter, and a host port at either port; in a quick test the first.
fn print() -> Vec<EmittedText> {
    let others = [
        SHARED_ARRAY_EXAMPLES[0],
        CELL_EXAMPLES[0],
        CELL_EXAMPLES[2],
        SLIDING_EXAMPLES[0],
    ];
    let others = others
        .into_iter()
        .map(|filter| EmittedText::emitted(&around(filter)));
    let hosts = [(0, HostAuth::SipHash24), (1, HostAuth::None)];
    let with_hosts = hosts.into_iter().map(|(port, auth)| with_host(port, auth));
    let all = std::iter::once(example()).chain(others).chain(with_hosts);
    all.take(at_most(1))
        .map(|card| EmittedText::of(&card))
        .collect()
}

/// The same, printed once for all tests.
fn printed() -> &'static [EmittedText] {
    static PRINTED: OnceLock<Vec<EmittedText>> = OnceLock::new();
    PRINTED.get_or_init(print)
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
fn yosys_finds_no_fault_in_it() {
    let log = EmittedText::of(&example())
        .yosys("read_verilog FILE; hierarchy -check -top TOP; proc; check -assert");
    let warnings: Vec<&str> = log.lines().filter(|l| l.starts_with("Warning")).collect();
    assert!(warnings.is_empty(), "{}", warnings.join("\n"));
}

#[test]
fn what_ports_lanes_and_card_share_stands_there_once() {
    share_stands_there_once(&example());
    share_stands_there_once(&with_host(1, HostAuth::None));
}

fn share_stands_there_once(card: &Emitted) {
    let texts: Vec<String> = card
        .modules
        .iter()
        .map(|module| {
            module
                .text
                .replacen(&format!("module {} ", module.name), "module ", 1)
        })
        .collect();
    let different: BTreeSet<&String> = texts.iter().collect();
    assert_eq!(different.len(), texts.len(), "a module stands there twice");
    let named = |name: &str| {
        let all = card.modules.iter();
        all.filter(|module| module.name == name).count()
    };
    for shared in [
        "crc32_step",
        "mac_port",
        "packet_path",
        "path_registers",
        "front",
        "egress",
        "lane_verdicts",
    ] {
        assert_eq!(named(shared), 1, "{shared}");
        assert_eq!(named(&format!("{shared}_2")), 0, "{shared}");
    }
}

#[test]
fn nothing_of_a_host_port_is_printed_without_one() {
    let named = |card: &Emitted, name: &str| {
        let all = card.modules.iter();
        all.filter(|module| module.name == name).count()
    };
    let (bare, hosted) = (example(), with_host(0, HostAuth::SipHash24));
    for module in ["host_port", "bus_arbiter", "request_handler"] {
        assert_eq!(named(&bare, module), 0, "{module}");
        assert_eq!(named(&hosted, module), 1, "{module}");
    }
    assert!(!bare.text().contains("arbiter"));
    assert_ne!(hosted.text(), with_host(1, HostAuth::None).text());
}

#[test]
fn a_specification_without_ethernet_ports_has_none_to_print() {
    let sizing = spec(PACKET_EXAMPLES[0]).validate();
    let sizing = sizing.expect("the example of a packet path is a recycling filter");
    let threshold = sizing.half_bits() / 2;
    let geometry = sizing.with_threshold(threshold).expect("half the bits");
    let refused = linecard_verilog(&geometry, "");
    assert!(matches!(refused, Err(EmitError::NoPorts { .. })));
}
