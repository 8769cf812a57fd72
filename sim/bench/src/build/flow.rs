//! The steps from Verilog to a bitstream for an ECP5.

use super::board::{Board, Port};
use super::placed::{Available, Clock, Placed, Placement};
use super::steps::{partial, Step, RECORDS};
use super::{lpf, BuildError, Shortage};
use crate::toolchain::{Found, Origin, Package, Program, Progress, Toolchain, ToolchainError};
use crate::verilator::run_yosys_script;
use crate::whole_file;
use serde::Serialize;
use serde_json::Value;
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

/// What a build tells while it runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// A tool is being installed.
    Install(&'a Progress),
    /// A step begins, in a few words.
    Begin(&'a str),
    /// The step that began last is done.
    Done,
    /// The step that began last was not needed: nothing has changed.
    Unchanged,
}

/// A step of a build.
#[derive(Debug, Clone, Serialize)]
pub struct StepSummary {
    /// The tool.
    pub step: &'static str,
    /// Its version; what the tool says of itself where it is not the pinned package.
    pub version: String,
    /// Whether the result of an earlier run was used.
    pub unchanged: bool,
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
    prepare(request)?;
    let tools = [Program::Yosys, Program::NextpnrEcp5, Program::EcpPack]
        .map(|program| tool(toolchain, program, listener));
    let [yosys, nextpnr, ecppack] = tools;
    let (yosys, nextpnr, ecppack) = (yosys?, nextpnr?, ecppack?);
    let flow = Flow {
        toolchain,
        request,
        listener,
    };
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

/// A step that is going to be taken, and the tool's version.
type Tool = (&'static str, String);

fn tool(
    toolchain: &Toolchain,
    program: Program,
    listener: &dyn Fn(&Event),
) -> Result<Tool, BuildError> {
    let found: Found = toolchain.find_or_install(program, &|progress| {
        listener(&Event::Install(progress));
    })?;
    let version = match (found.origin, program.package().map(Package::version)) {
        (Origin::Folder, Some(version)) => version.to_owned(),
        _ => format!("{} ({})", toolchain.version(&found)?, found.path.display()),
    };
    Ok((program.name(), version))
}

/// Makes the folder and writes the texts that the steps start from.
fn prepare(request: &BuildRequest) -> Result<(), BuildError> {
    let out = request.out;
    let occupied = match std::fs::read_dir(out) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
        Err(error) => return Err(BuildError::io("use the folder", out)(error)),
    };
    if occupied && !out.join(RECORDS).is_dir() {
        return Err(BuildError::Occupied {
            folder: out.to_owned(),
        });
    }
    let records = out.join(RECORDS);
    std::fs::create_dir_all(&records).map_err(BuildError::io("make the folder", &records))?;
    let constraints = (
        lpf_file(request),
        lpf::of_top(
            request.ports,
            request.board.constraint_mhz(request.clock_hz),
        ),
    );
    let texts = request.sources.iter().chain(request.documents);
    for (name, text) in texts.chain([&constraints]) {
        write_document(out, name, text)?;
    }
    Ok(())
}

/// Writes a text into the folder of a build, whole or not at all.
///
/// # Errors
/// That it cannot be written.
pub fn write_document(out: &Path, name: &str, text: &str) -> Result<(), BuildError> {
    let file = out.join(name);
    whole_file::write(&file, text).map_err(BuildError::io("write", &file))
}

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
    toolchain: &'a Toolchain,
    request: &'a BuildRequest<'a>,
    listener: &'a dyn Fn(&Event),
}

impl Flow<'_> {
    fn step(
        &self,
        what: &str,
        (step, version): Tool,
        arguments: &[String],
        [inputs, outputs]: [&[&str]; 2],
        work: impl FnOnce() -> Result<(), ToolchainError>,
    ) -> Result<StepSummary, BuildError> {
        (self.listener)(&Event::Begin(what));
        let depends: Vec<String> = std::iter::once(&version)
            .chain(arguments)
            .cloned()
            .collect();
        let done = Step {
            name: step,
            folder: self.request.out,
            depends: &depends,
            inputs,
            outputs,
        }
        .run(|| Ok(work()?))?;
        (self.listener)(if done {
            &Event::Done
        } else {
            &Event::Unchanged
        });
        Ok(StepSummary {
            step,
            version,
            unchanged: !done,
        })
    }

    fn synthesise(&self, tool: Tool) -> Result<StepSummary, BuildError> {
        let sources: Vec<&str> = self
            .request
            .sources
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        let script = format!(
            "read_verilog {}; synth_ecp5 -top {} -json {}; tee -q -o {} stat -json",
            sources.join(" "),
            self.request.top,
            partial(NETLIST),
            partial(CELLS)
        );
        let summary = self.step(
            "yosys: synthesis",
            tool,
            std::slice::from_ref(&script),
            [&sources, &[NETLIST, CELLS]],
            || run_yosys_script(self.toolchain, self.request.out, &script).map(drop),
        )?;
        self.fits()?;
        Ok(summary)
    }

    /// Refuses a netlist that needs more than the part has; nextpnr would end in the middle of placing.
    fn fits(&self) -> Result<(), BuildError> {
        let file = self.request.out.join(CELLS);
        let text = std::fs::read_to_string(&file).map_err(BuildError::io("read", &file))?;
        let report = |problem: String| BuildError::Report {
            file: file.clone(),
            problem,
            tool: "yosys",
        };
        let stat: Value = serde_json::from_str(&text).map_err(|error| report(error.to_string()))?;
        let cells = stat["design"]["num_cells_by_type"]
            .as_object()
            .ok_or_else(|| report("there is no design.num_cells_by_type".to_owned()))?;
        let count = |name: &str| cells.get(name).and_then(Value::as_u64).unwrap_or(0);
        let part = &self.request.board.part;
        // a link of a carry chain takes two tables, 16 words of 4 bits of distributed RAM four
        let lut4 = count("LUT4") + 2 * count("CCU2C") + 4 * count("TRELLIS_DPR16X4");
        let shortages: Vec<Shortage> = [
            ("LUT4", lut4, part.lut4),
            ("FF", count("TRELLIS_FF"), part.ff),
            ("DP16KD", count("DP16KD"), part.bram),
        ]
        .into_iter()
        .filter(|(_, needed, available)| needed > available)
        .map(|(resource, needed, available)| Shortage {
            resource,
            needed,
            at_least: false,
            available,
        })
        .collect();
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
        self.step(
            "nextpnr-ecp5: placing and routing",
            tool,
            &placement.arguments(),
            [&[NETLIST, &lpf], &[REPORT, &configuration]],
            || run_nextpnr(self.toolchain, self.request.out, &placement),
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
        self.step(
            "ecppack: bitstream",
            tool,
            &arguments,
            [&[&configuration], &[&bitstream]],
            || {
                self.toolchain
                    .run(Program::EcpPack, |command| {
                        command.current_dir(self.request.out).args(&arguments);
                    })
                    .map(drop)
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
