//! The bench has teeth for filters of cells: each of these single edits of the emitted Verilog is caught in lockstep under
//! torture.

use bloomline_tests::faults::{self, fault, Fault};
use bloomline_tests::CellSample;

/// Four banks of eight words of eight 4-bit cells.
const COUNTING: &[Fault] = &[
    fault(
        "the word of the slot one ahead is not forwarded",
        "cell_bank",
        "chained <= next_3 && !stored_3;",
        "chained <= 1'b0;",
    ),
    fault(
        "a stored word gives way to that of the slot ahead",
        "cell_bank",
        "chained <= next_3 && !stored_3;",
        "chained <= next_3;",
    ),
    fault(
        "the word of the slot two ahead is taken from three ahead",
        "cell_bank",
        "from_near <= hit_1 && !storing;",
        "from_near <= hit_2 && !storing;",
    ),
    fault(
        "the word of the slot three ahead is taken from four ahead",
        "cell_bank",
        "far_word <= value;",
        "far_word <= value_6;",
    ),
    fault(
        "the word of the slot four ahead is not forwarded",
        "cell_bank",
        "hit_3 <= compare_3_same && writing[3];",
        "hit_3 <= 1'b0;",
    ),
    fault(
        "a word of another epoch counts",
        "cell_bank",
        "assign bears = read_epoch == epoch;",
        "assign bears = 1'b1;",
    ),
    fault(
        "an addition wraps at the greatest value",
        "cell_lane",
        "full <= (up_0 && total[4]) || (down_0 && (&base));",
        "full <= down_0 && (&base);",
    ),
    fault(
        "a saturated cell gives",
        "cell_lane",
        "full <= (up_0 && total[4]) || (down_0 && (&base));",
        "full <= up_0 && total[4];",
    ),
    fault(
        "a removal wraps at zero",
        "cell_lane",
        "empty_0 <= down_0 && !total[4];",
        "empty_0 <= 1'b0;",
    ),
    fault(
        "the tree finds the greatest",
        "least_of_two",
        "if (right < left)",
        "if (right > left)",
    ),
    fault(
        "a count that equals the threshold does not reach it",
        "sample",
        "estimate_0 >= threshold_0",
        "estimate_0 > threshold_0",
    ),
    fault(
        "seen asks for one cell only",
        "sample",
        "assign above_line_0_d = &above;",
        "assign above_line_0_d = |above;",
    ),
    fault(
        "a store goes to two banks",
        "sample",
        "slots_accessing && storing && in_bank_2",
        "slots_accessing && storing && (in_bank_2 || in_bank_1)",
    ),
    fault(
        "queries count as saturated",
        "sample",
        "assign changed = inserted || removed_0;",
        "assign changed = item;",
    ),
    fault(
        "an item comes where an access goes",
        "cell_sequencer",
        "assign may_run = run_r && !clear_pending && !access_due;",
        "assign may_run = run_r && !clear_pending;",
    ),
    fault(
        "a verdict outlives a reset in the last stages",
        "cell_slots",
        "answer_late <= no_late;",
        "answer_late <= {answer_late[5:0], 1'b0};",
    ),
];

/// What keeps an old epoch from being issued again too early: seen with banks that take longer to cover than a clear lasts.
const EPOCHS: &[Fault] = &[
    fault(
        "coverage is complete a word early",
        "coverage",
        "(left == 9'd1)",
        "(left == 9'd2)",
    ),
    fault(
        "empty slots do not refresh",
        "cell_slots",
        "assign entering_refresh = !reset &&",
        "assign entering_refresh = 1'b0 &&",
    ),
    fault(
        "a clear waits for no epoch",
        "cell_sequencer",
        "assign forcing = !run_r && !settle_r && waited && !blocked;",
        "assign forcing = !run_r && !settle_r && waited;",
    ),
    fault(
        "the epoch wraps to that of memory never written",
        "epoch_guard",
        "next_epoch = first_epoch;",
        "next_epoch = 4'd0;",
    ),
    fault(
        "two epochs take turns",
        "epoch_guard",
        "localparam [3:0] last_epoch  = 4'd15;",
        "localparam [3:0] last_epoch  = 4'd2;",
    ),
];

/// Counters with amounts.
const SKETCH: &[Fault] = &[
    fault(
        "an amount beyond the greatest value wraps",
        "cell_lane",
        "full <= total[8];",
        "full <= 1'b0;",
    ),
    fault(
        "an amount of a query is added",
        "cell_lane",
        "if (here && inserting) begin",
        "if (here) begin",
    ),
];

/// Single bits.
const STATIC: &[Fault] = &[
    fault(
        "the bit that the slot ahead sets is lost",
        "set_bits",
        "before_ <= before_ | mask;",
        "before_ <= before_;",
    ),
    fault(
        "a query sets its bit",
        "set_bits",
        "if (inserting_4) begin",
        "if (1'b1) begin",
    ),
];

/// Bounds of the search for a catch.
const SEEDS: u64 = 40;
const CLOCKS: u64 = 12_000;

fn every_fault_is_caught(sample: CellSample, faults: &[Fault]) {
    faults::every_cell_fault_is_caught(sample, faults, SEEDS, CLOCKS);
}

#[test]
fn faults_of_a_counting_filter_are_caught() {
    every_fault_is_caught(CellSample::COUNTING, COUNTING);
}

#[test]
fn faults_of_epoch_reuse_are_caught() {
    let sample = CellSample {
        words: 256,
        cell_bits: 16,
        ..CellSample::COUNTING
    };
    every_fault_is_caught(sample, EPOCHS);
}

#[test]
fn faults_of_a_sketch_are_caught() {
    every_fault_is_caught(CellSample::SKETCH, SKETCH);
}

#[test]
fn faults_of_a_static_filter_are_caught() {
    every_fault_is_caught(CellSample::STATIC, STATIC);
}
