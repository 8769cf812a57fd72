//! Fuzzing of all readers of untrusted bytes: no panic, no read out of bounds, documented results only.
//!
//! The targets lie in `tests/fuzz`, a package of its own: libFuzzer, guided by the coverage that the compiler counts (stable
//! Rust; no cargo-fuzz). Each runs on the corpus that is kept there and on what it makes of it: for a minute with `CI=true`, for
//! ten seconds else, for `BLOOMLINE_FUZZ_SECONDS` where that is set, two targets at a time or `BLOOMLINE_FUZZ_WORKERS`. What brings a target down stays in
//! `target/fuzz/crashes/<target>-...`; a run on that file alone shows it again. A corpus is kept as `tests/fuzz/corpus/<target>.tar.gz`;
//! `BLOOMLINE_BLESS=1` writes it again with every input that reached something new.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

const TARGETS: [&str; 9] = [
    "specification",
    "capture",
    "table",
    "bridges",
    "answers",
    "url",
    "snapshot",
    "manifest",
    "http",
];
/// Coverage for libFuzzer, and overflow checks (in the package's profile).
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

fn target_folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("../fuzz")
}

/// A whole number of the environment.
fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{name} = {text:?} is no whole number")))
}

fn seconds() -> u64 {
    setting("BLOOMLINE_FUZZ_SECONDS").unwrap_or(match std::env::var("CI").as_deref() {
        Ok("true") => 60,
        _ => 10,
    })
}

/// Builds the targets; with `--target`, so that build scripts and macros are not instrumented.
fn build() -> PathBuf {
    let version = Command::new("rustc").arg("-vV").output().expect("rustc");
    let version = String::from_utf8_lossy(&version.stdout);
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("rustc names its host");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--locked", "--target", host])
        .arg("--manifest-path")
        .arg(package().join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target_folder())
        .env("RUSTFLAGS", FLAGS)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .status()
        .expect("cargo");
    assert!(status.success(), "the fuzz targets do not build");
    target_folder().join(host).join("release")
}

/// The kept corpus of a target.
fn archive(target: &str) -> PathBuf {
    package().join("corpus").join(format!("{target}.tar.gz"))
}

/// Runs tar; what it printed.
fn tar(arguments: &[&str], archive: &Path, folder: &Path) -> String {
    let output = Command::new("tar")
        .args(arguments)
        .arg("--file")
        .arg(archive)
        .arg("--directory")
        .arg(folder)
        .args(arguments.contains(&"--create").then_some("."))
        .output()
        .expect("tar is on the machine");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {told}", archive.display());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Adds what was found to a corpus where it reaches what nothing in there does, and keeps it: the same bytes for the same files.
fn keep(program: &Path, target: &str, corpus: &Path, found: &Path) {
    let merged = Command::new(program)
        .arg("-merge=1")
        .args([corpus, found])
        .output();
    assert!(merged.expect("starts").status.success(), "{target}");
    let same = [
        "--create",
        "--use-compress-program=gzip -n",
        "--sort=name",
        "--mtime=@0",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--mode=u=rwX,go=rX",
    ];
    tar(&same, &archive(target), corpus);
}

/// Runs a target; the last lines of what it printed.
fn run(programs: &Path, target: &str, seconds: u64) -> Result<String, String> {
    let crashes = target_folder().join("crashes");
    std::fs::create_dir_all(&crashes).expect("a folder for crashes");
    let [found, corpus] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    tar(&["--extract", "--gzip"], &archive(target), corpus.path());
    let program = programs.join(target);
    let output = Command::new(&program)
        .args([found.path(), corpus.path()])
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/{target}-", crashes.display()))
        .args(["-print_final_stats=1", "-timeout=10", "-rss_limit_mb=2048"])
        .env("TMPDIR", found.path())
        .output()
        .expect("starts");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let tail: Vec<&str> = text.lines().rev().take(30).collect();
    let tail = tail.into_iter().rev().collect::<Vec<_>>().join("\n");
    if output.status.success() {
        if std::env::var("BLOOMLINE_BLESS").is_ok_and(|value| value == "1") {
            keep(&program, target, corpus.path(), found.path());
        }
        Ok(tail)
    } else {
        Err(format!("{target}: {}\n{tail}", output.status))
    }
}

fn executions(tail: &str) -> u64 {
    tail.lines()
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))
        .and_then(|count| count.trim().parse().ok())
        .unwrap_or(0)
}

#[test]
#[ignore = "a claim"]
fn no_bytes_bring_a_reader_down() {
    let (programs, seconds) = (build(), seconds());
    let left = Mutex::new(TARGETS.to_vec());
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..setting("BLOOMLINE_FUZZ_WORKERS").unwrap_or(2) {
            scope.spawn(|| loop {
                let Some(target) = left.lock().expect("not poisoned").pop() else {
                    return;
                };
                match run(&programs, target, seconds) {
                    Ok(tail) => {
                        let count = executions(&tail);
                        println!("{target}: {count} inputs in {seconds} s");
                        assert!(count > 100, "{target} ran on {count} inputs only\n{tail}");
                    }
                    Err(failure) => failures.lock().expect("not poisoned").push(failure),
                }
            });
        }
    });
    let failures = failures.into_inner().expect("not poisoned");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_target_has_a_corpus_and_stands_in_the_package() {
    let manifest = std::fs::read_to_string(package().join("Cargo.toml")).expect("readable");
    for target in TARGETS {
        assert!(
            manifest.contains(&format!("name = \"{target}\"")),
            "{target}"
        );
        let kept = tar(&["--list", "--gzip"], &archive(target), &package());
        let kept = kept.lines().filter(|name| !name.ends_with('/'));
        assert!(kept.count() > 0, "the corpus of {target} is empty");
    }
    let kept = std::fs::read_dir(package().join("corpus")).expect("the corpora");
    assert_eq!(kept.count(), TARGETS.len(), "a corpus of no target");
    assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len());
}
