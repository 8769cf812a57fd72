//! The emitted Verilog of cards is what other tools take without a word, and the same in every run.
//!
//! `BLOOMLINE_BLESS=1` rewrites `tests/golden/admit.v`.

use bloomline_bench::toolchain::{Program, ToolchainError};
use bloomline_bench::verilator::{icarus_accepts, lint, run_yosys_script, VerilatorError};
use bloomline_hdl::emit::EmitError;
use bloomline_hdl::{card_verilog, CardFilter};
use bloomline_spec::{CardSection, FilterSpec, Validated};
use bloomline_spec::{CARD_EXAMPLES, CELL_EXAMPLES, EXAMPLES, FOLDED_EXAMPLES, SLIDING_EXAMPLES};
use bloomline_tests::toolchain;
use std::path::Path;

/// A card's top module and its text.
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
    let emitted = card_verilog(filter, "").expect("every legal geometry can be printed");
    Printed {
        top: format!("{}_card", filter.common().name()),
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

fn with_card(mut spec: FilterSpec, uart_baud: Option<u64>) -> FilterSpec {
    spec.card = Some(CardSection { uart_baud });
    spec
}

fn admit() -> Printed {
    print_spec(&spec(CARD_EXAMPLES[0]))
}

/// The example, every kind of filter with and without a UART, and the corners: keys of one bit and of sixteen words, the longest tag, the least
/// clocks of a bit.
fn printed() -> Vec<Printed> {
    let mut all = CARD_EXAMPLES
        .iter()
        .map(|&example| print_spec(&spec(example)))
        .collect::<Vec<_>>();
    for example in [
        EXAMPLES[0],
        FOLDED_EXAMPLES[0],
        CELL_EXAMPLES[0],
        CELL_EXAMPLES[1],
        CELL_EXAMPLES[2],
    ] {
        all.push(print_spec(&with_card(spec(example), None)));
    }
    for example in [FOLDED_EXAMPLES[0], CELL_EXAMPLES[2]] {
        all.push(print_spec(&with_card(spec(example), Some(115_200))));
    }
    for uart_baud in [None, Some(115_200)] {
        let geometry = with_card(spec(SLIDING_EXAMPLES[0]), uart_baud).sliding();
        all.push(print(&geometry.expect("is legal")));
    }
    for (bits, tag_bits, clock_hz, baud) in [
        (1, 1, 80, 10),
        (32, 63, 250_000_000, 9_600),
        (512, 7, 1_000_000, 125_000),
    ] {
        let mut corner = with_card(spec(CARD_EXAMPLES[0]), Some(baud));
        corner.key.bits = Some(bits);
        corner.key.tag_bits = tag_bits;
        corner.target.as_mut().expect("has a target").clock_hz = clock_hz;
        all.push(print_spec(&corner));
    }
    all
}

/// Runs `script` of yosys, with `FILE` for the text and `TOP` for its top module.
fn yosys(card: &Printed, script: &str) -> String {
    let toolchain = toolchain(&[Program::Yosys]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = format!("{}.v", card.top);
    std::fs::write(folder.path().join(&file), &card.text).expect("written");
    let script = script.replace("FILE", &file).replace("TOP", &card.top);
    run_yosys_script(&toolchain, folder.path(), &script)
        .unwrap_or_else(|error| panic!("{}: {error}", card.top))
        .text()
}

#[test]
fn verilator_has_no_warning_with_all_of_them_on() {
    let toolchain = toolchain(&[Program::Verilator]);
    for card in printed() {
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
fn yosys_elaborates_it_without_a_problem() {
    for card in printed() {
        let log = yosys(
            &card,
            "read_verilog FILE; hierarchy -check -top TOP; proc; opt; check -assert",
        );
        let warnings: Vec<&str> = log.lines().filter(|l| l.starts_with("Warning")).collect();
        assert!(warnings.is_empty(), "{}: {}", card.top, warnings.join("\n"));
    }
}

#[test]
fn the_banks_of_admit_are_block_ram_and_its_queues_are_distributed_ram() {
    // 2 halves x 4 banks x 512 words of 36 bits: one 18-kbit block each, and none for the card
    yosys(
        &admit(),
        "read_verilog FILE; synth_ecp5 -top TOP -run begin:map_gates; select -assert-count 8 t:DP16KD; \
         select -assert-min 1 t:TRELLIS_DPR16X4; select -assert-none t:$mem*",
    );
}

#[test]
fn a_module_stands_in_the_text_once_and_the_filter_is_one() {
    let card = admit();
    let mut modules: Vec<&str> = card
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("module "))
        .filter_map(|rest| rest.split_whitespace().next())
        .collect();
    assert!(modules.contains(&"admit") && modules.ends_with(&["admit_card"]));
    let all = modules.len();
    modules.sort_unstable();
    modules.dedup();
    assert_eq!(modules.len(), all);
}

#[test]
fn a_specification_without_a_card_has_none_to_print() {
    let sizing = spec(EXAMPLES[0]).validate().expect("is legal");
    let threshold = sizing.half_bits() / 2;
    let geometry = sizing.with_threshold(threshold).expect("half the bits");
    let refused = card_verilog(&geometry, "");
    assert!(matches!(refused, Err(EmitError::NoCard { .. })));
}

#[test]
fn printing_twice_gives_the_same_bytes() {
    for (first, second) in printed().iter().zip(printed()) {
        assert!(
            first.text == second.text,
            "{}: the text depends on more than the geometry",
            first.top
        );
    }
}

#[test]
fn the_example_prints_as_its_golden_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/admit.v");
    let text = admit().text;
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
