//! Build flow for ECP5 and Gowin parts: synthesis, place and route, bitstream.

use super::board::{Board, Family, Port};
use super::family::{gowin_arguments, Resource};
use super::placed::{Available, Clock, Placed, Placement};
use super::steps::partial;
use super::work::{write_document, Event, StepSummary, Tool, Work};
use super::{BuildError, Cells, Netlist, Shortage};
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
    /// Folder where netlists are kept for builds that differ by their seeds alone.
    pub netlists: Option<&'a Path>,
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
    /// Block RAMs of 18 kbit.
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
    let family = request.board.family;
    let card_mhz = request.board.constraint_mhz(request.clock_hz);
    let constraints = family.constraints(request.top, request.ports, card_mhz);
    let texts = request.sources.iter().chain(request.documents);
    work.prepare(texts.chain(&constraints))?;
    let [yosys, nextpnr, packer] = family.tools().map(|program| work.tool(program));
    let (yosys, nextpnr, packer) = (yosys?, nextpnr?, packer?);
    let flow = Flow {
        request,
        work,
        family,
        card_mhz,
        constraints: constraints.into_iter().map(|(name, _)| name).collect(),
    };
    let steps = vec![
        flow.synthesise(yosys)?,
        flow.place(nextpnr)?,
        flow.pack(packer)?,
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
/// wires were the worst path (114.9 MHz with seed 1). And where the longest path of what is mapped together allows it, it makes chains of
/// small gates of short ones: four in a row decided whose turn it is in `egress`. Together they cost 4 % more lookup tables.
const APART: &str = "packet_path* egress* mac_port* register_file* uart_bridge*";

/// What is done to the netlist that yosys makes: a step that was done without it is done again.
const READ_REGISTERS: &str = "registers behind block RAM into block RAM";

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
            resource: request.board.family.resources()[2].name,
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
    family: Family,
    /// Clock that the card's is placed for.
    card_mhz: f64,
    /// Files of constraints.
    constraints: Vec<String>,
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
            "read_verilog {}; hierarchy -top {top}; setattr -mod -set keep_hierarchy 1 {APART}; {synthesis}; \
             setattr -mod -unset keep_hierarchy *; flatten; opt_clean; write_json {}",
            sources.join(" "),
            partial(NETLIST),
            top = self.request.top,
            synthesis = self
                .family
                .synthesis(&self.request.board.part, self.request.top, self.card_mhz),
        );
        let summary = self.work.step(
            "yosys: synthesis",
            tool,
            &[script.clone(), READ_REGISTERS.to_owned()],
            [&sources, &[NETLIST, CELLS]],
            self.request.netlists,
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
        let part = &self.request.board.part;
        let [lut4, ff, bram] = self.family.resources();
        let of =
            |resource: Resource, available| (resource.name, resource.needed(&cells), available);
        let shortages =
            Shortage::among([of(lut4, part.lut4), of(ff, part.ff), of(bram, part.bram)]);
        match shortages.is_empty() {
            true => Ok(()),
            false => Err(too_small(self.request, shortages)),
        }
    }

    fn place(&self, tool: Tool) -> Result<StepSummary, BuildError> {
        let placed = self.file(self.family.endings()[0]);
        let part = &self.request.board.part;
        let (report, configuration) = (partial(REPORT), partial(&placed));
        let placement = Placement {
            device: &part.device,
            package: &part.package,
            speed: &part.speed,
            netlist: NETLIST,
            lpf: self.constraints.first().map(String::as_str),
            target_mhz: None,
            seed: self.request.seed,
            report: &report,
            configuration: Some(&configuration),
        };
        let (what, arguments) = match self.family {
            Family::Ecp5 => ("nextpnr-ecp5: placing and routing", placement.arguments()),
            Family::Gowin => (
                "nextpnr-himbaechel-gowin: placing and routing",
                gowin_arguments(part, &placement, &self.constraints),
            ),
        };
        let inputs: Vec<&str> = std::iter::once(NETLIST)
            .chain(self.constraints.iter().map(String::as_str))
            .collect();
        let program = self.family.tools()[1];
        self.work.step(
            what,
            tool,
            &arguments,
            [&inputs, &[REPORT, &placed]],
            None,
            || {
                self.work.toolchain.run(program, |command| {
                    command.current_dir(self.request.out).args(&arguments);
                })?;
                Ok(())
            },
        )
    }

    fn pack(&self, tool: Tool) -> Result<StepSummary, BuildError> {
        let [placed, bitstream] = self.family.endings().map(|ending| self.file(ending));
        let part = &self.request.board.part;
        let arguments = self.family.packing(part, &placed, &partial(&bitstream));
        let program = self.family.tools()[2];
        let what = match self.family {
            Family::Ecp5 => "ecppack: bitstream",
            Family::Gowin => "gowin_pack: bitstream",
        };
        self.work.step(
            what,
            tool,
            &arguments,
            [&[&placed], &[&bitstream]],
            None,
            || {
                self.work.toolchain.run(program, |command| {
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
        let placed = Placed::read(&file, self.family)?;
        let is_card = |clock: &&Clock| clock.name == CARD_CLOCK;
        let card = placed.clocks.iter().find(is_card);
        let card = card.ok_or_else(|| BuildError::Report {
            file,
            problem: format!("there is no clock {CARD_CLOCK}"),
            tool: self.family.placer(),
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
            bitstream: request.out.join(self.file(self.family.endings()[1])),
            seed: request.seed,
            steps,
            clocks: placed.clocks,
        })
    }
}
