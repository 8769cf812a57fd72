//! Checks whether a mutant is equivalent to the original.

use super::difference::{never_comes, View};
use super::list::{io, SELECT, SELECT_BITS};
use super::{Mutant, Mutated, MutationError};
use bloomline_toolchain::run_yosys_script;
use bloomline_toolchain::Toolchain;
use std::fs;

/// Whether the mutant is proved to do what the unchanged design does, as far as its ports show, for every input from power-up of a host that keeps what it
/// offers on AXI4-Lite until it is taken. First as combinational logic, for every state, reachable or not; then by searches from power-up.
///
/// `false` says only that nothing was proved.
///
/// # Errors
/// [`MutationError`] when yosys does not give a result.
pub fn equivalent(
    toolchain: &Toolchain,
    mutated: &Mutated,
    mutant: &Mutant,
) -> Result<bool, MutationError> {
    if same_logic(toolchain, mutated, mutant)? {
        return Ok(true);
    }
    for view in View::ALL {
        if never_comes(toolchain, mutated, mutant, view)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether outputs and next state of the mutant are those of the unchanged design, for every state and input.
///
/// Memories have become registers and registers ports; what is left is compared as combinational logic: yosys makes the miter and proves by SAT that it never rises.
fn same_logic(
    toolchain: &Toolchain,
    mutated: &Mutated,
    mutant: &Mutant,
) -> Result<bool, MutationError> {
    /// What yosys says when the miter never rises.
    const PROVED: &str = "no model found: SUCCESS!";
    let folder =
        tempfile::tempdir().map_err(io("make a temporary folder in", &std::env::temp_dir()))?;
    let path = folder.path().join("exposed.il");
    fs::write(&path, &mutated.exposed).map_err(io("write", &path))?;
    let top = &mutated.design.top;
    let select = |module: &str, number: u32| {
        format!(
            "cd {module}; delete -port w:{SELECT}; connect -set {SELECT} {SELECT_BITS}'d{number}; rename -hide w:{SELECT}; cd .."
        )
    };
    let script = format!(
        "read_rtlil exposed.il; copy {top} gold; rename {top} gate; {}; {}; opt_expr; opt_clean; \
         miter -equiv -flatten -make_outputs gold gate miter; hierarchy -top miter; \
         opt_clean; opt_merge -share_all; opt_expr; opt_clean; sat -prove trigger 0 miter",
        select("gold", 0),
        select("gate", mutant.number),
    );
    let log = run_yosys_script(toolchain, folder.path(), &script)?;
    Ok(log.text().contains(PROVED))
}
