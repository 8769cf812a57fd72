//! What `emit` writes: every file as text first, then the folder in one step.

mod folder;
mod fusesoc;
mod manifest;
mod ports;
mod vectors;

pub use folder::write_folder;

use crate::resolve::{Cells, Filter, Recycling, Sliding};
use bloomline_hdl::design_verilog;
use bloomline_hdl::emit::Emitted;
use bloomline_spec::{Common, FilterKind, RegisterMap};
use std::path::Path;

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
    verilog: Emitted,
    files: Vec<PackageFile>,
}

impl Package {
    /// Makes every file.
    ///
    /// # Errors
    /// An error of the Verilog back end, which is a fault of the gateware's description.
    pub fn build(filter: &Filter) -> anyhow::Result<Package> {
        match filter {
            Filter::Recycling(resolved) => Package::recycling(resolved),
            Filter::Cells(resolved) => Package::cells(resolved),
            Filter::Sliding(resolved) => Package::sliding(resolved),
        }
    }

    /// Makes every file of a recycling filter.
    ///
    /// # Errors
    /// As [`Package::build`].
    pub fn recycling(resolved: &Recycling) -> anyhow::Result<Package> {
        let geometry = &resolved.geometry;
        let header = header(
            geometry,
            "a recycling Bloom filter",
            &resolved.file,
            &format!(
                "Geometry hash 0x{:016x}, threshold {}.",
                geometry.geometry_hash(),
                geometry.threshold()
            ),
        );
        let description = format!(
            "Recycling Bloom filter, {} bits, {} hashes, {} phases",
            geometry.memory_bits(),
            geometry.hashes(),
            geometry.phases(),
        );
        Ok(Package::of(
            geometry,
            design_verilog(geometry, &header)?,
            manifest::recycling(resolved)?,
            &description,
            &RegisterMap::for_geometry(geometry),
        ))
    }

    /// Makes every file of a filter of cells.
    ///
    /// # Errors
    /// As [`Package::build`].
    pub fn cells(resolved: &Cells) -> anyhow::Result<Package> {
        let geometry = &resolved.geometry;
        let kind = match geometry.kind() {
            FilterKind::Counting => "counting Bloom filter",
            FilterKind::CountMin => "Count-Min sketch",
            FilterKind::Static | FilterKind::Recycling | FilterKind::Sliding => {
                "static Bloom filter"
            }
        };
        let header = header(
            geometry,
            &format!("a {kind}"),
            &resolved.file,
            &format!(
                "Geometry hash 0x{:016x}, threshold {} at reset.",
                geometry.geometry_hash(),
                geometry.threshold()
            ),
        );
        let mut description = format!(
            "{kind}, {} bits, {} hashes, cells of {} bits",
            geometry.memory_bits(),
            geometry.hashes(),
            geometry.cell_bits(),
        );
        description[..1].make_ascii_uppercase();
        Ok(Package::of(
            geometry,
            design_verilog(geometry, &header)?,
            manifest::cells(resolved)?,
            &description,
            &RegisterMap::for_cells(geometry),
        ))
    }

    /// Makes every file of a sliding-window filter.
    ///
    /// # Errors
    /// As [`Package::build`].
    pub fn sliding(resolved: &Sliding) -> anyhow::Result<Package> {
        let geometry = &resolved.geometry;
        let header = header(
            geometry,
            "a sliding-window Bloom filter",
            &resolved.file,
            &format!(
                "Geometry hash 0x{:016x}, window {}, slack {}.",
                geometry.geometry_hash(),
                geometry.window(),
                geometry.slack()
            ),
        );
        let description = format!(
            "Sliding-window Bloom filter, the last {} elements, {} bits, buckets of {} cells",
            geometry.window(),
            geometry.memory_bits(),
            geometry.bucket_cells(),
        );
        Ok(Package::of(
            geometry,
            design_verilog(geometry, &header)?,
            manifest::sliding(resolved)?,
            &description,
            &RegisterMap::for_sliding(geometry),
        ))
    }

    fn of(
        common: &Common,
        verilog: Emitted,
        manifest: String,
        description: &str,
        map: &RegisterMap,
    ) -> Package {
        let name = common.name();
        let file = |name: String, text: String| PackageFile { name, text };
        let description = match around(common) {
            Around::LineCard => format!("{description}, between two Ethernet ports"),
            Around::Path => format!("{description}, in a packet path"),
            Around::Card => format!("{description}, on a card"),
            Around::Nothing => description.to_owned(),
        };
        Package {
            files: vec![
                file(format!("{name}.v"), verilog.named_after(name).text()),
                file(MANIFEST.to_owned(), manifest),
                file(format!("{name}.core"), fusesoc::text(common, &description)),
                file("registers.md".to_owned(), map.to_markdown()),
                file("registers.rdl".to_owned(), map.to_systemrdl()),
            ],
            verilog,
        }
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

/// What stands around the filter.
enum Around {
    Nothing,
    Card,
    Path,
    LineCard,
}

fn around(common: &Common) -> Around {
    if common.line_card().is_some() {
        return Around::LineCard;
    }
    match (common.packet(), common.card()) {
        (Some(_), _) => Around::Path,
        (None, Some(_)) => Around::Card,
        (None, None) => Around::Nothing,
    }
}

/// Name of the top module: that of the line card, the packet path or the card if there is one, else of the filter.
fn top(common: &Common) -> String {
    let name = common.name();
    match around(common) {
        Around::LineCard => format!("{name}_linecard"),
        Around::Path => format!("{name}_path"),
        Around::Card => format!("{name}_card"),
        Around::Nothing => name.to_owned(),
    }
}

/// The comment at the head of the Verilog.
fn header(common: &Common, what: &str, file: &Path, facts: &str) -> String {
    let source = file.file_name().unwrap_or_default();
    format!(
        "{}: {what}{}, emitted by bloomline {} from {}.\n\
         {facts} manifest.json holds the specification.\n\
         Licence of this file: MIT OR Apache-2.0. Do not edit: change the specification and emit again.",
        common.name(),
        match around(common) {
            Around::LineCard => " between two Ethernet ports",
            Around::Path => " in a packet path",
            Around::Card => " on a card",
            Around::Nothing => "",
        },
        env!("CARGO_PKG_VERSION"),
        source.to_string_lossy().replace(char::is_control, "?"),
    )
}
