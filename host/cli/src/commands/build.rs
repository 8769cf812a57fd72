mod opennic;
mod vendor;

use super::program;

use crate::activity::{Activity, Installing};
use crate::output::{wrapped, Ending, Output};
use crate::tools_folder::toolchain;
use anyhow::Context;
use bloomline_build::{
    board_top, build, linecard_top, write_document, Board, BuildError, BuildRequest, BuildSummary,
    Clock, Event, KnownBoard, Port,
};
use bloomline_spec::{CardSection, Common, FilterSpec, Ports, TargetSection, LINECARD_CLOCK_HZ};
use bloomline_toolkit::package::Package;
use bloomline_toolkit::Filter;
use comfy_table::{presets, Table};
use serde::Serialize;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Arguments of `build`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification (TOML)
    spec: PathBuf,
    /// Board, by its name or by the path of a board.toml of your own
    #[arg(
        long,
        value_name = "NAME",
        required_unless_present = "flow",
        conflicts_with = "flow"
    )]
    board: Option<String>,
    /// Vendor's tool, for which a project script is written; the tool is not run
    #[arg(long, value_name = "TOOL", requires = "part")]
    flow: Option<vendor::Flow>,
    /// Folder to build in; results of an earlier build are used where nothing has changed [default: out/NAME_BOARD]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Which of the board's parts, where it has several: u280 or u55c of opennic-250 [default: the first]; with --flow a part number
    #[arg(long, value_name = "NAME")]
    part: Option<String>,
    /// Seed of the placer; a board whose bitstream another tool makes needs none
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::numbers::placer_seed)]
    seed: u64,
    /// Folder where netlists are kept, so that builds that differ by their seeds alone synthesise once; a board whose bitstream another tool makes keeps none
    #[arg(long, value_name = "DIR", conflicts_with = "flow")]
    netlists: Option<PathBuf>,
}

/// The result, as `--json` prints it and `build.json` keeps it.
#[derive(Serialize)]
struct Report {
    name: String,
    top: String,
    out: PathBuf,
    /// The specification with what the board added.
    specification: String,
    #[serde(flatten)]
    built: BuildSummary,
    /// How a host reaches the filter.
    host: String,
    /// What the filter's item stream is connected to.
    item_stream: &'static str,
    notes: Vec<String>,
    warnings: Vec<String>,
    /// Arguments with which openFPGALoader reaches the board; none where the board's file says nothing.
    openfpgaloader: Vec<String>,
}

const NO_ITEM_STREAM: &str = "tied off: items come over the host's item port alone";
const PORT_ITEM_STREAM: &str =
    "frames between the first two PHYs: what comes in at one goes out at the other";
/// Steps of a path below this many nanoseconds are left out: the links of a carry chain.
const SHOWN_NS: f64 = 0.1;

impl Cmd {
    /// Emits the filter and what stands around it on the board, then runs every step that something has changed for.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        if let (Some(flow), Some(part)) = (self.flow, self.part.as_deref()) {
            return vendor::run(flow, &self.spec, self.out, part, output);
        }
        match KnownBoard::load(self.board.as_deref().unwrap_or_default())? {
            KnownBoard::Fpga(board) => self.bitstream(&board, output),
            KnownBoard::OpenNic(board) => {
                opennic::run(&board, &self.spec, self.out, self.part.as_deref(), output)
            }
        }
    }

    fn bitstream(self, board: &Board, output: Output) -> anyhow::Result<Ending> {
        if let Some(name) = self.part.filter(|name| *name != board.part.name) {
            return Err(BuildError::UnknownPart {
                board: board.name.clone(),
                name,
                known: vec![board.part.name.clone()],
            }
            .into());
        }
        let mut spec = FilterSpec::load(&self.spec)?;
        let notes = complete(&mut spec, board);
        let filter = Filter::from_text(&self.spec, spec.to_toml())?;
        announce(&filter, &notes);
        let common = filter.design();
        let package = filter.emit()?;
        let specification = format!("{}.toml", spec.name);
        let (verilog, documents) = emission(&package, &specification, &spec)?;
        let Around {
            top,
            ports,
            sources,
            item_stream,
        } = around(board, common, &package, verilog)?;
        let out = self.out.unwrap_or_else(|| Path::new("out").join(&top));
        let toolchain = toolchain()?;
        let request = BuildRequest {
            board,
            top: &top,
            ports: &ports,
            sources: &sources,
            documents: &documents,
            clock_hz: common.clock_hz(),
            memory_bits: spec.filter.memory_bits,
            out: &out,
            netlists: self.netlists.as_deref(),
            seed: self.seed,
        };
        let progress = Progress::default();
        let built = build(&toolchain, &request, &|event| progress.show(event))?;
        let report = Report {
            name: spec.name.clone(),
            top,
            specification,
            built,
            host: host_text(common),
            item_stream,
            notes,
            warnings: filter.warnings().to_vec(),
            openfpgaloader: board.openfpgaloader.clone(),
            out,
        };
        let summary = serde_json::to_string_pretty(&report)
            .context("the summary cannot be written as JSON")?;
        write_document(&report.out, program::SUMMARY, &format!("{summary}\n"))?;
        output.result(&report, || page(&report))?;
        Ok(match report.built.timing_met {
            true => Ending::Good,
            false => {
                note!("{}", failure(&report.built));
                Ending::CheckFailed
            }
        })
    }
}

/// Adds what the board needs and the specification does not say; says what it was.
fn complete(spec: &mut FilterSpec, board: &Board) -> Vec<String> {
    let mut notes = Vec::new();
    let defaults = &board.card;
    if spec.target.is_none() {
        let of_ports = spec
            .packet
            .as_ref()
            .is_some_and(|packet| packet.ports == Ports::Rgmii);
        let (clock_hz, from) = match of_ports {
            true => (LINECARD_CLOCK_HZ, "that of gigabit Ethernet"),
            false => (defaults.clock_hz, "from the board"),
        };
        spec.target = Some(TargetSection {
            clock_hz,
            ..TargetSection::default()
        });
        notes.push(format!("target.clock_hz is not given: {clock_hz}, {from}"));
    }
    let card = spec.card.get_or_insert(CardSection { uart_baud: None });
    if card.uart_baud.is_none() {
        card.uart_baud = Some(defaults.uart_baud);
        notes.push(format!(
            "card.uart_baud is not given: {}, from the board",
            defaults.uart_baud
        ));
    }
    notes
}

/// What the specification is warned of and what the board has added to it, on stderr.
fn announce(filter: &Filter, notes: &[String]) {
    for warning in filter.warnings() {
        note!("warning: {warning}");
    }
    for note in notes {
        note!("note: {note}");
    }
}

/// What stands around a filter on a board.
struct Around {
    top: String,
    ports: Vec<Port>,
    sources: Vec<Text>,
    /// What the filter's item stream is connected to.
    item_stream: &'static str,
}

/// The top module of a card, or of a line card where the specification has a packet path.
///
/// # Errors
/// That the board cannot have it.
fn around(
    board: &Board,
    common: &Common,
    package: &Package,
    verilog: Text,
) -> anyhow::Result<Around> {
    if common.packet().is_some() {
        let made = linecard_top(board, common, package.verilog())?;
        return Ok(Around {
            top: made.name,
            ports: board.line_card_ports(),
            sources: made.sources,
            item_stream: PORT_ITEM_STREAM,
        });
    }
    let pll = board.pll_setting(common.clock_hz())?;
    let (top, text) = board_top(board, common, &pll);
    Ok(Around {
        ports: board.card_ports(),
        sources: vec![verilog, (format!("{top}.v"), text)],
        top,
        item_stream: NO_ITEM_STREAM,
    })
}

/// How a host reaches the registers.
fn host_text(common: &Common) -> String {
    let mut text = match common.card().and_then(|card| card.uart) {
        Some(uart) => format!("uartbone at {} baud on the board's UART", uart.baud),
        None => "nothing".to_owned(),
    };
    if let Some(host) = common.packet().and_then(|packet| packet.host()) {
        let ([a, b, c, d], udp_port) = (host.address.ip, host.address.udp_port);
        text += &format!(
            ", and Etherbone at {a}.{b}.{c}.{d}:{udp_port} on the network of PHY {}",
            host.port
        );
    }
    text
}

/// File name and text.
type Text = (String, String);

/// The Verilog of a filter, and what else goes into the folder, the completed specification among it.
fn emission(
    package: &Package,
    specification: &str,
    spec: &FilterSpec,
) -> anyhow::Result<(Text, Vec<Text>)> {
    let mut files = package
        .files()
        .iter()
        .map(|file| (file.name.clone(), file.text.clone()));
    let verilog = files
        .next()
        .context("an emission starts with its Verilog")?;
    let mut documents: Vec<Text> = files.collect();
    documents.push((specification.to_owned(), spec.to_toml()));
    Ok((verilog, documents))
}

/// Steps of a build on stderr.
#[derive(Default)]
struct Progress {
    installing: Installing,
    step: RefCell<Option<Activity>>,
}

impl Progress {
    fn show(&self, event: &Event) {
        match event {
            Event::Install(progress) => self.installing.show(progress),
            Event::Begin(what) => {
                let activity = Activity::begin(*what);
                *self.step.borrow_mut() = Some(activity);
            }
            Event::Done => self.end(Activity::seconds),
            Event::Unchanged => self.end(|_| "nothing has changed".to_owned()),
        }
    }

    fn end(&self, how: impl FnOnce(&Activity) -> String) {
        let step = self.step.borrow_mut().take();
        if let Some(activity) = step {
            let how = how(&activity);
            activity.end(&how);
        }
    }
}

/// Rows that say how many of a part's resources are taken, `(resource, taken, available)`, and their share with so many decimals.
fn add_resources(table: &mut Table, decimals: usize, resources: [(&str, u64, u64); 3]) {
    for (what, taken, of) in resources {
        let percent = 100.0 * taken as f64 / of.max(1) as f64;
        table.add_row([
            what.to_owned(),
            taken.to_string(),
            format!("of {of}, {percent:.decimals$} %"),
        ]);
    }
}

fn page(report: &Report) -> String {
    let built = &report.built;
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    for clock in &built.clocks {
        table.add_row([
            clock.name.clone(),
            format!("{:.1} MHz", clock.fmax_mhz),
            match clock.name.as_str() {
                "card_clock" => format!(
                    "{} {} MHz; placed for {:.2} MHz",
                    if built.timing_met {
                        "reaches"
                    } else {
                        "MISSES"
                    },
                    built.target_mhz,
                    built.constraint_mhz
                ),
                _ => format!("placed for {:.2} MHz", clock.constraint_mhz),
            },
        ]);
    }
    let available = &built.available;
    let resources = [
        ("LUT4 sites", built.lut4, available.lut4),
        ("FF", built.ff, available.ff),
        ("block RAMs", built.bram, available.bram),
    ];
    add_resources(&mut table, 0, resources);
    let mut text = format!(
        "{} on {}, {}, seed {}\n{}\nbitstream: {}\nhost: {}\nitem stream: {}\n",
        report.name,
        built.board,
        built.part,
        built.seed,
        table.trim_fmt(),
        built.bitstream.display(),
        report.host,
        report.item_stream,
    );
    for note in &report.notes {
        text += &format!("note: {note}\n");
    }
    text = wrapped(&text);
    // A line to be copied is not broken.
    text += &match report.openfpgaloader.as_slice() {
        [] => "program the board: with its own tool; its board.toml has no key openfpgaloader\n"
            .to_owned(),
        arguments => format!(
            "program the board: {}\n            or: bloomline program {}\n",
            program::line(arguments, &built.bitstream),
            report.out.display()
        ),
    };
    text
}

/// Which clocks are too slow, and the worst path of each.
fn failure(built: &BuildSummary) -> String {
    let mut text = String::new();
    let wanted = |clock: &Clock| match clock.name.as_str() {
        "card_clock" => built.target_mhz,
        _ => clock.constraint_mhz,
    };
    for clock in &built.clocks {
        if clock.fmax_mhz >= wanted(clock) {
            continue;
        }
        let path = &clock.worst_path;
        let (from, to) = (path.first(), path.last());
        text += &format!(
            "timing not met: {} reaches {:.1} of {:.1} MHz; worst path {:.2} ns from {} to {}:\n",
            clock.name,
            clock.fmax_mhz,
            wanted(clock),
            clock.worst_delay_ns(),
            from.map_or("?", |step| &step.from),
            to.map_or("?", |step| &step.to),
        );
        for step in path.iter().filter(|step| step.delay_ns >= SHOWN_NS) {
            text += &format!(
                "  {:6.2} ns {:<9} {} -> {}\n",
                step.delay_ns, step.what, step.from, step.to
            );
        }
    }
    text + "try another --seed, or a lower target.clock_hz"
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_build::{Available, PathStep};

    fn built(fmax_mhz: f64) -> BuildSummary {
        let step = |delay_ns, from: &str, to: &str| PathStep {
            delay_ns,
            what: "routing".into(),
            from: from.into(),
            to: to.into(),
        };
        let clock = |name: &str, fmax_mhz, constraint_mhz| Clock {
            name: name.into(),
            fmax_mhz,
            constraint_mhz,
            worst_path: vec![
                step(8.5, "bank.address", "chain"),
                step(0.01, "chain", "verdict"),
            ],
        };
        BuildSummary {
            board: "b".into(),
            part: "p".into(),
            timing_met: fmax_mhz >= 125.0,
            fmax_mhz,
            target_mhz: 125.0,
            constraint_mhz: 131.25,
            lut4: 1,
            ff: 1,
            bram: 1,
            available: Available {
                lut4: 2,
                ff: 2,
                bram: 2,
            },
            bitstream: "x.bit".into(),
            clocks: vec![
                clock("card_clock", fmax_mhz, 131.25),
                clock("rx_clock", 200.0, 125.0),
            ],
            seed: 1,
            steps: Vec::new(),
        }
    }

    #[test]
    fn a_missed_clock_is_named_with_its_worst_path_and_a_met_one_is_not() {
        let text = failure(&built(117.51));
        let first = "timing not met: card_clock reaches 117.5 of 125.0 MHz; worst path 8.51 ns from bank.address to verdict:";
        assert!(text.starts_with(first), "{text}");
        assert!(text.contains("8.50 ns routing"), "{text}");
        assert!(!text.contains("0.01 ns"), "{text}");
        assert!(!text.contains("rx_clock"), "{text}");
        // between the target and the target with its margin nothing is missed
        assert!(!failure(&built(126.0)).contains("not met"));
    }
}
