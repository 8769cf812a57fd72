//! Somebody else's Ethernet on both ends of ours: cocotb with the RGMII models of cocotbext-eth, in Icarus Verilog.
//!
//! The Python packages come from PyPI at pinned versions. Without Icarus the test says that it was skipped, and fails when `CI=true`.

use bloomline_bench::toolchain::{Package, Program, ToolchainError};
use bloomline_hdl::mac::mac_loop_verilog;
use bloomline_tests::{skip, toolchain};
use std::path::{Path, PathBuf};
use std::process::Command;

const CLIENT: &str = include_str!("mac_support/mac_loop_client.py");
/// Tests of the client.
const CASES: usize = 4;

fn output(command: &mut Command) -> String {
    let output = command.output().expect("starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{text}{complaint}");
    text
}

/// The emitted loop, whose transmitted clock is two nanoseconds behind its data, as RGMII wants it at a receiver.
fn loop_text() -> String {
    let text = mac_loop_verilog("").expect("can be printed").text();
    let (before, delay) = text.split_once("module output_delay (").expect("a leaf");
    let later = delay.replacen("assign z = a;", "assign #2 z = a;", 1);
    assert_ne!(delay, later);
    format!("`timescale 1ns/1ps\n{before}module output_delay ({later}")
}

#[test]
fn frames_of_another_ethernet_come_back_as_they_were_and_bad_ones_as_bad() {
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
    std::fs::write(folder.join("mac_loop.v"), loop_text()).expect("written");
    std::fs::write(folder.join("mac_loop_client.py"), CLIENT).expect("written");
    output(icarus.command().current_dir(folder).args([
        "-g2012",
        "-s",
        "mac_loop",
        "-o",
        "loop.vvp",
        "mac_loop.v",
    ]));
    let users = format!(
        "{};{}",
        ask(&["--libpython"]),
        ask(&["--pygpi-entry-point"])
    );
    let printed = output(
        Command::new(vvp(&icarus.path))
            .current_dir(folder)
            .args(["-m", &ask(&["--lib-entry", "vpi", "icarus"]), "loop.vvp"])
            .env("PYTHONPATH", folder)
            .env("PYGPI_PYTHON_BIN", &python)
            .env("GPI_USERS", users)
            .env("COCOTB_TEST_MODULES", "mac_loop_client")
            .env("COCOTB_TOPLEVEL", "mac_loop")
            .env("COCOTB_RESULTS_FILE", "results.xml")
            .env("TOPLEVEL_LANG", "verilog"),
    );
    let results = std::fs::read_to_string(folder.join("results.xml")).unwrap_or_default();
    let passed = results.matches("<testcase").count();
    let failed = results.contains("<failure") || results.contains("<error");
    assert!(passed == CASES && !failed, "{printed}\n{results}");
}

/// The program that runs what Icarus compiles, beside the compiler.
fn vvp(iverilog: &Path) -> PathBuf {
    iverilog.with_file_name("vvp")
}
