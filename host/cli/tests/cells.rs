//! Static filters, counting filters and Count-Min sketches from the command line. `INSTA_UPDATE=always cargo test -p bloomline`
//! rewrites the snapshots.

use crate::common::{folder, names, refusals, root, run};
use bloomline_spec::CELL_EXAMPLES;
use serde_json::Value;
use std::process::Command;

/// An example with each first occurrence replaced; every replacement must find its place.
fn example(name: &str, edits: &[(&str, &str)]) -> String {
    let found = CELL_EXAMPLES.iter().find(|(file, _)| file.contains(name));
    let mut text = found.expect("an example").1.to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "{name} does not hold {from}");
        text = text.replacen(from, to, 1);
    }
    text
}

fn json(spec: &str, arguments: &[&str]) -> Value {
    let folder = folder(spec);
    let run = run(folder.path(), &[arguments, &["--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn plans_of_the_examples_are_as_reviewed() {
    for name in ["members", "hotkeys", "heavy"] {
        let folder = folder(&example(name, &[]));
        let run = run(folder.path(), &["plan", "tiny.toml", "--explain"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        for line in run.stdout.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
        insta::assert_snapshot!(format!("plan_{name}"), run.stdout);
    }
}

#[test]
fn parity_is_stated_in_plan_manifest_and_registers() {
    let parity = [("[key]", "[memory]\nparity = \"empty\"\n[key]")];
    for name in ["members", "hotkeys", "heavy"] {
        let plain = json(&example(name, &[]), &["plan", "tiny.toml"]);
        assert_eq!(plain.get("parity"), None);
        assert_eq!(plain.get("stored_bits"), None);
        let plan = json(&example(name, &parity), &["plan", "tiny.toml"]);
        assert_eq!(plan["parity"], "empty");
        assert_ne!(plan["geometry_hash"], plain["geometry_hash"]);
        // a parity bit with every word of 32 data bits, all used here, and 4 epoch bits
        let memory_bits = plan["memory_bits"].as_u64().expect("a number");
        assert_eq!(plan["stored_bits"], memory_bits / 32 * 37);

        let folder = folder(&example(name, &parity));
        let text = run(folder.path(), &["plan", "tiny.toml", "--explain"]).stdout;
        assert!(text.contains("\nParity: empty; "), "{text}");
        let emitted = run(folder.path(), &["emit", "tiny.toml", "--out", "out"]);
        assert_eq!(emitted.code, 0, "{}", emitted.stderr);
        let read = |file: &str| {
            let path = folder.path().join("out").join(file);
            std::fs::read_to_string(path).expect("emitted")
        };
        let manifest: Value = serde_json::from_str(&read("manifest.json")).expect("JSON");
        assert_eq!(manifest["geometry"]["parity"], "empty");
        assert!(read("registers.md").contains("PARITY_ERRORS_LO"));
    }
}

#[test]
fn error_correction_is_stated_in_plan_manifest_and_registers() {
    let ecc = [("[key]", "[memory]\necc = true\n[key]")];
    let plan = json(&example("hotkeys", &ecc), &["plan", "tiny.toml"]);
    assert_eq!(plan["ecc"], true);
    let memory_bits = plan["memory_bits"].as_u64().expect("a number");
    assert_eq!(plan["stored_bits"], memory_bits / 32 * 43);
    let folder = folder(&example("hotkeys", &ecc));
    let text = run(folder.path(), &["plan", "tiny.toml", "--explain"]).stdout;
    assert!(text.contains("\nError correction: "), "{text}");
    let emitted = run(folder.path(), &["emit", "tiny.toml", "--out", "out"]);
    assert_eq!(emitted.code, 0, "{}", emitted.stderr);
    let read = |file: &str| {
        let path = folder.path().join("out").join(file);
        std::fs::read_to_string(path).expect("emitted")
    };
    let manifest: Value = serde_json::from_str(&read("manifest.json")).expect("JSON");
    assert_eq!(manifest["geometry"]["ecc"], true);
    assert!(read("registers.md").contains("ECC_CORRECTED_LO"));
}

#[test]
fn every_predicted_number_has_its_formula_and_accuracy() {
    for (name, keys) in [
        ("members", &["fpr", "fill", "capacity_items"][..]),
        (
            "hotkeys",
            &["false_report_one_short", "false_alarms", "saturated"],
        ),
        (
            "heavy",
            &["row_error", "error_1pct", "false_report", "unit_error"],
        ),
    ] {
        let plan = json(&example(name, &[]), &["plan", "tiny.toml"]);
        for key in keys.iter().chain(&["items_per_second", "latency_clocks"]) {
            assert!(plan[*key].is_number(), "{name}: {key}");
            assert!(
                plan["formula"][*key]
                    .as_str()
                    .is_some_and(|text| text.len() > 8),
                "{key}"
            );
            assert!(
                plan["accuracy"][*key]["relative_error"].is_number(),
                "{key}"
            );
        }
        let rows = plan["alternatives"]["by_hashes"]
            .as_array()
            .expect("a list");
        let own: Vec<&Value> = rows.iter().filter(|row| row["own"] == true).collect();
        assert_eq!((rows.len(), own.len()), (16, 1));
        assert_eq!(own[0]["hashes"], plan["hashes"]);
    }
}

/// Two hashes, of which double hashing adds nothing, are among the alternatives.
#[test]
fn rates_below_the_range_of_doubles_are_printed_from_their_logarithms() {
    for layout in ["partitioned", "shared"] {
        for hashing in ["double", "independent"] {
            let spec = format!(
                "name = \"rare\"\n[filter]\nkind = \"counting\"\nmemory_bits = 4194304\nhashes = 4\nitems = 1392\n\
                 layout = \"{layout}\"\nhashing = \"{hashing}\"\naccept_two_hash_floor = true\n\
                 [filter.counting]\ncounter_bits = 8\nthreshold = 122\n[key]\nbits = 104\n"
            );
            let plan = json(&spec, &["plan", "tiny.toml"]);
            let rows = plan["alternatives"]["by_hashes"].as_array();
            let rows = rows.expect("a list");
            assert!(rows.len() > 4);
            for row in rows {
                let absent = &row["ln"][0];
                assert_eq!(row["values"][0], 0.0, "{row}");
                assert!(absent.as_f64().is_some_and(|ln| ln < -700.0), "{row}");
                if row["own"] == true {
                    assert_eq!(*absent, plan["ln"]["false_report_absent"]);
                }
            }
            if layout == "partitioned" {
                let [alarms, new] = ["false_alarms", "false_report_new"]
                    .map(|key| plan["ln"][key].as_f64().expect("a logarithm"));
                // the last key of the stream and those before it, each rarer
                assert!(alarms < new + 1.0 && alarms > new - 3.0, "{alarms} {new}");
            }
            let folder = folder(&spec);
            let text = run(folder.path(), &["plan", "tiny.toml", "--explain"]).stdout;
            assert!(!text.contains("NaN"), "{text}");
            let table = text.split("Other numbers of hashes").nth(1);
            let table = table.and_then(|table| table.split("Formulas").next());
            let table = table.expect("a table");
            assert!(!table.split_whitespace().any(|word| word == "0"), "{table}");
        }
    }
}

/// The exact rate of independent functions, (1-(1-1/32768)^16384)^4, by hand.
#[test]
fn the_rate_of_a_static_filter_is_the_formula() {
    let plan = json(
        &example("members", &[("\"double\"", "\"independent\"")]),
        &["plan", "tiny.toml"],
    );
    let fill = 1.0 - (1.0f64 - 1.0 / 32768.0).powi(16384);
    let rate = plan["fpr"].as_f64().expect("a rate");
    assert!((rate / fill.powi(4) - 1.0).abs() < 1e-9, "{rate}");
    assert_eq!(plan["two_hash_excess"], 0.0);
}

#[test]
fn bad_specifications_are_refused_by_every_verb_that_reads_one() {
    let floor = [
        ("hashes = 4", "hashes = 16"),
        ("131072", "16384"),
        ("items = 16384", "items = 200"),
    ];
    let many = [("items = 20000", "items = 100000000000000")];
    let cases = [
        ("no items", example("members", &[("items = 16384 ", "# ")])),
        ("two-hash floor", example("members", &floor)),
        ("more items than theory covers", example("hotkeys", &many)),
    ];
    insta::assert_snapshot!(refusals(&cases));
}

#[test]
fn an_accepted_floor_is_a_warning() {
    let edits = [
        ("hashes = 4", "hashes = 16\naccept_two_hash_floor = true"),
        ("131072", "16384"),
        ("items = 16384", "items = 200"),
    ];
    let folder = folder(&example("members", &edits));
    let run = run(folder.path(), &["plan", "tiny.toml", "--explain"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("warning: two hash functions add"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("independent"), "{}", run.stderr);
}

#[test]
fn packages_hold_the_array_layout_and_vectors_that_an_independent_script_recomputes() {
    for name in ["members", "hotkeys", "heavy"] {
        let spec = example(name, &[]);
        let folder = folder(&spec);
        let emit = run(folder.path(), &["emit", "tiny.toml", "--out", "out"]);
        assert_eq!(emit.code, 0, "{}", emit.stderr);
        let out = folder.path().join("out");
        let read = |file: &str| std::fs::read_to_string(out.join(file)).expect("a file");
        let manifest: Value = serde_json::from_str(&read("manifest.json")).expect("JSON");
        assert_eq!(manifest["specification"], spec);
        let geometry = &manifest["geometry"];
        let number = |value: &Value| value.as_u64().expect("a number");
        let array = &geometry["array"];
        let bits = number(&array["lanes"])
            * number(&array["words_per_bank"])
            * number(&geometry["cell_bits"]);
        assert_eq!(
            bits * number(&geometry["hashes"]),
            number(&geometry["memory_bits"]),
            "{name}"
        );
        for port in manifest["ports"].as_array().expect("ports") {
            let verilog = read(&format!("{name}.v"));
            assert!(verilog.contains(port["name"].as_str().expect("a name")));
            assert!(
                port["doc"].as_str().is_some_and(|doc| !doc.is_empty()),
                "{port}"
            );
        }
        assert!(read("registers.md").contains("ARRAY_ADDRESS"));
        assert!(read(&format!("{name}.core")).contains("CAPI=2"));
        let script = root().join("tests/tests/check_vectors.py");
        match Command::new("python3")
            .arg(script)
            .arg(out.join("manifest.json"))
            .output()
        {
            Ok(output) => assert_eq!(
                String::from_utf8_lossy(&output.stdout).trim(),
                "16 vectors agree"
            ),
            Err(error) if std::env::var("CI").is_ok_and(|ci| ci == "true") => {
                panic!("python3 is needed in CI: {error}")
            }
            Err(error) => eprintln!("skipped: python3 does not start: {error}"),
        }
    }
}

/// A memory small enough for the native simulation to be quick.
fn small(name: &str) -> String {
    match name {
        "members" => example(
            name,
            &[("131072", "16384"), ("items = 16384", "items = 2000")],
        ),
        "hotkeys" => example(name, &[("524288", "65536")]),
        _ => example(
            name,
            &[
                ("524288", "65536"),
                ("threshold = 1000000", "threshold = 50"),
            ],
        ),
    }
}

#[test]
fn native_runs_of_every_kind_pass_and_write_their_reports() {
    for (name, key) in [
        ("members", "false_positives"),
        ("hotkeys", "hot_keys_found"),
        ("heavy", "recall"),
    ] {
        let folder = folder(&small(name));
        let verify = [
            "verify",
            "tiny.toml",
            "--simulator",
            "native",
            "--zipf",
            "0.9",
            "--items",
            "6000",
            "--report",
            "out",
            "--json",
        ];
        let run = run(folder.path(), &verify);
        assert_eq!(run.code, 0, "{name}: {}\n{}", run.stderr, run.stdout);
        let result: Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!(
            (&result["verdict"], &result["mismatches"]),
            (&"pass".into(), &0.into()),
            "{name}"
        );
        assert_eq!(result["lost_keys"], 0);
        assert_eq!(result["latency"]["verdict"], "pass");
        assert!(result["items_per_cycle"]
            .as_f64()
            .is_some_and(|rate| rate >= 0.999));
        assert!(
            result["fpr"]["measured"].is_number() && result[key].is_number(),
            "{result}"
        );
        assert_eq!(
            names(&folder.path().join("out")),
            [format!("{name}.html"), format!("{name}.json")]
        );
    }
}

#[test]
fn several_numbers_without_a_law_are_named_in_the_plural() {
    let spec = "name = \"wide\"\n[filter]\nkind = \"counting\"\nmemory_bits = 4194304\nhashes = 16\nitems = 4000\n\
                layout = \"shared\"\nhashing = \"double\"\naccept_two_hash_floor = true\n\
                [filter.counting]\ncounter_bits = 8\nthreshold = 20\n[key]\nbits = 104\n";
    let plan = json(spec, &["plan", "tiny.toml"]);
    let warnings = plan["warnings"].to_string();
    assert!(warnings.contains("counter_saturated, "), "{warnings}");
    assert!(warnings.contains(" are not predicted: "), "{warnings}");
    assert!(!warnings.contains(" is not predicted"), "{warnings}");
}
