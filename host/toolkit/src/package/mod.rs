//! Package that `emit` writes: all files are made as text first, then the folder is written in one step.

mod file;
mod folder;
mod fusesoc;
mod items;
mod kit;
mod manifest;
mod top;
mod vectors;

pub use file::{PackageFile, MANIFEST};
pub use folder::{is_emission, write_folder, FolderError};

use crate::{Error, Filter};
use bloomline_hdl::emit::Emitted;
use bloomline_hdl::{design_verilog, shipped};
use bloomline_spec::Common;
use serde::Serialize;
use std::path::Path;
use top::{kind_of_top, Top};

/// The files of an emission. The same specification gives the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    verilog: Emitted,
    files: Vec<PackageFile>,
}

impl Package {
    /// Makes every file.
    ///
    /// # Errors
    /// An error of the Verilog back end, which is a fault of the gateware's description.
    pub fn build(filter: &Filter) -> Result<Package, Error> {
        let (design, planned) = (filter.design(), filter.planned());
        let header = header(
            design,
            &format!("a {}", planned.noun()),
            &format!(
                "Geometry hash 0x{:016x}, {}.",
                design.geometry_hash(),
                planned.facts()
            ),
        );
        let verilog = design_verilog(design, &header)?;
        let name = design.name();
        let file = |name: String, text: String| PackageFile { name, text };
        let description = planned.description();
        let description = match kind_of_top(design) {
            Top::LineCard => format!("{description}, between two Ethernet ports"),
            Top::Path => format!("{description}, in a packet path"),
            Top::Card => format!("{description}, on a card"),
            Top::Filter => description,
        };
        let map = design.register_map();
        let mut files = vec![
            file(format!("{name}.v"), shipped(&verilog, design).text()),
            file(format!("{name}.core"), fusesoc::text(design, &description)),
        ];
        if design.has_registers() {
            files.extend([
                file("registers.md".to_owned(), map.to_markdown()),
                file("registers.rdl".to_owned(), map.to_systemrdl()),
            ]);
        }
        files.extend(kit::files(design)?);
        let names = files.iter().map(|file| file.name.as_str());
        let names: Vec<&str> = names.chain([MANIFEST]).collect();
        let manifest = manifest::text(filter, &names)?;
        files.insert(1, file(MANIFEST.to_owned(), manifest));
        Ok(Package { verilog, files })
    }

    /// The Verilog, module by module, as it is before its modules are named after the design.
    pub fn verilog(&self) -> &Emitted {
        &self.verilog
    }

    /// The files, the Verilog first.
    pub fn files(&self) -> &[PackageFile] {
        &self.files
    }
}

impl Filter {
    /// Every file of the emission: Verilog, manifest, core description, register map.
    ///
    /// # Errors
    /// [`Error::Emit`], a fault of the gateware's description.
    pub fn emit(&self) -> Result<Package, Error> {
        Package::build(self)
    }
}

/// A folder that was written.
///
/// Serialises as the object of `bloomline emit --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Emission {
    /// Name of the filter, and of its outermost module.
    pub name: String,
    /// The folder.
    pub out: String,
    /// The files in it, the Verilog first.
    pub files: Vec<String>,
    /// Threshold, where the kind has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<u64>,
    /// Hash over everything that changes the gateware, in hexadecimal.
    pub geometry_hash: String,
    /// What the user should know before building this.
    pub warnings: Vec<String>,
}

impl Filter {
    /// Emits every file and writes them as the folder `out` by [`write_folder`].
    ///
    /// # Errors
    /// Those of [`Filter::emit`]; [`Error::Folder`].
    pub fn emit_to(&self, out: &Path, force: bool) -> Result<Emission, Error> {
        let package = self.emit()?;
        write_folder(out, package.files(), force)?;
        let files = package.files().iter();
        Ok(Emission {
            name: self.design().name().to_owned(),
            out: out.display().to_string(),
            files: files.map(|file| file.name.clone()).collect(),
            threshold: self.design().threshold(),
            geometry_hash: format!("0x{:016x}", self.design().geometry_hash()),
            warnings: self.warnings().to_vec(),
        })
    }
}

/// The comment at the head of the Verilog.
fn header(common: &Common, what: &str, facts: &str) -> String {
    format!(
        "{}: {what}{}, emitted by bloomline {}.\n\
         {facts} manifest.json holds the specification.\n\
         Licence of this file: MIT OR Apache-2.0. Do not edit: change the specification and emit again.",
        common.name(),
        match kind_of_top(common) {
            Top::LineCard => " between two Ethernet ports",
            Top::Path => " in a packet path",
            Top::Card => " on a card",
            Top::Filter => "",
        },
        env!("CARGO_PKG_VERSION"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomline_spec::EXAMPLES;

    #[test]
    fn the_core_description_names_files_of_the_emission() {
        let (name, text) = EXAMPLES[0];
        for more in ["", "[features]\nregisters = \"none\"\n"] {
            let filter = Filter::from_text(Path::new(name), format!("{text}\n{more}"));
            let package = filter.and_then(|filter| filter.emit()).expect("an example");
            let (files, core) = (package.files(), &package.files()[2]);
            let named = core.text.lines().filter_map(|line| {
                let entry = line.trim().strip_prefix("- ")?;
                entry.split(": {").next()
            });
            let named: Vec<&str> = named.collect();
            assert!(core.name.ends_with(".core") && named.len() > 5, "{named:?}");
            for name in named {
                assert!(files.iter().any(|file| file.name == name), "{more}: {name}");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_whose_name_is_no_text_is_written_and_told() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let (name, text) = EXAMPLES[0];
        let filter = Filter::from_text(Path::new(name), text.to_owned()).expect("an example");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let out = folder.path().join(OsStr::from_bytes(b"out\xff"));
        let emission = filter.emit_to(&out, false).expect("it is written");
        assert!(out.join(MANIFEST).is_file());
        let told = serde_json::to_string(&emission).expect("JSON");
        assert!(told.contains("out\u{fffd}"), "{told}");
    }
}
