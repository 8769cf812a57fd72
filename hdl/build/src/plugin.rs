//! Build flow for a plugin of the OpenNIC shell.

use super::opennic::{OpenNicBoard, XilinxPart};
use super::steps::partial;
use super::work::{Event, StepSummary, Work};
use super::{BuildError, Cells, Shortage};
use bloomline_toolchain::run_yosys_script;
use bloomline_toolchain::{Program, Toolchain};
use serde::Serialize;
use std::path::{Path, PathBuf};

macro_rules! plugin {
    ($($file:literal),* $(,)?) => {
        &[$(($file, include_str!(concat!("../../../constraints/opennic-250/plugin/", $file)))),*]
    };
}

/// Files of the plugin that are the same for every path: name in its folder, and text.
pub const PLUGIN: &[(&str, &str)] = plugin![
    "bloomline_axil_crossing.sv",
    "bloomline_axil_crossing.xdc",
    "bloomline_axis_register.sv",
    "bloomline_box_250mhz.sv",
    "bloomline_reset.sv",
    "bloomline_reset.xdc",
    "box_250mhz/box_250mhz_address_map.v",
    "box_250mhz/box_250mhz_address_map_inst.vh",
    "box_250mhz/box_250mhz_axi_crossbar.tcl",
    "box_250mhz/user_plugin_250mhz_inst.vh",
    "build_box_250mhz.tcl",
];
/// What the plugin's Verilog reads of the path that it holds.
const PATH_HEADER: &str = "box_250mhz/bloomline_path.vh";
/// Top module of the plugin.
pub const PLUGIN_TOP: &str = "bloomline_box_250mhz";
const ADDRESS_PAGE: &str = "ADDRESS_MAP.md";
const CELLS: &str = "cells.json";
const BLOCK_RAM_BITS: u64 = 36 * 1024;
/// Bits that a lookup table can hold as memory.
const TABLE_BITS: u64 = 64;

/// What is to be built.
#[derive(Debug, Clone, Copy)]
pub struct PluginRequest<'a> {
    /// The shell's box.
    pub board: &'a OpenNicBoard,
    /// The card's part.
    pub part: &'a XilinxPart,
    /// Top module of the packet path.
    pub path: &'a str,
    /// Its Verilog.
    pub verilog: &'a str,
    /// Bytes of its frame buffer.
    pub buffer_bytes: u32,
    /// Bits of the filter's memory: a part with less is refused before anything runs.
    pub memory_bits: u64,
    /// Other texts that go into the folder: no tool reads them.
    pub documents: &'a [(String, String)],
    /// Name of the one of them that lists the registers.
    pub registers: &'a str,
    /// Folder of the plugin: new, empty, or that of an earlier build, whose results are used where nothing has changed.
    pub out: &'a Path,
}

/// What a plugin takes of a part with one interface, without the shell, as yosys maps it. Vivado's numbers will differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Estimate {
    /// Lookup tables, those used as memory among them.
    pub lut: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs of 36 kbit; two of 18 kbit are one.
    pub bram36: u64,
}

/// What was built.
#[derive(Debug, Clone, Serialize)]
pub struct PluginSummary {
    /// Board.
    pub board: String,
    /// The card, and its part.
    pub part: XilinxPart,
    /// What the plugin takes of it.
    pub estimate: Estimate,
    /// The plugin's folder, for the shell's `-user_plugin`.
    pub plugin: PathBuf,
    /// The shell's commit that the plugin was written for.
    pub shell_commit: String,
    /// What was done.
    pub steps: Vec<StepSummary>,
}

/// Writes the plugin and has yosys map it.
///
/// # Errors
/// That the part is too small; that a tool is missing or fails; that `out` holds something else or cannot be written.
pub fn build_plugin(
    toolchain: &Toolchain,
    request: &PluginRequest,
    listener: &dyn Fn(&Event),
) -> Result<PluginSummary, BuildError> {
    enough_memory(request)?;
    let work = Work {
        toolchain,
        out: request.out,
        listener,
    };
    let sources = plugin_sources(request.path, request.verilog, request.buffer_bytes);
    let page = (
        ADDRESS_PAGE.to_owned(),
        request.board.address_page(request.path, request.registers),
    );
    work.prepare(sources.iter().chain(request.documents).chain([&page]))?;
    let yosys = work.tool(Program::Yosys)?;
    let modules: Vec<&str> = sources
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|name| !name.contains('/') && (name.ends_with(".v") || name.ends_with(".sv")))
        .collect();
    let script = estimate_script(&modules);
    let inputs: Vec<&str> = modules.iter().copied().chain([PATH_HEADER]).collect();
    let synthesis = work.step(
        "yosys: estimate of the resources",
        yosys,
        std::slice::from_ref(&script),
        [&inputs, &[CELLS]],
        None,
        || {
            run_yosys_script(toolchain, request.out, &script)?;
            Ok(())
        },
    )?;
    let estimate = Estimate::of(&request.out.join(CELLS))?;
    let shortages = estimate.shortages(request.part);
    if !shortages.is_empty() {
        return Err(too_small(request, shortages));
    }
    Ok(PluginSummary {
        board: request.board.name.clone(),
        part: request.part.clone(),
        estimate,
        plugin: request.out.to_owned(),
        shell_commit: request.board.shell.commit.clone(),
        steps: vec![synthesis],
    })
}

/// Every file of a plugin that Vivado reads, by its name in the plugin's folder.
pub fn plugin_sources(path: &str, verilog: &str, buffer_bytes: u32) -> Vec<(String, String)> {
    let header = format!(
        "// The packet path in the box, and the bytes that its frame buffer holds.\n\
         `ifndef BLOOMLINE_PATH\n\
         `define BLOOMLINE_PATH {path}\n\
         `define BLOOMLINE_BUFFER_BYTES {buffer_bytes}\n\
         `endif\n"
    );
    let of_path = [
        (format!("{path}.v"), verilog.to_owned()),
        (PATH_HEADER.to_owned(), header),
    ];
    let fixed = PLUGIN
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    fixed.chain(of_path).collect()
}

/// Refuses a memory that cannot fit, whatever becomes of it.
fn enough_memory(request: &PluginRequest) -> Result<(), BuildError> {
    let part = request.part;
    let needed = request.memory_bits.div_ceil(BLOCK_RAM_BITS);
    if needed <= part.bram36 + part.lut * TABLE_BITS / BLOCK_RAM_BITS {
        return Ok(());
    }
    let shortage = Shortage {
        resource: "BRAM36",
        needed,
        at_least: true,
        available: part.bram36,
    };
    Err(too_small(request, vec![shortage]))
}

fn too_small(request: &PluginRequest, shortages: Vec<Shortage>) -> BuildError {
    BuildError::TooSmall {
        design: request.path.to_owned(),
        part: request.part.name.clone(),
        shortages,
    }
}

/// Lookup tables of each memory and shift register that is made of them.
const TABLES: &[(&str, u64)] = &[
    ("RAM32X1S", 1),
    ("RAM32X1D", 2),
    ("RAM32M", 4),
    ("RAM32M16", 8),
    ("RAM64X1S", 1),
    ("RAM64X1D", 2),
    ("RAM64M", 4),
    ("RAM64M8", 8),
    ("RAM128X1S", 2),
    ("RAM128X1D", 4),
    ("RAM256X1S", 4),
    ("RAM256X1D", 8),
    ("RAM512X1S", 8),
    ("SRL16E", 1),
    ("SRLC32E", 1),
    // Vivado draws most of these into other tables
    ("INV", 1),
];

/// What yosys does for an estimate: its `synth_xilinx`, but for the mapping to lookup tables, where abc9 gives up without a word on a path of 512 bits;
/// abc in its place takes a minute.
fn estimate_script(modules: &[&str]) -> String {
    let synth = format!("synth_xilinx -family xcup -noiopad -noclkbuf -top {PLUGIN_TOP} -run");
    [
        &format!("read_verilog -sv -Ibox_250mhz {}", modules.join(" ")),
        &format!("{synth} begin:map_luts"),
        "opt_expr -mux_undef -noclkinv",
        "abc -luts 2:2,3,6:5,10,20",
        "clean",
        "xilinx_srl -fixed -minlen 3",
        "techmap -map +/xilinx/lut_map.v -map +/xilinx/cells_map.v -D LUT_WIDTH=6",
        "xilinx_dffopt",
        "opt_lut_ins -tech xilinx",
        &format!("{synth} finalize:"),
        &format!("tee -q -o {} stat -json", partial(CELLS)),
    ]
    .join("; ")
}

impl Estimate {
    /// Reads it out of yosys's count of cells.
    fn of(file: &Path) -> Result<Estimate, BuildError> {
        Self::of_cells(&Cells::read(file)?).map_err(|name| BuildError::Report {
            file: file.to_owned(),
            problem: format!("cells of type {name} are not known"),
            tool: "yosys",
        })
    }

    /// What the cells of yosys' netlist for a part of AMD take.
    ///
    /// # Errors
    /// The name of a cell that is a memory or shift register of unknown size.
    pub fn of_cells(cells: &Cells) -> Result<Estimate, String> {
        let count = |names: [&str; 2]| -> u64 { names.iter().map(|name| cells.count(name)).sum() };
        let mut estimate = Estimate {
            lut: 0,
            ff: 0,
            bram36: count(["RAMB36E1", "RAMB36E2"]) + count(["RAMB18E1", "RAMB18E2"]).div_ceil(2),
        };
        for (name, number) in cells.iter() {
            let table = TABLES.iter().find(|(table, _)| *table == name);
            match table {
                Some((_, tables)) => estimate.lut += number * tables,
                None if name.starts_with("LUT") => estimate.lut += number,
                None if name.starts_with("FD") => estimate.ff += number,
                None if name.starts_with("RAMB") || !is_memory(name) => {}
                None => return Err(name.to_owned()),
            }
        }
        Ok(estimate)
    }

    /// What a part has too little of.
    fn shortages(&self, part: &XilinxPart) -> Vec<Shortage> {
        Shortage::among([
            ("LUT", self.lut, part.lut),
            ("FF", self.ff, part.ff),
            ("BRAM36", self.bram36, part.bram36),
        ])
    }
}

/// Whether a cell's name is that of a memory or a shift register of the part.
fn is_memory(name: &str) -> bool {
    ["RAM", "SRL", "URAM"]
        .iter()
        .any(|start| name.starts_with(start))
}
