//! Sliding-window filters on cuckoo tables from the command line. `INSTA_UPDATE=always cargo test -p bloomline` rewrites the snapshots.

use crate::common::{folder, refusals, root, run};
use crate::sliding::{edited, json, number};
use bloomline_spec::{CUCKOO_EXAMPLES, SLIDING_EXAMPLES};
use serde_json::Value;

fn example(edits: &[(&str, &str)]) -> String {
    edited(CUCKOO_EXAMPLES[0].1, edits)
}

#[test]
fn the_plan_of_the_example_is_as_reviewed() {
    let folder = folder(&example(&[]));
    let run = run(folder.path(), &["plan", "tiny.toml", "--explain"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    for line in run.stdout.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn every_predicted_number_has_its_formula_and_accuracy() {
    let plan = json(&example(&[]), &["plan", "tiny.toml"]);
    for key in [
        "fpr",
        "fpr_peak",
        "generations",
        "generation_items",
        "live_items",
        "peak_live_items",
        "slack_used",
        "bits_per_element",
        "lower_bound_bits_per_element",
        "table_load",
        "full_rows",
        "stashed",
        "moves",
        "scan_quota",
        "items_per_clock",
        "latency_clocks",
        "clear_clocks",
    ] {
        assert!(plan[key].is_number(), "{key}");
        let formula = plan["formula"][key].as_str();
        assert!(formula.is_some_and(|text| text.len() > 8), "{key}");
        assert!(plan["accuracy"][key]["relative_error"].is_number(), "{key}");
    }
    assert_eq!(plan["kind"], "sliding");
    assert_eq!(plan["table"], "cuckoo");
    assert!(plan["generations"].is_u64(), "whole numbers are such");
    let rows = plan["alternatives"]["by_generations"].as_array();
    let rows = rows.expect("a list");
    let own: Vec<&Value> = rows.iter().filter(|row| row["own"] == true).collect();
    assert_eq!((own.len(), &own[0]["generations"]), (1, &7.into()));
    let least = rows.iter().map(|row| number(row, "bits_per_element"));
    assert_eq!(
        least.fold(f64::INFINITY, f64::min),
        number(&plan, "bits_per_element")
    );
}

/// What the numbers are by hand, from the sizes in the example's comments.
#[test]
fn numbers_of_the_example_are_those_of_its_sizes() {
    let plan = json(&example(&[]), &["plan", "tiny.toml"]);
    let identities = 1024.0 * (16_384.0 + 1024.0);
    let (mean, peak) = (7.5 * 2341.0, 7.5625 * 2341.0);
    // 1 - (1 - 1/identities)^live, to the first order short by half of itself
    for (key, live) in [("fpr", mean), ("fpr_peak", peak)] {
        let first_order = live / identities;
        let ratio = number(&plan, key) / (first_order * (1.0 - 0.5 * first_order));
        assert!((ratio - 1.0).abs() < 1e-4, "{key}: {ratio}");
    }
    assert!(number(&plan, "fpr_peak") < 0.001);
    let bits = (20_480.0 * 18.0 + 24.0 * (10.0 + 15.0 + 4.0 + 2.0)) / 16_384.0;
    assert!((number(&plan, "bits_per_element") - bits).abs() < 1e-9);
    assert!((number(&plan, "table_load") - mean / 20_480.0).abs() < 1e-4);
    let held = number(&plan, "held");
    assert!((0.0..0.01).contains(&held), "{held}");
    assert_eq!(number(&plan, "items_per_clock"), 1.0 - held);
    assert_eq!(number(&plan, "clear_clocks"), 25.0 + 1024.0 + 2.0);
    assert_eq!(number(&plan, "latency_clocks"), 9.0 + 6.0 + 3.0);
    let full = number(&plan, "full_rows");
    let stashed = number(&plan, "stashed");
    assert!((stashed / full.powi(4) - 1.0).abs() < 0.01);
    assert!((number(&plan, "moves") / (stashed * (1.0 + 1.0 / (1.0 - full))) - 1.0).abs() < 0.01);
}

#[test]
fn each_way_of_storing_a_window_names_the_memory_of_the_other() {
    let reason = |text: &str| {
        let plan = json(text, &["plan", "tiny.toml"]);
        let text = plan["reasons"]["tables"].as_str();
        text.expect("a reason").to_owned()
    };
    let cuckoo = reason(&example(&[]));
    for part in ["737,280 bits", "368,640", "A parity bit"] {
        assert!(cuckoo.contains(part), "{part}: {cuckoo}");
    }
    let buckets = reason(SLIDING_EXAMPLES[0].1);
    for part in ["368,640 bits", "filter.sliding.table = \"cuckoo\""] {
        assert!(buckets.contains(part), "{part}: {buckets}");
    }
}

#[test]
fn a_stash_with_few_entries_to_use_is_a_warning() {
    let folder = folder(&example(&[(
        "window = 16384",
        "stash_cells = 18\nwindow = 16384",
    )]));
    let run = run(folder.path(), &["plan", "tiny.toml"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let expected = "warning: a stream without idle cycles is held in about 8.8";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
}

#[test]
fn the_page_of_a_plan_has_its_curve_and_the_comparison_its_accesses() {
    let folder = folder(&example(&[]));
    let page = ["plan", "tiny.toml", "--html", "page.html"];
    assert_eq!(run(folder.path(), &page).code, 0);
    let html = std::fs::read_to_string(folder.path().join("page.html")).expect("the page");
    assert_eq!(html.matches("<svg").count(), 1);
    assert_eq!(html.matches("<circle").count(), 1, "the own memory");
    assert!(html.matches("<polyline").count() >= 1);
    let compared = json(&example(&[]), &["plan", "tiny.toml", "--compare"]);
    let own = &compared["comparison"]["structures"][0];
    assert_eq!((&own["own"], &own["banks"]), (&true.into(), &4.into()));
    assert!(number(own, "reads") > 4.0 && number(own, "writes") > 1.0);
    assert!((0.99..1.0).contains(&number(own, "items_per_clock")));
}

/// A name for the case, and what is replaced in the example.
type Case = (&'static str, &'static [(&'static str, &'static str)]);

#[test]
fn bad_specifications_are_refused_by_every_verb_that_reads_one() {
    let cases: [Case; 5] = [
        ("memory of another size", &[("368640", "368641")]),
        ("two hashes", &[("hashes = 1", "hashes = 2")]),
        (
            "buckets",
            &[("window = 16384", "front_buckets = 4096\nwindow = 16384")],
        ),
        (
            "parity",
            &[("[key]", "[memory]\nparity = \"count\"\n[key]")],
        ),
        ("no such table", &[("\"cuckoo\"", "\"cukoo\"")]),
    ];
    let cases = cases.map(|(name, edits)| (name, example(edits)));
    insta::assert_snapshot!(refusals(&cases));
}

#[test]
fn the_manifest_states_tables_and_row_functions() {
    let folder = folder(&example(&[]));
    let emitted = run(folder.path(), &["emit", "tiny.toml", "--out", "out"]);
    assert_eq!(emitted.code, 0, "{}", emitted.stderr);
    let read = |file: &str| std::fs::read_to_string(folder.path().join("out").join(file));
    let manifest: Value =
        serde_json::from_str(&read("manifest.json").expect("a manifest")).expect("JSON");
    let geometry = &manifest["geometry"];
    assert_eq!(geometry["table"], "cuckoo");
    assert_eq!(
        (&geometry["rows"], &geometry["row_cells"]),
        (&1024.into(), &5.into())
    );
    assert_eq!(geometry["range"], 1024 * 17_408);
    let masks = geometry["row_masks"].as_array().expect("masks");
    assert_eq!(masks.len(), 3);
    assert_eq!(manifest["timing"]["scan_quota"], 12);
    let verilog = read("recent.v").expect("the Verilog");
    assert!(verilog.starts_with("// recent: a sliding-window filter on cuckoo tables"));
    let registers = read("registers.md").expect("a map");
    assert!(registers.contains("STASHED_LO") && registers.contains("STALL_STASH_LO"));
}

#[test]
fn size_takes_a_table_and_writes_what_can_be_planned() {
    let folder = folder("");
    let wants = [
        "size", "sliding", "--window", "16384", "--slack", "4096", "--rate", "0.1%",
    ];
    let plain = run(&root(), &wants);
    assert_eq!(plain.code, 0, "{}", plain.stderr);
    assert!(
        plain.stdout.contains("cuckoo_memory_bits"),
        "{}",
        plain.stdout
    );
    assert!(plain.stdout.contains("--table cuckoo"), "{}", plain.stdout);
    let cuckoo = [&wants[..], &["--table", "cuckoo"]].concat();
    let found = run(
        folder.path(),
        &[&cuckoo[..], &["--write", "recent.toml", "--json"]].concat(),
    );
    assert_eq!(found.code, 0, "{}", found.stderr);
    let found: Value = serde_json::from_str(&found.stdout).expect("JSON");
    assert_eq!(number(&found, "memory_bits"), 368_640.0);
    assert_eq!(number(&found, "buckets_memory_bits"), 737_280.0);
    let planned = run(folder.path(), &["plan", "recent.toml"]);
    assert_eq!((planned.code, planned.stderr.as_str()), (0, ""));
    let theory = run(&root(), &[&cuckoo[..], &["--theory"]].concat());
    assert_eq!((theory.code, theory.stdout.as_str()), (2, ""));
    assert!(theory.stderr.contains("--table"), "{}", theory.stderr);
}

#[test]
fn error_correction_is_stated_with_the_bits_that_it_takes() {
    let ecc = example(&[("[key]", "[memory]\necc = true\n\n[key]")]);
    let with = json(&ecc, &["plan", "tiny.toml"]);
    assert_eq!(with["ecc"], true);
    // 4 tables of 1024 rows of 5 cells of 18 bits, with six check bits
    assert_eq!(number(&with, "stored_bits"), 4.0 * 1024.0 * 5.0 * 24.0);
    let folder = folder(&ecc);
    let text = run(folder.path(), &["plan", "tiny.toml", "--explain"]).stdout;
    assert!(text.contains("Error correction: 491,520 bits"), "{text}");
    let plain = json(&example(&[]), &["plan", "tiny.toml"]);
    assert_eq!(plain.get("ecc"), None);
}
