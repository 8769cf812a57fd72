//! Families of parts: tools, resources and constraint files of each.

use super::board::{Family, Part, Port};
use super::placed::Placement;
use super::{cst, lpf, Cells};
use bloomline_toolchain::Program;

/// Kinds of cells that take a resource, and how many of it each takes.
type Kinds = &'static [(&'static str, u64)];

/// Part of a clock's period that a path may take in yosys' model of delays, whose wires are about half as long as nextpnr's.
const MAPPED_SHARE: f64 = 0.4;

/// yosys' commands for ECP5, without the top module, for a clock of so many MHz; without one lookup tables are mapped for the shortest longest path there is. Its longer script
/// restructures logic in several rounds and keeps the best: the usual one joins lookup tables of long paths into ones of six and seven inputs, which take four and eight sites each
/// (`hdl/docs/decisions/009-mapping.md`).
pub fn synth_ecp5(mhz: Option<f64>) -> String {
    let relaxed = mhz.map(|mhz| {
        let picoseconds = (MAPPED_SHARE * 1e6 / mhz).round();
        format!("scratchpad -set abc9.D {picoseconds}; ")
    });
    let relaxed = relaxed.unwrap_or_default();
    format!("{relaxed}scratchpad -copy abc9.script.flow2 abc9.script; synth_ecp5")
}

/// A resource of a part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Resource {
    /// What messages call it.
    pub name: &'static str,
    /// Cells of yosys' netlist that take it.
    pub cells: Kinds,
    /// Sites of nextpnr's report that take it; how many there are is said of the first.
    pub sites: Kinds,
}

impl Resource {
    /// How many a netlist takes.
    pub fn needed(&self, cells: &Cells) -> u64 {
        let taken = self
            .cells
            .iter()
            .map(|(name, each)| each * cells.count(name));
        taken.sum()
    }
}

impl Family {
    /// Synthesis, place and route, bitstream.
    pub(super) const fn tools(self) -> [Program; 3] {
        match self {
            Family::Ecp5 => [Program::Yosys, Program::NextpnrEcp5, Program::EcpPack],
            Family::Gowin => [Program::Yosys, Program::NextpnrGowin, Program::GowinPack],
        }
    }

    /// Lookup tables, flip-flops, block RAMs.
    pub(super) const fn resources(self) -> [Resource; 3] {
        match self {
            Family::Ecp5 => [
                Resource {
                    name: "LUT4",
                    // a link of a carry chain takes two tables, 16 words of 4 bits of distributed RAM four
                    cells: &[("LUT4", 1), ("CCU2C", 2), ("TRELLIS_DPR16X4", 4)],
                    sites: &[("TRELLIS_COMB", 1)],
                },
                Resource {
                    name: "FF",
                    cells: &[("TRELLIS_FF", 1)],
                    sites: &[("TRELLIS_FF", 1)],
                },
                Resource {
                    name: "DP16KD",
                    cells: &[("DP16KD", 1)],
                    sites: &[("DP16KD", 1)],
                },
            ],
            Family::Gowin => [
                Resource {
                    name: "LUT4",
                    cells: &[
                        ("LUT1", 1),
                        ("LUT2", 1),
                        ("LUT3", 1),
                        ("LUT4", 1),
                        ("ALU", 1),
                        ("RAM16SDP4", 4),
                    ],
                    sites: &[("LUT4", 1), ("ALU", 1), ("RAM16SDP4", 4)],
                },
                Resource {
                    name: "FF",
                    cells: &[
                        ("DFF", 1),
                        ("DFFE", 1),
                        ("DFFR", 1),
                        ("DFFRE", 1),
                        ("DFFS", 1),
                        ("DFFSE", 1),
                        ("DFFC", 1),
                        ("DFFCE", 1),
                        ("DFFP", 1),
                        ("DFFPE", 1),
                    ],
                    sites: &[("DFF", 1)],
                },
                Resource {
                    name: "BSRAM",
                    cells: &[("SDPB", 1), ("SDPX9B", 1), ("DPB", 1), ("DPX9B", 1)],
                    sites: &[("BSRAM", 1)],
                },
            ],
        }
    }

    /// Lookup tables, flip-flops and block RAMs that a netlist of yosys takes.
    pub fn needed(self, cells: &Cells) -> [u64; 3] {
        self.resources().map(|resource| resource.needed(cells))
    }

    /// The command of yosys that maps a design to the family's cells, for a clock of so many MHz.
    pub(super) fn synthesis(self, part: &Part, top: &str, mhz: f64) -> String {
        match self {
            Family::Ecp5 => format!("{} -top {top}", synth_ecp5(Some(mhz))),
            Family::Gowin => format!("synth_gowin -family {} -top {top}", series(part)),
        }
    }

    /// What nextpnr and its report are called in messages.
    pub(super) const fn placer(self) -> &'static str {
        match self {
            Family::Ecp5 => "nextpnr-ecp5",
            Family::Gowin => "nextpnr-himbaechel-gowin",
        }
    }

    /// Files of constraints of a top module, names and texts; the card's clock is to reach `card_mhz`.
    pub(super) fn constraints(
        self,
        top: &str,
        ports: &[Port],
        card_mhz: f64,
    ) -> Vec<(String, String)> {
        match self {
            Family::Ecp5 => vec![(format!("{top}.lpf"), lpf::of_top(ports, card_mhz))],
            Family::Gowin => vec![
                (format!("{top}.cst"), cst::pins(ports)),
                (
                    format!("{top}.sdc"),
                    cst::clocks(ports) + &cst::card_clock(card_mhz),
                ),
            ],
        }
    }

    /// Endings of the files of a placed design and of a bitstream.
    pub(super) const fn endings(self) -> [&'static str; 2] {
        match self {
            Family::Ecp5 => ["config", "bit"],
            Family::Gowin => ["json", "fs"],
        }
    }

    /// Arguments of the packer.
    pub(super) fn packing(self, part: &Part, placed: &str, bitstream: &str) -> Vec<String> {
        let arguments: &[&str] = match self {
            Family::Ecp5 => &["--compress", "--input", placed, "--bit", bitstream],
            Family::Gowin => &["-d", &part.device, "-o", bitstream, placed],
        };
        arguments
            .iter()
            .map(|&argument| argument.to_owned())
            .collect()
    }
}

/// Arguments of nextpnr-himbaechel-gowin. A clock that is not reached does not make the tool fail: the report says so. Its default
/// router did not end within 18 minutes on a card that `router2` routed.
pub(super) fn gowin_arguments(part: &Part, placement: &Placement, files: &[String]) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut pair = |name: &str, value: &str| {
        arguments.extend([format!("--{name}"), value.to_owned()]);
    };
    pair("device", &part.name);
    pair("vopt", &format!("family={}", part.device));
    pair("json", placement.netlist);
    pair("seed", &placement.seed.to_string());
    pair("router", "router2");
    pair("report", placement.report);
    if let Some(placed) = placement.configuration {
        pair("write", placed);
    }
    for file in files {
        match file.ends_with(".cst") {
            true => pair("vopt", &format!("cst={file}")),
            false => pair("sdc", file),
        }
    }
    arguments.push("--timing-allow-fail".to_owned());
    arguments
}

/// Series of a Gowin die as yosys calls it: `gw2a` for GW2A-18C.
pub(super) fn series(part: &Part) -> String {
    let letters = part.device.chars().take(4);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}
