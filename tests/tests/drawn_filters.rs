//! Filters drawn from seeds: what `cargo run --release -p bloomline-tests --example soak` runs for long.

use bloomline_tests::{runs, toolchain, DrawnFilter};
use bloomline_toolchain::Program;
use std::collections::BTreeSet;

#[test]
fn every_kind_and_mode_is_drawn() {
    let drawn: Vec<String> = (0..4_000)
        .map(|seed| format!("{:?}", DrawnFilter::draw(seed)))
        .collect();
    let values = |key: &str| {
        let key = format!(" {key}: ");
        drawn
            .iter()
            .flat_map(|text| text.split(&key).skip(1))
            .map(|rest| rest.split([',', ' ']).next().expect("a value"))
            .collect::<BTreeSet<_>>()
    };
    for (key, wanted) in [
        ("kind", &["\"static\"", "\"counting\"", "\"count-min\""][..]),
        ("layout", &["\"partitioned\"", "\"shared\""]),
        ("on", &["\"bits-set\"", "\"messages\""]),
        ("phases", &["1", "2"]),
        (
            "hashing",
            &[
                "\"double\"",
                "\"independent\"",
                "\"extended-double-2\"",
                "\"extended-double-3\"",
            ],
        ),
        (
            "family",
            &["\"h3\"", "\"h3-sbox\"", "\"siphash\"", "\"siphash-2-4\""],
        ),
        ("parity", &["\"none\"", "\"count\"", "\"empty\""]),
        ("retain", &["false", "true"]),
        ("distinct", &["false", "true"]),
        ("conservative", &["false", "true"]),
        ("copies", &["1", "2", "3"]),
        (
            "clocks_per_bit",
            &["None", "Some(8)", "Some(9)", "Some(13)"],
        ),
    ] {
        let met = values(key);
        for value in wanted {
            assert!(
                met.contains(value),
                "{key} = {value} is never drawn: {met:?}"
            );
        }
    }
    assert!(values("hashes").len() > 20 && values("key_bits").len() > 50);
}

#[test]
fn filters_as_they_are_drawn_equal_their_models() {
    let toolchain = toolchain(&[Program::Verilator]);
    for seed in 0..runs(1, 4) {
        let filter = DrawnFilter::draw(2 * seed);
        let outcome = filter
            .in_lockstep(&toolchain, seed, 100_000)
            .unwrap_or_else(|error| panic!("seed {seed}: {filter:?}: {error}"));
        assert!(
            outcome.clocks >= 100_000 && outcome.verdicts > 500,
            "{filter:?}: {outcome:?}"
        );
    }
}
