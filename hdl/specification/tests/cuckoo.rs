//! Sliding windows on cuckoo tables: what a legal specification becomes, and every error message, verbatim.
//!
//! `INSTA_UPDATE=always cargo test -p bloomline-spec` rewrites the snapshots.

use crate::common::{broken, edited, legal_values_offered, listing_of_rules, read, Broken};
use bloomline_spec::{
    ecc, registers::CuckooCounter, row_masks, CuckooGeometry, Design, FilterKind, RegisterMap,
    SpecError, WindowTable, CUCKOO_EXAMPLES, CUCKOO_LOAD_LIMITS, CUCKOO_TABLES,
};

const CUCKOO: &str = "\
name = \"tiny\"
[filter]
kind = \"sliding\"
memory_bits = 19200
hashes = 1
hashing = \"independent\"
[filter.sliding]
table = \"cuckoo\"
window = 1024
slack = 256
target_fpr = 0.01
[key]
bits = 104
";

fn cuckoo(text: &str) -> Result<CuckooGeometry, SpecError> {
    read(text)?.cuckoo()
}

/// The specification with its memory set to what its sizes take.
fn completed(text: &str) -> CuckooGeometry {
    let spec = read(text).unwrap_or_else(|error| panic!("{error}"));
    let bits = spec
        .cuckoo_memory_bits()
        .unwrap_or_else(|error| panic!("{text}{error}"));
    let given = format!("memory_bits = {}", spec.filter.memory_bits);
    let text = edited(text, &[(&given, &format!("memory_bits = {bits}"))]);
    cuckoo(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn more(keys: &str) -> String {
    edited(CUCKOO, &[("slack = 256", &format!("slack = 256\n{keys}"))])
}

#[test]
fn a_sliding_window_resolves_to_its_table() {
    let (_, text) = CUCKOO_EXAMPLES[0];
    let spec = read(text).expect("an example");
    assert_eq!(spec.window_table(), WindowTable::Cuckoo);
    let design = spec.design().expect("legal");
    let expected = cuckoo(text).expect("legal");
    assert_eq!(design.kind(), FilterKind::Sliding);
    assert_eq!(design.cuckoo(), Some(&expected));
    assert!(design.sliding().is_none() && design.array().is_none());
    assert!(matches!(design, Design::Cuckoo(geometry) if geometry == expected));
}

#[test]
fn the_example_is_sized_as_its_comments_say() {
    let geometry = cuckoo(CUCKOO_EXAMPLES[0].1).expect("an example");
    assert_eq!(geometry.memory_bits(), 368_640);
    assert_eq!((geometry.rows(), geometry.row_bits()), (1024, 10));
    assert_eq!((geometry.row_cells(), geometry.stash_cells()), (5, 24));
    assert_eq!(
        (geometry.fingerprint_bits(), geometry.generation_bits()),
        (14, 4)
    );
    assert_eq!(geometry.fingerprints(), 16_384 + 1024);
    assert_eq!(geometry.range(), 1024 * 17_408);
    assert_eq!(geometry.generation_values(), 15);
    assert_eq!(
        (geometry.generations(), geometry.generation_items()),
        (7, 2341)
    );
    assert_eq!(geometry.live_items(), 8 * 2341);
    assert_eq!(geometry.peak_live_items(), 7 * 2341 + 1317);
    assert_eq!((geometry.scan_quota(), geometry.scan_room()), (12, 1694));
    assert_eq!(geometry.stash_limit(), 12);
    let leads: Vec<u64> = (0..8).map(|phase| geometry.phase_lead(phase)).collect();
    assert_eq!(leads, [0, 292, 585, 877, 1170, 1463, 1755, 2048]);
    let timing = geometry.timing();
    assert_eq!((timing.front_clocks, timing.retire_clocks), (9, 25));
    assert_eq!((geometry.operation_bits(), geometry.verdict_bits()), (2, 2));
}

#[test]
fn what_is_chosen_obeys_every_rule_for_any_window_slack_and_rate() {
    let limit = |cells| CUCKOO_LOAD_LIMITS.iter().find(|&&(s, _)| s == cells);
    for window in [64, 100, 1000, 4096, 20_001, 100_000] {
        for share in [1, 3, 16] {
            for rate in ["0.5", "0.01", "1e-4"] {
                let slack = (window / share).max(window.min(128));
                let text = edited(
                    CUCKOO,
                    &[
                        ("window = 1024", &format!("window = {window}")),
                        ("slack = 256", &format!("slack = {slack}")),
                        ("0.01", rate),
                    ],
                );
                let g = completed(&text);
                let (c, items) = (u64::from(g.generations()), g.generation_items());
                assert!(items * c >= window && items >= 64, "{text}");
                assert!(g.live_items() <= window + slack, "{text}");
                let cells = CUCKOO_TABLES as u64 * g.rows() * u64::from(g.row_cells());
                let &(_, most) = limit(g.row_cells()).expect("a legal row");
                assert!(1000 * (2 * c + 1) * items <= 2 * most * cells, "{text}");
                let live = c as f64 * items as f64 + 0.5625 * items as f64;
                assert!(live / g.range() as f64 <= g.target_fpr(), "{text}");
                let deadline = (u64::from(g.generation_values()) - c - 2) * items;
                assert!(g.rows() * g.scan_quota() + g.scan_room() + 64 <= deadline);
                assert!(g.scan_quota() >= 10 && g.scan_room() >= 2 * g.scan_quota());
                assert!(g.row_bits() + g.fingerprint_bits() < 32, "{text}");
            }
        }
    }
}

#[test]
fn the_least_memory_is_chosen() {
    let chosen = completed(CUCKOO).memory_bits();
    for generations in 4..=16 {
        for row_cells in 3..=8 {
            let text = more(&format!(
                "generations = {generations}\nrow_cells = {row_cells}"
            ));
            let given = read(&text).and_then(|spec| spec.cuckoo_memory_bits());
            assert!(given.is_ok_and(|bits| bits >= chosen), "{text}");
        }
    }
}

fn design(text: &str) -> Result<Design, SpecError> {
    read(text)?.design()
}

fn broken_rules() -> Vec<Broken> {
    let lists = ["cuckoo", "cuckoo_on_buckets"].into_iter();
    let cases = lists.flat_map(|list| broken(list, |edits| edited(CUCKOO, edits), design));
    cases.collect()
}

#[test]
fn rule_errors_name_key_value_rule_and_next_step() {
    insta::assert_snapshot!(listing_of_rules(broken_rules()));
}

#[test]
fn the_nearest_legal_value_offered_is_legal() {
    let offered = legal_values_offered(broken_rules(), design);
    assert!(offered > 12, "{offered}");
}

#[test]
fn words_that_it_has_no_use_for_are_refused_as_not_supported() {
    let cases = [
        ("\"independent\"", "\"double\""),
        ("[key]", "[memory]\nparity = \"count\"\n[key]"),
        ("[key]", "[memory]\nparity = \"empty\"\n[key]"),
        ("[key]", "[hash]\nfamily = \"siphash\"\n[key]"),
        ("hashes = 1", "hashes = 1\nlayout = \"shared\""),
    ];
    let mut listing = String::new();
    for edit in cases {
        let error = design(&edited(CUCKOO, &[edit])).expect_err(edit.1);
        assert!(
            matches!(error, SpecError::Unsupported { .. }),
            "{edit:?}: {error:?}"
        );
        listing.push_str(&format!("{error}\n"));
    }
    insta::assert_snapshot!(listing);
}

#[test]
fn a_table_of_no_known_word_is_refused_where_it_stands() {
    let text = edited(CUCKOO, &[("\"cuckoo\"", "\"cuckoos\"")]);
    let error = read(&text).expect_err("no such table").to_string();
    for part in [
        "tiny.toml:8",
        "filter.sliding.table = \"cuckoos\"",
        "mean \"cuckoo\"",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
}

#[test]
fn the_geometry_hash_follows_what_the_gateware_is_made_of() {
    let base = completed(CUCKOO);
    for (keys, same) in [
        ("[key]\nbits = 104", true),
        ("[target]\nclock_hz = 1000000\n[key]\nbits = 104", true),
        ("[key]\nbits = 105", false),
        ("[hash]\nseed = 2\n[key]\nbits = 104", false),
    ] {
        let other = completed(&edited(CUCKOO, &[("[key]\nbits = 104", keys)]));
        assert_eq!(
            other.geometry_hash() == base.geometry_hash(),
            same,
            "{keys}"
        );
    }
    let own = [
        format!("rows = {}", base.rows()),
        format!("row_cells = {}", base.row_cells()),
        format!("stash_cells = {}", base.stash_cells()),
        format!("generations = {}", base.generations()),
        format!("fingerprint_bits = {}", base.fingerprint_bits()),
        format!("generation_bits = {}", base.generation_bits()),
    ];
    for key in &own {
        assert_eq!(
            completed(&more(key)).geometry_hash(),
            base.geometry_hash(),
            "{key}"
        );
    }
    // sizes with room for one more of each
    let all = [
        ("rows", base.rows()),
        ("row_cells", 5),
        ("stash_cells", 24),
        ("generations", 7),
        ("fingerprint_bits", 14),
        ("generation_bits", 6),
    ];
    let with = |changed: usize| -> String {
        let value = |place, value: u64| match place == changed {
            true if place == 0 => 2 * value,
            true => value + 1,
            false => value,
        };
        let keys = all.iter().enumerate();
        keys.map(|(place, (key, own))| format!("{key} = {}\n", value(place, *own)))
            .collect()
    };
    let none = with(all.len());
    let own = completed(&more(&none));
    for (changed, (key, _)) in all.iter().enumerate() {
        let other = completed(&more(&with(changed)));
        assert_ne!(other.geometry_hash(), own.geometry_hash(), "{key}");
    }
    // a slack that the same generations fit changes nothing that is built
    let slack = completed(&edited(&more(&none), &[("slack = 256", "slack = 257")]));
    assert_eq!(slack.geometry_hash(), own.geometry_hash());
    let buckets = edited(
        CUCKOO,
        &[
            ("table = \"cuckoo\"", "generations = 8"),
            ("hashes = 1", "hashes = 2"),
            ("19200", "35840"),
        ],
    );
    let buckets = design(&buckets).expect("legal");
    assert_ne!(buckets.geometry_hash(), base.geometry_hash());
}

/// Rank over GF(2) by elimination of one column after the other.
fn rank(mut rows: Vec<u32>) -> u32 {
    let mut rank = 0;
    for bit in (0..32).rev() {
        let Some(place) = rows.iter().position(|row| row >> bit & 1 == 1) else {
            continue;
        };
        let pivot = rows.swap_remove(place);
        for row in &mut rows {
            if *row >> bit & 1 == 1 {
                *row ^= pivot;
            }
        }
        rank += 1;
    }
    rank
}

#[test]
fn row_functions_and_their_sums_have_full_rank_for_every_size() {
    for row_bits in 4..=18 {
        for fingerprint_bits in 9..=32 - row_bits {
            let masks = row_masks(fingerprint_bits, row_bits);
            let full = fingerprint_bits.min(row_bits);
            for (place, own) in masks.iter().enumerate() {
                assert_eq!(own.len(), row_bits as usize);
                assert!(own
                    .iter()
                    .all(|mask| u64::from(*mask) < 1 << fingerprint_bits));
                assert_eq!(rank(own.clone()), full, "{fingerprint_bits} {row_bits}");
                for other in &masks[..place] {
                    let sums = own.iter().zip(other).map(|(a, b)| a ^ b).collect();
                    assert_eq!(rank(sums), full, "{fingerprint_bits} {row_bits}");
                }
            }
        }
    }
    let geometry = cuckoo(CUCKOO_EXAMPLES[0].1).expect("an example");
    assert_eq!(*geometry.masks(), row_masks(15, 10));
}

#[test]
fn registers_are_control_status_and_ten_counters() {
    let geometry = completed(CUCKOO);
    let map = RegisterMap::of(&geometry);
    insta::assert_snapshot!(map.to_markdown());
    assert_eq!(geometry.counters(), &CuckooCounter::ALL[..10]);
    for counter in geometry.counters() {
        let name = format!("{}_LO", counter.name());
        let register = map.register("counters", &name).expect("a counter");
        assert_eq!(register.offset, counter.address_lo());
        assert_eq!(counter.address_hi(), counter.address_lo() + 4);
    }
}

#[test]
fn error_correction_has_two_counters_behind_the_ten_and_check_bits_with_every_cell() {
    let plain = completed(CUCKOO);
    let geometry = completed(&edited(CUCKOO, &[("[key]", "[memory]\necc = true\n[key]")]));
    let map = RegisterMap::of(&geometry);
    let name = |offset| map.at(offset).map(|register| register.name);
    assert_eq!(name(0xE0), Some("ECC_CORRECTED_LO"));
    assert_eq!(name(0xE8), Some("ECC_UNCORRECTABLE_LO"));
    assert_eq!(name(0xF0), None);
    assert_eq!(geometry.counters(), CuckooCounter::ALL);
    let version = map.register("counters", "BLOCK_VERSION");
    assert_eq!(version.expect("it has one").reset, Some(4));
    assert_ne!(geometry.geometry_hash(), plain.geometry_hash());
    assert_eq!(geometry.memory_bits(), plain.memory_bits());
    let cells = 4 * plain.rows() * u64::from(plain.row_cells());
    let check_bits = u64::from(ecc::check_bits(plain.cell_bits()));
    assert_eq!(plain.stored_bits(), plain.memory_bits());
    assert_eq!(
        geometry.stored_bits(),
        plain.stored_bits() + cells * check_bits
    );
    // rows are there two stages earlier
    let clocks = |of: &CuckooGeometry| of.timing().front_clocks;
    assert_eq!(clocks(&geometry), clocks(&plain) + 2);
    assert_eq!(geometry.stash_limit() + 2, plain.stash_limit());
}
