//! Filters of single cells, bits and counters: what they become, and what they refuse.

use crate::common::{cells, edited, legal, read, BASE, STATIC};
use bloomline_spec::{Erase, SpecError, CELL_EXAMPLES, IN_PLACE_EXAMPLES, SLIDING_EXAMPLES};

/// A static filter with these lines of `[memory]`.
fn with(memory: &str) -> String {
    format!("{STATIC}[memory]\n{memory}\n")
}

/// A filter of counters that a clear erases.
fn in_place(text: &str) -> String {
    format!("{text}[memory]\nerase = \"in-place\"\n")
}

const COUNTING: &str = CELL_EXAMPLES[1].1;
const COUNT_MIN: &str = CELL_EXAMPLES[2].1;

/// What makes a counting filter one over a window.
const WINDOW: &[(&str, &str)] = &[
    ("items = 20000\n", ""),
    ("threshold = 5", "threshold = 5\nwindow = 10000"),
];

fn refused(text: &str) -> String {
    match cells(text) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("must be an error:\n{text}"),
    }
}

#[test]
fn it_stores_its_bits_alone_answers_earlier_and_erases_row_by_row() {
    let words = legal(STATIC);
    let bits = legal(&with("erase = \"in-place\""));
    let rows_of_4 = legal(&with("erase = \"in-place\"\nrow_bits = 4"));
    assert_eq!(words.erase(), Erase::Epoch);
    assert_eq!((bits.erase(), bits.row_bits()), (Erase::InPlace, 1));
    assert_eq!(bits.stored_bits(), 131_072);
    assert_eq!(words.stored_bits(), 131_072 / 32 * 36);
    assert!(bits.timing().decision_stage < words.timing().decision_stage);
    assert!(bits.timing().front_clocks < words.timing().front_clocks);
    assert_eq!((words.erase_clocks(), bits.erase_clocks()), (0, 32_768));
    assert_eq!(rows_of_4.erase_clocks(), 8_192);
    let retire = u64::from(bits.timing().retire_clocks);
    assert_eq!(bits.clear_clocks(), retire + 32_768 + 2);
    let mut hashes = [&words, &bits, &rows_of_4].map(|geometry| geometry.geometry_hash());
    hashes.sort_unstable();
    assert!(hashes.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn a_filter_knows_what_it_would_be_with_the_other_way_to_clear() {
    let words = legal(STATIC);
    let bits = legal(&with("erase = \"in-place\""));
    let rows_of_4 = legal(&with("erase = \"in-place\"\nrow_bits = 4"));
    assert!(words.erased_by(Erase::InPlace).as_ref() == Some(&bits));
    for of_bits in [&bits, &rows_of_4] {
        assert!(of_bits.erased_by(Erase::Epoch).as_ref() == Some(&words));
    }
    assert!(rows_of_4.erased_by(Erase::InPlace).as_ref() == Some(&rows_of_4));
    assert!(bits.erased_by(Erase::SpareHalf).is_none());
    let parity = legal(&with("parity = \"count\""));
    assert!(parity.erased_by(Erase::InPlace).is_none());
    let no_access = format!(
        "{}[features]\narray_access = false\n",
        with("erase = \"in-place\"")
    );
    assert!(legal(&no_access).erased_by(Erase::Epoch).is_none());
}

#[test]
fn what_does_not_go_with_single_bits_is_refused_with_the_next_step() {
    let says = |memory: &str, parts: &[&str]| {
        let told = refused(&with(memory));
        for part in parts {
            assert!(told.contains(part), "{told}");
        }
    };
    says("row_bits = 4", &["memory.row_bits = 4", "leave it out"]);
    says(
        "erase = \"in-place\"\nrow_bits = 5",
        &["must be 1, 2, 4, 8 or 16", "nearest legal value 4"],
    );
    says(
        "erase = \"in-place\"\nparity = \"count\"",
        &["memory.erase", "leave out memory.parity"],
    );
    says(
        "erase = \"in-place\"\necc = true",
        &["memory.erase", "leave out memory.ecc"],
    );
    says("erase = \"in_place\"", &["did you mean \"in-place\"?"]);
    let shared = edited(
        &with("erase = \"in-place\""),
        &[("hashes = 4", "hashes = 4\nlayout = \"shared\"")],
    );
    let told = refused(&shared);
    assert!(
        told.contains("shared layout") && told.contains("\"partitioned\""),
        "{told}"
    );
}

#[test]
fn single_counters_come_as_late_as_words_but_for_a_rank_and_are_read_one_by_one() {
    for (text, lanes) in [(COUNTING, 8), (COUNT_MIN, 1)] {
        let words = legal(text);
        let counters = legal(&in_place(text));
        let (of_words, own) = (words.timing(), counters.timing());
        assert_eq!(counters.lanes(), lanes);
        assert_eq!(own.front_clocks + 1, of_words.front_clocks);
        assert_eq!(own.decision_stage, of_words.decision_stage);
        assert_eq!(own.access_clocks, own.front_clocks + 6 + lanes);
        assert_eq!(counters.erase_clocks(), counters.cells_per_bank());
        assert_eq!(counters.stored_bits(), counters.memory_bits());
        assert!(words.erased_by(Erase::InPlace).as_ref() == Some(&counters));
        assert!(counters.erased_by(Erase::Epoch).as_ref() == Some(&words));
        assert_ne!(words.geometry_hash(), counters.geometry_hash());
    }
    let window = legal(&edited(COUNTING, WINDOW));
    assert!(window.erased_by(Erase::InPlace).is_none());
}

#[test]
fn block_rams_of_single_counters_are_those_of_the_width_that_takes_fewest() {
    let of = |counter_bits: u32, part: &str| {
        let memory = 131_072 * u64::from(counter_bits);
        let bits = format!("counter_bits = {counter_bits}\nthreshold = 2");
        let text = edited(
            COUNTING,
            &[
                ("524288", &memory.to_string()),
                ("counter_bits = 4\nthreshold = 5", &bits),
            ],
        );
        let part = format!("{}[target]\npart = \"{part}\"\n", in_place(&text));
        legal(&part).block_rams().expect("a known part").0
    };
    // four banks of 2^15 counters; 36, 18, 9, 4, 2 and 1 bits of a block RAM make a word
    assert_eq!(
        [2, 3, 4, 5, 8, 9].map(|bits| of(bits, "ecp5")),
        [16, 24, 32, 40, 64, 64]
    );
    // 40, 20, 10, 5, 2 and 1
    assert_eq!(
        [2, 4, 5, 10].map(|bits| of(bits, "cyclone-v")),
        [32, 64, 64, 128]
    );
}

#[test]
fn what_does_not_go_with_single_counters_is_refused_with_the_next_step() {
    let says = |text: &str, parts: &[&str]| {
        let told = refused(text);
        for part in parts {
            assert!(told.contains(part), "{told}");
        }
    };
    let in_rows = format!("{COUNTING}[memory]\nerase = \"in-place\"\nrow_bits = 4\n");
    says(
        &in_rows,
        &["memory.row_bits = 4", "one counter", "leave it out"],
    );
    says(
        &in_place(&edited(COUNTING, WINDOW)),
        &["memory.erase", "leave out filter.counting.window"],
    );
    let parity = format!("{COUNTING}[memory]\nerase = \"in-place\"\nparity = \"count\"\n");
    says(&parity, &["memory.erase", "leave out memory.parity"]);
    let threshold = format!("{COUNTING}[features]\nregisters = \"threshold\"\n");
    says(&threshold, &["memory.erase = \"in-place\""]);
    legal(&in_place(&threshold));
    // where in-place is no way out it is not offered
    let over_window = edited(&threshold, WINDOW);
    let told = refused(&over_window);
    assert!(
        told.contains("features.registers") && !told.contains("in-place"),
        "{told}"
    );
}

#[test]
fn other_kinds_are_not_erased_in_place() {
    let texts = SLIDING_EXAMPLES.iter().map(|(_, text)| *text);
    for text in texts.chain([BASE]) {
        let error = read(&format!("{text}\n[memory]\nerase = \"in-place\"\n"))
            .expect("it reads")
            .design()
            .expect_err("an error");
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
    for (_, text) in IN_PLACE_EXAMPLES {
        let geometry = legal(text);
        assert_eq!(geometry.erase(), Erase::InPlace);
        let canonical = read(text).expect("an example").to_toml();
        assert_eq!(legal(&canonical), geometry);
    }
}
