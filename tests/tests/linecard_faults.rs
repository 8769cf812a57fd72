//! The bench of line cards has teeth: single edits of the emitted Verilog, in the merge, the wiring of lanes and ports, registers and policies, are
//! found from the pins.
//!
//! All faults stand in one design, and an input says which is in force: one build does for all.

use bloomline_bench::linecard::{
    run_line_card, LineCardReport, LineEpisode, LineFailure, LineFrame, LineScript, Lines,
};
use bloomline_bench::lockstep::{Device, DeviceError};
use bloomline_bench::path::{FrameMaker, FrameMix};
use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Sim};
use bloomline_model::LineCardModel;
use bloomline_tests::faults::{fault, with_faults_to_choose, Fault, FAULT_PORT};
use bloomline_tests::{line_card_of, packet_of, path_filter, toolchain, CardGeometry, PathSample};

const FAULTS: &[Fault] = &[
    fault(
        "items of lane 1 bear the tag of lane 0",
        "lane_merge",
        "{15'd0, lane}",
        "16'd0",
    ),
    fault(
        "verdicts go to the other lane",
        "lane_merge",
        "verdict_tid[0]",
        "!verdict_tid[0]",
    ),
    fault(
        "a verdict is seen by its place in lane 1",
        "lane_merge",
        "verdict_tvalid && verdict_seen && to_lane",
        "verdict_tvalid && to_lane",
    ),
    fault(
        "a verdict is lost where another waits",
        "lane_verdicts",
        "push && !full_r",
        "push && !full_r && !some",
    ),
    fault(
        "verdicts wait in lane 1 for ever",
        "lines",
        ".verdict_1_tready (lane_1_verdict_tready)",
        ".verdict_1_tready (1'b0)",
    ),
    fault(
        "an item of the other lane counts as the own",
        "lines",
        ".item_tready    (merge_item_0_tready)",
        ".item_tready    (merge_item_0_tready || merge_item_1_tready)",
    ),
    fault(
        "lane 1 asks for the keys of lane 0",
        "lines",
        ".item_1_tdata     (lane_1_item_tdata)",
        ".item_1_tdata     (lane_0_item_tdata)",
    ),
    fault(
        "lane 1 learns when lane 0 does",
        "lines",
        ".item_1_tuser     (lane_1_item_tuser)",
        ".item_1_tuser     (lane_0_item_tuser)",
    ),
    fault(
        "lane 1 takes every verdict for one of a new key",
        "lines",
        ".verdict_seen   (merge_verdict_1_seen)",
        ".verdict_seen   (1'b0)",
    ),
    fault(
        "bad frames of port 1 are good",
        "lines",
        ".s_frame_tuser  (port_1_m_frame_tuser)",
        ".s_frame_tuser  (1'b0)",
    ),
    fault(
        "port 0 sends the bytes that it has received",
        "lines",
        ".s_frame_tdata    (lane_1_m_frame_tdata)",
        ".s_frame_tdata    (lane_0_m_frame_tdata)",
    ),
    fault(
        "frames to port 1 end when those to port 0 do",
        "lines",
        ".s_frame_tlast    (lane_0_m_frame_tlast)",
        ".s_frame_tlast    (lane_1_m_frame_tlast)",
    ),
    fault(
        "port 1 counts the runts of port 0",
        "lines",
        ".count_10 (port_1_frames_runt)",
        ".count_10 (port_0_frames_runt)",
    ),
    fault(
        "the links are exchanged",
        "lines",
        "{port_1_link_up, port_0_link_up}",
        "{port_0_link_up, port_1_link_up}",
    ),
    fault(
        "what is written to lane 1 goes to lane 0",
        "lane_split",
        "awaddr[8]",
        "1'b0",
    ),
    fault(
        "registers of lane 0 read as those of lane 1",
        "lane_split",
        "araddr[8]",
        "1'b1",
    ),
    fault(
        "frames that are new to lane 1 leave by the policy of those that are seen",
        "packet_path_2",
        ".policy_0      (registers_policy_0)",
        ".policy_0      (registers_policy_1)",
    ),
    fault(
        "nothing is dropped",
        "egress",
        "takes && (action == drop_action)",
        "1'b0",
    ),
];

/// Seeds of a search.
const SEEDS: u64 = 6;

/// The design with one of its faults in force.
struct Chosen {
    sim: Sim,
    place: usize,
    number: u64,
    inputs: Vec<u64>,
}

impl Device for Chosen {
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DeviceError> {
        self.inputs.copy_from_slice(inputs);
        self.inputs[self.place] = self.number;
        Ok(self.sim.step(&self.inputs, outputs)?)
    }
}

/// Drawn lines; before them a long frame at either port, behind which many short ones wait for it to leave.
fn script(geometry: &CardGeometry, seed: u64) -> LineScript {
    let mut script = LineScript::draw(&packet_of(geometry), 2, 100, 12_000, seed);
    let lines = [seed, seed + 1].map(|seed| {
        let short = FrameMaker::new(FrameMix::minimum(8), seed).take(25);
        let frames = std::iter::once(vec![0xA5; 1514]).chain(short.map(|frame| frame.bytes));
        Box::new(frames.map(|frame| LineFrame::good(&frame))) as Lines
    });
    script.episodes.insert(0, LineEpisode::of(lines));
    script
}

fn run(
    geometry: &CardGeometry,
    library: &Library,
    design: &Design,
    number: u64,
    seed: u64,
) -> Result<LineCardReport, LineFailure> {
    let mut device = Chosen {
        sim: library.open(Initial::Random(seed)).expect("opens"),
        place: design.place(FAULT_PORT).expect("is there"),
        number,
        inputs: vec![0; design.input_words()],
    };
    run_line_card(
        design,
        &mut device,
        LineCardModel::new(path_filter(geometry)).expect("is a line card"),
        script(geometry, seed),
        seed,
        &mut |_, _, _| {},
    )
    .expect("has every port")
}

#[test]
fn every_fault_is_found_from_the_pins_and_the_card_as_emitted_is_sound() {
    let geometry = PathSample::BASE.line_card();
    let design = with_faults_to_choose(&line_card_of(&geometry), FAULTS);
    let toolchain = toolchain(&[Program::Verilator]);
    let library = Library::build(&toolchain, &design, &BuildOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let mut missed = Vec::new();
    let mut sound = [false; SEEDS as usize];
    for (number, fault) in (1..).zip(FAULTS) {
        let caught = (0..SEEDS).find_map(|seed| {
            let failure = run(&geometry, &library, &design, number, seed).err()?;
            Some((seed, failure))
        });
        let Some((seed, failure)) = caught else {
            println!("{}: NOT FOUND", fault.name);
            missed.push(fault.name);
            continue;
        };
        println!(
            "{}: seed {seed}, clock {}, lane {:?}: {}",
            fault.name, failure.clock, failure.lane, failure.problem
        );
        if !std::mem::replace(&mut sound[seed as usize], true) {
            let report = run(&geometry, &library, &design, 0, seed);
            report.unwrap_or_else(|failure| panic!("seed {seed}, no fault: {failure:?}"));
        }
    }
    assert!(missed.is_empty(), "not found in {SEEDS} seeds: {missed:?}");
}
