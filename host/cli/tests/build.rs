//! Claims about `build`.

mod common;

use common::{edited, folder, root, run_with, Run, BASE};
use std::path::Path;

/// Runs `build` with the tools of the source tree: the command's own folder is a temporary one.
fn build(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    let tools = std::env::var("BLOOMLINE_TOOLS")
        .unwrap_or_else(|_| root().join(".tools").to_string_lossy().into_owned());
    let variables = [&[("BLOOMLINE_TOOLS", tools.as_str())], variables].concat();
    run_with(
        folder,
        &[&["build", "tiny.toml"], arguments].concat(),
        &variables,
    )
}

/// Refusals before any tool runs: exit code 2, and what the message must hold.
fn refused(spec: &str, arguments: &[&str], variables: &[(&str, &str)], parts: &[&str]) {
    let folder = folder(spec);
    let run = build(folder.path(), arguments, variables);
    assert_eq!(run.code, 2, "{}{}", run.stdout, run.stderr);
    assert_eq!(run.stdout, "");
    for part in parts {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
}

#[test]
fn an_unknown_board_is_refused_with_those_there_are() {
    refused(
        BASE,
        &["--board", "versa"],
        &[],
        &["\"versa\"", "colorlight-i5, versa-ecp5"],
    );
}

#[test]
fn a_clock_that_the_pll_cannot_make_is_refused_with_the_nearest() {
    let spec = format!("{BASE}\n[target]\nclock_hz = 123_000_000\n");
    refused(
        &spec,
        &["--board", "versa-ecp5"],
        &[],
        &["target.clock_hz = 123000000", "120000000 and 125000000"],
    );
}

#[test]
fn a_board_of_ones_own_is_read_and_a_pin_used_twice_refused() {
    let file = root().join("constraints/colorlight-i5/board.toml");
    let text = std::fs::read_to_string(file).expect("a board");
    let own = tempfile::tempdir().expect("a folder");
    let own = own.path().join("own.toml");
    std::fs::write(&own, text.replace("\"U16\"", "\"J17\"")).expect("a board");
    let own = own.to_string_lossy();
    refused(
        BASE,
        &["--board", &own],
        &[],
        &["own.toml", "J17", "uart_tx", "led[0]"],
    );
}

#[test]
fn a_filter_larger_than_the_part_is_refused_before_any_tool_runs() {
    let spec = edited(&[("memory_bits = 131072", "memory_bits = 16777216")]);
    refused(
        &spec,
        &["--board", "colorlight-i5"],
        &[("BLOOMLINE_YOSYS", "/nowhere/yosys")],
        &[
            "LFE5U-25F-6BG381C",
            "at least 911 DP16KD needed, 56 available",
        ],
    );
}

#[test]
fn a_tool_that_is_not_there_is_refused_by_its_name() {
    refused(
        BASE,
        &["--board", "versa-ecp5"],
        &[("BLOOMLINE_YOSYS", "/nowhere/yosys")],
        &["BLOOMLINE_YOSYS", "/nowhere/yosys"],
    );
}

#[test]
fn a_folder_with_other_files_is_refused() {
    refused(
        BASE,
        &["--board", "versa-ecp5", "--out", "."],
        &[],
        &["--out .", "holds other files"],
    );
}
