//! Claims about the emitted Verilog's ports, streams and sequencers for every clock (or for every input of so many clocks), proved by a solver. Each
//! property is shown able to fail: one edit of the Verilog, and the same run refuses.

use crate::formal_support::{
    can_fail, can_fail_of, edit, holds, holds_and_can_fail, holds_of, is_not_proved, property,
    Smallest,
};
use bloomline_assurance::formal::PROPERTIES;
use bloomline_spec::Design;
use std::path::Path;

#[test]
#[ignore = "a claim"]
fn no_output_depends_on_an_input_of_its_clock() {
    holds_and_can_fail(
        "outputs-registered",
        None,
        &[edit(
            "smallest",
            "assign s_item_tready = sequencer_ready;",
            "assign s_item_tready = sequencer_ready && s_item_tvalid;",
        )],
    );
}

#[test]
#[ignore = "a claim"]
fn the_verdict_queue_keeps_order_and_data_of_any_item() {
    holds_and_can_fail(
        "verdict-queue",
        None,
        &[
            edit("verdict_queue", "tag_r <= tags_read_data;", "tag_r <= tag;"),
            edit(
                "verdict_queue",
                "valid_r <= valid_r && !ready;",
                "valid_r <= 1'b0;",
            ),
        ],
    );
}

#[test]
#[ignore = "a claim"]
fn verdicts_are_held_never_invented_and_arrive() {
    holds_and_can_fail(
        "verdict-stream",
        None,
        &[edit(
            "smallest",
            "assign m_verdict_tvalid = verdicts_valid;",
            "assign m_verdict_tvalid = verdicts_valid || s_item_tvalid;",
        )],
    );
}

#[test]
#[ignore = "a claim"]
fn every_register_access_has_one_answer() {
    holds_and_can_fail(
        "register-port",
        None,
        &[
            edit(
                "register_file",
                "bvalid_r <= taking || (bvalid_r && !bready);",
                "bvalid_r <= taking;",
            ),
            edit(
                "register_file",
                "merging <= sampling && !reset;",
                "merging <= reading || sampling && !reset;",
            ),
        ],
    );
}

#[test]
#[ignore = "a claim"]
fn a_card_answers_every_request_and_its_streams_pass_the_hosts_items() {
    let in_port = |from, to| edit("item_port", from, to);
    holds_and_can_fail(
        "card-port",
        None,
        &[
            edit(
                "bus_split",
                "assign filter_arvalid = arvalid && !reading && !read_of_port;",
                "assign filter_arvalid = arvalid && !read_of_port;",
            ),
            edit(
                "bus_split",
                "assign write_to_port = awaddr[8];",
                "assign write_to_port = 1'b0;",
            ),
            in_port(
                "assign s_item_tready = f_item_tready && !grant;",
                "assign s_item_tready = f_item_tready;",
            ),
            in_port(
                "grant <= pending && (!s_item_tvalid || f_item_tready);",
                "grant <= pending;",
            ),
            in_port(
                "assign f_verdict_tready = host || m_verdict_tready;",
                "assign f_verdict_tready = m_verdict_tready;",
            ),
            in_port("pending <= pending && !taken;", "pending <= pending;"),
            in_port(
                "assign m_verdict_tvalid = f_verdict_tvalid && !host;",
                "assign m_verdict_tvalid = f_verdict_tvalid;",
            ),
        ],
    );
}

#[test]
#[ignore = "a claim"]
fn the_fifo_between_two_clocks_keeps_every_word() {
    holds("crossing-fifo", None);
    can_fail(
        "crossing-fifo",
        // as deep as a FIFO that is full takes, at two steps a word
        Some(34),
        &[
            // A place crosses as a binary number.
            edit(
                "async_fifo",
                "write_gray <= write_next ^ (write_next >> 1);",
                "write_gray <= write_next;",
            ),
            // What was taken is not seen, or what was not.
            edit(
                "async_fifo",
                "assign full = write_gray == (read_seen_q ^ lap);",
                "assign full = 1'b1;",
            ),
            edit(
                "async_fifo",
                "assign full = write_gray == (read_seen_q ^ lap);",
                "assign full = 1'b0;",
            ),
            // The word behind it.
            edit(
                "async_fifo",
                ".read_address  (read_place[3:0])",
                ".read_address  (read_next[3:0])",
            ),
        ],
    );
}

#[test]
#[ignore = "a claim"]
fn no_register_is_reached_without_a_right_tag() {
    holds("host-tag", None);
    can_fail(
        "host-tag",
        Some(4),
        &[
            // Any access begins.
            edit(
                "host_access",
                "assign begins = mail_good;",
                "assign begins = mail_good || start;",
            ),
            // A request is complete without its tag.
            edit(
                "host_access",
                "if (start && !of_record) begin",
                "if (start && !of_record && !of_request) begin",
            ),
        ],
    );
    // These show when a tag is computed, clocks too deep for the search; the proof does not go through.
    for (find, replace) in [
        // Half a tag, or any while there is no secret.
        (
            "tags_0_tag == {tag_high_0, tag_low_0}",
            "tags_0_tag[31:0] == tag_low_0",
        ),
        (
            "{tag_high_0, tag_low_0}) && !locked_0;",
            "{tag_high_0, tag_low_0});",
        ),
        // A wrong tag is as a right one.
        ("if (!tag_right_0) begin", "if (1'b0) begin"),
    ] {
        is_not_proved(
            Smallest::Banks,
            "host-tag",
            &edit("host_access", find, replace),
        );
    }
}

#[test]
#[ignore = "a claim"]
fn frames_leave_in_their_turn_and_whole() {
    holds("frame-stream", None);
    can_fail(
        "frame-stream",
        Some(14),
        &[
            // An item changes while it is offered.
            edit("packet_path", "if (!standing) begin", "if (1'b1) begin"),
            // A frame is overtaken while it meets its verdict.
            edit(
                "verdict_stage",
                "assign waiting_take = !next_valid || goes;",
                "assign waiting_take = 1'b1;",
            ),
            // A frame that is dropped leaves a beat behind.
            edit(
                "egress",
                "place <= frame[9:0] + 10'd1;",
                "place <= frame[9:0];",
            ),
            // The last beat is known by the next frame's.
            edit(
                "egress",
                "at_end <= !at_end && (behind == end_);",
                "at_end <= !at_end && (behind == frame[9:0]);",
            ),
            // A beat every other clock.
            edit(
                "egress",
                "assign reads = busy && credit;",
                "assign reads = busy && credit && !valid_1;",
            ),
            // A beat is not held.
            edit(
                "egress_queue",
                "valid_r <= load || (valid_r && !take);",
                "valid_r <= load;",
            ),
        ],
    );
    // What shows after more clocks than are searched: the proof does not go through.
    for edit in [
        // One more beat is read than the queue has places.
        edit("egress", "most_out    = 5'd15", "most_out    = 5'd16"),
        // A queue is never full, for those that know their class and for all.
        edit("known_queue", "full_r <= &ahead;", "full_r <= 1'b0;"),
        edit(
            "frame_store",
            "!spilled && !frames_full && !(keyed",
            "!spilled && !(keyed",
        ),
    ] {
        is_not_proved(Smallest::Banks, "frame-stream", &edit);
    }
}

#[test]
#[ignore = "a claim"]
fn no_beat_of_the_buffer_is_written_over() {
    holds("frame-buffer", None);
    can_fail(
        "frame-buffer",
        Some(6),
        &[
            // A frame that had no room keeps its places.
            edit("frame_store", "write <= kept;", "write <= after;"),
            // A frame that is dropped gives a place too many back.
            edit(
                "egress",
                "place <= frame[6:0] + 7'd1;",
                "place <= frame[6:0] + 7'd2;",
            ),
        ],
    );
    // The buffer is never full, which takes as many clocks as it has beats to show.
    is_not_proved(
        Smallest::Banks,
        "frame-buffer",
        &edit("frame_store", "full <= write == lap;", "full <= 1'b0;"),
    );
}

#[test]
#[ignore = "a claim"]
fn the_sequencer_always_runs_again() {
    holds_and_can_fail(
        "progress",
        None,
        &[
            edit(
                "sequencer",
                "waiting <= waiting - 5'd1;",
                "waiting <= waiting;",
            ),
            // A word for the host is never fetched.
            edit(
                "sequencer",
                "fetch_due <= fetch_asked ||",
                "fetch_due <= 1'b0 &&",
            ),
        ],
    );
    // The host's word changes with whatever stands on the bus.
    is_not_proved(
        Smallest::Banks,
        "progress",
        &edit(
            "register_file",
            "if (legal && to_value_r_2) begin\n      value_r_2",
            "if (to_value_r_2) begin\n      value_r_2",
        ),
    );
}

#[test]
#[ignore = "a claim"]
fn an_item_reaches_its_verdict() {
    let proof = holds_and_can_fail(
        "reach-verdict",
        None,
        &[edit("sequencer", "run_r <= 1'b1;", "run_r <= 1'b0;")],
    );
    let Design::Recycling(geometry) = Smallest::Banks.gateware(property("reach-verdict")) else {
        panic!("it is a recycling filter");
    };
    let timing = geometry.timing();
    // Start-up: drain, two forced recycles, load; then the item's latency.
    let start = 3 * (timing.retire_clocks + 1) + 9;
    let latency = timing.front_clocks + timing.decision_stage + 3;
    assert_eq!(proof.clocks, Some(start + latency), "{proof:?}");
}

#[test]
#[ignore = "a claim"]
fn the_ports_of_every_kind_keep_their_rules() {
    for kind in Smallest::ALL.into_iter().skip(1) {
        for name in [
            "outputs-registered",
            "register-port",
            "verdict-stream",
            "reach-verdict",
            "reach-clear",
            "card-port",
        ] {
            holds_of(kind, name, None);
        }
    }
    holds_of(Smallest::Counting, "verdict-queue", None);
    // An item of several probes has one verdict. The first item is accepted after more clocks than are searched, but the proof does not go through.
    is_not_proved(
        Smallest::Sketch,
        "verdict-stream",
        &edit(
            "cell_slots",
            "answer_late <= answer_late << 1;",
            "answer_late <= {answer_late[5:0], answer_line[4]};",
        ),
    );
}

#[test]
#[ignore = "a claim"]
fn the_verdict_of_a_filter_without_a_queue_comes_in_its_own_clock() {
    for kind in Smallest::ALL {
        holds_of(kind, "verdict-line", None);
    }
    for edit in [
        edit("delay_1x14", "stage_9 <= stage_8;", "stage_9 <= stage_7;"),
        edit(
            "smallest",
            "assign m_verdict_tvalid = push;",
            "assign m_verdict_tvalid = push && s_item_tready;",
        ),
    ] {
        is_not_proved(Smallest::Halves, "verdict-line", &edit);
    }
}

#[test]
#[ignore = "a claim"]
fn what_a_sequencer_of_cells_issues_comes_in_time_and_apart() {
    for kind in [Smallest::Counting, Smallest::Sketch] {
        holds_of(kind, "cell-progress", None);
    }
    can_fail_of(
        Smallest::Sketch,
        "cell-progress",
        None,
        &[edit(
            "cell_sequencer",
            "waiting <= waiting - 5'd1;",
            "waiting <= waiting;",
        )],
    );
    // The host's word changes with whatever stands on the bus.
    can_fail_of(
        Smallest::Sketch,
        "cell-progress",
        Some(60),
        &[edit(
            "register_file",
            "if (legal && to_value_r_1) begin\n      value_r_1",
            "if (to_value_r_1) begin\n      value_r_1",
        )],
    );
}

#[test]
fn every_property_is_explained() {
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl/docs/proof.md"))
            .expect("the page");
    for property in PROPERTIES {
        let row = format!("| `{}` |", property.name);
        assert!(page.contains(&row), "{row} is not in proof.md");
    }
}
