//! The bench has teeth for conservative update: each of these single edits of the emitted Verilog is caught in lockstep under
//! torture.

use bloomline_tests::faults::{self, fault, Fault};
use bloomline_tests::CellSample;

/// One array of 64 counters of 4 bits, four looks and four raises an insertion.
const COUNTING: CellSample = CellSample {
    layout: "shared",
    conservative: true,
    ..CellSample::COUNTING
};

const RAISES: &[Fault] = &[
    fault(
        "an insertion has a raise too few",
        "raise_timer",
        "before_raises = 4'd5;",
        "before_raises = 4'd4;",
    ),
    fault(
        "raises come a clock early",
        "raise_timer",
        "clocks_behind = 4'd11;",
        "clocks_behind = 4'd10;",
    ),
    fault(
        "the next item comes among the raises",
        "cell_sequencer",
        "if (timer_0_more) begin",
        "if (1'b0) begin",
    ),
    fault(
        "an access takes the slot of a raise",
        "cell_sequencer",
        "accessing = accessing && !timer_0_busy;",
        "",
    ),
    fault(
        "looks raise",
        "cell_slots",
        "insert_2 <= raise_line_0[7] && !reset;",
        "insert_2 <= (raise_line_0[7] || insert_line[7]) && !reset;",
    ),
    fault(
        "a refresh takes the place of a raise",
        "cell_slots",
        "raise_line_0 <= (raise_line_0 << 1) | one;\n      item_line <= (item_line << 1) | one;",
        "raise_line_0 <= (raise_line_0 << 1) | one;",
    ),
    fault(
        "a raise goes where the next look would",
        "sample",
        "if (slots_entering_raise_0) begin",
        "if (1'b0) begin",
    ),
    fault(
        "a raise goes where the look before its own went",
        "delay_6x8",
        "assign q = stage_8;",
        "assign q = stage_7;",
    ),
];

const LEVELS: &[Fault] = &[
    fault(
        "a level beyond the greatest value wraps",
        "item_level",
        "if (total[4]) begin",
        "if (1'b0) begin",
    ),
    fault(
        "a query is told the level of an insertion",
        "item_level",
        "if (inserting) begin",
        "if (1'b1) begin",
    ),
    fault(
        "the level does not stay for the raises",
        "item_level",
        "if (looked) begin",
        "if (1'b1) begin",
    ),
    fault(
        "the level does not say that it saturates",
        "item_level",
        "assign saturated = full_r || (&level_r);",
        "assign saturated = full_r;",
    ),
    fault(
        "a full cell above the level does not count",
        "item_level",
        "assign saturated = full_r || (&level_r);",
        "assign saturated = &level_r;",
    ),
    fault(
        "an item is seen by the slots behind it",
        "sample",
        "assign seen = level_0_seen_before;",
        "assign seen = fold_0_seen;",
    ),
    fault(
        "a cell above the level falls to it",
        "raise_lane",
        "if (base < level_4) begin",
        "if (|level_4) begin",
    ),
    fault(
        "every cell of the word is raised",
        "raise_lane",
        "if (here && raising) begin",
        "if (raising) begin",
    ),
    fault(
        "the word of the raise ahead is lost",
        "raise_lane",
        "if (chained) begin",
        "if (1'b0) begin",
    ),
];

const AMOUNTS: &[Fault] = &[
    fault(
        "an amount counts as one",
        "item_level",
        "assign addend = amount_0;",
        "assign addend = 8'd1;",
    ),
    fault(
        "an amount beyond the greatest value wraps",
        "item_level",
        "if (total[8]) begin",
        "if (1'b0) begin",
    ),
];

/// Bounds of the search for a catch.
const SEEDS: u64 = 60;
const CLOCKS: u64 = 12_000;

fn every_fault_is_caught(sample: CellSample, faults: &[Fault]) {
    faults::every_cell_fault_is_caught(sample, faults, SEEDS, CLOCKS);
}

#[test]
fn faults_of_raises_are_caught() {
    every_fault_is_caught(COUNTING, RAISES);
}

#[test]
fn faults_of_levels_are_caught() {
    every_fault_is_caught(COUNTING, LEVELS);
}

#[test]
fn faults_of_amounts_are_caught() {
    let sample = CellSample {
        layout: "shared",
        conservative: true,
        ..CellSample::SKETCH
    };
    every_fault_is_caught(sample, AMOUNTS);
}
