//! The examples of the driver in three languages, each on a part of a recorded trace against a served card.

use super::deduplicate;
use super::support::{compile, run, trace, Card, Linked, Module};
use std::collections::HashMap;
use std::process::Command;

/// Requests of the trace that the examples are given.
const REQUESTS: &str = "12000";

#[test]
#[ignore = "a claim"]
fn a_cache_behind_the_one_hit_filter_has_the_hit_rate_that_exact_sets_predict() {
    let Some(table) = trace("cloudPhysicsIO.csv") else {
        return;
    };
    let card = Card::recycling(&["--udp", "0"]);
    let said = run(Module::get()
        .script("examples/cache_admission.py")
        .arg(card.url())
        .arg(card.manifest())
        .arg(table)
        .arg(REQUESTS));
    println!("{said}");
    let said: serde_json::Value = serde_json::from_str(&said).expect("it is JSON");
    let rate = |name: &str| said[name]["hit_rate"].as_f64().expect("a rate");
    let writes = |name: &str| said[name]["writes"].as_u64().expect("a count");
    assert_eq!(said["requests"], 12_000);
    assert!(said["recycles"].as_u64().expect("a count") >= 1, "{said}");
    assert!(
        (rate("measured") - rate("predicted")).abs() < 0.005,
        "{said}"
    );
    // What the filter is there for.
    assert!(rate("measured") > rate("open"), "{said}");
    assert!(writes("measured") * 5 < writes("open"), "{said}");
}

#[test]
#[ignore = "a claim"]
fn the_counting_filter_misses_no_hot_address() {
    let Some(table) = trace("cloudPhysicsIO.csv") else {
        return;
    };
    let card = Card::counting(&[]);
    let program = compile(
        "examples/hot_addresses.c",
        "cc",
        Linked::Shared,
        card.folder.path(),
    );
    let said = run(Command::new(program)
        .arg(card.url())
        .arg(card.path("card.toml"))
        .arg(table)
        .arg(REQUESTS));
    println!("{said}");
    let counts: HashMap<&str, u64> = said
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, count)| (name, count.parse().expect("a count")))
        .collect();
    assert_eq!(counts["requests"], 12_000);
    assert_eq!(counts["missed"], 0);
    assert!(counts["hot"] > 100, "{said}");
    assert_eq!(counts["reported"], counts["hot"] + counts["false_alarms"]);
}

#[test]
#[ignore = "a claim"]
fn the_de_duplicator_lets_no_copy_through() {
    let Some(capture) = trace("bro.org.pcap") else {
        return;
    };
    let card = Card::recycling(&["--udp", "0"]);
    let outcome = deduplicate::run(&card.url(), &card.manifest(), &capture).expect("it runs");
    println!("{outcome:?}");
    assert_eq!((outcome.frames, outcome.copies), (2 * 751, 751));
    assert_eq!(outcome.let_through, 0);
    // At most 751 of the 16,384 bits of each bank are set: a fresh key is seen with at most 4.4e-6, one of all with 0.003.
    assert_eq!(outcome.dropped_by_mistake, 0);
}
