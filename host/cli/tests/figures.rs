//! `figures` as a user runs it: one run, a killed one, and what goes wrong.

use crate::common::{names, run, Run};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn empty() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// `figures` with arguments that are separated by spaces.
fn figures(folder: &Path, arguments: &str) -> Run {
    let arguments: Vec<&str> = ["figures"]
        .into_iter()
        .chain(arguments.split_whitespace())
        .collect();
    run(folder, &arguments)
}

fn good(folder: &Path, arguments: &str) -> Run {
    let run = figures(folder, arguments);
    assert_eq!(
        run.code, 0,
        "figures {arguments}:\n{}{}",
        run.stdout, run.stderr
    );
    run
}

/// Runs what must be refused: exit code 2, nothing on stdout, and each word in the message.
fn refused(folder: &Path, arguments: &str, words: &[&str]) {
    let run = figures(folder, arguments);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (2, ""),
        "figures {arguments}:\n{}",
        run.stderr
    );
    for word in words {
        assert!(
            run.stderr.contains(word),
            "figures {arguments}: `{word}` is not in: {}",
            run.stderr
        );
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The same charts and tables, to the byte.
fn same_drawings(one: &Path, other: &Path, figures: &[&str]) {
    for figure in figures {
        for kind in ["csv", "svg"] {
            let name = format!("{figure}.{kind}");
            assert!(
                read(&one.join(&name)) == read(&other.join(&name)),
                "{name} differs"
            );
        }
    }
}

/// A page with every figure, all of whose checks hold: the exit code is 0.
#[test]
fn every_quick_figure_holds() {
    let folder = empty();
    let list = good(folder.path(), "--list");
    let figures: Vec<&str> = list
        .stdout
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(figures.len() >= 17, "{figures:?}");
    let run = good(folder.path(), "--quick --out out");
    assert!(
        run.stdout.contains("  holds  ") && !run.stdout.contains("FAILS"),
        "{}",
        run.stdout
    );
    let page = read(&folder.path().join("out/index.html"));
    for figure in figures {
        for kind in ["svg", "csv"] {
            let name = format!("{figure}.{kind}");
            assert!(page.contains(&name), "{name} is not on the page");
            assert!(folder.path().join("out").join(&name).is_file(), "{name}");
        }
    }
    assert!(!page.contains("does not hold"));
}

#[test]
fn a_run_leaves_charts_tables_journals_and_a_page() {
    let folder = empty();
    let run = good(folder.path(), "--only rbf-4,occ-6 --quick --out out --json");
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(report["all_hold"], true);
    let out = folder.path().join("out");
    assert_eq!(
        names(&out),
        [
            "index.html",
            "occ-6.csv",
            "occ-6.journal",
            "occ-6.svg",
            "rbf-4.csv",
            "rbf-4.journal",
            "rbf-4.svg"
        ]
    );
    assert!(read(&out.join("rbf-4.svg")).starts_with("<svg"));
    let table = read(&out.join("occ-6.csv"));
    let rows: Vec<&str> = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    assert_eq!(rows[0], "series,role,x,y,low,high,confidence,trials,events");
    // Two lines of 40 points and two of 9 simulated ones.
    assert_eq!(rows.len(), 1 + 2 * 40 + 2 * 9);
}

/// Kills a run that a test started, also when the test fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(folder: &Path, arguments: &str) -> Running {
    let child = Command::new(env!("CARGO_BIN_EXE_bloomline"))
        .current_dir(folder)
        .arg("figures")
        .args(arguments.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    Running(child)
}

/// Waits until a journal has some lines.
fn wait_for_lines(journal: &Path, lines: usize) {
    let begin = Instant::now();
    loop {
        let found = fs::read_to_string(journal).map_or(0, |text| text.lines().count());
        if found >= lines {
            return;
        }
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "{found} lines after a minute"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_killed_run_goes_on_and_draws_the_same_bytes() {
    let folder = empty();
    let journal = folder.path().join("killed/rbf-3.journal");
    let mut kept = String::new();
    // Twice: each time some of the 320 units are finished before the process is gone.
    for lines in [10, 40] {
        let running = start(
            folder.path(),
            "--only rbf-3 --quick --threads 1 --out killed",
        );
        wait_for_lines(&journal, lines);
        drop(running);
        let text = read(&journal);
        assert!(text.starts_with(&kept), "finished lines stay");
        let end = text.rfind('\n').expect("whole lines");
        kept = text[..=end].to_owned();
        let done = kept.lines().count() - 1;
        assert!(done < 320, "the run ended before it was killed");
    }
    assert!(!folder.path().join("killed/rbf-3.csv").exists());
    good(folder.path(), "--only rbf-3 --quick --out killed");
    let text = read(&journal);
    assert!(text.starts_with(&kept), "finished lines stay");
    assert_eq!(text.lines().count(), 321, "no unit ran twice");

    good(folder.path(), "--only rbf-3 --quick --out whole");
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    same_drawings(&whole, &killed, &["rbf-3"]);
}

#[test]
fn two_runs_do_not_write_one_journal() {
    let folder = empty();
    let running = start(folder.path(), "--only cbf-7 --quick --threads 1 --out out");
    wait_for_lines(&folder.path().join("out/cbf-7.journal"), 2);
    refused(
        folder.path(),
        "--only cbf-7 --quick --out out",
        &["cbf-7.journal", "another run is writing it"],
    );
    drop(running);
}

#[test]
fn wrong_arguments_are_refused() {
    let folder = empty();
    let at = folder.path();
    refused(at, "--only rbf-4,rbf-9 --quick", &["rbf-9", "rbf-3, rbf-4"]);
    refused(at, "--quick --threads 0", &["--threads"]);
    refused(at, "--quick --seed -1", &["-1"]);
    assert_eq!(names(at), [""; 0], "nothing was written");
}

#[test]
fn a_folder_that_cannot_be_used_is_named() {
    let folder = empty();
    let at = folder.path();
    fs::write(at.join("file"), "a file").expect("written");
    refused(
        at,
        "--only occ-6 --quick --out file/below",
        &["--out", "file/below"],
    );
    refused(at, "--only occ-6 --quick --out file", &["--out", "file"]);
    fs::create_dir_all(at.join("out/occ-6.journal")).expect("a folder in the journal's place");
    refused(
        at,
        "--only occ-6 --quick --out out",
        &["out/occ-6.journal", "can be written"],
    );
}

/// The journal of a quick `occ-6`, for a test to spoil.
fn journal(folder: &Path) -> std::path::PathBuf {
    good(folder, "--only occ-6 --quick --out out");
    folder.join("out/occ-6.journal")
}

#[test]
fn a_journal_of_another_seed_or_size_is_refused() {
    let folder = empty();
    let at = folder.path();
    journal(at);
    refused(
        at,
        "--only occ-6 --quick --seed 2 --out out",
        &["out/occ-6.journal", "\"seed\":1", "\"seed\":2", "--seed"],
    );
    refused(
        at,
        "--only occ-6 --out out",
        &[
            "out/occ-6.journal",
            "\"size\":\"quick\"",
            "\"size\":\"full\"",
            "--quick",
        ],
    );
}

#[test]
fn a_damaged_journal_is_refused_with_file_and_line() {
    let folder = empty();
    let at = folder.path();
    let journal = journal(at);
    let text = read(&journal);
    let third_line = text.lines().nth(2).expect("three lines");
    let run = "--only occ-6 --quick --out out";
    let cases = [
        ("no JSON", text.replacen(third_line, "rubbish", 1), "line 3"),
        ("empty line", text.replacen(third_line, "", 1), "line 3"),
        (
            "negative count",
            text.replacen("\"counts\":[", "\"counts\":[-", 1),
            "line 2",
        ),
        (
            "no header",
            text.split_once('\n').expect("a header").1.to_owned(),
            "line 1",
        ),
    ];
    for (case, damaged, line) in cases {
        assert!(damaged != text, "{case}");
        fs::write(&journal, &damaged).expect("written");
        refused(at, run, &["out/occ-6.journal", line]);
        assert!(
            read(&journal) == damaged,
            "{case}: the journal is as it was"
        );
    }

    // Lines that are whole but hold what no simulation counts.
    for counts in ["[]", "[5]", "[5,6]"] {
        // units stand in the order in which they ended
        let first = |line: &&str| line.starts_with("{\"point\":0,\"part\":0,");
        let line = text.lines().find(first).expect("the unit ran");
        let begin = line.split_once('[').expect("counts").0;
        fs::write(
            &journal,
            text.replacen(line, &format!("{begin}{counts}}}"), 1),
        )
        .expect("written");
        refused(at, run, &["occ-6", "point 0", "damaged"]);
    }
}
