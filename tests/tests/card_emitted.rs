//! The emitted Verilog of cards is what other tools take without a word; golden files hold it to the byte.

use bloomline_hdl::card_verilog;
use bloomline_language::emit::EmitError;
use bloomline_spec::{CardSection, FilterSpec};
use bloomline_spec::{
    CARD_EXAMPLES, CELL_EXAMPLES, CUCKOO_EXAMPLES, EXAMPLES, SHARED_ARRAY_EXAMPLES,
    SLIDING_EXAMPLES,
};
use bloomline_tests::{at_most, few, EmittedText};
use std::path::Path;
use std::sync::OnceLock;

fn spec((file, text): (&str, &str)) -> FilterSpec {
    FilterSpec::from_toml(text, Path::new(file)).expect("reads")
}

fn with_card(mut spec: FilterSpec, uart_baud: Option<u64>) -> FilterSpec {
    spec.card = Some(CardSection { uart_baud });
    spec
}

fn admit() -> EmittedText {
    EmittedText::of_spec(&spec(CARD_EXAMPLES[0]))
}

/// The example, every kind of filter with and without a UART, and the corners: keys of one bit and of sixteen words, the longest tag, the least
/// clocks of a bit. In a quick test the first of them.
fn print() -> Vec<EmittedText> {
    let mut all: Vec<FilterSpec> = CARD_EXAMPLES.iter().map(|&example| spec(example)).collect();
    for example in [
        EXAMPLES[0],
        SHARED_ARRAY_EXAMPLES[0],
        CELL_EXAMPLES[0],
        CELL_EXAMPLES[1],
        CELL_EXAMPLES[2],
        SLIDING_EXAMPLES[0],
    ] {
        all.push(with_card(spec(example), None));
    }
    for example in [
        SHARED_ARRAY_EXAMPLES[0],
        CELL_EXAMPLES[2],
        SLIDING_EXAMPLES[0],
        CUCKOO_EXAMPLES[0],
    ] {
        all.push(with_card(spec(example), Some(115_200)));
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
        all.push(corner);
    }
    let printed: Vec<EmittedText> = all
        .iter()
        .take(at_most(3))
        .map(EmittedText::of_spec)
        .collect();
    assert!(printed.iter().all(|card| card.top.ends_with("_card")));
    printed
}

/// The same, printed once for all tests.
fn printed() -> &'static [EmittedText] {
    static PRINTED: OnceLock<Vec<EmittedText>> = OnceLock::new();
    PRINTED.get_or_init(print)
}

#[test]
fn verilator_has_no_warning_with_all_of_them_on() {
    few(printed(), 2).iter().for_each(EmittedText::lints_clean);
}

#[test]
fn icarus_accepts_it_as_verilog_2005() {
    few(printed(), 2)
        .iter()
        .for_each(EmittedText::icarus_accepts);
}

#[test]
#[ignore = "a claim"]
fn yosys_elaborates_it_without_a_problem() {
    EmittedText::elaborate_clean(printed());
}

#[test]
#[ignore = "a claim"]
fn the_banks_of_admit_are_block_ram_and_its_queues_are_distributed_ram() {
    // 2 halves x 4 banks x 512 words of 36 bits: one 18-kbit block each, and none for the card
    admit().yosys(
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
