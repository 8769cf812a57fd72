//! Filters of cells: what a legal specification becomes, and every error message, verbatim.
//!
//! `INSTA_UPDATE=always cargo test -p bloomline-spec` rewrites the snapshots.

use crate::common::{
    broken, edited, legal, legal_values_offered, listing_of_rules, read, Broken, BASE, STATIC,
};
use bloomline_spec::registers::CellCounter;
use bloomline_spec::{
    CellOperation, CellVerdict, Design, FilterKind, HashUnit, RegisterMap, CELL_EXAMPLES, EXAMPLES,
};

const COUNTING: &str = "\
name = \"tiny\"
[filter]
kind = \"counting\"
memory_bits = 131072
hashes = 4
items = 1000
[filter.counting]
counter_bits = 4
threshold = 5
[key]
bits = 104
";

const COUNT_MIN: &str = "\
name = \"tiny\"
[filter]
kind = \"count-min\"
memory_bits = 131072
hashes = 4
items = 1000
[filter.count-min]
counter_bits = 32
amount_bits = 16
[key]
bits = 104
";

#[test]
fn every_example_resolves_to_its_kind() {
    let kinds: Vec<FilterKind> = CELL_EXAMPLES
        .iter()
        .map(|(_, text)| legal(text).kind())
        .collect();
    assert_eq!(
        kinds,
        [
            FilterKind::Static,
            FilterKind::Counting,
            FilterKind::CountMin
        ]
    );
    for (_, text) in EXAMPLES {
        let resolved = read(text)
            .and_then(|spec| spec.design_with(|_, _| Ok(30_000)))
            .expect("an example");
        assert!(matches!(resolved, Design::Recycling(_)));
    }
}

#[test]
fn cells_fill_words_in_powers_of_two() {
    let widths = [(2, 16), (3, 8), (4, 8), (5, 4), (8, 4), (9, 2), (16, 2)];
    for (bits, lanes) in widths {
        let memory = format!("memory_bits = {}", 4 * 1024 * bits);
        let counters = format!("counter_bits = {bits}");
        let text = edited(
            COUNTING,
            &[
                ("memory_bits = 131072", &memory),
                ("counter_bits = 4", &counters),
                ("threshold = 5", "threshold = 2"),
            ],
        );
        let geometry = legal(&text);
        assert_eq!(
            (geometry.lanes(), geometry.range()),
            (lanes, 1024),
            "{bits} bits"
        );
        assert_eq!(geometry.words_per_bank() * u64::from(lanes), 1024);
        assert_eq!(
            geometry.lane_bits() + geometry.word_address_bits(),
            geometry.index_bits()
        );
        assert_eq!(geometry.cell_max(), (1 << bits) - 1);
        assert_eq!(geometry.memory_bits(), 4 * 1024 * bits);
    }
    let one = legal(STATIC);
    assert_eq!(
        (
            one.lanes(),
            one.cell_bits(),
            one.verdict_bits(),
            one.operation_bits()
        ),
        (32, 1, 1, 2)
    );
    let sketch = legal(COUNT_MIN);
    assert_eq!(
        (
            sketch.lanes(),
            sketch.verdict_bits(),
            sketch.operation_bits()
        ),
        (1, 36, 18)
    );
    assert_eq!(
        (sketch.threshold(), sketch.cell_max()),
        (u32::MAX, u32::MAX)
    );
}

#[test]
fn a_shared_array_is_one_bank_and_takes_k_clocks_an_item() {
    let shared = |edits: &[(&str, &str)]| {
        legal(&edited(
            &edited(STATIC, &[("hashes = 4", "hashes = 4\nlayout = \"shared\"")]),
            edits,
        ))
    };
    let geometry = shared(&[]);
    assert_eq!(
        (geometry.banks(), geometry.range(), geometry.index_bits()),
        (1, 131_072, 17)
    );
    assert_eq!(geometry.timing().initiation_interval(), 4);
    assert_eq!(geometry.array_address_bits(), 12);
    let prime = shared(&[(
        "hashes = 4",
        "hashes = 4\nrange = 131071\nhashing = \"extended-double-3\"",
    )]);
    assert_eq!(
        (prime.range(), prime.cells_per_bank(), prime.index_bits()),
        (131_071, 131_072, 17)
    );
    assert!(prime.probing().scales());
    let distinct = shared(&[(
        "hashes = 4",
        "hashes = 4\nhashing = \"independent\"\ndistinct = true",
    )]);
    assert!(distinct.distinct() && distinct.probing().scales());
    // any range will do for independent functions
    assert_eq!(
        shared(&[(
            "hashes = 4",
            "hashes = 4\nhashing = \"independent\"\nrange = 100000"
        )])
        .range(),
        100_000
    );
    // of the smallest bank all eight counters, and no error that asks for more than there are
    let smallest = [
        ("memory_bits = 131072", "memory_bits = 256"),
        ("hashes = 4", "hashes = 1\nlayout = \"shared\"\nrange = 8"),
    ];
    assert_eq!(legal(&edited(COUNT_MIN, &smallest)).range(), 8);
}

#[test]
fn copies_have_functions_of_their_own_and_another_geometry_hash() {
    let of = |keys: &str| legal(&edited(COUNT_MIN, &[("hashes = 4", keys)]));
    let (one, two) = (of("hashes = 4"), of("hashes = 4\ncopies = 2"));
    assert_eq!((one.copies(), two.copies()), (1, 2));
    assert_eq!((one.hash().functions, two.hash().functions), (2, 4));
    assert_eq!(
        (one.banks(), one.memory_bits()),
        (two.banks(), two.memory_bits())
    );
    assert_eq!(one.timing(), two.timing());
    assert_eq!(
        one.geometry_hash(),
        of("hashes = 4\ncopies = 1").geometry_hash()
    );
    assert_ne!(one.geometry_hash(), two.geometry_hash());
    let prime = |copies| of(&format!("hashes = 4\nrange = 1021\ncopies = {copies}"));
    assert_eq!(
        prime(2).probing().spread_clocks() + 2,
        prime(1).probing().spread_clocks()
    );
}

#[test]
fn a_filter_that_is_updated_conservatively_has_no_removal_and_another_geometry_hash() {
    let of = |base: &str, conservative: bool| {
        let keys = format!("hashes = 4\nlayout = \"shared\"\nconservative = {conservative}");
        legal(&edited(base, &[("hashes = 4", &keys)]))
    };
    for base in [COUNTING, COUNT_MIN] {
        let (plain, conservative) = (of(base, false), of(base, true));
        assert!(conservative.conservative() && !plain.conservative());
        assert!(!conservative.removes());
        assert_ne!(plain.geometry_hash(), conservative.geometry_hash());
        assert_eq!(plain.timing().initiation_interval(), 4);
        assert_eq!(conservative.timing().initiation_interval(), 12);
        assert!(!conservative.counters().contains(&CellCounter::Removed));
        let map = RegisterMap::of(&conservative);
        assert!(map.register("counters", "UNDERFLOWS_LO").is_none());
        assert!(map.register("counters", "SATURATED_LO").is_some());
    }
    assert!(of(COUNTING, false).removes());
}

#[test]
fn a_keyed_hash_has_a_secret_to_write_and_a_rekey_and_no_other_hash_has() {
    for (family, clocks) in [("siphash", 21), ("siphash-2-4", 33)] {
        let geometry = legal(&format!("{STATIC}[hash]\nfamily = \"{family}\"\n"));
        assert_eq!(geometry.timing().hash_clocks, clocks);
        let map = RegisterMap::of(&geometry);
        assert!(map.register("filter", "HASH_KEY_3").is_some());
        assert_eq!(
            map.register("filter", "CONTROL")
                .map(|register| register.width),
            Some(2)
        );
        assert!(geometry.hash().secret.is_some());
        let same = legal(&format!(
            "{STATIC}[hash]\nfamily = \"{family}\"\nseed = 2\n"
        ));
        assert_ne!(geometry.hash().secret, same.hash().secret);
    }
    let open = legal(STATIC);
    assert!(RegisterMap::of(&open)
        .register("filter", "HASH_KEY_0")
        .is_none());
    assert_eq!(open.hash().secret, None);
}

#[test]
fn several_keyed_units_hash_messages_of_one_length_that_differ() {
    let text = edited(
        STATIC,
        &[("hashes = 4", "hashes = 16\nhashing = \"independent\"")],
    );
    let geometry = legal(&format!("{text}[hash]\nfamily = \"siphash\"\n"));
    let units: Vec<_> = geometry
        .hash()
        .units
        .iter()
        .map(|unit| match unit {
            HashUnit::Sip(unit) => unit.clone(),
            _ => panic!("a keyed family"),
        })
        .collect();
    assert_eq!(
        units.iter().map(|unit| unit.functions.len()).sum::<usize>(),
        16
    );
    assert_eq!(
        units.iter().map(|unit| unit.number).collect::<Vec<_>>(),
        [Some(0), Some(1), Some(2), Some(3)]
    );
    assert!(units
        .iter()
        .all(|unit| unit.message_bytes == 14 && unit.clocks() == 21));
}

#[test]
fn the_geometry_hash_covers_what_changes_the_gateware_and_nothing_else() {
    let base = legal(COUNTING).geometry_hash();
    let hash = |edits: &[(&str, &str)]| legal(&edited(COUNTING, edits)).geometry_hash();
    assert_eq!(base, hash(&[("items = 1000", "items = 1001")]));
    assert_eq!(
        base,
        hash(&[("bits = 104", "bits = 104\n[target]\nclock_hz = 1000")])
    );
    for edit in [
        ("threshold = 5", "threshold = 6"),
        ("counter_bits = 4", "counter_bits = 8"),
        ("memory_bits = 131072", "memory_bits = 65536"),
        ("bits = 104", "bits = 103"),
        ("bits = 104", "bits = 104\ntag_bits = 3"),
        ("items = 1000", "items = 1000\nhashing = \"independent\""),
        ("[key]", "[hash]\nseed = 2\n[key]"),
    ] {
        assert_ne!(base, hash(&[edit]), "{edit:?}");
    }
}

#[test]
fn registers_are_unique_and_a_kind_has_only_its_own() {
    for text in [STATIC, COUNTING, COUNT_MIN] {
        let geometry = legal(text);
        let map = RegisterMap::of(&geometry);
        let offsets: Vec<u32> = map.registers().map(|register| register.offset).collect();
        assert!(
            offsets.windows(2).all(|pair| pair[0] < pair[1]),
            "{offsets:x?}"
        );
        assert!(offsets
            .iter()
            .all(|offset| offset % 4 == 0 && *offset < 256));
        assert_eq!(
            map.register("filter", "THRESHOLD").is_some(),
            geometry.kind() != FilterKind::Static
        );
        assert_eq!(
            map.register("counters", "UNDERFLOWS_LO").is_some(),
            geometry.kind() == FilterKind::Counting
        );
        for counter in geometry.counters() {
            let low = map.at(counter.address_lo()).expect("in the map");
            assert_eq!(low.name, format!("{}_LO", counter.name()));
        }
    }
}

#[test]
fn parity_has_a_counter_of_its_own_a_newer_block_and_another_geometry_hash() {
    let at = CellCounter::ParityErrors.address_lo();
    assert_eq!(at, 0xD0);
    for base in [STATIC, COUNTING, COUNT_MIN] {
        for layout in ["partitioned", "shared"] {
            let layout = format!("hashes = 4\nlayout = \"{layout}\"");
            let with = |parity: &str| {
                let section = format!("[memory]\nparity = \"{parity}\"\n[key]");
                legal(&edited(
                    base,
                    &[("hashes = 4", &layout), ("[key]", &section)],
                ))
            };
            let plain = with("none");
            assert_eq!(RegisterMap::of(&plain).at(at), None);
            assert!(!plain.counters().contains(&CellCounter::ParityErrors));
            let mut hashes = vec![plain.geometry_hash()];
            for parity in ["count", "empty"] {
                let geometry = with(parity);
                let map = RegisterMap::of(&geometry);
                let name = |offset| map.at(offset).map(|register| register.name);
                assert_eq!(name(at), Some("PARITY_ERRORS_LO"));
                assert_eq!(name(at + 4), Some("PARITY_ERRORS_HI"));
                assert_eq!(geometry.counters().last(), Some(&CellCounter::ParityErrors));
                let version = map
                    .register("counters", "BLOCK_VERSION")
                    .expect("it has one");
                assert_eq!(version.reset, Some(2));
                assert_eq!(geometry.stored_bits() * 36, plain.stored_bits() * 37);
                hashes.push(geometry.geometry_hash());
            }
            hashes.sort_unstable();
            hashes.dedup();
            assert_eq!(hashes.len(), 3);
        }
    }
    let bare = legal(&edited(COUNTING, &[("[key]", "[memory]\n[key]")]));
    assert_eq!(bare.geometry_hash(), legal(COUNTING).geometry_hash());
}

#[test]
fn verdict_bits_round_trip() {
    for bits in 0..1024 {
        assert_eq!(CellVerdict::from_bits(bits).to_bits(), bits);
    }
    let greatest = CellVerdict {
        estimate: u32::MAX,
        ..CellVerdict::default()
    };
    assert_eq!(CellVerdict::from_bits(greatest.to_bits()), greatest);
}

#[test]
fn operation_codes_round_trip_and_code_three_removes_only_where_that_exists() {
    for operation in CellOperation::ALL {
        assert_eq!(
            CellOperation::from_code(operation.code().into(), true),
            operation
        );
    }
    assert_eq!(
        CellOperation::from_code(3, false),
        CellOperation::TestAndInsert
    );
    assert_eq!(
        CellOperation::from_code(0b11101, true),
        CellOperation::Insert
    );
}

pub fn broken_rules() -> Vec<Broken> {
    let resolved = |text: &str| read(text).and_then(|spec| spec.design());
    let lists = [
        ("cells_static", STATIC),
        ("cells_counting", COUNTING),
        ("cells_count_min", COUNT_MIN),
        ("cells_recycling", BASE),
    ];
    let cases = lists
        .into_iter()
        .flat_map(|(list, base)| broken(list, |edits| edited(base, edits), resolved));
    cases.collect()
}

#[test]
fn rule_errors_name_key_value_rule_and_nearest_legal_value() {
    insta::assert_snapshot!(listing_of_rules(broken_rules()));
}

#[test]
fn the_nearest_legal_value_offered_is_legal() {
    let offered = legal_values_offered(broken_rules(), |text| read(text)?.design());
    assert!(offered > 10, "{offered}");
}

#[test]
fn a_window_has_two_panes_and_a_turn_is_accounted_for_before_the_next_but_one() {
    let text = COUNTING
        .replace("items = 1000\n", "")
        .replace("threshold = 5", "threshold = 5\nwindow = 1000");
    let (windowed, plain) = (legal(&text), legal(COUNTING));
    assert_eq!(
        (windowed.window(), windowed.panes(), windowed.items()),
        (Some(1000), 2, 2000)
    );
    assert_eq!(windowed.memory_bits(), plain.memory_bits());
    assert_eq!((windowed.banks(), plain.banks()), (8, 4));
    assert_eq!(2 * windowed.cells_per_bank(), plain.cells_per_bank());
    assert!(!windowed.removes() && plain.removes());
    assert_eq!(windowed.verdict_bits(), plain.verdict_bits());
    assert_ne!(windowed.geometry_hash(), plain.geometry_hash());
    let other = legal(&text.replace("window = 1000", "window = 1001"));
    assert_ne!(windowed.geometry_hash(), other.geometry_hash());
    let [windowed, plain] = [windowed.timing(), plain.timing()];
    assert_eq!(windowed.decision_stage, plain.decision_stage + 1);
    assert_eq!((windowed.sum_clocks, windowed.turn_clocks()), (1, 4));
    // the slowest hash of the longest key, 32 banks a pane, memory with an error-correcting code
    let slowest = legal(
        &text
            .replace("hashes = 4", "hashes = 32")
            .replace("131072", "1048576")
            .replace(
                "bits = 104\n",
                "bits = 512\n[hash]\nfamily = \"siphash-2-4\"\n[memory]\necc = true\n",
            )
            .replace("hashes = 32", "hashes = 32\naccept_two_hash_floor = true"),
    );
    let retire = u64::from(slowest.timing().retire_clocks);
    assert!(retire > 100, "{retire}");
    assert!(
        2 * (bloomline_spec::MIN_WINDOW + 4) > retire + 2,
        "{retire}"
    );
}
