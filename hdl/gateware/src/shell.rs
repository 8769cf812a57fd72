//! The outermost module of a shipped design: AXI4 widths and names, and what Vivado wants to know of them.
//!
//! It holds wires only. The design within is what is simulated, compared with the model and proved; its streams carry keys and verdicts
//! bit by bit, and its clock and reset are `clock` and `reset`.

use crate::emit::Emitted;
use bloomline_spec::ports::{design_name, outer_ports, Direction, OuterPort};
use bloomline_spec::{outer_port_doc, Common, Design, ResetName};
use std::fmt::Write;

/// The Verilog of a design as it is shipped: `plain` ([`crate::design_verilog`]) with every module named after the design, within a module of
/// wires that has [`outer_ports`]. A line card, whose ports are pins, has no such module.
pub fn shipped(plain: &Emitted, design: &Design) -> Emitted {
    let named = plain.named_after(design.name());
    match design.line_card() {
        Some(_) => named,
        None => {
            let core = format!("{}__core", design.name());
            let body = body(design, &core);
            let about = "// The design with the ports of AXI4: names, whole bytes and protection bits. Wires only.\n";
            named.within(&core, &design_name(design), about, &body)
        }
    }
}

fn body(design: &Design, core: &str) -> String {
    let ports = outer_ports(design);
    let mut text = "(\n".to_owned();
    for (place, outer) in ports.iter().enumerate() {
        for attribute in attributes(design, &ports, outer) {
            let _ = writeln!(text, "  (* {attribute} *)");
        }
        let direction = match outer.port.direction {
            Direction::Input => "input  wire",
            Direction::Output => "output wire",
        };
        let comma = if place + 1 < ports.len() { "," } else { "" };
        let doc = outer_port_doc(design, outer).unwrap_or_default();
        let _ = writeln!(
            text,
            "  {direction} {}{}{comma} // {doc}",
            range(outer.port.width),
            outer.port.name
        );
    }
    text += ");\n";
    let mut pins = Vec::new();
    let mut unused = Vec::new();
    let mut wires = String::new();
    let mut padded = String::new();
    for outer in &ports {
        let name = &outer.port.name;
        let Some(inner) = &outer.inner else {
            unused.push(name.clone());
            continue;
        };
        let wire = match (outer.padding_bits(), outer.port.direction) {
            (0, _) if inner.name == "reset" && design.interface().reset == ResetName::Aresetn => {
                format!("!{name}")
            }
            (0, _) => name.clone(),
            (_, Direction::Input) => {
                unused.push(format!("{name}[{}:{}]", outer.port.width - 1, inner.width));
                format!("{name}[{}:0]", inner.width - 1)
            }
            (bits, Direction::Output) => {
                let wire = format!("core_{}", inner.name);
                let _ = writeln!(wires, "  wire {}{wire};", range(inner.width));
                let _ = writeln!(padded, "  assign {name} = {{{bits}'d0, {wire}}};");
                wire
            }
        };
        pins.push(format!("    .{} ({wire})", inner.name));
    }
    if !unused.is_empty() {
        wires += "  wire unused;\n";
        let _ = writeln!(
            padded,
            "  assign unused = &{{1'b0, {}}};",
            unused.join(", ")
        );
    }
    let _ = write!(
        text,
        "{wires}\n  {core} core (\n{}\n  );\n\n{padded}",
        pins.join(",\n")
    );
    text
}

fn range(width: u32) -> String {
    match width {
        1 => String::new(),
        _ => format!("[{}:0] ", width - 1),
    }
}

/// The bus interface of a port and its signal there: `("s_item", "TDATA")`.
fn member(name: &str) -> Option<(&str, String)> {
    const BUSES: [&str; 5] = ["s_item", "m_verdict", "s_frame", "m_frame", "s_axil"];
    BUSES.into_iter().find_map(|bus| {
        let member = name.strip_prefix(bus)?.strip_prefix('_')?;
        Some((bus, member.to_uppercase()))
    })
}

/// Vivado's attributes of a port, by which a block design finds clock, reset and interfaces.
fn attributes(common: &Common, ports: &[OuterPort], outer: &OuterPort) -> Vec<String> {
    let info = |kind: &str, interface: &str, signal: &str| {
        format!("X_INTERFACE_INFO = \"xilinx.com:{kind}:1.0 {interface} {signal}\"")
    };
    let parameter = |text: String| format!("X_INTERFACE_PARAMETER = \"{text}\"");
    let name = outer.port.name.as_str();
    match outer.inner.as_ref().map(|inner| inner.name.as_str()) {
        Some("clock") => {
            let mut buses: Vec<&str> = Vec::new();
            for (bus, _) in ports.iter().filter_map(|outer| member(&outer.port.name)) {
                if !buses.contains(&bus) {
                    buses.push(bus);
                }
            }
            let reset = common.interface().reset;
            let text = format!(
                "ASSOCIATED_BUSIF {}, ASSOCIATED_RESET {reset}",
                buses.join(":")
            );
            return vec![info("signal:clock", name, "CLK"), parameter(text)];
        }
        Some("reset") => {
            let active = match common.interface().reset {
                ResetName::Reset => "HIGH",
                ResetName::Aresetn => "LOW",
            };
            let text = format!("POLARITY ACTIVE_{active}");
            return vec![info("signal:reset", name, "RST"), parameter(text)];
        }
        Some("uart_rx") => return vec![info("interface:uart", "uart", "RxD")],
        Some("uart_tx") => return vec![info("interface:uart", "uart", "TxD")],
        _ => {}
    }
    let Some((bus, signal)) = member(name) else {
        return Vec::new();
    };
    let kind = match bus {
        "s_axil" => "interface:aximm",
        _ => "interface:axis",
    };
    let mut list = vec![info(kind, bus, &signal)];
    if (bus, signal.as_str()) == ("s_axil", "AWADDR") {
        let width = outer.port.width;
        list.push(parameter(format!(
            "XIL_INTERFACENAME s_axil, PROTOCOL AXI4LITE, DATA_WIDTH 32, ADDR_WIDTH {width}"
        )));
    }
    list
}
