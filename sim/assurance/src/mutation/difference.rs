//! Searches for an input sequence on which a mutant differs from the original, by model checking from power-up.

use super::list::{io, SELECT, SELECT_BITS};
use super::{Mutant, Mutated, MutationError};
use bloomline_toolchain::run_yosys_script;
use bloomline_toolchain::Toolchain;
use itertools::{chain, Itertools};
use std::collections::{HashMap, HashSet};
use std::fs;

/// Seconds that a search may take.
const SEARCH_SECONDS: u32 = 10;
/// Channels of AXI4-Lite that a host holds until they are accepted: `valid`, `ready` and the payload.
const HELD: [(&str, &str, &[&str]); 3] = [
    ("s_axil_awvalid", "s_axil_awready", &["s_axil_awaddr"]),
    (
        "s_axil_wvalid",
        "s_axil_wready",
        &["s_axil_wdata", "s_axil_wstrb"],
    ),
    ("s_axil_arvalid", "s_axil_arready", &["s_axil_araddr"]),
];
const RESET: &str = "reset";

/// The registers that a search follows. All others may take any value in any clock, so a proof holds whatever they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// The registers of the mutant's module. The proof: neither they nor the logic behind them ever differ.
    Module,
    /// The registers of the mutant's module, a copy for the mutant and one for the unchanged text. The proof: the logic behind them never differs, though they may.
    ModuleTwice,
    /// All registers, but not memories.
    Everything,
}

impl View {
    /// Every view, the quickest first.
    pub const ALL: [View; 3] = [View::Module, View::ModuleTwice, View::Everything];
}

/// Whether the search proves that no run from power-up shows the mutant, if the host keeps what it offers until it is taken; `false` says nothing.
///
/// ABC's property-directed reachability (`pdr`), which yosys calls with a script of one's own.
pub(super) fn never_comes(
    toolchain: &Toolchain,
    mutated: &Mutated,
    mutant: &Mutant,
    view: View,
) -> Result<bool, MutationError> {
    let module = mutant.module();
    if module.is_empty() && view != View::Everything {
        return Ok(false);
    }
    let top = &mutated.design.top;
    let folder =
        tempfile::tempdir().map_err(io("make a temporary folder in", &std::env::temp_dir()))?;
    let abc = format!(
        "read_aiger difference.aig\nscleanup\nwrite_aiger clean.aig\npdr -T {SEARCH_SECONDS}\nwrite_status status.txt\n&if\n"
    );
    // ABC is run for a design of one gate; what it searches it reads by itself
    let gate = "module gate(input a, b, output c); assign c = a & b; endmodule\n";
    for (name, text) in [
        ("exposed.il", mutated.exposed.as_str()),
        (
            "difference.v",
            &Circuit::of(&mutated.exposed).difference(top, mutant.number, &module, view),
        ),
        ("gate.v", gate),
        ("search.abc", &abc),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).map_err(io("write", &path))?;
    }
    let script = "read_rtlil exposed.il; read_verilog difference.v; hierarchy -check -top difference; proc; flatten; \
         delete t:$scopeinfo; opt_clean; opt_merge -share_all; opt_expr; opt_clean; opt_merge -share_all; opt_expr; opt_clean; \
         techmap; opt -fast; async2sync; dffunmap; simplemap; opt_clean; setundef -zero; aigmap; opt_clean; write_aiger -zinit difference.aig; \
         design -reset; read_verilog gate.v; techmap; abc9 -lut 4 -script search.abc";
    run_yosys_script(toolchain, folder.path(), script)?;
    let read = |name: &str| {
        let path = folder.path().join(name);
        fs::read(&path).map_err(io("read", &path))
    };
    let status = read("status.txt")?;
    Ok(is_constant_zero(&read("clean.aig")?) || status.starts_with(b"snl_UNSAT"))
}

/// Whether the one output of a circuit in AIGER's binary format is 0: `aig M I L O A`, a line a latch, then the output's literal.
fn is_constant_zero(aiger: &[u8]) -> bool {
    let mut lines = aiger.split(|&byte| byte == b'\n');
    let header = lines.next().map(String::from_utf8_lossy);
    let latches = header.and_then(|header| header.split(' ').nth(3)?.parse::<usize>().ok());
    latches.is_some_and(|latches| lines.nth(latches) == Some(b"0"))
}

/// The ports of a design whose registers were turned into ports.
struct Circuit {
    /// Names and widths of the design's own inputs and outputs and of its registers.
    inputs: Vec<(String, usize)>,
    outputs: Vec<(String, usize)>,
    registers: Vec<(String, usize)>,
    /// Power-up value of each register, highest bit first.
    power_up: HashMap<String, String>,
}

impl Circuit {
    /// Reads yosys' text of it: of register `r`, `r.q` is an input, `r.d` an output, and wire `r` bears the value at power-up.
    fn of(exposed: &str) -> Circuit {
        let (mut inputs, mut outputs, mut power_up) = (Vec::new(), Vec::new(), HashMap::new());
        let mut value = None;
        for line in exposed.lines() {
            let line = line.trim_start();
            if let Some(bits) = line.strip_prefix("attribute \\init ") {
                value = Some(bits);
            } else if let Some((options, name)) = line
                .strip_prefix("wire ")
                .and_then(|wire| wire.split_once('\\'))
            {
                let mut options = options.split(' ');
                let width = match options.clone().position(|option| option == "width") {
                    Some(at) => options.clone().nth(at + 1).and_then(|w| w.parse().ok()),
                    None => Some(1),
                };
                let port = (name.to_string(), width.unwrap_or(1));
                if options.clone().any(|option| option == "input") {
                    inputs.push(port);
                } else if options.any(|option| option == "output") {
                    outputs.push(port);
                }
                if let Some((_, bits)) = value.take().and_then(|value| value.split_once('\'')) {
                    power_up.insert(name.to_string(), bits.replace(['x', '-'], "0"));
                }
            } else if !line.starts_with("attribute") {
                value = None;
            }
        }
        let next: HashSet<&str> = outputs
            .iter()
            .filter_map(|(name, _)| name.strip_suffix(".d"))
            .collect();
        let register = |name: &str| {
            let name = name.strip_suffix(".q")?;
            next.contains(name).then(|| name.to_string())
        };
        let (mut registers, mut others) = (Vec::new(), Vec::new());
        for (name, width) in inputs {
            match register(&name) {
                Some(register) => registers.push((register, width)),
                None if name == SELECT => {}
                None => others.push((name, width)),
            }
        }
        let is_next = |name: &str| {
            let register = name.strip_suffix(".d");
            register.is_some_and(|name| registers.iter().any(|(register, _)| register == name))
        };
        outputs.retain(|(name, _)| !is_next(name));
        Circuit {
            inputs: others,
            outputs,
            registers,
            power_up,
        }
    }

    /// A module `difference` whose output `bad` is 1 in a clock in which the mutant shows.
    fn difference(&self, top: &str, number: u32, module: &str, view: View) -> String {
        let follows = |name: &str| {
            let within = view == View::Everything || name.starts_with(module);
            // words of memories are registers with an index; what has no value at power-up may begin with any
            within && !name.contains('[') && self.power_up.contains_key(name)
        };
        let twice = view == View::ModuleTwice;
        let (kept, free): (Vec<_>, Vec<_>) =
            self.registers.iter().partition(|(name, _)| follows(name));
        let held = |side: &str, name: &str| match twice {
            true => format!("\\{side}#{name} "),
            false => format!("\\{name}.q "),
        };
        let ports = chain!(
            self.inputs
                .iter()
                .map(|(name, width)| format!("input [{}:0] \\{name} ", width - 1)),
            free.iter()
                .map(|(name, width)| format!("input [{}:0] \\{name}.q ", width - 1)),
            ["output bad".to_string()]
        )
        .join(",\n");
        let mut text = format!("module difference({ports});\n");
        let sides: &[&str] = if twice { &["gold", "gate"] } else { &["gold"] };
        for ((name, width), side) in kept.iter().cartesian_product(sides) {
            let (register, bits) = (held(side, name), &self.power_up[name]);
            text += &format!("reg [{}:0] {register} = {width}'b{bits};\n", width - 1);
        }
        for (side, number) in [("gold", 0), ("gate", number)] {
            for (name, width) in &self.outputs {
                text += &format!("wire [{}:0] \\{side}:{name} ;\n", width - 1);
            }
            for (name, width) in &self.registers {
                text += &format!("wire [{}:0] \\{side}:{name}.d ;\n", width - 1);
            }
            let pins = chain!(
                self.inputs
                    .iter()
                    .map(|(name, _)| format!(".\\{name} (\\{name} )")),
                free.iter()
                    .map(|(name, _)| format!(".\\{name}.q (\\{name}.q )")),
                kept.iter()
                    .map(|(name, _)| format!(".\\{name}.q ({})", held(side, name))),
                self.outputs
                    .iter()
                    .map(|(name, _)| format!(".\\{name} (\\{side}:{name} )")),
                self.registers
                    .iter()
                    .map(|(name, _)| format!(".\\{name}.d (\\{side}:{name}.d )")),
                [format!(".{SELECT}({SELECT_BITS}'d{number})")]
            )
            .join(",\n");
            text += &format!("\\{top} {side}_side ({pins});\n");
        }
        for ((name, _), side) in kept.iter().cartesian_product(sides) {
            let register = held(side, name);
            text += &format!("always @(posedge clock) {register} <= \\{side}:{name}.d ;\n");
        }
        let compared = |side: &str| {
            let registers = self.registers.iter();
            let registers = registers.filter(|(name, _)| !twice || !follows(name));
            chain!(
                self.outputs
                    .iter()
                    .map(|(name, _)| format!("\\{side}:{name} ")),
                registers.map(|(name, _)| format!("\\{side}:{name}.d "))
            )
            .join(",")
        };
        let (gold, gate) = (compared("gold"), compared("gate"));
        text += &format!("wire differ = {{{gold}}} != {{{gate}}};\n");
        text += &self.keeps();
        text += "assign bad = differ && keeps;\nendmodule\n";
        text
    }

    /// The signal `keeps`: up to this clock the host has held every offer, on every channel of the design, until it was accepted.
    fn keeps(&self) -> String {
        let has = |name: &str| self.inputs.iter().any(|(input, _)| input == name);
        let width = |name: &str| self.inputs.iter().find(|(input, _)| input == name);
        let mut text = String::from("reg kept = 1'b1;\n");
        let mut keeps = String::from("kept");
        let mut clocked = String::from("kept <= keeps;");
        for (valid, ready, payload) in HELD.iter().filter(|(valid, ..)| has(valid)) {
            text += &format!("reg {valid}_stands = 1'b0;\n");
            clocked += &format!("{valid}_stands <= {valid} && !\\gold:{ready} && !{RESET};");
            keeps += &format!(" && !({valid}_stands && !{valid})");
            for &name in *payload {
                let top = width(name).map_or(0, |(_, width)| width - 1);
                text += &format!("reg [{top}:0] {name}_before = 0;\n");
                clocked += &format!("{name}_before <= {name};");
                keeps += &format!(" && !({valid}_stands && {name} != {name}_before)");
            }
        }
        text + &format!("wire keeps = {keeps};\nalways @(posedge clock) begin {clocked} end\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERTED: &str = "\
attribute \\top 1
module \\top
  attribute \\init 2'01
  wire width 2 \\part.count
  wire width 2 input 3 \\part.count.q
  wire width 2 output 4 \\part.count.d
  wire input 1 \\clock
  wire width 8 input 6 \\words[3].q
  wire width 8 output 7 \\words[3].d
  wire input 9 \\line.q.q
  wire output 10 \\line.q.d
  wire width 16 input 8 \\mutant
  wire output 2 \\ready
end
";

    #[test]
    fn ports_of_registers_are_told_from_the_designs() {
        let circuit = Circuit::of(EVERTED);
        assert_eq!(circuit.inputs, [("clock".to_string(), 1)]);
        assert_eq!(circuit.outputs, [("ready".to_string(), 1)]);
        // a register may be called q
        let registers = [("part.count", 2), ("words[3]", 8), ("line.q", 1)];
        let registers = registers.map(|(name, width)| (name.to_string(), width));
        assert_eq!(circuit.registers, registers);
        assert_eq!(circuit.power_up["part.count"], "01");
    }

    #[test]
    fn a_view_says_what_is_followed_and_what_is_free() {
        let circuit = Circuit::of(EVERTED);
        let one = circuit.difference("top", 7, "part.", View::Module);
        assert!(one.contains("reg [1:0] \\part.count.q  = 2'b01;"), "{one}");
        assert!(one.contains("input [7:0] \\words[3].q "), "{one}");
        assert!(one.contains(".mutant(16'd7)"), "{one}");
        let two = circuit.difference("top", 7, "part.", View::ModuleTwice);
        assert!(
            two.contains("\\gate#part.count  <= \\gate:part.count.d "),
            "{two}"
        );
        assert!(
            two.contains("differ = {\\gold:ready ,\\gold:words[3].d ,\\gold:line.q.d }"),
            "{two}"
        );
        let other = circuit.difference("top", 7, "other.", View::Module);
        assert!(other.contains("input [1:0] \\part.count.q "), "{other}");
    }

    #[test]
    fn an_output_that_is_zero_is_told_from_one_that_is_not() {
        assert!(is_constant_zero(b"aig 3 2 1 1 0\n2\n0\n"));
        assert!(!is_constant_zero(b"aig 3 2 1 1 0\n2\n6\n"));
        assert!(!is_constant_zero(b""));
    }
}
