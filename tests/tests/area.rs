//! What `plan` says of a filter's area, beside what yosys gives.

use bloomline_tests::{drawn_spec, few, runs, synthesised, AreaRecord};
use bloomline_toolkit::forecast::Family;
use bloomline_toolkit::Filter;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

#[test]
fn estimates_are_as_good_as_they_say_on_recorded_syntheses() {
    let records = AreaRecord::all();
    let sorts: std::collections::BTreeSet<&str> = records.iter().map(|r| r.sort.as_str()).collect();
    assert!(sorts.len() >= 10, "sorts of filters: {sorts:?}");
    for record in few(&records, 3) {
        let estimates = record.filter().area().expect("an estimate");
        let what = format!(
            "seed {}, {}: {}",
            record.seed, record.sort, record.specification
        );
        for (estimate, synthesised) in record.pairs(&estimates) {
            synthesised.holds(estimate, &what);
        }
    }
}

#[test]
fn records_are_of_what_their_seeds_draw() {
    for record in AreaRecord::all() {
        let (sort, text) = drawn_spec(record.seed);
        assert_eq!((sort, text), (&*record.sort, record.specification));
    }
}

/// Block RAMs of examples that yosys gave, as `hdl/docs/results.md` has them: DP16KD, and RAMB36 and RAMB18 of AMD's families.
const OF_EXAMPLES: [(&str, u64, [u64; 2]); 5] = [
    ("members", 8, [4, 0]),
    ("onehit", 8, [0, 8]),
    ("hotkeys", 32, [16, 0]),
    ("heavy", 33, [16, 0]),
    ("window", 40, [16, 8]),
];

#[test]
fn block_rams_of_examples_are_those_of_their_syntheses() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl/specification/examples");
    for &(name, ecp5, amd) in few(&OF_EXAMPLES, 3) {
        let file = folder.join(format!("{name}.toml"));
        let filter = Filter::read(&file).unwrap_or_else(|error| panic!("{error}"));
        for estimate in filter.area().expect("an estimate") {
            let expected = match estimate.family {
                Family::Ecp5 => [0, ecp5],
                Family::Series7 | Family::UltraScalePlus => amd,
            };
            let found = [estimate.block_rams_36_kbit, estimate.block_rams_18_kbit];
            assert_eq!(found, expected, "{name} on {}", estimate.family.name());
        }
    }
}

#[test]
#[ignore = "a claim"]
fn estimates_are_as_good_as_they_say_on_specifications_that_nobody_has_seen() {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock");
    let first = now.as_nanos() as u64 % 1_000_000_000;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut objections = vec![];
    for seed in (first..).take(runs(2, 12) as usize) {
        let (sort, text) = drawn_spec(seed);
        println!("seed {seed}: {sort}");
        let filter = Filter::from_text(Path::new("drawn.toml"), text.clone()).expect("legal");
        let estimates = filter.area().expect("an estimate");
        let family = Family::ALL[seed as usize / 12 % 3];
        let estimate = estimates
            .iter()
            .find(|it| it.family == family)
            .expect("each family");
        let synthesised = synthesised(&filter, family, folder.path());
        println!("  {estimate:?}\n  {synthesised:?}");
        let objection = synthesised.objection(estimate);
        objections.extend(objection.map(|it| format!("seed {seed}, {sort}: {text}\n{it}")));
    }
    assert!(objections.is_empty(), "{}", objections.join("\n"));
}
