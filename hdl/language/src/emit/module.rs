//! One module's text from its analysed kernel.

use super::analyse::{analyse, mask, Class};
use super::error::EmitError;
use super::expr::SignalId;
use super::ir::{Assign, Module, Role, Stmt};
use super::lower::Reader;
use super::names::Names;
use super::print::{align, comment, line, literal, range, Printer};
use super::sections::{forward_slice_inputs, sort, Sections};
use super::tree::{from_hex, AtomInfo};
use crate::wires::Wide;
use rust_hdl::prelude::AtomKind;
use std::collections::HashMap;

/// The text of the module from `(` to before `endmodule`; `child_name` gives the module name of a child by its index.
pub(super) fn text(
    mut reader: Reader,
    child_name: &mut dyn FnMut(usize) -> Result<String, EmitError>,
) -> Result<String, EmitError> {
    let analysis = analyse(&mut reader.module)?;
    let mut module = reader.module;
    let mut classes = analysis.classes;
    forward_slice_inputs(&mut module, &mut classes);
    let sections = sort(
        &mut module,
        &mut classes,
        &analysis.groups,
        &mut reader.names,
    );
    let mut body = String::new();
    let ports = ports(&module, &classes);
    let used = used_bits(&module, &sections);
    declarations(&module, &classes, &used, &mut body);
    let printer = Printer {
        signals: module
            .signals
            .iter()
            .map(|s| (s.name.as_str(), s.width))
            .collect(),
    };
    instances(&module, &printer, &sections, child_name, &mut body)?;
    assigns(&printer, &module, &sections, &mut body);
    power_up(&module, &mut body);
    blocks(&printer, &module, &sections, &mut body);
    unused(
        &printer,
        &module,
        &classes,
        &used,
        &mut reader.names,
        &mut body,
    );
    Ok(format!("{ports}{}", body.trim_start_matches('\n')))
}

/// Port list of a module whose body is text of its own.
pub(super) fn text_ports(ports: &[(&AtomInfo, String)]) -> String {
    let rows = ports.iter().map(|(atom, name)| {
        let kind = if atom.kind == AtomKind::InputParameter {
            "input  wire"
        } else {
            "output wire"
        };
        (kind, atom.width, name.clone(), atom.doc.clone())
    });
    port_list(rows.collect())
}

fn ports(module: &Module, classes: &[Class]) -> String {
    let mut rows = vec![];
    for (id, signal) in module.signals.iter().enumerate() {
        let kind = match (&signal.role, classes[id]) {
            (Role::Input, _) => "input  wire",
            (Role::Output, Class::Procedural) => "output reg",
            (Role::Output, _) => "output wire",
            _ => continue,
        };
        rows.push((kind, signal.width, signal.name.clone(), signal.doc.clone()));
    }
    port_list(rows)
}

fn port_list(ports: Vec<(&str, usize, String, String)>) -> String {
    if ports.is_empty() {
        return "();\n".into();
    }
    let last = ports.len() - 1;
    let comma = |i: usize| if i < last { "," } else { "" };
    let row = |(i, (kind, width, name, doc)): (usize, &(&str, usize, String, String))| {
        let beside = if doc.contains('\n') || doc.is_empty() {
            String::new()
        } else {
            format!("// {doc}")
        };
        vec![
            format!("  {kind}"),
            range(*width),
            format!("{name}{}", comma(i)),
            beside,
        ]
    };
    let rows: Vec<Vec<String>> = ports.iter().enumerate().map(row).collect();
    let mut text = String::from("(\n");
    for ((_, _, _, doc), port) in ports.iter().zip(align(&rows)) {
        if doc.contains('\n') {
            comment(
                &doc.lines().map(String::from).collect::<Vec<_>>(),
                1,
                &mut text,
            );
        }
        line(&mut text, format_args!("{port}"));
    }
    text.push_str(");\n");
    text
}

/// The bits of every signal that the printed text reads.
fn used_bits(module: &Module, sections: &Sections) -> HashMap<SignalId, Wide> {
    let mut used: HashMap<SignalId, Wide> = HashMap::new();
    let mut see = |id: SignalId, low: usize, count: usize| {
        let width = module.signals[id].width;
        let bits = used.entry(id).or_insert_with(|| Wide::zero(width));
        *bits = *bits | mask(low, count, width);
    };
    sections
        .assigns
        .iter()
        .for_each(|(a, _)| a.value.reads(&mut see));
    sections.terms.iter().for_each(|(_, e)| e.reads(&mut see));
    for (id, e) in &sections.inline {
        if module.signals[*id].role != Role::RegisterClock {
            e.reads(&mut see);
        }
    }
    for (block, _) in &sections.procedural {
        block
            .iter()
            .for_each(|s| s.expressions(&mut |e| e.reads(&mut see)));
    }
    for (clock, clocked) in &sections.clocked {
        clock.reads(&mut see);
        let statements = clocked.statements.iter();
        let resets = clocked
            .resets
            .iter()
            .flat_map(|(_, registers)| registers.iter().map(|(_, s)| s));
        let enables = clocked.enables.iter().flat_map(|(_, block)| block);
        for statement in statements.chain(resets).chain(enables) {
            statement.expressions(&mut |e| e.reads(&mut see));
        }
    }
    used
}

fn declarations(
    module: &Module,
    classes: &[Class],
    used: &HashMap<SignalId, Wide>,
    body: &mut String,
) {
    let beside = |doc: &str| {
        if doc.is_empty() {
            String::new()
        } else {
            format!("// {}", doc.replace('\n', " "))
        }
    };
    let mut constants = vec![];
    // places of registers that take data of another clock
    let mut asynchronous = vec![];
    let mut signals = vec![];
    let mut registers = vec![];
    for (id, signal) in module.signals.iter().enumerate() {
        if signal.role == Role::Constant && !used.contains_key(&id) {
            continue;
        }
        let (name, doc) = (&signal.name, beside(&signal.doc));
        let width = range(signal.width);
        match (&signal.role, classes[id]) {
            (Role::Input | Role::Output, _) => {}
            (Role::Constant, _) => {
                if let Some(value) = &signal.value {
                    constants.push(vec![
                        "  localparam".into(),
                        width,
                        name.clone(),
                        format!("= {};", literal(value)),
                        doc,
                    ]);
                }
            }
            (Role::RegisterQ, _) => {
                if signal.asynchronous {
                    asynchronous.push(registers.len());
                }
                registers.push(vec!["  reg".into(), width, format!("{name};"), doc])
            }
            (Role::ChildOutput, _) => {
                signals.push(vec!["  wire".into(), width, format!("{name};"), doc])
            }
            (_, Class::Assign) => {
                signals.push(vec!["  wire".into(), width, format!("{name};"), doc])
            }
            (_, Class::Procedural) => {
                signals.push(vec!["  reg".into(), width, format!("{name};"), doc])
            }
            (_, Class::None | Class::Clocked) => {}
        }
    }
    for (rows, asynchronous) in [
        (constants, vec![]),
        (registers, asynchronous),
        (signals, vec![]),
    ] {
        if !rows.is_empty() {
            body.push('\n');
        }
        for (place, row) in align(&rows).iter().enumerate() {
            if asynchronous.contains(&place) {
                line(body, format_args!("  (* ASYNC_REG = \"TRUE\" *)"));
            }
            line(body, format_args!("{row}"));
        }
    }
}

/// Values at power-up. (With the declarations, Verilator would warn of every one.)
fn power_up(module: &Module, body: &mut String) {
    if module.registers.is_empty() {
        return;
    }
    line(body, format_args!("\n  initial begin"));
    for register in &module.registers {
        let signal = &module.signals[register.q];
        let initial = literal(&from_hex(&register.shape.initial, signal.width));
        line(body, format_args!("    {} = {initial};", signal.name));
    }
    line(body, format_args!("  end"));
}

fn instances(
    module: &Module,
    printer: &Printer,
    sections: &Sections,
    child_name: &mut dyn FnMut(usize) -> Result<String, EmitError>,
    body: &mut String,
) -> Result<(), EmitError> {
    for (index, child) in module.children.iter().enumerate() {
        let kind = child_name(index)?;
        body.push('\n');
        comment(
            sections.child_comments.get(&index).map_or(&[], |c| c),
            1,
            body,
        );
        let last = child.ports.len().saturating_sub(1);
        let rows: Vec<Vec<String>> = child
            .ports
            .iter()
            .enumerate()
            .map(|(i, (port, signal))| {
                let inlined = sections.inline.get(signal).map(|e| printer.expression(e));
                let text = inlined.unwrap_or_else(|| module.signals[*signal].name.clone());
                vec![
                    format!("    .{port}"),
                    format!("({text}){}", if i < last { "," } else { "" }),
                ]
            })
            .collect();
        line(body, format_args!("  {kind} {} (", child.name));
        align(&rows)
            .iter()
            .for_each(|row| line(body, format_args!("{row}")));
        line(body, format_args!("  );"));
    }
    Ok(())
}

fn assigns(printer: &Printer, module: &Module, sections: &Sections, body: &mut String) {
    if !sections.terms.is_empty() || !sections.assigns.is_empty() {
        body.push('\n');
    }
    for (id, value) in &sections.terms {
        line(
            body,
            format_args!(
                "  assign {} = {};",
                module.signals[*id].name,
                printer.expression(value)
            ),
        );
    }
    for (i, (assign, comments)) in sections.assigns.iter().enumerate() {
        if i > 0 && !comments.is_empty() {
            body.push('\n');
        }
        comment(comments, 1, body);
        line(
            body,
            format_args!(
                "  assign {} = {};",
                printer.target(assign),
                printer.expression(&assign.value)
            ),
        );
    }
}

fn blocks(printer: &Printer, module: &Module, sections: &Sections, body: &mut String) {
    let target = |a: &Assign| printer.target(a);
    for (block, terms) in &sections.procedural {
        line(body, format_args!("\n  always @* begin"));
        for id in terms {
            let signal = &module.signals[*id];
            line(
                body,
                format_args!(
                    "    {} = {};",
                    signal.name,
                    literal(&Wide::zero(signal.width))
                ),
            );
        }
        printer.statements(block, 2, "=", &target, body);
        line(body, format_args!("  end"));
    }
    for (clock, clocked) in &sections.clocked {
        line(
            body,
            format_args!("\n  always @(posedge {}) begin", printer.expression(clock)),
        );
        printer.statements(&clocked.statements, 2, "<=", &target, body);
        for (reset, registers) in &clocked.resets {
            line(
                body,
                format_args!("    if ({}) begin", printer.expression(reset)),
            );
            for (index, _) in registers {
                let register = &module.registers[*index];
                let signal = &module.signals[register.q];
                let initial = literal(&from_hex(&register.shape.initial, signal.width));
                line(body, format_args!("      {} <= {initial};", signal.name));
            }
            line(body, format_args!("    end else begin"));
            let loads: Vec<Stmt> = registers.iter().map(|(_, load)| load.clone()).collect();
            printer.statements(&loads, 3, "<=", &target, body);
            line(body, format_args!("    end"));
        }
        for (enable, loads) in &clocked.enables {
            line(
                body,
                format_args!("    if ({}) begin", printer.expression(enable)),
            );
            printer.statements(loads, 3, "<=", &target, body);
            line(body, format_args!("    end"));
        }
        line(body, format_args!("  end"));
    }
}

/// Names the bits nothing reads, so that a linter's warning about any other unread bit means something.
fn unused(
    printer: &Printer,
    module: &Module,
    classes: &[Class],
    used: &HashMap<SignalId, Wide>,
    names: &mut Names,
    body: &mut String,
) {
    let mut parts = vec![];
    for (id, signal) in module.signals.iter().enumerate() {
        let declared = match signal.role {
            Role::Input | Role::ChildOutput | Role::RegisterQ => true,
            Role::Local | Role::Term | Role::SliceInput => classes[id] != Class::None,
            _ => false,
        };
        if !declared {
            continue;
        }
        let read = used
            .get(&id)
            .copied()
            .unwrap_or_else(|| Wide::zero(signal.width));
        let mut low = 0;
        while low < signal.width {
            let is_read = read.get_bit(low);
            let run = (low..signal.width)
                .take_while(|i| read.get_bit(*i) == is_read)
                .count();
            if !is_read {
                parts.push(printer.part(id, low, run));
            }
            low += run;
        }
    }
    if !parts.is_empty() {
        line(
            body,
            format_args!("\n  // Bits that nothing in this module reads."),
        );
        line(
            body,
            format_args!(
                "  wire {} = &{{1'b0, {}}};",
                names.unique("unused"),
                parts.join(", ")
            ),
        );
    }
}
