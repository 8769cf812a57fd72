//! Decides how each signal is driven in Verilog, and refuses what Verilog would compute differently.
//!
//! A kernel runs top to bottom and its last assignment wins; rust-hdl repeats it until nothing changes. A read is *final*
//! when no assignment to the bits read follows it. Signals that are assigned once, and read finally, become `assign`;
//! registers whose statements read final values only go into the clocked block; everything else goes into `always @*`
//! blocks that keep the kernel's order.

use super::error::{EmitError, Place};
use super::expr::{Expr, Kind, SignalId};
use super::ir::{Assign, At, Module, Role, Stmt, StmtKind};
use super::tree::dotted;
use crate::wires::Wide;
use std::collections::HashMap;

/// How a signal is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Not by the kernel.
    None,
    /// One `assign`, or one a bit.
    Assign,
    /// In the clocked block (`d` of a register).
    Clocked,
    /// In an `always @*` block.
    Procedural,
}

/// What the analysis found.
pub(super) struct Analysis {
    /// Class of every signal.
    pub classes: Vec<Class>,
    /// Procedural signals that share an `always @*` block, in program order.
    pub groups: Vec<Vec<SignalId>>,
}

struct Write {
    order: usize,
    text: usize,
    top: bool,
    at: At,
}

struct Read {
    signal: SignalId,
    is_final: bool,
    readers: Vec<SignalId>,
    text: usize,
}

/// The bits `low .. low + count` of a signal of `width` bits.
pub(super) fn mask(low: usize, count: usize, width: usize) -> Wide {
    !(!Wide::zero(width) << count.min(Wide::MOST_BITS)) << low
}

/// Analyses `module`, after removing assignments that a later one overrides unread.
pub(super) fn analyse(module: &mut Module) -> Result<Analysis, EmitError> {
    remove_overridden(&mut module.statements);
    remove_covered_defaults(module);
    let mut walk = Walk {
        module,
        writes: HashMap::new(),
        reads: vec![],
    };
    for statement in &module.statements {
        walk.collect(statement, true);
    }
    let mut assigned = HashMap::new();
    for statement in &module.statements {
        walk.visit(statement, &mut assigned)?;
    }
    walk.check_latches(&assigned)?;
    walk.classify()
}

/// Removes top-level assignments to a whole signal that are overridden before anything reads them.
fn remove_overridden(statements: &mut Vec<Stmt>) {
    let whole = |s: &Stmt| match &s.kind {
        StmtKind::Assign(Assign {
            target,
            at: At::Whole,
            ..
        }) => Some(*target),
        _ => None,
    };
    let mut dead = vec![];
    for (i, statement) in statements.iter().enumerate() {
        let Some(target) = whole(statement) else {
            continue;
        };
        for later in &statements[i + 1..] {
            if mentions(later, target) {
                break;
            }
            if whole(later) == Some(target) {
                dead.push(i);
                break;
            }
            let mut written = false;
            later.assigns(&mut |a| written |= a.target == target);
            if written {
                break;
            }
        }
    }
    remove(statements, &dead);
}

/// Removes a default that assignments to each single bit replace before anything reads it.
fn remove_covered_defaults(module: &mut Module) {
    let mut dead = vec![];
    for (i, statement) in module.statements.iter().enumerate() {
        let StmtKind::Assign(Assign {
            target,
            at: At::Whole,
            ..
        }) = statement.kind
        else {
            continue;
        };
        let width = module.signals[target].width;
        let mut missing = !Wide::zero(width);
        for later in &module.statements[i + 1..] {
            if let StmtKind::Assign(Assign {
                target: t,
                at: At::Bit(bit),
                value,
                ..
            }) = &later.kind
            {
                let mut early = false;
                value.reads(&mut |id, low, count| {
                    early |= id == target && (mask(low, count, width) & missing).any()
                });
                if early {
                    break;
                }
                if *t == target {
                    missing = missing.replace_bit(*bit, false);
                }
                if !missing.any() {
                    dead.push(i);
                    break;
                }
                continue;
            }
            let mut touched = false;
            later.assigns(&mut |a| touched |= a.target == target);
            if touched || mentions(later, target) {
                break;
            }
        }
    }
    remove(&mut module.statements, &dead);
}

fn mentions(statement: &Stmt, signal: SignalId) -> bool {
    let mut found = false;
    statement.expressions(&mut |e| e.reads(&mut |id, _, _| found |= id == signal));
    found
}

/// Removes the statements at `dead`; their comments move to the next statement.
fn remove(statements: &mut Vec<Stmt>, dead: &[usize]) {
    let mut comments = vec![];
    let mut kept = vec![];
    for (i, mut statement) in statements.drain(..).enumerate() {
        if dead.contains(&i) {
            comments.append(&mut statement.comments);
        } else {
            comments.append(&mut statement.comments);
            statement.comments = std::mem::take(&mut comments);
            kept.push(statement);
        }
    }
    *statements = kept;
}

struct Walk<'m, 'a> {
    module: &'m Module<'a>,
    writes: HashMap<SignalId, Vec<Write>>,
    reads: Vec<Read>,
}

type Assigned = HashMap<SignalId, Wide>;

impl Walk<'_, '_> {
    fn place(&self, text: usize) -> Place {
        Place {
            block: self.module.instance.path.clone(),
            statement: self.module.texts[text].clone(),
        }
    }

    fn collect(&mut self, statement: &Stmt, top: bool) {
        if let StmtKind::Assign(a) = &statement.kind {
            let write = Write {
                order: a.order,
                text: statement.text,
                top,
                at: a.at.clone(),
            };
            self.writes.entry(a.target).or_default().push(write);
        }
        for block in statement.blocks() {
            block.iter().for_each(|s| self.collect(s, false));
        }
    }

    fn width(&self, id: SignalId) -> usize {
        self.module.signals[id].width
    }

    fn written_bits(&self, id: SignalId, at: &At) -> Wide {
        match at {
            At::Bit(i) => mask(*i, 1, self.width(id)),
            At::Whole | At::Chosen(_) => !Wide::zero(self.width(id)),
        }
    }

    fn is_final(&self, id: SignalId, bits: Wide, order: usize) -> bool {
        let writes = self.writes.get(&id).map_or(&[][..], |w| w);
        !writes
            .iter()
            .any(|w| w.order >= order && (self.written_bits(id, &w.at) & bits).any())
    }

    /// Notes what `e` reads at `order` on behalf of `readers`.
    fn read(
        &mut self,
        e: &Expr,
        order: usize,
        readers: &[SignalId],
        text: usize,
        assigned: &Assigned,
    ) -> Result<(), EmitError> {
        let mut found = vec![];
        e.reads(&mut |id, low, count| found.push((id, low, count)));
        for (signal, low, count) in found {
            let info = &self.module.signals[signal];
            if !info.role.is_driven() {
                continue;
            }
            let bits = mask(low, count, info.width);
            let known = assigned
                .get(&signal)
                .copied()
                .unwrap_or_else(|| Wide::zero(info.width));
            if info.role != Role::SliceInput && (bits & !known).any() {
                let signal = dotted(&info.key);
                return Err(EmitError::ReadBeforeWrite {
                    place: self.place(text),
                    signal,
                });
            }
            let is_final = self.is_final(signal, bits, order);
            self.reads.push(Read {
                signal,
                is_final,
                readers: readers.to_vec(),
                text,
            });
        }
        Ok(())
    }

    fn visit(&mut self, statement: &Stmt, assigned: &mut Assigned) -> Result<(), EmitError> {
        let text = statement.text;
        match &statement.kind {
            StmtKind::Assign(a) => {
                if let At::Chosen(index) = &a.at {
                    self.read(index, a.order, &[a.target], text, assigned)?;
                }
                self.read(&a.value, a.order, &[a.target], text, assigned)?;
                if !matches!(a.at, At::Chosen(_)) {
                    let bits = self.written_bits(a.target, &a.at);
                    let known = assigned
                        .entry(a.target)
                        .or_insert_with(|| Wide::zero(bits.bits()));
                    *known = *known | bits;
                }
                return Ok(());
            }
            StmtKind::If {
                condition: test,
                order,
                ..
            }
            | StmtKind::Case { test, order, .. } => {
                let mut targets = vec![];
                statement.assigns(&mut |a| targets.push(a.target));
                self.read(test, *order, &targets, text, assigned)?;
            }
        }
        let before = assigned.clone();
        let mut after: Option<Assigned> = (!statement.is_exhaustive()).then(|| before.clone());
        for block in statement.blocks() {
            let mut here = before.clone();
            for s in block {
                self.visit(s, &mut here)?;
            }
            after = Some(match after {
                None => here,
                Some(after) => after
                    .into_iter()
                    .filter_map(|(id, bits)| here.get(&id).map(|other| (id, bits & *other)))
                    .collect(),
            });
        }
        *assigned = after.unwrap_or(before);
        Ok(())
    }

    fn check_latches(&self, assigned: &Assigned) -> Result<(), EmitError> {
        let mut targets: Vec<_> = self.writes.iter().collect();
        targets.sort_by_key(|(_, writes)| writes[0].order);
        for (id, writes) in targets {
            if !assigned.get(id).is_some_and(Wide::all) {
                let write = writes
                    .iter()
                    .find(|w| !w.top || w.at != At::Whole)
                    .unwrap_or(&writes[0]);
                let signal = dotted(&self.module.signals[*id].key);
                return Err(EmitError::Latch {
                    place: self.place(write.text),
                    signal,
                });
            }
        }
        Ok(())
    }

    /// One assignment, or one to every bit, all outside any `if`.
    fn is_once(&self, id: SignalId) -> bool {
        let writes = &self.writes[&id];
        if writes.iter().any(|w| !w.top) {
            return false;
        }
        match &writes[..] {
            [single] => single.at == At::Whole,
            bits => {
                let mut seen = Wide::zero(self.width(id));
                bits.iter().all(|w| match w.at {
                    At::Bit(i) => {
                        let fresh = !seen.get_bit(i);
                        seen = seen.replace_bit(i, true);
                        fresh
                    }
                    _ => false,
                }) && seen.all()
            }
        }
    }

    fn classify(self) -> Result<Analysis, EmitError> {
        let count = self.module.signals.len();
        let mut classes = vec![Class::None; count];
        for id in self.writes.keys() {
            let role = &self.module.signals[*id].role;
            let reads_itself = self
                .reads
                .iter()
                .any(|r| r.signal == *id && r.readers.contains(id));
            let once = self.is_once(*id) && !reads_itself;
            let whole = self.writes[id].len() == 1;
            classes[*id] = match role {
                Role::RegisterD(r) if once && whole => {
                    let _ = r;
                    Class::Clocked
                }
                Role::RegisterD(r) if self.module.registers[*r].control.is_none() => Class::Clocked,
                _ if once => Class::Assign,
                _ => Class::Procedural,
            };
        }
        let mut groups = Groups {
            parent: (0..count).collect(),
        };
        // A signal read back cannot live in the clocked block.
        for read in &self.reads {
            if classes[read.signal] == Class::Clocked {
                let single = self.is_once(read.signal);
                classes[read.signal] = if single {
                    Class::Assign
                } else {
                    Class::Procedural
                };
            }
        }
        loop {
            let mut changed = false;
            for read in self.reads.iter().filter(|r| !r.is_final) {
                let involved = std::iter::once(read.signal).chain(read.readers.iter().copied());
                for id in involved {
                    if classes[id] != Class::Procedural {
                        classes[id] = Class::Procedural;
                        changed = true;
                    }
                    groups.join(read.signal, id);
                }
            }
            if !changed {
                break;
            }
        }
        for read in &self.reads {
            let info = &self.module.signals[read.signal];
            if info.role.reads_settled() && classes[read.signal] == Class::Procedural {
                let signal = dotted(&info.key);
                return Err(EmitError::InputReadBack {
                    place: self.place(read.text),
                    signal,
                });
            }
        }
        let mut order = vec![];
        for statement in &self.module.statements {
            let mut first = None;
            statement.assigns(&mut |a| {
                if classes[a.target] == Class::Procedural {
                    groups.join(*first.get_or_insert(a.target), a.target);
                    order.push(a.target);
                }
            });
        }
        let mut found: Vec<(SignalId, Vec<SignalId>)> = vec![];
        for id in order {
            let root = groups.root(id);
            match found.iter_mut().find(|(r, _)| *r == root) {
                Some((_, members)) if members.contains(&id) => {}
                Some((_, members)) => members.push(id),
                None => found.push((root, vec![id])),
            }
        }
        Ok(Analysis {
            classes,
            groups: found.into_iter().map(|(_, members)| members).collect(),
        })
    }
}

struct Groups {
    parent: Vec<SignalId>,
}

impl Groups {
    fn root(&self, mut id: SignalId) -> SignalId {
        while self.parent[id] != id {
            id = self.parent[id];
        }
        id
    }

    fn join(&mut self, a: SignalId, b: SignalId) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[b.max(a)] = b.min(a);
    }
}

/// The statements of `block` that assign a signal `wanted` admits, with the conditions around them.
pub(super) fn project(block: &[Stmt], wanted: &dyn Fn(&Assign) -> bool) -> Vec<Stmt> {
    let mut out = vec![];
    for statement in block {
        let kind = match &statement.kind {
            StmtKind::Assign(a) => wanted(a).then(|| StmtKind::Assign(a.clone())),
            StmtKind::If {
                condition,
                order,
                then,
                otherwise,
            } => {
                let (then, otherwise) = (project(then, wanted), project(otherwise, wanted));
                let condition = condition.clone();
                if then.is_empty() && otherwise.is_empty() {
                    None
                } else if then.is_empty() {
                    let condition = match condition.kind {
                        Kind::Not(inner) => *inner,
                        _ => condition.not(),
                    };
                    Some(StmtKind::If {
                        condition,
                        order: *order,
                        then: otherwise,
                        otherwise: vec![],
                    })
                } else {
                    Some(StmtKind::If {
                        condition,
                        order: *order,
                        then,
                        otherwise,
                    })
                }
            }
            StmtKind::Case {
                test,
                order,
                arms,
                default,
            } => {
                let arms: Vec<_> = arms
                    .iter()
                    .map(|(v, block)| (v.clone(), project(block, wanted)))
                    .collect();
                let default = default.as_ref().map(|block| project(block, wanted));
                let empty = arms.iter().all(|(_, b)| b.is_empty())
                    && default.as_ref().is_none_or(Vec::is_empty);
                (!empty).then(|| StmtKind::Case {
                    test: test.clone(),
                    order: *order,
                    arms,
                    default,
                })
            }
        };
        if let Some(kind) = kind {
            out.push(Stmt {
                comments: statement.comments.clone(),
                text: statement.text,
                kind,
            });
        }
    }
    out
}
