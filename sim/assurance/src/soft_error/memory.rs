//! Instruments a Verilog text so that memory bits can be flipped.

use super::SoftErrorError;
use bloomline_bench::verilator::{Design, Port};
use std::collections::HashMap;
use std::fmt::Write;

/// The inputs that flip a bit, the last of the design's: the memory by its number from 1 (0: none), the word, the bit.
pub const FLIP_INPUTS: [(&str, usize); 3] =
    [("flip_memory", 16), ("flip_word", 32), ("flip_bit", 8)];
/// Names of memory arrays in the emitted text: of words, and of cells.
const ARRAYS: [&str; 2] = ["words", "cells"];

/// A design with inputs that flip a bit of one of its memories as the clock ends; what is written in that clock wins.
///
/// Memories are numbered from 1 in the order in which the text instantiates them, from the top down.
#[derive(Debug, Clone)]
pub struct Flippable {
    /// The design; its last inputs are [`FLIP_INPUTS`].
    pub design: Design,
    /// Number of memories.
    pub memories: u32,
    /// Path of instances and array of each memory, separated by dots.
    arrays: Vec<(String, Array)>,
    /// Words of each memory; of the largest where they differ.
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
        let written = |(name, array): (&&str, &Array)| {
            let writes = array.writes();
            writes.iter().any(|write| modules[name].contains(write))
        };
        if !memory_arrays.iter().all(written) {
            return Err(missing("words[write_address] <= write_data;"));
        }
        let held = |module: &str| arrays_in(module, &modules, &memory_arrays);
        let arrays = held(&design.top);
        let counts = modules
            .keys()
            .map(|&module| (module, held(module).len() as u32))
            .collect();
        let mut ports = design.ports.clone();
        ports.extend(FLIP_INPUTS.map(|(name, width)| Port::input(name, width)));
        Ok(Flippable {
            design: Design {
                sources: vec![(file.clone(), rewrite(text, &memory_arrays, &counts))],
                ports,
                ..design.clone()
            },
            memories: arrays.len() as u32,
            arrays,
            words,
            bits,
        })
    }

    /// `flat`, which yosys made one module of the same design, with such inputs ahead of those that it has more.
    ///
    /// # Errors
    /// [`SoftErrorError::Memory`] when one of the memories is not there, or is not written as yosys writes memories.
    pub fn in_flat(&self, flat: &Design) -> Result<Design, SoftErrorError> {
        let missing = |memory: &str, expected| SoftErrorError::Memory {
            top: flat.top.clone(),
            module: memory.into(),
            expected,
        };
        let [(file, text)] = flat.sources.as_slice() else {
            return Err(missing(&flat.top, "one source text"));
        };
        let head = format!("\nmodule {}(", flat.top);
        let (before, names, body) = text
            .split_once(&head)
            .and_then(|(before, rest)| {
                let (names, body) = rest.split_once(");\n")?;
                Some((before, names, body))
            })
            .ok_or_else(|| missing(&flat.top, "module ..(..);"))?;
        let declared =
            FLIP_INPUTS.map(|(name, width)| format!("  input [{}:0] {name};\n", width - 1));
        let mut body = declared.concat() + body;
        for (number, (path, array)) in self.arrays.iter().enumerate() {
            let declared = format!("\\{path}  [{}:0];\n", array.words - 1);
            let clocked = "  always @(posedge clock) begin\n";
            let at = body
                .find(&declared)
                .and_then(|at| Some(at + body[at..].find(clocked)? + clocked.len()))
                .ok_or_else(|| missing(path, "an array that is written by the clock"))?;
            let flip = array.flip(&format!("\\{path} "), &format!("16'd{}", number + 1));
            body.insert_str(at, &flip);
        }
        let flips = FLIP_INPUTS.map(|(name, _)| name).join(", ");
        let mut ports = flat.ports.clone();
        let own = self.design.ports.len() - FLIP_INPUTS.len();
        ports.splice(
            own..own,
            FLIP_INPUTS.map(|(name, width)| Port::input(name, width)),
        );
        Ok(Design {
            sources: vec![(
                file.clone(),
                format!("{before}{head}{flips}, {names});\n{body}"),
            )],
            ports,
            ..flat.clone()
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

/// The memories in a module, in order.
fn arrays_in(
    module: &str,
    modules: &HashMap<&str, &str>,
    arrays: &HashMap<&str, Array>,
) -> Vec<(String, Array)> {
    if let Some(&array) = arrays.get(module) {
        return vec![(array.name.to_owned(), array)];
    }
    let body = modules.get(module).into_iter();
    let instances = body.flat_map(|body| body.lines().filter_map(instance));
    instances
        .flat_map(|(inner, name)| {
            let held = arrays_in(inner, modules, arrays);
            held.into_iter()
                .map(move |(path, array)| (format!("{name}.{path}"), array))
        })
        .collect()
}

/// The array of a memory.
#[derive(Debug, Clone, Copy)]
struct Array {
    name: &'static str,
    bits: u32,
    words: u32,
}

impl Array {
    /// The statements of the emitted text of which one writes it: through a port that writes, or through one that reads and writes.
    fn writes(&self) -> [String; 2] {
        [("write_enable", "write_address"), ("write", "b_address")].map(|(enable, address)| {
            format!("    if ({enable}) {}[{address}] <= write_data;", self.name)
        })
    }

    /// The statement that flips a bit of it, for an array called `name` with this number.
    fn flip(&self, name: &str, number: &str) -> String {
        let bits = self.bits;
        let address = self.words.next_power_of_two().trailing_zeros().max(1) - 1;
        let word = format!("{name}[flip_word[{address}:0]]");
        format!("    if (flip_memory == {number}) {word} <= {word} ^ ({bits}'d1 << flip_bit);\n")
    }
}

/// Whether a module has this name, or this name with a number behind it.
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
    let [(memory, bits), others @ ..] = FLIP_INPUTS;
    let pass = others
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
            // a module's memories are numbered from 1, whatever is instantiated ahead of it
            inside = held(module).is_some();
            array = arrays.get(module);
            below = 0;
            if inside {
                let _ = writeln!(out, "{line}");
                for (name, width) in FLIP_INPUTS {
                    let _ = writeln!(out, "  input wire [{}:0] {name},", width - 1);
                }
                continue;
            }
        } else if let Some((module, name)) = instance(line).filter(|_| inside) {
            if let Some(count) = held(module) {
                let number = format!("{memory} - {bits}'d{below}");
                let _ = writeln!(out, "  {module} {name} (\n    .{memory}({number}),{pass}");
                below += count;
                continue;
            }
        } else if let Some(array) =
            array.filter(|array| array.writes().iter().any(|write| line == write))
        {
            out += &array.flip(array.name, "16'd1");
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
        assert!(text.contains("  store first (\n    .flip_memory(flip_memory - 16'd0),"));
        assert!(text.contains("  store second (\n    .flip_memory(flip_memory - 16'd1),"));
        assert!(text.contains("  other plain (\n    .clock (clock)\n"));
        assert!(text.contains("words[flip_word[3:0]] <= words[flip_word[3:0]] ^ (37'd1 << flip_bit);\n    if (write_enable)"));
        assert_eq!(flippable.design.ports.len(), 4);
    }

    const FLAT: &str = "\
/* by yosys */

module pair(clock, a,
  chosen);
  input clock;
  reg [36:0] \\second.words  [15:0];
  initial begin
    \\second.words [0] = 37'h0;
  end
  always @(posedge clock) begin
    if (_1_)
      \\second.words [_2_] <= _3_;
  end
  reg [36:0] \\first.words  [15:0];
  always @(posedge clock) begin
    if (_4_)
      \\first.words [_5_] <= _6_;
  end
endmodule
";

    #[test]
    fn memories_of_the_flat_text_have_the_same_numbers() {
        let flippable = Flippable::new(&design(), "store").expect("there is one");
        let flat = |text: &str| Design {
            sources: vec![("flat.v".into(), text.into())],
            ports: vec![Port::input("a", 1), Port::input("chosen", 16)],
            ..design()
        };
        let flipped = flippable.in_flat(&flat(FLAT)).expect("both are there");
        let text = &flipped.sources[0].1;
        let flip = |name: &str, number: u32| {
            let word = format!("\\{name}.words [flip_word[3:0]]");
            let flip = format!(
                "    if (flip_memory == 16'd{number}) {word} <= {word} ^ (37'd1 << flip_bit);"
            );
            format!("  always @(posedge clock) begin\n{flip}\n    if (")
        };
        assert!(text.contains(&(flip("first", 1) + "_4_)")), "{text}");
        assert!(text.contains(&(flip("second", 2) + "_1_)")), "{text}");
        assert!(text.contains("module pair(flip_memory, flip_word, flip_bit, clock, a,\n"));
        assert!(text.contains("chosen);\n  input [15:0] flip_memory;\n"));
        let names: Vec<&str> = flipped
            .ports
            .iter()
            .map(|port| port.name.as_str())
            .collect();
        assert_eq!(
            names,
            ["a", "flip_memory", "flip_word", "flip_bit", "chosen"]
        );
        let without = FLAT.replace("second.words", "third.words");
        let error = flippable.in_flat(&flat(&without)).expect_err("one is not");
        assert!(error.to_string().contains("second.words"), "{error}");
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
