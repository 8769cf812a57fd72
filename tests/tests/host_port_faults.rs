//! The bench of the host port has teeth: single edits of its Verilog are caught. Faulty modules stand in one design beside the sound ones; an input chooses.

use bloomline_bench::verilator::{BuildOptions, Initial, Library};
use bloomline_tests::faults::{fault, Fault};
use bloomline_tests::{host_design, is_quick, toolchain, HostBench};
use bloomline_toolchain::Program;
use std::collections::BTreeSet;

const FAULTS: &[Fault] = &[
    fault(
        "a frame to a neighbour's address is the card's",
        "host_divert",
        "(pushed == mac)",
        "(pushed[47:1] == mac[47:1])",
    ),
    fault(
        "a bad frame passes as a good one",
        "host_divert",
        "bad <= s_tuser;",
        "bad <= 1'b0;",
    ),
    fault(
        "the frame behind one that is taken is taken too",
        "host_divert",
        "          mine <= 1'b0;\n",
        "",
    ),
    fault("fragments are read", "host_head", "16'hbfff", "16'h8000"),
    fault(
        "datagrams to other IP addresses are read",
        "host_head",
        " && (row[95:64] == own_ip)",
        "",
    ),
    fault("groups are answered", "host_head", "!row[280]", "1'b1"),
    fault(
        "an ARP reply is aimed at whom the request asked for",
        "host_head",
        "row[159:80]",
        "row[111:32]",
    ),
    fault(
        "a bad frame is acted on",
        "host_reader",
        "!bad && (count",
        "(count",
    ),
    fault(
        "the pseudo header has no protocol",
        "host_reader",
        "less_sizes  = 16'd3;",
        "less_sizes  = 16'd20;",
    ),
    fault(
        "what a MAC fills up with counts in the checksum",
        "host_reader",
        " && ({7'd0, index} < end_)",
        "",
    ),
    fault(
        "a carry of the checksum is lost",
        "host_reader",
        "body_sum[15:0] + {15'd0, body_sum[16]}",
        "body_sum[15:0]",
    ),
    fault(
        "a packet may be longer than its frame",
        "host_reader",
        " && (end_ <= {7'd0, count})",
        "",
    ),
    fault(
        "a missed frame is not told",
        "host_reader",
        "to_card && !listening;",
        "1'b0;",
    ),
    fault(
        "wrong UDP checksums are right",
        "request_handler",
        "(unchecked || body_right)",
        "1'b1",
    ),
    fault(
        "what there is of a list that is cut is done",
        "request_handler",
        "(need > (length >> 2)) || ",
        "",
    ),
    fault(
        "packets go on while the bus owes a response",
        "request_handler",
        " || (stuck && (|payload[15:0]))",
        "",
    ),
    fault(
        "a packet goes on behind a late access",
        "request_handler",
        "      if (late) begin\n        state <= listen;\n      end\n",
        "",
    ),
    fault(
        "all words are written to one address",
        "request_handler",
        "address_r + 30'd1",
        "address_r",
    ),
    fault("an access waits for ever", "host_access", " || age[10]", ""),
    fault(
        "an access is late a clock early",
        "host_access",
        "no_age          = 11'd0;",
        "no_age          = 11'd1;",
    ),
    fault(
        "a late access is taken back",
        "host_access",
        "answered || (in_bus && mail_outside)",
        "finished",
    ),
    fault(
        "what is read with a refusal is told",
        "host_access",
        "else if (!(|rresp)) begin",
        "else begin",
    ),
    fault(
        "a probe's answer is a packet",
        "host_answer",
        "next = probe_start;",
        "next = packet_start;",
    ),
    fault(
        "an answer comes between the bytes of a frame",
        "reply_merge",
        "else if (!m_tvalid && !open)",
        "else if (!m_tvalid)",
    ),
];

/// Clocks and runs that a fault is given.
const CLOCKS: u64 = 40_000;
const SEEDS: u64 = 8;

#[test]
fn every_fault_is_caught_and_the_port_as_emitted_is_sound() {
    let design = host_design(FAULTS);
    if is_quick() {
        return println!("{} faults have their places", FAULTS.len());
    }
    let toolchain = toolchain(&[Program::Verilator]);
    let library = Library::build(&toolchain, &design, &BuildOptions::default()).expect("builds");
    let run = |which: usize, seed: u64| {
        let mut sim = library.open(Initial::Random(seed)).expect("opens");
        HostBench::new(&mut sim, which, seed).run(CLOCKS)
    };
    let (mut missed, mut sound) = (Vec::new(), BTreeSet::new());
    for (fault, which) in FAULTS.iter().zip(1..) {
        let caught = (0..SEEDS).find_map(|seed| Some((seed, run(which, seed).err()?)));
        match caught {
            Some((seed, error)) => {
                let brief: String = error.chars().take(120).collect();
                println!("{}: seed {seed}, {brief}", fault.name);
                if sound.insert(seed) {
                    run(0, seed).unwrap_or_else(|error| panic!("as emitted, seed {seed}: {error}"));
                }
            }
            None => missed.push(fault.name),
        }
    }
    assert!(missed.is_empty(), "not caught: {missed:?}");
}
