//! The bench has teeth for the shared layout too: each of these single edits of the emitted Verilog is caught in lockstep under
//! torture.

use bloomline_bench::filter::{emitted_design, Act, ModelReference, Torture, TortureMix};
use bloomline_tests::faults::{every_fault_is_caught, fault, first_difference, Fault};
use bloomline_tests::SharedArraySample;

/// Two phases, bits set, retaining, k = 4 colliding probes into eight words.
const FAULTS: &[Fault] = &[
    fault(
        "a position that comes twice is new twice",
        "probe_ring",
        "passed_2 <= 1'b1;",
        "passed_2 <= 1'b0;",
    ),
    fault(
        "the bit of a probe in the same word is lost",
        "probe_ring",
        "mixed = mixed | (one << ring_1[4:0]);",
        "mixed = mixed;",
    ),
    fault(
        "a word that an item writes twice covers twice",
        "shared_array_bank",
        "assign fresh_line_d = !ring_word_repeated;",
        "assign fresh_line_d = 1'b1;",
    ),
    fault(
        "every word of the active half bears its epoch",
        "shared_array_bank",
        "bears <= read_epoch == active_epoch;",
        "bears <= 1'b1;",
    ),
    fault(
        "the frozen half is written too",
        "shared_array_bank",
        "assign memory_1_write_enable = write && phase_0;",
        "assign memory_1_write_enable = write;",
    ),
    fault(
        "the item that trips takes the old words along",
        "shared_array_bank",
        "if (!emptied) begin",
        "if (1'b1) begin",
    ),
    fault(
        "the item that trips empties its first word only",
        "shared_array_slots",
        "emptied_r <= empty && to_write;",
        "emptied_r <= 1'b0;",
    ),
    fault(
        "only the first word is written",
        "shared_array_slots",
        "assign to_write = storing || (|store_line_0);",
        "assign to_write = storing;",
    ),
    fault(
        "a refresh is written behind the back of an item that reads",
        "shared_array_slots",
        "refresh_line[4] && !(|near) &&",
        "refresh_line[4] &&",
    ),
    fault(
        "a word is fetched while items are unwritten",
        "sequencer",
        "fetch_due && still &&",
        "fetch_due &&",
    ),
    fault(
        "a refresh is written while its word may be fetched",
        "shared_array_slots",
        "!(|near) && !fetch_line[4] &&",
        "!(|near) &&",
    ),
    fault(
        "a refresh takes the place of a fetch",
        "shared_array_slots",
        "!entering && !fetch_line[3] &&",
        "!entering &&",
    ),
    fault(
        "a refresh goes before or behind a host's bits",
        "shared_array_slots",
        "&& !(|set_line);",
        ";",
    ),
    fault(
        "a host's bits take the place of the word",
        "shared_array_bank",
        "data <= kept | added;",
        "data <= added;",
    ),
    fault(
        "a host's bits go to the word of the next refresh",
        "shared_array_slots",
        "fetch_line[4] || set_line[4]",
        "fetch_line[4]",
    ),
    fault(
        "a host's bits come to the word of the half that he read",
        "shared_array",
        "reader_of_frozen_0 && !slots_found",
        "reader_of_frozen_0",
    ),
    fault(
        "every word that is fetched is the active half's",
        "shared_array_bank",
        "word_4 = kept_frozen_0;",
        "word_4 = kept;",
    ),
    fault(
        "a reset does not drop a fetch",
        "shared_array_slots",
        "fetch_line <= no_fetch;",
        "fetch_line <= fetch_line << 1;",
    ),
    fault(
        "refreshes read while an item writes",
        "shared_array_slots",
        "interval_less_one = 4'd13;",
        "interval_less_one = 4'd5;",
    ),
    fault(
        "words move on before they are written",
        "shared_array_slots",
        "assign holding_store = item_line[13:12];",
        "assign holding_store = {1'b0, item_line[12]};",
    ),
    fault(
        "the ring does not wait for the decision",
        "shared_array_slots",
        "assign ring_hold = |holding_ring;",
        "assign ring_hold = 1'b0;",
    ),
    fault(
        "an item inherits the misses of the one before",
        "shared_array_decision",
        "all_active <= active_bit && (first || all_active);",
        "all_active <= active_bit && all_active;",
    ),
    fault(
        "a full half trips one bit early",
        "shared_array_decision",
        "> room;",
        ">= room && |clear;",
    ),
    fault(
        "a retained item counts all its probes",
        "occupancy",
        "active <= {6'd0, distinct_0};",
        "active <= 9'd4;",
    ),
    fault(
        "a recycle leaves the words covered",
        "shared_array_slots",
        "trip_w <= trip;",
        "trip_w <= 1'b0;",
    ),
];

/// A half of 256 words, which short cycles leave uncovered, so that what is frozen holds words of older cycles; and long cycles, in
/// which items come at full rate.
const LARGE: &[Fault] = &[
    fault(
        "every word of the frozen half bears its epoch",
        "shared_array_bank",
        "frozen_bears_0 <= other_epoch_0_input[35:32] == frozen_epoch_0;",
        "frozen_bears_0 <= 1'b1;",
    ),
    fault(
        "a word of an older cycle is fetched from the frozen half",
        "shared_array_bank",
        "if (frozen_bears_0) begin",
        "if (1'b1) begin",
    ),
    fault(
        "the next item comes a clock early",
        "sequencer",
        "folding_0 <= folding_0 && (fold_0 != 4'd2);",
        "folding_0 <= folding_0 && (fold_0 != 4'd3);",
    ),
];

/// Runs the faults on `sample` under torture.
fn caught(sample: SharedArraySample, faults: &[Fault]) {
    let geometry = sample.geometry();
    let (design, _) = emitted_design(&geometry).expect("emit");
    every_fault_is_caught(&design, faults, 24, |library, design, seed| {
        let mut mix = TortureMix::draw(&geometry, seed, 30_000);
        // short cycles under a host that only reads: counts that are a little wrong from the item on that trips
        if seed % 4 == 3 {
            (mix.write, mix.read) = (0.0, 0.5);
            mix.script = vec![Act::opening(40)];
            (mix.keys, mix.repeat, mix.reset) = (u64::MAX, 0.0, 0.0);
        }
        first_difference(
            library,
            design,
            &mut ModelReference::new(&geometry),
            &mut Torture::new(&geometry, mix, seed),
            seed,
        )
    });
}

#[test]
fn every_edit_of_the_shared_array_filter_is_caught() {
    let small = SharedArraySample {
        half_bits: 256,
        threshold: 128,
        ..SharedArraySample::BASE
    };
    caught(small, FAULTS);
    let large = SharedArraySample {
        half_bits: 8192,
        threshold: 4000,
        ..small
    };
    caught(large, LARGE);
}
