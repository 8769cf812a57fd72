//! Resolves clocks and the drivers of signals.

use super::{ClockedProcess, Elaborator, Entity, Key, Made, Mode, Run, Slice, Source, State};
use crate::ir::{Bits, Edge, Graph, Write};
use crate::lexer::Pos;
use crate::syntax::{Expr, ExprKind, Select, Stmt};
use std::collections::BTreeSet;

impl<'a> Elaborator<'a> {
    pub(super) fn clock(&mut self) -> Made<Vec<Vec<Edge>>> {
        let mut domains: Vec<Vec<Edge>> = vec![];
        let clocked = std::mem::take(&mut self.clocked);
        for ClockedProcess { process, events } in &clocked {
            let mut edges = vec![];
            for event in *events {
                let id = self.find_signal(process.scope, &event.signal)?;
                if self.signals[id].width != 1 {
                    let problem =
                        format!("the edge of {}, which has several bits", event.signal.text);
                    return self.wrong(event.signal.pos, problem);
                }
                let signal = self.read(id, 0, 1, event.signal.pos)?.limbs[0];
                // The rising edge of an inverted signal is its falling edge.
                let edge = match *self.graph.op(signal) {
                    crate::ir::Op::Not(x) => Edge {
                        signal: x,
                        rising: !event.rising,
                    },
                    _ => Edge {
                        signal,
                        rising: event.rising,
                    },
                };
                edges.push(edge);
            }
            edges.sort();
            edges.dedup();
            let domain = match domains.iter().position(|d| *d == edges) {
                Some(domain) => domain,
                None => {
                    domains.push(edges);
                    domains.len() - 1
                }
            } as u32;
            let mut run = self.fresh(process.scope, Mode::Clocked);
            self.execute(&mut run, process.body)?;
            for (key, variable) in run.variables {
                let Key::Signal(id) = key else { continue };
                let Some(first) = self.signals[id].register else {
                    continue;
                };
                for (i, next) in variable.bits.limbs.into_iter().enumerate() {
                    self.registers[first + i].next = next;
                    self.registers[first + i].domain = domain;
                }
            }
            for (memory, enable, address, data) in run.writes {
                self.memories[memory].0.writes.push(Write {
                    domain,
                    enable,
                    address,
                    data,
                });
            }
        }
        for (memory, pos) in &self.memories {
            if memory.writes.windows(2).any(|w| w[0].domain != w[1].domain) {
                return self.refused(*pos, "a memory written by two clocks");
            }
        }
        Ok(domains)
    }

    // Signals.

    pub(super) fn read(&mut self, id: usize, low: u32, width: u32, pos: Pos) -> Made<Bits> {
        if let Some(value) = self.signals[id].value.clone() {
            return Ok(self.graph.part(&value, low, width));
        }
        let mut drivers: Vec<(u32, u32, usize)> = self.signals[id]
            .drivers
            .iter()
            .map(|&d| (self.drivers[d].low, self.drivers[d].width, d))
            .filter(|(l, w, _)| *l < low + width && low < l + w)
            .collect();
        drivers.sort_unstable();
        let mut parts = vec![];
        let mut at = low;
        for (from, wide, driver) in drivers {
            if from > at {
                break;
            }
            let value = self.deeper(pos, |e| e.driven(driver, id, pos))?;
            let end = (from + wide).min(low + width);
            parts.push(self.graph.part(&value, at - from, end - at));
            at = end;
        }
        if at < low + width {
            let signal = &self.signals[id];
            let what = if signal.width == 1 {
                signal.path.clone()
            } else {
                format!("{}[{at}]", signal.path)
            };
            return self.wrong(pos, format!("nothing drives {what}"));
        }
        let bits = self.graph.join(&parts);
        if low == 0 && width == self.signals[id].width {
            self.signals[id].value = Some(bits.clone());
        }
        Ok(bits)
    }

    pub(super) fn driven(&mut self, driver: usize, id: usize, pos: Pos) -> Made<Bits> {
        match &self.drivers[driver].state {
            State::Done(bits) => return Ok(bits.clone()),
            State::Busy => {
                let problem = format!(
                    "a combinational loop: {} depends on itself; it is read again at {}",
                    self.signals[id].path,
                    self.files.place(pos)
                );
                return self.wrong(self.drivers[driver].pos, problem);
            }
            State::New => {}
        }
        self.drivers[driver].state = State::Busy;
        let (width, pos) = (self.drivers[driver].width, self.drivers[driver].pos);
        let bits = match self.drivers[driver].source.clone() {
            Source::Given(bits) => bits,
            Source::Expr { scope, expr, exact } => {
                let run = self.fresh(scope, Mode::Plain);
                if exact {
                    self.evaluate(&run, expr, width, false)?
                } else {
                    self.assigned(&run, expr, width)?
                }
            }
            Source::Signal(inside) => self.read(inside, 0, width, pos)?,
            Source::Process(process) => self.processed(process, id)?,
        };
        let bits = match self.signals[id].fault.clone() {
            Some(fault) => {
                let fault = self.graph.part(&fault, self.drivers[driver].low, width);
                self.graph.both(&bits, &fault, Graph::xor)
            }
            None => bits,
        };
        self.drivers[driver].state = State::Done(bits.clone());
        Ok(bits)
    }

    /// What a process without a clock gives a signal.
    pub(super) fn processed(&mut self, index: usize, id: usize) -> Made<Bits> {
        let (scope, body, pos) = {
            let process = &self.processes[index];
            (process.scope, process.body, process.pos)
        };
        let mut run = self.fresh(scope, Mode::Combinational);
        // Only what this signal depends on: two signals of one process make no loop.
        let mut slice = Slice::new(&self.processes[index].targets);
        self.slice(scope, body, &mut BTreeSet::from([id]), &mut slice);
        run.slice = Some(slice);
        self.execute(&mut run, body)?;
        match run.variables.remove(&Key::Signal(id)) {
            Some(variable) if variable.defined.iter().all(|d| *d) => Ok(variable.bits),
            _ => {
                let problem = format!(
                    "{} is not assigned on every path through this process: a latch",
                    self.signals[id].path
                );
                self.wrong(pos, problem)
            }
        }
    }

    /// Adds to `slice` the assignments of a process, or of a part of it, that matter to the signals of `live` behind it. Leaves in `live`
    /// the process's own signals that matter before it.
    fn slice(&self, scope: usize, body: &'a Stmt, live: &mut BTreeSet<usize>, slice: &mut Slice) {
        let own = |e: &Expr, live: &mut BTreeSet<usize>, slice: &Slice| {
            names_of(e, &mut |name| {
                if let Some(Entity::Signal(id)) = self.scopes[scope].names.get(name) {
                    if slice.own.contains(id) {
                        live.insert(*id);
                    }
                }
            });
        };
        match body {
            Stmt::Empty | Stmt::For { .. } => {}
            Stmt::Block(block) => {
                for statement in block.iter().rev() {
                    self.slice(scope, statement, live, slice);
                }
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                let before = slice.assignments.len();
                let mut other = live.clone();
                self.slice(scope, then, live, slice);
                self.slice(scope, otherwise, &mut other, slice);
                live.append(&mut other);
                if slice.assignments.len() > before {
                    own(condition, live, slice);
                }
            }
            Stmt::Case {
                test,
                arms,
                default,
            } => {
                let before = slice.assignments.len();
                let behind = live.clone();
                if default.is_some() {
                    live.clear();
                }
                for body in arms.iter().map(|(_, s)| s).chain(default.as_deref()) {
                    let mut other = behind.clone();
                    self.slice(scope, body, &mut other, slice);
                    live.append(&mut other);
                }
                if slice.assignments.len() > before {
                    own(test, live, slice);
                    for label in arms.iter().flat_map(|(labels, _)| labels) {
                        own(label, live, slice);
                    }
                }
            }
            Stmt::Assign { target, value, .. } => {
                let id = match self.scopes[scope].names.get(&*target.name.text) {
                    Some(Entity::Signal(id)) if live.contains(id) => *id,
                    _ => return,
                };
                slice.assignments.insert(target.name.pos);
                if let Select::Whole = target.at {
                    live.remove(&id);
                }
                own(value, live, slice);
                if let Select::Index(index) = &target.at {
                    own(index, live, slice);
                }
            }
        }
    }

    // Statements.

    /// Whether a statement assigns what is asked for.
    pub(super) fn concerns(&self, run: &Run<'a>, body: &Stmt) -> bool {
        let Some(slice) = &run.slice else {
            return true;
        };
        match body {
            Stmt::Empty | Stmt::For { .. } => false,
            Stmt::Block(block) => block.iter().any(|s| self.concerns(run, s)),
            Stmt::If {
                then, otherwise, ..
            } => self.concerns(run, then) || self.concerns(run, otherwise),
            Stmt::Case { arms, default, .. } => {
                let mut bodies = arms.iter().map(|(_, s)| s).chain(default.as_deref());
                bodies.any(|s| self.concerns(run, s))
            }
            Stmt::Assign { target, .. } => slice.assignments.contains(&target.name.pos),
        }
    }
}

/// Calls `visit` with every name that an expression reads.
fn names_of(expr: &Expr, visit: &mut impl FnMut(&str)) {
    match &expr.kind {
        ExprKind::Number(_) => {}
        ExprKind::Signal(name, at) => {
            visit(name);
            if let Select::Index(index) = at {
                names_of(index, visit);
            }
        }
        ExprKind::Unary(_, x) => names_of(x, visit),
        ExprKind::Binary(_, a, b) => {
            names_of(a, visit);
            names_of(b, visit);
        }
        ExprKind::Choose(a, b, c) => {
            names_of(a, visit);
            names_of(b, visit);
            names_of(c, visit);
        }
        ExprKind::Concat(parts) | ExprKind::Call(_, parts) => {
            parts.iter().for_each(|p| names_of(p, visit));
        }
        ExprKind::Repeat(count, parts) => {
            names_of(count, visit);
            parts.iter().for_each(|p| names_of(p, visit));
        }
    }
}
