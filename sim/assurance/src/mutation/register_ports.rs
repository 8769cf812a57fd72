//! Exposes the registers of a design, and its large memories, as ports.

use std::collections::HashMap;
use std::fmt::Write;

/// First port number given to registers; yosys renumbers ports when it reads them.
const FIRST_PORT: usize = 100_000;

/// Yosys' text of a flat design of `$dff` and `$mem_v2` cells with every register's output an input `r.q` and its input an output `r.d`; `r` is the wire that it drives, with its power-up
/// value. What drives a part of a wire is called by it and a number, and has no power-up value then. (`expose -evert-dff` would make such ports of every other name of the wire, too.)
/// What a memory is asked and told becomes outputs, what it answers an input: as long as the former are the same in two texts, so is the latter.
pub(super) fn expose_registers(text: &str) -> String {
    let mut exposed = String::with_capacity(text.len());
    let mut cell: Option<Cell> = None;
    let mut ports = FIRST_PORT;
    for line in text.lines() {
        let words = line.trim_start();
        match &mut cell {
            None => {
                let mut parts = words.split(' ');
                match (parts.next(), parts.next()) {
                    (Some("cell"), Some(kind @ ("$dff" | "$mem_v2"))) => {
                        cell = Some(Cell::of(kind));
                    }
                    _ => {
                        exposed += line;
                        exposed.push('\n');
                    }
                }
            }
            Some(found) => match words.split_once(" \\") {
                Some((kind, rest)) if kind.starts_with("parameter") => {
                    found.parameters.extend(rest.split_once(' '));
                }
                Some(("connect", rest)) => found.pins.extend(rest.split_once(' ')),
                _ if words == "end" => {
                    exposed += &found.ports(&mut ports);
                    cell = None;
                }
                _ => {}
            },
        }
    }
    exposed
}

/// What is asked of a memory and told to it: pins, and the parameters whose product is their width.
const OF_MEMORY: [(&str, [&str; 2]); 8] = [
    ("RD_ADDR", ["RD_PORTS", "ABITS"]),
    ("RD_EN", ["RD_PORTS", ""]),
    ("RD_ARST", ["RD_PORTS", ""]),
    ("RD_SRST", ["RD_PORTS", ""]),
    ("WR_ADDR", ["WR_PORTS", "ABITS"]),
    ("WR_DATA", ["WR_PORTS", "WIDTH"]),
    ("WR_EN", ["WR_PORTS", "WIDTH"]),
    ("RD_DATA", ["RD_PORTS", "WIDTH"]),
];

/// A register or a memory.
struct Cell<'a> {
    kind: &'a str,
    parameters: HashMap<&'a str, &'a str>,
    pins: HashMap<&'a str, &'a str>,
}

impl<'a> Cell<'a> {
    fn of(kind: &'a str) -> Self {
        Cell {
            kind,
            parameters: HashMap::new(),
            pins: HashMap::new(),
        }
    }

    /// The ports that take its place, from this number on.
    fn ports(&self, port: &mut usize) -> String {
        let pin = |name: &str| self.pins.get(name).copied().unwrap_or_default();
        let number = *port;
        match self.kind {
            "$dff" => {
                let name = self.name(pin("Q"), (number - FIRST_PORT) / 2);
                *port += 2;
                let width = self.parameters.get("WIDTH").copied().unwrap_or("1");
                format!(
                    "  wire width {width} input {number} {name}.q\n  wire width {width} output {} {name}.d\n  connect {output} {name}.q\n  connect {name}.d {input}\n",
                    number + 1,
                    output = pin("Q"),
                    input = pin("D"),
                )
            }
            _ => {
                let value =
                    |name: &&str| -> Option<usize> { self.parameters.get(name)?.parse().ok() };
                let mut text = String::new();
                for (name, factors) in OF_MEMORY {
                    let width: usize = factors.iter().filter_map(value).product();
                    let memory = format!("\\memory.{number}.{name}");
                    let (direction, from, to) = match name {
                        "RD_DATA" => ("input", memory.as_str(), pin(name)),
                        _ => ("output", pin(name), memory.as_str()),
                    };
                    let _ = write!(
                        text,
                        "  wire width {width} {direction} {port} {memory}\n  connect {to} {from}\n"
                    );
                    *port += 1;
                }
                text
            }
        }
    }

    fn name(&self, output: &str, number: usize) -> String {
        let wire = output.trim_start_matches("{ ").split(' ').next();
        match wire {
            Some(wire) if wire == output && wire.starts_with('\\') => wire.to_string(),
            Some(wire) if wire.starts_with('\\') => format!("{wire}.{number}"),
            _ => format!("\\register.{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::expose_registers;

    #[test]
    fn a_register_is_two_ports_called_by_the_wire_that_it_drives() {
        let cell = |output: &str| {
            format!(
                "  cell $dff $procdff$1\n    parameter \\WIDTH 3\n    parameter \\CLK_POLARITY 1'1\n    connect \\D $0\\a\n    connect \\Q {output}\n    connect \\CLK \\clock\n  end\n"
            )
        };
        let before = format!("  wire width 3 \\a\n{}  connect \\b \\a\n", cell("\\a"));
        let after = "  wire width 3 \\a\n  wire width 3 input 100000 \\a.q\n  wire width 3 output 100001 \\a.d\n  connect \\a \\a.q\n  connect \\a.d $0\\a\n  connect \\b \\a\n";
        assert_eq!(expose_registers(&before), after);
        assert!(expose_registers(&cell("\\a [2:0]")).contains("output 100001 \\a.0.d"));
        assert!(
            expose_registers(&cell("{ \\a [2] \\b }")).contains("connect { \\a [2] \\b } \\a.0.q")
        );
        assert!(expose_registers(&cell("$auto$1")).contains("\\register.0.q"));
    }

    #[test]
    fn a_memory_is_ports_for_what_it_is_asked_and_answers() {
        let cell = "  cell $mem_v2 $memory$1\n    parameter signed \\ABITS 12\n    parameter signed \\RD_PORTS 2\n    parameter signed \\WR_PORTS 1\n    parameter signed \\WIDTH 10\n    \
                    connect \\RD_ADDR { \\a \\b }\n    connect \\RD_DATA \\read\n    connect \\WR_EN { 10 { \\w } }\n  end\n";
        let ports = expose_registers(cell);
        for line in [
            "  wire width 24 output 100000 \\memory.100000.RD_ADDR\n  connect \\memory.100000.RD_ADDR { \\a \\b }\n",
            "  wire width 10 output 100006 \\memory.100000.WR_EN\n  connect \\memory.100000.WR_EN { 10 { \\w } }\n",
            "  wire width 20 input 100007 \\memory.100000.RD_DATA\n  connect \\read \\memory.100000.RD_DATA\n",
        ] {
            assert!(ports.contains(line), "{ports}");
        }
    }
}
