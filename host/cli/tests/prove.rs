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
fn a_property_that_holds_is_reported_with_its_method_and_exit_code_0() {
    let folder = folder(BASE);
    let run = prove(folder.path(), &["--only", "outputs-registered", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(report["reduced"], false);
    assert_eq!(report["partition_bits"], 16384);
    assert_eq!(report["proofs"][0]["property"], "outputs-registered");
    assert_eq!(report["proofs"][0]["method"], "structural");
    assert_eq!(report["proofs"][0]["verdict"], "holds");
}

#[test]
fn an_induction_too_shallow_to_decide_is_open_and_exit_code_1() {
    let folder = folder(BASE);
    let run = prove(folder.path(), &["--only", "register-port", "--depth", "1"]);
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("open"), "{}", run.stdout);
}

#[test]
fn a_geometry_too_large_for_the_solver_is_refused_and_reduced_only_when_asked() {
    let folder = folder(BASE);
    let refused = prove(folder.path(), &["--only", "bank-bit"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("16384 bits"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--reduced"), "{}", refused.stderr);
    let reduced = prove(
        folder.path(),
        &["--only", "bank-bit", "--depth", "20", "--reduced"],
    );
    assert_eq!(reduced.code, 0, "{}", reduced.stderr);
    assert!(reduced.stdout.contains("REDUCED"), "{}", reduced.stdout);
    assert!(
        reduced.stdout.contains("partitions of 128 bits"),
        "{}",
        reduced.stdout
    );
    assert!(
        reduced.stdout.contains("holds, 20 clocks"),
        "{}",
        reduced.stdout
    );
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
