mod frames;
mod waves;

use crate::numbers;
use crate::output::{Ending, Output};
use crate::table;
use crate::tools_folder::toolchain;
use crate::written_file::{may_write, Format};
use bloomline_spec::{Design, FilterKind};
use bloomline_toolchain::Program;
use bloomline_toolkit::forecast::whole;
use bloomline_toolkit::Filter;
use bloomline_verify::stats::Verdict;
use bloomline_verify::{Keys, Plan, Simulator, Verification, Watch};
use indicatif::{ProgressBar, ProgressStyle};
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A verdict is \"agrees\", \"differs\" (exit code 1), \"too little evidence\" or \"does not apply\", each with its reason."
)]
pub struct Cmd {
    /// Specification (TOML)
    spec: PathBuf,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    frames: frames::Frames,
    /// At most so many items, or frames of each capture [default: a file's all; drawn keys 1,000,000]
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    items: Option<u64>,
    /// Seed of drawn keys and start values
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::numbers::whole)]
    seed: u64,
    /// What runs the gateware [default: built-in up to 4,000,000 clock cycles, of frames through a packet path or line card up to 1,000,000, below which compiling for Verilator takes longer than it saves, and for --lanes; else verilator where it is installed]
    #[arg(long, value_enum)]
    simulator: Option<Choice>,
    /// Folder for the HTML report and the JSON
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    #[command(flatten)]
    waves: waves::Waves,
    /// Independent filters at once in the built-in simulator, each with its share of the items and drawn keys of its own, every output of each checked on every clock: 64, 128, 256 or 512
    #[arg(long, value_name = "N", conflicts_with_all = ["waves", "pcap", "keys"])]
    lanes: Option<usize>,
    /// Exit with 1 also where there is too little evidence, for continuous integration
    #[arg(long)]
    require_conclusive: bool,
}

/// Keys; none: random new ones, which the model test of the rate needs.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct Source {
    /// Packets of a capture (pcap or pcapng, plain or gzip): their keys through the filter; of a packet path or line card its frames through all of it, from stream to stream or pins to pins
    #[arg(long, value_name = "FILE")]
    pcap: Option<PathBuf>,
    /// A column of a table, by the name in its first line or by its position (trace.csv:#1)
    #[arg(long, value_name = "FILE:COLUMN")]
    keys: Option<String>,
    /// A Zipf popularity law with this exponent
    #[arg(long, value_name = "EXPONENT")]
    zipf: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Choice {
    /// The emitted Verilog in Verilator, the pinned one
    Verilator,
    /// The emitted Verilog in the Verilator on PATH, from 5.006 on: results are known to hold with the pinned one
    VerilatorOnPath,
    /// The emitted Verilog in the built-in simulator; begins at once, needs nothing but Rust
    #[value(alias = "native")]
    BuiltIn,
    /// The built-in simulator compiled to machine code; for a command that was built with `--features jit`
    Jit,
}

/// Items of a run on drawn keys.
const DRAWN_ITEMS: u64 = 1_000_000;
/// Clock cycles up to which the built-in simulator ends sooner than Verilator with its compiling: of `onehit` 8 s of processor time to
/// compile, then 2.0 us a clock beside 3.6 us, so 4.8 million (`hdl/docs/command.md`), rounded down.
const BUILT_IN_CLOCKS: u64 = 4_000_000;
/// Bytes of the shortest record of a file.
const LEAST_RECORD_BYTES: u64 = 16;

impl Source {
    fn keys(&self) -> anyhow::Result<Keys> {
        Ok(match (&self.pcap, &self.keys, self.zipf) {
            (Some(file), _, _) => Keys::Capture(file.clone()),
            (_, Some(text), _) => {
                let (file, column) = table::column("--keys", text)?;
                Keys::Column { file, column }
            }
            (_, _, Some(exponent)) => Keys::Zipf { exponent },
            _ => Keys::RandomNew,
        })
    }
}

impl Cmd {
    /// Runs the gateware on the keys, prints what was found, writes the report.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let filter = Filter::read(&self.spec)?;
        for warning in filter.warnings() {
            note!("warning: {warning}");
        }
        if self.frames.are_sent(&filter, &self)? {
            let result = frames::verify(&filter, &self)?;
            output.result(&result, || frames::as_text(&result))?;
            frames::write(&filter, &self, &result)?;
            return Ok(ending(result.verdict));
        }
        let keys = self.source.keys()?;
        let source = match &keys {
            Keys::Capture(file) | Keys::Column { file, .. } => Some(file.clone()),
            Keys::RandomNew | Keys::Zipf { .. } => None,
        };
        let inputs: Vec<&Path> = [Some(&self.spec), source.as_ref()]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path)
            .collect();
        let file_bytes = source.as_deref().map(file_bytes);
        let items = self.items.unwrap_or(match file_bytes {
            Some(_) => u64::MAX,
            None => DRAWN_ITEMS,
        });
        if keys == Keys::RandomNew {
            for text in drawn_keys(filter.design(), items) {
                note!("note: {text}");
            }
        }
        // A file has no more items than it has room for.
        let most = file_bytes.map_or(items, |bytes| items.min(bytes / LEAST_RECORD_BYTES));
        let interval = filter.design().timing().initiation_interval;
        let clocks = most.saturating_mul(interval.into());
        let simulator = self.simulator(clocks, BUILT_IN_CLOCKS)?;
        if let Some(folder) = &self.report {
            // Known before the time is spent; whether it can be written shows at the end, when the result is printed.
            let there = folder.ancestors().find(|path| path.exists());
            if let Some(file) = there.filter(|path| !path.is_dir()) {
                anyhow::bail!(
                    "--report {}: {} is no folder; name another",
                    folder.display(),
                    file.display()
                );
            }
            may_write_report("--report", &filter, folder, &inputs)?;
        }
        let waves = self.waves.window()?;
        if let Some(window) = &waves {
            may_write("--waves", &window.path, Format::Vcd, &inputs)?;
        }
        note!("simulator: {}", simulator.name());
        let plan = Plan {
            waves,
            lanes: self.lanes,
            ..Plan::new(keys, items, self.seed, simulator)
        };
        let result = verify(&filter, plan)?;
        if let Some(text) = self.waves.written(&result) {
            note!("{text}");
        }
        output.result(&result, || result.to_string())?;
        if let Some(folder) = &self.report {
            let path = filter.write_report(&result, folder, self.seed)?;
            note!("report: {}", path.display());
        }
        let undecided: Vec<_> = result.undecided().collect();
        if self.require_conclusive && !undecided.is_empty() {
            for claim in undecided {
                note!("undecided: {}: {}", claim.name, claim.reason);
            }
            note!("give more --items, or leave out --require-conclusive");
            return Ok(Ending::CheckFailed);
        }
        Ok(ending(result.verdict()))
    }

    /// The simulator that was asked for; else the built-in one up to so many clock cycles, above that Verilator where it is installed.
    fn simulator(&self, clocks: u64, most_built_in: u64) -> anyhow::Result<Simulator> {
        Ok(match self.simulator {
            Some(Choice::Verilator) => Simulator::Verilator,
            Some(Choice::VerilatorOnPath) => Simulator::VerilatorOnPath,
            Some(Choice::BuiltIn) => Simulator::BuiltIn,
            Some(Choice::Jit) => Simulator::Jit,
            None if self.lanes.is_some() || clocks <= most_built_in => Simulator::BuiltIn,
            None if toolchain()?.find(Program::Verilator).is_ok() => Simulator::Verilator,
            None => Simulator::BuiltIn,
        })
    }
}

/// Bytes of a file; none of one that cannot be read, which is told where it is read.
fn file_bytes(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |metadata| metadata.len())
}

/// Says whether the page and the JSON of a report may be written into `folder`.
///
/// # Errors
/// As [`may_write`].
pub fn may_write_report(
    option: &str,
    filter: &Filter,
    folder: &Path,
    inputs: &[&Path],
) -> anyhow::Result<()> {
    for (ending, format) in [("html", Format::Html), ("json", Format::Json)] {
        let file = folder.join(format!("{}.{ending}", filter.design().name()));
        may_write(option, &file, format, inputs)?;
    }
    Ok(())
}

/// What a run on so many random new keys is not.
fn drawn_keys(design: &Design, items: u64) -> Vec<String> {
    let mut notes = vec![];
    let bits = design.key_bits();
    let most = 1_u64.checked_shl(bits).unwrap_or(u64::MAX);
    if bits < u64::BITS && items > most {
        notes.push(format!(
            "keys of {bits} bits are {most} in all: the run ends with these"
        ));
    }
    if let Some(cells) = design
        .cells()
        .filter(|it| it.kind() != FilterKind::Static && it.window().is_none())
    {
        if items > cells.items() {
            notes.push(format!(
                "{} items come without a clear, and `plan` predicts for filter.items = {}: --items {1} is such a run",
                items.min(most),
                cells.items()
            ));
        }
    }
    notes
}

/// Only a difference is a check that failed.
pub fn ending(verdict: Verdict) -> Ending {
    match verdict {
        Verdict::Fail => Ending::CheckFailed,
        Verdict::Pass | Verdict::Inconclusive | Verdict::NotApplicable => Ending::Good,
    }
}

/// Shares of a run after which a log hears how far it is.
const LOGGED_SHARES: u64 = 10;
/// Items from which a log hears of a run at all.
const LOGGED_ITEMS: u64 = 200_000;

/// Runs a verification, showing how far it is on stderr: as a bar on a terminal, in lines elsewhere.
pub fn verify(filter: &Filter, plan: Plan) -> anyhow::Result<Verification> {
    let bar = bar("items");
    bar.set_message(format!(
        "{} on {}",
        filter.design().name(),
        plan.keys.name()
    ));
    let logged = Cell::new(0);
    let watch = Watch {
        tools: &|progress| bar.suspend(|| note!("{progress}")),
        items: &|done, total| {
            bar.set_length(total);
            bar.set_position(done);
            let share = LOGGED_SHARES * done / total.max(1);
            if bar.is_hidden() && total >= LOGGED_ITEMS && share > logged.replace(share) {
                note!(
                    "{} % of {} items",
                    100 / LOGGED_SHARES * share,
                    whole(total as f64)
                );
            }
        },
    };
    let result = filter.verify_as(plan, &watch);
    bar.finish_and_clear();
    Ok(result?)
}

/// A bar that counts such things; it is hidden when stderr is no terminal.
fn bar(things: &str) -> ProgressBar {
    let template = format!(
        "{{msg}} {{wide_bar}} {{human_pos}} of {{human_len}} {things}, {{per_sec}}, {{eta}} left"
    );
    ProgressBar::new(0).with_style(
        ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    )
}
