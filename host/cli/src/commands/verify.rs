mod cells;
mod linecard;
mod sliding;

use crate::forecast::{format_value, Line};
use crate::output::{Ending, Output};
use crate::resolve::{Filter, Recycling};
use anyhow::Context;
use bloomline_theory::{Accuracy, AccuracyKind};
use bloomline_toolchain::{Program, Toolchain};
use bloomline_verify::report::{self, Fact, Prediction, ReportData};
use bloomline_verify::stats::Verdict;
use bloomline_verify::{Forgotten, Keys, Plan, Simulator, Verification, Watch};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification (TOML)
    spec: PathBuf,
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    line_card: linecard::LineCard,
    /// At most so many items, or frames of each capture [default: a file's all; drawn keys 1,000,000]
    #[arg(long, value_name = "N")]
    items: Option<u64>,
    /// Seed of drawn keys and start values
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// What runs the gateware [default: built-in up to 4,000,000 items or a file of 64 MB, else verilator where it is installed]
    #[arg(long, value_enum)]
    simulator: Option<Choice>,
    /// Folder for the HTML report and the JSON
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

/// Keys; none: random new ones, which the model test of the rate needs.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct Source {
    /// Packets of a capture (pcap or pcapng, plain or gzip); through a line card its frames, from pins to pins
    #[arg(long, value_name = "FILE")]
    pcap: Option<PathBuf>,
    /// A column of a table
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
}

/// Items of a run on drawn keys.
const DRAWN_ITEMS: u64 = 1_000_000;
/// Items up to which a run is short for [`is_short`].
const SHORT_ITEMS: u64 = 4_000_000;
/// Bytes of a file that holds no more items than those.
const SHORT_FILE_BYTES: u64 = 64 << 20;

impl Source {
    fn keys(self) -> anyhow::Result<Keys> {
        Ok(match (self.pcap, self.keys, self.zipf) {
            (Some(file), _, _) => Keys::Capture(file),
            (_, Some(text), _) => {
                let (file, column) = text.rsplit_once(':').with_context(|| {
                    format!("--keys {text}: must be FILE:COLUMN, for example trace.csv:lbn")
                })?;
                Keys::Column {
                    file: file.into(),
                    column: column.into(),
                }
            }
            (_, _, Some(exponent)) => Keys::Zipf { exponent },
            _ => Keys::RandomNew,
        })
    }
}

impl Cmd {
    /// Runs the gateware on the keys, prints what was found, writes the report.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let filter = Filter::load(&self.spec)?;
        for warning in filter.warnings() {
            eprintln!("warning: {warning}");
        }
        let line_card = filter.common().line_card().is_some();
        if line_card && self.source.pcap.is_some() {
            let result = linecard::verify(&filter, &self)?;
            output.result(&result, || linecard::as_text(&result))?;
            return Ok(ending(result.verdict));
        }
        if let Some(option) = self.line_card.given() {
            anyhow::bail!(
                "{}: {option} is for a line card; say ports = \"rgmii\" in [packet]",
                self.spec.display()
            );
        }
        let keys = self.source.keys()?;
        let file_bytes = match &keys {
            Keys::Capture(file) | Keys::Column { file, .. } => {
                Some(std::fs::metadata(file).map_or(0, |metadata| metadata.len()))
            }
            Keys::RandomNew | Keys::Zipf { .. } => None,
        };
        let items = self.items.unwrap_or(match file_bytes {
            Some(_) => u64::MAX,
            None => DRAWN_ITEMS,
        });
        let simulator = match self.simulator {
            Some(Choice::Verilator) => Simulator::Verilator,
            Some(Choice::VerilatorOnPath) => Simulator::VerilatorOnPath,
            Some(Choice::BuiltIn) => Simulator::BuiltIn,
            None if is_short(items, file_bytes) => Simulator::BuiltIn,
            None if Toolchain::discover()?.find(Program::Verilator).is_ok() => Simulator::Verilator,
            None => Simulator::BuiltIn,
        };
        eprintln!("simulator: {}", simulator.name());
        let verdict = match filter {
            Filter::Recycling(resolved) => {
                let result = verify(&resolved, keys, items, self.seed, simulator)?;
                if let Some(folder) = &self.report {
                    let path = write_report(&resolved, &result, folder, self.seed)?;
                    eprintln!("report: {}", path.display());
                }
                output.result(&result, || as_text(&result))?;
                result.verdict
            }
            Filter::Cells(resolved) => {
                let result = cells::verify(&resolved, keys, items, self.seed, simulator)?;
                if let Some(folder) = &self.report {
                    let path = cells::write_report(&resolved, &result, folder, self.seed)?;
                    eprintln!("report: {}", path.display());
                }
                output.result(&result, || cells::as_text(&result))?;
                result.verdict
            }
            Filter::Sliding(resolved) => {
                let result = sliding::verify(&resolved, keys, items, self.seed, simulator)?;
                if let Some(folder) = &self.report {
                    let path = sliding::write_report(&resolved, &result, folder, self.seed)?;
                    eprintln!("report: {}", path.display());
                }
                output.result(&result, || sliding::as_text(&result))?;
                result.verdict
            }
        };
        Ok(ending(verdict))
    }
}

/// Whether a run ends sooner in the built-in simulator, at a third to a half of Verilator's clocks a second, than Verilator's model is compiled.
fn is_short(items: u64, file_bytes: Option<u64>) -> bool {
    items <= SHORT_ITEMS || file_bytes.is_some_and(|bytes| bytes <= SHORT_FILE_BYTES)
}

fn ending(verdict: Verdict) -> Ending {
    match verdict {
        Verdict::Fail => Ending::CheckFailed,
        Verdict::Pass | Verdict::Inconclusive => Ending::Good,
    }
}

/// Runs a verification with the prediction at hand, showing how far it is.
pub fn verify(
    resolved: &Recycling,
    keys: Keys,
    items: u64,
    seed: u64,
    simulator: Simulator,
) -> anyhow::Result<Verification> {
    let rates = resolved.forecast.rates().ok();
    let plan = Plan {
        keys,
        items,
        seed,
        simulator,
        predicted: rates.map(|rates| rates.fpr_average.value),
        two_hash_excess: rates.map_or(0.0, |rates| rates.two_hash_excess.value),
    };
    watched(resolved.geometry.name(), &plan.keys.name(), |watch| {
        Ok(bloomline_verify::run_watched(
            &resolved.geometry,
            &plan,
            watch,
        )?)
    })
}

/// Lets `run` tell how far it is, as a bar on stderr.
fn watched<R>(
    name: &str,
    keys: &str,
    run: impl FnOnce(&Watch<'_>) -> anyhow::Result<R>,
) -> anyhow::Result<R> {
    let bar = bar("items");
    bar.set_message(format!("{name} on {keys}"));
    let watch = Watch {
        tools: &|progress| bar.suspend(|| eprintln!("{progress}")),
        items: &|done, total| {
            bar.set_length(total);
            bar.set_position(done);
        },
    };
    let result = run(&watch);
    bar.finish_and_clear();
    result
}

/// A bar that counts such things; it draws nothing when stderr is no terminal.
fn bar(things: &str) -> ProgressBar {
    let template = format!(
        "{{msg}} {{wide_bar}} {{human_pos}} of {{human_len}} {things}, {{per_sec}}, {{eta}} left"
    );
    ProgressBar::new(0).with_style(
        ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    )
}

/// Writes NAME.html and NAME.json into `folder`; returns the page's path.
pub fn write_report(
    resolved: &Recycling,
    result: &Verification,
    folder: &Path,
    seed: u64,
) -> anyhow::Result<PathBuf> {
    let data = ReportData {
        specification: resolved.text.clone(),
        provenance: vec![
            Fact::new("bloomline", env!("CARGO_PKG_VERSION")),
            Fact::new("keys", &result.source),
            Fact::new("seed", seed.to_string()),
            Fact::new("threshold", resolved.geometry.threshold().to_string()),
        ],
        ..result.report.clone()
    };
    write_page(
        resolved.geometry.name(),
        resolved.forecast.lines(),
        data,
        result,
        folder,
    )
}

/// Completes the page with title and predictions, and writes it with the result as JSON beside it.
fn write_page(
    name: &str,
    lines: &[Line],
    data: ReportData,
    result: &impl Serialize,
    folder: &Path,
) -> anyhow::Result<PathBuf> {
    let predictions = lines.iter().map(|line| Prediction {
        name: line.key.into(),
        value: format!("{} {}", format_value(line.value), line.unit)
            .trim_end()
            .into(),
        formula: line.formula.clone(),
        source: accuracy(&line.accuracy),
    });
    let data = ReportData {
        title: name.into(),
        predictions: predictions.collect(),
        ..data
    };
    let path = folder.join(format!("{name}.html"));
    report::write(&data, &path)?;
    let json = folder.join(format!("{name}.json"));
    let temporary = folder.join(format!(".{name}.json.part"));
    std::fs::write(&temporary, serde_json::to_string_pretty(result)?)
        .and_then(|()| std::fs::rename(&temporary, &json))
        .with_context(|| format!("cannot write {}", json.display()))?;
    Ok(path)
}

/// How good a predicted number is, in words.
fn accuracy(accuracy: &Accuracy) -> String {
    match accuracy.kind {
        AccuracyKind::Exact => "exact".into(),
        AccuracyKind::Bound => "bound".into(),
        AccuracyKind::Approximation => format!(
            "approximation, relative error up to {:.1e}",
            accuracy.relative_error
        ),
    }
}

/// The result in lines.
pub fn as_text(result: &Verification) -> String {
    let fpr = &result.fpr;
    let predicted = fpr.predicted.map_or("no prediction".into(), |rate| {
        format!("predicted {}", format_value(rate))
    });
    let mut lines = vec![
        format!("verdict                {}", result.verdict),
        format!(
            "keys                   {} ({} items, {} records without a key)",
            result.source, result.items, result.skipped
        ),
        format!(
            "mismatches             {} in {} clocks",
            result.mismatches, result.cycles
        ),
        format!("items per cycle        {:.6}", result.items_per_cycle),
        format!(
            "recycles               {}, {} clocks lost to them",
            result.recycles, result.recycle_stall_cycles
        ),
        format!("stored keys not found  {}", result.lost_keys),
        format!(
            "repeats forgotten      {} of {}",
            result.forgotten, result.repeats
        ),
        format!(
            "false-positive rate    {} ({} to {} at {} %), {predicted}: {}",
            format_value(fpr.measured),
            format_value(fpr.ci_low),
            format_value(fpr.ci_high),
            100.0 * fpr.confidence,
            fpr.verdict
        ),
        format!(
            "state test             {} false positives, {:.1} expected, z = {:.2}: {}",
            result.state_test.observed,
            result.state_test.expected,
            result.state_test.z,
            result.state_test.verdict
        ),
        forgetting_line(&result.forgetting),
        format!(
            "latency                {} to {} clocks, {} by contract: {}",
            result.latency.minimum_clocks,
            result.latency.maximum_clocks,
            result.latency.contract_clocks,
            result.latency.verdict
        ),
        format!(
            "lockstep               {:.0} clocks a second",
            result.cycles_per_second
        ),
    ];
    if let Some(mismatch) = &result.first_mismatch {
        lines.push(format!("first mismatch         {}", mismatch.message));
    }
    lines.join("\n")
}

/// The share of forgotten repeats; where there is no verdict, why.
fn forgetting_line(forgetting: &Forgotten) -> String {
    let judged = match (&forgetting.inconclusive, forgetting.predicted) {
        (Some(why), _) => format!("inconclusive: {why}"),
        (None, Some(predicted)) => {
            format!(
                "predicted {}: {}",
                format_value(predicted),
                forgetting.verdict
            )
        }
        (None, None) => forgetting.verdict.to_string(),
    };
    format!(
        "forgotten share        {} ({} to {} at {} %), {judged}",
        format_value(forgetting.measured),
        format_value(forgetting.ci_low),
        format_value(forgetting.ci_high),
        100.0 * forgetting.confidence,
    )
}
