//! Formal proofs of the memories of the emitted Verilog in every clock cycle; each property is shown able to fail.

use crate::formal_support::{
    can_fail, can_fail_of, edit, holds, holds_and_can_fail, holds_of, is_not_proved, Edit, Smallest,
};

/// Items go on while no epoch is spare: one comes back after fourteen recycles.
const REUSED: Edit = edit(
    "epoch_guard",
    "blocked_r <= !(|spare_here);",
    "blocked_r <= 1'b0;",
);

#[test]
#[ignore = "a claim"]
fn a_watched_bit_of_a_bank_is_set_exactly_while_it_is_stored() {
    holds("bank-bit", None);
    can_fail(
        "bank-bit",
        Some(28),
        &[
            // A bit in flight is lost when its half freezes.
            edit(
                "filter_bank",
                "frozen_keep_active_0 <= active_keep_in;",
                "frozen_keep_active_0 <= none_symbolic;",
            ),
            // Nothing reaches the memory of half 0.
            edit(
                "filter_bank",
                "assign memory_0_write_enable = write_enable && !write_phase_0;",
                "assign memory_0_write_enable = 1'b0;",
            ),
            // A word of an earlier epoch reads as set.
            edit(
                "word_read",
                "current_r <= bypass || (read_data[35:32] == epoch);",
                "current_r <= 1'b1;",
            ),
            // The decision does not hear what the item ahead stores.
            edit(
                "filter_bank",
                "assign near_9 = near_0_following;",
                "assign near_9 = 1'b0;",
            ),
            // Bits of a host are lost.
            edit("filter_bank", "mask <= added;", "mask <= no_word;"),
            // An epoch more than there are is spare once all words bear the current one.
            edit(
                "epoch_guard",
                "all_spare   = 4'd14;",
                "all_spare   = 4'd15;",
            ),
        ],
    );
    // A word comes empty: a fetch waits until the items before have been written.
    can_fail(
        "bank-bit",
        Some(30),
        &[edit(
            "filter_bank",
            "fetched <= active_read_word;",
            "fetched <= no_word;",
        )],
    );
    is_not_proved(Smallest::Banks, "bank-bit", &REUSED);
    // Refreshes stay at one word: a half that waits for an epoch may wait for ever.
    is_not_proved(
        Smallest::Banks,
        "bank-bit",
        &edit("slots", "address <= address + 2'd1;", "address <= address;"),
    );
}

#[test]
#[ignore = "a claim"]
fn recycles_are_decided_far_apart() {
    holds_and_can_fail(
        "recycles-apart",
        Some(28),
        &[
            // A small threshold lets items in at full rate.
            edit(
                "recycle_limit",
                "one_at_a_time_r <= base_room_r < large_;",
                "one_at_a_time_r <= 1'b0;",
            ),
            // Room is used up although its upper part is not.
            edit(
                "recycle_decision",
                "(forced || (high_zero && over))",
                "(forced || over)",
            ),
        ],
    );
}

#[test]
#[ignore = "a claim"]
fn the_count_of_bits_is_the_number_of_bits_set() {
    holds("count-exact", None);
    can_fail(
        "count-exact",
        Some(22),
        &[
            // An item behind one that recycles counts what it would have set before.
            edit(
                "recycle_decision",
                "resolved <= first;",
                "resolved <= counted;",
            ),
            edit("occupancy", "active <= retained_bits;", "active <= zero;"),
        ],
    );
}

#[test]
#[ignore = "a claim"]
fn a_verdict_is_made_of_the_cells_of_its_item() {
    for kind in [Smallest::Counting, Smallest::Sketch] {
        holds_of(kind, "cell-verdict", None);
    }
    can_fail_of(
        Smallest::Counting,
        "cell-verdict",
        None,
        &[edit(
            "least_of_two",
            "if (right < left) begin",
            "if (1'b0) begin",
        )],
    );
    can_fail_of(
        Smallest::Sketch,
        "cell-verdict",
        Some(16),
        &[
            edit(
                "item_fold",
                "if (first || (cell_0 < least_r_0)) begin",
                "if (first) begin",
            ),
            edit("item_level", "if (total[8]) begin", "if (1'b0) begin"),
        ],
    );
}

#[test]
#[ignore = "a claim"]
fn a_watched_cell_is_a_plain_counter_for_every_clock() {
    for kind in [Smallest::Counting, Smallest::Sketch] {
        holds_of(kind, "cell-exact", None);
    }
    can_fail_of(
        Smallest::Counting,
        "cell-exact",
        Some(28),
        &[
            // What the item two ahead made of the cell is lost.
            edit(
                "cell_bank",
                "from_near <= hit_1 && !storing;",
                "from_near <= 1'b0;",
            ),
            // A word of an earlier epoch counts.
            edit(
                "cell_bank",
                "current <= bears || from_near || from_far;",
                "current <= 1'b1;",
            ),
            // The last word is not waited for.
            edit(
                "coverage",
                "full_r <= !recycled && (full_r || (touch && (left == 4'd1)));",
                "full_r <= !recycled && (full_r || (touch && (left == 4'd8)));",
            ),
        ],
    );
    is_not_proved(Smallest::Counting, "cell-exact", &REUSED);
    is_not_proved(
        Smallest::Counting,
        "cell-exact",
        &edit(
            "cell_slots",
            "address <= address + 3'd1;",
            "address <= address;",
        ),
    );
}

#[test]
#[ignore = "a claim"]
fn a_watched_single_bit_is_set_exactly_while_it_is_stored() {
    holds_of(Smallest::Bits, "single-bit", None);
    can_fail_of(
        Smallest::Bits,
        "single-bit",
        Some(90),
        &[
            // The slot directly behind an insertion does not hear of it.
            edit(
                "single_bit_bank",
                "present_r <= bit_ || near_same;",
                "present_r <= bit_;",
            ),
            // The slots of items outlive a reset.
            edit(
                "in_place_slots",
                "insert_line <= no_line;",
                "insert_line <= insert_line << 1;",
            ),
            // Rows are erased while items are in flight.
            edit(
                "cell_sequencer",
                "if (run_r) begin\n      run_r <= !clear_pending;\n      waiting <= retire;",
                "if (run_r) begin\n      run_r <= !clear_pending;\n      waiting <= 5'd1;",
            ),
            // An item comes before the host's word has passed.
            edit(
                "cell_sequencer",
                "assign may_run = run_r && !clear_pending && !asked;",
                "assign may_run = run_r && !clear_pending && !access_due;",
            ),
            edit("single_bit_bank", "erase_r <= erasing;", "erase_r <= 1'b0;"),
        ],
    );
    for lost in [
        // Bits of a word come in another order.
        edit(
            "word_access",
            "offset <= offset + 5'd1;",
            "offset <= offset + 5'd3;",
        ),
        // What was stored comes back as 0.
        edit(
            "word_access",
            "turned = {31'd0, first} << 31;",
            "turned = 32'd0;",
        ),
        // A store writes in every bank.
        edit("word_access", "writing = in_bank;", "writing = 2'd3;"),
    ] {
        is_not_proved(Smallest::Bits, "single-bit", &lost);
    }
}

#[test]
#[ignore = "a claim"]
fn a_watched_single_counter_counts_what_was_done_to_it() {
    holds_of(Smallest::Counters, "single-counter", None);
    can_fail_of(
        Smallest::Counters,
        "single-counter",
        Some(80),
        &[
            // The slot directly behind does not hear of a counter.
            edit("counter_bank", "chained <= next_3;", "chained <= 1'b0;"),
            // A counter of the slot four ahead is not forwarded.
            edit(
                "counter_bank",
                "assign hit[3] = compare_3_same && ahead[3];",
                "assign hit[3] = 1'b0;",
            ),
            // Counters are erased while items are in flight.
            edit(
                "cell_sequencer",
                "if (run_r) begin\n      run_r <= !clear_pending;\n      waiting <= retire;",
                "if (run_r) begin\n      run_r <= !clear_pending;\n      waiting <= 5'd1;",
            ),
            // An item comes before the host's word has passed.
            edit(
                "cell_sequencer",
                "assign may_run = run_r && !clear_pending && !asked;",
                "assign may_run = run_r && !clear_pending && !access_due;",
            ),
        ],
    );
    for lost in [
        // An erase changes nothing.
        edit("smallest", ".d     (sequencer_erasing)", ".d     (1'b0)"),
        // Counters of a word come in another order.
        edit(
            "word_access",
            "offset <= offset + 1'b1;",
            "offset <= offset;",
        ),
        // A saturated counter gives.
        edit(
            "cell_lane",
            "full <= (up_0 && total[16]) || (down_0 && (&base));",
            "full <= up_0 && total[16];",
        ),
        // What was stored comes back as 0.
        edit(
            "word_access",
            "turned = {16'd0, first} << 16;",
            "turned = 32'd0;",
        ),
        // A store writes in every bank.
        edit("word_access", "writing = in_bank;", "writing = 2'd3;"),
    ] {
        is_not_proved(Smallest::Counters, "single-counter", &lost);
    }
}

#[test]
#[ignore = "a claim"]
fn a_watched_bit_beside_a_spare_half_is_set_exactly_while_it_is_stored() {
    holds_of(Smallest::Halves, "half-bit", None);
    holds_of(Smallest::FiveWords, "half-bit", None);
    can_fail_of(
        Smallest::Halves,
        "half-bit",
        Some(34),
        &[
            // The slot directly behind an insertion does not hear of it.
            edit(
                "spare_half_bank",
                "following_0 <= near_match_0_same;",
                "following_0 <= 1'b0;",
            ),
            // The item that trips is stored in the half that freezes.
            edit("eraser", "store = next;", "store = role;"),
            // What slots in flight read of the half that freezes counts in the new one.
            edit(
                "eraser",
                "active_view_1 <= none;",
                "active_view_1 <= active_view_0;",
            ),
            // The half that freezes is erased.
            edit("eraser", "erase_r <= before_;", "erase_r <= role;"),
            // A host's bits are set in every bank.
            edit("spare_half_bank", "if (takes) begin", "if (1'b1) begin"),
            // They come in another order.
            edit("bit_access", "rest <= rest >> 1;", "rest <= rest >> 2;"),
        ],
    );
    // The last row is not erased: that shows after more clocks than are searched.
    is_not_proved(
        Smallest::Halves,
        "half-bit",
        &edit(
            "eraser",
            "erasing_r <= erasing_r && !last_row;",
            "erasing_r <= erasing_r && !row_r[6];",
        ),
    );
}

#[test]
#[ignore = "a claim"]
fn a_watched_bit_of_one_array_is_set_exactly_while_it_is_stored() {
    holds_of(Smallest::Array, "progress", None);
    holds_of(Smallest::Array, "array-bit", None);
    can_fail_of(
        Smallest::Array,
        "array-bit",
        None,
        &[
            // A refresh writes what the item behind it has begun to read.
            edit(
                "shared_array_slots",
                "assign refreshing = refresh_line[4] && !(|near) && !fetch_line[3] && !reset;",
                "assign refreshing = refresh_line[4] && !fetch_line[3] && !reset;",
            ),
            // The words of an item go on while they should stand still.
            edit("word_store", "if (!hold) begin", "if (1'b1) begin"),
        ],
    );
}

#[test]
#[ignore = "a claim"]
fn no_epoch_of_one_array_comes_back_while_a_word_bears_it() {
    holds_of(Smallest::Array, "recycles-apart", None);
    holds_of(Smallest::Array, "array-epochs", None);
    can_fail_of(
        Smallest::Array,
        "array-epochs",
        Some(24),
        &[
            edit(
                "epoch_guard",
                "all_spare   = 4'd14;",
                "all_spare   = 4'd15;",
            ),
            // Coverage is told a word too early.
            edit("coverage", "(left == 4'd1)", "(left == 4'd2)"),
            // A word that is written counts for the half before.
            edit(
                "shared_array_slots",
                "assign recycled = trip_w;",
                "assign recycled = trip;",
            ),
        ],
    );
    is_not_proved(Smallest::Array, "array-epochs", &REUSED);
    is_not_proved(
        Smallest::Array,
        "array-epochs",
        &edit(
            "shared_array_slots",
            "address <= address + 3'd1;",
            "address <= address;",
        ),
    );
}

#[test]
#[ignore = "a claim"]
fn the_count_of_one_array_is_the_number_of_bits_set() {
    holds_of(Smallest::Array, "array-count", None);
    can_fail_of(
        Smallest::Array,
        "array-count",
        Some(24),
        &[edit(
            "shared_array_decision",
            "!active_bit && !repeated}",
            "!active_bit}",
        )],
    );
}

#[test]
#[ignore = "a claim"]
fn a_window_forgets_nothing_within_and_everything_beyond() {
    for name in ["window-progress", "generations", "window"] {
        holds_of(Smallest::Window, name, None);
    }
    can_fail_of(
        Smallest::Window,
        "window-progress",
        None,
        &[edit(
            "sliding_sequencer",
            "waiting <= waiting - 5'd1;",
            "waiting <= waiting;",
        )],
    );
    can_fail_of(
        Smallest::Window,
        "generations",
        Some(32),
        &[edit(
            "sliding_slots",
            "write_generation_r <= generation_6 - to_stale;",
            "write_generation_r <= generation_6;",
        )],
    );
    can_fail_of(
        Smallest::Window,
        "window",
        Some(15),
        &[
            edit(
                "slot_compare",
                "assign same_value = bucket && fingerprint;",
                "assign same_value = bucket;",
            ),
            edit(
                "position_track",
                ".ahead       (stage_5),",
                ".ahead       (stage_7),",
            ),
            edit(
                "first_fit",
                "assign lost = newly && !(|empty);",
                "assign lost = !(|empty[3:0]);",
            ),
        ],
    );
}
