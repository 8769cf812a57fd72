//! The static filter of single bits: what it becomes, and what it refuses.

use crate::common::{cells, edited, legal, read, BASE, STATIC};
use bloomline_spec::{Erase, SpecError, CELL_EXAMPLES, SINGLE_BIT_EXAMPLES, SLIDING_EXAMPLES};

/// A static filter with these lines of `[memory]`.
fn with(memory: &str) -> String {
    format!("{STATIC}[memory]\n{memory}\n")
}

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
    says("erase = \"in_place\"", &["did you mean `in-place`?"]);
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
fn other_kinds_are_not_erased_in_place() {
    let others = CELL_EXAMPLES
        .iter()
        .filter(|(_, text)| !text.contains("kind = \"static\""));
    let texts = others.chain(SLIDING_EXAMPLES).map(|(_, text)| *text);
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
    for (_, text) in SINGLE_BIT_EXAMPLES {
        let geometry = legal(text);
        assert_eq!(geometry.erase(), Erase::InPlace);
        let canonical = read(text).expect("an example").to_toml();
        assert_eq!(legal(&canonical), geometry);
    }
}
