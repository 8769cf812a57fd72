//! The bench has teeth: single edits of the sliding-window filter's Verilog are caught in lockstep under torture.

use bloomline_bench::filter::{
    emitted_design, SlidingReference, SlidingTorture, SlidingTortureMix,
};
use bloomline_tests::faults::{self, fault, Fault};
use bloomline_tests::SlidingSample;

/// Forwarding, first fit, ages and admission.
const CROWDED: &[Fault] = &[
    fault(
        "the slot one ahead is not seen",
        "lane_flags",
        "if (taking && near_bucket) begin",
        "if (1'b0) begin",
    ),
    fault(
        "the slot one ahead is seen in every bucket",
        "lane_flags",
        "if (taking && near_bucket) begin",
        "if (taking) begin",
    ),
    fault(
        "the slot two ahead is not seen",
        "lane_flags",
        "if (hit[4]) begin",
        "if (1'b0) begin",
    ),
    fault(
        "the slot three ahead is not seen",
        "lane_flags",
        "if (hit[3]) begin",
        "if (1'b0) begin",
    ),
    fault(
        "slots further ahead are not seen",
        "lane_flags",
        "if (touched[2]) begin",
        "if (1'b0) begin",
    ),
    fault(
        "a cell that was taken is not seen as full",
        "lane_flags",
        "empty_base = cleared[2];",
        "empty_base = !live_4;",
    ),
    fault(
        "fingerprints are not compared",
        "lane_flags",
        "match_base = equal_4 && live_4;",
        "match_base = live_4;",
    ),
    fault(
        "a stale cell matches",
        "lane_flags",
        "match_base = equal_4 && live_4;",
        "match_base = equal_4;",
    ),
    fault(
        "the oldest live generation is stale",
        "lane_flags",
        "live_4 <= age <= oldest;",
        "live_4 <= age < oldest;",
    ),
    fault(
        "the youngest stale generation is live",
        "lane_flags",
        "live_4 <= age <= oldest;",
        "live_4 <= age <= oldest + 1;",
    ),
    fault(
        "a matching cell is not renewed",
        "first_fit",
        "taking = lowest_match;",
        "taking = no_cell;",
    ),
    fault(
        "every matching cell is renewed",
        "first_fit",
        "taking = lowest_match;",
        "taking = matching;",
    ),
    fault(
        "every empty cell is taken",
        "first_fit",
        "taking = lowest_empty;",
        "taking = empty;",
    ),
    fault(
        "a scan takes live cells",
        "first_fit",
        "taking = empty;",
        "taking = all_cells;",
    ),
    fault(
        "an element is lost without a word",
        "first_fit",
        "assign lost = newly && !(|empty);",
        "assign lost = 1'b0;",
    ),
    fault(
        "the generation begins an element late",
        "sliding_slots",
        "if (elements == last_element) begin",
        "if (elements == last_element + 1) begin",
    ),
    fault(
        "the generation stays",
        "sliding_slots",
        "generation_r <= generation_r + ",
        "generation_r <= generation_r + 0 * ",
    ),
    fault(
        "a clear keeps the count of elements",
        "sliding_slots",
        "if (restart || reset) begin",
        "if (reset) begin",
    ),
    fault(
        "an element bears the youngest stale generation",
        "sliding_slots",
        "write_generation_r <= generation_6;",
        "write_generation_r <= generation_6 - to_stale;",
    ),
    fault(
        "the store does not match",
        "store_lane",
        "held_position == position",
        "1'b0",
    ),
    fault(
        "the store forgets what it held",
        "store_lane",
        "if (taken) begin",
        "if (1'b1) begin",
    ),
    fault(
        "a clear wipes one bucket",
        "sliding_sequencer",
        "assign last_wipe = wipe_r && (&wiped);",
        "assign last_wipe = wipe_r;",
    ),
    fault(
        "nothing is wiped",
        "first_fit",
        "taking = all_cells;",
        "taking = no_cell;",
    ),
    fault(
        "the scan is never due",
        "sliding_sequencer",
        "assign due = element && (gap == last_gap);",
        "assign due = 1'b0;",
    ),
];

/// What keeps a stale cell from looking young: seen where few generations are told apart.
const SCAN: &[Fault] = &[
    fault(
        "the scan makes nothing stale",
        "first_fit",
        "taking = empty;",
        "taking = no_cell;",
    ),
    fault(
        "the scan stays at one bucket",
        "sliding_slots",
        "if (entering) begin",
        "if (1'b0) begin",
    ),
    fault(
        "a scan leaves the generation that becomes ambiguous next",
        "sliding_slots",
        "write_generation_r <= generation_6 - to_stale;",
        "write_generation_r <= generation_6 + 1;",
    ),
];

/// Bounds of the search for a catch.
const SEEDS: u64 = 40;
const CLOCKS: u64 = 20_000;

fn every_fault_is_caught(sample: SlidingSample, faults: &[Fault]) {
    let geometry = sample.geometry();
    let (design, _) = emitted_design(&geometry).expect("emit");
    faults::every_fault_is_caught(&design, faults, SEEDS, |library, design, seed| {
        let mix = SlidingTortureMix::draw(&geometry, seed, CLOCKS);
        faults::first_difference(
            library,
            design,
            &mut SlidingReference::new(&geometry),
            &mut SlidingTorture::new(&geometry, mix, seed),
            seed,
        )
    });
}

#[test]
fn faults_of_forwarding_first_fit_ages_and_admission_are_caught() {
    every_fault_is_caught(SlidingSample::CROWDED, CROWDED);
}

#[test]
fn faults_of_the_scan_are_caught() {
    let sample = SlidingSample {
        sizes: "generations = 4\ngeneration_bits = 4",
        ..SlidingSample::BASE
    };
    every_fault_is_caught(sample, SCAN);
}
