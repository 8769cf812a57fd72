//! Formal proofs of the memories of the emitted Verilog in every clock cycle; each property is shown able to fail.

use crate::formal_support::{can_fail, holds_and_can_fail, holds_of, Smallest};

#[test]
#[ignore = "a claim"]
fn a_watched_bit_of_a_bank_is_set_exactly_while_it_is_stored() {
    holds_and_can_fail("bank-bit");
}

#[test]
#[ignore = "a claim"]
fn recycles_are_decided_far_apart() {
    holds_of(Smallest::Banks, "recycles-apart", Some(28));
    can_fail("recycles-apart");
}

#[test]
#[ignore = "a claim"]
fn the_count_of_bits_is_the_number_of_bits_set() {
    holds_and_can_fail("count-exact");
}

#[test]
#[ignore = "a claim"]
fn a_verdict_is_made_of_the_cells_of_its_item() {
    for kind in [Smallest::Counting, Smallest::Sketch] {
        holds_of(kind, "cell-verdict", None);
    }
    can_fail("cell-verdict");
}

#[test]
#[ignore = "a claim"]
fn a_watched_cell_is_a_plain_counter_for_every_clock() {
    for kind in [Smallest::Counting, Smallest::Sketch] {
        holds_of(kind, "cell-exact", None);
    }
    can_fail("cell-exact");
}

#[test]
#[ignore = "a claim"]
fn a_watched_single_bit_is_set_exactly_while_it_is_stored() {
    holds_of(Smallest::Bits, "single-bit", None);
    can_fail("single-bit");
}

#[test]
#[ignore = "a claim"]
fn a_watched_single_counter_counts_what_was_done_to_it() {
    holds_of(Smallest::Counters, "single-counter", None);
    can_fail("single-counter");
}

#[test]
#[ignore = "a claim"]
fn a_watched_bit_beside_a_spare_half_is_set_exactly_while_it_is_stored() {
    holds_of(Smallest::FiveWords, "half-bit", None);
    holds_of(Smallest::Halves, "half-bit", None);
    can_fail("half-bit");
}

#[test]
#[ignore = "a claim"]
fn a_watched_bit_of_one_array_is_set_exactly_while_it_is_stored() {
    holds_of(Smallest::Array, "progress", None);
    holds_of(Smallest::Array, "array-bit", None);
    can_fail("array-bit");
}

#[test]
#[ignore = "a claim"]
fn no_epoch_of_one_array_comes_back_while_a_word_bears_it() {
    holds_of(Smallest::Array, "recycles-apart", None);
    holds_of(Smallest::Array, "array-epochs", None);
    can_fail("array-epochs");
}

#[test]
#[ignore = "a claim"]
fn the_count_of_one_array_is_the_number_of_bits_set() {
    holds_of(Smallest::Array, "array-count", None);
    can_fail("array-count");
}

#[test]
#[ignore = "a claim"]
fn a_window_forgets_nothing_within_and_everything_beyond() {
    for name in ["window-progress", "generations", "window"] {
        holds_of(Smallest::Window, name, None);
        can_fail(name);
    }
}

#[test]
#[ignore = "a claim"]
fn what_an_agent_cancels_changes_nothing() {
    for name in ["cuckoo-wipes", "cuckoo-moves"] {
        holds_of(Smallest::Tables, name, None);
        can_fail(name);
    }
}

#[test]
#[ignore = "a claim"]
fn an_item_is_told_of_the_cells_of_its_rows_as_they_are() {
    holds_of(Smallest::Tables, "cuckoo-cells", None);
    can_fail("cuckoo-cells");
}

#[test]
#[ignore = "a claim"]
fn what_is_within_a_window_on_cuckoo_tables_is_found_wherever_it_is_moved() {
    holds_of(Smallest::Tables, "cuckoo-window", None);
    can_fail("cuckoo-window");
}
