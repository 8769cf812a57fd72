//! A text in which bits of memory can be flipped.

use super::SoftErrorError;
use crate::verilator::{Design, Port};
use std::collections::HashMap;
use std::fmt::Write;

/// The inputs that flip a bit, the last of the design's: the memory by its number from 1 (0: none), the word, the bit.
pub const FLIP_INPUTS: [(&str, usize); 3] =
    [("flip_memory", 16), ("flip_word", 32), ("flip_bit", 8)];
/// What memories are called in the emitted text, where they hold words and where cells.
const ARRAYS: [&str; 2] = ["words", "cells"];

/// A design with inputs that flip a bit of one of its memories as the clock ends; what is written in that clock wins.
///
/// Memories are numbered from 1 in the order in which the text instantiates them, from the top down.
#[derive(Debug, Clone)]
pub struct Flippable {
    /// The design; its last inputs are [`FLIP_INPUTS`].
    pub design: Design,
    /// Memories.
    pub memories: u32,
    /// Words of each, of the largest where they differ.
    pub words: u32,
    /// Bits of a word.
    pub bits: u32,
}

impl Flippable {
    /// The emitted `design` with such inputs for every instance of the module `memory`, and of those that are called so with a number behind it.
    ///
    /// # Errors
    /// [`SoftErrorError::Memory`] when there is no such module, or when it is not written as the gateware writes memories.
    pub fn new(design: &Design, memory: &str) -> Result<Flippable, SoftErrorError> {
        let missing = |expected| SoftErrorError::Memory {
            top: design.top.clone(),
            module: memory.into(),
            expected,
        };
        let [(file, text)] = design.sources.as_slice() else {
            return Err(missing("one source text"));
        };
        let modules = modules(text);
        let memory_arrays: HashMap<&str, Array> = modules
            .iter()
            .filter(|(name, _)| is_called(name, memory))
            .filter_map(|(&name, body)| Some((name, array_of(body)?)))
            .collect();
        let largest = memory_arrays
            .values()
            .max_by_key(|array| array.words)
            .ok_or_else(|| missing("reg [..:0] words [0:..];"))?;
        let (words, bits) = (largest.words, largest.bits);
        let written = |(name, array): (&&str, &Array)| modules[name].contains(&array.write());
        if !memory_arrays.iter().all(written) {
            return Err(missing("words[write_address] <= write_data;"));
        }
        let mut counts: HashMap<&str, u32> = memory_arrays.keys().map(|&name| (name, 1)).collect();
        let memories = count(&design.top, &modules, &mut counts);
        let mut ports = design.ports.clone();
        ports.extend(FLIP_INPUTS.map(|(name, width)| Port::input(name, width)));
        Ok(Flippable {
            design: Design {
                sources: vec![(file.clone(), rewrite(text, &memory_arrays, &counts))],
                ports,
                ..design.clone()
            },
            memories,
            words,
            bits,
        })
    }
}

/// The body of each module by its name, instances and all.
fn modules(text: &str) -> HashMap<&str, &str> {
    let starts = text.split("\nmodule ").skip(1);
    starts
        .filter_map(|rest| {
            let (name, body) = rest.split_once(" (\n")?;
            let (body, _) = body.split_once("\nendmodule")?;
            Some((name, body))
        })
        .collect()
}

/// The module of an instance that begins on this line, which the back end writes as `  MODULE INSTANCE (`.
fn instance(line: &str) -> Option<(&str, &str)> {
    let (module, rest) = line
        .strip_prefix("  ")?
        .strip_suffix(" (")?
        .split_once(' ')?;
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (plain(module) && plain(rest)).then_some((module, rest))
}

/// Memories in a module.
fn count<'a>(
    module: &'a str,
    modules: &HashMap<&'a str, &'a str>,
    counts: &mut HashMap<&'a str, u32>,
) -> u32 {
    if let Some(&known) = counts.get(module) {
        return known;
    }
    let mut sum = 0;
    for (inner, _) in modules
        .get(module)
        .into_iter()
        .flat_map(|body| body.lines().filter_map(instance))
    {
        sum += count(inner, modules, counts);
    }
    counts.insert(module, sum);
    sum
}

/// The array of a memory.
#[derive(Debug, Clone, Copy)]
struct Array {
    name: &'static str,
    bits: u32,
    words: u32,
}

impl Array {
    /// Where it is written, in the emitted text.
    fn write(&self) -> String {
        let name = self.name;
        format!("    if (write_enable) {name}[write_address] <= write_data;")
    }
}

/// Whether a module has this name, or this name and a number.
fn is_called(module: &str, name: &str) -> bool {
    module.strip_prefix(name).is_some_and(|rest| {
        let number = rest.strip_prefix('_');
        rest.is_empty() || number.is_some_and(|number| number.parse::<u32>().is_ok())
    })
}

/// The array of `reg [B:0] words [0:W];`.
fn array_of(body: &str) -> Option<Array> {
    ARRAYS.into_iter().find_map(|name| {
        let declared = format!("] {name} [0:");
        let line = body.lines().find(|line| line.contains(&declared))?;
        let (_, rest) = line.split_once("reg [")?;
        let (top, rest) = rest.split_once(&format!(":0{declared}"))?;
        let (last, _) = rest.split_once(']')?;
        Some(Array {
            name,
            bits: top.parse::<u32>().ok()? + 1,
            words: last.parse::<u32>().ok()? + 1,
        })
    })
}

fn rewrite(text: &str, arrays: &HashMap<&str, Array>, counts: &HashMap<&str, u32>) -> String {
    let held = |module: &str| counts.get(module).copied().filter(|&count| count > 0);
    let pass: String = FLIP_INPUTS
        .map(|(name, _)| format!(" .{name}({name}),"))
        .concat();
    let mut out = String::new();
    let (mut inside, mut below) = (false, 0);
    let mut array = None;
    for line in text.lines() {
        let head = line
            .strip_prefix("module ")
            .and_then(|rest| rest.strip_suffix(" ("));
        if let Some(module) = head {
            inside = held(module).is_some();
            array = arrays.get(module);
            below = 0;
            if inside {
                let _ = writeln!(
                    out,
                    "module {module} #(\n  parameter [15:0] FLIP_BELOW = 16'd0\n) ("
                );
                for (name, width) in FLIP_INPUTS {
                    let _ = writeln!(out, "  input wire [{}:0] {name},", width - 1);
                }
                continue;
            }
        } else if let Some((module, name)) = instance(line).filter(|_| inside) {
            if let Some(count) = held(module) {
                let _ = writeln!(
                    out,
                    "  {module} #(.FLIP_BELOW(FLIP_BELOW + 16'd{below})) {name} (\n   {pass}"
                );
                below += count;
                continue;
            }
        } else if let Some(array) = array.filter(|array| line == array.write()) {
            let address = array.words.next_power_of_two().trailing_zeros().max(1) - 1;
            let (name, bits) = (array.name, array.bits);
            let word = format!("{name}[flip_word[{address}:0]]");
            let _ = writeln!(
                out,
                "    if (flip_memory == FLIP_BELOW + 16'd1) {word} <= {word} ^ ({bits}'d1 << flip_bit);"
            );
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
// head
module pair (
  input  wire        clock
);
  store first (
    .clock (clock)
  );
  other plain (
    .clock (clock)
  );
  store second (
    .clock (clock)
  );
endmodule

module other (
  input  wire        clock
);
endmodule

module store (
  input  wire        clock
);
  reg [36:0] words [0:15];
  always @(posedge clock) begin
    if (write_enable) words[write_address] <= write_data;
  end
endmodule
";

    fn design() -> Design {
        Design {
            top: "pair".into(),
            clock: Some("clock".into()),
            sources: vec![("pair.v".into(), TEXT.into())],
            ports: vec![Port::input("a", 1)],
        }
    }

    #[test]
    fn every_memory_has_a_number_and_everything_else_stays() {
        let flippable = Flippable::new(&design(), "store").expect("there is one");
        let text = &flippable.design.sources[0].1;
        assert_eq!(
            (flippable.memories, flippable.words, flippable.bits),
            (2, 16, 37)
        );
        assert!(text.contains("  store #(.FLIP_BELOW(FLIP_BELOW + 16'd0)) first (\n"));
        assert!(text.contains("  store #(.FLIP_BELOW(FLIP_BELOW + 16'd1)) second (\n"));
        assert!(text.contains("  other plain (\n    .clock (clock)\n"));
        assert!(text.contains("words[flip_word[3:0]] <= words[flip_word[3:0]] ^ (37'd1 << flip_bit);\n    if (write_enable)"));
        assert_eq!(flippable.design.ports.len(), 4);
    }

    #[test]
    fn a_text_without_the_memory_is_refused() {
        let error = Flippable::new(&design(), "bank_memory").expect_err("there is none");
        assert!(
            error.to_string().contains("no module bank_memory"),
            "{error}"
        );
    }
}
