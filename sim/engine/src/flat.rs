//! The design as its reader understood it, printed as one module of single assignments.

use crate::design::Design;
use crate::ir::{Bits, Edge, Id, Named, Netlist, Op};
use std::collections::HashSet;
use std::fmt::Write;

impl Design {
    /// The flattened design as Verilog: ports, registers and memories keep their names (without that of the top module), the logic is one
    /// assignment an operation. It lets another tool compare its own reading of the text with this one. `None` for a design with an
    /// asynchronous reset, which this form cannot express.
    pub fn flattened(&self) -> Option<String> {
        let netlist = &*self.netlist;
        let clock = |edges: &Vec<Edge>| match edges[..] {
            [edge] => Some(edge),
            _ => None,
        };
        let clocks = netlist.domains.iter().map(clock);
        let clocks: Vec<Edge> = clocks.collect::<Option<_>>()?;
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = module(netlist, self.top(), &clocks, &mut text);
        Some(text)
    }
}

fn module(netlist: &Netlist, top: &str, clocks: &[Edge], to: &mut String) -> std::fmt::Result {
    let graph = &netlist.graph;
    let ports: HashSet<&str> = netlist.ports.iter().map(|p| p.name.as_str()).collect();
    let names: Vec<&str> = netlist.ports.iter().map(|p| p.name.as_str()).collect();
    writeln!(to, "module {top} ({});", names.join(", "))?;
    for (port, bits) in netlist.ports.iter().zip(&netlist.port_bits) {
        let direction = if port.input { "input" } else { "output" };
        writeln!(to, "  {direction} [{}:0] {};", port.width - 1, port.name)?;
        if port.input {
            declare(netlist, bits, &port.name, to)?;
        }
    }
    // Registers and memories by the first name that is theirs.
    let mut done: HashSet<Id> = HashSet::new();
    let (mut assignments, mut start) = (vec![vec![]; clocks.len()], String::new());
    for (path, named) in &netlist.names {
        let name = path.strip_prefix(top).and_then(|p| p.strip_prefix('.'));
        let name = name.unwrap_or(path);
        match named {
            Named::Signal(bits) => {
                let register = |id: &Id| match graph.op(*id) {
                    Op::Register(r) => Some(&netlist.registers[*r as usize]),
                    _ => None,
                };
                let registers: Option<Vec<_>> = bits.limbs.iter().map(register).collect();
                let Some(registers) = registers.filter(|_| !ports.contains(name)) else {
                    continue;
                };
                if !bits.limbs.iter().all(|id| done.insert(*id)) {
                    continue;
                }
                writeln!(to, "  reg [{}:0] \\{name} ;", bits.width - 1)?;
                declare(netlist, bits, &format!("\\{name} "), to)?;
                let next = registers.iter().map(|r| r.next).collect();
                let next = Bits {
                    width: bits.width,
                    limbs: next,
                };
                let domain = registers[0].domain as usize;
                assignments[domain].push(format!("\\{name} <= {};", joined(&next)));
            }
            Named::Memory(index) => {
                let memory = &netlist.memories[*index as usize];
                let depth = memory.depth;
                writeln!(
                    to,
                    "  reg [{}:0] \\{name} [0:{}];",
                    memory.width - 1,
                    depth - 1
                )?;
                for write in &memory.writes {
                    let (enable, address) = (write.enable, write.address);
                    let data = joined(&write.data);
                    let text = format!("if (n{enable}) \\{name} [n{address}] <= {data};");
                    assignments[write.domain as usize].push(text);
                }
                for (id, op) in graph.ops.iter().enumerate() {
                    if let Op::Read {
                        memory,
                        limb,
                        address,
                    } = op
                    {
                        if memory == index {
                            let (low, width) = (64 * limb, u32::from(graph.widths[id]));
                            let high = low + width - 1;
                            writeln!(
                                start,
                                "  wire [{}:0] n{id} = \\{name} [n{address}][{high}:{low}];",
                                width - 1
                            )?;
                        }
                    }
                }
            }
        }
    }
    to.push_str(&start);
    for (id, op) in graph.ops.iter().enumerate() {
        operation(netlist, id as Id, op, to)?;
    }
    for (edge, list) in clocks.iter().zip(assignments) {
        let direction = if edge.rising { "posedge" } else { "negedge" };
        writeln!(to, "  always @({direction} n{}) begin", edge.signal)?;
        list.iter()
            .try_for_each(|line| writeln!(to, "    {line}"))?;
        writeln!(to, "  end")?;
    }
    for (port, bits) in netlist.ports.iter().zip(&netlist.port_bits) {
        if !port.input {
            writeln!(to, "  assign {} = {};", port.name, joined(bits))?;
        }
    }
    writeln!(to, "endmodule")
}

/// The nodes that make a value, highest first.
fn joined(bits: &Bits) -> String {
    let nodes: Vec<String> = bits.limbs.iter().rev().map(|l| format!("n{l}")).collect();
    format!("{{{}}}", nodes.join(", "))
}

/// The nodes that read a port or register.
fn declare(netlist: &Netlist, bits: &Bits, name: &str, to: &mut String) -> std::fmt::Result {
    for (limb, id) in bits.limbs.iter().enumerate() {
        let (low, width) = (64 * limb, netlist.graph.width(*id) as usize);
        let high = low + width - 1;
        writeln!(to, "  wire [{}:0] n{id} = {name}[{high}:{low}];", width - 1)?;
    }
    Ok(())
}

fn operation(netlist: &Netlist, id: Id, op: &Op, to: &mut String) -> std::fmt::Result {
    let graph = &netlist.graph;
    let width = graph.width(id);
    let value = match op {
        Op::Input(_) | Op::Register(_) | Op::Read { .. } => return Ok(()),
        Op::Constant(value) => format!("{width}'h{value:x}"),
        Op::Not(a) => format!("~n{a}"),
        Op::And(a, b) => format!("n{a} & n{b}"),
        Op::Or(a, b) => format!("n{a} | n{b}"),
        Op::Xor(a, b) => format!("n{a} ^ n{b}"),
        Op::Add(a, b) => format!("n{a} + n{b}"),
        Op::Sub(a, b) => format!("n{a} - n{b}"),
        Op::Mul(a, b) => format!("n{a} * n{b}"),
        Op::Equal(a, b) => format!("n{a} == n{b}"),
        Op::Less(a, b) => format!("n{a} < n{b}"),
        Op::Parity(a) => format!("^n{a}"),
        Op::Choose(c, a, b) => format!("n{c} ? n{a} : n{b}"),
        Op::ShiftLeft(a, b) => format!("n{a} << n{b}"),
        Op::ShiftRight(a, b) => format!("n{a} >> n{b}"),
        Op::Slice(a, low) => format!("n{a}[{}:{low}]", low + width - 1),
        Op::Concat(parts) => joined(&Bits {
            width,
            limbs: parts.to_vec(),
        }),
        Op::Table(a, table) => {
            let entries = &graph.tables[*table as usize];
            let entries = entries.iter().rev().map(|e| format!("{width}'h{e:x}"));
            let entries: Vec<String> = entries.collect();
            let all = entries.len() as u32 * width - 1;
            writeln!(to, "  wire [{all}:0] t{id} = {{{}}};", entries.join(", "))?;
            format!("t{id} >> (n{a} * 32'd{width})")
        }
    };
    writeln!(to, "  wire [{}:0] n{id} = {value};", width - 1)
}
