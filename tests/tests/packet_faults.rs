//! The bench of packet paths has teeth: single edits of the emitted Verilog are found, frame by frame.
//!
//! `BLOOMLINE_SOAK=2` looks for all of them, not for one of every part.

use bloomline_bench::path::{run_path, Episode, FrameMaker, FrameMix, Room, Script, ScriptMix};
use bloomline_bench::verilator::{Design, Initial, Library};
use bloomline_model::PathModel;
use bloomline_tests::faults::{every_fault_is_caught, fault, Fault};
use bloomline_tests::{emitted_path, packet_of, path_filter, soak, CardGeometry, PathSample};

/// From the beats to the class: one of every part.
const IN: &[Fault] = &[
    fault(
        "what is left of a frame that a reset cut is a frame",
        "intake",
        "passing <= cut;",
        "passing <= 1'b0;",
    ),
    fault(
        "the last label is told by the bit above",
        "parser_step",
        "&& facts[8])",
        "&& facts[9])",
    ),
    fault(
        "one word too few is read",
        "word_facts",
        "= 5'd31;",
        "= 5'd30;",
    ),
    fault(
        "a frame of the greatest length is oversize",
        "frame_classifier",
        "above_low_2 <= bytes_1[7:0] > ",
        "above_low_2 <= bytes_1[7:0] >= ",
    ),
];

/// Further ones.
const MORE_IN: &[Fault] = &[
    fault(
        "a cut packet is whole",
        "frame_classifier",
        "if (waits_2 || short_2) begin",
        "if (waits_2) begin",
    ),
    fault(
        "a carry of the checksum is lost",
        "frame_classifier",
        "sum_2 <= sum_1[15:0] + {15'd0, sum_1[16]};",
        "sum_2 <= sum_1[15:0];",
    ),
];

/// From the buffer to the beats: one of every part.
const OUT: &[Fault] = &[
    fault(
        "a frame of which beats had no room is kept",
        "frame_store",
        "!full && !spilled && ",
        "!full && ",
    ),
    fault(
        "a frame with a key does not wait for its verdict",
        "verdict_stage",
        "(!keyed || verdict_valid);",
        "1'b1;",
    ),
    fault(
        "the end of a frame is sought where the one before ended",
        "egress",
        "at_end <= behind == frame[",
        "at_end <= place == frame[",
    ),
    fault(
        "the header of IPv6 counts in its length",
        "frame_classifier",
        "<< 2) + two_and_header;",
        "<< 2) + two;",
    ),
    fault(
        "frames without IP count as marked",
        "egress",
        "takes && marking && frame[20];",
        "takes && marking;",
    ),
    fault(
        "an offer falls before it is taken",
        "egress_queue",
        "valid_r <= load || (valid_r && !take);",
        "valid_r <= load;",
    ),
];

/// Further ones.
const MORE_OUT: &[Fault] = &[
    fault(
        "a frame is kept whose key has no place",
        "frame_store",
        " && !(keyed && keys_full);",
        ";",
    ),
    fault(
        "IPv6 is marked as IPv4",
        "egress",
        "head_mask <= ipv6_dscp;",
        "head_mask <= ipv4_dscp;",
    ),
    fault(
        "beats are read without a place for them",
        "egress",
        "credit <= after <= most_out;",
        "credit <= 1'b1;",
    ),
    fault(
        "a mark comes back further on",
        "egress",
        "if (index != beyond) begin",
        "if (1'b1) begin",
    ),
];

/// Bounds of the search for a catch.
const SEEDS: u64 = 12;
const MIX: ScriptMix = ScriptMix {
    episodes: 4,
    frames: 600,
    beats: 30_000,
};

/// Torture, or for every third seed frames behind a sink that is blocked for long.
fn script(geometry: &CardGeometry, seed: u64) -> Script {
    let mut script = Script::draw(&packet_of(geometry), true, MIX, seed);
    if seed % 3 == 1 {
        let maker = FrameMaker::new(FrameMix::minimum(3), seed);
        let full = Episode {
            room: Room::Awaited,
            blocked: true,
            ..Episode::of(maker.take(100))
        };
        script.episodes.insert(0, full);
    }
    script
}

fn first_problem(
    geometry: &CardGeometry,
    library: &Library,
    design: &Design,
    seed: u64,
) -> Option<(u64, String)> {
    let filter = path_filter(geometry);
    let map = filter.design().register_map();
    let model = PathModel::new(filter).expect("has a packet path");
    let mut sim = library.open(Initial::Random(seed)).expect("opens");
    let script = script(geometry, seed);
    run_path(design, &mut sim, model, &map, script, seed, |_, _| {})
        .expect("has every port")
        .err()
        .map(|failure| (failure.clock, failure.problem.to_string()))
}

fn are_found(faults: &[Fault], more: &[Fault]) {
    let sample = PathSample {
        packet: "buffer_bytes = 16384",
        ..PathSample::BASE
    };
    let geometry = sample.geometry();
    let design = emitted_path(&geometry);
    let more = if soak() > 1 { more } else { &[] };
    every_fault_is_caught(
        &design,
        &[faults, more].concat(),
        SEEDS,
        |library, design, seed| first_problem(&geometry, library, design, seed),
    );
}

#[test]
fn faults_from_the_beats_to_the_class_are_found() {
    are_found(IN, MORE_IN);
}

#[test]
fn faults_from_the_buffer_to_the_beats_are_found() {
    are_found(OUT, MORE_OUT);
}
