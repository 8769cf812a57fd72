//! Builds one Verilog text that contains every mutant of a design.

use super::register_ports::expose_registers;
use super::MutationError;
use bloomline_bench::verilator::{Design, Port};
use bloomline_toolchain::run_yosys_script;
use bloomline_toolchain::Toolchain;
use itertools::Itertools;
use std::fs;
use std::path::Path;

/// Name and width of the input that selects a mutant.
pub(super) const SELECT: &str = "mutant";
pub(super) const SELECT_BITS: usize = 16;
/// The mutated design without memories, in yosys' own format.
const MAPPED: &str = "mapped.il";
const MUTATED: &str = "mutated.v";
const LIST: &str = "mutants.txt";
/// Ports that are not mutated. A register's output takes its power-up value along (the same change of its input does not); clocks
/// stay clocks; enables and resets that an asynchronous memory read does not have are constants that yosys insists on.
const EXCLUDED: [&str; 7] = [
    "Q", "CLK", "RD_CLK", "WR_CLK", "RD_EN", "RD_ARST", "RD_SRST",
];

/// What is changed of a design; instances are named by their path from the top module, `core.bridge`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// All of it.
    All,
    /// These instances alone.
    Only(&'static [&'static str]),
    /// All but these instances.
    AllBut(&'static [&'static str]),
}

impl Parts {
    /// A selection in yosys' language.
    fn selection(self) -> String {
        // a cell of an instance is $flatten\core.\bridge.$..; `?` stands for any character
        let instance = |path: &&str| format!("c:?flatten?{}.*", path.replace('.', ".?"));
        match self {
            Self::All => String::new(),
            Self::Only(paths) => paths.iter().map(instance).join(" "),
            Self::AllBut(paths) => {
                let without = paths.iter().map(|path| format!("{} %d", instance(path)));
                format!("c:* {}", without.format(" "))
            }
        }
    }
}

/// A change of one bit of one cell's port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// Value of the selecting input, from 1.
    pub number: u32,
    /// The change as yosys lists it: mode, cell, port, bit, wire and line of the text.
    pub change: String,
}

/// A design with its mutants.
#[derive(Debug, Clone)]
pub struct Mutated {
    /// The text with a selecting input as the last of its ports.
    pub design: Design,
    /// The mutants.
    pub mutants: Vec<Mutant>,
    /// The same in yosys' own format with every register's output an input and its input an output, memories included.
    pub(super) exposed: String,
}

/// Draws `count` mutants (fewer where there are not as many bits) of the one text of `design`; `seed` says which. Only `parts` are
/// changed.
///
/// # Errors
/// [`MutationError`] when yosys is missing or refuses the text.
pub fn mutate(
    toolchain: &Toolchain,
    design: &Design,
    count: u16,
    seed: u64,
    parts: Parts,
) -> Result<Mutated, MutationError> {
    let folder =
        tempfile::tempdir().map_err(io("make a temporary folder in", &std::env::temp_dir()))?;
    let folder = folder.path();
    let mut files = Vec::new();
    for (name, text) in &design.sources {
        let path = folder.join(name);
        fs::write(&path, text).map_err(io("write", &path))?;
        files.push(name.as_str());
    }
    let prepare = format!(
        "read_verilog {}; hierarchy -check -top {}; proc; flatten; opt_expr; opt_clean; delete t:$scopeinfo; \
         memory_collect; opt_clean",
        files.join(" "),
        design.top,
    );
    let drawn = u32::from(count) * 2;
    // yosys reads a number of 31 bits
    let seed = seed & 0x7fff_ffff;
    let list = format!(
        "{prepare}; mutate -list {drawn} -seed {seed} -ctrl {SELECT} {SELECT_BITS} 1 -o {LIST} {}",
        parts.selection()
    );
    run_yosys_script(toolchain, folder, &list)?;
    let mutants: Vec<Mutant> = read(folder, LIST)?
        .lines()
        .map(Mutant::parse)
        .filter_ok(|mutant| {
            EXCLUDED
                .iter()
                .all(|port| !mutant.change.contains(&format!(" -port {port} ")))
        })
        .take(count.into())
        .collect::<Result<_, _>>()?;
    let commands: String = mutants
        .iter()
        .map(|mutant| mutant.command() + "\n")
        .collect();
    let path = folder.join(LIST);
    fs::write(&path, commands).map_err(io("write", &path))?;
    // a mutant of a bit that nobody reads leaves that bit of its wire without a driver
    let apply = format!(
        "{prepare}; script {LIST}; opt_clean; setundef -undriven -zero; write_verilog -noattr {MUTATED}; \
         memory_map; opt_clean; write_rtlil {MAPPED}"
    );
    run_yosys_script(toolchain, folder, &apply)?;
    let mut ports = design.ports.clone();
    ports.push(Port::input(SELECT, SELECT_BITS));
    Ok(Mutated {
        design: Design {
            sources: vec![(MUTATED.into(), read(folder, MUTATED)?)],
            ports,
            ..design.clone()
        },
        mutants,
        exposed: expose_registers(&read(folder, MAPPED)?),
    })
}

fn read(folder: &Path, name: &str) -> Result<String, MutationError> {
    let path = folder.join(name);
    fs::read_to_string(&path).map_err(io("read", &path))
}

impl Mutant {
    /// `mutate -ctrl NAME WIDTH VALUE CHANGE`.
    fn parse(line: &str) -> Result<Mutant, MutationError> {
        let mutant = || {
            let rest = line.strip_prefix(&format!("mutate -ctrl {SELECT} {SELECT_BITS} "))?;
            let (number, change) = rest.split_once(' ')?;
            Some(Mutant {
                number: number.parse().ok()?,
                change: change.to_string(),
            })
        };
        mutant().ok_or_else(|| MutationError::List {
            line: line.to_string(),
        })
    }

    /// Instance path of the module that holds the mutant, as a prefix of its registers' names; empty for the top module.
    pub(super) fn module(&self) -> String {
        let path = || {
            let (_, cell) = self.change.split_once("-cell $flatten\\")?;
            let (path, _) = cell.split_once("$")?;
            Some(path.replace('\\', ""))
        };
        path().unwrap_or_default()
    }

    /// The command that makes this change where the selecting input says so.
    fn command(&self) -> String {
        let Mutant { number, change } = self;
        format!("mutate -ctrl {SELECT} {SELECT_BITS} {number} {change}")
    }
}

pub(super) fn io<'a>(
    action: &'static str,
    path: &'a Path,
) -> impl FnOnce(std::io::Error) -> MutationError + 'a {
    move |source| MutationError::Io {
        action,
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_list_is_a_number_and_a_change() {
        let line = "mutate -ctrl mutant 16 7 -mode inv -module top -cell $x -port Q -portbit 3";
        let mutant = Mutant::parse(line).expect("a mutation");
        assert_eq!(mutant.number, 7);
        assert_eq!(mutant.command(), line);
        assert_eq!(mutant.module(), "");
        let inner = line.replace("$x", "$flatten\\a.\\b.$sub$top.v:3$4");
        assert_eq!(Mutant::parse(&inner).expect("one").module(), "a.b.");
        assert!(matches!(
            Mutant::parse("mutate -mode inv"),
            Err(MutationError::List { .. })
        ));
    }
}
