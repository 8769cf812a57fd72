//! The emitted Verilog of line cards is what other tools take without a word, and the same in every run.
//!
//! `BLOOMLINE_BLESS=1` rewrites `tests/golden/linecard.v`.

use bloomline_bench::verilator::{icarus_accepts, lint, VerilatorError};
use bloomline_hdl::emit::{EmitError, Emitted};
use bloomline_hdl::{design_verilog, linecard_verilog, CardFilter};
use bloomline_spec::host_port::HostSection;
use bloomline_spec::{
    FilterSpec, SpecError, CELL_EXAMPLES, LINECARD_EXAMPLES, PACKET_EXAMPLES,
    SHARED_ARRAY_EXAMPLES, SLIDING_EXAMPLES,
};
use bloomline_tests::{few, toolchain};
use bloomline_toolchain::run_yosys_script;
use bloomline_toolchain::{Program, ToolchainError};
use std::collections::BTreeSet;
use std::path::Path;

/// A line card's top module and its text.
struct Printed {
    top: String,
    emitted: Emitted,
}

impl Printed {
    fn sources(&self) -> Vec<(String, String)> {
        vec![(format!("{}.v", self.top), self.emitted.text())]
    }
}

fn print(filter: &impl CardFilter) -> Printed {
    Printed {
        top: format!("{}_linecard", filter.common().name()),
        emitted: design_verilog(filter, "").expect("every legal geometry can be printed"),
    }
}

fn spec((file, text): (&str, &str)) -> FilterSpec {
    FilterSpec::from_toml(text, Path::new(file)).expect("reads")
}

/// A filter of any kind; half the bits in place of an `auto` threshold, which is one constant of the text.
fn print_spec(spec: &FilterSpec) -> Printed {
    let design = spec.design_with::<SpecError>(|sizing, _| Ok(sizing.half_bits() / 2));
    print(&design.expect("is legal"))
}

fn example() -> Printed {
    print_spec(&spec(LINECARD_EXAMPLES[0]))
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
fn with_host(port: u64) -> Printed {
    let mut with_host = spec(LINECARD_EXAMPLES[0]);
    let packet = with_host.packet.as_mut().expect("has one");
    packet.host = Some(HostSection {
        port,
        mac: "02:b1:00:00:00:01".into(),
        ip: "192.168.1.50".into(),
        udp_port: 1234,
    });
    print_spec(&with_host)
}

/// Every kind of filter, and a host port at either port.
fn printed() -> Vec<Printed> {
    let others = [
        SHARED_ARRAY_EXAMPLES[0],
        CELL_EXAMPLES[0],
        CELL_EXAMPLES[2],
        SLIDING_EXAMPLES[0],
    ];
    let others = others.map(|filter| print_spec(&around(filter)));
    let with_hosts = [0, 1].map(with_host);
    let all = std::iter::once(example()).chain(others);
    all.chain(with_hosts).collect()
}

#[test]
fn verilator_has_no_warning_with_all_of_them_on() {
    let toolchain = toolchain(&[Program::Verilator]);
    for card in few(&printed(), 1) {
        let warnings = lint(&toolchain, &card.sources(), &card.top).expect("lint runs");
        assert!(
            warnings.is_empty(),
            "{}: {} warning(s), first: {}",
            card.top,
            warnings.len(),
            warnings[0]
        );
    }
}

#[test]
fn icarus_accepts_it_as_verilog_2005() {
    let toolchain = toolchain(&[]);
    for card in printed() {
        match icarus_accepts(&toolchain, &card.sources(), &card.top) {
            Ok(log) => assert_eq!(log.text().trim(), "", "{}", card.top),
            Err(VerilatorError::Toolchain(error @ ToolchainError::NotFound { .. })) => {
                let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
                assert!(!in_ci, "{error}");
                eprintln!("SKIPPED: {error}");
                return;
            }
            Err(error) => panic!("{}: {error}", card.top),
        }
    }
}

#[test]
#[ignore = "a claim"]
fn yosys_finds_no_fault_in_it() {
    let toolchain = toolchain(&[Program::Yosys]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let card = example();
    let [(file, text)] = &card.sources()[..] else {
        panic!("one file")
    };
    std::fs::write(folder.path().join(file), text).expect("written");
    let script = format!(
        "read_verilog {file}; hierarchy -check -top {}; proc; check -assert",
        card.top
    );
    let log = run_yosys_script(&toolchain, folder.path(), &script).expect("accepted");
    let text = log.text();
    let warnings: Vec<&str> = text.lines().filter(|l| l.starts_with("Warning")).collect();
    assert!(warnings.is_empty(), "{}", warnings.join("\n"));
}

#[test]
fn what_ports_lanes_and_card_share_stands_there_once() {
    share_stands_there_once(&example());
    share_stands_there_once(&with_host(1));
}

fn share_stands_there_once(card: &Printed) {
    let texts: Vec<String> = card
        .emitted
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
        let all = card.emitted.modules.iter();
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
    let named = |card: &Printed, name: &str| {
        let all = card.emitted.modules.iter();
        all.filter(|module| module.name == name).count()
    };
    let (bare, hosted) = (example(), with_host(0));
    for module in ["host_port", "bus_arbiter", "request_handler"] {
        assert_eq!(named(&bare, module), 0, "{module}");
        assert_eq!(named(&hosted, module), 1, "{module}");
    }
    assert!(!bare.emitted.text().contains("arbiter"));
    assert_ne!(hosted.emitted.text(), with_host(1).emitted.text());
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

#[test]
fn the_example_prints_as_its_golden_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/linecard.v");
    let text = example().emitted.text();
    assert!(text == example().emitted.text(), "printing twice differs");
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
