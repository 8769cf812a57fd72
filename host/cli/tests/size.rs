//! Claims about `size`.

use crate::common::{root, run};
use bloomline_spec::WindowTable;
use bloomline_toolkit::sizing::{
    Amounts, Built, CountMin, Counting, Form, Recycling, Sliding, Static, Wants,
};
use bloomline_verify::{Keys, Simulator, Watch};

/// The papers' numbers with these arguments.
fn sized(arguments: &[&str]) -> serde_json::Value {
    let run = run(
        &root(),
        &[&["size", "--json", "--theory"], arguments].concat(),
    );
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
        (&4.into(), &3.into())
    );
    let fewer = (found["counters"].as_f64().expect("a number") * 0.999)
        .floor()
        .to_string();
    let worse = sized(&[&arguments[..], &["--counters", &fewer]].concat());
    assert!(worse["false_alarm_rate"].as_f64().expect("a number") > 1e-6);
}

#[test]
fn a_sketch_keeps_its_failure_probability() {
    let mut counters = Vec::new();
    for copies in [&[][..], &["--copies", "1"][..], &["--copies", "3"]] {
        let found = sized(
            &[
                &["count-min", "--error", "0.001", "--failure", "1e-6"][..],
                copies,
            ]
            .concat(),
        );
        assert!(found["failure_bound"].as_f64().expect("a number") <= 1e-6);
        assert_eq!(found["accuracy"]["failure_bound"]["kind"], "bound");
        counters.push(found["counters"].as_f64().expect("a number"));
        if copies.is_empty() {
            assert!(found["counters_one_copy"].as_f64() > found["counters"].as_f64());
        }
    }
    assert!(counters[0] <= counters[1].min(counters[2]), "{counters:?}");
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
    assert_eq!(found["accuracy"]["false_alarm_rate"]["kind"], "lower-bound");
    let text = run(&root(), &[&["size", "--theory"], &arguments[..]].concat()).stdout;
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
        threshold.contains("--threshold 5000") && !threshold.contains("rate"),
        "{threshold}"
    );
    let capacity = refused(&["--memory", "1024", "--messages", "1000000"]);
    assert!(!capacity.contains("within the rate"), "{capacity}");
}

/// Sizes what is wanted.
fn built(wants: Wants) -> Built {
    let said = format!("{wants:?}");
    let built = wants.built(&Form::default());
    built.unwrap_or_else(|error| panic!("{said}: {error}"))
}

/// A number of the plan, which is that of the sheet.
fn planned(built: &Built, key: &str) -> f64 {
    let plan = built.filter().plan().expect("a plan");
    let value = plan.value(key).and_then(serde_json::Value::as_f64);
    assert_eq!(value, built.sheet().value(key), "{key}");
    value.expect("a number")
}

#[test]
fn static_filters_that_can_be_built_meet_their_wants_in_the_fewest_bits() {
    for items in [100, 16_384, 100_000] {
        for rate in [0.1, 1e-3] {
            let wants = |bits, rate| Static {
                bits,
                items: Some(items),
                rate,
                hashes: None,
                distinct: false,
            };
            let found = built(Wants::Static(wants(None, Some(rate))));
            assert!(planned(&found, "fpr") <= rate, "{items} at {rate}");
            let (memory, paper) = (planned(&found, "memory_bits"), "paper_memory_bits");
            assert!(memory >= found.sheet().value(paper).expect("the paper's"));
            let fewer = built(Wants::Static(wants(Some(memory as u64 - 1), None)));
            assert!(
                planned(&fewer, "fpr") > rate,
                "{items} at {rate}: fewer bits do"
            );
        }
    }
    let distinct = Static {
        bits: None,
        items: Some(5_000),
        rate: Some(0.01),
        hashes: None,
        distinct: true,
    };
    assert!(planned(&built(Wants::Static(distinct)), "fpr") <= 0.01);
    let most = Static {
        bits: Some(1 << 17),
        items: None,
        rate: Some(0.01),
        hashes: None,
        distinct: false,
    };
    let most = built(Wants::Static(most));
    assert!(planned(&most, "fpr") <= 0.01 && planned(&most, "memory_bits") <= 131_072.0);
}

#[test]
fn counting_filters_and_sketches_that_can_be_built_meet_their_wants() {
    for (insertions, threshold, rate) in [(1_000, 2, 0.01), (20_000, 5, 1e-3), (200_000, 15, 1e-6)]
    {
        for (true_count, key) in [
            (0, "false_report_absent"),
            (threshold - 1, "false_report_one_short"),
        ] {
            let found = built(Wants::Counting(Counting {
                insertions,
                window: false,
                threshold,
                counters: None,
                rate: Some(rate),
                hashes: None,
                true_count,
            }));
            assert!(
                planned(&found, key) <= rate,
                "{insertions}, {threshold}, {rate}"
            );
        }
    }
    let mut bits = Vec::new();
    for (error, failure, copies) in [
        (0.01, 0.01, None),
        (1e-3, 1e-4, None),
        (0.01, 1e-6, Some(1)),
        (0.01, 1e-6, Some(2)),
        (0.01, 1e-6, None),
    ] {
        let wants = CountMin {
            error,
            failure,
            copies,
        };
        let found = built(Wants::CountMin(wants, Amounts::default()));
        let geometry = found.filter().design().cells().expect("a sketch");
        if let Some(copies) = copies {
            assert_eq!(geometry.copies(), copies);
        }
        if failure < 1e-5 {
            bits.push(geometry.memory_bits());
        }
        assert!(
            planned(&found, "false_report") <= failure,
            "{error}, {failure}"
        );
        let threshold = found.filter().design().threshold();
        assert_eq!(threshold, Some((error * 1e8) as u64));
    }
    // one copy, two, and as many as take the least
    assert!(bits[0] > bits[1] && bits[1] > bits[2], "{bits:?}");
}

#[test]
fn windows_that_can_be_built_meet_their_wants() {
    for (window, slack, rate) in [
        (1_000, 1_000, 0.1),
        (16_384, 4_096, 0.001),
        (100_000, 10_000, 1e-4),
    ] {
        let on = |table| {
            built(Wants::Sliding(Sliding {
                window,
                slack: Some(slack),
                rate,
                generations: None,
                table,
            }))
        };
        let (buckets, cuckoo) = (on(WindowTable::Buckets), on(WindowTable::Cuckoo));
        for found in [&buckets, &cuckoo] {
            assert!(
                planned(found, "fpr_peak") <= rate,
                "{window}, {slack}, {rate}"
            );
            assert!(planned(found, "slack_used") <= slack as f64);
            let paper = found
                .sheet()
                .value("paper_memory_bits")
                .expect("the paper's");
            assert!(planned(found, "memory_bits") > paper);
        }
        // each names what the other takes
        assert_eq!(
            buckets.sheet().value("cuckoo_memory_bits"),
            cuckoo.sheet().value("memory_bits")
        );
        assert_eq!(
            cuckoo.sheet().value("buckets_memory_bits"),
            buckets.sheet().value("memory_bits")
        );
    }
}

fn recycling(messages: Option<f64>, rate: f64, memory: Option<u64>) -> Recycling {
    Recycling {
        memory,
        rate: Some(rate),
        messages,
        hashes: None,
        phases: Some(2),
        threshold: None,
        on_messages: false,
        independent: false,
        forget_tripping: false,
        powers_of_two: false,
        false_negatives: None,
    }
}

/// As the command answers it.
fn sized_to_build(arguments: &str) -> serde_json::Value {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let run = run(&root(), &[&["size", "--json"], &arguments[..]].concat());
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
    serde_json::from_str(&run.stdout).expect("JSON")
}

#[test]
fn the_smallest_that_can_be_built_is_the_smallest_of_all_hashes_schemes_and_generations() {
    for (wants, bits) in [
        // two hash functions put a floor under the rate
        ("static --items 82 --rate 1.86e-5", 2_304.0),
        ("static --items 754 --rate 0.00594", 8_192.0),
        (
            "counting --insertions 1607 --threshold 2 --rate 1.08e-5",
            28_672.0,
        ),
        ("count-min --error 1% --failure 1%", 40_960.0),
        // tables come in powers of two
        ("sliding --window 1000 --slack 200 --rate 1%", 35_840.0),
        ("sliding --window 500 --slack 500 --rate 10%", 14_080.0),
        // a bank has four words at least
        ("recycling --messages 97 --rate 30% --phases 1", 160.0),
        (
            "recycling --messages 64 --rate 0.09208 --phases 2 --on-messages --independent",
            768.0,
        ),
    ] {
        assert_eq!(sized_to_build(wants)["memory_bits"], bits, "{wants}");
    }
}

#[test]
fn a_threshold_that_is_never_met_ends_a_search() {
    // the false positives of a cycle in so small a half have no mean
    let wants = "recycling --messages 1020 --rate 0.6478 --phases 1 --on-messages --powers-of-two";
    assert!(sized_to_build(wants)["memory_bits"].as_f64() >= Some(391.0));
}

#[test]
fn recycling_filters_that_can_be_built_meet_their_wants() {
    for (messages, rate) in [(1_000.0, 0.1), (6_000.0, 0.01), (10_000.0, 0.001)] {
        let found = built(Wants::Recycling(recycling(Some(messages), rate, None)));
        assert!(planned(&found, "fpr_average") <= rate, "{messages}, {rate}");
        assert!(
            planned(&found, "messages_per_cycle") >= messages,
            "{messages}, {rate}"
        );
    }
    let more = "power_of_two_memory_bits";
    for independent in [false, true] {
        let wants = |powers_of_two| Recycling {
            independent,
            powers_of_two,
            ..recycling(Some(5_000.0), 0.01, None)
        };
        let (any, powers) = (
            built(Wants::Recycling(wants(false))),
            built(Wants::Recycling(wants(true))),
        );
        for found in [&any, &powers] {
            assert!(planned(found, "messages_per_cycle") >= 5_000.0);
            assert!(planned(found, "fpr_average") <= 0.01);
        }
        let geometry = any.filter().design().recycling().expect("of this kind");
        assert!(!geometry.partition_bits().is_power_of_two());
        assert_eq!(any.sheet().value(more), powers.sheet().value("memory_bits"));
        assert_eq!(powers.sheet().value(more), None);
        let saved = planned(&powers, "memory_bits") / planned(&any, "memory_bits");
        assert!(saved > 1.1, "{saved}");
    }
    let found = built(Wants::Recycling(recycling(None, 0.01, Some(200_000))));
    assert!(planned(&found, "memory_bits") <= 200_000.0 && planned(&found, "fpr_average") <= 0.01);
}

#[test]
fn a_sized_specification_is_verified_as_it_is() {
    let wants = [
        Wants::Recycling(recycling(Some(300.0), 0.05, None)),
        Wants::Counting(Counting {
            insertions: 500,
            window: false,
            threshold: 3,
            counters: None,
            rate: Some(0.01),
            hashes: None,
            true_count: 0,
        }),
        Wants::Counting(Counting {
            insertions: 400,
            window: true,
            threshold: 4,
            counters: None,
            rate: Some(0.01),
            hashes: None,
            true_count: 0,
        }),
        Wants::Sliding(Sliding {
            window: 64,
            slack: Some(64),
            rate: 0.05,
            generations: None,
            table: WindowTable::Buckets,
        }),
    ];
    for wants in wants {
        let found = built(wants);
        let filter = found.filter();
        assert!(filter.emit().is_ok(), "{}", found.specification());
        let result = filter
            .verify(
                Keys::RandomNew,
                2_000,
                1,
                Simulator::BuiltIn,
                &Watch::silent(),
            )
            .expect("it runs");
        assert!(result.to_string().contains("0 in "), "{result}");
    }
}

#[test]
fn the_written_file_is_planned_as_it_is_and_not_replaced_unasked() {
    let folder = tempfile::tempdir().expect("a folder");
    let size = [
        "size",
        "static",
        "--items",
        "16Ki",
        "--rate",
        "1%",
        "--write",
        "my-set.toml",
    ];
    let first = run(folder.path(), &size);
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert!(
        first.stderr.contains("bloomline plan my-set.toml"),
        "{}",
        first.stderr
    );
    let plan = run(folder.path(), &["plan", "my-set.toml", "--json"]);
    let plan: serde_json::Value = serde_json::from_str(&plan.stdout).expect("a plan");
    assert_eq!(
        (&plan["name"], &plan["memory_bits"]),
        (&"my_set".into(), &163_840.into())
    );
    let again = run(folder.path(), &size);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
    assert_eq!(
        run(folder.path(), &[&size[..], &["--force"]].concat()).code,
        0
    );
}

#[test]
fn a_scheme_is_held_against_the_general_theorem() {
    let found = sized(&["scheme", "--f", "0,1,4,9"]);
    assert_eq!(
        (found["condition_3"].as_f64(), found["condition_4"].as_f64()),
        (Some(1.0), Some(1.0))
    );
    // KM Theorem 5.2: (1 - e^(-1/2))^4 for 8 bits an item and 4 positions
    let limit = found["fpr_limit"].as_f64().expect("a rate");
    assert!((limit - (1.0 - (-0.5_f64).exp()).powi(4)).abs() < 1e-12);
    let small = sized(&["static", "--bits", "1024", "--items", "100"]);
    let bits = small["compressed_bits"].as_f64().expect("bits");
    assert!(bits < 1024.0 && bits > 900.0, "{bits}");
    assert!(small["peak_efficiency"].as_f64() >= small["efficiency"].as_f64());
}

#[test]
fn a_slack_that_was_not_asked_for_is_not_listed_as_given() {
    let slack = |more: &[&str]| {
        let arguments = [
            "size", "sliding", "--window", "10k", "--rate", "1%", "--json",
        ];
        let run = run(&root(), &[&arguments[..], more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let sizes: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        sizes["formula"]["slack"].as_str().map(str::to_owned)
    };
    let no_limit = Some("no limit, which m = n says as well".to_owned());
    for theory in [&[][..], &["--theory"]] {
        assert_eq!(slack(theory), no_limit);
        for given in ["2500", "10000"] {
            let asked = [theory, &["--slack", given]].concat();
            assert_eq!(slack(&asked).as_deref(), Some("given"), "{asked:?}");
        }
    }
}

/// A cycle that holds every key of the law forgets none in the model, which is not exact.
#[test]
fn a_rate_of_false_negatives_of_zero_states_how_large_it_may_be() {
    let arguments = [
        "size",
        "recycling",
        "--rate",
        "1%",
        "--false-negatives",
        "0.1%",
        "--zipf",
        "1,1M",
    ];
    let text = run(&root(), &arguments).stdout;
    let line = text
        .lines()
        .find(|line| line.contains("false_negative_rate"));
    assert!(!line.expect("the rate").contains("100.0%"), "{text}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("absolute error up to"), "{text}");
}

#[test]
fn the_memory_is_the_smallest_or_what_fits_in_the_given_one() {
    let given: [&[&str]; 3] = [
        &["static", "--bits", "100000", "--items", "1000"],
        &["recycling", "--memory", "100000", "--rate", "1%"],
        &[
            "counting",
            "--insertions",
            "1000",
            "--threshold",
            "5",
            "--counters",
            "10000",
        ],
    ];
    let size = |arguments: &[&str]| run(&root(), &[&["size"], arguments].concat()).stdout;
    for arguments in given {
        let text = size(arguments);
        assert!(text.contains("fits in what was given"), "{text}");
        assert!(!text.contains("smallest at"), "{text}");
    }
    let text = size(&["static", "--items", "1000", "--rate", "1%"]);
    assert!(text.contains("smallest at one item a clock"), "{text}");
}

#[test]
fn a_smaller_array_is_named_beside_the_smallest_filter_at_one_item_a_clock() {
    for (wants, banks, array, hashes) in [
        ("static --items 9212 --rate 0.0331", 73_728, 65_536, 5),
        ("static --items 23 --rate 1.2176e-6", 1_536, 1_024, 8),
    ] {
        let found = sized_to_build(wants);
        assert_eq!(found["memory_bits"], banks);
        assert_eq!(found["shared_memory_bits"], array);
        let formula = found["formula"]["shared_memory_bits"].as_str();
        let said = format!("an item in {hashes} clock cycles");
        assert!(formula.is_some_and(|text| text.contains(&said)), "{found}");
    }
    let distinct = sized_to_build("static --items 9212 --rate 0.0331 --distinct");
    assert_eq!(distinct["memory_bits"], 65_536);
    assert_eq!(distinct.get("shared_memory_bits"), None);
    for (options, of) in [
        ("", "with two hash functions"),
        (" --independent", "with a hash function a bank"),
    ] {
        let wants = format!("recycling --messages 1000 --rate 1% --phases 2{options}");
        let found = sized_to_build(&wants);
        let formula = found["formula"]["memory_bits"].as_str();
        assert!(formula.is_some_and(|text| text.contains(of)), "{found}");
    }
}

#[test]
fn a_window_takes_the_least_memory_that_plan_accepts() {
    let found = sized_to_build("sliding --window 1000 --slack 300 --rate 1%");
    assert_eq!(found["memory_bits"], 35_840);
    assert_eq!(found["slow_scan_memory_bits"], 33_280);
    assert_eq!(
        found["formula"]["slow_scan_memory_bits"],
        "with generations = 7, generation_bits = 4, 0.75 items a clock"
    );
    // plan asks for as much where every size is left open
    let open = "name = \"open\"\n[filter]\nkind = \"sliding\"\nmemory_bits = 1\nhashes = 2\nhashing = \"double\"\n[filter.sliding]\nwindow = 1000\n\
                slack = 300\ntarget_fpr = 0.01\n[key]\nbits = 104\n";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("open.toml"), open).expect("written");
    let refused = run(folder.path(), &["plan", "open.toml"]).stderr;
    assert!(refused.contains("nearest legal value 35840"), "{refused}");
}

#[test]
fn a_sketch_of_one_row_is_told_as_what_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let size = ["size", "count-min", "--error", "50%", "--failure", "50%"];
    let size = run(folder.path(), &[&size[..], &["--write", "s.toml"]].concat());
    assert!(
        size.stdout.contains("one for the only row"),
        "{}",
        size.stdout
    );
    let plan = run(folder.path(), &["plan", "s.toml"]).stdout;
    for part in [
        "256 bits: 1 bank of",
        "1 row of 8 counters",
        "more than 1 % of the estimates may be too high by that much",
    ] {
        assert!(plan.contains(part), "{plan}");
    }
}

#[test]
fn a_written_filter_has_a_legal_name_whatever_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, name) in [("small.toml", "small_filter"), ("9 lives.toml", "_9_lives")] {
        let wants = [
            "size", "static", "--items", "5", "--rate", "1%", "--write", file,
        ];
        let written = run(folder.path(), &wants);
        assert_eq!(written.code, 0, "{}", written.stderr);
        let text = std::fs::read_to_string(folder.path().join(file)).expect("it is written");
        assert!(text.contains(&format!("name = \"{name}\"")), "{text}");
        assert_eq!(run(folder.path(), &["plan", file]).code, 0);
    }
}
