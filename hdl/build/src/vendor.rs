//! Project scripts for vendors' tools, which need no licence here: what runs them is somewhere else.

use super::BuildError;
use bloomline_spec::ports::{design_name, outer_ports};
use bloomline_spec::Common;

/// A vendor's tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VendorFlow {
    /// AMD Vivado, without a project.
    Vivado,
    /// Intel Quartus Prime.
    Quartus,
}

/// A script, and how it is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VendorProject {
    /// File names and texts.
    pub files: Vec<(String, String)>,
    /// What to type in the folder.
    pub command: String,
}

const VIVADO: &str = include_str!("vendor/vivado.tcl");
const QUARTUS: &str = include_str!("vendor/quartus.tcl");
const QUARTUS_TIMING: &str = include_str!("vendor/quartus_timing.tcl");

impl VendorFlow {
    /// The project of a shipped design for a part: `<name>.v` is read from the script's folder and the constraints from `constraints` in it. The design is
    /// built out of context: none of its ports is a pin.
    ///
    /// # Errors
    /// [`BuildError::VendorPart`] for a name that no part can have.
    pub fn project(self, common: &Common, part: &str) -> Result<VendorProject, BuildError> {
        let legal = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if part.is_empty() || !part.chars().all(legal) {
            return Err(BuildError::VendorPart {
                part: part.to_owned(),
                example: match self {
                    VendorFlow::Vivado => "xcu280-fsvh2892-2L-e",
                    VendorFlow::Quartus => "5CEBA4F23C7",
                },
            });
        }
        let ports: Vec<String> = outer_ports(common)
            .into_iter()
            .map(|outer| outer.port.name)
            .filter(|name| name != common.interface().clock.word())
            .collect();
        let filled = |text: &str| {
            text.replace("@NAME@", common.name())
                .replace("@TOP@", &design_name(common))
                .replace("@PART@", part)
                .replace("@PORTS@", &ports.join(" "))
        };
        let name = common.name();
        Ok(match self {
            VendorFlow::Vivado => VendorProject {
                files: vec![(format!("{name}_vivado.tcl"), filled(VIVADO))],
                command: format!("vivado -mode batch -source {name}_vivado.tcl"),
            },
            VendorFlow::Quartus => VendorProject {
                files: vec![
                    (format!("{name}_quartus.tcl"), filled(QUARTUS)),
                    (format!("{name}_quartus_timing.tcl"), filled(QUARTUS_TIMING)),
                ],
                command: format!("quartus_sh -t {name}_quartus.tcl"),
            },
        })
    }
}
