//! Claims about `prove`.

use crate::common::{edited, folder, run_with, Run, BASE};
use serde_json::Value;
use std::path::Path;

/// Runs `prove` with the tools of the source tree: the command's own folder is a temporary one.
fn prove(folder: &Path, arguments: &[&str]) -> Run {
    let tools = std::env::var("BLOOMLINE_TOOLS").unwrap_or_else(|_| {
        crate::common::root()
            .join(".tools")
            .to_string_lossy()
            .into_owned()
    });
    run_with(
        folder,
        &[&["prove", "tiny.toml"], arguments].concat(),
        &[("BLOOMLINE_TOOLS", &tools)],
    )
}

#[test]
#[ignore = "a claim"]
fn a_property_that_holds_is_reported_with_its_method_and_exit_code_0() {
    let folder = folder(BASE);
    let run = prove(folder.path(), &["--only", "outputs-registered", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(report["reduced"], false);
    assert_eq!(report["words"], 512);
    assert_eq!(report["proofs"][0]["property"], "outputs-registered");
    assert_eq!(report["proofs"][0]["method"], "structural");
    assert_eq!(report["proofs"][0]["verdict"], "holds");
}

#[test]
#[ignore = "a claim"]
fn an_induction_too_shallow_to_decide_is_open_and_exit_code_1() {
    let folder = folder(BASE);
    let run = prove(folder.path(), &["--only", "register-port", "--depth", "1"]);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("open"), "{}", run.stdout);
}

#[test]
#[ignore = "a claim"]
fn a_time_limit_that_ends_while_the_design_is_prepared_is_open_and_exit_code_1() {
    let folder = folder(BASE);
    let run = prove(
        folder.path(),
        &["--only", "verdict-queue", "--timeout", "1"],
    );
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    let expected = "no time left after 1 s, raise --timeout";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
}

#[test]
#[ignore = "a claim"]
fn a_geometry_too_large_for_the_solver_is_refused_and_reduced_only_when_asked() {
    let folder = folder(BASE);
    let refused = prove(folder.path(), &["--only", "count-exact"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("512 words"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--reduced"), "{}", refused.stderr);
    let reduced = prove(folder.path(), &["--only", "count-exact", "--reduced"]);
    assert_eq!(reduced.code, 0, "{}", reduced.stderr);
    assert!(reduced.stdout.contains("REDUCED"), "{}", reduced.stdout);
    assert!(
        reduced.stdout.contains("memories of 4 words"),
        "{}",
        reduced.stdout
    );
    assert!(reduced.stdout.contains("holds"), "{}", reduced.stdout);
}

#[test]
#[ignore = "a claim"]
fn filters_of_every_kind_are_proved_and_one_of_another_kind_is_named() {
    for (example, own, other) in [
        ("heavy", "cell-verdict", "window"),
        ("window", "window-progress", "cell-exact"),
        ("flows", "array-bit", "bank-bit"),
    ] {
        let text = std::fs::read_to_string(
            crate::common::root().join(format!("hdl/specification/examples/{example}.toml")),
        )
        .expect("the example");
        let folder = folder(&text);
        let run = prove(folder.path(), &["--only", own, "--reduced"]);
        assert_eq!(run.code, 0, "{example}: {}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains("holds"), "{}", run.stdout);
        let refused = prove(folder.path(), &["--only", other, "--reduced"]);
        assert_eq!(refused.code, 2, "{}", refused.stdout);
        assert!(refused.stderr.contains("it is about"), "{}", refused.stderr);
        assert!(refused.stderr.contains(own), "{}", refused.stderr);
    }
}

#[test]
fn an_unknown_property_is_refused_with_the_names_there_are() {
    let folder = folder(&edited(&[("\"tiny\"", "\"other\"")]));
    let run = prove(folder.path(), &["--only", "everything"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("verdict-queue"), "{}", run.stderr);
}

#[test]
fn a_property_of_what_the_card_has_not_is_refused_with_those_that_concern_it() {
    let folder = folder(BASE);
    let run = prove(folder.path(), &["--only", "crossing-fifo"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(
        run.stderr.contains("packet.ports = \"rgmii\""),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("outputs-registered"), "{}", run.stderr);
}

#[test]
#[ignore = "a claim"]
fn a_packet_path_is_proved_as_specified_where_the_filter_is_reduced() {
    let path = "[card]\n[packet]\ntrusted_keys = true\ndata_bits = 64\nbuffer_bytes = 4096\n";
    let folder = folder(&(edited(&[("bits = 104", "source = \"src-ip\"")]) + path));
    let run = prove(
        folder.path(),
        &["--reduced", "--only", "frame-stream", "--json"],
    );
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(report["proofs"][0]["verdict"], "holds");
}
