//! Resolves clocks and the drivers of signals.

use super::{Busy, ClockedProcess, Elaborator, Entity, Key, Made, Mode, Run, Slice, Source, State};
use crate::ir::{Bits, Edge, Graph, Write};
use crate::lexer::Pos;
use crate::syntax::{Expr, ExprKind, Select, Stmt};
use std::collections::btree_map::Entry;
use std::collections::BTreeMap;
use std::ops::Range;

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
            let end = (from + wide).min(low + width);
            let part = match (&self.drivers[driver].state, &self.drivers[driver].source) {
                (State::Busy, Source::Process(process)) => {
                    let process = *process;
                    self.deeper(pos, |e| e.driven_partly(driver, process, id, at..end, pos))?
                }
                (State::New, Source::Process(process)) if end - at < wide => {
                    let process = *process;
                    self.deeper(pos, |e| {
                        e.driven_or_partly(driver, process, id, at..end, pos)
                    })?
                }
                _ => {
                    let value = self.deeper(pos, |e| e.driven(driver, id, pos))?;
                    self.graph.part(&value, at - from, end - at)
                }
            };
            parts.push(part);
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
            State::Busy => return self.in_a_loop(driver, id, pos),
            State::New => {}
        }
        self.drivers[driver].state = State::Busy;
        self.busy.push(Busy::Driver(driver));
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
            Source::Process(process) => self.processed(process, id, 0..width)?,
        };
        let bits = match self.signals[id].fault.clone() {
            Some(fault) => {
                let fault = self.graph.part(&fault, self.drivers[driver].low, width);
                self.graph.both(&bits, &fault, Graph::xor)
            }
            None => bits,
        };
        self.drivers[driver].state = State::Done(bits.clone());
        self.busy.pop();
        Ok(bits)
    }

    fn in_a_loop<T>(&mut self, driver: usize, id: usize, pos: Pos) -> Made<T> {
        self.looped = true;
        let problem = format!(
            "a combinational loop: {} depends on itself; it is read again at {}",
            self.signals[id].path,
            self.files.place(pos)
        );
        self.wrong(self.drivers[driver].pos, problem)
    }

    /// Some bits of a signal that a process gives: with the others, or where that makes a loop without them.
    fn driven_or_partly(
        &mut self,
        driver: usize,
        process: usize,
        id: usize,
        bits: Range<u32>,
        pos: Pos,
    ) -> Made<Bits> {
        let outside = self.busy.len();
        match self.driven(driver, id, pos) {
            Ok(all) => Ok(self.graph.part(&all, bits.start, bits.end - bits.start)),
            Err(_) if self.looped && self.retries < MOST_RETRIES => {
                self.looped = false;
                self.retries += 1;
                for busy in self.busy.split_off(outside) {
                    match busy {
                        Busy::Driver(driver) => self.drivers[driver].state = State::New,
                        Busy::Part(key) => {
                            self.partly.remove(&key);
                        }
                    }
                }
                self.driven_partly(driver, process, id, bits, pos)
            }
            Err(error) => Err(error),
        }
    }

    /// Some bits of a signal whose other bits a process is giving: no loop, where they do not depend on those.
    fn driven_partly(
        &mut self,
        driver: usize,
        process: usize,
        id: usize,
        bits: Range<u32>,
        pos: Pos,
    ) -> Made<Bits> {
        let key = (driver, bits.start, bits.end);
        match self.partly.get(&key) {
            Some(State::Done(value)) => return Ok(value.clone()),
            Some(_) => return self.in_a_loop(driver, id, pos),
            None => {}
        }
        self.partly.insert(key, State::Busy);
        self.busy.push(Busy::Part(key));
        let value = self.processed(process, id, bits.clone())?;
        let value = match self.signals[id].fault.clone() {
            Some(fault) => {
                let fault = self.graph.part(&fault, bits.start, bits.end - bits.start);
                self.graph.both(&value, &fault, Graph::xor)
            }
            None => value,
        };
        self.partly.insert(key, State::Done(value.clone()));
        self.busy.pop();
        Ok(value)
    }

    /// What a process without a clock gives these bits of a signal.
    fn processed(&mut self, index: usize, id: usize, bits: Range<u32>) -> Made<Bits> {
        let (scope, body, pos) = {
            let process = &self.processes[index];
            (process.scope, process.body, process.pos)
        };
        let mut run = self.fresh(scope, Mode::Combinational);
        // Only what this signal depends on: two signals of one process make no loop.
        let mut slice = Slice::new(&self.processes[index].targets);
        let range = bits.start as usize..bits.end as usize;
        let mut wanted = vec![false; self.signals[id].width as usize];
        wanted[range.clone()].fill(true);
        self.slice(scope, body, &mut Live::from([(id, wanted)]), &mut slice);
        run.slice = Some(slice);
        self.execute(&mut run, body)?;
        match run.variables.remove(&Key::Signal(id)) {
            Some(variable) if variable.defined[range].iter().all(|d| *d) => {
                Ok(self
                    .graph
                    .part(&variable.bits, bits.start, bits.end - bits.start))
            }
            _ => {
                let problem = format!(
                    "{} is not assigned on every path through this process: a latch",
                    self.signals[id].path
                );
                self.wrong(pos, problem)
            }
        }
    }

    /// Adds to `slice` the assignments of a process, or of a part of it, that matter to the bits of `live` behind it. Leaves in `live` the bits of the
    /// process's own signals that matter before it.
    fn slice(&self, scope: usize, body: &'a Stmt, live: &mut Live, slice: &mut Slice) {
        let own = |e: &Expr, live: &mut Live, slice: &Slice| {
            names_of(e, &mut |name| {
                if let Some(Entity::Signal(id)) = self.scopes[scope].names.get(name) {
                    if slice.own.contains(id) {
                        live.insert(*id, vec![true; self.signals[*id].width as usize]);
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
                join(live, other);
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
                    join(live, other);
                }
                if slice.assignments.len() > before {
                    own(test, live, slice);
                    for label in arms.iter().flat_map(|(labels, _)| labels) {
                        own(label, live, slice);
                    }
                }
            }
            Stmt::Assign { target, value, .. } => {
                let Some(Entity::Signal(id)) = self.scopes[scope].names.get(&*target.name.text)
                else {
                    return;
                };
                let Some(bits) = live.get_mut(id) else {
                    return;
                };
                // The bits that it certainly assigns; one at a computed place assigns none of them for certain.
                let (assigned, certain) = match &target.at {
                    Select::Whole => (0..bits.len(), true),
                    Select::Index(index) => match literal(index) {
                        Some(at) => (at..at.saturating_add(1), true),
                        None => (0..bits.len(), false),
                    },
                    Select::Part(range) => match (literal(&range.right), literal(&range.left)) {
                        (Some(low), Some(high)) => (low..high.saturating_add(1), true),
                        _ => (0..bits.len(), false),
                    },
                };
                // One that lies beyond the signal is refused when it is executed.
                let inside = bits.get_mut(assigned);
                if inside
                    .as_ref()
                    .is_some_and(|inside| !inside.contains(&true))
                {
                    return;
                }
                slice.assignments.insert(target.name.pos);
                if let Some(inside) = inside.filter(|_| certain) {
                    inside.fill(false);
                }
                if !bits.contains(&true) {
                    live.remove(id);
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

/// Most attempts that end in a loop, where a part of what was attempted is all that is asked for.
const MOST_RETRIES: u32 = 1000;

/// Of signals of a process, the bits that matter.
type Live = BTreeMap<usize, Vec<bool>>;

/// Adds the bits that matter on another path.
fn join(live: &mut Live, other: Live) {
    for (id, bits) in other {
        match live.entry(id) {
            Entry::Vacant(entry) => {
                entry.insert(bits);
            }
            Entry::Occupied(mut entry) => {
                let all = entry.get_mut().iter_mut().zip(bits);
                all.for_each(|(bit, other)| *bit |= other);
            }
        }
    }
}

/// The value of a number.
fn literal(expr: &Expr) -> Option<usize> {
    match &expr.kind {
        ExprKind::Number(number) => usize::try_from(*number.limbs.first()?).ok(),
        _ => None,
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
