//! `build` for the user box of the OpenNIC shell.

use super::super::program::SUMMARY;
use super::{add_resources, announce, emission, Progress};
use crate::output::{wrapped, Ending, Output};
use crate::tools_folder::toolchain;
use anyhow::Context;
use bloomline_build::{build_plugin, write_document, OpenNicBoard, PluginRequest, PluginSummary};
use bloomline_spec::FilterSpec;
use bloomline_toolkit::Filter;
use comfy_table::{presets, Table};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The result, as `--json` prints it and `build.json` keeps it.
#[derive(Serialize)]
struct Report {
    name: String,
    top: String,
    out: PathBuf,
    /// The specification with what the board added.
    specification: String,
    #[serde(flatten)]
    built: PluginSummary,
    /// How a host reaches the path, on an example of a bus address.
    host: String,
    filtered: String,
    passed: String,
    status: &'static str,
    notes: Vec<String>,
    warnings: Vec<String>,
}

const STATUS: &str = "simulated in Verilator and mapped by yosys; not run on Vivado";

/// Emits the packet path and writes the plugin around it.
///
/// # Errors
/// Those of the specification, what the box has not, and those of the flow.
pub fn run(
    board: &OpenNicBoard,
    file: &Path,
    out: Option<PathBuf>,
    part: Option<&str>,
    output: Output,
) -> anyhow::Result<Ending> {
    let part = board.part(part)?;
    let mut spec = FilterSpec::load(file)?;
    let notes = board.complete(&mut spec)?;
    let filter = Filter::from_text(file, spec.to_toml())?;
    announce(&filter, &notes);
    let packet = filter
        .design()
        .packet()
        .context("a specification with [packet] has a packet path")?;
    let path = format!("{}_path", spec.name);
    let specification = format!("{}.toml", spec.name);
    let package = filter.emit()?;
    let ((_, verilog), documents) = emission(&package, &specification, &spec)?;
    let registers = documents
        .iter()
        .map(|(name, _)| name.clone())
        .find(|name| name.ends_with(".md"))
        .context("an emission has a page of its registers")?;
    let out = out.unwrap_or_else(|| {
        Path::new("out").join(format!("{}_{}", spec.name, board.name.replace('-', "_")))
    });
    let request = PluginRequest {
        board,
        part,
        path: &path,
        verilog: &verilog,
        buffer_bytes: packet.buffer_bytes(),
        memory_bits: spec.filter.memory_bits,
        documents: &documents,
        registers: &registers,
        out: &out,
    };
    let progress = Progress::default();
    let built = build_plugin(&toolchain()?, &request, &|event| progress.show(event))?;
    let report = Report {
        name: spec.name.clone(),
        top: path,
        specification,
        built,
        host: board.host(),
        filtered: board.shell.filtered.clone(),
        passed: board.shell.passed.clone(),
        status: STATUS,
        notes,
        warnings: filter.warnings().to_vec(),
        out,
    };
    let summary =
        serde_json::to_string_pretty(&report).context("the summary cannot be written as JSON")?;
    write_document(&report.out, SUMMARY, &format!("{summary}\n"))?;
    output.result(&report, || page(&report))?;
    Ok(Ending::Good)
}

fn page(report: &Report) -> String {
    let built = &report.built;
    let (estimate, part) = (&built.estimate, &built.part);
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    let resources = [
        ("LUT", estimate.lut, part.lut),
        ("FF", estimate.ff, part.ff),
        ("BRAM36", estimate.bram36, part.bram36),
    ];
    add_resources(&mut table, 1, resources);
    let mut text = format!(
        "{} in {}, {}, one interface, without the shell\n{}\nplugin: {}\nregisters: {}\nreceived frames: {}\nframes to be sent: {}\nstatus: {}\n",
        report.name,
        built.board,
        part.name,
        table.trim_fmt(),
        built.plugin.display(),
        report.host,
        report.filtered,
        report.passed,
        report.status,
    );
    for note in &report.notes {
        text += &format!("note: {note}\n");
    }
    wrapped(&text)
}
