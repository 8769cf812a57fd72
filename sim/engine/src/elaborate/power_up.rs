//! Registers and their power-up values.

use super::{Elaborator, Entity, Made, Run, Source, MAX_PASSES};
use crate::ir::{Bits, Register};
use crate::syntax::{Binary, Expr, ExprKind, NetKind, Select, Stmt};

/// `for (i = ..; i <= last; i = i + 1) memory[i] = value;` with numbers for `last` and `value`.
struct Fill<'a> {
    memory: &'a str,
    last: &'a Expr,
    value: &'a Expr,
}

impl<'a> Fill<'a> {
    /// Whether a loop over `variable` is of that form.
    fn of(variable: &str, condition: &'a Expr, step: &'a Expr, body: &'a Stmt) -> Option<Self> {
        let is_variable = |expr: &Expr| matches!(&expr.kind, ExprKind::Signal(name, Select::Whole) if name == variable);
        let is_number = |expr: &Expr| matches!(expr.kind, ExprKind::Number(_));
        let body = match body {
            Stmt::Block(statements) if statements.len() == 1 => &statements[0],
            statement => statement,
        };
        let (
            ExprKind::Binary(Binary::LessEqual, at, last),
            ExprKind::Binary(Binary::Add, before, by),
        ) = (&condition.kind, &step.kind)
        else {
            return None;
        };
        let Stmt::Assign {
            target,
            value,
            nonblocking: false,
        } = body
        else {
            return None;
        };
        let Select::Index(index) = &target.at else {
            return None;
        };
        let by_one = matches!(&by.kind, ExprKind::Number(number) if number.limbs == [1]);
        let of_variable = is_variable(at) && is_variable(before) && is_variable(index);
        (of_variable && by_one && is_number(last) && is_number(value)).then_some(Self {
            memory: &target.name.text,
            last,
            value,
        })
    }
}

impl<'a> Elaborator<'a> {
    /// Makes registers of all that clocked processes assign.
    pub(super) fn declare_registers(&mut self) -> Made<()> {
        for process in 0..self.clocked.len() {
            let pos = self.clocked[process].process.pos;
            for id in self.clocked[process].process.targets.clone() {
                let width = self.signals[id].width;
                let first = self.registers.len();
                let limbs = (0..width.div_ceil(64))
                    .map(|i| {
                        let width = crate::ir::limb_width(width, i);
                        let node = self.graph.register(self.registers.len() as u32, width);
                        self.registers.push(Register {
                            node,
                            width,
                            next: node,
                            domain: 0,
                            initial: (0, 0),
                        });
                        node
                    })
                    .collect();
                self.drive(id, 0, width, pos, Source::Given(Bits { width, limbs }))?;
                self.signals[id].register = Some(first);
            }
        }
        Ok(())
    }

    /// Bits of a register as it holds them.
    pub(super) fn held(&self, id: usize) -> Option<Bits> {
        let (first, width) = (self.signals[id].register?, self.signals[id].width);
        let registers = &self.registers[first..first + width.div_ceil(64) as usize];
        let limbs = registers.iter().map(|r| r.node).collect();
        Some(Bits { width, limbs })
    }

    pub(super) fn give_power_up(&mut self) -> Made<()> {
        for id in 0..self.signals.len() {
            let signal = &self.signals[id];
            let Some((values, given)) = signal.initial.clone() else {
                continue;
            };
            if let Some(first) = signal.register {
                for (i, (value, given)) in values.iter().zip(given).enumerate() {
                    self.registers[first + i].initial = (*value, given);
                }
                continue;
            }
            let (width, pos) = (signal.width, signal.pos);
            if !signal.drivers.is_empty() {
                let problem = format!("{} has a driver and an initial value", signal.path);
                return self.wrong(pos, problem);
            }
            let full = (0..width).all(|b| given[(b / 64) as usize] >> (b % 64) & 1 == 1);
            if full {
                let bits = self.graph.wide_constant(&values, width);
                self.drive(id, 0, width, pos, Source::Given(bits))?;
            }
        }
        Ok(())
    }

    // `initial`.

    pub(super) fn initialise(&mut self, run: &mut Run<'a>, body: &'a Stmt) -> Made<()> {
        match body {
            Stmt::Empty => Ok(()),
            Stmt::Block(block) => block.iter().try_for_each(|s| self.initialise(run, s)),
            Stmt::If { condition, .. } => self.refused(condition.pos, "`if` in `initial`"),
            Stmt::Case { test, .. } => self.refused(test.pos, "`case` in `initial`"),
            Stmt::For {
                variable,
                from,
                condition,
                step,
                body,
            } => {
                if !matches!(
                    self.scopes[run.scope].names.get(&*variable.text),
                    Some(Entity::Integer)
                ) {
                    let problem = format!("{} is no integer", variable.text);
                    return self.wrong(variable.pos, problem);
                }
                let mut value = self.assigned(run, from, 32)?;
                if let Some(fill) = Fill::of(&variable.text, condition, step, body) {
                    if self.fill(run, &value, &fill)? {
                        return Ok(());
                    }
                }
                loop {
                    run.locals.insert(&variable.text, (value, true));
                    let go = self.truth(run, condition)?;
                    match self.graph.value(go) {
                        Some(0) => break,
                        Some(_) => {}
                        None => return self.wrong(condition.pos, "the loop's end is not constant"),
                    }
                    self.passes += 1;
                    if self.passes > MAX_PASSES {
                        return self.wrong(variable.pos, "the loop does not end");
                    }
                    self.initialise(run, body)?;
                    value = self.assigned(run, step, 32)?;
                }
                run.locals.remove(variable.text.as_str());
                Ok(())
            }
            Stmt::Assign {
                target,
                value,
                nonblocking,
            } => {
                let pos = target.name.pos;
                if *nonblocking {
                    return self.refused(pos, "`<=` in `initial`");
                }
                let entity = self.scopes[run.scope]
                    .names
                    .get(&*target.name.text)
                    .cloned();
                if let Some(Entity::Memory(id)) = entity {
                    let Select::Index(index) = &target.at else {
                        return self.refused(pos, "an assignment to a whole memory");
                    };
                    let at = self.number_in(run, index, "the word that is assigned")?;
                    let (width, depth) = (self.memories[id].0.width, self.memories[id].0.depth);
                    if at >= depth as u64 {
                        let problem = format!("the memory has words 0 to {}, not {at}", depth - 1);
                        return self.wrong(index.pos, problem);
                    }
                    let limbs = self.constant_of(run, value, width)?;
                    let memory = &mut self.memories[id].0;
                    let at = at as usize;
                    memory.given[at] = true;
                    memory.initial[at * limbs.len()..][..limbs.len()].copy_from_slice(&limbs);
                    return Ok(());
                }
                let id = self.find_signal(run.scope, &target.name)?;
                if self.signals[id].kind != NetKind::Reg {
                    let problem = format!("{} is a wire; `initial` assigns regs", target.name.text);
                    return self.wrong(pos, problem);
                }
                let whole = self.signals[id].width;
                let (low, width) = match &target.at {
                    Select::Index(index) => {
                        let i = self.number_in(run, index, "the bit that is assigned")?;
                        self.within(id, i, i, pos)?
                    }
                    at => self.place(run.scope, id, at, pos)?,
                };
                let limbs = self.constant_of(run, value, width)?;
                let count = whole.div_ceil(64) as usize;
                let (values, given) = self.signals[id]
                    .initial
                    .get_or_insert_with(|| (vec![0; count], vec![0; count]));
                for bit in 0..width {
                    let (to, from) = (low + bit, bit);
                    let one = limbs[(from / 64) as usize] >> (from % 64) & 1;
                    let (limb, shift) = ((to / 64) as usize, to % 64);
                    values[limb] = values[limb] & !(1 << shift) | one << shift;
                    given[limb] |= 1 << shift;
                }
                Ok(())
            }
        }
    }

    /// Gives words of a memory the value, all at once; false where the loop has to be followed, which tells what is wrong with it.
    fn fill(&mut self, run: &Run<'a>, from: &Bits, fill: &Fill<'a>) -> Made<bool> {
        let entity = self.scopes[run.scope].names.get(fill.memory).cloned();
        let Some(Entity::Memory(id)) = entity else {
            return Ok(false);
        };
        let first = self.graph.wide_value(from).map(|limbs| limbs[0]);
        let last = self.number_in(run, fill.last, "the last word")?;
        let (width, depth) = (self.memories[id].0.width, self.memories[id].0.depth);
        let passes = u32::try_from(last).unwrap_or(u32::MAX).saturating_add(1);
        let within = last < depth as u64 && self.passes.saturating_add(passes) <= MAX_PASSES;
        let Some(first) = first.filter(|first| within && *first <= last) else {
            return Ok(false);
        };
        self.passes += passes;
        let limbs = self.constant_of(run, fill.value, width)?;
        let memory = &mut self.memories[id].0;
        let words = first as usize..last as usize + 1;
        memory.given[words.clone()].fill(true);
        let initial = &mut memory.initial[words.start * limbs.len()..words.end * limbs.len()];
        match limbs.as_slice() {
            [limb] => initial.fill(*limb),
            limbs => {
                for word in initial.chunks_mut(limbs.len()) {
                    word.copy_from_slice(limbs);
                }
            }
        }
        Ok(true)
    }

    pub(super) fn constant_of(
        &mut self,
        run: &Run<'a>,
        value: &'a Expr,
        width: u32,
    ) -> Made<Vec<u64>> {
        let bits = self.assigned(run, value, width)?;
        match self.graph.wide_value(&bits) {
            Some(limbs) => Ok(limbs),
            None => self.refused(value.pos, "an initial value that is not constant"),
        }
    }

    // Clocked processes.
}
