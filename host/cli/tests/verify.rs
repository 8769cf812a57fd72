//! The verb `verify`: a run as a user makes it, and every mistake in its sources of keys.

use crate::common::{folder, names, root, run, run_with, BASE};

/// A classic pcap header, and a record that promises 60 bytes and has 4.
fn truncated_capture() -> Vec<u8> {
    let mut bytes = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0];
    bytes.extend([0; 8]);
    bytes.extend([0xff, 0xff, 0, 0, 1, 0, 0, 0]);
    bytes.extend([0; 8]);
    bytes.extend([60, 0, 0, 0, 60, 0, 0, 0]);
    bytes.extend([1, 2, 3, 4]);
    bytes
}

#[test]
fn a_native_run_passes_and_writes_its_report() {
    let folder = folder(BASE);
    // a folder that others made, with links in the places of the report's files
    std::fs::create_dir(folder.path().join("out")).expect("a folder");
    let mine = [
        ("tiny.html", "<!DOCTYPE html>mine"),
        ("tiny.json", "{\"mine\": 1}"),
    ];
    for (name, text) in mine {
        std::fs::write(folder.path().join(name), text).expect("a file");
        let link = folder.path().join("out").join(name);
        std::os::unix::fs::symlink(format!("../{name}"), link).expect("a link");
    }
    let verify = [
        "verify",
        "tiny.toml",
        "--simulator",
        "native",
        "--items",
        "3000",
        "--report",
        "out",
        "--json",
    ];
    let run = run(folder.path(), &verify);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let result: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON on stdout");
    assert_eq!(result["mismatches"], 0);
    assert_eq!(result["items"], 3000);
    assert_eq!(result["recycle_stall_cycles"], 0);
    assert!(result["items_per_cycle"]
        .as_f64()
        .is_some_and(|rate| rate >= 0.999));
    assert_eq!(
        result["fpr"]["verdict"], "inconclusive",
        "no recycle in so few items"
    );
    assert_eq!(
        result["latency"]["verdict"], "pass",
        "{}",
        result["latency"]
    );
    assert_eq!(
        result["latency"]["minimum_clocks"],
        result["latency"]["contract_clocks"]
    );
    assert_eq!(result["forgetting"]["verdict"], "not-applicable");
    assert_eq!(result["forgetting"]["inconclusive"], "no recycle happened");
    let reason = result["fpr"]["reason"].as_str().expect("a reason");
    assert!(
        reason.contains("more items needed for a decision"),
        "{reason}"
    );
    assert_eq!(result["simulator"], "built-in");
    for (name, text) in mine {
        let left = std::fs::read_to_string(folder.path().join(name));
        assert_eq!(left.expect("it is there"), text);
    }
    assert!(
        !run.stderr.contains("items,"),
        "no bar without a terminal: {}",
        run.stderr
    );
    assert_eq!(
        names(&folder.path().join("out")),
        ["tiny.html", "tiny.json"]
    );
}

#[test]
fn bad_sources_of_keys_are_named_and_nothing_is_written() {
    let folder = folder(BASE);
    std::fs::write(folder.path().join("cut.pcap"), truncated_capture()).expect("a capture");
    std::fs::write(folder.path().join("text.pcap"), "no capture").expect("a file");
    std::fs::write(folder.path().join("table.csv"), "time,lbn\n1,7\n2,x\n").expect("a table");
    let before = names(folder.path());
    let cases: [(&[&str], &[&str]); 7] = [
        (&["--pcap", "none.pcap"], &["none.pcap"]),
        (&["--pcap", "text.pcap"], &["text.pcap"]),
        (&["--pcap", "cut.pcap"], &["cut.pcap"]),
        (
            &["--keys", "table.csv:key"],
            &["table.csv", "no column \"key\"", "time, lbn"],
        ),
        (&["--keys", "table.csv:lbn"], &["table.csv", "x"]),
        (&["--keys", "table.csv"], &["FILE:COLUMN"]),
        (&["--zipf", "99"], &["99", "from 0 to 10"]),
    ];
    for (source, parts) in cases {
        let verify = [
            &[
                "verify",
                "tiny.toml",
                "--simulator",
                "native",
                "--report",
                "out",
            ],
            source,
        ]
        .concat();
        let run = run(folder.path(), &verify);
        assert_eq!(
            (run.code, run.stdout.as_str()),
            (2, ""),
            "{source:?}: {}",
            run.stderr
        );
        for part in parts {
            assert!(
                run.stderr.contains(part),
                "{source:?}: no `{part}` in {}",
                run.stderr
            );
        }
        assert_eq!(
            names(folder.path()),
            before,
            "{source:?}: nothing may be written"
        );
    }
}

#[test]
fn a_report_folder_that_cannot_be_made_is_named() {
    let folder = folder(BASE);
    std::fs::write(folder.path().join("file"), "mine").expect("a file");
    let run = run(
        folder.path(),
        &[
            "verify",
            "tiny.toml",
            "--simulator",
            "native",
            "--items",
            "100",
            "--report",
            "file/out",
        ],
    );
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("file/out"), "{}", run.stderr);
}

/// A UDP packet over IPv4 of a flow, in a frame of the least length.
fn packet(flow: u8) -> Vec<u8> {
    let mut frame = vec![2; 12];
    frame.extend([0x08, 0x00, 0x45, 0, 0, 46, 0, 0, 0, 0, 64, 17, 0, 0]);
    frame.extend([10, 0, 0, 1, 10, 0, 0, flow, 0, 7, 0, 53, 0, 26, 0, 0]);
    frame.resize(60, flow);
    frame
}

/// A classic pcap of these frames.
fn capture(frames: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = truncated_capture()[..24].to_vec();
    for frame in frames {
        let length = (frame.len() as u32).to_le_bytes();
        bytes.extend([[0; 4], [0; 4], length, length].concat());
        bytes.extend(frame);
    }
    bytes
}

#[test]
#[ignore = "a claim"]
fn frames_of_captures_go_through_a_line_card_and_what_leaves_is_written() {
    let (_, text) = bloomline_spec::LINECARD_EXAMPLES[0];
    let folder = folder(&text.replace("1_000_000", "15_625_000"));
    let write = |name: &str, flows: &[u8]| {
        let frames: Vec<Vec<u8>> = flows.iter().map(|&flow| packet(flow)).collect();
        std::fs::write(folder.path().join(name), capture(&frames)).expect("a capture");
    };
    write("there.pcap", &[1, 2, 1, 1]);
    write("back.pcap", &[9, 9, 9, 9, 2]);
    let verify = ["verify", "tiny.toml", "--pcap", "there.pcap"];
    let more = [
        "--pcap-back",
        "back.pcap",
        "--write-pcap",
        "left.pcap",
        "--json",
    ];
    let tools = std::env::var("BLOOMLINE_TOOLS")
        .unwrap_or_else(|_| root().join(".tools").display().to_string());
    let variables = [("BLOOMLINE_TOOLS", tools.as_str())];
    let run = run_with(folder.path(), &[&verify[..], &more].concat(), &variables);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let result: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON on stdout");
    assert_eq!(result["verdict"], "pass", "{result}");
    assert_eq!(result["differences"], 0);
    assert_eq!(result["simulator"], "built-in");
    let lanes = [&result["lanes"][0], &result["lanes"][1]];
    assert_eq!(lanes.map(|lane| lane["left"].as_u64()), [Some(4), Some(5)]);
    assert_eq!(lanes[0]["classes"]["seen"], 2, "{result}");
    // flow 2 has come at port 0 before
    assert_eq!(lanes[1]["classes"]["seen"], 4, "{result}");
    let latency = lanes[0]["latency_clocks"].as_u64();
    assert!(latency > Some(0) && latency <= result["latency_bound_clocks"].as_u64());
    let left = std::fs::read(folder.path().join("left.pcap")).expect("was written");
    assert_eq!(left.len(), 24 + 9 * (16 + 60));
    assert_eq!(left[..4], [0xa1, 0xb2, 0x3c, 0x4d], "in nanoseconds");
    let marked = left[24..]
        .chunks(76)
        .filter(|frame| frame[16 + 15] == 8 << 2);
    assert_eq!(marked.count(), 3, "flows 1, 2 and 9 were new once");
}

/// The example of a packet path with beats of so many bits, whose registers are behind a fast UART or on AXI4-Lite.
fn packet_path(data_bits: u32) -> String {
    let (_, text) = bloomline_spec::PACKET_EXAMPLES[0];
    let uart = match data_bits {
        8 => "uart_baud = 15_625_000",
        _ => "",
    };
    text.replace("data_bits = 8 ", &format!("data_bits = {data_bits} "))
        .replace("uart_baud = 1_000_000", uart)
}

#[test]
fn frames_of_a_capture_go_through_a_packet_path_and_what_leaves_is_written() {
    let without_key = [vec![0xFF; 12], vec![8, 6], vec![0; 46]].concat();
    let truncated = [vec![2; 12], vec![8, 0, 0x45], vec![0; 9]].concat();
    let oversize = [packet(3), vec![0; 1540]].concat();
    let frames = [
        packet(1),
        packet(2),
        packet(1),
        without_key,
        packet(1),
        truncated,
        oversize,
        packet(2),
    ];
    for data_bits in [8, 64, 512] {
        let folder = folder(&packet_path(data_bits));
        std::fs::write(folder.path().join("a.pcap"), capture(&frames)).expect("a capture");
        let verify = ["verify", "tiny.toml", "--pcap", "a.pcap"];
        let json = ["--write-pcap", "left.pcap", "--json"];
        let run_once = run(folder.path(), &[&verify[..], &json].concat());
        assert_eq!(run_once.code, 0, "{}", run_once.stderr);
        let result: serde_json::Value =
            serde_json::from_str(&run_once.stdout).expect("JSON on stdout");
        assert_eq!(result["verdict"], "pass", "{result}");
        assert_eq!(
            (&result["differences"], &result["simulator"]),
            (&0.into(), &"built-in".into())
        );
        let [lane] = &result["lanes"].as_array().expect("lanes")[..] else {
            panic!("one direction: {result}");
        };
        let classes =
            serde_json::json!({"unseen": 2, "seen": 3, "other": 1, "malformed": 1, "oversize": 1});
        assert_eq!(lane["classes"], classes, "{data_bits}");
        let counts = ["frames", "left", "passed", "marked", "dropped", "overflows"];
        let counts = counts.map(|name| lane[name].as_u64().expect(name));
        assert_eq!(counts, [8, 6, 4, 2, 2, 0], "{data_bits}");
        assert_eq!(lane.get("from_port"), None, "it has no ports");
        let latency = lane["latency_clocks"].as_u64();
        assert!(latency > Some(0) && latency <= result["latency_bound_clocks"].as_u64());
        let left = std::fs::read(folder.path().join("left.pcap")).expect("was written");
        assert_eq!(left.len(), 24 + 6 * (16 + 60));
        let marks: Vec<bool> = left[24..]
            .chunks(76)
            .map(|frame| frame[16 + 15] == 8 << 2)
            .collect();
        assert_eq!(marks, [true, true, false, false, false, false]);
    }
}

#[test]
fn frames_are_held_back_only_where_some_might_be_lost() {
    let folder = folder(&packet_path(512));
    let frames: Vec<Vec<u8>> = (0..200).map(packet).collect();
    std::fs::write(folder.path().join("line.pcap"), capture(&frames)).expect("a capture");
    // frames of 40 bytes are on no line: more of them than the frame queue holds may come
    let short: Vec<Vec<u8>> = frames.iter().map(|frame| frame[..40].to_vec()).collect();
    let short = [short, vec![vec![7; 1600]]].concat();
    std::fs::write(folder.path().join("none.pcap"), capture(&short)).expect("a capture");
    let verify = |file| {
        let run = run(folder.path(), &["verify", "tiny.toml", "--pcap", file]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let line = verify("line.pcap");
    assert!(line.contains("200 frames came, 200 left"), "{line}");
    assert!(!line.contains("held back"), "{line}");
    assert!(verify("none.pcap").contains("  held back            "));
}

#[test]
fn the_keys_of_a_capture_go_through_the_filter_alone_where_that_is_asked_for() {
    let folder = folder(&packet_path(8));
    let frames: Vec<Vec<u8>> = (0..200).map(|flow| packet(flow / 2)).collect();
    std::fs::write(folder.path().join("a.pcap"), capture(&frames)).expect("a capture");
    let verify = ["verify", "tiny.toml", "--pcap", "a.pcap", "--filter-only"];
    let run = run(folder.path(), &[&verify[..], &["--json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let result: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON on stdout");
    assert_eq!(result["mismatches"], 0, "{result}");
    assert!(result["fpr"].is_object() && result["lanes"].is_null());
}

#[test]
fn what_only_paths_and_line_cards_take_is_refused_elsewhere_and_the_other_way_round() {
    let folder = folder(BASE);
    std::fs::write(folder.path().join("a.pcap"), capture(&[packet(1)])).expect("a capture");
    let (_, text) = bloomline_spec::LINECARD_EXAMPLES[0];
    std::fs::write(folder.path().join("card.toml"), text).expect("a specification");
    std::fs::write(folder.path().join("path.toml"), packet_path(8)).expect("a specification");
    let cases: [(&[&str], &[&str]); 8] = [
        (
            &["tiny.toml", "--pcap", "a.pcap", "--write-pcap", "b.pcap"],
            &["tiny.toml: --write-pcap", "add [packet]"],
        ),
        (
            &["tiny.toml", "--pcap", "a.pcap", "--filter-only"],
            &["tiny.toml: --filter-only", "add [packet]"],
        ),
        (
            &["path.toml", "--pcap", "a.pcap", "--pcap-back", "a.pcap"],
            &["path.toml: --pcap-back", "ports = \"rgmii\""],
        ),
        (
            &["path.toml", "--pcap", "a.pcap", "--write-pcap", "a.pcap"],
            &["--write-pcap a.pcap", "replace the input"],
        ),
        (
            &["path.toml", "--pcap", "a.pcap", "--waves", "a.vcd"],
            &["--waves", "--filter-only"],
        ),
        (&["card.toml", "--write-pcap", "b.pcap"], &["--pcap <FILE>"]),
        (
            &["card.toml", "--pcap", "a.pcap", "--report", "out"],
            &["line_card: --report", "--json", "--filter-only"],
        ),
        (
            &[
                "card.toml",
                "--pcap",
                "a.pcap",
                "--filter-only",
                "--write-pcap",
                "b",
            ],
            &["--filter-only", "cannot be used with", "--write-pcap"],
        ),
    ];
    for (arguments, parts) in cases {
        let run = run(folder.path(), &[&["verify"], arguments].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}");
        for part in parts {
            assert!(run.stderr.contains(part), "{arguments:?}: {}", run.stderr);
        }
    }
    assert_eq!(
        names(folder.path()),
        ["a.pcap", "card.toml", "path.toml", "tiny.toml"]
    );
}

#[test]
fn verdicts_are_words_with_reasons_and_only_a_difference_or_a_demand_exits_with_one() {
    let folder = folder(BASE);
    let verify = [
        "verify",
        "tiny.toml",
        "--simulator",
        "built-in",
        "--items",
        "3000",
    ];
    let run_once = run(folder.path(), &verify);
    assert_eq!(run_once.code, 0, "{}", run_once.stderr);
    for part in [
        "verdict                agrees; ",
        "2 of 11 claims have too little evidence",
        "too little evidence (about ",
        "does not apply (no recycle happened)",
        "250 million items a second at 250 MHz",
        "simulator              built-in",
    ] {
        assert!(
            run_once.stdout.contains(part),
            "{part}: {}",
            run_once.stdout
        );
    }
    let demanded = run(
        folder.path(),
        &[&verify[..], &["--require-conclusive"]].concat(),
    );
    assert_eq!(demanded.code, 1, "{}", demanded.stderr);
    assert!(
        demanded.stderr.contains("give more --items"),
        "{}",
        demanded.stderr
    );
}

#[test]
fn a_good_run_leaves_the_waveform_that_was_asked_for() {
    let folder = folder(BASE);
    let verify = |options: &[&str]| {
        let begin = [
            "verify",
            "tiny.toml",
            "--simulator",
            "built-in",
            "--items",
            "3000",
        ];
        run(folder.path(), &[&begin, options].concat())
    };
    let good = verify(&["--waves", "run.vcd", "--from", "1000", "--to", "1009"]);
    assert_eq!(good.code, 0, "{}", good.stderr);
    assert!(
        good.stderr
            .contains("waves: clock cycles 1000 to 1009 of run.vcd"),
        "{}",
        good.stderr
    );
    let text = std::fs::read_to_string(folder.path().join("run.vcd")).expect("the waveform");
    assert!(text.contains("$scope module tiny $end"), "the hierarchy");
    let times: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!((times[0], times[times.len() - 1]), ("#10000", "#10095"));
    let again = verify(&["--waves", "run.vcd"]);
    assert_eq!(again.code, 0, "replaced: {}", again.stderr);
    let cases: [(&[&str], &str); 6] = [
        (
            &["--waves", "/dev/full"],
            "/dev/full: the waveform cannot be written",
        ),
        (
            &["--waves", "a.vcd", "--from", "9", "--to", "8"],
            "give --to 9 or more",
        ),
        (
            &["--waves", "no/a.vcd"],
            "no/a.vcd: the waveform cannot be written",
        ),
        (
            &["--waves", "a.vcd", "--from", "1M"],
            "ended before clock 1000000",
        ),
        (&["--waves", "a.fst"], "name the file .vcd"),
        (&["--from", "9"], "--waves <FILE>"),
    ];
    for (options, part) in cases {
        let run = verify(options);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{options:?}");
        assert!(run.stderr.contains(part), "{options:?}: {}", run.stderr);
    }
    assert_eq!(names(folder.path()), ["run.vcd", "tiny.toml"]);
}

#[test]
fn lanes_are_told_and_counted_and_need_drawn_keys() {
    let folder = folder(BASE);
    std::fs::write(folder.path().join("table.csv"), "lbn\n1\n2\n").expect("a table");
    let verify = ["verify", "tiny.toml", "--items", "64000", "--lanes", "64"];
    let good = run(folder.path(), &[&verify[..], &["--json"]].concat());
    assert_eq!(good.code, 0, "{}", good.stderr);
    let result: serde_json::Value = serde_json::from_str(&good.stdout).expect("JSON on stdout");
    assert_eq!(
        (&result["lanes"], &result["items"]),
        (&64.into(), &64_000.into())
    );
    assert_eq!(result["simulator"], "built-in");
    let cases: [(&[&str], &str); 3] = [
        (
            &["--simulator", "verilator"],
            "only the built-in simulator has lanes",
        ),
        (&["--keys", "table.csv:lbn"], "cannot be used with"),
        (&["--lanes", "7"], "cannot be used multiple times"),
    ];
    for (options, part) in cases {
        let run = run(folder.path(), &[&verify[..], options].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{options:?}");
        assert!(run.stderr.contains(part), "{options:?}: {}", run.stderr);
    }
}

#[test]
fn a_filter_that_reports_every_key_agrees_with_its_rate_of_1() {
    // the retained message sets the one bit that the frozen half lacks
    let folder = folder(
        r#"name = "full"
        [filter]
        kind = "recycling"
        memory_bits = 256
        hashes = 1
        hashing = "independent"
        [filter.recycle]
        phases = 2
        on = "bits-set"
        threshold = 127
        retain = true
        [key]
        bits = 104"#,
    );
    let json = |arguments: &[&str]| -> serde_json::Value {
        let run = run(folder.path(), arguments);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        serde_json::from_str(&run.stdout).expect("JSON on stdout")
    };
    let planned = json(&["plan", "tiny.toml", "--json"]);
    assert_eq!(planned["fpr_average"], 1.0);
    let verify = ["verify", "tiny.toml", "--items", "180000", "--json"];
    let found = json(&verify);
    assert_eq!(found["fpr"]["verdict"], "pass", "{}", found["fpr"]);
    assert!(found["fpr_model_error"]
        .as_f64()
        .is_some_and(|error| error < 1e-6));
}

#[test]
fn the_throughput_below_full_rate_is_the_one_that_is_planned() {
    let folder = folder(BASE);
    let size = |more: &[&str]| {
        let wants = ["size", "recycling", "--messages", "30", "--rate", "1%"];
        let run = run(folder.path(), &[&wants, more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let given = ["--phases", "2", "--memory", "1408"];
    let slow = size(&[&given[..], &["--write", "slow.toml"]].concat());
    assert!(slow.contains("items_per_second"), "{slow}");
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&run(folder.path(), arguments).stdout).expect("JSON on stdout")
    };
    let planned = json(&["plan", "slow.toml", "--json"]);
    let verify = ["verify", "slow.toml", "--items", "2000", "--json"];
    let found = json(&verify);
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let share = number(&found["items_per_second"]) / number(&planned["items_per_second"]);
    // the first item of the run has none before it
    assert!((share - 1.0).abs() < 1e-3, "{share}");

    // where no memory is given, the smallest at full rate is taken, and what less would do
    let full = size(&["--phases", "2", "--write", "full.toml"]);
    assert!(full.contains("smallest at one item a clock"), "{full}");
    assert!(
        full.contains("; 1,408 bits are enough at one item in 29 clocks"),
        "{full}"
    );
    assert!(!full.contains("items_per_second"), "{full}");
    let planned = json(&["plan", "full.toml", "--json"]);
    assert!(number(&planned["threshold"]) >= number(&planned["full_rate_threshold"]));
    assert_eq!(number(&planned["items_per_second"]), 250e6);
}
