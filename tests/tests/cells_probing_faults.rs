//! The bench has teeth for what turns keys into probes: each of these single edits of the emitted Verilog (shared arrays, distinct
//! draws, prime ranges, secrets) is caught in lockstep under torture.

use bloomline_tests::faults::{self, fault, Fault};
use bloomline_tests::CellSample;

/// One array of 64 counters, four probes an item.
const SHARED: CellSample = CellSample {
    layout: "shared",
    ..CellSample::COUNTING
};

const FOLD: &[Fault] = &[
    fault(
        "an item has a probe too few",
        "cell_sequencer",
        "probes_behind  = 2'd3;",
        "probes_behind  = 2'd2;",
    ),
    fault(
        "the least of an item's cells is that of all items",
        "item_fold",
        "if (first || (cell_0 < least_r_0)) begin",
        "if (cell_0 < least_r_0) begin",
    ),
    fault(
        "a full cell of an item before counts",
        "item_fold",
        "full_r_0 <= cell_full_0 || (full_r_0 && !first);",
        "full_r_0 <= cell_full_0 || full_r_0;",
    ),
    fault(
        "an underflow of an item before counts",
        "item_fold",
        "underflow_r_0 <= underflow_0 || (underflow_r_0 && !first);",
        "underflow_r_0 <= underflow_0 || underflow_r_0;",
    ),
    fault(
        "only the last probe says whether an item was seen",
        "item_fold",
        "seen_r <= above && (first || seen_r);",
        "seen_r <= above;",
    ),
    fault(
        "one position is probed twice and another one not",
        "probe_line",
        "waiting_0 <= position_1;",
        "waiting_0 <= position_2;",
    ),
    fault(
        "an access takes the slot of a probe",
        "cell_sequencer",
        "accessing = accessing && !folding_0;",
        "",
    ),
    fault(
        "every probe is heard of",
        "cell_slots",
        "if (!last_line_0[7]) begin",
        "if (1'b0) begin",
    ),
    fault(
        "probes that are still to come outlive a reset",
        "cell_sequencer",
        "    if (reset) begin\n      folding_0 <= 1'b0;\n      more_0 <= 1'b0;\n    end\n",
        "",
    ),
];

/// Credit falls three clocks behind an item, so this takes more probes.
const LONG_FOLD: &[Fault] = &[fault(
    "a clock between two items counts as back-pressure",
    "cell_sequencer",
    "      ready_r <= 1'b0;\n      verdict_r <= 1'b0;\n",
    "      ready_r <= 1'b0;\n",
)];

/// Six distinct positions an item.
const DISTINCT: &[Fault] = &[
    fault(
        "a draw that is taken is used again",
        "draw_settle",
        "if (taken || (draw == position)) begin",
        "if (1'b0) begin",
    ),
    fault(
        "a draw is taken only by the position before",
        "draw_check",
        "taken_r <= taken || (draw == position);",
        "taken_r <= draw == position;",
    ),
    fault(
        "the place kept for a draw is that of the draw before",
        "hash_draws",
        "kept_4 = 6'd63;",
        "kept_4 = 6'd62;",
    ),
];

/// Positions modulo a prime.
const PRIME: &[Fault] = &[
    fault(
        "a sum that equals the range stays",
        "modulo_sum",
        "if (whole >= range) begin",
        "if (whole > range) begin",
    ),
    fault(
        "a sum is not reduced",
        "modulo_sum",
        "if (whole >= range) begin",
        "if (1'b0) begin",
    ),
];

const SECRET: &[Fault] = &[
    fault(
        "a rekey acts at once",
        "hash_secret",
        "if (finished && asked && !reset) begin",
        "if (rekey) begin",
    ),
    fault(
        "every clear rekeys",
        "hash_secret",
        "if (finished && asked && !reset) begin",
        "if (finished && !reset) begin",
    ),
    fault(
        "two words of the secret change places",
        "hash_secret",
        "next_word_1} << 32);\n    whole = whole | ({96'd0, next_word_2} << 64);",
        "next_word_2} << 32);\n    whole = whole | ({96'd0, next_word_1} << 64);",
    ),
    fault(
        "both halves of the secret are the upper one",
        "siphash",
        "assign secret_low = secret[63:0];",
        "assign secret_low = secret[127:64];",
    ),
    fault(
        "a rekey that was asked for outlives a reset",
        "hash_secret",
        "    if (reset) begin\n      asked <= 1'b0;\n    end\n",
        "",
    ),
];

/// Bounds of the search for a catch.
const SEEDS: u64 = 60;
const CLOCKS: u64 = 12_000;

fn every_fault_is_caught(sample: CellSample, faults: &[Fault]) {
    faults::every_cell_fault_is_caught(sample, faults, SEEDS, CLOCKS);
}

#[test]
fn faults_of_probes_one_after_the_other_are_caught() {
    every_fault_is_caught(SHARED, FOLD);
    let sample = CellSample {
        hashes: 8,
        ..SHARED
    };
    every_fault_is_caught(sample, LONG_FOLD);
}

#[test]
fn faults_of_distinct_draws_are_caught() {
    let sample = CellSample {
        distinct: true,
        hashing: "independent",
        hashes: 6,
        ..SHARED
    };
    every_fault_is_caught(sample, DISTINCT);
}

#[test]
fn faults_of_positions_modulo_a_prime_are_caught() {
    let sample = CellSample {
        range: 61,
        hashes: 7,
        ..SHARED
    };
    every_fault_is_caught(sample, PRIME);
}

#[test]
fn faults_of_the_secret_are_caught() {
    let sample = CellSample {
        family: "siphash",
        ..CellSample::COUNTING
    };
    every_fault_is_caught(sample, SECRET);
}
