//! Claims about `size`.

use crate::common::{root, run};

/// The numbers of `size` with these arguments.
fn sized(arguments: &[&str]) -> serde_json::Value {
    let run = run(&root(), &[&["size", "--json"], arguments].concat());
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn best_numbers_of_hashes_are_the_exact_ones() {
    let standard = sized(&["static", "--bits", "1024", "--items", "5"]);
    assert_eq!(standard["hashes"], 133.0);
    let classic = sized(&["static", "--bits", "1024", "--items", "5", "--distinct"]);
    assert_eq!(classic["hashes"], 124.0);
    assert!((classic["hashes_estimate"].as_f64().expect("a number") - 141.957).abs() < 1e-3);
}

#[test]
fn bits_for_a_rate_are_the_fewest_and_items_the_most() {
    let bits = sized(&["static", "--items", "1000", "--rate", "0.01"])["memory_bits"]
        .as_f64()
        .expect("a number") as u64;
    let rate = |bits: u64, items: &str| {
        sized(&["static", "--bits", &bits.to_string(), "--items", items])["fpr"]
            .as_f64()
            .expect("a number")
    };
    assert!(rate(bits, "1000") <= 0.01 && rate(bits - 1, "1000") > 0.01);
    let items = sized(&["static", "--bits", &bits.to_string(), "--rate", "0.01"])["items"]
        .as_f64()
        .expect("a number");
    assert!(items >= 1000.0 && rate(bits, &(items + 1.0).to_string()) > 0.01);
}

#[test]
fn counters_for_a_rate_keep_it_and_one_in_a_thousand_fewer_do_not() {
    let arguments = ["counting", "--insertions", "10000", "--threshold", "5"];
    let found = sized(&[&arguments[..], &["--rate", "1e-6"]].concat());
    assert!(found["false_alarm_rate"].as_f64().expect("a number") <= 1e-6);
    assert_eq!(
        (&found["hashes"], &found["counter_bits"]),
        (&4.0.into(), &3.0.into())
    );
    let fewer = (found["counters"].as_f64().expect("a number") * 0.999)
        .floor()
        .to_string();
    let worse = sized(&[&arguments[..], &["--counters", &fewer]].concat());
    assert!(worse["false_alarm_rate"].as_f64().expect("a number") > 1e-6);
}

#[test]
fn a_sketch_keeps_its_failure_probability() {
    for copies in [&[][..], &["--copies"][..]] {
        let found = sized(
            &[
                &["count-min", "--error", "0.001", "--failure", "1e-6"][..],
                copies,
            ]
            .concat(),
        );
        assert!(found["failure_bound"].as_f64().expect("a number") <= 1e-6);
        assert_eq!(found["accuracy"]["failure_bound"]["kind"], "bound");
    }
}

#[test]
fn a_window_keeps_its_rate_and_lies_above_the_lower_bound() {
    let found = sized(&[
        "sliding", "--window", "100000", "--slack", "20000", "--rate", "0.001",
    ]);
    let number = |key: &str| found[key].as_f64().expect("a number");
    assert!(number("fpr_bound") <= 0.001);
    assert!(number("bits_per_element") > number("lower_bound_bits_per_element"));
    assert_eq!(found["formula"]["generation_values"], "SBF 2.4: 2c + 3");
}

#[test]
fn contradictions_are_usage_errors_that_name_what_to_change() {
    let cases: [(&[&str], &str); 7] = [
        (
            &["static", "--bits", "100"],
            "two of --bits, --items and --rate",
        ),
        (
            &["static", "--bits", "3", "--rate", "1e-9"],
            "at least 2^-1.58",
        ),
        (&["static", "--items", "10", "--rate", "2"], "rate = 2"),
        (
            &["static", "--items", "10", "--rate", "0.1", "--hashes", "3"],
            "--hashes",
        ),
        (
            &[
                "counting",
                "--insertions",
                "10",
                "--threshold",
                "5",
                "--rate",
                "0",
            ],
            "--rate 0",
        ),
        (&["count-min", "--error", "0", "--failure", "0.1"], "eps"),
        (
            &[
                "sliding",
                "--window",
                "100",
                "--slack",
                "10",
                "--rate",
                "0.1",
                "--generations",
                "3",
            ],
            "generations",
        ),
    ];
    for (arguments, expected) in cases {
        let run = run(&root(), &[&["size"], arguments].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(
            run.stderr.contains(expected),
            "{arguments:?}: {}",
            run.stderr
        );
    }
}

#[test]
fn a_recycling_filter_is_found_from_any_sufficient_wishes() {
    let number = |found: &serde_json::Value, key: &str| found[key].as_f64().expect("a number");
    let capacity = sized(&["recycling", "--rate", "0.01", "--messages", "3000"]);
    assert!(number(&capacity, "fpr_average") <= 0.01);
    assert!(number(&capacity, "messages_per_cycle") >= 3000.0);
    let memory = number(&capacity, "memory_bits").to_string();
    let same = sized(&["recycling", "--memory", &memory, "--rate", "0.01"]);
    assert!(number(&same, "messages_per_cycle") >= 3000.0);
    let budget = [
        "recycling",
        "--memory",
        "262144",
        "--rate",
        "0.01",
        "--false-negatives",
        "0.9",
        "--zipf",
        "0.9,100000",
    ];
    let budget = sized(&budget);
    assert!(number(&budget, "false_negative_rate") <= 0.9);
}

#[test]
fn a_trace_whose_keys_return_soon_is_never_forgotten_by_two_phases() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: String = (0..4000)
        .map(|i| format!("{}\n", (i % 50) + 50 * (i / 200)))
        .collect();
    std::fs::write(folder.path().join("t.csv"), format!("key\n{rows}")).expect("written");
    let arguments = [
        "size",
        "--json",
        "recycling",
        "--memory",
        "65536",
        "--rate",
        "0.01",
        "--false-negatives",
        "0.01",
        "--trace",
        "t.csv:key",
    ];
    let found = run(folder.path(), &arguments);
    assert_eq!(found.code, 0, "{}", found.stderr);
    let found: serde_json::Value = serde_json::from_str(&found.stdout).expect("JSON");
    assert!(found["false_negative_rate"].as_f64().expect("a number") <= 0.01);
}

#[test]
fn impossible_recycling_filters_name_the_best_there_is() {
    let cases: [(&[&str], &str); 5] = [
        (
            &["--memory", "4096", "--rate", "1e-9", "--messages", "1000"],
            "best is",
        ),
        (&["--rate", "0.01"], "add what is missing"),
        (
            &[
                "--memory",
                "4096",
                "--rate",
                "0.01",
                "--false-negatives",
                "0.1",
            ],
            "--zipf",
        ),
        (
            &[
                "--memory",
                "4096",
                "--rate",
                "0.01",
                "--false-negatives",
                "0.1",
                "--zipf",
                "x",
            ],
            "EXPONENT,KEYS",
        ),
        (
            &[
                "--memory",
                "4096",
                "--rate",
                "0.01",
                "--false-negatives",
                "0.1",
                "--trace",
                "nowhere.csv:a",
            ],
            "nowhere.csv",
        ),
    ];
    for (arguments, expected) in cases {
        let run = run(&root(), &[&["size", "recycling"], arguments].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(
            run.stderr.contains(expected),
            "{arguments:?}: {}",
            run.stderr
        );
    }
}

#[test]
fn a_sketch_has_the_fewest_counters_of_all_depths() {
    for (error, failure, counters) in [("0.1", "0.5", 41.0), ("0.001", "0.01", 25_195.0)] {
        let found = sized(&["count-min", "--error", error, "--failure", failure]);
        assert_eq!(found["counters"], counters);
    }
}

#[test]
fn a_rate_below_the_range_of_doubles_is_printed_by_its_logarithm() {
    let arguments = [
        "counting",
        "--counters",
        "524288",
        "--insertions",
        "400000",
        "--threshold",
        "200",
        "--hashes",
        "4",
    ];
    let found = sized(&arguments);
    let log10 = found["ln"]["false_alarm_rate"]
        .as_f64()
        .expect("a logarithm")
        / std::f64::consts::LN_10;
    assert!((log10 + 1_117.243_33).abs() < 1e-4, "{log10}");
    assert_eq!(found["accuracy"]["false_alarm_rate"]["kind"], "bound");
    let text = run(&root(), &[&["size"], &arguments[..]].concat()).stdout;
    assert!(text.contains("e-1118") && !text.contains("inf%"), "{text}");
}

#[test]
fn what_does_not_fit_is_refused_for_its_own_reason() {
    let refused = |arguments: &[&str]| {
        let run = run(&root(), &[&["size", "recycling"], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stdout);
        run.stderr
    };
    let threshold = refused(&["--memory", "1024", "--hashes", "4", "--threshold", "5000"]);
    assert!(
        threshold.contains("sigma = 5000") && !threshold.contains("rate"),
        "{threshold}"
    );
    let capacity = refused(&["--memory", "1024", "--messages", "1000000"]);
    assert!(!capacity.contains("within the rate"), "{capacity}");
}
