//! The recycling filter with a spare half: what it becomes, and what it refuses.

use crate::common::{complete, edited, geometry, read, BASE};
use bloomline_spec::{
    Design, Erase, FilterSpec, RecyclingGeometry, SpecError, ThresholdSetting, CELL_EXAMPLES,
    SLIDING_EXAMPLES, SPARE_HALF_EXAMPLES,
};
use std::path::Path;

const SPARE_HALF: (&str, &str) = ("[key]", "[memory]\nerase = \"spare-half\"\n[key]");
const ROWS_OF_4: (&str, &str) = (
    "[key]",
    "[memory]\nerase = \"spare-half\"\nrow_bits = 4\n[key]",
);

#[test]
fn it_stores_a_half_more_than_it_has_phases_and_no_epochs() {
    let plain = geometry(&[]);
    let with = geometry(&[SPARE_HALF]);
    assert_eq!(plain.erase(), Erase::Epoch);
    assert_eq!((with.erase(), with.row_bits()), (Erase::SpareHalf, 1));
    let half = with.half_bits();
    let halves = u64::from(with.phases()) + 1;
    assert_eq!(with.stored_bits(), half * halves);
    assert_eq!(
        plain.stored_bits(),
        36 * half / 32 * u64::from(plain.phases())
    );
    assert_eq!(with.erase_rows(), with.partition_bits());
    assert_eq!(with.memory_bits(), plain.memory_bits());
    assert!(with.timing().decision_stage < plain.timing().decision_stage);
    let rows = geometry(&[ROWS_OF_4]);
    assert_eq!(rows.erase_rows() * 4, with.erase_rows());
    assert!(rows.stall_free_threshold() < with.stall_free_threshold());
    let mut hashes = [&plain, &with, &rows].map(|geometry| geometry.geometry_hash());
    hashes.sort_unstable();
    assert!(hashes.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn a_filter_knows_what_it_would_be_with_the_other_way_to_empty_a_half() {
    let (plain, with) = (geometry(&[]), geometry(&[SPARE_HALF]));
    let other = plain.erased_by(Erase::SpareHalf).expect("it may");
    assert_eq!(&other, with.sizing());
    assert_eq!(
        &with.erased_by(Erase::Epoch).expect("it may"),
        plain.sizing()
    );
    let parity = geometry(&[("[key]", "[memory]\nparity = \"count\"\n[key]")]);
    assert!(parity.erased_by(Erase::SpareHalf).is_none());
}

#[test]
fn the_stall_free_threshold_follows_the_formula_of_its_page() {
    let with = geometry(&[SPARE_HALF]);
    let timing = with.timing();
    let unit = u64::from(with.unit());
    assert!(with.erase_guard() >= unit * u64::from(timing.retire_clocks + 1));
    assert!(with.erase_guard() < 2 * unit * u64::from(timing.retire_clocks + 1));
    let room = with.erase_guard() + unit * (with.erase_rows() - 4);
    let base = if with.retain() { unit } else { 0 };
    assert_eq!(with.stall_free_threshold(), room + base);
}

#[test]
fn what_does_not_go_with_a_spare_half_is_refused_with_the_next_step() {
    let memory = |text: &str| ("[key]", format!("[memory]\n{text}\n[key]"));
    let error = |edits: &[(&str, &str)]| match complete(&edited(BASE, edits)) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{edits:?}: must be an error"),
    };
    let (at, rows) = memory("row_bits = 4");
    let told = error(&[(at, &rows)]);
    assert!(
        told.contains("memory.row_bits = 4") && told.contains("leave it out"),
        "{told}"
    );
    let (at, rows) = memory("erase = \"spare-half\"\nrow_bits = 5");
    let told = error(&[(at, &rows)]);
    assert!(
        told.contains("must be 1, 2, 4, 8 or 16") && told.contains("nearest legal value 4"),
        "{told}"
    );
    let (at, parity) = memory("erase = \"spare-half\"\nparity = \"count\"");
    let told = error(&[(at, &parity)]);
    assert!(
        told.contains("memory.erase") && told.contains("leave out memory.parity"),
        "{told}"
    );
    let shared = ("\"double\"", "\"double\"\nlayout = \"shared\"");
    let told = error(&[shared, SPARE_HALF]);
    assert!(
        told.contains("shared layout") && told.contains("\"epoch\""),
        "{told}"
    );
    let (at, misspelt) = memory("erase = \"spare_half\"");
    let told = error(&[(at, &misspelt)]);
    assert!(told.contains("did you mean \"spare-half\"?"), "{told}");
}

#[test]
fn other_kinds_have_no_spare_half() {
    for (file, text) in CELL_EXAMPLES.iter().chain(SLIDING_EXAMPLES) {
        let text = format!("{text}\n[memory]\nerase = \"spare-half\"\n");
        let spec = FilterSpec::from_toml(&text, Path::new(file)).expect("it reads");
        let Err(error) = spec.design() else {
            panic!("{file}: must be an error");
        };
        assert!(
            matches!(
                error,
                SpecError::Rule {
                    key: "memory.erase",
                    ..
                }
            ),
            "{error}"
        );
    }
}

#[test]
fn the_example_is_valid_and_its_canonical_text_reads_back() {
    for (file, text) in SPARE_HALF_EXAMPLES {
        let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
        let sizing = spec.validate().expect("an example");
        assert_eq!(sizing.erase(), Erase::SpareHalf);
        assert!(matches!(
            sizing.threshold_setting(),
            ThresholdSetting::Auto { .. }
        ));
        let again = read(&spec.to_toml())
            .expect("canonical")
            .validate()
            .expect("canonical");
        assert_eq!((again.erase(), again.row_bits()), (sizing.erase(), 1));
        assert_eq!(again.stored_bits(), sizing.stored_bits());
    }
}

#[test]
fn a_lower_latency_has_the_clocks_of_its_page_and_a_geometry_of_its_own() {
    let with = |latency: &str, more: &[(&str, &str)]| {
        let target =
            format!("[target]\nlatency = \"{latency}\"\n[memory]\nerase = \"spare-half\"\n[key]");
        let edits = [&[("[key]", target.as_str())], more].concat();
        geometry(&edits)
    };
    let mut hashes = vec![geometry(&[SPARE_HALF]).geometry_hash()];
    for (latency, front, decision, clocks) in [
        ("default", 6, 9, 18),
        ("low", 5, 6, 12),
        ("lowest", 2, 6, 9),
    ] {
        let geometry = with(latency, &[]);
        let timing = geometry.timing();
        assert_eq!(
            (timing.front_clocks, timing.decision_stage),
            (front, decision),
            "{latency}"
        );
        assert_eq!(
            timing.front_clocks + timing.decision_stage + timing.verdict_clocks,
            clocks
        );
        assert_eq!(timing.write_stage, decision + 1);
        assert_eq!(timing.retire_clocks, front + timing.write_stage + 4);
        assert!(timing.verdict_queue_depth >= timing.retire_clocks + 4);
        hashes.push(geometry.geometry_hash());
        assert_eq!(
            geometry.erased_by(Erase::Epoch).is_some(),
            latency == "default"
        );
        let one = with(latency, &[("hashes = 4", "hashes = 1"), ("20000", "5000")]);
        assert_eq!(
            one.timing().front_clocks,
            [4, 4, 2][hashes.len() - 2],
            "{latency}, one hash"
        );
    }
    assert_eq!(hashes[0], hashes[1]);
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 3);
}

#[test]
fn a_lower_latency_goes_with_any_verdict_queue_and_with_partitions_of_any_size() {
    let with = |latency: &str, features: &str, more: &[(&str, &str)]| {
        let sections = format!(
            "[target]\nlatency = \"{latency}\"\n[memory]\nerase = \"spare-half\"\n[features]\n{features}\n[key]"
        );
        geometry(&[&[("[key]", sections.as_str())], more].concat())
    };
    let clocks = |geometry: RecyclingGeometry| Design::from(geometry).timing().latency_clocks();
    for (latency, queue, of_range) in [
        ("default", [18, 16], 22),
        ("low", [12, 12], 17),
        ("lowest", [9, 9], 14),
    ] {
        assert_eq!(clocks(with(latency, "verdict_queue = 8", &[])), queue[0]);
        assert_eq!(clocks(with(latency, "verdict_queue = 0", &[])), queue[1]);
        // 3 ranks scale, and k - 1 take the place of multiples and sums
        let range = [("\"double\"", "\"double\"\nrange = 16381")];
        assert_eq!(clocks(with(latency, "", &range)), of_range, "{latency}");
    }
}

#[test]
fn a_lower_latency_is_refused_where_there_is_no_such_pipeline() {
    let refused = |memory: &str, edits: &[(&str, &str)], parts: &[&str]| {
        let text = edited(BASE, edits);
        let text = format!("{text}[target]\nlatency = \"low\"\n[memory]\n{memory}\n");
        let Err(error) = complete(&text) else {
            panic!("{memory}, {edits:?}: must be an error");
        };
        let told = error.to_string();
        for part in parts.iter().chain(&["target.latency = \"low\""]) {
            assert!(told.contains(part), "{told}");
        }
    };
    refused("", &[], &["memory.erase = \"spare-half\""]);
    refused("erase = \"auto\"\necc = true", &[], &["memory words"]);
    let keyed = [("h3-sbox", "siphash")];
    refused("erase = \"spare-half\"", &keyed, &["keyed hash"]);
    let auto = format!("{BASE}[target]\nlatency = \"low\"\n[memory]\nerase = \"auto\"\n");
    let chosen = complete(&auto).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(chosen.erase(), Erase::SpareHalf);
    let told = chosen.erase_reason().expect("a reason").to_string();
    assert!(told.contains("target.latency"), "{told}");
    for (file, text) in CELL_EXAMPLES.iter().chain(SLIDING_EXAMPLES) {
        let text = format!("{text}\n[target]\nlatency = \"low\"\n");
        let spec = FilterSpec::from_toml(&text, Path::new(file)).expect("it reads");
        let Err(error) = spec.design() else {
            panic!("{file}: must be an error");
        };
        assert!(error.to_string().contains("target.latency"), "{error}");
    }
}
