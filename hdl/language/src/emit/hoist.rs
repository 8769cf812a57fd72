//! Gives names to terms Verilog cannot slice: `bits_to((a + b) >> 3, 4)` needs a wire for the sum.

use super::expr::{Expr, Kind, SignalId};
use super::ir::{Assign, At, Module, Role, Signal, Stmt, StmtKind};
use super::names::Names;

/// The named terms of a module.
pub(super) struct Terms<'m, 'a> {
    pub module: &'m mut Module<'a>,
    pub names: &'m mut Names,
    /// Terms computed by an `assign`, in order.
    pub wires: Vec<(SignalId, Expr)>,
}

impl Terms<'_, '_> {
    /// Replaces the unsliceable terms of `e` by signals. `base` names them after the statement. Terms that read a signal
    /// of `group` are returned, to be computed inside that group's block; the others become wires.
    pub fn name_terms(
        &mut self,
        e: &mut Expr,
        base: &str,
        group: &[SignalId],
    ) -> Vec<(SignalId, Expr)> {
        let mut inner = vec![];
        for operand in e.operands_mut() {
            inner.extend(self.name_terms(operand, base, group));
        }
        let Kind::Part(term, _) = &mut e.kind else {
            return inner;
        };
        if matches!(term.kind, Kind::Signal(_)) {
            return inner;
        }
        let width = term.width;
        let mut procedural = false;
        term.reads(&mut |id, _, _| {
            procedural |= group.contains(&id) || inner.iter().any(|(t, _)| *t == id)
        });
        let known = self
            .wires
            .iter()
            .find(|(_, other)| !procedural && *other == **term)
            .map(|(id, _)| *id);
        let id = known.unwrap_or_else(|| {
            let id = self.module.signals.len();
            let name = self.names.unique(&format!("{base}_term"));
            self.module.signals.push(Signal {
                key: name.clone(),
                name,
                width,
                role: Role::Term,
                doc: String::new(),
                asynchronous: false,
                clock: false,
                value: None,
            });
            id
        });
        let value = std::mem::replace(&mut **term, Expr::signal(id, width));
        if procedural {
            inner.push((id, value));
        } else if known.is_none() {
            self.wires.push((id, value));
        }
        inner
    }

    /// Names the terms of every expression in `block`; returns the block and the terms computed inside it.
    pub fn name_in_block(
        &mut self,
        block: Vec<Stmt>,
        group: &[SignalId],
    ) -> (Vec<Stmt>, Vec<SignalId>) {
        let mut out = vec![];
        let mut inside = vec![];
        for mut statement in block {
            let mut terms = vec![];
            match &mut statement.kind {
                StmtKind::Assign(a) => {
                    let base = self.module.signals[a.target].name.clone();
                    if let At::Chosen(index) = &mut a.at {
                        terms.extend(self.name_terms(index, &base, group));
                    }
                    terms.extend(self.name_terms(&mut a.value, &base, group));
                }
                StmtKind::If {
                    condition,
                    then,
                    otherwise,
                    ..
                } => {
                    terms.extend(self.name_terms(condition, "condition", group));
                    for block in [then, otherwise] {
                        let (named, more) = self.name_in_block(std::mem::take(block), group);
                        *block = named;
                        inside.extend(more);
                    }
                }
                StmtKind::Case {
                    test,
                    arms,
                    default,
                    ..
                } => {
                    terms.extend(self.name_terms(test, "selector", group));
                    for block in arms.iter_mut().map(|(_, block)| block).chain(default) {
                        let (named, more) = self.name_in_block(std::mem::take(block), group);
                        *block = named;
                        inside.extend(more);
                    }
                }
            }
            for (target, value) in terms {
                inside.push(target);
                let kind = StmtKind::Assign(Assign {
                    target,
                    at: At::Whole,
                    value,
                    order: 0,
                });
                out.push(Stmt {
                    comments: std::mem::take(&mut statement.comments),
                    text: statement.text,
                    kind,
                });
            }
            out.push(statement);
        }
        (out, inside)
    }
}
