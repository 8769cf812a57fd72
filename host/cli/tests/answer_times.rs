//! How long `plan` and `size` take, as a user waits for them: whole processes. Times are printed, not judged: they are the machine's.

use crate::common::run;
use std::path::Path;
use std::time::Instant;

/// What the command should answer within, on a quiet machine, in seconds.
const WANTED: f64 = 0.3;

/// Every example in every mode of `plan`, and `size` of every kind over sizes and modes.
fn calls() -> Vec<String> {
    let mut calls = Vec::new();
    let mut examples = std::fs::read_dir(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hdl/specification/examples"),
    )
    .expect("the examples")
    .map(|entry| entry.expect("an entry").path())
    .filter(|path| path.extension().is_some_and(|end| end == "toml"))
    .collect::<Vec<_>>();
    examples.sort();
    for example in examples {
        for mode in [
            "",
            "--explain",
            "--compare",
            "--html p.html",
            "--compare --html p.html",
        ] {
            calls.push(format!("plan {} {mode}", example.display()));
        }
    }
    let every = |start: &str, parts: &[&[&str]]| -> Vec<String> {
        parts.iter().fold(vec![start.to_owned()], |calls, choices| {
            let longer = |call: &String| {
                choices
                    .iter()
                    .map(|choice| format!("{call} {choice}"))
                    .collect::<Vec<_>>()
            };
            calls.iter().flat_map(longer).collect()
        })
    };
    let modes = [
        "",
        "--independent",
        "--on-messages",
        "--forget-tripping",
        "--powers-of-two",
    ];
    let phases = ["", "--phases 2"];
    let rates = ["--rate 1%", "--rate 0.1%", "--rate 1e-5"];
    let cycles = ["--messages 1000", "--messages 100k", "--messages 10M"];
    calls.extend(every("size recycling", &[&rates, &cycles, &phases, &modes]));
    let memories = ["--memory 256Ki", "--memory 8Mi"];
    calls.extend(every(
        "size recycling",
        &[&memories, &rates, &phases, &modes],
    ));
    calls.extend(every(
        "size recycling",
        &[&memories, &cycles, &phases, &modes],
    ));
    let laws = ["--zipf 1,100M", "--zipf 0.8,10M", "--zipf 1.2,10k"];
    let missed = ["--false-negatives 5%"];
    let any_phases = ["", "--phases 1", "--phases 2"];
    calls.extend(every(
        "size recycling",
        &[&missed, &laws, &rates, &any_phases, &["", "--on-messages"]],
    ));
    let items = ["--items 100", "--items 16Ki", "--items 1M", "--items 100M"];
    let layouts = ["", "--distinct", "--theory", "--theory --distinct"];
    calls.extend(every("size static", &[&items, &rates, &layouts]));
    calls.extend(every(
        "size static",
        &[
            &items,
            &["--bits 1000", "--bits 1Mi", "--bits 1Gi"],
            &layouts,
        ],
    ));
    let insertions = ["--insertions 100", "--insertions 20k", "--insertions 100M"];
    let thresholds = [
        "--threshold 1",
        "--threshold 5",
        "--threshold 100",
        "--threshold 10000",
    ];
    let counters = ["--rate 1%", "--rate 1e-9", "--counters 64Ki"];
    calls.extend(every(
        "size counting",
        &[
            &insertions,
            &thresholds,
            &counters,
            &["", "--theory", "--hashes 4"],
        ],
    ));
    let errors = ["--error 10%", "--error 0.1%", "--error 1e-5"];
    let failures = ["--failure 50%", "--failure 1%", "--failure 1e-12"];
    calls.extend(every(
        "size count-min",
        &[&errors, &failures, &["", "--copies 2", "--theory"]],
    ));
    let windows = ["--window 100", "--window 16384", "--window 10M"];
    let slacks = ["", "--slack 100", "--slack 1M"];
    calls.extend(every(
        "size sliding",
        &[&windows, &slacks, &rates, &["", "--theory"]],
    ));
    let terms = ["--f 0,1,4,9", "--f 0,0,0", "--f 0,5,1,3,9,22,7,8"];
    calls.extend(every(
        "size scheme",
        &[&terms, &["--bits-an-item 4", "--bits-an-item 16"]],
    ));
    calls
}

#[test]
#[ignore = "a claim"]
fn plan_and_size_answer_and_print_how_long_they_take() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut times: Vec<(f64, String)> = calls()
        .into_iter()
        .map(|call| {
            let arguments: Vec<&str> = call.split_whitespace().collect();
            let start = Instant::now();
            let answer = run(folder.path(), &arguments);
            let seconds = start.elapsed().as_secs_f64();
            // 2: nothing meets what is wanted, said with the reason
            assert!(
                matches!(answer.code, 0 | 2),
                "{call}: {} {}",
                answer.code,
                answer.stderr
            );
            (seconds, call)
        })
        .collect();
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    let slow = times
        .iter()
        .filter(|(seconds, _)| *seconds > WANTED)
        .count();
    println!(
        "{} calls, {slow} of them over {WANTED} s; the slowest:",
        times.len()
    );
    for (seconds, call) in times.iter().take(20) {
        println!("{seconds:6.2} s  {call}");
    }
    assert!(times.len() > 500, "{}", times.len());
}
