//! `verify` on recorded traffic: block addresses of a disk trace and flow keys of a capture, for an example of every kind.

use crate::common::{root, run_with};
use crate::reach::trace;
use crate::serve_support::tools;
use serde_json::Value;

const EXAMPLES: [&str; 7] = [
    "onehit", "members", "classic", "hotkeys", "trending", "heavy", "window",
];

/// Verifies every example on keys that `option` takes from a trace of `records` keys.
fn every_example_holds(option: &str, file: &str, column: &str, records: u64) {
    let Some(file) = trace(file) else { return };
    let keys = format!("{}{column}", file.display());
    let tools = tools();
    for name in EXAMPLES {
        let spec = format!("hdl/specification/examples/{name}.toml");
        let run = run_with(
            &root(),
            &[
                "verify",
                &spec,
                option,
                &keys,
                "--simulator",
                "verilator",
                "--json",
            ],
            &[("BLOOMLINE_TOOLS", tools.to_str().expect("UTF-8"))],
        );
        let result: Value = serde_json::from_str(&run.stdout)
            .unwrap_or_else(|error| panic!("{name}: {error}: {}{}", run.stdout, run.stderr));
        println!("{name}: {} items, {}", result["items"], result["verdict"]);
        assert_eq!(result["mismatches"], 0, "{name}: {}", run.stdout);
        // a rate of too few flows is inconclusive; nothing may fail
        assert_ne!(result["verdict"], "fail", "{name}: {}", run.stdout);
        let count = |key: &str| result[key].as_u64();
        let items = count("items").expect("a number");
        match count("inserted") {
            // a set is loaded once, then every key of the trace is asked for once
            Some(inserted) => {
                let distinct = count("distinct_keys").expect("a number");
                assert!(inserted > 0 && distinct >= 1_000, "{name}: {}", run.stdout);
                assert_eq!(items, inserted + distinct, "{name}");
            }
            // every record goes through, then the keys are asked for
            None => assert!(items >= records, "{name}: {items} items"),
        }
    }
}

#[test]
#[ignore = "a claim"]
fn every_kind_holds_on_block_addresses_of_a_disk_trace() {
    every_example_holds("--keys", "cloudPhysicsIO.csv", ":lbn", 113_872);
}

#[test]
#[ignore = "a claim"]
fn every_kind_holds_on_flow_keys_of_a_capture() {
    every_example_holds("--pcap", "echo-connections.pcap.gz", "", 82_582);
}
