//! Sorts a module's statements into the sections of its text.

use super::analyse::{project, Class};
use super::constant;
use super::expr::{Expr, Kind, SignalId};
use super::hoist::Terms;
use super::ir::{Assign, At, Module, Role, Stmt, StmtKind};
use super::names::Names;
use std::collections::{HashMap, HashSet};

/// A module's statements sorted into the sections of its text.
pub(super) struct Sections {
    /// `assign` statements in program order.
    pub assigns: Vec<(Assign, Vec<String>)>,
    /// Inputs of sub-blocks whose driver stands in the port list or condition itself.
    pub inline: HashMap<SignalId, Expr>,
    /// Comments of inlined drivers, by child.
    pub child_comments: HashMap<usize, Vec<String>>,
    /// `always @*` blocks and the terms computed inside them.
    pub procedural: Vec<(Vec<Stmt>, Vec<SignalId>)>,
    /// Clocked blocks by clock expression.
    pub clocked: Vec<(Expr, Clocked)>,
    pub terms: Vec<(SignalId, Expr)>,
}

/// What one clocked block holds.
#[derive(Default)]
pub(super) struct Clocked {
    pub statements: Vec<Stmt>,
    /// Registers under one reset: condition, (register, value to load when low).
    pub resets: Vec<(Expr, Vec<(usize, Stmt)>)>,
    pub enables: Vec<(Expr, Vec<Stmt>)>,
}

/// Where a slice's input is a port, register or sub-block output, reads of the slice go to it directly.
pub(super) fn forward_slice_inputs(module: &mut Module, classes: &mut [Class]) {
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

/// Sorts the statements; what stands in a port list or clocked block loses its class.
pub(super) fn sort(
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
