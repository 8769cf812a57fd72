//! Area and clock of a filter, or of the card or packet path around it, on a Lattice ECP5, by yosys and nextpnr:
//! `cargo run --release -p bloomline-build --example place_and_route -- SPEC [--threshold N] [--seeds 1,2] [--keep FOLDER] [--device lfe5u] [--parser] [--mhz 330] [--json] [--one-round] [--netlists FOLDER]`.
//! `--one-round` maps as yosys does by itself, not as `build` does. `--netlists` keeps the netlist for runs with other seeds. `--json` prints a line a seed, for campaigns (`tests/campaigns/filters.toml`). `--parser` places the parser of a packet path of 64 bits alone; `--mhz` is the clock that nextpnr works towards: a large filter far below the usual one takes it very long.
//! A line card has pins of its own: `bloomline build`.
//!
//! A filter, card or path has more ports than a package has pins, so it is placed between registers: one shift register feeds every input,
//! one signature register takes every output. What both add to the area is printed beside the result; they add no logic
//! between the filter's registers. Nothing in the text is of a device: memories are inferred, and registers behind them move into the block RAM as in `build`.

use bloomline_build::{
    between_registers, partial, registers_around, run_nextpnr, synth_ecp5, BetweenRegisters,
    Family, Netlist, Placed, Placement, Step,
};
use bloomline_hdl::design_verilog;
use bloomline_hdl::emit::{verilog, Emitted, Options};
use bloomline_hdl::packet::{Beat, KeyLayout, PairParser};
use bloomline_language::wires::prelude::Block as _;
use bloomline_spec::ports::Direction;
use bloomline_spec::{Common, FilterSpec, Threshold};
use bloomline_toolchain::run_yosys_script;
use bloomline_toolchain::{Program, Toolchain};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const NETLIST: &str = "netlist.json";
/// Clock that nextpnr works towards unless told, in MHz: above what any of them reaches, since the placer stops trying where its target is met.
const TARGET_MHZ: f64 = 330.0;
/// Name of a device and nextpnr's option for it; both in their fastest grade, 8. LFE5U has a lower core voltage and is slower.
const DEVICES: [(&str, &str, &str); 2] = [
    ("lfe5um5g", "LFE5UM5G-45F-8", "um5g-45k"),
    ("lfe5u", "LFE5U-45F-8", "45k"),
];

struct Arguments {
    spec: PathBuf,
    threshold: Option<u64>,
    seeds: Vec<u64>,
    keep: Option<PathBuf>,
    netlists: Option<PathBuf>,
    parser: bool,
    mhz: f64,
    json: bool,
    one_round: bool,
    device: (&'static str, &'static str, &'static str),
}

impl Arguments {
    fn parse() -> Result<Self, Box<dyn Error>> {
        const USAGE: &str =
            "usage: place_and_route SPEC [--threshold N] [--seeds 1,2] [--keep FOLDER] [--device lfe5u] [--parser] [--mhz 330] [--json] [--one-round] [--netlists FOLDER]";
        let mut arguments = std::env::args().skip(1);
        let (mut spec, mut threshold, mut seeds) = (None, None, vec![1]);
        let (mut keep, mut netlists) = (None, None);
        let mut device = DEVICES[0];
        let (mut parser, mut mhz) = (false, TARGET_MHZ);
        let (mut json, mut one_round) = (false, false);
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
                "--netlists" => netlists = Some(PathBuf::from(value()?)),
                "--keep" => keep = Some(PathBuf::from(value()?)),
                "--parser" => parser = true,
                "--json" => json = true,
                "--one-round" => one_round = true,
                "--mhz" => mhz = value()?.parse()?,
                "--device" => {
                    let name = value()?;
                    device = *DEVICES
                        .iter()
                        .find(|device| device.0 == name)
                        .ok_or(format!("no device {name:?}, only lfe5um5g and lfe5u"))?;
                }
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
            netlists,
            parser,
            mhz,
            json,
            one_round,
            device,
        })
    }

    /// The filter's text, and what all kinds have.
    fn filter(&self) -> Result<(Emitted, Common), Box<dyn Error>> {
        let mut spec = FilterSpec::load(&self.spec)?;
        if let (Some(value), Some(recycle)) = (self.threshold, &mut spec.filter.recycle) {
            recycle.threshold = Threshold::Fixed(value);
        }
        let design = spec.design_with(|_, _| -> Result<u64, Box<dyn Error>> {
            Err("the threshold is \"auto\": give a number with --threshold".into())
        })?;
        Ok((design_verilog(&design, "")?, design.common().clone()))
    }
}

/// The parser of a path of 64 bits, and what stands around it.
fn parser(common: &Common) -> Result<(Emitted, BetweenRegisters), Box<dyn Error>> {
    let packet = common
        .packet()
        .filter(|packet| packet.beat_bytes() == 8)
        .ok_or("--parser needs a specification with [packet] and data_bits = 64")?;
    let layout = KeyLayout::of(common.key_format().packet_source());
    let mut block = PairParser::new(Beat::of(&packet), &layout);
    block.connect_all();
    let emitted = verilog(&block, "pair_parser", &Options::default())?;
    let text = emitted.text();
    let wrapper = registers_around("pair_parser", ports(&text, "pair_parser"));
    Ok((emitted, wrapper))
}

/// Ports of a module in emitted text, a line each, without its clock: name, bits, direction.
fn ports<'t>(text: &'t str, module: &str) -> Vec<(&'t str, usize, Direction)> {
    let opening = format!("module {module} (");
    text.lines()
        .skip_while(|line| *line != opening)
        .skip(1)
        .take_while(|line| *line != ");")
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let direction = match words.next()? {
                "input" => Direction::Input,
                _ => Direction::Output,
            };
            let kind = words.next()?;
            debug_assert!(kind == "wire" || kind == "reg", "{line}");
            let word = words.next()?;
            let range = word.strip_prefix('[').and_then(|r| r.split_once(':'));
            let (width, name) = match range {
                Some((high, _)) => (high.parse::<usize>().ok()? + 1, words.next()?),
                None => (1, word),
            };
            Some((name.trim_end_matches(','), width, direction))
        })
        .filter(|port| port.0 != "clock")
        .collect()
}

/// Steps of the critical path below this many nanoseconds are left out: the links of a carry chain.
const SHOWN_NS: f64 = 0.1;

/// An error is exit code 2: to a campaign 1 is a check that failed.
fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse()?;
    let (filter, common) = arguments.filter()?;
    if common.line_card().is_some() {
        return Err("a line card has pins of its own: bloomline build SPEC --board NAME".into());
    }
    let toolchain = Toolchain::discover()?;
    for program in [Program::Yosys, Program::NextpnrEcp5] {
        toolchain.find_or_install(program, &|progress| eprintln!("{progress}"))?;
    }
    let scratch = tempfile::tempdir()?;
    let folder: &Path = arguments.keep.as_deref().unwrap_or(scratch.path());
    std::fs::create_dir_all(folder)?;

    let (filter, wrapper) = match arguments.parser {
        true => parser(&common)?,
        false => (filter, between_registers(&common)),
    };
    let file = format!("{}.v", common.name());
    std::fs::write(folder.join(&file), filter.text())?;
    std::fs::write(folder.join("between_registers.v"), wrapper.text)?;
    let script = format!(
        "read_verilog {file} between_registers.v; {} -top between_registers -json {}",
        match arguments.one_round {
            true => "synth_ecp5".to_owned(),
            false => synth_ecp5(Some(arguments.mhz)),
        },
        partial(NETLIST)
    );
    let yosys = toolchain.find(Program::Yosys)?;
    Step {
        name: "yosys",
        folder,
        depends: &[toolchain.version(&yosys)?, script.clone()],
        inputs: &[&file, "between_registers.v"],
        outputs: &[NETLIST],
        kept: arguments.netlists.as_deref(),
    }
    .run(|| {
        run_yosys_script(&toolchain, folder, &script)?;
        Netlist::settle(&folder.join(partial(NETLIST)))?;
        Ok(())
    })?;
    let heading = format!(
        "{}: {}, target {} MHz; the registers around the filter add {} FF and {} LUT4 to what follows",
        common.name(),
        arguments.device.1,
        arguments.mhz,
        wrapper.added_ff,
        wrapper.added_lut4
    );
    if !arguments.json {
        println!("{heading}");
    }
    for seed in &arguments.seeds {
        let report_file = format!("report-{seed}.json");
        run_nextpnr(
            &toolchain,
            folder,
            &Placement {
                device: arguments.device.2,
                package: "CABGA381",
                speed: "8",
                netlist: NETLIST,
                lpf: None,
                target_mhz: Some(arguments.mhz),
                seed: *seed,
                report: &report_file,
                configuration: None,
            },
        )?;
        let placed = Placed::read(&folder.join(report_file), Family::Ecp5)?;
        let clock = placed.clocks.first().ok_or("the report has no clock")?;
        if arguments.json {
            let row = serde_json::json!({
                "clock_mhz": clock.fmax_mhz,
                "lut4_sites": placed.lut4,
                "ff": placed.ff,
                "dp16kd": placed.bram,
            });
            println!("{row}");
            continue;
        }
        println!(
            "seed {seed}: {:.1} MHz ({}), {} LUT4 sites (carry and distributed RAM included), FF {}, DP16KD {}",
            clock.fmax_mhz, clock.name, placed.lut4, placed.ff, placed.bram,
        );
        let steps = clock.worst_path.iter();
        for step in steps.filter(|step| step.delay_ns >= SHOWN_NS) {
            println!(
                "  {:6.2} ns {:<9} {} -> {}",
                step.delay_ns, step.what, step.from, step.to
            );
        }
    }
    Ok(())
}
