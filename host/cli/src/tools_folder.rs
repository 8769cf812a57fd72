//! The tools that the command uses, and where they are if not in their usual folder.

use bloomline_toolchain::{Toolchain, ToolchainError};

/// The tools of this environment. Warns where the usual folder cannot be written and another is used.
///
/// # Errors
/// That there is no folder for them.
pub fn toolchain() -> Result<Toolchain, ToolchainError> {
    let toolchain = Toolchain::discover()?;
    if let Some(unwritable) = toolchain.in_place_of() {
        note!(
            "warning: {} cannot be written, so tools and simulation models go into {} for now; set BLOOMLINE_TOOLS to a folder of your choice to keep them",
            unwritable.display(),
            toolchain.cache().parent().unwrap_or(toolchain.cache()).display()
        );
    }
    Ok(toolchain)
}
