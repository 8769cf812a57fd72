//! Claims about `plan`.

use crate::common::{edited, folder, root, run, BASE};
use serde_json::Value;

fn plan(edits: &[(&str, &str)]) -> Value {
    let folder = folder(&edited(edits));
    let run = run(folder.path(), &["plan", "tiny.toml", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

fn number(plan: &Value, key: &str) -> f64 {
    plan[key]
        .as_f64()
        .unwrap_or_else(|| panic!("{key} is no number: {}", plan[key]))
}

#[test]
fn every_predicted_number_has_its_formula_and_accuracy() {
    let plan = plan(&[]);
    for key in [
        "fpr_average",
        "fpr_worst_case",
        "messages_per_cycle",
        "capacity_gain",
        "no_stall_cycle_messages",
    ] {
        assert!(number(&plan, key) > 0.0, "{key}");
        assert!(
            plan["formula"][key]
                .as_str()
                .is_some_and(|text| text.len() > 10),
            "{key}"
        );
        assert!(plan["accuracy"][key]["relative_error"].is_number(), "{key}");
    }
    assert_eq!(
        (
            number(&plan, "threshold"),
            number(&plan, "memory_bits"),
            number(&plan, "hashes")
        ),
        (20000.0, 131072.0, 4.0)
    );
    assert!(plan["formula"]["threshold"].is_string());
}

#[test]
fn means_have_what_holds_but_for_one_percent_beside_them() {
    for phases in ["phases = 1", "phases = 2"] {
        let on_bits = plan(&[("phases = 2", phases)]);
        let shortest = number(&on_bits, "messages_per_cycle_1pct");
        let mean = number(&on_bits, "messages_per_cycle");
        assert!(
            shortest < mean && shortest > 0.95 * mean,
            "{shortest} {mean}"
        );
        assert!(on_bits["repeat_factor"].is_null(), "two hash functions");
        assert!(number(&on_bits, "fpr_worst_case_1pct") > number(&on_bits, "fpr_worst_case"));
        let independent = ("hashing = \"double\"", "hashing = \"independent\"");
        let independent = plan(&[("phases = 2", phases), independent]);
        // the worst case is a bound already, with two phases of the mean: their halves may have no bit in common
        match phases {
            "phases = 1" => assert!(independent["fpr_worst_case_1pct"].is_null()),
            _ => {
                let half = (20000.0f64 / 65536.0).powi(4);
                let never = number(&independent, "fpr_worst_case_1pct");
                assert!((never / (2.0 * half) - 1.0).abs() < 1e-12, "{never}");
                assert!(never > number(&independent, "fpr_worst_case"));
            }
        }
        let of_a_cycle = number(&independent, "fpr_cycle_1pct");
        let average = number(&independent, "fpr_average");
        // one phase: less than one false positive a cycle is expected
        let times = if phases == "phases = 1" { 9.0 } else { 2.0 };
        assert!(
            of_a_cycle > average && of_a_cycle < times * average,
            "{of_a_cycle} {average}"
        );
        assert_eq!(independent["accuracy"]["fpr_cycle_1pct"]["kind"], "bound");
        match phases {
            "phases = 1" => {
                let factor = number(&independent, "repeat_factor");
                let worst = number(&independent, "fpr_worst_case");
                assert!((factor * worst - 1.0).abs() < 1e-12);
                assert_eq!(independent["accuracy"]["repeat_factor"]["kind"], "bound");
            }
            _ => assert!(independent["repeat_factor"].is_null()),
        }
    }
    let on_messages = plan(&[
        ("on = \"bits-set\"", "on = \"messages\""),
        ("threshold = 20000", "threshold = 6000"),
        ("hashing = \"double\"", "hashing = \"independent\""),
    ]);
    let (worst, mean) = (
        number(&on_messages, "fpr_worst_case_1pct"),
        number(&on_messages, "fpr_worst_case"),
    );
    assert!(worst > mean && worst < 1.5 * mean, "{worst} {mean}");
    let shortest = number(&on_messages, "messages_per_cycle_1pct");
    assert!((5999.0..number(&on_messages, "messages_per_cycle")).contains(&shortest));
}

#[test]
fn parity_is_stated_with_the_bits_that_it_takes() {
    let parity = [("[key]", "[memory]\nparity = \"count\"\n[key]")];
    assert_eq!(plan(&[]).get("stored_bits"), None);
    let with = plan(&parity);
    assert_eq!(with["parity"], "count");
    // a parity bit with every 32 data bits and 4 epoch bits
    assert_eq!(with["stored_bits"], 131_072 / 32 * 37);
    let folder = folder(&edited(&parity));
    let text = run(folder.path(), &["plan", "tiny.toml", "--explain"]);
    assert!(
        text.stdout
            .contains("Parity: count; 151,552 bits are stored"),
        "{}",
        text.stdout
    );
}

#[test]
fn error_correction_is_stated_with_the_bits_that_it_takes() {
    let ecc = [("[key]", "[memory]\necc = true\n[key]")];
    let with = plan(&ecc);
    assert_eq!(with["ecc"], true);
    // seven check bits with every 32 data bits and 4 epoch bits
    assert_eq!(with["stored_bits"], 131_072 / 32 * 43);
    let folder = folder(&edited(&ecc));
    let text = run(folder.path(), &["plan", "tiny.toml", "--explain"]);
    assert!(
        text.stdout
            .contains("Error correction: 176,128 bits are stored"),
        "{}",
        text.stdout
    );
}

#[test]
fn a_keyed_filter_of_two_phases_says_what_a_rekey_costs() {
    let keyed = [("\"h3-sbox\"", "\"siphash\"")];
    let folder = folder(&edited(&keyed));
    let text = run(folder.path(), &["plan", "tiny.toml", "--explain"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    insta::assert_snapshot!("plan_keyed", text.stderr + &text.stdout);
    // two halves, two secrets: neither with one phase nor without a secret
    for (edits, said) in [
        (keyed.to_vec(), true),
        (vec![keyed[0], ("phases = 2", "phases = 1")], false),
        (vec![], false),
    ] {
        let formula = plan(&edits)["formula"]["items_per_second"].to_string();
        assert_eq!(formula.contains("rekey"), said, "{formula}");
    }
}

#[test]
fn a_card_states_its_line() {
    let spec = format!("{BASE}\n[target]\nclock_hz = 100_000_000\n[card]\nuart_baud = 115_200\n");
    let folder = folder(&spec);
    let json = run(folder.path(), &["plan", "tiny.toml", "--json"]);
    let plan: Value = serde_json::from_str(&json.stdout).expect("JSON");
    let uart = &plan["card"]["uart"];
    // 100 MHz / 868 = 115,207.37 baud; a key of 104 bits is four words
    assert_eq!(number(uart, "clocks_per_bit"), 868.0);
    assert!((number(uart, "baud_error") - 6.4e-5).abs() < 1e-6);
    assert_eq!(number(uart, "item_bytes"), f64::from(6 + 4 * 5 + 6 + 4));
    assert_eq!(number(uart, "checked_item_bytes"), f64::from(6 * (30 + 26)));
    assert!((number(uart, "item_ms") - 3.1248).abs() < 1e-4);
    let text = run(folder.path(), &["plan", "tiny.toml", "--explain"]).stdout;
    assert!(text.contains("868 clocks a bit (+0.01%)"), "{text}");
    assert!(self::plan(&[])["card"].is_null());
}

#[test]
fn a_packet_path_states_what_it_opens() {
    let path = |line: &str| {
        let spec = BASE.replace("bits = 104", "source = \"ipv4-5tuple\"");
        format!("{spec}\n[card]\n[packet]\ndata_bits = 64\ntrusted_keys = true\n{line}\n")
    };
    let opening = folder(&path("tunnels = [\"gtp-u\", \"vxlan\"]"));
    let json = run(opening.path(), &["plan", "tiny.toml", "--json"]);
    let plan: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(
        plan["card"]["tunnels"],
        serde_json::json!(["vxlan", "gtp-u"])
    );
    let text = run(opening.path(), &["plan", "tiny.toml"]).stdout;
    assert!(
        text.contains("Tunnels: a packet in one of packet.tunnels (vxlan, gtp-u)"),
        "{text}"
    );
    let shut = run(folder(&path("")).path(), &["plan", "tiny.toml"]).stdout;
    assert!(
        shut.contains("Card: ") && !shut.contains("Tunnels"),
        "{shut}"
    );
}

#[test]
fn auto_is_the_greatest_threshold_within_the_target() {
    let auto = plan(&[("20000", "\"auto\"\ntarget_fpr = 0.01")]);
    let solved = number(&auto, "threshold") as u64;
    assert!(number(&auto, "fpr_average") <= 0.01);
    let above = plan(&[("20000", &(solved + 1).to_string())]);
    assert!(number(&above, "fpr_average") > 0.01);
}

/// One phase, m'=1024, k=4, sigma=2048, independent, non-retaining: rate 0.0156588700, cycle 710.272649, by exact arithmetic.
#[test]
fn the_published_check_value_comes_out() {
    let plan = plan(&[
        ("131072", "4096"),
        ("\"double\"", "\"independent\""),
        ("phases = 2", "phases = 1\nretain = false"),
        ("20000", "2048"),
    ]);
    assert!(
        (number(&plan, "fpr_average") - 0.015_658_870_0).abs() < 1e-9,
        "{plan}"
    );
    assert!(
        (number(&plan, "messages_per_cycle") - 710.272_649).abs() < 1e-5,
        "{plan}"
    );
}

/// Every figure of an alternative: value, formula, accuracy.
const FIGURES: [&str; 6] = [
    "fpr_average",
    "fpr_worst_case",
    "two_hash_excess",
    "cycle_arrivals",
    "cycle_messages",
    "capacity_gain",
];

#[test]
fn alternatives_keep_the_rate_and_mark_the_own_filter_once() {
    let plan = plan(&[("20000", "\"auto\"\ntarget_fpr = 0.01")]);
    let alternatives = &plan["alternatives"];
    assert_eq!(alternatives["rate"], 0.01);
    for (list, least) in [("by_hashes", 16), ("by_phases", 2)] {
        let rows = alternatives[list].as_array().expect("a list");
        assert_eq!(rows.len(), least, "{list}");
        let own: Vec<&Value> = rows.iter().filter(|row| row["own"] == true).collect();
        assert_eq!(own.len(), 1, "{list}");
        assert_eq!(own[0]["params"]["threshold"], plan["threshold"]);
        assert_eq!(
            own[0]["prediction"]["fpr_average"]["value"],
            plan["fpr_average"]
        );
        for row in rows {
            for figure in FIGURES {
                let figure = &row["prediction"][figure];
                assert!(
                    figure["value"].is_number() && figure["accuracy"]["relative_error"].is_number()
                );
                assert!(figure["formula"]
                    .as_str()
                    .is_some_and(|text| text.len() > 10));
            }
            assert!(
                row["prediction"]["fpr_average"]["value"]
                    .as_f64()
                    .expect("a rate")
                    <= 0.01
            );
            let partition = row["partition_bits"].as_u64().expect("bits");
            assert_eq!(row["power_of_two"], partition.is_power_of_two());
        }
    }
    for key in ["hashes", "threshold", "phases"] {
        assert!(
            plan["reasons"][key]
                .as_str()
                .is_some_and(|text| text.ends_with('.')),
            "{key}"
        );
    }
}

#[test]
fn the_text_explains_itself_within_a_hundred_columns() {
    for (_, text) in bloomline_spec::EXAMPLES {
        let folder = folder(text);
        let run = run(folder.path(), &["plan", "tiny.toml", "--explain"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        for line in run.stdout.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
        for part in [
            "Why these hashes: k = ",
            "Why this threshold: ",
            "Why these phases: ",
            "Formulas",
        ] {
            assert!(run.stdout.contains(part), "{part}");
        }
        let own = run
            .stdout
            .lines()
            .filter(|line| line.starts_with(" > "))
            .count();
        assert_eq!(own, 2, "one row in each table");
    }
}

#[test]
fn results_go_to_stdout_and_warnings_to_stderr() {
    let folder = folder(&edited(&[
        ("20000", "259"),
        ("\"double\"", "\"independent\""),
    ]));
    let run = run(folder.path(), &["plan", "tiny.toml", "--explain"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stdout.contains("fpr_average") && !run.stdout.contains("warning"),
        "{}",
        run.stdout
    );
    assert!(
        run.stderr
            .starts_with("warning: threshold 259 is below 260 bits set"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_cycle_too_short_to_cover_the_words_is_warned_of() {
    let short = plan(&[("20000", "2000"), ("\"double\"", "\"independent\"")]);
    let warnings = short["warnings"].to_string();
    assert!(warnings.contains("STALL_RECYCLE"), "{warnings}");
    assert!(
        number(&short, "bit_setting_messages_per_cycle")
            < number(&short, "no_stall_cycle_messages")
    );
    assert_eq!(plan(&[])["warnings"], serde_json::json!([]));
}

#[test]
fn plan_writes_nothing() {
    let folder = folder(BASE);
    run(folder.path(), &["plan", "tiny.toml", "--explain"]);
    assert_eq!(crate::common::names(folder.path()), ["tiny.toml"]);
}

#[test]
fn a_plan_begins_with_six_plain_lines_and_keeps_formulas_for_explain() {
    let folder = folder(BASE);
    let brief = run(folder.path(), &["plan", "tiny.toml"]).stdout;
    let names = [
        "Remembers",
        "Errs",
        "Memory",
        "Throughput",
        "Latency",
        "Watch",
    ];
    let starts: Vec<&str> = brief
        .lines()
        .filter(|line| !line.starts_with(' '))
        .take(6)
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(starts, names, "{brief}");
    for part in [
        "1.06 % of cases",
        "131,072 bits (16 KiB)",
        "250 million items a second",
        "tiny.toml --explain",
    ] {
        assert!(brief.contains(part), "{part}: {brief}");
    }
    assert!(
        !brief.contains("Formulas") && !brief.contains("RBF"),
        "{brief}"
    );
    let full = run(folder.path(), &["plan", "tiny.toml", "--explain"]).stdout;
    assert!(
        full.contains("Formulas") && full.contains("RBF: K. Dozier"),
        "{full}"
    );
}

#[test]
fn a_page_with_curves_is_written_for_every_kind() {
    let folder = tempfile::tempdir().expect("a folder");
    run(folder.path(), &["examples", "--write", "."]);
    for (example, charts) in [
        ("onehit", 5),
        ("members", 3),
        ("hotkeys", 3),
        ("heavy", 3),
        ("window", 1),
    ] {
        let (file, page) = (format!("{example}.toml"), format!("{example}.html"));
        let plan = run(folder.path(), &["plan", &file, "--html", &page]);
        assert_eq!(plan.code, 0, "{example}: {}", plan.stderr);
        let html = std::fs::read_to_string(folder.path().join(&page)).expect("the page");
        assert_eq!(html.matches("<svg").count(), charts, "{example}");
        // the own point is marked in each chart, and each curve has points to either side
        assert_eq!(html.matches("<circle").count(), charts, "{example}");
        assert!(html.matches("<polyline").count() >= charts, "{example}");
    }
}

#[test]
fn other_structures_keep_the_memory_and_the_rate() {
    let folder = folder(&edited(&[]));
    let compared = run(folder.path(), &["plan", "tiny.toml", "--compare", "--json"]);
    assert_eq!(compared.code, 0, "{}", compared.stderr);
    let plan: Value = serde_json::from_str(&compared.stdout).expect("JSON");
    let comparison = &plan["comparison"];
    let (rate, memory) = (
        number(comparison, "rate"),
        number(comparison, "memory_bits"),
    );
    assert_eq!(memory, number(&plan, "memory_bits"));
    let structures = comparison["structures"].as_array().expect("structures");
    assert!(structures.len() > 8, "{structures:?}");
    for (place, structure) in structures.iter().enumerate() {
        assert_eq!(structure["own"], place == 0);
        assert!(number(structure, "fpr") <= rate, "{structure}");
        assert!(number(structure, "memory_bits") <= memory, "{structure}");
        let reach = number(structure, "kept_99_percent");
        assert!(
            (number(structure, "bits_per_key") * reach / number(structure, "memory_bits") - 1.0)
                .abs()
                < 1e-9
        );
        let clocks = number(structure, "items_per_clock");
        assert!(clocks > 0.0 && clocks <= 1.0, "{structure}");
        assert!(structure["formula"]
            .as_str()
            .is_some_and(|text| text.len() > 10));
        assert!(structure["source"]
            .as_str()
            .is_some_and(|text| !text.is_empty()));
    }
    // the same law by the other room: the best of two phases is at least this filter, whose partitions have any size
    let own = number(&structures[0], "kept_99_percent");
    let best = number(&structures[1], "kept_99_percent");
    assert_eq!(structures[1]["structure"], "two-phases");
    assert!(best > 0.98 * own, "{best} {own}");
    // the filter itself is the first and the last to be named
    let ranges = comparison["fewest_forgotten"].as_array().expect("ranges");
    assert!(ranges.len() % 2 == 1, "{ranges:?}");
    assert!(ranges
        .iter()
        .step_by(2)
        .all(|range| range["best"] == "two-phases"));
    let arguments = ["plan", "tiny.toml", "--compare", "--html", "page.html"];
    assert_eq!(run(folder.path(), &arguments).code, 0);
    let html = std::fs::read_to_string(folder.path().join("page.html")).expect("the page");
    for structure in structures.iter().skip(1) {
        let name = structure["name"].as_str().expect("a name");
        assert!(
            html.contains(&format!("Missed keys, beside {name}")),
            "{name}"
        );
    }
    let text = run(folder.path(), &["plan", "tiny.toml", "--compare"]);
    assert!(
        text.stdout.contains("age-partitioned")
            && text.stdout.lines().all(|line| line.chars().count() <= 100)
    );
}

#[test]
fn bits_a_key_are_the_memory_over_the_keys_that_are_kept() {
    let spec = "name = \"tiny\"\n[filter]\nkind = \"recycling\"\nmemory_bits = 1024\nhashes = 2\n[filter.recycle]\nphases = 2\n\
                on = \"bits-set\"\nthreshold = 200\n[key]\nbits = 104\n";
    let folder = folder(spec);
    let compared = run(folder.path(), &["plan", "tiny.toml", "--compare", "--json"]);
    assert_eq!(compared.code, 0, "{}", compared.stderr);
    let plan: Value = serde_json::from_str(&compared.stdout).expect("JSON");
    let structures = plan["comparison"]["structures"].as_array();
    let of = |peer: &Value, key: &str| peer[key].as_f64().unwrap_or(f64::NAN);
    let mut decays = 0;
    for peer in structures.expect("structures") {
        let kept = of(peer, "kept_99_percent");
        if kept < 1.0 {
            assert!(peer["bits_per_key"].is_null(), "{peer}");
        } else {
            let bits = of(peer, "memory_bits") / kept;
            assert!(
                (of(peer, "bits_per_key") / bits - 1.0).abs() < 1e-9,
                "{peer}"
            );
        }
        // any key may be forgotten at any time
        if ["stable", "retouched"]
            .map(Value::from)
            .contains(&peer["name"])
        {
            assert_eq!(kept, kept.trunc(), "{peer}");
            decays += 1;
        }
    }
    assert_eq!(decays, 2);
}

#[test]
fn filters_that_forget_nothing_are_not_compared() {
    let folder = folder(&edited(&[]));
    let examples = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../hdl/specification/examples"
    );
    let copied = std::fs::copy(
        format!("{examples}/members.toml"),
        folder.path().join("members.toml"),
    );
    copied.expect("the example");
    let refused = run(folder.path(), &["plan", "members.toml", "--compare"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused
            .stderr
            .contains("filter.kind = \"static\" forgets nothing"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_seed_is_judged_by_keys_of_a_block_or_of_a_table() {
    let linear = [("\"h3-sbox\"", "\"h3\""), ("\"double\"", "\"independent\"")];
    let folder = folder(&edited(&linear));
    let keys: String = (0..4000).map(|key| format!("{key}\n")).collect();
    std::fs::write(folder.path().join("keys.csv"), format!("lbn\n{keys}")).expect("a table");
    let block = run(
        folder.path(),
        &["plan", "tiny.toml", "--varying", "0x1ffff", "--seeds", "20"],
    );
    assert_eq!(block.code, 0, "{}", block.stderr);
    let part = block.stdout.find("\nRate of hash.seed").expect("the part");
    insta::assert_snapshot!("plan_varying", &block.stdout[part..]);
    let table = run(
        folder.path(),
        &["plan", "tiny.toml", "--keys", "keys.csv:lbn", "--json"],
    );
    assert_eq!(table.code, 0, "{}", table.stderr);
    let plan: Value = serde_json::from_str(&table.stdout).expect("JSON");
    assert_eq!(plan["on_keys"]["keys"], 4000.0);
    assert_eq!(plan["on_keys"]["span_bits"], 12);
    let alone = run(folder.path(), &["plan", "tiny.toml", "--seeds", "3"]);
    assert_eq!(alone.code, 2);
    assert!(
        alone
            .stderr
            .contains("add --keys FILE:COLUMN or --varying MASK"),
        "{}",
        alone.stderr
    );
    let none = run(folder.path(), &["plan", "tiny.toml", "--varying", "0"]);
    assert!(
        none.code == 2 && none.stderr.contains("no bit varies"),
        "{}",
        none.stderr
    );
}

#[test]
fn a_cache_on_the_second_request_is_judged_by_a_law_or_a_trace() {
    let folder = folder(&edited(&[]));
    let ends = |arguments: &[&str]| {
        let run = run(folder.path(), &[&["plan", "tiny.toml"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let part = run.stdout.find("\nA cache of").expect("the part");
        run.stdout[part..].to_owned()
    };
    let law = ends(&["--cache", "5000", "--zipf", "0.8,1M"]);
    // keys 0, 1, .. of which every third comes again: 7 bytes each
    let requests: String = (0..6000)
        .map(|at| format!("{},7\n", if at % 3 == 2 { at - 1 } else { at }))
        .collect();
    std::fs::write(folder.path().join("t.csv"), format!("id,bytes\n{requests}")).expect("a table");
    let trace = ends(&["--cache", "70", "--trace", "t.csv:id", "--sizes", "bytes"]);
    insta::assert_snapshot!("plan_cache", law + &trace);
    // bytes are told of where there are sizes
    for (sizes, told) in [(&[][..], false), (&["--sizes", "bytes"], true)] {
        let trace = [
            "plan",
            "tiny.toml",
            "--cache",
            "70",
            "--trace",
            "t.csv:id",
            "--json",
        ];
        let plan = run(folder.path(), &[&trace, sizes].concat()).stdout;
        let plan: Value = serde_json::from_str(&plan).expect("JSON");
        let row = &plan["cache"]["admissions"][0];
        assert!(row["hit_ratio"].is_number());
        assert_eq!(row["byte_hit_ratio"].is_number(), told);
        assert_eq!(row.get("byte_writes").is_some(), told);
    }
    let alone = run(folder.path(), &["plan", "tiny.toml", "--cache", "10"]);
    assert_eq!(alone.code, 2, "{}", alone.stderr);
    std::fs::write(folder.path().join("z.csv"), "id,bytes\n1,0\n").expect("a table");
    let zero = run(
        folder.path(),
        &[
            "plan",
            "tiny.toml",
            "--cache",
            "10",
            "--trace",
            "z.csv:id",
            "--sizes",
            "bytes",
        ],
    );
    assert!(
        zero.code == 2 && zero.stderr.contains("no size above 0"),
        "{}",
        zero.stderr
    );
}

#[test]
fn requests_by_a_law_have_rates_over_all_arrivals() {
    let folder = folder(&edited(&[]));
    let plan =
        |arguments: &[&str]| run(folder.path(), &[&["plan", "tiny.toml"], arguments].concat());
    let text = plan(&["--zipf", "0.8,1M"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    let part = text.stdout.find("\nFalse positives on").expect("the part");
    insta::assert_snapshot!("plan_zipf", &text.stdout[part..]);
    let json: Value =
        serde_json::from_str(&plan(&["--zipf", "0,100k", "--json"]).stdout).expect("JSON");
    let value = |key: &str| number(&json["fpr_by_arrivals"][key], "value");
    assert!(
        value("count_first") < value("count_each") && value("count_each") < value("count_instance")
    );
    let few = plan(&["--zipf", "0.8,50"]);
    assert!(
        few.code == 2 && few.stderr.contains("never recycles"),
        "{}",
        few.stderr
    );
    // a cache has its hits all the same
    assert_eq!(plan(&["--zipf", "0.8,50", "--cache", "10"]).code, 0);
}

#[test]
fn a_plan_says_what_auto_has_become_and_why_and_emits_what_a_stated_choice_does() {
    let key = "[key]";
    let with = |memory: &str, part: &str| {
        format!("[memory]\n{memory}\n[target]\npart = \"{part}\"\n[key]")
    };
    let auto = |part: &str| {
        let text = with("erase = \"auto\"", part);
        plan(&[(key, &text)])
    };
    let lattice = auto("LFE5UM5G-45F");
    assert_eq!(lattice["erase"], "epoch");
    let why = lattice["erase_reason"].as_str().expect("a reason");
    assert!(why.contains("rows of 1 bit"), "{why}");
    let amd = auto("xcu280");
    assert_eq!(amd["erase"], "spare-half");
    let way = &amd["ways_to_erase"]["spare-half"];
    assert_eq!(way["block_rams"], 12);
    assert_eq!(amd["ways_to_erase"]["epoch"]["block_rams"], 8);
    let rows = way["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 5);
    assert!(rows.iter().all(|row| row["right_on_the_part"] == true));
    let chosen = rows
        .iter()
        .find(|row| row["erase_clocks"] == way["erase_clocks"]);
    let chosen = chosen.expect("the width chosen is one of them");
    assert!(number(chosen, "stall_free_threshold") <= number(&amd, "threshold"));
    let stated = with(
        &format!("erase = \"spare-half\"\nrow_bits = {}", chosen["row_bits"]),
        "xcu280",
    );
    let stated = plan(&[(key, &stated)]);
    assert_eq!(stated["geometry_hash"], amd["geometry_hash"]);
    assert!(stated["erase_reason"].is_null());
    // an erase of rows of 1 bit holds items up, so full rate is the most that there is
    let slow = plan(&[(key, &with("erase = \"spare-half\"", "LFE5UM5G-45F"))]);
    for (plan, at_most) in [(&slow, true), (&amd, false), (&lattice, false)] {
        let throughput = plan["summary"]["throughput"].as_str().expect("a line");
        assert_eq!(
            throughput.starts_with("up to 250 million"),
            at_most,
            "{throughput}"
        );
    }
}

#[test]
fn the_area_has_its_error_and_its_share_of_a_part() {
    let folder = folder(&edited(&[]));
    let on = |board: &str| {
        let arguments = ["plan", "tiny.toml", "--json", "--board", board];
        run(folder.path(), &arguments)
    };
    let plain = run(folder.path(), &["plan", "tiny.toml", "--area"]);
    assert!(plain.stdout.contains("DP16KD"), "{}", plain.stdout);
    assert!(!plain.stdout.contains("--area"), "{}", plain.stdout);
    let area = |board: &str| -> Value {
        let run = on(board);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let mut plan: Value = serde_json::from_str(&run.stdout).expect("JSON");
        plan["area"].take()
    };
    let lattice = area("versa-ecp5");
    let families = lattice["families"].as_array().expect("families");
    assert_eq!(families.len(), 3);
    for family in families {
        assert!(number(family, "lookup_tables") > 1_000.0, "{family}");
        let error = number(family, "lookup_table_error");
        assert!(error > 0.0 && error <= 0.1, "{family}");
    }
    // 43,848 LUT4, and 8 DP16KD of 108
    let share = &lattice["share"];
    let tables = number(&families[0], "lookup_tables") / 43_848.0;
    assert!((number(share, "lookup_tables") - tables).abs() < 1e-9);
    assert!(
        (number(share, "block_rams") - number(&families[0], "block_rams_18_kbit") / 108.0).abs()
            < 1e-9
    );
    // two RAMB18 are one RAMB36
    let amd = area("opennic-250");
    let halves = number(&amd["families"][2], "block_rams_18_kbit");
    let rams = halves / 2.0 + number(&amd["families"][2], "block_rams_36_kbit");
    let of = number(&amd["part"], "block_rams");
    assert!((number(&amd["share"], "block_rams") - rams / of).abs() < 1e-9);
    let other = on("tang-nano-20k");
    assert_eq!(other.code, 2, "{}", other.stdout);
    assert!(
        other
            .stderr
            .contains("the area is not estimated for the family"),
        "{}",
        other.stderr
    );
}

#[test]
fn a_filter_for_more_keys_than_its_key_width_holds_is_warned_of() {
    let examples = [
        ("members.toml", "filter.items = 16384"),
        ("hotkeys.toml", "filter.items = "),
        ("trending.toml", "filter.items = "),
        ("window.toml", "filter.sliding.window = 16384"),
        ("recent.toml", "filter.sliding.window = 16384"),
        ("onehit.toml", "new keys of a cycle"),
    ];
    for (name, what) in examples {
        let file = root().join("hdl/specification/examples").join(name);
        let text = std::fs::read_to_string(file).expect("an example");
        let warnings = |bits: &str| {
            let bits = format!("[key]\nbits = {bits}");
            let folder = folder(&text.replace("[key]\nbits = 104", &bits));
            let run = run(folder.path(), &["plan", "tiny.toml"]);
            assert_eq!(run.code, 0, "{}", run.stderr);
            run.stderr
        };
        let few = warnings("8");
        let parts = ["key.bits = 8", "256 different keys", what];
        assert!(parts.iter().all(|part| few.contains(part)), "{name}: {few}");
        assert!(!warnings("24").contains("key.bits"), "{name}");
    }
}
