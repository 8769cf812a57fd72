//! The bench of line cards has teeth: single edits of the emitted Verilog, in the merge, the wiring of lanes and ports, registers and policies, are
//! found from the pins.

use bloomline_bench::path::{FrameMaker, FrameMix};
use bloomline_simulated::linecard::{LineEpisode, LineFrame, LineScript, Lines};
use bloomline_tests::faults::{every_line_card_fault_is_caught, fault, Fault};
use bloomline_tests::{packet_of, CardGeometry, PathSample};

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
        "line_card_datapath",
        ".verdict_1_tready (lane_1_verdict_tready)",
        ".verdict_1_tready (1'b0)",
    ),
    fault(
        "an item of the other lane counts as the own",
        "line_card_datapath",
        ".item_tready    (merge_item_0_tready)",
        ".item_tready    (merge_item_0_tready || merge_item_1_tready)",
    ),
    fault(
        "lane 1 asks for the keys of lane 0",
        "line_card_datapath",
        ".item_1_tdata     (lane_1_item_tdata)",
        ".item_1_tdata     (lane_0_item_tdata)",
    ),
    fault(
        "lane 1 learns when lane 0 does",
        "line_card_datapath",
        ".item_1_tuser     (lane_1_item_tuser)",
        ".item_1_tuser     (lane_0_item_tuser)",
    ),
    fault(
        "lane 1 takes every verdict for one of a new key",
        "line_card_datapath",
        ".verdict_seen   (merge_verdict_1_seen)",
        ".verdict_seen   (1'b0)",
    ),
    fault(
        "bad frames of port 1 are good",
        "line_card_datapath",
        ".s_frame_tuser  (port_1_m_frame_tuser)",
        ".s_frame_tuser  (1'b0)",
    ),
    fault(
        "port 0 sends the bytes that it has received",
        "line_card_datapath",
        ".s_frame_tdata    (out_of_1)",
        ".s_frame_tdata    (out_of_0)",
    ),
    fault(
        "frames to port 1 end when those to port 0 do",
        "line_card_datapath",
        ".s_frame_tlast    (lane_0_m_frame_tlast)",
        ".s_frame_tlast    (lane_1_m_frame_tlast)",
    ),
    fault(
        "port 1 counts the runts of port 0",
        "line_card_datapath",
        ".count_10 (port_1_frames_runt)",
        ".count_10 (port_0_frames_runt)",
    ),
    fault(
        "the links are exchanged",
        "line_card_datapath",
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
        "frames that are new leave by the policy of those that are seen",
        "packet_path",
        ".policy_0      (registers_policy_0)",
        ".policy_0      (registers_policy_1)",
    ),
    fault("nothing is dropped", "egress", "takes && dropping", "1'b0"),
];

/// Seeds of a search.
const SEEDS: u64 = 6;

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

#[test]
fn every_fault_is_found_from_the_pins_and_the_card_as_emitted_is_sound() {
    let geometry = PathSample::BASE.line_card();
    every_line_card_fault_is_caught(&geometry, FAULTS, SEEDS, script);
}
