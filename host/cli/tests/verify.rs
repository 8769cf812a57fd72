//! The verb `verify`: a run as a user makes it, and every mistake in its sources of keys.

mod common;

use common::{folder, names, run, BASE};

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
    assert_eq!(result["forgetting"]["verdict"], "inconclusive");
    assert_eq!(
        result["forgetting"]["inconclusive"], "no repeats in whole cycles",
        "keys are new"
    );
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
            &["table.csv", "no column key", "time, lbn"],
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
