//! One module's text from its analysed kernel.

use super::analyse::{analyse, mask, project, Class};
use super::constant;
use super::error::EmitError;
use super::expr::{Expr, Kind, SignalId};
use super::hoist::Terms;
use super::ir::{Assign, At, Module, Role, Stmt, StmtKind};
use super::lower::Reader;
use super::names::Names;
use super::print::{align, comment, line, literal, range, Printer};
use super::tree::{from_hex, AtomInfo};
use crate::wires::Wide;
use rust_hdl::prelude::AtomKind;
use std::collections::{HashMap, HashSet};

/// A module's statements sorted into the sections of its text.
struct Sections {
    /// `assign` statements in program order.
    assigns: Vec<(Assign, Vec<String>)>,
    /// Inputs of sub-blocks whose driver stands in the port list or condition itself.
    inline: HashMap<SignalId, Expr>,
    /// Comments of inlined drivers, by child.
    child_comments: HashMap<usize, Vec<String>>,
    /// `always @*` blocks and the terms computed inside them.
    procedural: Vec<(Vec<Stmt>, Vec<SignalId>)>,
    /// Clocked blocks by clock expression.
    clocked: Vec<(Expr, Clocked)>,
    terms: Vec<(SignalId, Expr)>,
}

/// What one clocked block holds.
#[derive(Default)]
struct Clocked {
    statements: Vec<Stmt>,
    /// Registers under one reset: condition, (register, value to load when low).
    resets: Vec<(Expr, Vec<(usize, Stmt)>)>,
    enables: Vec<(Expr, Vec<Stmt>)>,
}

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

/// Where a slice's input is a port, register or sub-block output, reads of the slice go to it directly.
fn forward_slice_inputs(module: &mut Module, classes: &mut [Class]) {
    let mut forwarded: HashMap<SignalId, Expr> = HashMap::new();
    for statement in &module.statements {
        let StmtKind::Assign(Assign {
            target,
            at: At::Whole,
            value,
            ..
        }) = &statement.kind
        else {
            continue;
        };
        let Kind::Signal(source) = value.kind else {
            continue;
        };
        let stable = !module.signals[source].role.is_driven();
        if module.signals[*target].role == Role::SliceInput
            && classes[*target] == Class::Assign
            && stable
        {
            forwarded.insert(*target, value.clone());
            classes[*target] = Class::None;
        }
    }
    fn replace(e: &mut Expr, forwarded: &HashMap<SignalId, Expr>) {
        if let Kind::Signal(id) = e.kind {
            if let Some(source) = forwarded.get(&id) {
                *e = source.clone();
            }
        }
        e.operands_mut()
            .into_iter()
            .for_each(|x| replace(x, forwarded));
    }
    module
        .statements
        .retain(|s| !matches!(&s.kind, StmtKind::Assign(a) if forwarded.contains_key(&a.target)));
    for statement in &mut module.statements {
        statement.expressions_mut(&mut |e| replace(e, &forwarded));
    }
}

fn read_anywhere(statements: &[Stmt]) -> HashSet<SignalId> {
    let mut read = HashSet::new();
    for statement in statements {
        statement.expressions(&mut |e| {
            e.reads(&mut |id, _, _| {
                read.insert(id);
            });
        });
    }
    read
}

fn sort(
    module: &mut Module,
    classes: &mut Vec<Class>,
    groups: &[Vec<SignalId>],
    names: &mut Names,
) -> Sections {
    let statements = std::mem::take(&mut module.statements);
    let read = read_anywhere(&statements);
    let mut sections = Sections {
        assigns: vec![],
        inline: HashMap::new(),
        child_comments: HashMap::new(),
        procedural: vec![],
        clocked: vec![],
        terms: vec![],
    };
    for statement in &statements {
        let StmtKind::Assign(a) = &statement.kind else {
            continue;
        };
        if classes[a.target] != Class::Assign {
            continue;
        }
        let inline = match module.signals[a.target].role {
            Role::ChildInput(_) => a.value.is_simple(),
            Role::RegisterClock | Role::RegisterControl => true,
            _ => false,
        };
        if inline && a.at == At::Whole && !read.contains(&a.target) {
            if let Role::ChildInput(child) = module.signals[a.target].role {
                sections
                    .child_comments
                    .entry(child)
                    .or_default()
                    .extend(statement.comments.clone());
            }
            sections.inline.insert(a.target, a.value.clone());
            classes[a.target] = Class::None;
        } else {
            sections
                .assigns
                .push((a.clone(), statement.comments.clone()));
        }
    }
    sections.clocked = clocked(module, classes, &statements, &sections.inline);

    let mut terms = Terms {
        module,
        names,
        wires: vec![],
    };
    for group in groups {
        let block = project(&statements, &|a| group.contains(&a.target));
        if let Some(values) = constant::run(terms.module, &block) {
            for (i, id) in group.iter().enumerate() {
                let value = Expr::literal(values[id]);
                let assign = Assign {
                    target: *id,
                    at: At::Whole,
                    value,
                    order: 0,
                };
                let comments = if i == 0 {
                    block[0].comments.clone()
                } else {
                    vec![]
                };
                classes[*id] = Class::Assign;
                sections.assigns.push((assign, comments));
            }
            continue;
        }
        let block = terms.name_in_block(block, group);
        sections.procedural.push(block);
    }
    for (assign, _) in &mut sections.assigns {
        let base = terms.module.signals[assign.target].name.clone();
        terms.name_terms(&mut assign.value, &base, &[]);
    }
    let mut inline: Vec<_> = sections.inline.iter_mut().collect();
    inline.sort_by_key(|(id, _)| **id);
    for (id, value) in inline {
        let base = terms.module.signals[*id].name.clone();
        terms.name_terms(value, &base, &[]);
    }
    for (_, clocked) in &mut sections.clocked {
        clocked.statements = terms
            .name_in_block(std::mem::take(&mut clocked.statements), &[])
            .0;
        for (control, registers) in &mut clocked.resets {
            terms.name_terms(control, "reset", &[]);
            for (_, statement) in registers {
                statement.expressions_mut(&mut |e| {
                    terms.name_terms(e, "value", &[]);
                });
            }
        }
        for (control, block) in &mut clocked.enables {
            terms.name_terms(control, "enable", &[]);
            *block = terms.name_in_block(std::mem::take(block), &[]).0;
        }
    }
    sections.terms = terms.wires;
    classes.resize(module.signals.len(), Class::None);
    for (id, _) in &sections.terms {
        classes[*id] = Class::Assign;
    }
    for (_, inside) in &sections.procedural {
        inside
            .iter()
            .for_each(|id| classes[*id] = Class::Procedural);
    }
    sections
}

/// Sorts the registers into clocked blocks.
fn clocked(
    module: &Module,
    classes: &[Class],
    statements: &[Stmt],
    inline: &HashMap<SignalId, Expr>,
) -> Vec<(Expr, Clocked)> {
    let mut blocks: Vec<(Expr, Clocked)> = vec![];
    let of_signal = |id: SignalId| {
        let inlined = inline.get(&id).cloned();
        inlined.unwrap_or_else(|| Expr::signal(id, module.signals[id].width))
    };
    let clock_of = |register: usize| of_signal(module.registers[register].clock);
    for index in 0..module.registers.len() {
        let clock = clock_of(index);
        if !blocks.iter().any(|(c, _)| *c == clock) {
            blocks.push((clock, Clocked::default()));
        }
    }
    for (clock, block) in &mut blocks {
        let here: Vec<usize> = (0..module.registers.len())
            .filter(|r| clock_of(*r) == *clock)
            .collect();
        let direct = |id: SignalId| {
            here.iter()
                .find(|r| module.registers[**r].d == id && classes[id] == Class::Clocked)
        };
        let plain =
            |a: &Assign| direct(a.target).is_some_and(|r| module.registers[*r].control.is_none());
        block.statements = project(statements, &plain);
        block
            .statements
            .iter_mut()
            .for_each(|s| retarget(s, module));
        drop_holds(&mut block.statements, &mut HashSet::new());
        block.statements = project(&block.statements, &|_| true);
        for index in here {
            let register = &module.registers[index];
            let load = load(module, classes, statements, index);
            let Some(control) = register.control else {
                if classes[register.d] != Class::Clocked {
                    block.statements.push(load);
                }
                continue;
            };
            let control = of_signal(control);
            if register.shape.reset {
                match block.resets.iter_mut().find(|(c, _)| *c == control) {
                    Some((_, registers)) => registers.push((index, load)),
                    None => block.resets.push((control, vec![(index, load)])),
                }
            } else {
                match block.enables.iter_mut().find(|(c, _)| *c == control) {
                    Some((_, loads)) => loads.push(load),
                    None => block.enables.push((control, vec![load])),
                }
            }
        }
    }
    blocks
}

/// `q <= d` of a register, with the driver of `d` in its place when it has no name of its own.
fn load(module: &Module, classes: &[Class], statements: &[Stmt], register: usize) -> Stmt {
    let register = &module.registers[register];
    let width = module.signals[register.d].width;
    let mut load = Assign {
        target: register.q,
        at: At::Whole,
        value: Expr::signal(register.d, width),
        order: 0,
    };
    let mut comments = vec![];
    if classes[register.d] == Class::Clocked {
        for statement in statements {
            if let StmtKind::Assign(a) = &statement.kind {
                if a.target == register.d {
                    load.value = a.value.clone();
                    comments.clone_from(&statement.comments);
                }
            }
        }
    }
    Stmt {
        comments,
        text: 0,
        kind: StmtKind::Assign(load),
    }
}

/// Makes assignments to `d` assignments to `q`.
fn retarget(statement: &mut Stmt, module: &Module) {
    match &mut statement.kind {
        StmtKind::Assign(a) => {
            if let Role::RegisterD(r) = module.signals[a.target].role {
                a.target = module.registers[r].q;
            }
        }
        StmtKind::If {
            then, otherwise, ..
        } => {
            then.iter_mut()
                .chain(otherwise)
                .for_each(|s| retarget(s, module));
        }
        StmtKind::Case { arms, default, .. } => {
            let blocks = arms
                .iter_mut()
                .flat_map(|(_, block)| block)
                .chain(default.iter_mut().flatten());
            blocks.for_each(|s| retarget(s, module));
        }
    }
}

/// Removes `q <= q` where nothing was assigned to `q` before: that is what a register does by itself.
fn drop_holds(block: &mut Vec<Stmt>, written: &mut HashSet<SignalId>) {
    let mut comments = vec![];
    let mut kept = vec![];
    for mut statement in block.drain(..) {
        if let StmtKind::Assign(a) = &statement.kind {
            let hold = a.at == At::Whole && a.value.kind == Kind::Signal(a.target);
            if hold && !written.contains(&a.target) {
                comments.append(&mut statement.comments);
                continue;
            }
            written.insert(a.target);
        }
        let before = written.clone();
        let mut branch = |block: &mut Vec<Stmt>| {
            let mut here = before.clone();
            drop_holds(block, &mut here);
            written.extend(here);
        };
        match &mut statement.kind {
            StmtKind::Assign(_) => {}
            StmtKind::If {
                then, otherwise, ..
            } => {
                branch(then);
                branch(otherwise);
            }
            StmtKind::Case { arms, default, .. } => {
                arms.iter_mut()
                    .map(|(_, block)| block)
                    .chain(default)
                    .for_each(branch);
            }
        }
        comments.append(&mut statement.comments);
        statement.comments = std::mem::take(&mut comments);
        kept.push(statement);
    }
    *block = kept;
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
    let mut signals = vec![];
    let mut registers = vec![];
    for (id, signal) in module.signals.iter().enumerate() {
        let (name, doc) = (&signal.name, beside(&signal.doc));
        let width = range(signal.width);
        match (&signal.role, classes[id]) {
            (Role::Input | Role::Output, _) => {}
            (Role::Constant, _) => {
                if let (Some(value), true) = (&signal.value, used.contains_key(&id)) {
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
    for rows in [constants, registers, signals] {
        if !rows.is_empty() {
            body.push('\n');
            align(&rows)
                .iter()
                .for_each(|row| line(body, format_args!("{row}")));
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
