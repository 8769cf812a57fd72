//! Rewrites the flat text that yosys prints into the emitted language, which the built-in simulator reads.
//!
//! yosys prints one module whose ports are declared in its body, escaped names, initial values in declarations, don't-care bits and, for a memory, a
//! write of each bit. The meaning stays: a don't-care bit is 0, as in a simulation that starts with zeros, and writes of a word's bits become one write of
//! the word with those bits replaced.

use super::list::SELECT;
use super::MutationError;
use crate::faults::site;
use bloomline_bench::verilator::Design;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// `design`, whose text yosys printed, in the emitted language. The selecting input becomes a signal for each of `mutants`, [`site`].
///
/// # Errors
/// [`MutationError::Text`] for a line that yosys is not known to print.
pub(super) fn in_emitted_language(
    design: &Design,
    mutants: usize,
) -> Result<Design, MutationError> {
    let (name, text) = design.sources.first().ok_or_else(|| unknown("no text"))?;
    let mut flat = Flat::default();
    let mut lines = text.lines().skip_while(|line| !line.starts_with("module "));
    // the header repeats the names of the ports that follow
    lines
        .find(|line| line.contains(");"))
        .ok_or_else(|| unknown("a module without ports"))?;
    let body: Vec<String> = lines.map(|line| flat.plain(line)).collect();
    flat.declarations(&body)?;
    flat.body(&body)?;
    for number in 1..=mutants {
        let _ = writeln!(flat.out, "  wire {} = 1'b0;", site(number));
    }
    let ports: Vec<String> = flat
        .ports
        .iter()
        .map(|(direction, range, name)| {
            let kind = if flat.registers.contains(name) {
                "reg"
            } else {
                "wire"
            };
            format!("  {direction} {kind} {range} {name}")
        })
        .collect();
    let top = &design.top;
    let text = format!(
        "// by yosys\n\nmodule {top} (\n{}\n);\n{}endmodule\n",
        ports.join(",\n"),
        flat.out
    );
    let mut ports = design.ports.clone();
    ports.retain(|port| port.name != SELECT);
    Ok(Design {
        sources: vec![(name.clone(), text)],
        ports,
        ..design.clone()
    })
}

fn unknown(line: &str) -> MutationError {
    MutationError::Text {
        line: line.trim().to_string(),
    }
}

#[derive(Default)]
struct Flat {
    out: String,
    /// Direction, range and name.
    ports: Vec<(String, String, String)>,
    /// Names of registers.
    registers: HashSet<String>,
    widths: HashMap<String, usize>,
    /// Plain names of escaped ones.
    names: HashMap<String, String>,
    parts: usize,
}

impl Flat {
    /// A line without escaped names and don't-care bits.
    fn plain(&mut self, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(at) = rest.find(['\\', '\'']) {
            out.push_str(&rest[..at]);
            if rest[at..].starts_with('\\') {
                let length = rest[at..].find(' ').unwrap_or(rest.len() - at);
                let count = self.names.len();
                let plain = |name: &str| {
                    let plain = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
                    format!("n{count}{plain}")
                };
                let name = &rest[at..at + length];
                let known = self.names.entry(name.to_string());
                out.push_str(known.or_insert_with(|| plain(name)));
                rest = rest.get(at + length + 1..).unwrap_or("");
            } else {
                let digits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '?';
                let length = 1 + rest[at + 1..]
                    .find(|c| !digits(c))
                    .unwrap_or(rest.len() - at - 1);
                out.push_str(&rest[at..at + length].replace(['x', 'z', '?'], "0"));
                rest = &rest[at + length..];
            }
        }
        out + rest
    }

    /// Reads ports and widths.
    fn declarations(&mut self, body: &[String]) -> Result<(), MutationError> {
        for line in body {
            let mut words = line.split_whitespace();
            let kind = words.next().unwrap_or("");
            if !["input", "output", "wire", "reg"].contains(&kind) {
                continue;
            }
            let rest = line.trim_start()[kind.len()..].trim_start();
            let rest = rest.strip_prefix("signed ").unwrap_or(rest);
            let (range, rest) = match rest.strip_prefix('[').and_then(|r| r.split_once("] ")) {
                Some((range, rest)) => (format!("[{range}]"), rest),
                None => (String::new(), rest),
            };
            let end = rest.find([' ', ';']).ok_or_else(|| unknown(line))?;
            let name = rest[..end].to_string();
            let width = match range[..].strip_prefix('[').and_then(|r| r.split_once(':')) {
                Some((left, _)) => left.parse::<usize>().map_err(|_| unknown(line))? + 1,
                None => 1,
            };
            match kind {
                "input" | "output" if name != SELECT => {
                    self.ports.push((kind.into(), range, name));
                }
                "reg" => {
                    self.registers.insert(name.clone());
                    self.widths.insert(name, width);
                }
                _ => {
                    self.widths.insert(name, width);
                }
            }
        }
        Ok(())
    }

    fn is_port(&self, name: &str) -> bool {
        name == SELECT || self.ports.iter().any(|(.., port)| port == name)
    }

    fn body(&mut self, body: &[String]) -> Result<(), MutationError> {
        let mut at = 0;
        while let Some(line) = body.get(at) {
            at += 1;
            let shifted;
            let line = match line.contains(" +: ") {
                true => {
                    shifted = without_part_select(line).ok_or_else(|| unknown(line))?;
                    &shifted
                }
                false => line,
            };
            let words = line.trim_start();
            if words.starts_with("input ") || words.starts_with("output ") {
                continue;
            }
            if words == "endmodule" {
                return Ok(());
            }
            if let Some(rest) = words.strip_prefix("wire ") {
                let rest = rest.strip_prefix("signed ").unwrap_or(rest);
                let name = rest.rsplit(' ').next().unwrap_or("").trim_end_matches(';');
                if !self.is_port(name) {
                    let _ = writeln!(self.out, "  wire {rest}");
                }
            } else if let Some(rest) = words.strip_prefix("reg ") {
                self.register(rest)?;
            } else if words.starts_with("assign {") {
                self.parts_of(words)?;
            } else if let Some((wire, number)) = selected(words) {
                let _ = writeln!(self.out, "  assign {wire} = {};", site(number));
            } else if words == "always @(posedge clock) begin" {
                let length = body[at..].iter().position(|line| line == "  end");
                let length = length.ok_or_else(|| unknown(line))?;
                self.memory(&body[at..at + length])?;
                at += length + 1;
            } else {
                let _ = writeln!(self.out, "{line}");
            }
        }
        Err(unknown("a module without an end"))
    }

    /// `[7:0] name = 8'h00;`, `name;` or `[7:0] name [15:0];`.
    fn register(&mut self, rest: &str) -> Result<(), MutationError> {
        let rest = rest.trim_end_matches(';');
        let (declared, value) = match rest.split_once(" = ") {
            Some((declared, value)) => (declared.trim_end(), Some(value)),
            None => (rest.trim_end(), None),
        };
        let (head, words) = match declared
            .strip_suffix(":0]")
            .and_then(|d| d.rsplit_once(" ["))
        {
            Some((head, last)) => (head.trim_end(), format!(" [0:{last}]")),
            None => (declared, String::new()),
        };
        let name = head.rsplit(' ').next().unwrap_or("");
        if !self.is_port(name) {
            let _ = writeln!(self.out, "  reg {head}{words};");
        }
        if let Some(value) = value {
            let _ = writeln!(self.out, "  initial {name} = {value};");
        }
        Ok(())
    }

    /// `assign { a[3:2], b, c[0] } = value;`, part by part.
    fn parts_of(&mut self, line: &str) -> Result<(), MutationError> {
        let split = || {
            let (parts, value) = line.strip_prefix("assign {")?.split_once(" } = ")?;
            Some((parts.trim(), value.strip_suffix(';')?))
        };
        let (parts, value) = split().ok_or_else(|| unknown(line))?;
        let mut widths = Vec::new();
        for part in parts.split(',').map(str::trim) {
            let width = match part.strip_suffix(']').and_then(|p| p.split_once('[')) {
                Some((_, select)) => match select.split_once(':') {
                    Some((high, low)) => high
                        .parse::<usize>()
                        .ok()
                        .zip(low.parse::<usize>().ok())
                        .and_then(|(high, low)| Some(high.checked_sub(low)? + 1)),
                    None => Some(1),
                },
                None => self.widths.get(part).copied(),
            };
            widths.push((part, width.ok_or_else(|| unknown(line))?));
        }
        let mut left: usize = widths.iter().map(|(_, width)| width).sum();
        self.parts += 1;
        let whole = format!("parts_{}", self.parts);
        let _ = writeln!(self.out, "  wire [{}:0] {whole} = {value};", left - 1);
        for (part, width) in widths {
            let low = left - width;
            let _ = writeln!(self.out, "  assign {part} = {whole}[{}:{low}];", left - 1);
            left = low;
        }
        Ok(())
    }

    /// The process of a memory: flips of its words, then writes of bits of one word.
    fn memory(&mut self, lines: &[String]) -> Result<(), MutationError> {
        let mut flips = Vec::new();
        // condition, bits (high, low) and data, the lowest bits first
        let mut writes: Vec<(&str, &str, &str)> = Vec::new();
        let mut target = None;
        let mut lines = lines.iter();
        while let Some(line) = lines.next() {
            let wrong = || unknown(line);
            let words = line.trim();
            if let Some(at) = words.find(") n").filter(|_| words.contains("<=")) {
                let (condition, flip) = (&words[4..at], &words[at + 2..]);
                let (word, value) = flip.split_once(" <= ").ok_or_else(wrong)?;
                let (_, change) = value.split_once(" ^ ").ok_or_else(wrong)?;
                let (_, address) = memory_select(word).ok_or_else(wrong)?;
                flips.push((condition, address.0, change.trim_end_matches(';')));
                let _ = writeln!(self.out, "  always @(posedge clock) begin\n  {words}");
                continue;
            }
            let (condition, write) =
                match words.strip_prefix("if (").and_then(|c| c.strip_suffix(')')) {
                    Some(condition) => (condition, lines.next().ok_or_else(wrong)?.trim()),
                    None => ("1'b1", words),
                };
            let split = || write.strip_suffix(';')?.split_once(" <= ");
            let (word, data) = split().ok_or_else(wrong)?;
            let (memory, (address, bits)) = memory_select(word).ok_or_else(wrong)?;
            if *target.get_or_insert((memory, address)) != (memory, address) {
                return Err(wrong());
            }
            writes.push((condition, bits, data));
        }
        let Some((memory, address)) = target else {
            return Ok(());
        };
        if flips.is_empty() {
            self.out += "  always @(posedge clock) begin\n";
        }
        if let [(condition, "", data)] = writes[..] {
            let _ = writeln!(
                self.out,
                "    if ({condition}) {memory}[{address}] <= {data};"
            );
        } else {
            let mut old = format!("{memory}[{address}]");
            for (condition, flipped, change) in flips {
                old = format!("({old} ^ (({condition}) && {flipped} == {address} ? {change} : {change} ^ {change}))");
            }
            let (mut mask, mut value) = (Vec::new(), Vec::new());
            for (condition, bits, data) in writes.into_iter().rev() {
                let width = width_of(bits).ok_or_else(|| unknown(memory))?;
                mask.push(format!("{{{width}{{{condition}}}}}"));
                value.push(data);
            }
            self.parts += 1;
            let name = format!("parts_{}", self.parts);
            let width = self.widths.get(memory).copied().unwrap_or(1);
            let _ = writeln!(
                self.out,
                "    if (|{name}) {memory}[{address}] <= ({old} & ~{name}) | ({{{}}} & {name});\n  end\n  wire [{}:0] {name} = {{{}}};",
                value.join(", "),
                width - 1,
                mask.join(", ")
            );
            return Ok(());
        }
        self.out += "  end\n";
        Ok(())
    }
}

/// `assign wire = name[place +: 3];` as a shift, whose upper bits the assignment drops; one bit as a select.
fn without_part_select(line: &str) -> Option<String> {
    let (target, value) = line.split_once(" = ")?;
    let (name, (select, "")) = memory_select(value.strip_suffix(';')?)? else {
        return None;
    };
    let (place, width) = select.split_once(" +: ")?;
    Some(match width {
        "1" => format!("{target} = {name}[{place}];"),
        _ => format!("{target} = {name} >> ({place});"),
    })
}

/// `assign wire = mutant == 16'h0007;`: the wire, and 7.
fn selected(line: &str) -> Option<(&str, usize)> {
    let rest = line.strip_prefix("assign ")?.strip_suffix(';')?;
    let (wire, value) = rest.split_once(&format!(" = {SELECT} == 16'h"))?;
    Some((wire, usize::from_str_radix(value, 16).ok()?))
}

/// `memory[address]` or `memory[address][bits]`: the memory, and address and bits.
fn memory_select(word: &str) -> Option<(&str, (&str, &str))> {
    let open = word.find('[')?;
    let mut depth = 0;
    let close = word[open..].find(|c| {
        depth += match c {
            '[' => 1,
            ']' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    let close = open + close;
    let bits = word[close + 1..].trim();
    let bits = match bits {
        "" => "",
        bits => bits.strip_prefix('[')?.strip_suffix(']')?,
    };
    Some((&word[..open], (&word[open + 1..close], bits)))
}

/// Width of `high:low`.
fn width_of(bits: &str) -> Option<usize> {
    let (high, low) = bits.split_once(':')?;
    let (high, low): (usize, usize) = (high.parse().ok()?, low.parse().ok()?);
    Some(high.checked_sub(low)? + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::LaneDesign;
    use bloomline_bench::verilator::Port;
    use bloomline_engine::Initial;

    /// One of everything that yosys is known to print.
    const TEXT: &str = "\
/* Generated by Yosys */

module top(clock, a, place, q, r,
 mutant);
  input clock;
  wire clock;
  input [3:0] a;
  wire [3:0] a;
  input [1:0] place;
  wire [1:0] place;
  output [3:0] q;
  wire [3:0] q;
  output r;
  reg r = 1'h0;
  input [15:0] mutant;
  wire [15:0] mutant;
  wire signed [31:0] \\part.i ;
  wire [3:0] \\part.value ;
  wire \\part.high ;
  wire [2:0] \\part.low ;
  wire _0_;
  wire [3:0] _1_;
  wire _4_;
  reg [3:0] \\part.words  [3:0];
  initial begin
    \\part.words [0] = 4'h3;
    \\part.words [1] = 4'hx;
    \\part.words [2] = 4'h0;
    \\part.words [3] = 4'h0;
  end
  always @(posedge clock) begin
    if (_1_[0])
      \\part.words [place][0:0] <= a[0];
    if (_1_[1])
      \\part.words [place][3:1] <= a[3:1];
  end
  assign q = \\part.words [place];
  assign _1_ = 4'hf;
  reg [3:0] _2_ = 4'b0x01;
  always @(posedge clock)
    _2_ <= a;
  assign { \\part.high , \\part.low [2:1], \\part.low [0] } = _2_;
  assign _0_ = mutant == 16'h0001;
  wire [3:0] _3_ = { \\part.high , \\part.low  };
  assign _4_ = _3_[place +: 1];
  always @(posedge clock)
    if (_0_) r <= 1'h1;
    else r <= _4_;
endmodule
";

    #[test]
    fn everything_that_yosys_prints_means_the_same_in_the_emitted_language() {
        let design = Design {
            top: "top".into(),
            clock: Some("clock".into()),
            sources: vec![("top.v".into(), TEXT.into())],
            ports: vec![
                Port::input("a", 4),
                Port::input("place", 2),
                Port::output("q", 4),
                Port::output("r", 1),
                Port::input(SELECT, 16),
            ],
        };
        let flat = in_emitted_language(&design, 1).expect("every line is known");
        let read = LaneDesign::of_text(flat, 1).expect("the built-in simulator reads it");
        let (mut lanes, _) = read.open(&[1], Initial::Zeros).expect("one clock");
        // a, place; q and r before the clock, of the unchanged text
        let mut value = 0b0001;
        let (mut words, mut r) = ([3, 0, 0, 0], 0);
        for (a, place) in [(5, 0), (0xE, 1), (7, 1), (9, 3), (0, 0), (2, 2)] {
            lanes.set_input_everywhere(0, a).expect("a word");
            lanes.set_input_everywhere(1, place).expect("a word");
            lanes.clock();
            let (mut q_of, mut r_of) = ([0; 64], [0; 64]);
            lanes.output(0, &mut q_of).expect("q");
            lanes.output(1, &mut r_of).expect("r");
            assert_eq!((q_of[0], r_of[0]), (words[place as usize], r));
            words[place as usize] = a;
            r = value >> place & 1;
            value = a;
        }
        // the mutant sets r
        let mut r_of = [0; 64];
        lanes.output(1, &mut r_of).expect("r");
        assert_eq!((r_of[1], r_of[2]), (1, r_of[0]));
    }

    #[test]
    fn a_line_that_yosys_does_not_print_is_an_error() {
        for line in ["assign { a, b = c;", "  assign x = y[2 +: 3] + z;"] {
            let design = Design {
                top: "top".into(),
                clock: None,
                sources: vec![(
                    "top.v".into(),
                    format!("module top(a);\n  input a;\n{line}\nendmodule\n"),
                )],
                ports: vec![Port::input("a", 1)],
            };
            let error = in_emitted_language(&design, 0).expect_err(line);
            assert!(error.to_string().contains("cannot be rewritten"), "{error}");
        }
    }
}
