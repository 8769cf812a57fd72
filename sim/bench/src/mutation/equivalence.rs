//! Is a mutant the same circuit?

use super::list::{io, SELECT, SELECT_BITS};
use super::{Mutant, Mutated, MutationError};
use crate::toolchain::Toolchain;
use crate::verilator::run_yosys_script;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Whether outputs and next state of the mutant are those of the unchanged design, for every state and input.
///
/// Memories have become registers and registers ports (`expose -evert-dff`); what is left is compared as combinational logic: yosys makes the miter and proves by SAT that it never rises. Sound without any assumption on reachable states;
/// `false` says only that there is a state, reachable or not, in which they differ.
///
/// # Errors
/// [`MutationError`] when yosys does not give a result.
pub fn equivalent(
    toolchain: &Toolchain,
    mutated: &Mutated,
    mutant: &Mutant,
) -> Result<bool, MutationError> {
    /// What yosys says when the miter never rises.
    const PROVED: &str = "no model found: SUCCESS!";
    let folder = folder_with(EVERTED, &mutated.everted)?;
    let script = format!(
        "{}; miter -equiv -flatten -make_outputs gold gate miter; hierarchy -top miter; \
         opt_clean; opt_merge -share_all; opt_expr; opt_clean; sat -prove trigger 0 miter",
        both(EVERTED, mutated, mutant)
    );
    let log = run_yosys_script(toolchain, folder.path(), &script)?;
    Ok(log.text().contains(PROVED))
}

/// What any inputs can show of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// Nothing: proved for every sequence of inputs, of any length.
    None,
    /// Some inputs show it in this clock after power-up, from 0.
    In(u64),
    /// Neither was found in the time.
    Unknown,
}

/// Whether the mutant's outputs ever differ from those of the unchanged design, both from power-up with the same inputs; registers without a start value start at 0, as in [`super::hunt`].
///
/// Decided by ABC: signal correspondence by induction (`scorr`) merges what is equal in both, property directed reachability (`pdr`) looks at what is left for at most `seconds`. It sees the same clocks as a run, and so also what only
/// unreachable states could show.
///
/// # Errors
/// [`MutationError`] when yosys does not give a result.
pub fn from_power_up(
    toolchain: &Toolchain,
    mutated: &Mutated,
    mutant: &Mutant,
    seconds: u32,
) -> Result<Difference, MutationError> {
    let folder = folder_with(REGISTERS, &mutated.registers)?;
    let path = folder.path();
    let merge = format!(
        "{}; miter -equiv -flatten gold gate miter; hierarchy -top miter; \
         techmap; opt -fast; async2sync; dffunmap; simplemap; setundef -zero; aigmap; opt_clean; write_aiger -zinit {MITER}",
        both(REGISTERS, mutated, mutant)
    );
    run_yosys_script(toolchain, path, &merge)?;
    abc(
        toolchain,
        path,
        &format!("read_aiger {MITER}\nscorr\nwrite_aiger {MERGED}\n"),
    )?;
    let file = path.join(MERGED);
    let merged = fs::read(&file).map_err(io("read", &file))?;
    if never_rises(&merged) {
        return Ok(Difference::None);
    }
    abc(
        toolchain,
        path,
        &format!("read_aiger {MERGED}\npdr -T {seconds}\nwrite_status {STATUS}\n"),
    )?;
    let file = path.join(STATUS);
    let status = fs::read_to_string(&file).map_err(io("read", &file))?;
    Ok(difference(&status))
}

const EVERTED: &str = "everted.il";
const REGISTERS: &str = "registers.il";
const MITER: &str = "miter.aig";
const MERGED: &str = "merged.aig";
const STATUS: &str = "status.txt";

/// Whether the one output of a binary AIGER file is the constant 0: its literal stands behind the header when there are no registers.
fn never_rises(aiger: &[u8]) -> bool {
    let mut lines = aiger.split(|byte| *byte == b'\n');
    let header = lines.next().unwrap_or_default();
    let numbers = String::from_utf8_lossy(header);
    let mut numbers = numbers.split(' ').skip(3);
    numbers.next() == Some("0") && lines.next() == Some(b"0")
}

/// What ABC's `write_status` says: `snl_SAT 5 ..`, `snl_UNSAT 7 ..` or `snl_UNK ..`.
fn difference(status: &str) -> Difference {
    let mut words = status.split_whitespace();
    match (words.next(), words.next().map(str::parse)) {
        (Some("snl_UNSAT"), _) => Difference::None,
        (Some("snl_SAT"), Some(Ok(clock))) => Difference::In(clock),
        _ => Difference::Unknown,
    }
}

/// Runs commands of ABC. yosys has it inside, where only `abc9` reaches it, for a design to map: that of one gate.
fn abc(toolchain: &Toolchain, folder: &Path, commands: &str) -> Result<(), MutationError> {
    const GATE: &str = "module gate (input a, input b, output q); assign q = a & b; endmodule\n";
    for (name, text) in [
        ("gate.v", GATE),
        ("commands.abc", &format!("{commands}&if\n")),
    ] {
        let file = folder.join(name);
        fs::write(&file, text).map_err(io("write", &file))?;
    }
    run_yosys_script(
        toolchain,
        folder,
        "read_verilog gate.v; techmap; abc9 -lut 4 -script commands.abc",
    )?;
    Ok(())
}

fn folder_with(name: &str, text: &str) -> Result<TempDir, MutationError> {
    let folder =
        tempfile::tempdir().map_err(io("make a temporary folder in", &std::env::temp_dir()))?;
    let file = folder.path().join(name);
    fs::write(&file, text).map_err(io("write", &file))?;
    Ok(folder)
}

/// The commands that read `file` and leave the unchanged design as `gold`, the mutant as `gate`.
fn both(file: &str, mutated: &Mutated, mutant: &Mutant) -> String {
    let top = &mutated.design.top;
    let select = |module: &str, number: u32| {
        format!(
            "cd {module}; delete -port w:{SELECT}; connect -set {SELECT} {SELECT_BITS}'d{number}; rename -hide w:{SELECT}; cd .."
        )
    };
    format!(
        "read_rtlil {file}; copy {top} gold; rename {top} gate; {}; {}; opt_expr; opt_clean",
        select("gold", 0),
        select("gate", mutant.number)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_abc_leaves_is_read() {
        assert!(never_rises(b"aig 95 95 0 1 0\n0\n"));
        assert!(!never_rises(b"aig 95 95 0 1 0\n1\n"));
        assert!(!never_rises(b"aig 96 95 1 1 0\n0\n0\n"));
        assert!(!never_rises(b""));
        assert_eq!(difference("snl_UNSAT 7 unknown\nNULL\n"), Difference::None);
        assert_eq!(difference("snl_SAT 5 unknown 0 7\n0101"), Difference::In(5));
        assert_eq!(difference("snl_UNK 0 unknown"), Difference::Unknown);
        assert_eq!(difference(""), Difference::Unknown);
    }
}
