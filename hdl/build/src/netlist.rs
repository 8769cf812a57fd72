//! Edits of the netlist between synthesis and placement.

use super::{BuildError, Cells};
use bloomline_toolchain::whole_file;
use serde_json::{json, Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// A flat netlist of ECP5 cells, as `write_json` of yosys writes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Netlist {
    design: Value,
    top: String,
}

/// Data pins of one of a block RAM's two ports.
const DATA_PINS: usize = 18;

impl Netlist {
    /// Reads a file.
    ///
    /// # Errors
    /// That it cannot be read, or is no netlist with a top module.
    pub fn read(file: &Path) -> Result<Netlist, BuildError> {
        let report = |problem: String| BuildError::Report {
            file: file.to_owned(),
            problem,
            tool: "yosys",
        };
        let text = std::fs::read_to_string(file).map_err(BuildError::io("read", file))?;
        let design = serde_json::from_str(&text).map_err(|error| report(error.to_string()))?;
        Netlist::new(design).map_err(report)
    }

    /// Takes a netlist that was read.
    ///
    /// # Errors
    /// What is missing.
    pub fn new(design: Value) -> Result<Netlist, String> {
        let modules = design["modules"]
            .as_object()
            .ok_or("there are no modules")?;
        let is_top = |module: &Value| !module["attributes"]["top"].is_null();
        let (top, module) = modules
            .iter()
            .find(|(_, module)| is_top(module))
            .ok_or("there is no top module")?;
        for part in ["cells", "ports"] {
            if !module[part].is_object() {
                return Err(format!("module {top} has no {part}"));
            }
        }
        let top = top.clone();
        Ok(Netlist { design, top })
    }

    /// Moves the read registers ([`Netlist::move_read_registers`]) of the netlist in a file.
    ///
    /// # Errors
    /// As [`Netlist::read`] and [`Netlist::write`].
    pub fn settle(file: &Path) -> Result<Netlist, BuildError> {
        let mut netlist = Netlist::read(file)?;
        netlist.move_read_registers();
        netlist.write(file)?;
        Ok(netlist)
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// That it cannot be written.
    pub fn write(&self, file: &Path) -> Result<(), BuildError> {
        whole_file::write(file, self.design.to_string()).map_err(BuildError::io("write", file))
    }

    /// The numbers of its cells.
    pub fn cells(&self) -> Cells {
        let mut numbers = BTreeMap::new();
        for cell in self.top_cells().values() {
            *numbers.entry(kind(cell).to_owned()).or_insert(0) += 1;
        }
        Cells::from(numbers)
    }

    /// Puts registers that hold nothing but what a block RAM reads into the block RAM, which has one behind each port (`REGMODE` of DP16KD); yosys leaves them outside
    /// (`hdl/docs/decisions/002-output-register-of-block-ram.md`). A port's registers move if every bit of it that anything reads is read by one register alone, of the
    /// port's clock, without set or reset, all with one enable or none; and if the port has no reset, and is enabled whenever the registers are, so that it does not
    /// matter whether the block's register needs the port's enable beside its own. Returns how many have moved.
    pub fn move_read_registers(&mut self) -> usize {
        let readers = self.readers();
        let tables = self.tables();
        let moves: Vec<Move> = self
            .top_cells()
            .iter()
            .filter(|(_, cell)| kind(cell) == "DP16KD")
            .flat_map(|(name, cell)| {
                let moves = port_groups(cell).iter().filter_map(|ports| {
                    let (registers, enable) =
                        self.read_registers(cell, ports, &readers, &tables)?;
                    Some(Move {
                        memory: name.clone(),
                        ports,
                        registers,
                        enable,
                    })
                });
                moves.collect::<Vec<_>>()
            })
            .collect();
        let moved = moves.iter().map(|it| it.registers.len()).sum();
        let cells = self.design["modules"][&self.top]["cells"].as_object_mut();
        let cells = cells.expect("looked at when it was made");
        moves.into_iter().for_each(|it| it.take_place(cells));
        moved
    }

    fn top_cells(&self) -> &Map<String, Value> {
        let cells = self.design["modules"][&self.top]["cells"].as_object();
        cells.expect("looked at when it was made")
    }

    /// Who reads each net: cell and pin, the top module's ports as a cell without a name.
    fn readers(&self) -> Readers<'_> {
        let mut readers: Readers = HashMap::new();
        let mut add = |cell, pin, bits: &Value| {
            for net in bits
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_u64)
            {
                readers.entry(net).or_default().push((cell, pin));
            }
        };
        let ports = self.design["modules"][&self.top]["ports"].as_object();
        for (name, port) in ports.into_iter().flatten() {
            add("", name.as_str(), &port["bits"]);
        }
        for (name, cell) in self.top_cells() {
            let directions = &cell["port_directions"];
            for (pin, bits) in cell["connections"].as_object().into_iter().flatten() {
                if directions[pin] != "output" {
                    add(name.as_str(), pin.as_str(), bits);
                }
            }
        }
        readers
    }

    /// The lookup tables of four inputs, by the nets that they drive.
    fn tables(&self) -> Tables<'_> {
        let tables = self
            .top_cells()
            .values()
            .filter(|cell| kind(cell) == "LUT4");
        let driven = tables.filter_map(|cell| Some((cell["connections"]["Z"][0].as_u64()?, cell)));
        Tables(driven.collect())
    }

    /// The registers behind `ports` of a block RAM, each with the pin that it reads, and their enable, where all of them can move.
    fn read_registers(
        &self,
        memory: &Value,
        ports: &[&str],
        readers: &Readers,
        tables: &Tables,
    ) -> Option<(Vec<(String, String)>, Value)> {
        let connections = &memory["connections"];
        let clock = &connections[format!("CLK{}", ports[0])];
        let is_free = |port: &&str| {
            connections[format!("CLK{port}")] == *clock
                && has(memory, &format!("CLK{port}MUX"), &format!("CLK{port}"))
                && has(memory, &format!("REGMODE_{port}"), "NOREG")
                && is_constant(&connections[format!("RST{port}")], "0")
        };
        if !ports.iter().all(is_free) {
            return None;
        }
        let mut registers = vec![];
        let mut enable: Option<Value> = None;
        for pin in ports.iter().flat_map(|port| output_pins(port)) {
            let Some(net) = connections[&pin][0].as_u64() else {
                continue;
            };
            match readers.get(&net).map_or(&[][..], Vec::as_slice) {
                [] => {}
                [(register, "DI")] => {
                    let of_this = self.plain_enable(register, clock)?;
                    if *enable.get_or_insert_with(|| of_this.clone()) != of_this {
                        return None;
                    }
                    registers.push((pin, (*register).to_owned()));
                }
                _ => return None,
            }
        }
        let enable = enable?;
        let shared = |port: &&str| {
            let port = &connections[format!("CE{port}")];
            is_constant(port, "1") || tables.implies(&enable[0], &port[0])
        };
        ports.iter().all(shared).then_some((registers, enable))
    }

    /// The enable of a register of `clock` that starts at 0 and is never reset, like that of a block RAM; the constant 1 of one without.
    fn plain_enable(&self, name: &str, clock: &Value) -> Option<Value> {
        let cell = self.top_cells().get(name)?;
        let connections = &cell["connections"];
        let plain = kind(cell) == "TRELLIS_FF"
            && connections["CLK"] == *clock
            && has(cell, "CLKMUX", "CLK")
            && has(cell, "REGSET", "RESET")
            && is_constant(&connections["LSR"], "0")
            && cell["attributes"]["keep"].is_null();
        match plain {
            true if has(cell, "CEMUX", "1") => Some(json!(["1"])),
            true if has(cell, "CEMUX", "CE") => Some(connections["CE"].clone()),
            _ => None,
        }
    }
}

/// Lookup tables of four inputs, by the nets that they drive.
struct Tables<'a>(HashMap<u64, &'a Value>);

impl Tables<'_> {
    /// Tables that are looked through from a net, one behind the other.
    const LEVELS: usize = 2;
    const MOST_NETS: usize = 12;
    const INPUTS: [&'static str; 4] = ["A", "B", "C", "D"];

    /// Whether one net is 1 whenever another is, for whatever the nets are that the tables behind them depend on.
    fn implies(&self, condition: &Value, implied: &Value) -> bool {
        let mut nets = vec![];
        for net in [condition, implied] {
            self.depends(net, Self::LEVELS, &mut nets);
        }
        nets.len() <= Self::MOST_NETS
            && (0..1u32 << nets.len()).all(|values| {
                let value = |net| self.value(net, Self::LEVELS, &nets, values);
                !value(condition) || value(implied)
            })
    }

    fn table(&self, net: &Value, levels: usize) -> Option<&Value> {
        (levels > 0)
            .then(|| self.0.get(&net.as_u64()?).copied())
            .flatten()
    }

    fn depends(&self, net: &Value, levels: usize, nets: &mut Vec<u64>) {
        if let Some(table) = self.table(net, levels) {
            for pin in Self::INPUTS {
                self.depends(&table["connections"][pin][0], levels - 1, nets);
            }
        } else if let Some(net) = net.as_u64().filter(|net| !nets.contains(net)) {
            nets.push(net);
        }
    }

    /// What a net is where bit `i` of `values` is what `nets[i]` is.
    fn value(&self, net: &Value, levels: usize, nets: &[u64], values: u32) -> bool {
        if let Some(table) = self.table(net, levels) {
            let input = |pin| &table["connections"][pin][0];
            let input = |pin| self.value(input(pin), levels - 1, nets, values);
            let row = (0..4).filter(|&i| input(Self::INPUTS[i])).map(|i| 1 << i);
            let row: usize = row.sum();
            // the highest row first
            let rows = table["parameters"]["INIT"].as_str().unwrap_or_default();
            return rows.trim_end().bytes().rev().nth(row) == Some(b'1');
        }
        match net.as_u64() {
            Some(net) => {
                let place = nets.iter().position(|it| *it == net);
                place.is_some_and(|place| values >> place & 1 == 1)
            }
            None => *net == "1",
        }
    }
}

/// Net to the pins that read it.
type Readers<'a> = HashMap<u64, Vec<(&'a str, &'a str)>>;

/// Registers on their way into a block RAM.
struct Move {
    memory: String,
    ports: &'static [&'static str],
    /// Output pin, and register behind it.
    registers: Vec<(String, String)>,
    enable: Value,
}

impl Move {
    fn take_place(self, cells: &mut Map<String, Value>) {
        let outputs: Vec<(String, Value)> = self
            .registers
            .into_iter()
            .filter_map(|(pin, register)| {
                let mut cell = cells.remove(&register)?;
                Some((pin, cell["connections"]["Q"].take()))
            })
            .collect();
        let memory = &mut cells[&self.memory];
        for port in self.ports {
            memory["parameters"][format!("REGMODE_{port}")] = "OUTREG".into();
            memory["connections"][format!("OCE{port}")] = self.enable.clone();
            memory["port_directions"][format!("OCE{port}")] = "input".into();
            for pin in output_pins(port) {
                if !memory["connections"][&pin].is_null() {
                    memory["connections"][pin] = json!([]);
                }
            }
        }
        for (pin, net) in outputs {
            memory["connections"][pin] = net;
        }
    }
}

fn kind(cell: &Value) -> &str {
    cell["type"].as_str().unwrap_or_default()
}

/// Whether a parameter has a value; yosys ends strings of 0 and 1 with a space, to tell them from numbers.
fn has(cell: &Value, parameter: &str, value: &str) -> bool {
    let text = cell["parameters"][parameter].as_str();
    text.is_some_and(|text| text.trim_end() == value)
}

/// Whether nothing but this value comes to a pin, or nothing at all.
fn is_constant(net: &Value, value: &str) -> bool {
    net.is_null() || *net == json!([value])
}

/// The ports that read one word together: in 36 bits its lower half comes out of port A.
fn port_groups(memory: &Value) -> &'static [&'static [&'static str]] {
    const WIDE: i64 = 36;
    let width = memory["parameters"]["DATA_WIDTH_B"].as_str();
    match width.and_then(|bits| i64::from_str_radix(bits, 2).ok()) {
        Some(WIDE) => &[&["A", "B"]],
        _ => &[&["A"], &["B"]],
    }
}

fn output_pins(port: &str) -> Vec<String> {
    (0..DATA_PINS).map(|i| format!("DO{port}{i}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMORY: &str = "memory";

    /// Nets 1 to 9 are clocks and controls, 10 and up what the memory reads, 20 and up what the registers hold.
    fn register(input: u64, output: u64) -> Value {
        json!({
            "type": "TRELLIS_FF",
            "parameters": { "CLKMUX": "CLK", "CEMUX": "1 ", "REGSET": "RESET" },
            "attributes": {},
            "port_directions": { "CLK": "input", "CE": "input", "DI": "input", "LSR": "input", "Q": "output" },
            "connections": { "CLK": [1], "CE": ["1"], "DI": [input], "LSR": ["0"], "Q": [output] }
        })
    }

    /// A memory, two bits of which each port reads: `width` bits wide, its registers as given, and a port that shows them.
    fn design(width: u32, registers: &[(&str, Value)]) -> Value {
        let mut cells = json!({
            MEMORY: {
                "type": "DP16KD",
                "parameters": {
                    "CLKAMUX": "CLKA", "CLKBMUX": "CLKB", "REGMODE_A": "NOREG", "REGMODE_B": "NOREG",
                    "DATA_WIDTH_B": format!("{width:032b}")
                },
                "port_directions": {
                    "CLKA": "input", "CLKB": "input", "DOA0": "output", "DOA1": "output", "DOB0": "output", "DOB1": "output"
                },
                "connections": {
                    "CLKA": [1], "CLKB": [1], "DOA0": [10], "DOA1": [11], "DOB0": [12], "DOB1": [13]
                }
            }
        });
        for (name, cell) in registers {
            cells[name] = cell.clone();
        }
        json!({ "modules": { "chip": {
            "attributes": { "top": "1" },
            "ports": { "q": { "direction": "output", "bits": [20, 21, 22, 23] } },
            "cells": cells
        } } })
    }

    fn all() -> [(&'static str, Value); 4] {
        [("a", 10, 20), ("b", 11, 21), ("c", 12, 22), ("d", 13, 23)]
            .map(|(name, input, output)| (name, register(input, output)))
    }

    fn moved(design: Value) -> (usize, Netlist) {
        let mut netlist = Netlist::new(design).expect("a netlist");
        let moved = netlist.move_read_registers();
        (moved, netlist)
    }

    #[test]
    fn registers_of_a_wide_word_move_together() {
        let (number, netlist) = moved(design(36, &all()));
        assert_eq!(number, 4);
        assert_eq!(netlist.cells().count("TRELLIS_FF"), 0);
        let memory = &netlist.top_cells()[MEMORY];
        for port in ["A", "B"] {
            assert_eq!(memory["parameters"][format!("REGMODE_{port}")], "OUTREG");
            assert_eq!(memory["connections"][format!("OCE{port}")], json!(["1"]));
        }
        for (output, net) in [("DOA0", 20), ("DOA1", 21), ("DOB0", 22), ("DOB1", 23)] {
            assert_eq!(memory["connections"][output], json!([net]));
        }
    }

    #[test]
    fn in_a_narrow_memory_each_port_is_for_itself_and_what_nobody_reads_is_left_open() {
        let [a, _, c, d] = all();
        let mut both = design(18, &[a, c, d]);
        both["modules"]["chip"]["cells"]["other"] = json!({
            "type": "LUT4", "port_directions": { "A": "input" }, "connections": { "A": [13] }
        });
        let (number, netlist) = moved(both);
        assert_eq!(number, 1, "bit 13 has two readers, bit 11 has none");
        let memory = &netlist.top_cells()[MEMORY];
        assert_eq!(memory["parameters"]["REGMODE_A"], "OUTREG");
        assert_eq!(memory["parameters"]["REGMODE_B"], "NOREG");
        assert_eq!(memory["connections"]["DOA0"], json!([20]));
        assert_eq!(memory["connections"]["DOA1"], json!([]));
        assert_eq!(memory["connections"]["DOB1"], json!([13]));
        assert_eq!(netlist.cells().count("TRELLIS_FF"), 2);
    }

    fn enabled(net: u64) -> [(&'static str, Value); 4] {
        all().map(|(name, mut cell)| {
            cell["parameters"]["CEMUX"] = "CE".into();
            cell["connections"]["CE"] = json!([net]);
            (name, cell)
        })
    }

    #[test]
    fn registers_with_one_enable_move_and_take_it_with_them() {
        let (number, netlist) = moved(design(36, &enabled(5)));
        assert_eq!(number, 4);
        let memory = &netlist.top_cells()[MEMORY];
        for port in ["A", "B"] {
            assert_eq!(memory["parameters"][format!("REGMODE_{port}")], "OUTREG");
            assert_eq!(memory["connections"][format!("OCE{port}")], json!([5]));
        }
        let [(_, mut other)] = [enabled(6)[0].clone()];
        other["connections"]["DI"] = json!([11]);
        let [a, _, c, d] = enabled(5);
        let before = design(36, &[a, ("b", other), c, d]);
        assert_eq!(moved(before).0, 0, "two enables");
    }

    /// A lookup table that makes net 5 of nets 6 to 8, and one that makes net 9 of nets 5 to 7; their rows from 0 on, the first net in the lowest bit.
    fn with_tables(mut netlist: Value, five: u16, nine: u16) -> Value {
        let table = |inputs: [u64; 3], rows: u16, output: u64| {
            json!({
                "type": "LUT4", "parameters": { "INIT": format!("{rows:016b}") },
                "port_directions": { "A": "input", "B": "input", "C": "input", "D": "input", "Z": "output" },
                "connections": { "A": [inputs[0]], "B": [inputs[1]], "C": [inputs[2]], "D": ["0"], "Z": [output] }
            })
        };
        let cells = &mut netlist["modules"]["chip"]["cells"];
        cells["five"] = table([6, 7, 8], five, 5);
        cells["nine"] = table([5, 6, 7], nine, 9);
        cells[MEMORY]["connections"]["CEB"] = json!([9]);
        netlist
    }

    #[test]
    fn a_port_that_is_enabled_whenever_its_registers_are_takes_them() {
        // 5 = (6 or 7) and 8; 9 = 5 or not 6; 9 = 6 or 7; 9 = 6
        const FIVE: u16 = 0b1110_0000;
        for (nine, number, what) in [
            (0b1011_1011, 4, "the enable or something else"),
            (0b1111_1100, 4, "what the enable needs"),
            (0b1100_1100, 0, "one of what it may need"),
            (0b0101_0101, 0, "its opposite"),
        ] {
            let before = with_tables(design(36, &enabled(5)), FIVE, nine);
            assert_eq!(moved(before).0, number, "{what}");
        }
        let before = with_tables(design(36, &enabled(9)), FIVE, 0b1100_1100);
        assert_eq!(moved(before).0, 4, "the very same enable");
    }

    #[test]
    fn a_register_that_is_not_like_that_of_a_block_ram_keeps_the_others_where_they_are() {
        type Edit = (&'static str, fn(&mut Value));
        let edits: [Edit; 9] = [
            ("of another clock", |it| {
                it["connections"]["CLK"] = json!([2])
            }),
            ("of the other edge", |it| {
                it["parameters"]["CLKMUX"] = "INV".into()
            }),
            ("it starts at 1", |it| {
                it["parameters"]["REGSET"] = "SET".into()
            }),
            ("it is reset", |it| it["connections"]["LSR"] = json!([6])),
            ("it has an enable", |it| {
                it["parameters"]["CEMUX"] = "CE".into();
                it["connections"]["CE"] = json!([5]);
            }),
            ("enabled while low", |it| {
                it["parameters"]["CEMUX"] = "INV".into()
            }),
            ("somebody wants it kept", |it| {
                it["attributes"]["keep"] = "1".into()
            }),
            ("no register", |it| it["type"] = "LUT4".into()),
            ("not its data", |it| {
                it["connections"]["M"] = it["connections"]["DI"].take();
                it["port_directions"]["M"] = "input".into();
            }),
        ];
        for (what, edit) in edits {
            let mut registers = all();
            edit(&mut registers[2].1);
            let before = design(36, &registers);
            let (number, netlist) = moved(before.clone());
            assert_eq!(number, 0, "{what}");
            assert_eq!(netlist.design, before, "{what}");
        }
    }

    #[test]
    fn a_block_ram_with_its_register_two_clocks_an_enable_or_a_reset_is_left_alone() {
        for (part, key, value) in [
            ("parameters", "REGMODE_A", json!("OUTREG")),
            ("parameters", "CLKBMUX", json!("INV")),
            ("connections", "CLKB", json!([2])),
            ("connections", "CEB", json!([5])),
            ("connections", "CEA", json!([5])),
            ("connections", "RSTB", json!([6])),
        ] {
            let mut before = design(36, &all());
            before["modules"]["chip"]["cells"][MEMORY][part][key] = value;
            let (number, netlist) = moved(before.clone());
            assert_eq!(number, 0, "{key}");
            assert_eq!(netlist.design, before, "{key}");
        }
        let mut seen = design(36, &all());
        seen["modules"]["chip"]["ports"]["seen"] = json!({ "direction": "output", "bits": [10] });
        assert_eq!(moved(seen).0, 0, "a port shows what the memory reads");
    }

    #[test]
    fn what_is_no_netlist_is_said() {
        for (text, problem) in [
            ("{}", "there are no modules"),
            (
                r#"{"modules": {"chip": {"attributes": {}}}}"#,
                "there is no top module",
            ),
            (
                r#"{"modules": {"chip": {"attributes": {"top": "1"}, "cells": {}}}}"#,
                "module chip has no ports",
            ),
        ] {
            let design = serde_json::from_str(text).expect("JSON");
            assert_eq!(Netlist::new(design).expect_err(text), problem);
        }
    }
}
