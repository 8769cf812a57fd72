//! Somebody else's Ethernet on both ends of ours: cocotb with the RGMII models of cocotbext-eth, in Icarus Verilog.
//!
//! The Python packages come from PyPI at pinned versions. Without Icarus the tests say that they were skipped, and fail when `CI=true`.

use bloomline_hdl::mac::mac_loop_verilog;
use bloomline_tests::{cocotb_client_passes, line_card_of, PathSample};

#[test]
#[ignore = "a claim"]
fn frames_of_another_ethernet_come_back_as_they_were_and_bad_ones_as_bad() {
    const CLIENT: &str = include_str!("mac_support/mac_loop_client.py");
    let text = mac_loop_verilog("").expect("can be printed").text();
    cocotb_client_passes("mac_loop", &text, CLIENT, 4);
}

#[test]
#[ignore = "a claim"]
fn frames_of_another_ethernet_leave_a_line_card_at_the_other_port_marked_by_its_policy() {
    const CLIENT: &str = include_str!("mac_support/linecard_client.py");
    let sample = PathSample {
        packet: "buffer_bytes = 4096\n[packet.policy]\nunseen = \"mark:8\"",
        ..PathSample::BASE
    };
    let design = line_card_of(&sample.line_card());
    let (_, text) = &design.sources[0];
    cocotb_client_passes(&design.top, text, CLIENT, 2);
}
