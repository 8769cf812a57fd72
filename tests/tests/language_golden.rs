//! Claims about the text the back end prints. `BLOOMLINE_BLESS=1` rewrites the expected texts under `tests/golden/language/`.

use crate::language_support::designs::{Corners, Filter};
use crate::language_support::harness::toolchain;
use bloomline_bench::verilator::lint;
use bloomline_language::emit::{verilog, Emitted, Options};
use bloomline_language::wires::prelude::*;
use bloomline_tests::EmittedText;

fn filter() -> Emitted {
    let mut filter = Filter::new(1024, 4, 300);
    filter.connect_all();
    verilog(
        &filter,
        "onehit",
        &Options {
            header: "A filter for tests.".into(),
        },
    )
    .unwrap_or_else(|e| panic!("{e}"))
}

fn corners() -> Emitted {
    let mut corners = Corners::new();
    corners.connect_all();
    verilog(&corners, "corners", &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_filter_prints_as_its_golden_file() {
    EmittedText::of(&filter()).is_golden("language/filter.v");
}

#[test]
fn corners_of_the_language_print_as_their_golden_file() {
    EmittedText::of(&corners()).is_golden("language/corners.v");
}

#[test]
fn emitting_twice_gives_the_same_bytes() {
    assert_eq!(filter().text(), filter().text());
    assert_eq!(corners().files(), corners().files());
}

#[test]
fn verilator_lint_has_nothing_to_say_of_one_file_or_of_one_a_module() {
    for emitted in [filter(), corners()] {
        let text = EmittedText::of(&emitted);
        text.lints_clean();
        let warnings = lint(&toolchain(), &emitted.files(), &text.top).expect("lint runs");
        assert!(warnings.is_empty(), "{}: {warnings:?}", text.top);
    }
}

#[test]
fn icarus_accepts_the_text_as_verilog_2005() {
    EmittedText::of(&filter()).icarus_accepts();
    EmittedText::of(&corners()).icarus_accepts();
}

#[test]
#[ignore = "a claim"]
fn yosys_finds_no_latch_and_no_problem() {
    for emitted in [filter(), corners()] {
        EmittedText::of(&emitted).yosys(
            "read_verilog FILE; synth -top TOP; select -assert-none t:$_DLATCH_*; check -assert",
        );
    }
}

block! {
    /// A register of `width` bits under a name of its own choice.
    struct Stage {
        pub clock: Signal<In, Clock>,
        pub d: Bus<In> = Bus::new(width),
        pub q: Bus<Out> = Bus::new(width),
        about: About = About::new("stage", "One clock of delay."),
        held: Reg = Reg::new(width),
    }

    fn new(width: usize) {}
}

impl Logic for Stage {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, held);
        self.held.d.next = self.d.val();
        self.q.next = self.held.q.val();
    }
}

/// Three stages, two of one width.
#[derive(LogicBlock)]
struct Stages {
    pub clock: Signal<In, Clock>,
    pub d: Bus<In>,
    pub q: Bus<Out>,
    first: Stage,
    second: Stage,
    third: Stage,
}

impl Logic for Stages {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, first, second, third);
        self.first.d.next = self.d.val();
        self.second.d.next = bits_to(self.first.q.val(), 4);
        self.third.d.next = bits_to(self.second.q.val(), 8);
        self.q.next = self.third.q.val();
    }
}

#[test]
fn equal_modules_are_printed_once_and_different_ones_of_one_name_are_numbered() {
    let mut stages = Stages {
        clock: Default::default(),
        d: Bus::new(8),
        q: Bus::new(8),
        first: Stage::new(8),
        second: Stage::new(4),
        third: Stage::new(8),
    };
    stages.connect_all();
    let emitted = verilog(&stages, "stages", &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<_> = emitted.modules.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(["stage", "stage_2", "stages"], names[..]);
}

/// A mode chosen when the design is made.
#[derive(LogicBlock)]
struct Mode {
    pub y: Bus<Out>,
    chosen: Const,
}

impl Logic for Mode {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = bits_to(1, 4);
        if self.chosen.val() == 2 {
            self.y.next = bits_to(9, 4);
        }
    }
}

#[test]
fn a_block_that_reads_constants_only_is_computed_because_always_would_never_run() {
    let mut mode = Mode {
        y: Bus::new(4),
        chosen: Const::new(2, 2),
    };
    mode.connect_all();
    let text = verilog(&mode, "mode", &Options::default())
        .unwrap_or_else(|e| panic!("{e}"))
        .text();
    assert!(
        text.contains("assign y = 4'd9;") && !text.contains("always"),
        "{text}"
    );
}
