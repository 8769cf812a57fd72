//! The bench has teeth: each of these single edits of the emitted Verilog is caught in lockstep under torture.
//!
//! An edit replaces a piece of text that occurs exactly once in its module. A seed that catches it runs clean on the text as
//! emitted, so what is caught is the edit.

use bloomline_bench::filter::{emitted_design, ModelReference, Torture, TortureMix};
use bloomline_bench::verilator::{Design, Library};
use bloomline_spec::RecyclingGeometry;
use bloomline_tests::faults::{self, fault, Fault};
use bloomline_tests::Sample;

/// Two phases, bits set, retaining, four banks: one slot is near (distance 1), all others are far.
const TWO_PHASE: &[Fault] = &[
    fault(
        "a far bit match is lost",
        "filter_bank",
        "assign same_bit[3] = far_3_same_bit;",
        "assign same_bit[3] = 1'b0;",
    ),
    fault(
        "a far word match is lost",
        "filter_bank",
        "assign same_word[2] = far_2_same_word;",
        "assign same_word[2] = 1'b0;",
    ),
    fault(
        "the near bit match is lost",
        "filter_bank",
        "assign same_bit[8] = near_0_late_bit;",
        "assign same_bit[8] = 1'b0;",
    ),
    fault(
        "the new bits of the slot ahead are counted again",
        "filter_bank",
        "assign near_9 = near_0_following;",
        "assign near_9 = 1'b0;",
    ),
    fault(
        "a read that meets a write is not bypassed",
        "filter_bank",
        ".bypass      (collision_6),",
        ".bypass      (1'b0),",
    ),
    fault(
        "every word bears every epoch",
        "word_read",
        "(read_data[35:32] == epoch)",
        "1'b1",
    ),
    fault(
        "the limit is one too high",
        "recycle_limit",
        "assign limit_in = threshold;",
        "assign limit_in = threshold + 1;",
    ),
    fault(
        "a full half trips one bit early",
        "recycle_decision",
        "(high_zero && over)",
        "(high_zero && amount >= low && |amount)",
    ),
    fault(
        "the halves do not swap",
        "epoch_guard",
        "phase_r_0 <= !phase_r_0;",
        "phase_r_0 <= phase_r_0;",
    ),
    fault(
        "the frozen half is read with the active half's epoch",
        "epoch_guard",
        ".d     (other_epoch_0),",
        ".d     (epoch_now),",
    ),
    fault(
        "the retained item is not forwarded",
        "filter_bank",
        "active_set <= match_symbolic & retain_symbolic;",
        "active_set <= none_symbolic;",
    ),
    fault(
        "the retained item is not written",
        "slots",
        "(inserting && (retain || !trip))",
        "(inserting && !trip)",
    ),
    fault(
        "a word is not taken over from two slots ahead",
        "filter_bank",
        "assign overtaken = same_word_w[7] && current;",
        "assign overtaken = 1'b0;",
    ),
    fault(
        "a word is taken over across a recycle from two slots ahead",
        "filter_bank",
        "assign overtaken = same_word_w[7] && current;",
        "assign overtaken = same_word_w[7];",
    ),
    fault(
        "a word is not taken over from the slot ahead",
        "filter_bank",
        "chained <= same_word_d2[8] && !tripped;",
        "chained <= 1'b0;",
    ),
    fault(
        "a word is taken over across a recycle from the slot ahead",
        "filter_bank",
        "chained <= same_word_d2[8] && !tripped;",
        "chained <= same_word_d2[8];",
    ),
    fault(
        "words in flight are not emptied by a recycle",
        "filter_bank",
        "empty_in = all_empty;",
        "empty_in = empty << 1;",
    ),
    fault(
        "bits in flight are not frozen by a recycle",
        "filter_bank",
        "frozen_keep_active_0 <= active_keep_in;",
        "frozen_keep_active_0 <= none_symbolic;",
    ),
    fault(
        "a word read just before the last write is stale",
        "filter_bank",
        "word_0 <= written_1;",
        "word_0 <= written_2;",
    ),
    fault(
        "the slot behind a recycle counts as if there was none",
        "recycle_decision",
        "resolved <= first;",
        "resolved <= counted;",
    ),
    fault(
        "the verdict queue always has room",
        "verdict_queue",
        "credit_r <= outstanding <= most;",
        "credit_r <= 1'b1;",
    ),
    fault(
        "a counter carries at every event",
        "event_counter",
        "carry <= sum[32];",
        "carry <= event_r;",
    ),
    fault(
        "items are admitted however short the cycle",
        "sequencer",
        "!holding && !(one_at_a_time && accepted)",
        "1'b1",
    ),
    fault(
        "items are admitted back to back in a short cycle",
        "sequencer",
        "&& !holding &&",
        "&&",
    ),
    fault(
        "reset keeps the count of bits",
        "occupancy",
        "if (reset) begin\n      active <= zero;\n",
        "if (reset) begin\n",
    ),
    fault(
        "ageing recycles too late",
        "sequencer",
        "(age >= max_age)",
        "(age > max_age)",
    ),
];

/// What keeps an old epoch from being issued again too early: seen with 128 words a half, which take longer to cover than a
/// short cycle lasts.
const EPOCHS: &[Fault] = &[
    fault(
        "coverage is complete after one word",
        "coverage",
        "(left == 8'd1)",
        "(left == words)",
    ),
    fault(
        "coverage is complete two words early",
        "coverage",
        "left <= words_less_one;",
        "left <= words_less_one - 8'd2;",
    ),
    fault(
        "empty slots do not refresh",
        "slots",
        "assign entering_refresh = !reset &&",
        "assign entering_refresh = 1'b0 &&",
    ),
    fault(
        "every refresh is of the same word",
        "slots",
        "if (entering_refresh) begin",
        "if (1'b0) begin",
    ),
    fault(
        "a recycle uses up no spare epoch",
        "epoch_guard",
        "spare_r_0 <= spare_r_0 - 4'd1;",
        "spare_r_0 <= spare_r_0;",
    ),
    fault(
        "two epochs take turns",
        "epoch_guard",
        "localparam [3:0] last_epoch  = 4'd15;",
        "localparam [3:0] last_epoch  = 4'd2;",
    ),
];

/// Five banks: two near slots, so that a count waits for two decisions.
const TWO_NEAR: &[Fault] = &[
    fault(
        "the second slot ahead is taken to have recycled when it did not",
        "recycle_decision",
        "later_trip_0 <= trip_r;",
        "later_trip_0 <= 1'b1;",
    ),
    fault(
        "a recycle two slots ahead does not change the count",
        "recycle_decision",
        "later_trip_0 <= trip_r;",
        "later_trip_0 <= 1'b0;",
    ),
    fault(
        "of two near slots the farther is lost in the count",
        "filter_bank",
        "assign near_9[1] = near_1_following;",
        "assign near_9[1] = 1'b0;",
    ),
];

/// One phase, on messages.
const ONE_PHASE: &[Fault] = &[
    fault(
        "the N-th message does not trip, the one after it does",
        "recycle_limit",
        "limit_in = threshold - ",
        "limit_in = threshold - 0 * ",
    ),
    fault(
        "a message counts once for each bit it sets",
        "recycle_decision",
        "assign amount = {3'd0, |counted};",
        "assign amount = {1'b0, counted};",
    ),
    fault(
        "the epoch stays",
        "epoch_guard",
        "epoch_0 <= next_epoch;",
        "epoch_0 <= epoch_0;",
    ),
    fault(
        "the epoch wraps to that of memory never written",
        "epoch_guard",
        "next_epoch = first_epoch;",
        "next_epoch = 4'd0;",
    ),
];

/// A secret per half.
const TWO_SECRETS: &[Fault] = &[
    fault(
        "a recycle does not end the difference",
        "half_secrets",
        "differ_r <= differ_r && !trip;",
        "differ_r <= differ_r;",
    ),
    fault(
        "the frozen half's secret is not kept",
        "half_secrets",
        "older <= secret;",
        "older <= older;",
    ),
    fault(
        "a look is under the active half's secret",
        "half_secrets",
        "hashing = older;",
        "hashing = secret;",
    ),
    fault(
        "the item is looked up in the frozen half under the active half's secret",
        "half_secrets",
        "frozen = looked;",
        "frozen = in_frozen;",
    ),
    fault(
        "a recycle between a look's entry and its item's does not end the difference",
        "half_secrets",
        "differ_r <= differ_r && !trip;",
        "differ_r <= differ_r && !(trip && !again_r);",
    ),
    fault(
        "a reset between a look and its item keeps the item",
        "half_secrets",
        "again_r <= accept && differ_r && !reset;",
        "again_r <= accept && differ_r;",
    ),
    fault(
        "an item has the operation offered behind it",
        "half_secrets",
        "entering_operation = operation_r;",
        "entering_operation = operation;",
    ),
    fault(
        "an item has the key offered behind it",
        "sample",
        "key <= key;",
        "key <= s_item_tdata;",
    ),
    fault(
        "an item is admitted behind a look",
        "sequencer",
        "may_recycle && !(differ_0 && accepted)",
        "may_recycle",
    ),
    fault(
        "a rekey recycles nothing",
        "sequencer",
        "if (rekey_pending_0 && !clear_pending) begin",
        "if (1'b0) begin",
    ),
    fault(
        "a clear with a rekey empties one half",
        "sequencer",
        "if (rekey_pending_0 && !clear_pending) begin",
        "if (rekey_pending_0) begin",
    ),
    fault(
        "a rekey clears",
        "register_file",
        "clear_r <= |(command & clears);",
        "clear_r <= 1'b1;",
    ),
    fault(
        "a clear with a rekey leaves two secrets",
        "register_file",
        "secrets_0_taking_0 && !clear_r",
        "secrets_0_taking_0",
    ),
    fault(
        "a look stores",
        "slots",
        "entering_insert && !look_0",
        "entering_insert",
    ),
    fault(
        "a look answers",
        "slots",
        "entering_answer && !look_0",
        "entering_answer",
    ),
    fault(
        "a look counts as an item",
        "slots",
        "item && (inserting || answering)",
        "item",
    ),
];

/// A word for the host, of 32 words a bank, which short cycles leave uncovered.
const FETCHES: &[Fault] = &[
    fault(
        "a word is fetched while items are unwritten",
        "sequencer",
        "fetch_due && still &&",
        "fetch_due &&",
    ),
    fault(
        "items go on while a word is asked for",
        "sequencer",
        "may_run = run_r && !request && !fetch_due;",
        "may_run = run_r && !request;",
    ),
    fault(
        "an item that comes does not put a fetch off",
        "sequencer",
        "(still || (hold == before_still)) && !accepted;",
        "(still || (hold == before_still)) && !(accepted && !fetch_due);",
    ),
    fault(
        "a fetch is issued a clock early",
        "sequencer",
        "still <= (still || (hold == before_still))",
        "still <= (still || (hold == before_still + 1))",
    ),
    fault(
        "a refresh takes the place of a fetch",
        "slots",
        "&& !entering_fetch;",
        ";",
    ),
    fault(
        "a fetch goes to the word of the next refresh",
        "slots",
        "direct_address = fetch_address;",
        "direct_address = address;",
    ),
    fault(
        "a reset does not drop a fetch",
        "slots",
        "fetch_line <= no_fetch;",
        "fetch_line <= fetch_line << 1;",
    ),
    fault(
        "a word of an older cycle is fetched from the active half",
        "filter_bank",
        "if (fetching_active && active_read_current) begin",
        "if (fetching_active) begin",
    ),
    fault(
        "a word of an older cycle is fetched from the frozen half",
        "filter_bank",
        "if (fetching_frozen_0 && frozen_read_0_current) begin",
        "if (fetching_frozen_0) begin",
    ),
    fault(
        "a host's bits come to the word of the half that he read",
        "sample",
        "if (reader_of_frozen_0 && !slots_finding_6) begin",
        "if (reader_of_frozen_0) begin",
    ),
    fault(
        "a host's bits come into every bank",
        "sample",
        "bank_1_adding = slots_adding && reader_in_bank_0[1];",
        "bank_1_adding = slots_adding;",
    ),
    fault(
        "a host's bits are counted where they stand already",
        "occupancy",
        "fresh <= bits & ~word;",
        "fresh <= bits;",
    ),
    fault(
        "a host's bits are no message",
        "occupancy",
        "|more}",
        "|count}",
    ),
    fault(
        "a host's bits take the place of the word",
        "filter_bank",
        "mask <= added;",
        "mask <= 32'd1;",
    ),
    fault(
        "a host's bits are set by the next recycle",
        "sequencer",
        "assign setting = force_due && sets;",
        "assign setting = force_due && set_due;",
    ),
    fault(
        "a recycle is forced with a host's bits",
        "sequencer",
        "force_due && !sets && !blocked;",
        "force_due && !blocked;",
    ),
    fault(
        "a host's bits are asked for and forgotten during a recycle",
        "sequencer",
        "set_asked || (set_due && !setting)",
        "set_asked || (set_due && run_r)",
    ),
    fault(
        "a host's bits are not written",
        "slots",
        "entering_refresh || entering_set}",
        "entering_refresh}",
    ),
    fault(
        "a host's bits meet no word",
        "slots",
        "fetch_line[12] || set_line[12]",
        "fetch_line[12]",
    ),
    fault(
        "a recycle on command clears",
        "register_file",
        "clear_r <= |(command & clears);",
        "clear_r <= |command;",
    ),
    fault(
        "a recycle on command is for ever",
        "register_file",
        "recycle_r_0 <= recycle_r_0 && !finished;",
        "recycle_r_0 <= recycle_r_0;",
    ),
    fault(
        "a recycle on command counts for nothing",
        "sequencer",
        "set_due || recycle_pending || age_due",
        "set_due || age_due",
    ),
    fault(
        "writes do not wait for a host's bits",
        "register_file",
        "if (stored_0) begin",
        "if (1'b0) begin",
    ),
    fault(
        "every word that is fetched is the active half's",
        "sample",
        "fetching_active <= no_bank;",
        "fetching_active <= fetching;",
    ),
    fault(
        "a word is fetched from another bank",
        "array_reader",
        "assign in_bank_0[1] = bank_0 == bank_number_1;",
        "assign in_bank_0[1] = bank_0 == bank_number_2;",
    ),
    fault(
        "a recycle turns nothing",
        "array_reader",
        "turns_r <= turns_r + 16'd1;",
        "turns_r <= turns_r;",
    ),
    fault(
        "the word is gone after a clock",
        "register_file",
        "if (load_0) begin",
        "if (1'b1) begin",
    ),
    fault(
        "reads do not wait for the word",
        "register_file",
        "held = held || fetching_0;",
        "held = held && fetching_0;",
    ),
    fault(
        "writes do not wait for the word",
        "register_file",
        "if (fetching_0) begin",
        "if (1'b0) begin",
    ),
    fault(
        "the word is waited for for ever after a reset",
        "register_file",
        "fetching_0 <= 1'b0;\n      bvalid_r <= 1'b0;",
        "bvalid_r <= 1'b0;",
    ),
];

/// Bounds of the search for a catch.
const SEEDS: u64 = 40;
const CLOCKS: u64 = 20_000;

fn run(
    library: &Library,
    design: &Design,
    geometry: &RecyclingGeometry,
    seed: u64,
) -> Option<(u64, String)> {
    faults::first_difference(
        library,
        design,
        &mut ModelReference::new(geometry),
        &mut Torture::new(geometry, TortureMix::draw(geometry, seed, CLOCKS), seed),
        seed,
    )
}

fn every_fault_is_caught(sample: Sample, faults: &[Fault]) {
    let geometry = sample.geometry();
    let (design, _) = emitted_design(&geometry).expect("emit");
    faults::every_fault_is_caught(&design, faults, SEEDS, |library, design, seed| {
        run(library, design, &geometry, seed)
    });
}

#[test]
fn faults_of_a_two_phase_filter_are_caught() {
    every_fault_is_caught(Sample::BASE, TWO_PHASE);
}

#[test]
fn faults_of_a_secret_per_half_are_caught() {
    let sample = Sample {
        family: "siphash",
        partition_bits: 512,
        threshold: 800,
        ..Sample::BASE
    };
    every_fault_is_caught(sample, TWO_SECRETS);
}

#[test]
fn faults_of_epoch_reuse_are_caught() {
    let sample = Sample {
        partition_bits: 4096,
        threshold: 8192,
        ..Sample::BASE
    };
    every_fault_is_caught(sample, EPOCHS);
}

#[test]
fn faults_of_words_for_the_host_are_caught() {
    let sample = Sample {
        partition_bits: 1024,
        threshold: 2048,
        ..Sample::BASE
    };
    every_fault_is_caught(sample, FETCHES);
}

#[test]
fn faults_of_counting_behind_two_undecided_slots_are_caught() {
    let sample = Sample {
        hashes: 5,
        threshold: 320,
        ..Sample::BASE
    };
    every_fault_is_caught(sample, TWO_NEAR);
}

#[test]
fn faults_of_a_one_phase_filter_on_messages_are_caught() {
    let sample = Sample {
        phases: 1,
        on: "messages",
        threshold: 90,
        ..Sample::BASE
    };
    // this one also at the small size of a test
    let geometry = sample.geometry();
    let (design, _) = emitted_design(&geometry).expect("emit");
    faults::every_fault_is_caught_at_any_size(
        &design,
        ONE_PHASE,
        SEEDS,
        |library, design, seed| run(library, design, &geometry, seed),
    );
}
