//! The MAC's Verilog is clean.

use bloomline_bench::toolchain::Program;
use bloomline_bench::verilator::lint;
use bloomline_hdl::mac::mac_loop_verilog;
use bloomline_tests::toolchain;

#[test]
fn the_mac_passes_lint_without_a_word() {
    let text = mac_loop_verilog("").expect("can be printed").text();
    let sources = [("mac_loop.v".to_owned(), text)];
    let toolchain = toolchain(&[Program::Verilator]);
    let warnings = lint(&toolchain, &sources, "mac_loop").expect("Verilator runs");
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.is_empty(), "{}", warnings.join("\n"));
}
