//! The bench of packet paths has teeth: single edits of the emitted Verilog are found, frame by frame.

use bloomline_bench::path::{run_path, Episode, FrameMaker, FrameMix, Room, Script, ScriptMix};
use bloomline_bench::verilator::{Design, Initial, Library};
use bloomline_model::PathModel;
use bloomline_tests::faults::{every_fault_is_caught, fault, Fault};
use bloomline_tests::{emitted_path, packet_of, path_filter, CardGeometry, PathSample};

const FAULTS: &[Fault] = &[
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
        "one more word is read",
        "word_facts",
        "= 10'h1e;",
        "= 10'h1f;",
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
    let map = filter.register_map();
    let model = PathModel::new(filter).expect("has a packet path");
    let mut sim = library.open(Initial::Random(seed)).expect("opens");
    let script = script(geometry, seed);
    run_path(design, &mut sim, model, &map, script, seed, |_, _| {})
        .expect("has every port")
        .err()
        .map(|failure| (failure.clock, failure.problem.to_string()))
}

#[test]
fn faults_of_the_packet_path_are_found() {
    let sample = PathSample {
        packet: "buffer_bytes = 16384",
        ..PathSample::BASE
    };
    let geometry = sample.geometry();
    let design = emitted_path(&geometry);
    every_fault_is_caught(&design, FAULTS, SEEDS, |library, design, seed| {
        first_problem(&geometry, library, design, seed)
    });
}
