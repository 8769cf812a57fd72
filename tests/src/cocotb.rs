//! Somebody else's clients on our Verilog: cocotb in Icarus Verilog, with the Ethernet models of cocotbext-eth.

use crate::setup::{skip, toolchain};
use bloomline_toolchain::{Package, Program, ToolchainError};
use std::path::Path;
use std::process::Command;

/// Runs the cases of a cocotb client (the text of a module `client`) against a design, whose transmitted RGMII clocks are two nanoseconds behind their
/// data, as RGMII wants them at a receiver. Without Icarus it says that it was skipped.
///
/// # Panics
/// When a case fails, when it is not so many of them, when a tool is missing, and without Icarus when `CI=true`.
pub fn cocotb_client_passes(top: &str, text: &str, client: &str, cases: usize) {
    let toolchain = toolchain(&[Program::Cxx]);
    let icarus = match toolchain.find(Program::Iverilog) {
        Ok(found) => found,
        Err(error @ ToolchainError::NotFound { .. }) => return skip(error),
        Err(error) => panic!("{error}"),
    };
    let progress = |progress: &_| eprintln!("{progress}");
    toolchain
        .install(&[Package::CocotbEth], &progress)
        .unwrap_or_else(|error| panic!("{error}"));
    let python = toolchain.python_of(Package::CocotbEth);
    let ask = |arguments: &[&str]| -> String {
        let mut command = Command::new(&python);
        command.args(["-m", "cocotb_tools.config"]).args(arguments);
        output(&mut command).trim().to_owned()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("design.v"), with_late_clocks(text)).expect("written");
    std::fs::write(folder.join("client.py"), client).expect("written");
    output(icarus.command().current_dir(folder).args([
        "-g2012",
        "-s",
        top,
        "-o",
        "design.vvp",
        "design.v",
    ]));
    let users = format!(
        "{};{}",
        ask(&["--libpython"]),
        ask(&["--pygpi-entry-point"])
    );
    // the program that runs what Icarus compiles stands beside the compiler
    let vvp = Path::new(&icarus.path).with_file_name("vvp");
    let printed = output(
        Command::new(vvp)
            .current_dir(folder)
            .args(["-m", &ask(&["--lib-entry", "vpi", "icarus"]), "design.vvp"])
            .env("PYTHONPATH", folder)
            .env("PYGPI_PYTHON_BIN", &python)
            .env("GPI_USERS", users)
            .env("COCOTB_TEST_MODULES", "client")
            .env("COCOTB_TOPLEVEL", top)
            .env("COCOTB_RESULTS_FILE", "results.xml")
            .env("TOPLEVEL_LANG", "verilog"),
    );
    let results = std::fs::read_to_string(folder.join("results.xml")).unwrap_or_default();
    let passed = results.matches("<testcase").count();
    let failed = results.contains("<failure") || results.contains("<error");
    assert!(passed == cases && !failed, "{printed}\n{results}");
}

/// The design with the delay of its transmitted clocks.
fn with_late_clocks(text: &str) -> String {
    let (before, delay) = text.split_once("module output_delay (").expect("a leaf");
    let later = delay.replacen("assign z = a;", "assign #2 z = a;", 1);
    assert_ne!(delay, later);
    format!("`timescale 1ns/1ps\n{before}module output_delay ({later}")
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{text}{complaint}");
    text
}
