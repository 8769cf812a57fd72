//! What `emit` writes: every file as text first, then the folder in one step.

mod folder;
mod fusesoc;
mod manifest;
mod vectors;

pub use folder::{write_folder, FolderError};

use crate::{Error, Filter};
use bloomline_hdl::design_verilog;
use bloomline_hdl::emit::Emitted;
use bloomline_spec::Common;
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
    pub fn build(filter: &Filter) -> Result<Package, Error> {
        let (design, planned) = (filter.design(), filter.planned());
        let header = header(
            design,
            &format!("a {}", planned.noun()),
            filter.file(),
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
        let description = match around(design) {
            Around::LineCard => format!("{description}, between two Ethernet ports"),
            Around::Path => format!("{description}, in a packet path"),
            Around::Card => format!("{description}, on a card"),
            Around::Nothing => description,
        };
        let map = design.register_map();
        Ok(Package {
            files: vec![
                file(format!("{name}.v"), verilog.named_after(name).text()),
                file(MANIFEST.to_owned(), manifest::text(filter)?),
                file(format!("{name}.core"), fusesoc::text(design, &description)),
                file("registers.md".to_owned(), map.to_markdown()),
                file("registers.rdl".to_owned(), map.to_systemrdl()),
            ],
            verilog,
        })
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
