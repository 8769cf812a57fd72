//! How long `plan` and `size` take, as whole processes: processor time, in seconds of a processor that a loop in Python gives the pace of.
//! Nothing may take two thirds more than what is wanted, and few calls longer than that.

use crate::common::run;
use crate::drawn_spec::drawn_spec;
use nix::sys::resource::{getrusage, UsageWho};
use nix::sys::time::TimeValLike;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// Processor time of [`LOOP`] on the processor that seconds are told of.
const LOOP_SECONDS: f64 = 0.7;
const LOOP: &str = "i = 0\nwhile i < 10_000_000: i += 1";
/// What the command should answer within, in seconds of processor time.
const WANTED: f64 = 0.3;
/// What nothing takes.
const MOST: f64 = 0.5;
/// One call in so many may take longer than wanted.
const ONE_IN: usize = 200;
/// Calls behind which the pace is taken again.
const CALLS_OF_A_PACE: usize = 100;
/// Specifications of any size and load.
const DRAWN: u64 = 1_000;
/// Specifications at sizes that are built, of each of twelve sorts in turn, whose area is asked for.
const BUILT: u64 = 48;

/// A specification of any size, hash functions, load and threshold, those far beyond use among them.
fn drawn(seed: u64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let kinds = ["static", "recycling", "counting", "count-min"];
    let kind = *kinds.choose(&mut random).expect("kinds");
    let hashes = *[1u64, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32]
        .choose(&mut random)
        .expect("numbers");
    let shared = random.random_bool(0.5);
    let (layout, arrays, hashings) = match shared {
        true => ("shared", 1, ["double", "independent", "extended-double-3"]),
        false => ("partitioned", hashes, ["double", "independent", "double"]),
    };
    let hashing = hashings.choose(&mut random).expect("schemes");
    let cells = arrays << random.random_range(6..=24);
    let items = (cells as f64 * 10f64.powf(random.random_range(-4.0..1.0))) as u64 + 1;
    let (memory, section) = match kind {
        "static" => (cells, format!("items = {items}\n")),
        "recycling" => {
            let phases = random.random_range(1..=2u64);
            let on = ["bits-set", "messages"].choose(&mut random).expect("units");
            let threshold = (cells as f64 * random.random_range(0.01..0.999)) as u64;
            let section = format!(
                "[filter.recycle]\nphases = {phases}\non = \"{on}\"\nthreshold = {}\nretain = {}\n",
                threshold.max(hashes),
                random.random::<bool>()
            );
            (cells * phases, section)
        }
        "counting" => {
            let threshold = *[1u64, 2, 5, 15, 50, 200, 250]
                .choose(&mut random)
                .expect("numbers");
            let bits = if threshold > 15 { 8 } else { 4 };
            let section = format!("items = {items}\n[filter.counting]\ncounter_bits = {bits}\nthreshold = {threshold}\n");
            (cells * bits, section)
        }
        _ => {
            let threshold = [10, 100, 1000].choose(&mut random).expect("numbers");
            let section = format!("items = {items}\n[filter.count-min]\ncounter_bits = 16\namount_bits = 4\nthreshold = {threshold}\n");
            (cells * 16, section)
        }
    };
    format!(
        "name = \"drawn\"\n[filter]\nkind = \"{kind}\"\nhashes = {hashes}\nlayout = \"{layout}\"\nhashing = \"{hashing}\"\n\
         accept_two_hash_floor = true\nmemory_bits = {memory}\n{section}[key]\nbits = 64\n"
    )
}

/// Processor time of every command that has ended, in seconds.
fn spent() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the processes' times");
    (usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6
}

/// How many times as long as on that processor things take here and now; 1 on a faster one.
fn pace() -> f64 {
    let start = spent();
    let ended = std::process::Command::new("python3")
        .args(["-c", LOOP])
        .status()
        .expect("python3");
    assert!(ended.success());
    ((spent() - start) / LOOP_SECONDS).max(1.0)
}

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
            "--area",
            "--varying 0xffff",
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
    calls.extend(every(
        "size recycling",
        &[
            &["--rate 1e-9", "--rate 1e-15"],
            &["--messages 10k", "--messages 100k", "--messages 10M"],
            &["", "--phases 1", "--phases 2"],
            &["", "--independent", "--powers-of-two"],
        ],
    ));
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
    // a cycle may hold every key there is
    calls.extend(every(
        "size recycling",
        &[
            &["--false-negatives 1%"],
            &["--zipf 0.3,5k", "--zipf 1,1M"],
            &["--rate 2e-6", "--rate 0.1%"],
            &["--messages 5M"],
            &any_phases,
            &modes,
        ],
    ));
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
    calls.extend(every(
        "size static --theory",
        &[
            &["--items 100", "--items 100M"],
            &["--rate 1e-200", "--bits 1Gi"],
        ],
    ));
    calls.push("plan onehit.toml --cache 1000 --trace trace.csv:key".to_owned());
    let terms = [
        "--f 0,1,4,9",
        "--f 0,0,0",
        "--f 0,5,1,3,9,22,7,8",
        "--f 0,5,1,3,9,22,7,8,44,11",
    ];
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
    let mut calls = calls();
    let example = |name: &str| {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../hdl/specification/examples")
            .join(name)
    };
    std::fs::copy(example("onehit.toml"), folder.path().join("onehit.toml")).expect("the example");
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let trace: String = (0..200_000)
        .map(|_| format!("{}\n", random.random_range(0.0..11.0_f64).exp() as u64))
        .collect();
    std::fs::write(folder.path().join("trace.csv"), format!("key\n{trace}")).expect("the trace");
    let mut draw = |name: String, text: String, mode: &str| {
        std::fs::write(folder.path().join(&name), text).expect("the specification");
        calls.push(format!("plan {name} {mode}"));
    };
    for seed in 0..DRAWN {
        draw(format!("drawn-{seed}.toml"), drawn(seed), "");
    }
    for seed in 0..BUILT {
        draw(format!("built-{seed}.toml"), drawn_spec(seed).1, "--area");
    }
    let mut paces = Vec::new();
    let mut times: Vec<(f64, String)> = calls
        .into_iter()
        .enumerate()
        .map(|(number, call)| {
            if number % CALLS_OF_A_PACE == 0 {
                paces.push(pace());
            }
            let arguments: Vec<&str> = call.split_whitespace().collect();
            let start = spent();
            let answer = run(folder.path(), &arguments);
            let seconds = (spent() - start) / paces[paces.len() - 1];
            // 2: nothing meets what is wanted, or the specification is none, said with the reason
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
        "{} calls, {slow} of them over {WANTED} s of processor time; the loop takes {:.2} to {:.2} s; the slowest:",
        times.len(),
        LOOP_SECONDS * paces.iter().copied().fold(f64::INFINITY, f64::min),
        LOOP_SECONDS * paces.iter().copied().fold(0.0, f64::max)
    );
    for (seconds, call) in times.iter().take(20) {
        println!("{seconds:6.2} s  {call}");
        if let Some(text) = call
            .split_whitespace()
            .find(|word| word.starts_with("drawn-"))
        {
            let text =
                std::fs::read_to_string(folder.path().join(text)).expect("the specification");
            println!("          {}", text.replace('\n', "; "));
        }
    }
    let (longest, call) = &times[0];
    assert!(*longest < MOST, "{call} takes {longest} s");
    assert!(slow * ONE_IN <= times.len(), "{slow} of {}", times.len());
    assert!(times.len() > 500, "{}", times.len());
}
