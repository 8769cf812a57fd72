//! The recycling filter in the shared layout: what it becomes, and what it refuses.

use crate::common::{broken, complete, edited, geometry, listing_of_rules, Broken, BASE};
use bloomline_spec::{FilterSpec, Layout, ThresholdSetting, SHARED_ARRAY_EXAMPLES};
use std::path::Path;

/// The small specification with one array a half.
const SHARED: (&str, &str) = ("\"double\"", "\"double\"\nlayout = \"shared\"");

#[test]
fn a_half_is_one_array_that_every_probe_may_reach() {
    let shared = geometry(&[SHARED]);
    assert_eq!((shared.layout(), shared.banks()), (Layout::Shared, 1));
    assert_eq!(
        (shared.half_bits(), shared.partition_bits(), shared.range()),
        (65_536, 65_536, 65_536)
    );
    assert_eq!(
        (shared.words_per_bank(), shared.word_address_bits()),
        (2048, 11)
    );
    assert_eq!((shared.index_bits(), shared.count_bits()), (16, 17));
    assert_eq!(shared.timing().initiation_interval, 14);
    let partitioned = geometry(&[]);
    assert_eq!(
        (
            partitioned.banks(),
            partitioned.timing().initiation_interval
        ),
        (4, 1)
    );
}

#[test]
fn parity_takes_a_bit_with_every_word_and_another_geometry_hash() {
    let plain = geometry(&[SHARED]);
    assert_eq!(plain.stored_bits(), 2 * 2048 * 36);
    let mut hashes = vec![plain.geometry_hash()];
    for parity in ["count", "empty"] {
        let section = format!("[memory]\nparity = \"{parity}\"\n[key]");
        let with = geometry(&[SHARED, ("[key]", &section)]);
        assert_eq!(with.stored_bits(), 2 * 2048 * 37);
        assert_eq!(with.counters().len(), plain.counters().len() + 1);
        assert_eq!(with.timing(), plain.timing());
        hashes.push(with.geometry_hash());
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 3);
}

#[test]
fn error_correction_takes_seven_bits_with_every_word_and_two_clocks_in_front() {
    let plain = geometry(&[SHARED]);
    let with = geometry(&[SHARED, ("[key]", "[memory]\necc = true\n[key]")]);
    assert_eq!(with.stored_bits(), 2 * 2048 * 43);
    assert_eq!(with.counters().len(), plain.counters().len() + 2);
    assert_ne!(with.geometry_hash(), plain.geometry_hash());
    let (timing, without) = (with.timing(), plain.timing());
    assert_eq!(timing.front_clocks, without.front_clocks + 2);
    assert_eq!(timing.retire_clocks, without.retire_clocks + 2);
    assert_eq!(timing.still_clocks, without.still_clocks + 2);
    assert_eq!(timing.decision_stage, without.decision_stage);
    assert_eq!(timing.initiation_interval, without.initiation_interval);
}

#[test]
fn a_smaller_range_takes_the_place_of_the_half_in_counts_and_thresholds() {
    let text = "\"independent\"\nlayout = \"shared\"\nrange = 50000";
    let ranged = geometry(&[("\"double\"", text)]);
    assert_eq!(
        (ranged.half_bits(), ranged.words_per_bank()),
        (50_000, 2048)
    );
    assert_eq!((ranged.index_bits(), ranged.count_bits()), (16, 16));
    assert!(ranged.with_threshold(49_999).is_ok() && ranged.with_threshold(50_000).is_err());
}

#[test]
fn layout_distinct_draws_and_range_each_change_the_geometry_hash() {
    let with = |text: &str| geometry(&[("\"double\"", text)]).geometry_hash();
    let hashes = [
        with("\"independent\""),
        with("\"independent\"\nlayout = \"shared\""),
        with("\"independent\"\nlayout = \"shared\"\ndistinct = true"),
        with("\"independent\"\nlayout = \"shared\"\nrange = 65535"),
    ];
    let different: std::collections::HashSet<u64> = hashes.into_iter().collect();
    assert_eq!(different.len(), hashes.len());
}

pub fn broken_rules() -> Vec<Broken> {
    broken("shared_array", |edits| edited(BASE, edits), complete)
}

#[test]
fn rule_errors_name_key_value_rule_and_nearest_legal_value() {
    insta::assert_snapshot!(listing_of_rules(broken_rules()));
}

#[test]
fn the_example_is_valid_and_its_canonical_text_reads_back() {
    for (file, text) in SHARED_ARRAY_EXAMPLES {
        let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
        let sizing = spec.validate().expect("an example");
        assert_eq!((sizing.layout(), sizing.distinct()), (Layout::Shared, true));
        assert!(matches!(
            sizing.threshold_setting(),
            ThresholdSetting::Auto { .. }
        ));
        let again =
            FilterSpec::from_toml(&spec.to_toml(), Path::new(file)).expect("canonical text");
        assert_eq!(again, spec);
    }
}
