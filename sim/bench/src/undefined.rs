//! Undefined words of block RAM made random, so that a run shows whether anything depends on them.
//!
//! What a block RAM gives where a word is read and written in the same clock is not defined: one part gives the old word, another the
//! new one or neither. A simulator gives the old one, always, and so hides a design that depends on it. [`with_random_collisions`] edits
//! the text instead: such a read gives bits of a shift register that nothing initialises, and a simulation with random power-up values
//! ([`crate::verilator::Initial::Random`]) makes those other bits in every lane of [`crate::lockstep::Bench::run_lanes`]. Registers that the
//! text does not initialise get other values in every lane anyway. A verdict or a handshake that depends on any of it then differs from
//! the reference in some lane.

use std::fmt::Write;

/// Least width of the shift register: its period is beyond any run.
const LEAST_BITS: usize = 64;

/// A Verilog text with random words in place of undefined ones, and what was edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undefined {
    /// The text.
    pub text: String,
    /// Memories whose clocked reads were edited, as `module.memory`.
    pub edited: Vec<String>,
    /// Memories that are marked `no_rw_check` and could not be edited, as `module.memory`. There should be none.
    pub missed: Vec<String>,
}

/// A memory of a module: its name and the width of its words.
struct Memory<'a> {
    name: &'a str,
    bits: usize,
    unchecked: bool,
}

/// The text in which a clocked read of a word that is written in the same clock gives random bits.
///
/// It knows the form in which memories are printed: `reg [N:0] M [0:D];`, and on lines of their own `R <= M[A];` and
/// `if (E) M[B] <= V;`. Reads without a clock give the old word by definition and stay.
pub fn with_random_collisions(text: &str) -> Undefined {
    let mut all = Undefined {
        text: String::with_capacity(text.len() + text.len() / 8),
        edited: Vec::new(),
        missed: Vec::new(),
    };
    let mut module: Vec<&str> = Vec::new();
    for line in text.lines() {
        module.push(line);
        if line.trim() == "endmodule" {
            edit(&module, &mut all);
            module.clear();
        }
    }
    edit(&module, &mut all);
    all
}

/// Edits one module.
fn edit(lines: &[&str], all: &mut Undefined) {
    let module = lines
        .iter()
        .find_map(|line| line.strip_prefix("module ")?.split([' ', '(']).next())
        .unwrap_or_default();
    let memories = memories(lines);
    let writes: Vec<(&str, &str, &str)> = lines.iter().filter_map(|line| write_of(line)).collect();
    let mut clock = "clock";
    let mut edited: Vec<&str> = Vec::new();
    let mut added = String::new();
    for line in lines {
        if let Some(named) = line.trim().strip_prefix("always @(posedge ") {
            clock = named.split([')', ' ']).next().unwrap_or(clock);
        }
        if line.trim() == "endmodule" {
            all.text.push_str(&added);
        }
        let read = read_of(line).and_then(|(register, name, address)| {
            let memory = memories.iter().find(|memory| memory.name == name)?;
            Some((register, memory, address))
        });
        let Some((register, memory, address)) = read else {
            all.text.push_str(line);
            all.text.push('\n');
            continue;
        };
        let (bits, top) = (memory.bits.max(LEAST_BITS), memory.bits - 1);
        let collisions: Vec<String> = writes
            .iter()
            .filter(|(_, name, _)| *name == memory.name)
            .map(|(enable, _, at)| format!("(({enable}) && (({at}) == ({address})))"))
            .collect();
        if collisions.is_empty() {
            all.text.push_str(line);
            all.text.push('\n');
            continue;
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        // Writing to a string cannot fail.
        let _ = writeln!(
            all.text,
            "{indent}{register} <= ({}) ? undefined_{register}[{top}:0] : {}[{address}];",
            collisions.join(" || "),
            memory.name
        );
        let _ = write!(
            added,
            "\n  reg [{}:0] undefined_{register};\n  always @(posedge {clock}) begin\n    undefined_{register} <= \
             {{undefined_{register}[{}:0], !(undefined_{register}[{}] ^ undefined_{register}[{}])}};\n  end\n",
            bits - 1,
            bits - 2,
            bits - 1,
            bits - 2
        );
        edited.push(memory.name);
    }
    for memory in &memories {
        let path = format!("{module}.{}", memory.name);
        if edited.contains(&memory.name) {
            all.edited.push(path);
        } else if memory.unchecked {
            all.missed.push(path);
        }
    }
}

fn memories<'a>(lines: &[&'a str]) -> Vec<Memory<'a>> {
    let mut memories = Vec::new();
    let mut before = "";
    for line in lines {
        let line = line.trim();
        let memory = line.strip_prefix("reg ").and_then(|rest| {
            let (range, rest) = match rest.trim().strip_prefix('[') {
                Some(ranged) => ranged.split_once(']')?,
                None => ("0:0", rest),
            };
            let (name, depth) = rest.trim().split_once(" [")?;
            depth.contains(':').then_some(())?;
            let highest: usize = range.split(':').next()?.trim().parse().ok()?;
            Some(Memory {
                name,
                bits: highest + 1,
                unchecked: before.contains("no_rw_check") || line.contains("no_rw_check"),
            })
        });
        memories.extend(memory);
        before = line;
    }
    memories
}

/// Register, memory and address of `R <= M[A];`.
fn read_of(line: &str) -> Option<(&str, &str, &str)> {
    let (register, rest) = line.trim().strip_suffix("];")?.split_once(" <= ")?;
    let (memory, address) = rest.split_once('[')?;
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (plain(register) && plain(memory)).then_some((register, memory, address))
}

/// Enable, memory and address of `if (E) M[B] <= V;`.
fn write_of(line: &str) -> Option<(&str, &str, &str)> {
    let (enable, rest) = line.trim().strip_prefix("if (")?.split_once(") ")?;
    let (memory, rest) = rest.split_once('[')?;
    let (address, _) = rest.split_once("] <= ")?;
    Some((enable, memory, address))
}
