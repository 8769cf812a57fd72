//! Tests of geometries derived from valid specifications, and that no input text makes the crate panic.

use crate::common::{complete, edited, geometry, read, BASE};
use bloomline_spec::registers::RegisterMap;
use bloomline_spec::{
    FilterSpec, HashFamily, Hashing, RecycleOn, RecyclingGeometry, SpecError, TargetSection,
    Threshold,
};
use proptest::prelude::*;
use std::path::Path;

#[test]
fn sizes_follow_from_memory_phases_and_hashes() {
    let tiny = geometry(&[]);
    assert_eq!(
        (tiny.phases(), tiny.hashes(), tiny.memory_bits()),
        (2, 4, 131_072)
    );
    assert_eq!(
        (tiny.half_bits(), tiny.partition_bits(), tiny.index_bits()),
        (65_536, 16_384, 14)
    );
    assert_eq!((tiny.words_per_bank(), tiny.word_address_bits()), (512, 9));
    assert_eq!((tiny.count_bits(), tiny.threshold()), (17, 20_000));
    assert_eq!(
        (tiny.recycle_on(), tiny.hashing()),
        (RecycleOn::BitsSet, Hashing::Double)
    );
    assert_eq!(
        (
            tiny.retain(),
            tiny.max_age_ticks(),
            tiny.tag_bits(),
            tiny.clock_hz()
        ),
        (true, 0, 16, 250_000_000)
    );
}

#[test]
fn a_bank_is_whole_words_and_its_range_any_number_that_reaches_the_last() {
    let independent = ("\"double\"", "\"independent\"\nrange = 9362");
    let seven = geometry(&[
        ("131072", "131264"),
        ("hashes = 4", "hashes = 7"),
        independent,
    ]);
    assert_eq!((seven.partition_bits(), seven.range()), (9_362, 9_362));
    assert_eq!(
        (seven.words_per_bank(), seven.word_address_bits()),
        (293, 9)
    );
    assert_eq!((seven.half_bits(), seven.index_bits()), (65_534, 14));
    assert_eq!((seven.memory_bits(), seven.count_bits()), (131_264, 17));
    assert_eq!(seven.stored_bits(), 36 * 293 * 14);
    let spare = "[memory]\nerase = \"spare-half\"\nrow_bits = 16\n[key]";
    let spare = geometry(&[
        ("131072", "131264"),
        ("hashes = 4", "hashes = 7"),
        independent,
        ("[key]", spare),
    ]);
    assert_eq!((spare.erase_rows(), spare.stored_bits()), (586, 9_376 * 21));
    // a whole bank under double hashing, and a prime in a bank of a power of two
    let whole = geometry(&[("131072", "131328")]);
    assert_eq!(
        (whole.partition_bits(), whole.words_per_bank()),
        (16_416, 513)
    );
    let prime = geometry(&[("\"double\"", "\"double\"\nrange = 16381")]);
    assert_eq!(
        (prime.partition_bits(), prime.words_per_bank()),
        (16_381, 512)
    );
    assert!(prime.geometry_hash() != geometry(&[]).geometry_hash());
}

#[test]
fn a_secret_per_half_takes_two_phases_and_a_keyed_hash() {
    let rekey = |geometry: &RecyclingGeometry| {
        let map = RegisterMap::of(geometry);
        let fields = map
            .register("filter", "CONTROL")
            .expect("always")
            .fields
            .clone();
        let field = fields.iter().find(|field| field.name == "rekey");
        field.map(|field| field.doc)
    };
    let keyed = ("\"h3-sbox\"", "\"siphash\"");
    let two = geometry(&[keyed]);
    let one = geometry(&[keyed, ("phases = 2", "phases = 1")]);
    let public = geometry(&[]);
    assert!(two.has_secret_per_half() && !one.has_secret_per_half());
    assert!(!public.has_secret_per_half());
    assert!(rekey(&two).is_some_and(|doc| doc.starts_with("1: recycle")));
    assert!(rekey(&one).is_some_and(|doc| doc.starts_with("1: clear")));
    assert_eq!(rekey(&public), None);
}

#[test]
fn maximum_age_is_rounded_down_to_ticks_but_never_to_none() {
    let ticks =
        |age: &str| geometry(&[("20000", &format!("20000\nmax_age_ms = {age}"))]).max_age_ticks();
    // 250,000 clocks a millisecond, 1024 clocks a tick: 244.14 ticks.
    assert_eq!(["0", "1", "100"].map(ticks), [0, 244, 24_414]);
    // The longest the register holds: 4,294,967,285.15 ticks.
    assert_eq!(ticks("17592186"), 4_294_967_285);
    let slow = geometry(&[
        ("20000", "20000\nmax_age_ms = 1"),
        ("[key]", "[target]\nclock_hz = 1000\n[key]"),
    ]);
    assert_eq!(slow.max_age_ticks(), 1);
}

#[test]
fn a_source_fixes_the_width_and_may_be_repeated_as_bits() {
    assert_eq!(
        geometry(&[("bits = 104", "source = \"ipv6-5tuple\"")]).key_bits(),
        296
    );
    assert_eq!(
        geometry(&[("bits = 104", "bits = 32\nsource = \"dst-ip\"")]).key_bits(),
        32
    );
}

#[test]
fn hash_functions_are_two_for_double_and_one_a_probe_for_independent() {
    assert_eq!(geometry(&[]).hash().functions, 2);
    assert_eq!(
        geometry(&[("\"double\"", "\"independent\"")])
            .hash()
            .functions,
        4
    );
    assert_eq!(geometry(&[]).hash().function_bits, 15);
    assert_eq!(geometry(&[("131072", "16777216")]).hash().function_bits, 21);
}

#[test]
fn geometry_hash_changes_with_everything_that_changes_the_gateware() {
    let changes: &[(&str, &str)] = &[
        ("\"tiny\"", "\"other\""),
        ("131072", "262144"),
        ("hashes = 4", "hashes = 8"),
        ("\"double\"", "\"independent\""),
        ("\"double\"", "\"double\"\nrange = 16381"),
        ("131072", "131328"),
        ("phases = 2", "phases = 1"),
        ("\"bits-set\"", "\"messages\""),
        ("20000", "20001"),
        ("20000", "20000\nretain = false"),
        ("20000", "20000\nmax_age_ms = 1"),
        ("bits = 104", "bits = 105"),
        ("bits = 104", "source = \"ipv4-5tuple\""),
        ("bits = 104", "bits = 104\ntag_bits = 17"),
        ("\"h3-sbox\"", "\"h3\""),
        ("seed = 1", "seed = 2"),
        ("[key]", "[memory]\nparity = \"count\"\n[key]"),
        ("[key]", "[memory]\nparity = \"empty\"\n[key]"),
    ];
    let mut hashes: Vec<u64> = changes
        .iter()
        .map(|&change| geometry(&[change]).geometry_hash())
        .collect();
    hashes.push(geometry(&[]).geometry_hash());
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), changes.len() + 1);
}

#[test]
fn geometry_hash_ignores_what_leaves_the_gateware_alone() {
    let plain = geometry(&[]).geometry_hash();
    let same: &[(&str, &str)] = &[
        ("20000", "20000 # a comment"),
        ("20000", "20000\ntarget_fpr = 0.5"),
        ("20000", "20000\nretain = true"),
        ("[key]", "[target]\nclock_hz = 100000000\n[key]"),
        ("hashes = 4", "hashes = 4\naccept_two_hash_floor = true"),
        ("[key]", "[memory]\n[key]"),
        ("[key]", "[memory]\nparity = \"none\"\n[key]"),
    ];
    for &change in same {
        assert_eq!(geometry(&[change]).geometry_hash(), plain, "{change:?}");
    }
}

/// A host checks a device built long ago: the value may change only together with the hash's `format`.
#[test]
fn geometry_hash_of_a_known_specification_is_stable() {
    assert_eq!(geometry(&[]).geometry_hash(), 0x3060_A838_7BBB_C866);
}

#[test]
fn completing_with_a_threshold_keeps_the_sizing() {
    let sizing = read(BASE).and_then(|spec| spec.validate()).expect("valid");
    let geometry = sizing.with_threshold(4).expect("k bits is the least");
    assert_eq!(geometry.sizing(), &sizing);
    assert!(
        std::ptr::eq(geometry.hash(), sizing.hash()),
        "constants are shared, not copied"
    );
}

fn completed(spec: &FilterSpec) -> Result<RecyclingGeometry, SpecError> {
    complete(&spec.to_toml())
}

fn specification() -> impl Strategy<Value = FilterSpec> {
    let around = |most: u64| prop_oneof![0..=most + 2, any::<u64>()];
    let memory = prop_oneof![
        (0u32..40, 1u64..70).prop_map(|(exponent, parts)| parts << exponent),
        any::<u64>()
    ];
    let threshold = prop_oneof![
        Just(Threshold::Auto),
        around(70_000).prop_map(Threshold::Fixed)
    ];
    let rate = prop_oneof![
        Just(None),
        any::<f64>().prop_map(Some),
        (0.0..1.0).prop_map(Some)
    ];
    let range = prop_oneof![Just(None), around(20_000).prop_map(Some)];
    (
        (memory, range),
        around(32),
        around(2),
        threshold,
        rate,
        around(512),
        around(64),
        any::<u64>(),
        any::<u64>(),
        any::<bool>(),
    )
        .prop_map(
            |(
                (memory, range),
                hashes,
                phases,
                threshold,
                rate,
                key_bits,
                tag_bits,
                age,
                clock,
                messages,
            )| {
                let mut spec = read(BASE).expect("valid");
                spec.filter.memory_bits = memory;
                spec.filter.range = range;
                spec.filter.hashing = Hashing::Independent;
                spec.filter.hashes = hashes;
                spec.key.bits = Some(key_bits);
                spec.key.tag_bits = tag_bits;
                spec.hash.family = HashFamily::H3;
                spec.target = Some(TargetSection {
                    clock_hz: clock >> (clock % 64),
                    ..TargetSection::default()
                });
                let recycle = spec.filter.recycle.as_mut().expect("the base has one");
                recycle.phases = phases;
                recycle.threshold = threshold;
                recycle.target_fpr = rate;
                recycle.max_age_ms = age >> (age % 64);
                recycle.on = if messages {
                    RecycleOn::Messages
                } else {
                    RecycleOn::BitsSet
                };
                spec
            },
        )
}

/// Follows the advice of each rule until the specification is valid.
fn repaired(mut spec: FilterSpec) -> Result<(FilterSpec, RecyclingGeometry), SpecError> {
    // One step for each rule that numbers can break, and one to spare for a threshold that a smaller memory overtakes.
    for _ in 0..12 {
        let checked = completed(&spec);
        let Err(SpecError::Rule { key, advice, .. }) = &checked else {
            return checked.map(|geometry| (spec, geometry));
        };
        let recycle = spec.filter.recycle.as_mut().expect("the base has one");
        let legal = advice
            .strip_prefix("nearest legal value ")
            .and_then(|value| value.parse::<u64>().ok());
        match (*key, legal) {
            ("filter.recycle.target_fpr", _) => recycle.target_fpr = Some(0.01),
            ("filter.memory_bits", Some(value)) => spec.filter.memory_bits = value,
            ("filter.range", Some(value)) => spec.filter.range = Some(value),
            ("filter.hashes", Some(value)) => spec.filter.hashes = value,
            ("filter.recycle.phases", Some(value)) => recycle.phases = value,
            ("filter.recycle.threshold", Some(value)) => {
                recycle.threshold = Threshold::Fixed(value)
            }
            ("filter.recycle.max_age_ms", Some(value)) => recycle.max_age_ms = value,
            ("key.bits", Some(value)) => spec.key.bits = Some(value),
            ("key.tag_bits", Some(value)) => spec.key.tag_bits = value,
            ("target.clock_hz", Some(value)) => {
                spec.target = Some(TargetSection {
                    clock_hz: value,
                    ..TargetSection::default()
                })
            }
            _ => return checked.map(|geometry| (spec, geometry)),
        }
    }
    completed(&spec).map(|geometry| (spec, geometry))
}

proptest! {
    #[test]
    fn following_the_advice_of_each_error_makes_any_numbers_valid(spec in specification()) {
        let outcome = repaired(spec);
        prop_assert!(outcome.is_ok(), "{:?}", outcome.err());
    }

    #[test]
    fn a_valid_geometry_adds_up(spec in specification()) {
        let (spec, geometry) = repaired(spec)?;
        let parts = u64::from(geometry.phases() * geometry.hashes());
        prop_assert_eq!(geometry.memory_bits(), spec.filter.memory_bits);
        prop_assert_eq!(parts * geometry.words_per_bank() * 32, geometry.memory_bits());
        let unused = geometry.words_per_bank() * 32 - geometry.partition_bits();
        prop_assert_eq!(unused, spec.filter.range.map_or(0, |_| unused));
        prop_assert!(unused < 32);
        prop_assert_eq!(1u64 << geometry.word_address_bits(), geometry.words_per_bank().next_power_of_two());
        prop_assert!(geometry.partition_bits() <= 1 << geometry.index_bits());
        prop_assert_eq!(geometry.index_bits(), geometry.word_address_bits() + 5);
        prop_assert!(geometry.words_per_bank() >= 4);
        prop_assert!(geometry.half_bits() >> geometry.count_bits() == 0 && geometry.count_bits() <= 32);
        prop_assert!(geometry.threshold() <= geometry.half_bits());
        let (_, most) = geometry.thresholds();
        prop_assert!(geometry.with_threshold(most).is_ok());
        prop_assert!(geometry.with_threshold(most + 1).is_err());
        prop_assert!(geometry.hash().function_bits >= geometry.index_bits());
    }

    #[test]
    fn canonical_text_reads_back(spec in specification()) {
        let again = read(&spec.to_toml()).expect("canonical text");
        prop_assert_eq!(again.to_toml(), spec.to_toml());
        prop_assert_eq!(again.validate().is_ok(), spec.validate().is_ok());
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = complete(&text);
    }

    #[test]
    fn no_damaged_specification_panics(at in 0..BASE.len(), length in 0usize..40, filling in "[ -~\n]{0,12}") {
        let end = (at + length).min(BASE.len());
        let _ = complete(&format!("{}{filling}{}", &BASE[..at], &BASE[end..]));
    }

    #[test]
    fn no_value_panics(line in 0..BASE.lines().count(), value in "(-?[0-9]{1,30}|[0-9.e-]{1,9}|\"[a-z0-9-]{0,12}\"|true|\\[\\]|inf|nan)") {
        let lines: Vec<String> = BASE.lines().enumerate().map(|(index, text)| match text.split_once(" = ") {
            Some((key, _)) if index == line => format!("{key} = {value}"),
            _ => text.to_owned(),
        }).collect();
        let _ = complete(&lines.join("\n"));
    }
}

#[test]
fn errors_name_the_file_they_were_given() {
    let text = edited(BASE, &[("hashes = 4", "hashes = 33")]);
    let spec =
        FilterSpec::from_toml(&text, Path::new("examples/onehit.toml")).expect("shape is right");
    assert_eq!(
        spec.validate().map(|_| ()).map_err(|error| error.to_string()),
        Err("examples/onehit.toml: filter.hashes = 33: must be from 1 to 32; nearest legal value 32".to_owned())
    );
}
