//! `build` for a vendor's tool: an emission and the script that builds it.

use super::announce;
use crate::output::{Ending, Output};
use bloomline_build::{write_document, VendorFlow};
use bloomline_toolkit::package::{is_emission, write_folder, PackageFile};
use bloomline_toolkit::Filter;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A vendor's tool.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Flow {
    /// AMD Vivado
    Vivado,
    /// Intel Quartus Prime
    Quartus,
}

/// The result, as `--json` prints it.
#[derive(Serialize)]
struct Report {
    name: String,
    part: String,
    out: PathBuf,
    files: Vec<String>,
    /// What to type in the folder.
    command: String,
    status: &'static str,
}

const STATUS: &str = "the script was written; no vendor's tool was run";

/// Emits the design with a script of the tool.
///
/// # Errors
/// Those of the specification; a part number that is none; a folder that cannot be written.
pub fn run(
    flow: Flow,
    file: &Path,
    out: Option<PathBuf>,
    part: &str,
    output: Output,
) -> anyhow::Result<Ending> {
    let filter = Filter::read(file)?;
    announce(&filter, &[]);
    let (flow, tool) = match flow {
        Flow::Vivado => (VendorFlow::Vivado, "vivado"),
        Flow::Quartus => (VendorFlow::Quartus, "quartus"),
    };
    let project = flow.project(filter.design(), part)?;
    let name = filter.design().name().to_owned();
    let out = out.unwrap_or_else(|| Path::new("out").join(format!("{name}_{tool}")));
    let mut files = filter.emit()?.files().to_vec();
    let scripts = project.files.into_iter();
    files.extend(scripts.map(|(name, text)| PackageFile { name, text }));
    // What the tool has made in an earlier folder stays.
    if is_emission(&out) {
        for file in &files {
            write_document(&out, &file.name, &file.text)?;
        }
    } else {
        write_folder(&out, &files, false)?;
    }
    let report = Report {
        name,
        part: part.to_owned(),
        files: files.into_iter().map(|file| file.name).collect(),
        command: project.command,
        status: STATUS,
        out,
    };
    output.result(&report, || {
        format!(
            "{} for {}\nstatus: {}\nrun, in {}: {}",
            report.name,
            report.part,
            report.status,
            report.out.display(),
            report.command
        )
    })?;
    Ok(Ending::Good)
}
