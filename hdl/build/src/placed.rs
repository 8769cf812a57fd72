//! nextpnr: arguments, and the report of utilisation and timing.

use super::board::Family;
use super::family::Resource;
use super::BuildError;
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// What nextpnr-ecp5 is told.
#[derive(Debug, Clone, Copy)]
pub struct Placement<'a> {
    /// Device, its option without dashes: `um5g-45k`.
    pub device: &'a str,
    /// Package, as nextpnr calls it.
    pub package: &'a str,
    /// Speed grade.
    pub speed: &'a str,
    /// Netlist of yosys, in the folder it runs in.
    pub netlist: &'a str,
    /// File of pins and clocks; without it the tool chooses pins.
    pub lpf: Option<&'a str>,
    /// Clock to work towards in MHz where the file of clocks says nothing.
    pub target_mhz: Option<f64>,
    /// Seed of the placer.
    pub seed: u64,
    /// Report to write.
    pub report: &'a str,
    /// Configuration to write.
    pub configuration: Option<&'a str>,
}

impl Placement<'_> {
    /// The arguments. A clock that is not reached does not make the tool fail: the report says so.
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments = vec![format!("--{}", self.device)];
        let mut pair = |name: &str, value: &str| {
            arguments.extend([format!("--{name}"), value.to_owned()]);
        };
        pair("package", self.package);
        pair("speed", self.speed);
        pair("json", self.netlist);
        pair("seed", &self.seed.to_string());
        pair("report", self.report);
        if let Some(lpf) = self.lpf {
            pair("lpf", lpf);
        }
        if let Some(mhz) = self.target_mhz {
            pair("freq", &mhz.to_string());
        }
        if let Some(configuration) = self.configuration {
            pair("textcfg", configuration);
        }
        if self.lpf.is_none() {
            arguments.push("--lpf-allow-unconstrained".to_owned());
        }
        // Routes of arcs that are late are given up and sought anew: 123 in place of 112 MHz for a line card that fills its part.
        arguments.push("--tmg-ripup".to_owned());
        arguments.push("--timing-allow-fail".to_owned());
        arguments
    }
}

/// What became of a netlist on its part.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Placed {
    /// Sites of lookup tables; carry chains and distributed RAM take some too.
    pub lut4: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs of 18 kbit.
    pub bram: u64,
    /// What the part has of the three.
    pub available: Available,
    /// Every clock, by name.
    pub clocks: Vec<Clock>,
}

/// What a part has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Available {
    /// Sites of lookup tables.
    pub lut4: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs of 18 kbit.
    pub bram: u64,
}

/// A clock after routing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Clock {
    /// The net.
    pub name: String,
    /// The fastest it may be.
    pub fmax_mhz: f64,
    /// What the tool worked towards.
    pub constraint_mhz: f64,
    /// The longest path between two of its registers.
    pub worst_path: Vec<PathStep>,
}

/// A step along a path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PathStep {
    /// What it takes.
    pub delay_ns: f64,
    /// `clk-to-q`, `routing`, `logic`, `setup`.
    pub what: String,
    /// Where it starts: the signal a cell drives, named as in the Verilog as far as the tools keep names.
    pub from: String,
    /// Where it ends.
    pub to: String,
}

impl Placed {
    /// Reads the report that `--report` wrote.
    ///
    /// # Errors
    /// That the file cannot be read, or what it does not hold.
    pub fn read(file: &Path, family: Family) -> Result<Placed, BuildError> {
        let text = std::fs::read_to_string(file).map_err(BuildError::io("read", file))?;
        Placed::from_json(&text, family).map_err(|problem| BuildError::Report {
            file: file.to_owned(),
            problem,
            tool: family.placer(),
        })
    }

    /// As [`Placed::read`], from the report's text; the error is what the text does not hold.
    pub fn from_json(text: &str, family: Family) -> Result<Placed, String> {
        let report: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let count = |resource: &str, what: &str| {
            let path = format!("/utilization/{resource}/{what}");
            report
                .pointer(&path)
                .and_then(Value::as_u64)
                .ok_or(format!("there is no number at {path}"))
        };
        let used = |resource: &Resource| -> Result<u64, String> {
            let sites = resource.sites.iter();
            sites
                .map(|(site, each)| Ok(each * count(site, "used")?))
                .sum()
        };
        let available = |resource: &Resource| count(resource.sites[0].0, "available");
        let [lut4, ff, bram] = family.resources();
        let clocks = report["fmax"].as_object().ok_or("there is no \"fmax\"")?;
        let mut clocks: Vec<Clock> = clocks
            .iter()
            .map(|(name, fmax)| clock(&report, name, fmax))
            .collect::<Result<_, _>>()?;
        clocks.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Placed {
            lut4: used(&lut4)?,
            ff: used(&ff)?,
            bram: used(&bram)?,
            available: Available {
                lut4: available(&lut4)?,
                ff: available(&ff)?,
                bram: available(&bram)?,
            },
            clocks,
        })
    }
}

impl Clock {
    /// Length of the longest path.
    pub fn worst_delay_ns(&self) -> f64 {
        self.worst_path.iter().map(|step| step.delay_ns).sum()
    }
}

fn clock(report: &Value, name: &str, fmax: &Value) -> Result<Clock, String> {
    let number = |key: &str| {
        fmax[key]
            .as_f64()
            .ok_or(format!("clock {name} has no {key:?}"))
    };
    Ok(Clock {
        name: name.strip_prefix("$glbnet$").unwrap_or(name).to_owned(),
        fmax_mhz: number("achieved")?,
        constraint_mhz: number("constraint")?,
        worst_path: worst_path(report, name),
    })
}

/// The longest of the reported paths from a clock to itself.
fn worst_path(report: &Value, clock: &str) -> Vec<PathStep> {
    let is_of = |edge: &Value| {
        edge.as_str()
            .and_then(|edge| edge.split_once(' '))
            .is_some_and(|(_, net)| net == clock)
    };
    let steps = |path: &Value| -> Vec<PathStep> {
        let steps = path["path"].as_array().into_iter().flatten();
        steps
            .map(|step| PathStep {
                delay_ns: step["delay"].as_f64().unwrap_or(0.0),
                what: step["type"].as_str().unwrap_or("?").to_owned(),
                from: signal(step["from"]["cell"].as_str().unwrap_or("?")),
                to: signal(step["to"]["cell"].as_str().unwrap_or("?")),
            })
            .collect()
    };
    let length = |path: &Vec<PathStep>| path.iter().map(|step| step.delay_ns).sum::<f64>();
    let paths = report["critical_paths"].as_array().into_iter().flatten();
    paths
        .filter(|path| is_of(&path["from"]) && is_of(&path["to"]))
        .map(steps)
        .max_by(|a, b| length(a).total_cmp(&length(b)))
        .unwrap_or_default()
}

/// The signal's own name, without the chain of cells that yosys names after one another.
fn signal(cell: &str) -> String {
    let end = [
        "_TRELLIS_FF",
        "_LUT",
        "_CCU2C",
        "_PFUMX",
        "_L6MUX21",
        "_DFF",
        "_ALU",
        "_MUX2_",
    ]
    .iter()
    .filter_map(|kind| cell.find(kind))
    .min();
    cell[..end.unwrap_or(cell.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{
      "critical_paths": [
        {"from": "posedge $glbnet$card_clock", "to": "posedge $glbnet$card_clock", "path": [
          {"delay": 0.5, "type": "clk-to-q", "from": {"cell": "card.filter.a_TRELLIS_FF_Q_3"}, "to": {"cell": "card.filter.a_TRELLIS_FF_Q_3"}},
          {"delay": 3.25, "type": "routing", "from": {"cell": "card.filter.a_TRELLIS_FF_Q_3"}, "to": {"cell": "card.b_LUT4_Z"}}]},
        {"from": "posedge $glbnet$card_clock", "to": "posedge $glbnet$card_clock", "path": [
          {"delay": 0.5, "type": "clk-to-q", "from": {"cell": "short"}, "to": {"cell": "short"}}]},
        {"from": "<async>", "to": "posedge $glbnet$card_clock", "path": [
          {"delay": 99.0, "type": "routing", "from": {"cell": "pin"}, "to": {"cell": "other"}}]}
      ],
      "fmax": {"$glbnet$card_clock": {"achieved": 200.5, "constraint": 131.25}, "a_clock": {"achieved": 1.5, "constraint": 12.0}},
      "utilization": {"TRELLIS_COMB": {"used": 10, "available": 20}, "TRELLIS_FF": {"used": 3, "available": 4}, "DP16KD": {"used": 1, "available": 2}}
    }"#;

    #[test]
    fn a_report_gives_area_every_clock_and_the_longest_path_between_registers() {
        let placed = Placed::from_json(REPORT, Family::Ecp5).expect("a report");
        assert_eq!((placed.lut4, placed.ff, placed.bram), (10, 3, 1));
        assert_eq!(placed.available.lut4, 20);
        let names: Vec<&str> = placed
            .clocks
            .iter()
            .map(|clock| clock.name.as_str())
            .collect();
        assert_eq!(names, ["a_clock", "card_clock"]);
        let card = &placed.clocks[1];
        assert_eq!((card.fmax_mhz, card.constraint_mhz), (200.5, 131.25));
        assert_eq!(card.worst_delay_ns(), 3.75);
        assert_eq!(card.worst_path[1].from, "card.filter.a");
        assert_eq!(card.worst_path[1].to, "card.b");
        assert!(placed.clocks[0].worst_path.is_empty());
    }

    #[test]
    fn what_a_report_lacks_is_named() {
        for (cut, named) in [
            ("\"DP16KD\"", "/utilization/DP16KD/used"),
            ("\"fmax\"", "fmax"),
            ("\"achieved\": 1.5", "clock a_clock"),
        ] {
            let text = REPORT.replace(cut, "\"other\": 0, \"gone\"");
            let text = text.replace("\"gone\",", "\"gone\": 0,");
            let problem = Placed::from_json(&text, Family::Ecp5).expect_err("something is missing");
            assert!(problem.contains(named), "{cut}: {problem}");
        }
        assert!(Placed::from_json("no JSON", Family::Ecp5).is_err());
    }
}
