//! What `[features]` leaves out: registers and hash, and what it refuses.

use crate::common::{complete, edited, geometry, BASE};
use bloomline_spec::registers::{address, RecyclingCounter, SHORT_COUNTERS};
use bloomline_spec::{
    CounterWidth, Erase, FilterSpec, RegisterMap, CELL_EXAMPLES, SLIDING_EXAMPLES,
};
use std::path::Path;

const SPARE_HALF: &str = "[memory]\nerase = \"spare-half\"\n";

/// The small specification with a spare half and these features.
fn with(features: &str) -> String {
    let sections = format!("{SPARE_HALF}[features]\n{features}\n[key]");
    edited(BASE, &[("[key]", &sections)])
}

#[test]
fn everything_is_built_unless_the_specification_says_otherwise_and_each_choice_is_another_filter() {
    let full = complete(&with("")).expect("legal");
    assert_eq!(
        full.geometry_hash(),
        geometry(&[("[key]", &format!("{SPARE_HALF}[key]"))]).geometry_hash()
    );
    let spelled = complete(&with("counters = 64\narray_access = true\nmax_age = true\nregisters = \"full\"\nverdict_queue = 32"));
    assert_eq!(
        spelled.expect("legal").geometry_hash(),
        full.geometry_hash()
    );
    let mut hashes = vec![full.geometry_hash()];
    for features in [
        "counters = 32",
        "counters = \"none\"",
        "array_access = false",
        "max_age = false",
        "verdict_queue = 0",
        "verdict_queue = 16",
        "registers = \"threshold\"",
        "registers = \"none\"",
    ] {
        hashes.push(complete(&with(features)).expect("legal").geometry_hash());
    }
    hashes.sort_unstable();
    assert!(hashes.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(full.left_out().is_empty());
    let least = complete(&with(
        "counters = \"none\"\narray_access = false\nmax_age = false",
    ));
    let least = least.expect("legal");
    assert_eq!(
        least.left_out(),
        ["counters", "array access", "maximum age"]
    );
    assert!(least.erased_by(Erase::Epoch).is_none());
}

#[test]
fn what_is_not_built_has_no_registers_and_is_not_in_the_list_of_blocks() {
    let map = RegisterMap::of(complete(&with("counters = \"none\"")).expect("legal"));
    assert!(map.block("counters").is_none());
    assert_eq!(map.at(address::FILTER_NEXT).and_then(|r| r.reset), Some(0));
    let card = with("counters = \"none\"") + "[card]\n";
    let map = RegisterMap::of(complete(&card).expect("legal"));
    assert_eq!(
        map.at(address::FILTER_NEXT).and_then(|r| r.reset),
        Some(address::ITEM_PORT)
    );
    let map = RegisterMap::of(complete(&with("counters = 32")).expect("legal"));
    assert!(map.at(RecyclingCounter::Seen.address_lo()).is_some());
    assert!(map.at(RecyclingCounter::Seen.address_hi()).is_none());
    let version = map.at(address::COUNTERS_VERSION).and_then(|r| r.reset);
    assert_eq!(version, Some(SHORT_COUNTERS + 1));
    let map = RegisterMap::of(complete(&with("array_access = false")).expect("legal"));
    assert!(map.at(address::ARRAY_ADDRESS).is_none() && map.at(address::ARRAY_DATA).is_none());
    assert!(map.at(address::MAX_AGE).is_some());
    let map = RegisterMap::of(complete(&with("max_age = false")).expect("legal"));
    assert!(map.at(address::MAX_AGE).is_none());
    assert!(map.at(address::ARRAY_DATA).is_some());
}

#[test]
fn a_counter_of_32_bits_may_go_round_once_between_two_readings() {
    let short = CounterWidth::Bits32;
    assert_eq!(short.advance(u32::MAX.into(), 4), Some(5));
    assert_eq!(short.advance(7, 7), Some(0));
    assert_eq!(short.advance(100, 40), None);
    assert_eq!(CounterWidth::Bits64.advance(u32::MAX.into(), 4), None);
    assert_eq!(CounterWidth::Bits64.advance(4, 9), Some(5));
}

#[test]
fn features_that_a_kind_does_not_have_or_that_something_needs_are_refused_with_the_next_step() {
    let told = |text: &str, parts: &[&str]| {
        let spec = FilterSpec::from_toml(text, Path::new("features.toml"));
        let error = match spec.and_then(|spec| spec.design()) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("must be an error: {text}"),
        };
        for part in parts {
            assert!(error.contains(part), "{part}: {error}");
        }
    };
    let of = |example: (&str, &str), lines: &str| format!("{}\n{lines}\n", example.1);
    let sliding = SLIDING_EXAMPLES[0];
    let cells = CELL_EXAMPLES[0];
    told(
        &of(sliding, "[features]\narray_access = true"),
        &[
            "features.array_access = true",
            "\"sliding\"",
            "leave it out",
        ],
    );
    told(
        &of(cells, "[features]\nmax_age = false"),
        &[
            "features.max_age = false",
            "halves grow old",
            "leave it out",
        ],
    );
    told(
        &of(cells, "[features]\narray_access = false"),
        &["features.array_access = false", "leave it out"],
    );
    told(
        &edited(
            BASE,
            &[("[key]", "[features]\narray_access = false\n[key]")],
        ),
        &["memory.erase = \"spare-half\""],
    );
    told(
        &of(
            cells,
            "[memory]\nparity = \"count\"\n[features]\ncounters = \"none\"",
        ),
        &["features.counters = \"none\"", "memory.parity", "use 32"],
    );
    told(
        &of(
            cells,
            "[memory]\necc = true\n[features]\ncounters = \"none\"",
        ),
        &["features.counters = \"none\"", "memory.ecc", "use 32"],
    );
    told(
        &edited(
            BASE,
            &[(
                "[key]",
                "[protection]\nself_check = true\n[features]\ncounters = \"none\"\n[key]",
            )],
        ),
        &["features.counters = \"none\"", "restarts", "use 32"],
    );
    told(
        &edited(
            &with("max_age = false"),
            &[("on = \"bits-set\"", "on = \"bits-set\"\nmax_age_ms = 5")],
        ),
        &["features.max_age = false", "max_age_ms = 5", "use true"],
    );
    told(
        &with("verdict_queue = 24"),
        &[
            "features.verdict_queue = 24",
            "a power of two from 8 to 256",
            "32",
        ],
    );
    told(
        &(with("verdict_queue = 0") + "[card]\n"),
        &["features.verdict_queue = 0", "item port", "use 8 or more"],
    );
    told(
        &edited(
            BASE,
            &[(
                "[key]",
                "[protection]\nself_check = true\n[features]\nverdict_queue = 0\n[key]",
            )],
        ),
        &["features.verdict_queue = 0", "self_check", "use 8 or more"],
    );
    told(
        &of(sliding, "[features]\nverdict_queue = 16"),
        &[
            "features.verdict_queue = 16",
            "is less than the 32 places",
            "use 32",
        ],
    );
    told(
        &of(cells, "[features]\nregisters = \"threshold\""),
        &[
            "features.registers = \"threshold\"",
            "use \"full\" or \"none\"",
        ],
    );
    told(
        &(with("registers = \"none\"") + "[card]\n"),
        &["features.registers = \"none\"", "[card]", "\"threshold\""],
    );
    told(
        &edited(
            &with("registers = \"none\""),
            &[("family = \"h3-sbox\"", "family = \"siphash\"")],
        ),
        &[
            "features.registers = \"none\"",
            "hash.family = \"siphash\"",
            "use \"full\"",
        ],
    );
    told(
        &with("registers = \"threshold\"\narray_access = true"),
        &[
            "features.registers = \"threshold\"",
            "features.array_access = true",
            "leave out",
        ],
    );
    told(
        &of(
            cells,
            "[memory]\necc = true\n[features]\nregisters = \"none\"",
        ),
        &[
            "features.registers = \"none\"",
            "memory.ecc",
            "use \"full\"",
        ],
    );
    told(
        &with("counters = 16"),
        &["features.counters = 16", "\"none\" or an integer: 32, 64"],
    );
    told(&with("counter = 32"), &["did you mean `counters`"]);
}
