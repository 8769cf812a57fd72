//! Area and clock of a filter on a Lattice ECP5, by yosys and nextpnr:
//! `cargo run --release -p bloomline-bench --example place_and_route -- SPEC [--threshold N] [--seeds 1,2] [--keep FOLDER] [--device lfe5u] [--ecp5-memory]`.
//!
//! A filter has more ports than a package has pins, so it is placed between registers: one shift register feeds every input,
//! one signature register takes every output. What both add to the area is printed beside the result; they add no logic
//! between the filter's registers. Memories are inferred from the plain text, nothing is device-specific, unless
//! `--ecp5-memory` puts the memory with the block RAM's output register in the place of the inferred one.

use bloomline_bench::filter::design;
use bloomline_bench::toolchain::{Program, Toolchain};
use bloomline_bench::verilator::{run_yosys_script, Direction};
use bloomline_hdl::bank::ecp5_bank_memory;
use bloomline_hdl::emit::Emitted;
use bloomline_hdl::{cell_verilog, filter_verilog, sliding_verilog};
use bloomline_spec::{Common, FilterSpec, ThresholdSetting, Validated};
use serde_json::Value;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Clock that nextpnr works towards, in MHz: above the 250 MHz that are asked of the filter, since the placer stops trying where its target is met.
const TARGET_MHZ: &str = "270";
/// Name of a device and nextpnr's option for it; both in their fastest grade, 8. LFE5U has a lower core voltage and is slower.
const DEVICES: [(&str, &str, &str); 2] = [
    ("lfe5um5g", "LFE5UM5G-45F-8", "--um5g-45k"),
    ("lfe5u", "LFE5U-45F-8", "--45k"),
];

struct Arguments {
    spec: PathBuf,
    threshold: Option<u64>,
    seeds: Vec<u64>,
    keep: Option<PathBuf>,
    device: (&'static str, &'static str, &'static str),
    ecp5_memory: bool,
}

impl Arguments {
    fn parse() -> Result<Self, Box<dyn Error>> {
        const USAGE: &str =
            "usage: place_and_route SPEC [--threshold N] [--seeds 1,2] [--keep FOLDER] [--device lfe5u] [--ecp5-memory]";
        let mut arguments = std::env::args().skip(1);
        let (mut spec, mut threshold, mut seeds, mut keep) = (None, None, vec![1], None);
        let (mut device, mut ecp5_memory) = (DEVICES[0], false);
        while let Some(argument) = arguments.next() {
            let mut value = || {
                arguments
                    .next()
                    .ok_or(format!("{argument} needs a value; {USAGE}"))
            };
            match argument.as_str() {
                "--threshold" => threshold = Some(value()?.parse()?),
                "--seeds" => {
                    seeds = value()?
                        .split(',')
                        .map(str::parse)
                        .collect::<Result<_, _>>()?
                }
                "--keep" => keep = Some(PathBuf::from(value()?)),
                "--device" => {
                    let name = value()?;
                    device = *DEVICES
                        .iter()
                        .find(|device| device.0 == name)
                        .ok_or(format!("no device {name:?}, only lfe5um5g and lfe5u"))?;
                }
                "--ecp5-memory" => ecp5_memory = true,
                _ if spec.is_none() && !argument.starts_with('-') => {
                    spec = Some(PathBuf::from(&argument))
                }
                _ => return Err(format!("{argument:?} is not understood; {USAGE}").into()),
            }
        }
        Ok(Self {
            spec: spec.ok_or(USAGE)?,
            threshold,
            seeds,
            keep,
            device,
            ecp5_memory,
        })
    }

    /// The filter's text, what all kinds have, and the words of a bank.
    fn filter(&self) -> Result<(Emitted, Common, u64), Box<dyn Error>> {
        let sizing = match FilterSpec::load(&self.spec)?.resolve()? {
            Validated::Recycling(sizing) => sizing,
            Validated::Cells(cells) => {
                let words = cells.words_per_bank();
                return Ok((cell_verilog(&cells, "")?, Common::clone(&cells), words));
            }
            // its tables are no banks: there is no memory to put in their place
            Validated::Sliding(window) => {
                return Ok((sliding_verilog(&window, "")?, Common::clone(&window), 0));
            }
        };
        let threshold = match (self.threshold, sizing.threshold_setting()) {
            (Some(value), _) | (None, ThresholdSetting::Fixed(value)) => value,
            (None, ThresholdSetting::Auto { .. }) => {
                return Err("the threshold is \"auto\": give a number with --threshold".into())
            }
        };
        let geometry = sizing.with_threshold(threshold)?;
        let words = geometry.words_per_bank();
        Ok((
            filter_verilog(&geometry, "")?,
            Common::clone(&geometry),
            words,
        ))
    }
}

/// The filter between registers, and how many bits go in and out.
fn between_registers(common: &Common) -> (String, usize, usize) {
    let design = design(common, Vec::new());
    let mut connections = vec!["    .clock (clock)".to_string()];
    let (mut inputs, mut outputs) = (0, 0);
    for port in &design.ports {
        let (register, at) = match port.direction {
            Direction::Input => ("feed", &mut inputs),
            Direction::Output => ("answer", &mut outputs),
        };
        connections.push(format!(
            "    .{} ({register}[{}:{at}])",
            port.name,
            *at + port.width - 1
        ));
        *at += port.width;
    }
    let text = format!(
        "module between_registers (input wire clock, input wire si, output wire so);
  reg  [{i}:0] feed;
  wire [{o}:0] answer;
  reg  [{o}:0] taken, signature;
  always @(posedge clock) begin
    feed <= {{feed[{i_less}:0], si}};
    taken <= answer;
    signature <= {{signature[{o_less}:0], 1'b0}} ^ taken;
  end
  assign so = signature[{o}];
  {} filter (
{}
  );
endmodule
",
        common.name(),
        connections.join(",\n"),
        i = inputs - 1,
        o = outputs - 1,
        i_less = inputs - 2,
        o_less = outputs - 2,
    );
    (text, inputs, outputs)
}

/// `report[path]` as a number.
fn number(report: &Value, path: &str) -> Result<f64, String> {
    report
        .pointer(path)
        .and_then(Value::as_f64)
        .ok_or_else(|| format!("nextpnr's report has no number at {path}"))
}

/// Steps of the critical path below this many nanoseconds are left out: the links of a carry chain.
const SHOWN_NS: f64 = 0.1;

/// The signal's own name, without the chain of cells that yosys names after one another.
fn short(cell: &str) -> &str {
    let end = ["_TRELLIS_FF", "_LUT4", "_CCU2C", "_PFUMX", "_L6MUX21"]
        .iter()
        .filter_map(|kind| cell.find(kind))
        .min();
    &cell[..end.unwrap_or(cell.len())]
}

/// The longest path between registers: `(delay in ns, what, from, to)` a step.
fn critical_path(report: &Value) -> Vec<(f64, String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("?").to_string();
    let paths = report["critical_paths"].as_array().into_iter().flatten();
    let clocked = paths.filter(|path| path["from"] == path["to"] && path["from"] != "<async>");
    let steps = |path: &Value| -> Vec<(f64, String, String, String)> {
        let steps = path["path"].as_array().into_iter().flatten();
        steps
            .map(|step| {
                (
                    step["delay"].as_f64().unwrap_or(0.0),
                    text(&step["type"]),
                    text(&step["from"]["cell"]),
                    text(&step["to"]["cell"]),
                )
            })
            .collect()
    };
    clocked
        .map(steps)
        .max_by(|a, b| {
            let total = |path: &[(f64, String, String, String)]| path.iter().map(|s| s.0).sum();
            f64::total_cmp(&total(a), &total(b))
        })
        .unwrap_or_default()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse()?;
    let (filter, common, words) = arguments.filter()?;
    let toolchain = Toolchain::discover()?;
    for program in [Program::Yosys, Program::NextpnrEcp5] {
        toolchain.find_or_install(program, &|progress| eprintln!("{progress}"))?;
    }
    let scratch = tempfile::tempdir()?;
    let folder: &Path = arguments.keep.as_deref().unwrap_or(scratch.path());
    std::fs::create_dir_all(folder)?;

    let (wrapper, inputs, outputs) = between_registers(&common);
    let file = format!("{}.v", common.name());
    std::fs::write(folder.join(&file), filter.text())?;
    std::fs::write(folder.join("between_registers.v"), wrapper)?;
    let mut read = format!("read_verilog {file} between_registers.v");
    if arguments.ecp5_memory {
        let memory = ecp5_bank_memory(words as usize)
            .ok_or(format!("there is no ECP5 memory of {words} words a bank"))?;
        std::fs::write(folder.join("ecp5_bank_memory.v"), memory)?;
        read += "; read_verilog -overwrite ecp5_bank_memory.v";
    }
    run_yosys_script(
        &toolchain,
        folder,
        &format!("{read}; synth_ecp5 -top between_registers -json netlist.json"),
    )?;
    println!(
        "{}: {}, target {TARGET_MHZ} MHz; the registers around the filter add {} FF and {} LUT4 to what follows",
        common.name(),
        arguments.device.1,
        inputs + 2 * outputs,
        outputs - 1
    );
    for seed in &arguments.seeds {
        let report_file = format!("report-{seed}.json");
        toolchain.run(Program::NextpnrEcp5, |command| {
            command.current_dir(folder).args([
                arguments.device.2,
                "--package",
                "CABGA381",
                "--speed",
                "8",
                "--json",
                "netlist.json",
                "--freq",
                TARGET_MHZ,
                "--lpf-allow-unconstrained",
                "--timing-allow-fail",
                "--seed",
                &seed.to_string(),
                "--report",
                &report_file,
            ]);
        })?;
        let report: Value =
            serde_json::from_str(&std::fs::read_to_string(folder.join(report_file))?)?;
        let (clock, fmax) = report["fmax"]
            .as_object()
            .and_then(|clocks| clocks.iter().next())
            .ok_or("nextpnr's report has no clock")?;
        println!(
            "seed {seed}: {:.1} MHz ({clock}), {} LUT4 sites (carry and distributed RAM included), FF {}, DP16KD {}",
            number(fmax, "/achieved")?,
            number(&report, "/utilization/TRELLIS_COMB/used")?,
            number(&report, "/utilization/TRELLIS_FF/used")?,
            number(&report, "/utilization/DP16KD/used")?,
        );
        let path = critical_path(&report);
        for (delay, what, from, to) in path.iter().filter(|step| step.0 >= SHOWN_NS) {
            println!(
                "  {delay:6.2} ns {what:<9} {} -> {}",
                short(from),
                short(to)
            );
        }
    }
    Ok(())
}
