//! What `emit` writes: every file as text first, then the folder in one step.

mod folder;
mod fusesoc;
mod manifest;
mod ports;
mod vectors;

pub use folder::write_folder;

use crate::resolve::Resolved;
use bloomline_hdl::filter_verilog;
use bloomline_spec::RegisterMap;

/// Name of the manifest in an emitted folder.
pub const MANIFEST: &str = "manifest.json";

/// A file of an emitted folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageFile {
    /// Name within the folder.
    pub name: String,
    /// Its whole text.
    pub text: String,
}

/// The files of an emission. The same specification gives the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    files: Vec<PackageFile>,
}

impl Package {
    /// Makes every file.
    ///
    /// # Errors
    /// An error of the Verilog back end, which is a fault of the gateware's description.
    pub fn build(resolved: &Resolved) -> anyhow::Result<Package> {
        let geometry = &resolved.geometry;
        let name = geometry.name();
        let map = RegisterMap::for_geometry(geometry);
        let file = |name: String, text: String| PackageFile { name, text };
        let verilog = gateware(resolved)?;
        Ok(Package {
            files: vec![
                file(format!("{name}.v"), verilog),
                file(MANIFEST.to_owned(), manifest::text(resolved)?),
                file(format!("{name}.core"), fusesoc::text(geometry)),
                file("registers.md".to_owned(), map.to_markdown()),
                file("registers.rdl".to_owned(), map.to_systemrdl()),
            ],
        })
    }

    /// The files, the Verilog first.
    pub fn files(&self) -> &[PackageFile] {
        &self.files
    }
}

/// The Verilog of a filter, as one file.
fn gateware(resolved: &Resolved) -> anyhow::Result<String> {
    let geometry = &resolved.geometry;
    let source = resolved.file.file_name().unwrap_or_default();
    let header = format!(
        "{}: a recycling Bloom filter, emitted by bloomline {} from {}.\n\
         Geometry hash 0x{:016x}, threshold {}. manifest.json holds the specification.\n\
         Licence of this file: MIT OR Apache-2.0. Do not edit: change the specification and emit again.",
        geometry.name(),
        env!("CARGO_PKG_VERSION"),
        source.to_string_lossy().replace(char::is_control, "?"),
        geometry.geometry_hash(),
        geometry.threshold(),
    );
    Ok(filter_verilog(geometry, &header)?.text())
}
