//! Common part of both flows: build folder, tools, steps and progress.

use super::steps::{Step, RECORDS};
use super::BuildError;
use bloomline_toolchain::whole_file;
use bloomline_toolchain::{Found, Origin, Package, Program, Progress, Toolchain};
use serde::Serialize;
use std::path::Path;

/// What a build tells while it runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// A tool is being installed.
    Install(&'a Progress),
    /// A step begins, in a few words.
    Begin(&'a str),
    /// The step that began last is done.
    Done,
    /// The step that began last was not needed: nothing has changed.
    Unchanged,
}

/// A step of a build.
#[derive(Debug, Clone, Serialize)]
pub struct StepSummary {
    /// The tool.
    pub step: &'static str,
    /// Its version; what the tool says of itself where it is not the pinned package.
    pub version: String,
    /// Whether the result of an earlier run was used.
    pub unchanged: bool,
}

/// Writes a text into the folder of a build, whole or not at all.
///
/// # Errors
/// That it cannot be written.
pub fn write_document(out: &Path, name: &str, text: &str) -> Result<(), BuildError> {
    let file = out.join(name);
    whole_file::write(&file, text).map_err(BuildError::io("write", &file))
}

/// A tool that takes a step, and its version.
pub(super) type Tool = (&'static str, String);

/// Where a build works, with what, and whom it tells.
pub(super) struct Work<'a> {
    pub toolchain: &'a Toolchain,
    pub out: &'a Path,
    pub listener: &'a dyn Fn(&Event),
}

impl Work<'_> {
    /// Makes the folder and writes the texts that the steps start from.
    pub fn prepare<'t>(
        &self,
        texts: impl IntoIterator<Item = &'t (String, String)>,
    ) -> Result<(), BuildError> {
        let out = self.out;
        let occupied = match std::fs::read_dir(out) {
            Ok(mut entries) => entries.next().is_some(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
            Err(error) => return Err(BuildError::io("use the folder", out)(error)),
        };
        if occupied && !out.join(RECORDS).is_dir() {
            return Err(BuildError::Occupied {
                folder: out.to_owned(),
            });
        }
        let records = out.join(RECORDS);
        std::fs::create_dir_all(&records).map_err(BuildError::io("make the folder", &records))?;
        for (name, text) in texts {
            write_document(out, name, text)?;
        }
        Ok(())
    }

    /// The tool that does a step, installed when it is not there yet.
    pub fn tool(&self, program: Program) -> Result<Tool, BuildError> {
        let found: Found = self.toolchain.find_or_install(program, &|progress| {
            (self.listener)(&Event::Install(progress));
        })?;
        let version = match (found.origin, program.package().map(Package::version)) {
            (Origin::Folder, Some(version)) => version.to_owned(),
            _ => format!(
                "{} ({})",
                self.toolchain.version(&found)?,
                found.path.display()
            ),
        };
        Ok((program.name(), version))
    }

    /// Takes a step unless nothing that it depends on has changed, or its files are in the folder where they are kept. The files are those it reads and
    /// those it makes.
    pub fn step(
        &self,
        what: &str,
        (step, version): Tool,
        arguments: &[String],
        [inputs, outputs]: [&[&str]; 2],
        kept: Option<&Path>,
        work: impl FnOnce() -> Result<(), BuildError>,
    ) -> Result<StepSummary, BuildError> {
        (self.listener)(&Event::Begin(what));
        let depends: Vec<String> = std::iter::once(&version)
            .chain(arguments)
            .cloned()
            .collect();
        let done = Step {
            name: step,
            folder: self.out,
            depends: &depends,
            inputs,
            outputs,
            kept,
        }
        .run(work)?;
        (self.listener)(if done {
            &Event::Done
        } else {
            &Event::Unchanged
        });
        Ok(StepSummary {
            step,
            version,
            unchanged: !done,
        })
    }
}
