//! Every error message, verbatim, and the promise that the value it offers is legal.
//!
//! `INSTA_UPDATE=always cargo test -p bloomline-spec` rewrites the snapshots.

use crate::common::{
    broken, complete, edited, legal_values_offered, listing, listing_of_rules, Broken, BASE,
};
use bloomline_spec::{FilterSpec, RecyclingGeometry, SpecError, ThresholdSetting, EXAMPLES};
use std::path::Path;

fn page(list: &str) -> Vec<Broken> {
    broken(list, |edits| edited(BASE, edits), complete)
}

#[test]
fn syntax_errors_keep_line_and_column() {
    let cases = page("syntax");
    for Broken { name, error, .. } in &cases {
        assert!(matches!(error, SpecError::Syntax { .. }), "{name}");
    }
    insta::assert_snapshot!(listing(&cases));
}

fn broken_rules() -> Vec<Broken> {
    page("rules")
}

/// Every bad specification of this page.
pub fn bad() -> Vec<Broken> {
    ["syntax", "rules", "unsupported"]
        .into_iter()
        .flat_map(page)
        .collect()
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
    let cases = page("unsupported");
    for Broken { name, error, .. } in &cases {
        assert!(matches!(error, SpecError::Unsupported { .. }), "{name}");
    }
    insta::assert_snapshot!(listing(&cases));
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
        said.ends_with("cannot read the specification: it has more than 1048576 bytes; name the TOML file of a specification, which takes a few KiB"),
        "{said}"
    );
}

#[test]
fn a_file_that_is_no_utf_8_is_to_be_saved_as_that() {
    let file = std::env::temp_dir().join(format!("latin-1-{}.toml", std::process::id()));
    std::fs::write(&file, b"# caf\xe9\n").expect("a temporary file");
    let error = FilterSpec::load(&file);
    std::fs::remove_file(&file).expect("it is there");
    let said = error.expect_err("it is no UTF-8").to_string();
    assert!(
        said.contains("it is no UTF-8: ") && said.contains("; save it as UTF-8"),
        "{said}"
    );
}
