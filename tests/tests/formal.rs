//! Claims about the emitted Verilog's ports, streams and sequencers for every clock (or for every input of so many clocks), proved by a solver. Each
//! property is shown able to fail: the faults of `formal_support/faults.toml` are edits of the Verilog that the same run refuses.

use crate::formal_support::{
    attempt, can_fail, faulty_runs, holds_and_can_fail, holds_of, property, Smallest,
};
use bloomline_assurance::formal::PROPERTIES;
use bloomline_spec::Design;
use bloomline_tests::faults::{fault, with_fault};
use std::path::Path;

#[test]
#[ignore = "a claim"]
fn no_output_depends_on_an_input_of_its_clock() {
    holds_and_can_fail("outputs-registered");
}

/// A wire of that name in the checker would otherwise be free, and what is assumed of it true of nothing.
#[test]
#[ignore = "a claim"]
fn a_wire_that_the_checker_reads_and_the_design_has_not_is_an_error() {
    let renamed = fault(
        "the memory of tags has another name",
        "verdict_queue",
        "queue_memory tags (",
        "queue_memory words (",
    );
    let error = attempt(Smallest::Banks, "verdict-queue", None, Some(&renamed));
    let error = error.expect_err("a name that is not there");
    assert!(
        error.to_string().contains("dut.tags.formal_data"),
        "{error}"
    );
}

#[test]
#[ignore = "a claim"]
fn the_verdict_queue_keeps_order_and_data_of_any_item() {
    holds_and_can_fail("verdict-queue");
}

#[test]
#[ignore = "a claim"]
fn verdicts_are_held_never_invented_and_arrive() {
    holds_and_can_fail("verdict-stream");
}

#[test]
#[ignore = "a claim"]
fn every_register_access_has_one_answer() {
    holds_and_can_fail("register-port");
}

#[test]
#[ignore = "a claim"]
fn a_card_answers_every_request_and_its_streams_pass_the_hosts_items() {
    holds_and_can_fail("card-port");
}

#[test]
#[ignore = "a claim"]
fn the_fifo_between_two_clocks_keeps_every_word() {
    holds_and_can_fail("crossing-fifo");
}

#[test]
#[ignore = "a claim"]
fn no_register_is_reached_without_a_right_tag() {
    holds_and_can_fail("host-tag");
}

#[test]
#[ignore = "a claim"]
fn frames_leave_in_their_turn_and_whole() {
    holds_and_can_fail("frame-stream");
}

#[test]
#[ignore = "a claim"]
fn no_beat_of_the_buffer_is_written_over() {
    holds_and_can_fail("frame-buffer");
}

#[test]
#[ignore = "a claim"]
fn the_sequencer_always_runs_again() {
    holds_and_can_fail("progress");
}

#[test]
#[ignore = "a claim"]
fn an_item_reaches_its_verdict() {
    let proof = holds_and_can_fail("reach-verdict");
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
}

#[test]
#[ignore = "a claim"]
fn the_verdict_of_a_filter_without_a_queue_comes_in_its_own_clock() {
    for kind in Smallest::ALL {
        holds_of(kind, "verdict-line", None);
    }
    can_fail("verdict-line");
}

#[test]
#[ignore = "a claim"]
fn what_a_sequencer_of_cells_issues_comes_in_time_and_apart() {
    for kind in [Smallest::Counting, Smallest::Sketch] {
        holds_of(kind, "cell-progress", None);
    }
    can_fail("cell-progress");
}

/// What a change of the gateware breaks; the proofs themselves are claims.
#[test]
fn every_fault_of_a_proof_has_its_place() {
    let mut count = 0;
    for run in faulty_runs() {
        let property = property(&run.property);
        let text = property.verilog(&run.filter.gateware(property));
        let text = text.expect("Verilog");
        for fault in &run.faults {
            with_fault(&text, fault);
            count += 1;
        }
    }
    assert!(count > 90, "{count}");
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
