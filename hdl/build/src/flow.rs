//! Build flow for the ECP5: synthesis, place and route, bitstream.

use super::board::{Board, Port};
use super::placed::{Available, Clock, Placed, Placement};
use super::steps::partial;
use super::work::{write_document, Event, StepSummary, Tool, Work};
use super::{lpf, BuildError, Cells, Netlist, Shortage};
use bloomline_toolchain::run_yosys_script;
use bloomline_toolchain::{Program, Toolchain, ToolchainError};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What is to be built.
#[derive(Debug, Clone, Copy)]
pub struct BuildRequest<'a> {
    /// The board.
    pub board: &'a Board,
    /// Top module; the files of the build bear its name.
    pub top: &'a str,
    /// Its ports.
    pub ports: &'a [Port],
    /// Verilog that makes up the design: file names and texts.
    pub sources: &'a [(String, String)],
    /// Other texts that go into the folder: no tool reads them.
    pub documents: &'a [(String, String)],
    /// Clock of the net `card_clock` in hertz: what must be reached.
    pub clock_hz: u64,
    /// Bits of the filter's memory: a part with less is refused before anything runs.
    pub memory_bits: u64,
    /// Folder of the build: new, empty, or that of an earlier build, whose results are used where nothing has changed.
    pub out: &'a Path,
    /// Seed of the placer.
    pub seed: u64,
}

/// What was built.
#[derive(Debug, Clone, Serialize)]
pub struct BuildSummary {
    /// Board.
    pub board: String,
    /// Part.
    pub part: String,
    /// Whether the card's clock reaches its target and every other clock what was asked of it.
    pub timing_met: bool,
    /// The fastest that the card's clock may be.
    pub fmax_mhz: f64,
    /// What it is going to be.
    pub target_mhz: f64,
    /// What nextpnr worked towards: the target and the board's margin.
    pub constraint_mhz: f64,
    /// Sites of lookup tables; carry chains and distributed RAM take some too.
    pub lut4: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs (DP16KD).
    pub bram: u64,
    /// What the part has of the three.
    pub available: Available,
    /// The bitstream.
    pub bitstream: PathBuf,
    /// Every clock with its longest path.
    pub clocks: Vec<Clock>,
    /// Seed of the placer.
    pub seed: u64,
    /// What was done.
    pub steps: Vec<StepSummary>,
}

/// The card's clock, as the top module calls it.
const CARD_CLOCK: &str = "card_clock";
/// Bits of a block RAM.
const BLOCK_RAM_BITS: u64 = 18 * 1024;
const NETLIST: &str = "netlist.json";
const CELLS: &str = "cells.json";
const REPORT: &str = "report.json";

/// Synthesises, places, routes and packs. A clock that is too slow is no error: see [`BuildSummary::timing_met`].
///
/// # Errors
/// That the part is too small; that a tool is missing or fails; that `out` holds something else or cannot be written.
pub fn build(
    toolchain: &Toolchain,
    request: &BuildRequest,
    listener: &dyn Fn(&Event),
) -> Result<BuildSummary, BuildError> {
    enough_memory(request)?;
    let work = Work {
        toolchain,
        out: request.out,
        listener,
    };
    let constraints = (
        lpf_file(request),
        lpf::of_top(
            request.ports,
            request.board.constraint_mhz(request.clock_hz),
        ),
    );
    let texts = request.sources.iter().chain(request.documents);
    work.prepare(texts.chain([&constraints]))?;
    let tools = [Program::Yosys, Program::NextpnrEcp5, Program::EcpPack];
    let [yosys, nextpnr, ecppack] = tools.map(|program| work.tool(program));
    let (yosys, nextpnr, ecppack) = (yosys?, nextpnr?, ecppack?);
    let flow = Flow { request, work };
    let steps = vec![
        flow.synthesise(yosys)?,
        flow.place(nextpnr)?,
        flow.pack(ecppack)?,
    ];
    flow.summary(steps)
}

/// Runs nextpnr-ecp5 in `folder`.
///
/// # Errors
/// When the tool is missing or fails.
pub fn run_nextpnr(
    toolchain: &Toolchain,
    folder: &Path,
    placement: &Placement,
) -> Result<(), ToolchainError> {
    toolchain
        .run(Program::NextpnrEcp5, |command| {
            command.current_dir(folder).args(placement.arguments());
        })
        .map(drop)
}

/// Modules that are synthesised each for itself. Left to itself yosys makes one gate of equal ones, also where they are of two
/// lanes at opposite ends of the part: in `line_card` on `colorlight-i5` both lanes shared the check of a register's width, whose
/// wires were the worst path (114.9 MHz with seed 1). Apart, the worst path is the parser's; it costs 3 % more lookup tables.
const APART: &str = "packet_path* mac_port* register_file*";

/// What is done to the netlist that yosys makes: a step that was done without it is done again.
const READ_REGISTERS: &str = "registers behind block RAM into block RAM";

fn lpf_file(request: &BuildRequest) -> String {
    format!("{}.lpf", request.top)
}

/// Refuses a memory that cannot fit, whatever becomes of it.
fn enough_memory(request: &BuildRequest) -> Result<(), BuildError> {
    let needed = request.memory_bits.div_ceil(BLOCK_RAM_BITS);
    let available = request.board.part.bram;
    // small memories may be made of lookup tables, 16 bits in two of them
    let in_tables = available + request.board.part.lut4 * 16 / 2 / BLOCK_RAM_BITS;
    if needed <= in_tables {
        return Ok(());
    }
    Err(too_small(
        request,
        vec![Shortage {
            resource: "DP16KD",
            needed,
            at_least: true,
            available,
        }],
    ))
}

fn too_small(request: &BuildRequest, shortages: Vec<Shortage>) -> BuildError {
    BuildError::TooSmall {
        design: request.top.to_owned(),
        part: request.board.part.name.clone(),
        shortages,
    }
}

struct Flow<'a> {
    request: &'a BuildRequest<'a>,
    work: Work<'a>,
}

impl Flow<'_> {
    fn synthesise(&self, tool: Tool) -> Result<StepSummary, BuildError> {
        let sources: Vec<&str> = self
            .request
            .sources
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        let script = format!(
            "read_verilog {}; hierarchy -top {top}; setattr -mod -set keep_hierarchy 1 {APART}; synth_ecp5 -top {top}; \
             setattr -mod -unset keep_hierarchy *; flatten; opt_clean; write_json {}",
            sources.join(" "),
            partial(NETLIST),
            top = self.request.top,
        );
        let summary = self.work.step(
            "yosys: synthesis",
            tool,
            &[script.clone(), READ_REGISTERS.to_owned()],
            [&sources, &[NETLIST, CELLS]],
            || {
                run_yosys_script(self.work.toolchain, self.request.out, &script)?;
                let netlist = Netlist::settle(&self.request.out.join(partial(NETLIST)))?;
                write_document(self.request.out, &partial(CELLS), &netlist.cells().text())
            },
        )?;
        self.fits()?;
        Ok(summary)
    }

    /// Refuses a netlist that needs more than the part has; nextpnr would end in the middle of placing.
    fn fits(&self) -> Result<(), BuildError> {
        let cells = Cells::read(&self.request.out.join(CELLS))?;
        let count = |name: &str| cells.count(name);
        let part = &self.request.board.part;
        // a link of a carry chain takes two tables, 16 words of 4 bits of distributed RAM four
        let lut4 = count("LUT4") + 2 * count("CCU2C") + 4 * count("TRELLIS_DPR16X4");
        let shortages = Shortage::among([
            ("LUT4", lut4, part.lut4),
            ("FF", count("TRELLIS_FF"), part.ff),
            ("DP16KD", count("DP16KD"), part.bram),
        ]);
        match shortages.is_empty() {
            true => Ok(()),
            false => Err(too_small(self.request, shortages)),
        }
    }

    fn place(&self, tool: Tool) -> Result<StepSummary, BuildError> {
        let (lpf, configuration) = (lpf_file(self.request), self.file("config"));
        let part = &self.request.board.part;
        let (report, textcfg) = (partial(REPORT), partial(&configuration));
        let placement = Placement {
            device: &part.device,
            package: &part.package,
            speed: &part.speed,
            netlist: NETLIST,
            lpf: Some(&lpf),
            target_mhz: None,
            seed: self.request.seed,
            report: &report,
            configuration: Some(&textcfg),
        };
        self.work.step(
            "nextpnr-ecp5: placing and routing",
            tool,
            &placement.arguments(),
            [&[NETLIST, &lpf], &[REPORT, &configuration]],
            || {
                Ok(run_nextpnr(
                    self.work.toolchain,
                    self.request.out,
                    &placement,
                )?)
            },
        )
    }

    fn pack(&self, tool: Tool) -> Result<StepSummary, BuildError> {
        let (configuration, bitstream) = (self.file("config"), self.file("bit"));
        let arguments = [
            "--compress".to_owned(),
            "--input".to_owned(),
            configuration.clone(),
            "--bit".to_owned(),
            partial(&bitstream),
        ];
        self.work.step(
            "ecppack: bitstream",
            tool,
            &arguments,
            [&[&configuration], &[&bitstream]],
            || {
                self.work.toolchain.run(Program::EcpPack, |command| {
                    command.current_dir(self.request.out).args(&arguments);
                })?;
                Ok(())
            },
        )
    }

    fn file(&self, extension: &str) -> String {
        format!("{}.{extension}", self.request.top)
    }

    fn summary(&self, steps: Vec<StepSummary>) -> Result<BuildSummary, BuildError> {
        let request = self.request;
        let file = request.out.join(REPORT);
        let placed = Placed::read(&file)?;
        let is_card = |clock: &&Clock| clock.name == CARD_CLOCK;
        let card = placed.clocks.iter().find(is_card);
        let card = card.ok_or_else(|| BuildError::Report {
            file,
            problem: format!("there is no clock {CARD_CLOCK}"),
            tool: "nextpnr-ecp5",
        })?;
        let target_mhz = request.clock_hz as f64 / 1e6;
        let met = |clock: &Clock| match is_card(&clock) {
            true => clock.fmax_mhz >= target_mhz,
            false => clock.fmax_mhz >= clock.constraint_mhz,
        };
        Ok(BuildSummary {
            board: request.board.name.clone(),
            part: request.board.part.name.clone(),
            timing_met: placed.clocks.iter().all(met),
            fmax_mhz: card.fmax_mhz,
            target_mhz,
            constraint_mhz: card.constraint_mhz,
            lut4: placed.lut4,
            ff: placed.ff,
            bram: placed.bram,
            available: placed.available,
            bitstream: request.out.join(self.file("bit")),
            seed: request.seed,
            steps,
            clocks: placed.clocks,
        })
    }
}
