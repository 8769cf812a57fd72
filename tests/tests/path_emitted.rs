//! The emitted Verilog of packet paths is what other tools take without a word, and the same in every run.
//!
//! `BLOOMLINE_BLESS=1` rewrites `tests/golden/inline.v`.

use bloomline_bench::toolchain::{Program, ToolchainError};
use bloomline_bench::verilator::{icarus_accepts, lint, run_yosys_script, VerilatorError};
use bloomline_hdl::emit::EmitError;
use bloomline_hdl::{design_verilog, path_verilog, CardFilter};
use bloomline_spec::{
    CardSection, FilterSpec, KeySource, Validated, CARD_EXAMPLES, CELL_EXAMPLES, FOLDED_EXAMPLES,
    PACKET_EXAMPLES, SLIDING_EXAMPLES,
};
use bloomline_tests::toolchain;
use std::path::Path;

/// A path's top module and its text.
struct Printed {
    top: String,
    text: String,
}

impl Printed {
    fn sources(&self) -> Vec<(String, String)> {
        vec![(format!("{}.v", self.top), self.text.clone())]
    }
}

fn print(filter: &impl CardFilter) -> Printed {
    let emitted = design_verilog(filter, "").expect("every legal geometry can be printed");
    Printed {
        top: format!("{}_path", filter.common().name()),
        text: emitted.text(),
    }
}

fn spec((file, text): (&str, &str)) -> FilterSpec {
    FilterSpec::from_toml(text, Path::new(file)).expect("reads")
}

/// A filter of any kind; half the bits in place of an `auto` threshold, which is one constant of the text.
fn print_spec(spec: &FilterSpec) -> Printed {
    match spec.resolve().expect("is legal") {
        Validated::Recycling(sizing) => {
            let threshold = sizing.half_bits() / 2;
            print(&sizing.with_threshold(threshold).expect("half the bits"))
        }
        Validated::Cells(geometry) => print(&geometry),
        Validated::Sliding(geometry) => print(&geometry),
    }
}

fn inline() -> FilterSpec {
    spec(PACKET_EXAMPLES[0])
}

/// The example with other beats and another key.
fn sample(data_bits: u64, source: KeySource, uart: bool) -> FilterSpec {
    let mut sample = inline();
    sample.name = format!("path{data_bits}_{}", source.word().replace('-', "_"));
    sample.key.source = Some(source);
    if !uart {
        sample.card = Some(CardSection { uart_baud: None });
    }
    let packet = sample.packet.as_mut().expect("has one");
    packet.data_bits = data_bits;
    sample
}

/// The path of the example around another filter.
fn around(filter: (&str, &str), data_bits: u64, uart: bool) -> FilterSpec {
    let mut around = spec(filter);
    let inline = sample(data_bits, KeySource::Ipv4FiveTuple, uart);
    around.key.bits = None;
    around.key.source = inline.key.source;
    around.card = inline.card;
    around.packet = inline.packet;
    around.target = inline.target;
    around
}

/// Every width, with and without a UART, every kind of key and of filter.
fn printed() -> Vec<Printed> {
    let specs = [
        inline(),
        sample(8, KeySource::Ipv6FiveTuple, false),
        sample(8, KeySource::FrameDigest, false),
        sample(64, KeySource::SrcIp, true),
        sample(64, KeySource::FrameDigest, false),
        sample(512, KeySource::Ipv4FiveTuple, false),
        sample(512, KeySource::FrameDigest, true),
        around(FOLDED_EXAMPLES[0], 8, true),
        around(CELL_EXAMPLES[0], 64, true),
        around(CELL_EXAMPLES[2], 64, false),
        around(SLIDING_EXAMPLES[0], 8, false),
    ];
    specs.iter().map(print_spec).collect()
}

/// Runs `script` of yosys, with `FILE` for the text and `TOP` for its top module.
fn yosys(path: &Printed, script: &str) -> String {
    let toolchain = toolchain(&[Program::Yosys]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = format!("{}.v", path.top);
    std::fs::write(folder.path().join(&file), &path.text).expect("written");
    let script = script.replace("FILE", &file).replace("TOP", &path.top);
    run_yosys_script(&toolchain, folder.path(), &script)
        .unwrap_or_else(|error| panic!("{}: {error}", path.top))
        .text()
}

#[test]
fn verilator_has_no_warning_with_all_of_them_on() {
    let toolchain = toolchain(&[Program::Verilator]);
    for path in printed() {
        let warnings = lint(&toolchain, &path.sources(), &path.top).expect("lint runs");
        assert!(
            warnings.is_empty(),
            "{}: {} warning(s), first: {}",
            path.top,
            warnings.len(),
            warnings[0]
        );
    }
}

#[test]
fn icarus_accepts_it_as_verilog_2005() {
    let toolchain = toolchain(&[]);
    for path in printed() {
        match icarus_accepts(&toolchain, &path.sources(), &path.top) {
            Ok(log) => assert_eq!(log.text().trim(), "", "{}", path.top),
            Err(VerilatorError::Toolchain(error @ ToolchainError::NotFound { .. })) => {
                let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
                assert!(!in_ci, "{error}");
                eprintln!("SKIPPED: {error}");
                return;
            }
            Err(error) => panic!("{}: {error}", path.top),
        }
    }
}

#[test]
fn the_frame_buffer_of_inline_is_block_ram_and_its_queues_are_distributed_ram() {
    // 2 halves x 4 banks of 512 words, one 18-kbit block each; 16 Kbyte in eight blocks of 2,048 x 9 bits; two for the 256 places
    // of the frame queue, whose register behind is that of the blocks
    yosys(
        &print_spec(&inline()),
        "read_verilog FILE; synth_ecp5 -top TOP -run begin:map_gates; select -assert-count 18 t:DP16KD; \
         select -assert-min 1 t:TRELLIS_DPR16X4; select -assert-none t:$mem*",
    );
}

#[test]
fn a_specification_without_a_path_has_none_to_print() {
    let Ok(Validated::Recycling(sizing)) = spec(CARD_EXAMPLES[0]).resolve() else {
        panic!("the example of a card is a recycling filter");
    };
    let threshold = sizing.half_bits() / 2;
    let geometry = sizing.with_threshold(threshold).expect("half the bits");
    let refused = path_verilog(&geometry, "");
    assert!(matches!(refused, Err(EmitError::NoPath { .. })));
}

#[test]
fn the_example_prints_as_its_golden_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/inline.v");
    let text = print_spec(&inline()).text;
    assert!(text == print_spec(&inline()).text, "printing twice differs");
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
