//! Sliding-window filters: what a legal specification becomes, and every error message, verbatim.
//!
//! `INSTA_UPDATE=always cargo test -p bloomline-spec` rewrites the snapshots.

use crate::common::{broken, edited, legal_values_offered, listing_of_rules, read, Broken};
use bloomline_spec::registers::{address, SlidingCounter};
use bloomline_spec::{
    Design, RegisterMap, SlidingGeometry, SlidingVerdict, SpecError, SLIDING_EXAMPLES,
};

const SLIDING: &str = "\
name = \"tiny\"
[filter]
kind = \"sliding\"
memory_bits = 40960
hashes = 2
[filter.sliding]
window = 1024
slack = 256
target_fpr = 0.01
generations = 8
[key]
bits = 104
";

fn sliding(text: &str) -> Result<SlidingGeometry, SpecError> {
    read(text)?.sliding()
}

/// The specification with its memory set to what its sizes take.
fn completed(text: &str) -> SlidingGeometry {
    match sliding(text) {
        Err(SpecError::Rule {
            key: "filter.memory_bits",
            value,
            advice,
            ..
        }) => {
            let legal = advice.trim_start_matches("nearest legal value ");
            let repaired = edited(
                text,
                &[(
                    &format!("memory_bits = {value}"),
                    &format!("memory_bits = {legal}"),
                )],
            );
            sliding(&repaired)
        }
        other => other,
    }
    .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_sliding_window_resolves_to_its_kind() {
    let (_, text) = SLIDING_EXAMPLES[0];
    let resolved = read(text).and_then(|spec| spec.design()).expect("legal");
    let expected = sliding(text).expect("legal");
    assert!(matches!(resolved, Design::Sliding(geometry) if geometry == expected));
}

#[test]
fn the_example_is_sized_as_its_comments_say() {
    let geometry = sliding(SLIDING_EXAMPLES[0].1).expect("an example");
    assert_eq!(geometry.generations(), 8);
    assert_eq!(geometry.generation_items(), 2048);
    assert_eq!(geometry.live_items(), 18_432);
    assert_eq!(
        (geometry.front_buckets(), geometry.back_buckets()),
        (4096, 1024)
    );
    assert_eq!((geometry.bucket_cells(), geometry.store_cells()), (8, 16));
    assert_eq!(
        (geometry.fingerprint_bits(), geometry.generation_bits()),
        (13, 5)
    );
    assert_eq!(geometry.scan_interval(), 11);
    assert_eq!(geometry.index_bits(), 25);
    assert_eq!((geometry.operation_bits(), geometry.verdict_bits()), (2, 2));
    assert_eq!(geometry.memory_bits(), 737_280);
}

#[test]
fn what_is_chosen_obeys_every_rule_for_any_window_slack_and_rate() {
    for window in [16, 17, 100, 1000, 4096, 20_001, 35_000] {
        for share in [1, 3, 16] {
            for rate in ["0.5", "0.01", "1e-4"] {
                let slack = (window / share).max(40);
                let text = edited(
                    SLIDING,
                    &[
                        ("window = 1024", &format!("window = {window}")),
                        ("slack = 256", &format!("slack = {slack}")),
                        ("0.01", rate),
                        ("generations = 8\n", ""),
                    ],
                );
                let g = completed(&text);
                let c = u64::from(g.generations());
                assert!(g.generation_items() * c >= window);
                assert!(g.live_items() <= window + slack, "{text}");
                assert!(2 * g.live_items() <= 9 * g.front_buckets());
                let compared = g.live_items() as f64 / g.front_buckets() as f64;
                assert!(compared / f64::from(g.fingerprint_bits()).exp2() <= g.target_fpr());
                assert!(g.scan_interval() >= 8, "{text}");
                let spare = (1 << g.generation_bits()) - c - 2;
                let interval = u64::from(g.scan_interval());
                assert!(g.front_buckets() * interval <= spare * g.generation_items());
                assert!((1..=64).contains(&interval), "{text}");
            }
        }
    }
}

/// A window of 1000 elements with every size left open.
fn open_window(slack: u64, rate: f64) -> String {
    edited(
        SLIDING,
        &[
            ("window = 1024", "window = 1000"),
            ("slack = 256", &format!("slack = {slack}")),
            ("0.01", &format!("{rate:?}")),
            ("generations = 8\n", ""),
        ],
    )
}

#[test]
fn generations_are_by_default_those_of_the_least_memory() {
    for (slack, rate) in [(300, 0.01), (1000, 0.5), (40, 1e-4)] {
        let text = open_window(slack, rate);
        let chosen = completed(&text);
        let with = |generations: u64| {
            let line = format!("generations = {generations}\n[key]");
            let text = edited(&text, &[("[key]", &line)]);
            read(&text).and_then(|spec| spec.sliding_memory_bits())
        };
        let least = (1..=62).filter_map(|c| with(c).ok()).min();
        assert_eq!(Some(chosen.memory_bits()), least, "{slack} {rate}");
    }
    // of equals that which costs least: SBF 2.3 at eps = 1/1000
    let text = edited(SLIDING, &[("0.01", "0.001"), ("generations = 8\n", "")]);
    assert_eq!(completed(&text).generations(), 9);
    let tight = edited(&text, &[("slack = 256", "slack = 60")]);
    assert!(completed(&tight).generations() > 16);
}

#[test]
fn a_looser_rate_never_takes_more_memory() {
    for (window, slack) in [(1000, 300), (100, 100), (20_000, 1500)] {
        let bits = [0.5, 0.1, 0.01, 0.001, 1e-4].map(|rate| {
            let text = edited(
                &open_window(slack, rate),
                &[("window = 1000", &format!("window = {window}"))],
            );
            completed(&text).memory_bits()
        });
        assert!(bits.is_sorted(), "{window} {slack}: {bits:?}");
    }
}

#[test]
fn a_fingerprint_that_keeps_the_rate_is_not_refused() {
    // 2.28 live elements a front bucket, of which 1 in 1000 lies in the back table: 8.99e-3 with 8 bits
    let line = "generations = 6\nfingerprint_bits = 8\n[key]";
    let text = edited(&open_window(300, 0.01), &[("[key]", line)]);
    assert_eq!(completed(&text).fingerprint_bits(), 8);
    let shorter = edited(&text, &[("fingerprint_bits = 8", "fingerprint_bits = 7")]);
    let error = sliding(&shorter).expect_err("too short").to_string();
    assert!(error.contains("nearest legal value 8"), "{error}");
}

pub fn broken_rules() -> Vec<Broken> {
    broken("sliding", |edits| edited(SLIDING, edits), sliding)
}

#[test]
fn rule_errors_name_key_value_rule_and_nearest_legal_value() {
    insta::assert_snapshot!(listing_of_rules(broken_rules()));
}

#[test]
fn the_nearest_legal_value_offered_is_legal() {
    let offered = legal_values_offered(broken_rules(), sliding);
    assert!(offered > 15, "{offered}");
}

#[test]
fn overflow_may_be_accepted() {
    let text = edited(
        SLIDING,
        &[(
            "generations = 8",
            "generations = 8\nfront_buckets = 64\nback_buckets = 4\nbucket_cells = 2\nstore_cells = 1\naccept_overflow = true",
        )],
    );
    let geometry = completed(&text);
    assert_eq!((geometry.front_buckets(), geometry.back_buckets()), (64, 4));
    assert_eq!((geometry.bucket_cells(), geometry.store_cells()), (2, 1));
}

#[test]
fn other_kinds_and_later_words_are_refused_as_not_supported() {
    for edit in [
        ("hashes = 2", "hashes = 2\nlayout = \"shared\""),
        ("hashes = 2", "hashes = 2\nrange = 1021"),
        ("[key]", "[hash]\nfamily = \"siphash\"\n[key]"),
        ("\"sliding\"", "\"static\""),
    ] {
        let error = sliding(&edited(SLIDING, &[edit]));
        assert!(
            matches!(error, Err(SpecError::Unsupported { .. })),
            "{edit:?}: {error:?}"
        );
    }
    let extended = ("hashes = 2", "hashes = 2\nhashing = \"extended-double-2\"");
    let error = sliding(&edited(SLIDING, &[extended]));
    assert!(matches!(error, Err(SpecError::Rule { .. })), "{error:?}");
}

#[test]
fn the_geometry_hash_follows_what_the_gateware_is_made_of() {
    let base = completed(SLIDING);
    for (edit, same) in [
        (("[key]", "[target]\nclock_hz = 1000000\n[key]"), true),
        (("slack = 256", "slack = 300"), true),
        (("generations = 8", "generations = 9"), false),
        (
            ("generations = 8", "generations = 8\ngeneration_bits = 7"),
            false,
        ),
        (("bits = 104", "bits = 105"), false),
        (("[key]", "[hash]\nseed = 2\n[key]"), false),
        (("[key]", "[memory]\nparity = \"none\"\n[key]"), true),
        (("[key]", "[memory]\nparity = \"count\"\n[key]"), false),
        (("[key]", "[memory]\nparity = \"empty\"\n[key]"), false),
        (("[key]", "[memory]\necc = false\n[key]"), true),
        (("[key]", "[memory]\necc = true\n[key]"), false),
    ] {
        let other = completed(&edited(SLIDING, &[edit]));
        assert_eq!(
            other.geometry_hash() == base.geometry_hash(),
            same,
            "{edit:?}"
        );
    }
}

#[test]
fn registers_are_control_status_and_nine_counters() {
    let map = RegisterMap::of(completed(SLIDING));
    insta::assert_snapshot!(map.to_markdown());
    for counter in completed(SLIDING).counters() {
        let name = format!("{}_LO", counter.name());
        let register = map.register("counters", &name).expect("a counter");
        assert_eq!(register.offset, counter.address_lo());
    }
    assert_eq!(map.at(address::THRESHOLD), None);
}

#[test]
fn parity_has_a_counter_behind_the_nine_and_a_bit_with_every_cell() {
    let plain = completed(SLIDING);
    let at = SlidingCounter::ParityErrors.address_lo();
    assert_eq!(at, 0xD8);
    assert_eq!(RegisterMap::of(&plain).at(at), None);
    for parity in ["count", "empty"] {
        let section = format!("[memory]\nparity = \"{parity}\"\n[key]");
        let geometry = completed(&edited(SLIDING, &[("[key]", &section)]));
        let map = RegisterMap::of(&geometry);
        let name = |offset| map.at(offset).map(|register| register.name);
        assert_eq!(name(at), Some("PARITY_ERRORS_LO"));
        assert_eq!(name(at + 4), Some("PARITY_ERRORS_HI"));
        let version = map
            .register("counters", "BLOCK_VERSION")
            .expect("it has one");
        assert_eq!(version.reset, Some(2));
        assert_eq!(geometry.memory_bits(), plain.memory_bits());
        let cells = (plain.front_buckets() + plain.back_buckets()) * 8;
        assert_eq!(geometry.stored_bits(), plain.stored_bits() + cells);
    }
}

#[test]
fn error_correction_has_two_counters_behind_the_nine_and_check_bits_with_every_cell() {
    let plain = completed(SLIDING);
    let geometry = completed(&edited(
        SLIDING,
        &[("[key]", "[memory]\necc = true\n[key]")],
    ));
    let map = RegisterMap::of(&geometry);
    let name = |offset| map.at(offset).map(|register| register.name);
    assert_eq!(name(0xD8), Some("ECC_CORRECTED_LO"));
    assert_eq!(name(0xDC), Some("ECC_CORRECTED_HI"));
    assert_eq!(name(0xE0), Some("ECC_UNCORRECTABLE_LO"));
    assert_eq!(name(0xE4), Some("ECC_UNCORRECTABLE_HI"));
    assert_eq!(name(0xE8), None);
    for (place, counter) in geometry.counters().iter().enumerate() {
        assert_eq!(counter.place(), place);
    }
    let version = map
        .register("counters", "BLOCK_VERSION")
        .expect("it has one");
    assert_eq!(version.reset, Some(4));
    assert_eq!(geometry.memory_bits(), plain.memory_bits());
    let cells = (plain.front_buckets() + plain.back_buckets()) * 8;
    assert!((12..=26).contains(&plain.cell_bits()));
    assert_eq!(geometry.stored_bits(), plain.stored_bits() + 6 * cells);
    let (with, without) = (geometry.timing(), plain.timing());
    assert_eq!(with.front_clocks, without.front_clocks + 2);
    assert_eq!(with.retire_clocks, without.retire_clocks + 2);
    assert_eq!(with.decision_stage, without.decision_stage);
}

#[test]
fn error_correction_stands_in_the_place_of_parity() {
    let both = "[memory]\necc = true\nparity = \"count\"\n[key]";
    let edits = [
        ("[key]", both),
        ("memory_bits = 40960", "memory_bits = 35840"),
    ];
    let error = sliding(&edited(SLIDING, &edits))
        .expect_err("it has both")
        .to_string();
    assert!(
        error.contains("memory.ecc") && error.contains("leave out memory.parity"),
        "{error}"
    );
}

#[test]
fn verdicts_come_back_from_their_bits_and_impossible_ones_do_not() {
    for (seen, lost) in [(false, false), (true, false), (false, true)] {
        let verdict = SlidingVerdict { seen, lost };
        assert_eq!(SlidingVerdict::from_bits(verdict.to_bits()), Some(verdict));
    }
    assert_eq!(SlidingVerdict::from_bits(3), None);
    assert_eq!(SlidingVerdict::from_bits(4), None);
}
