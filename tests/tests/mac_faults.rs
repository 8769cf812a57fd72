//! The bench of the MAC has teeth: single edits of its Verilog are caught under torture. All faulty blocks stand in one design beside the
//! sound ones and have the same inputs.

use bloomline_bench::lockstep::{Reference, Stimulus};
use bloomline_bench::verilator::{BuildOptions, Initial, Library};
use bloomline_tests::faults::{fault, Fault};
use bloomline_tests::{is_quick, mac_sides, toolchain, MacReference, MacTorture};
use bloomline_toolchain::Program;

const FAULTS: &[Fault] = &[
    fault(
        "a frame under way when reset ends is received",
        "mac_receiver",
        "      waiting <= 1'b1;\n",
        "",
    ),
    fault(
        "a start with an error is one",
        "mac_receiver",
        "gmii_valid && !gmii_error && (gmii_data == start)",
        "gmii_valid && (gmii_data == start)",
    ),
    fault(
        "a start without a carrier is one",
        "mac_receiver",
        "!waiting && gmii_valid && !gmii_error",
        "!waiting && !gmii_error",
    ),
    fault(
        "the last error alone counts",
        "mac_receiver",
        "errored <= errored || gmii_error;",
        "errored <= gmii_error;",
    ),
    fault(
        "a frame of 63 bytes is none too short",
        "mac_receiver",
        "least     = 7'd64;",
        "least     = 7'd63;",
    ),
    fault(
        "a byte of the FCS is one of the frame",
        "mac_receiver",
        "row_bytes = 7'd5;",
        "row_bytes = 7'd4;",
    ),
    fault(
        "the FCS may be that of an unfinished register",
        "mac_receiver",
        "residue   = 32'hdebb20e3;",
        "residue   = 32'h2144df1c;",
    ),
    fault(
        "the CRC goes on from frame to frame",
        "mac_receiver",
        "    crc <= all_ones;\n",
        "",
    ),
    fault(
        "runts are not bad",
        "mac_receiver",
        "bad_r <= errored || !long_ || !whole;",
        "bad_r <= errored || !whole;",
    ),
    fault(
        "an error is told as a wrong FCS too",
        "mac_receiver",
        "bad_fcs_r <= ends && !errored && long_",
        "bad_fcs_r <= ends && long_",
    ),
    fault(
        "a cut frame has no end",
        "frame_gate",
        "(drop && inside_)",
        "1'b0",
    ),
    fault(
        "a frame that left no trace is ended",
        "frame_gate",
        "(drop && inside_)",
        "drop",
    ),
    fault(
        "the rest of a lost frame is stored",
        "frame_gate",
        "skip <= (skip || drop) && !s_tlast;",
        "skip <= skip && !s_tlast;",
    ),
    fault(
        "a frame begins while the end of one is owed",
        "frame_gate",
        "offered && (owed || full);",
        "offered && full;",
    ),
    fault(
        "tuser within a frame is stored",
        "frame_gate",
        "{s_tuser && s_tlast, s_tlast, s_tdata}",
        "{s_tuser, s_tlast, s_tdata}",
    ),
    fault(
        "a full buffer takes a beat",
        "transmit_buffer",
        "whole = 7'd64;",
        "whole = 7'd65;",
    ),
    fault(
        "a frame begins before it is far enough in",
        "transmit_buffer",
        "start = 7'd32;",
        "start = 7'd31;",
    ),
    fault(
        "a short frame waits for the next",
        "transmit_buffer",
        "open || (|ends) || ",
        "open || ",
    ),
    fault(
        "within a frame the buffer waits for bytes",
        "transmit_buffer",
        "open || (|ends) || ",
        "(|ends) || ",
    ),
    fault(
        "the gap is a clock short",
        "mac_transmitter",
        "last_gap      = 4'd10;",
        "last_gap      = 4'd9;",
    ),
    fault(
        "a frame of 59 bytes is not padded",
        "mac_transmitter",
        "before_least  = 6'd59;",
        "before_least  = 6'd58;",
    ),
    fault(
        "six bytes of preamble",
        "mac_transmitter",
        "last_preamble = 4'd7;",
        "last_preamble = 4'd6;",
    ),
    fault(
        "a broken frame has the right FCS",
        "mac_transmitter",
        "      if (broken) begin\n        data_r <= crc[7:0];",
        "      if (1'b0) begin\n        data_r <= crc[7:0];",
    ),
    fault(
        "a broken frame has no error",
        "mac_transmitter",
        "error_r <= broken;",
        "error_r <= 1'b0;",
    ),
    fault(
        "the rest of a frame that ran dry is a frame",
        "mac_transmitter",
        "      drain <= 1'b1;\n",
        "",
    ),
    fault(
        "an underrun breaks the frames behind it",
        "mac_transmitter",
        "broken <= s_tuser;",
        "broken <= broken || s_tuser;",
    ),
    fault(
        "a frame begins at once after a reset",
        "mac_transmitter",
        "    if (reset) begin\n      state <= gap;",
        "    if (reset) begin\n      state <= idle;",
    ),
];

const CLOCKS: u64 = 150_000;

#[test]
fn every_fault_is_caught_and_the_blocks_as_emitted_are_sound() {
    let (design, twins) = mac_sides(FAULTS);
    if is_quick() {
        return println!("{} faults have their places", FAULTS.len());
    }
    let toolchain = toolchain(&[Program::Verilator]);
    let library = Library::build(&toolchain, &design, &BuildOptions::default()).expect("builds");
    let mut caught: Vec<Option<u64>> = vec![None; FAULTS.len()];
    let mut sim = library.open(Initial::Random(5)).expect("opens");
    let mut reference = MacReference::default();
    let mut torture = MacTorture::new(5, CLOCKS);
    let mut inputs = vec![0; design.input_words()];
    let mut outputs = vec![0; design.output_words()];
    for clock in 0.. {
        let mut expected = vec![0; design.output_words()];
        let mut care = expected.clone();
        reference.outputs(&mut expected, &mut care);
        if !torture.next(&expected, &mut inputs) {
            break;
        }
        sim.step(&inputs, &mut outputs).expect("runs");
        let differs =
            |place: usize, twin: usize| (expected[place] ^ outputs[twin]) & care[place] != 0;
        for ([block, twin], caught) in twins.iter().zip(&mut caught) {
            let mut pairs = block.clone().zip(twin.clone());
            if caught.is_none() && pairs.any(|(place, twin)| differs(place, twin)) {
                *caught = Some(clock);
            }
            let mut sound = block.clone();
            assert!(!sound.any(|place| differs(place, place)), "clock {clock}");
        }
        reference.clock(&inputs);
    }
    for (fault, caught) in FAULTS.iter().zip(&caught) {
        println!("{}: {caught:?}", fault.name);
    }
    let missed = FAULTS.iter().zip(&caught).filter(|(_, c)| c.is_none());
    let missed: Vec<_> = missed.map(|(fault, _)| fault.name).collect();
    assert!(missed.is_empty(), "not caught: {missed:?}");
}
