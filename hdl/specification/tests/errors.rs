//! Every error message, verbatim, and the promise that the value it offers is legal.
//!
//! `INSTA_UPDATE=always cargo test -p bloomline-spec` rewrites the snapshots.

use crate::common::{complete, edited, legal_values_offered, listing_of_rules, Broken, BASE};
use bloomline_spec::{FilterSpec, RecyclingGeometry, SpecError, ThresholdSetting, EXAMPLES};
use std::path::Path;

/// A name for the case, and the lines replaced in the base specification.
type Case = (&'static str, &'static [(&'static str, &'static str)]);

const SYNTAX: &[Case] = &[
    ("broken table", &[("[key]", "[key")]),
    ("missing value", &[("hashes = 4", "hashes = ")]),
    ("unknown key", &[("seed = 1", "sede = 1")]),
    ("unknown table", &[("[key]", "[keys]\n[key]")]),
    ("missing key in a table", &[("hashes = 4", "")]),
    ("missing table", &[("[key]\nbits = 104", "")]),
    ("duplicate key", &[("hashes = 4", "hashes = 4\nhashes = 5")]),
    ("negative", &[("hashes = 4", "hashes = -4")]),
    (
        "beyond 64 bits",
        &[("hashes = 4", "hashes = 99999999999999999999999")],
    ),
    ("text for a number", &[("hashes = 4", "hashes = \"four\"")]),
    ("negative width", &[("bits = 104", "bits = -1")]),
    (
        "threshold word",
        &[("threshold = 20000", "threshold = \"best\"")],
    ),
    (
        "threshold negative",
        &[("threshold = 20000", "threshold = -1")],
    ),
    (
        "threshold fraction",
        &[("threshold = 20000", "threshold = 1.5")],
    ),
    ("hashing word", &[("\"double\"", "\"triple\"")]),
    ("kind word", &[("\"recycling\"", "\"bloom\"")]),
    ("source word", &[("bits = 104", "source = \"mac\"")]),
    (
        "parity word",
        &[("[key]", "[memory]\nparity = \"odd\"\n[key]")],
    ),
];

const RULES: &[Case] = &[
    ("name empty", &[("\"tiny\"", "\"\"")]),
    ("name upper case", &[("\"tiny\"", "\"One-Hit\"")]),
    ("name starts with a digit", &[("\"tiny\"", "\"2phase\"")]),
    ("name is a keyword", &[("\"tiny\"", "\"module\"")]),
    ("name begins that of a part", &[("\"tiny\"", "\"a__core\"")]),
    ("name of a library of VHDL", &[("\"tiny\"", "\"ieee\"")]),
    (
        "no recycle table",
        &[(
            "[filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 20000",
            "",
        )],
    ),
    ("phases", &[("phases = 2", "phases = 3")]),
    ("hashes too many", &[("hashes = 4", "hashes = 33")]),
    ("hashes none", &[("hashes = 4", "hashes = 0")]),
    ("memory not divisible", &[("hashes = 4", "hashes = 3")]),
    ("bank not of whole words", &[("131072", "131080")]),
    ("bank too small", &[("131072", "512")]),
    (
        "range without the last word",
        &[("\"double\"", "\"independent\"\nrange = 16352")],
    ),
    (
        "range above the bank",
        &[("\"double\"", "\"double\"\nrange = 16385")],
    ),
    (
        "range no prime",
        &[("\"double\"", "\"double\"\nrange = 16377")],
    ),
    (
        "no prime in the last word",
        &[
            ("131072", "94208"),
            ("\"double\"", "\"double\"\nrange = 11760"),
        ],
    ),
    ("memory zero", &[("131072", "0")]),
    ("half too large", &[("131072", "34359738368")]),
    (
        "memory greatest integer",
        &[("131072", "18446744073709551615")],
    ),
    ("threshold below hashes", &[("20000", "3")]),
    ("threshold of a whole half", &[("20000", "65536")]),
    (
        "messages zero",
        &[("\"bits-set\"", "\"messages\""), ("20000", "0")],
    ),
    (
        "messages above half",
        &[("\"bits-set\"", "\"messages\""), ("20000", "65537")],
    ),
    ("auto without target", &[("20000", "\"auto\"")]),
    ("target zero", &[("20000", "20000\ntarget_fpr = 0.0")]),
    ("target one", &[("20000", "20000\ntarget_fpr = 1.0")]),
    ("target no number", &[("20000", "20000\ntarget_fpr = nan")]),
    ("key without width", &[("bits = 104", "")]),
    ("key of no bits", &[("bits = 104", "bits = 0")]),
    ("key too wide", &[("bits = 104", "bits = 513")]),
    (
        "key contradicts source",
        &[("bits = 104", "bits = 128\nsource = \"ipv4-5tuple\"")],
    ),
    (
        "tag too wide",
        &[("bits = 104", "bits = 104\ntag_bits = 65")],
    ),
    (
        "tag of no bits",
        &[("bits = 104", "bits = 104\ntag_bits = 0")],
    ),
    (
        "clock stands still",
        &[("[key]", "[target]\nclock_hz = 0\n[key]")],
    ),
    (
        "clock too fast",
        &[("[key]", "[target]\nclock_hz = 2000000000\n[key]")],
    ),
    ("distinct", &[("\"double\"", "\"double\"\ndistinct = true")]),
    ("extended 2", &[("\"double\"", "\"extended-double-2\"")]),
    ("extended 3", &[("\"double\"", "\"extended-double-3\"")]),
    (
        "age beyond the register",
        &[("20000", "20000\nmax_age_ms = 17592186045")],
    ),
];

const UNSUPPORTED: &[Case] = &[
    ("static", &[("\"recycling\"", "\"static\"")]),
    ("sliding", &[("\"recycling\"", "\"sliding\"")]),
    ("counting", &[("\"recycling\"", "\"counting\"")]),
    ("count-min", &[("\"recycling\"", "\"count-min\"")]),
];

fn error_of((name, edits): &Case) -> SpecError {
    match complete(&edited(BASE, edits)) {
        Ok(_) => panic!("{name}: must be an error"),
        Err(error) => error,
    }
}

fn listing(cases: &[Case]) -> String {
    cases
        .iter()
        .map(|case| format!("[{}]\n{}\n", case.0, error_of(case)))
        .collect()
}

#[test]
fn syntax_errors_keep_line_and_column() {
    for case in SYNTAX {
        assert!(
            matches!(error_of(case), SpecError::Syntax { .. }),
            "{}",
            case.0
        );
    }
    insta::assert_snapshot!(listing(SYNTAX));
}

fn broken_rules() -> impl Iterator<Item = Broken> {
    RULES
        .iter()
        .map(|(name, edits)| Broken::of(name, edited(BASE, edits), complete))
}

/// Every bad specification of this page.
pub fn bad() -> impl Iterator<Item = Broken> {
    [SYNTAX, RULES, UNSUPPORTED]
        .into_iter()
        .flatten()
        .map(|(name, edits)| Broken::of(name, edited(BASE, edits), complete))
}

#[test]
fn rule_errors_name_key_value_rule_and_nearest_legal_value() {
    insta::assert_snapshot!(listing_of_rules(broken_rules()));
}

#[test]
fn a_design_is_not_called_like_one_of_its_ports() {
    let named = |name: &str| {
        let interface = ("[key]", "[interface]\nclock = \"aclk\"\n[key]");
        let name = format!("\"{name}\"");
        let text = edited(BASE, &[("\"tiny\"", &name), interface]);
        let spec = FilterSpec::from_toml(&text, Path::new("tiny.toml")).expect("it is read");
        spec.design()
    };
    for name in ["reset", "aclk"] {
        let error = named(name).expect_err(name).to_string();
        let offered = format!("nearest legal value \"{name}_filter\"");
        assert!(error.contains(&offered), "{error}");
    }
    assert!(named("clock").is_ok(), "no port has that name");
}

#[test]
fn words_of_later_versions_are_refused_as_not_supported() {
    for case in UNSUPPORTED {
        assert!(
            matches!(error_of(case), SpecError::Unsupported { .. }),
            "{}",
            case.0
        );
    }
    insta::assert_snapshot!(listing(UNSUPPORTED));
}

#[test]
fn the_nearest_legal_value_offered_is_legal() {
    let offered = legal_values_offered(broken_rules(), complete);
    assert!(offered >= 20, "most rules offer a value, got {offered}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = FilterSpec::load("no/such/specification.toml").expect_err("there is none");
    assert!(
        error
            .to_string()
            .starts_with("no/such/specification.toml: cannot read the specification: "),
        "{error}"
    );
}

#[test]
fn examples_are_valid_and_canonical_text_reads_back_as_the_same_specification() {
    for (file, text) in EXAMPLES {
        let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
        let sizing = spec.validate().expect("an example");
        assert_eq!(
            sizing.name(),
            Path::new(file)
                .file_stem()
                .and_then(|stem| stem.to_str())
                .expect("a stem")
        );
        assert_eq!(sizing.key_bits(), 104, "fed by integers and by 5-tuples");
        if let ThresholdSetting::Fixed(threshold) = sizing.threshold_setting() {
            assert_eq!(
                sizing
                    .with_threshold(threshold)
                    .map(|g: RecyclingGeometry| g.threshold())
                    .ok(),
                Some(threshold)
            );
        }
        let again =
            FilterSpec::from_toml(&spec.to_toml(), Path::new(file)).expect("canonical text");
        assert_eq!(again, spec);
        assert_eq!(again.to_toml(), spec.to_toml());
        assert_eq!(again.validate().expect("the same specification"), sizing);
    }
}

#[test]
fn a_text_is_as_long_at_most_as_a_file() {
    let text = format!("{BASE}#{}", "x".repeat(1 << 20));
    let error = FilterSpec::from_toml(&text, Path::new("specification"));
    let said = error.expect_err("it is too long").to_string();
    assert!(
        said.contains("cannot read the specification: it has more than 1048576 bytes"),
        "{said}"
    );
}
