//! Statements of processes and functions.

use super::{Beyond, Elaborator, Entity, Key, Made, Mode, Run, Variable};
use crate::ir::{address_bits, Graph, Id};
use crate::lexer::Pos;
use crate::syntax::{Expr, Select, Stmt, Target};
use std::collections::BTreeSet;

impl<'a> Elaborator<'a> {
    pub(super) fn execute(&mut self, run: &mut Run<'a>, body: &'a Stmt) -> Made<()> {
        match body {
            Stmt::Empty => Ok(()),
            Stmt::Block(block) => block.iter().try_for_each(|s| self.execute(run, s)),
            Stmt::Assign {
                target,
                nonblocking: true,
                ..
            } if run.mode == Mode::Function => self.refused(target.name.pos, "`<=` in a function"),
            Stmt::Assign { target, value, .. } => self.assign(run, target, value),
            Stmt::For { variable, .. } => {
                self.refused(variable.pos, "a `for` loop outside `initial`")
            }
            Stmt::If {
                condition,
                then,
                otherwise,
            } => {
                if !self.concerns(run, body) {
                    return Ok(());
                }
                let condition = self.truth(run, condition)?;
                self.branch(
                    run,
                    condition,
                    |e, run| e.execute(run, then),
                    |e, run| e.execute(run, otherwise),
                )
            }
            Stmt::Case {
                test,
                arms,
                default,
            } => {
                if !self.concerns(run, body) {
                    return Ok(());
                }
                let pos = test.pos;
                let (mut width, mut signed) = self.size(run, test)?;
                for label in arms.iter().flat_map(|(labels, _)| labels) {
                    let (w, s) = self.size(run, label)?;
                    width = width.max(w);
                    signed &= s;
                }
                let test = self.evaluate(run, test, width, signed)?;
                let mut conditions = vec![];
                let mut values = BTreeSet::new();
                for (labels, _) in arms {
                    let mut any = self.graph.constant(0, 1);
                    for label in labels {
                        let label = self.evaluate(run, label, width, signed)?;
                        if let Some(value) = self.graph.wide_value(&label) {
                            values.insert(value);
                        }
                        let equal = self.graph.wide_equal(&test, &label);
                        any = self.graph.or(any, equal);
                    }
                    conditions.push(any);
                }
                // Every value has its arm: the last one needs no test.
                if default.is_none() && width < 20 && values.len() == 1 << width {
                    if let Some(last) = conditions.last_mut() {
                        *last = self.graph.constant(1, 1);
                    }
                }
                self.arms(run, pos, &conditions, arms, default.as_deref())
            }
        }
    }

    pub(super) fn arms(
        &mut self,
        run: &mut Run<'a>,
        pos: Pos,
        conditions: &[Id],
        arms: &'a [(Vec<Expr>, Stmt)],
        default: Option<&'a Stmt>,
    ) -> Made<()> {
        let ([condition, conditions @ ..], [(_, body), arms @ ..]) = (conditions, arms) else {
            return match default {
                Some(body) => self.execute(run, body),
                None => Ok(()),
            };
        };
        self.deeper(pos, |e| {
            e.branch(
                run,
                *condition,
                |e, run| e.execute(run, body),
                |e, run| e.arms(run, pos, conditions, arms, default),
            )
        })
    }

    pub(super) fn branch(
        &mut self,
        run: &mut Run<'a>,
        condition: Id,
        then: impl FnOnce(&mut Self, &mut Run<'a>) -> Made<()>,
        otherwise: impl FnOnce(&mut Self, &mut Run<'a>) -> Made<()>,
    ) -> Made<()> {
        match self.graph.value(condition) {
            Some(0) => return otherwise(self, run),
            Some(_) => return then(self, run),
            None => {}
        }
        let (path, before) = (run.path, run.variables.clone());
        run.path = self.graph.and(path, condition);
        then(self, run)?;
        let mut taken = std::mem::replace(&mut run.variables, before);
        let not = self.graph.not(condition);
        run.path = self.graph.and(path, not);
        otherwise(self, run)?;
        run.path = path;
        let keys: BTreeSet<Key> = taken.keys().chain(run.variables.keys()).copied().collect();
        for key in keys {
            let (a, b) = (taken.remove(&key), run.variables.remove(&key));
            let a = self.or_before(run, key, a)?;
            let b = self.or_before(run, key, b)?;
            let merged = if a == b {
                a
            } else {
                Variable {
                    bits: self.graph.wide_choose(condition, &a.bits, &b.bits),
                    defined: a
                        .defined
                        .iter()
                        .zip(&b.defined)
                        .map(|(a, b)| *a && *b)
                        .collect(),
                }
            };
            run.variables.insert(key, merged);
        }
        Ok(())
    }

    /// A variable as it stands; one that nothing has assigned keeps its register's value or is not defined.
    pub(super) fn or_before(
        &mut self,
        run: &Run<'a>,
        key: Key,
        now: Option<Variable>,
    ) -> Made<Variable> {
        if let Some(now) = now {
            return Ok(now);
        }
        match (key, run.mode) {
            (Key::Signal(id), Mode::Clocked) => Ok(Variable {
                bits: self.held(id).unwrap_or_default(),
                defined: vec![true; self.signals[id].width as usize],
            }),
            _ => {
                let width = match (key, run.result) {
                    (Key::Signal(id), _) => self.signals[id].width,
                    (Key::Result, Some((_, width))) => width,
                    (Key::Result, None) => 1,
                };
                Ok(Variable {
                    bits: self.graph.wide_constant(&[], width),
                    defined: vec![false; width as usize],
                })
            }
        }
    }

    pub(super) fn assign(
        &mut self,
        run: &mut Run<'a>,
        target: &'a Target,
        value: &'a Expr,
    ) -> Made<()> {
        let pos = target.name.pos;
        let name = target.name.text.as_str();
        let entity = self.scopes[run.scope].names.get(name).cloned();
        let (key, whole) = match (run.result, entity) {
            (Some((result, width)), _) if result == name => (Key::Result, width),
            (Some(_), _) => {
                return self.refused(pos, "a function that assigns anything but its result")
            }
            (None, Some(Entity::Memory(id))) => {
                let Select::Index(index) = &target.at else {
                    return self.refused(pos, "an assignment to a whole memory");
                };
                let address = self.address(run, id, index)?;
                let width = self.memories[id].0.width;
                let data = self.assigned(run, value, width)?;
                // Words beyond the last one do not exist.
                let (valid, address) = address;
                let enable = self.graph.and(run.path, valid);
                run.writes.push((id, enable, address, data));
                return Ok(());
            }
            (None, _) => {
                let id = self.find_signal(run.scope, &target.name)?;
                (Key::Signal(id), self.signals[id].width)
            }
        };
        let slice = run.slice.as_ref();
        if slice.is_some_and(|s| !s.assignments.contains(&pos)) {
            return Ok(());
        }
        if let Select::Whole = target.at {
            let bits = self.assigned(run, value, whole)?;
            let defined = vec![true; whole as usize];
            run.variables.insert(key, Variable { bits, defined });
            return Ok(());
        }
        let old = run.variables.get(&key).cloned();
        let old = self.or_before(run, key, old)?;
        let (low, width) = match &target.at {
            Select::Whole => (0, whole),
            Select::Index(index) => {
                let at = self.value(run, index)?;
                match self.graph.wide_value(&at) {
                    Some(at) if at[0] < u64::from(whole) => (at[0] as u32, 1),
                    Some(at) => {
                        let problem = format!("{name} has bits {}:0, not {}", whole - 1, at[0]);
                        return self.wrong(index.pos, problem);
                    }
                    None => {
                        // A bit beyond the highest does not exist: the shift drops it.
                        let bit = self.assigned(run, value, 1)?;
                        let one = self.graph.wide_constant(&[1], whole);
                        let chosen = self.graph.wide_shift(&one, &at, true);
                        let bit = self.graph.resize(&bit, whole, true);
                        let set = self.graph.both(&chosen, &bit, Graph::and);
                        let others = self.graph.each(&chosen, Graph::not);
                        let kept = self.graph.both(&old.bits, &others, Graph::and);
                        let bits = self.graph.both(&kept, &set, Graph::or);
                        let defined = old.defined;
                        run.variables.insert(key, Variable { bits, defined });
                        return Ok(());
                    }
                }
            }
            Select::Part(range) => {
                let low = self.number_in(run, &range.right, "the part's right bound")?;
                let high = self.number_in(run, &range.left, "the part's left bound")?;
                if high >= u64::from(whole) || low > high {
                    let problem = format!("{name} has bits {}:0, not {high}:{low}", whole - 1);
                    return self.wrong(pos, problem);
                }
                (low as u32, (high - low + 1) as u32)
            }
        };
        let middle = self.assigned(run, value, width)?;
        let mut parts = vec![];
        if low > 0 {
            parts.push(self.graph.part(&old.bits, 0, low));
        }
        parts.push(middle);
        if low + width < whole {
            parts.push(self.graph.part(&old.bits, low + width, whole - low - width));
        }
        let bits = self.graph.join(&parts);
        let mut defined = old.defined;
        defined[low as usize..(low + width) as usize].fill(true);
        run.variables.insert(key, Variable { bits, defined });
        Ok(())
    }

    // Expressions.

    /// Whether an address has a word, and the address cut to the bits that reach all words.
    pub(super) fn address(
        &mut self,
        run: &Run<'a>,
        memory: usize,
        index: &'a Expr,
    ) -> Made<(Id, Id)> {
        let depth = self.memories[memory].0.depth;
        let bits = address_bits(depth).max(1);
        let address = self.value(run, index)?;
        let width = address.width.max(bits);
        let address = self.graph.resize(&address, width, false);
        let all_are_within = width == bits && depth == 1 << bits;
        let valid = if all_are_within || self.beyond == Beyond::Undefined {
            self.graph.constant(1, 1)
        } else {
            let mut limbs = vec![0; width.div_ceil(64) as usize];
            limbs[0] = depth as u64 - 1;
            let last = self.graph.wide_constant(&limbs, width);
            let beyond = self.graph.wide_less(&last, &address);
            self.graph.not(beyond)
        };
        Ok((valid, self.graph.part(&address, 0, bits).limbs[0]))
    }
}
